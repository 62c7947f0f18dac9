using System;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>A row of the outbox that is being sent.</summary>
internal sealed class PendingMessage
{
    internal PendingMessage(object[] values)
    {
        Id = (long)values[0];
        Queue = values[1] as string ?? "";
        try
        {
            Row = OutboxRow.Read(values);
            Message = Row.ToMessage();
        }
        catch (FormatException e)
        {
            Refuse(e.Message, e);
        }
    }

    internal long Id { get; }

    internal string Queue { get; }

    /// <summary>Gets the row; null if it cannot be read.</summary>
    internal OutboxRow? Row { get; }

    internal QueueMessage? Message { get; }

    /// <summary>Gets or sets whether the message is in its queue.</summary>
    internal bool IsSent { get; set; }

    /// <summary>Gets why the message can never be sent; null if it can.</summary>
    internal string? Refusal { get; private set; }

    internal Exception? Error { get; private set; }

    /// <summary>Gets whether the message is still to be sent.</summary>
    internal bool IsWaiting => !IsSent && Refusal is null;

    internal void Refuse(string reason, Exception? error = null)
    {
        Refusal = reason;
        Error = error;
    }
}
