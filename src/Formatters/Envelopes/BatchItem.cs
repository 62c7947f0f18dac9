using System.Diagnostics.CodeAnalysis;

namespace Formatters.Envelopes;

/// <summary>A payload of a batch, or the error of reading it.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
public readonly struct BatchItem<T>
{
    internal BatchItem(T? value, MessageFormatException? error)
    {
        Value = value;
        Error = error;
    }

    /// <summary>Gets the payload; the default if it could not be read.</summary>
    public T? Value { get; }

    /// <summary>
    /// Gets why it could not be read; null if it could. The member path begins with the index of the payload: <c>[3].Order.Name</c>.
    /// </summary>
    public MessageFormatException? Error { get; }

    /// <summary>Gets whether the payload was read.</summary>
    public bool IsGood => Error is null;

    /// <summary>Returns the payload, or throws the error.</summary>
    /// <returns>The payload.</returns>
    /// <exception cref="MessageFormatException">The payload could not be read.</exception>
    public T GetValue() => Error is null ? Value! : throw Error;
}
