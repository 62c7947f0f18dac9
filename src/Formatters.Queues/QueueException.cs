using System;

namespace Formatters.Queues;

/// <summary>
/// The exception that is thrown when a queue operation failed: the queue does not exist or rejected it, or the connection was lost.
/// </summary>
public class QueueException : Exception
{
    /// <summary>Creates an exception without detail.</summary>
    public QueueException()
        : this("The queue operation failed.")
    {
    }

    /// <summary>Creates an exception with a message.</summary>
    /// <param name="message">What happened, naming the queue's address without its password.</param>
    public QueueException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception with a message and a cause.</summary>
    /// <param name="message">What happened, naming the queue's address without its password.</param>
    /// <param name="innerException">The cause.</param>
    public QueueException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>
    /// Gets whether it is unknown what happened to the message: it may or may not be in the queue (the connection was lost before the confirmation).
    /// </summary>
    public bool OutcomeUnknown { get; init; }

    /// <summary>
    /// Gets whether the queue was not reached: it could not be opened, the connection was lost, or no answer came in time. The queue has not rejected
    /// the operation.
    /// </summary>
    public bool IsUnreachable { get; init; }

    /// <summary>Gets the kind of error, for programs.</summary>
    /// <value>Default <see cref="QueueErrorCode.None"/>: one that has no code.</value>
    public QueueErrorCode Code { get; init; }
}
