namespace System.Messaging;

/// <summary>A position in a queue: see <see cref="MessageQueue.CreateCursor"/>.</summary>
public sealed class Cursor : IDisposable
{
    internal Cursor()
    {
    }

    /// <summary>Gets or sets the position after which the current message is; null for the front.</summary>
    internal string? Before { get; set; }

    /// <summary>Gets or sets the position of the current message; null if there was none yet, or if it was received.</summary>
    internal string? Current { get; set; }

    internal bool IsClosed { get; private set; }

    /// <summary>Closes the cursor.</summary>
    public void Close() => IsClosed = true;

    /// <summary>Closes the cursor.</summary>
    public void Dispose() => Close();
}
