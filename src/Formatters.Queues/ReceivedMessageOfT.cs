using System;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A received message together with the payload read from its body.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// If the body cannot be read, nothing is lost: the receiver still has the message, as <see cref="Message"/>, and <see cref="Error"/> says why. Unless the
/// queue was opened under <see cref="ReceiveMode.ReceiveAndDelete"/>, a message, readable or not, stays locked until it is acknowledged, put into the
/// dead-letter queue (<see cref="DeadLetterReasons.UnreadableBody"/>) or returned; in a transaction a rollback gives it back.
/// </remarks>
public sealed class ReceivedMessage<T>
{
    private readonly T? _value;

    internal ReceivedMessage(ReceivedMessage message, IMessageFormatter<T> formatter)
    {
        Message = message;
        try
        {
            _value = message.Read(formatter);
        }
        catch (MessageFormatException e)
        {
            Error = e;
        }
    }

    /// <summary>The message: the body's bytes, label and ids.</summary>
    public ReceivedMessage Message { get; }

    /// <summary>Why the body could not be read, or null if it was.</summary>
    public MessageFormatException? Error { get; }

    /// <summary>The payload.</summary>
    /// <exception cref="MessageFormatException">The body could not be read; it is <see cref="Error"/>.</exception>
    public T Value
    {
        get
        {
            if (Error is not null)
                ExceptionDispatchInfo.Throw(Error);
            return _value!;
        }
    }

    /// <inheritdoc cref="ReceivedMessage.AcknowledgeAsync"/>
    public ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) => Message.AcknowledgeAsync(cancellationToken);

    /// <inheritdoc cref="ReceivedMessage.ReturnAsync(CancellationToken)"/>
    public ValueTask ReturnAsync(CancellationToken cancellationToken = default) => Message.ReturnAsync(cancellationToken);

    /// <inheritdoc cref="ReceivedMessage.ReturnAsync(TimeSpan, CancellationToken)"/>
    public ValueTask ReturnAsync(TimeSpan delay, CancellationToken cancellationToken = default) => Message.ReturnAsync(delay, cancellationToken);

    /// <inheritdoc cref="ReceivedMessage.DeadLetterAsync"/>
    public ValueTask DeadLetterAsync(string reason, string? description = null, CancellationToken cancellationToken = default) =>
        Message.DeadLetterAsync(reason, description, cancellationToken);
}
