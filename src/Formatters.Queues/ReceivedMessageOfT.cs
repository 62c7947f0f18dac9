using System;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A received message together with the payload read from its body.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// If the body cannot be read, nothing is lost: the receiver still has the <see cref="Message"/>, and <see cref="Error"/> has the exception, whatever
/// the formatter threw, except <see cref="OperationCanceledException"/> and <see cref="OutOfMemoryException"/>. Unless the queue was opened under
/// <see cref="ReceiveMode.ReceiveAndDelete"/>, a message, readable or not, stays locked until it is acknowledged, dead-lettered (<see
/// cref="DeadLetterReasons.UnreadableBody"/>) or returned; in a transaction a rollback returns it.
/// </remarks>
public sealed class ReceivedMessage<T>
{
    private readonly T? _value;

    internal ReceivedMessage(ReceivedMessage message, Func<QueueMessage, T> read)
    {
        Message = message;
        try
        {
            _value = read(message);
        }
        catch (Exception e) when (!BodyReading.IsFatal(e))
        {
            Error = BodyReading.ErrorOf(e);
        }
    }

    /// <summary>Gets the message: the body's bytes, label and ids.</summary>
    public ReceivedMessage Message { get; }

    /// <summary>Gets why the body could not be read; null if it was read.</summary>
    /// <value>The formatter's exception, wrapped if it is not a <see cref="MessageFormatException"/>. If the message declares another format, <see
    /// cref="MessageFormatErrorCode.UnknownFormat"/>. <see cref="MessageFormatException.IsPoison"/> is true if the same bytes can never be read: only
    /// such messages belong in the dead-letter queue.</value>
    public MessageFormatException? Error { get; }

    /// <summary>Gets the payload, or throws the error of reading it.</summary>
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

    /// <inheritdoc cref="ReceivedMessage.RenewLeaseAsync"/>
    public ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default) => Message.RenewLeaseAsync(cancellationToken);

    /// <inheritdoc cref="ReceivedMessage.DeferAsync"/>
    public ValueTask DeferAsync(CancellationToken cancellationToken = default) => Message.DeferAsync(cancellationToken);
}
