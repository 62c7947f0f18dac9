using System;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>Thrown by a handler or middleware for a message that no retry can help: the message becomes a dead letter at once.</summary>
public sealed class MessageRejectedException : Exception
{
    private readonly string _reason = DeadLetterReasons.Rejected;

    /// <summary>Creates an exception without detail.</summary>
    public MessageRejectedException()
        : this("The message was rejected.")
    {
    }

    /// <summary>Creates an exception with the reason for the rejection.</summary>
    /// <param name="message">Why the message was rejected; the description of the dead letter.</param>
    public MessageRejectedException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception with a cause.</summary>
    /// <param name="message">Why the message was rejected; the description of the dead letter.</param>
    /// <param name="innerException">The cause.</param>
    public MessageRejectedException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>The reason of the dead letter, in a word for programs.</summary>
    /// <value>Default <see cref="DeadLetterReasons.Rejected"/>, also if it is set to null or an empty string.</value>
    public string Reason
    {
        get => _reason;
        init => _reason = string.IsNullOrEmpty(value) ? DeadLetterReasons.Rejected : value;
    }
}
