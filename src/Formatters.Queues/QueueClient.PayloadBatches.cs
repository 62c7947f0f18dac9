using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

// Batches of payloads.
public abstract partial class QueueClient
{
    /// <summary>Sends several payloads, in their order, with the formatter's body type and content type.</summary>
    /// <typeparam name="T">The type of the payloads.</typeparam>
    /// <param name="values">The payloads; an empty list is not an error.</param>
    /// <param name="formatter">Writes the bodies. If one cannot be written, nothing is sent.</param>
    /// <param name="transaction">As for <see cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">Cancels the wait; each message may or may not be sent then.</param>
    /// <returns>Completes when the guarantee of the queue's <see cref="DeliveryMode"/> holds for all of them (within a transaction:
    /// immediately).</returns>
    /// <exception cref="MessageFormatException">A payload cannot be written.</exception>
    /// <inheritdoc cref="SendBatchAsync(IReadOnlyList{QueueMessage}, QueueTransaction?, CancellationToken)" path="/exception"/>
    public ValueTask SendBatchAsync<T>(
        IReadOnlyList<T> values, MessageFormatter<T> formatter, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        if (values is null)
            throw new ArgumentNullException(nameof(values));
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        QueueMessage[] messages =
            [.. values.Select(value => new QueueMessage(new MessageBody(formatter.Write(value), formatter.BodyType, formatter.ContentType)))];
        return SendBatchAsync(messages, transaction, cancellationToken);
    }

    /// <summary>Receives several messages: those that are available, up to a count, once there is at least one; and reads the payloads in their
    /// bodies.</summary>
    /// <typeparam name="T">The type of the payloads.</typeparam>
    /// <param name="formatter">Reads the bodies. A message with another content type or body type is not read: its <see
    /// cref="ReceivedMessage{T}.Error"/> has <see cref="MessageFormatErrorCode.UnknownFormat"/>. A message with neither is read.</param>
    /// <param name="maxCount">The maximum number of messages: 1 or more.</param>
    /// <param name="timeout">How long to wait for the first, as for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.
    /// There is no wait after that.</param>
    /// <param name="transaction">As for <see cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">Cancels the wait; no message is lost then.</param>
    /// <returns>The messages in the order of the queue; an empty list after the timeout. A body that cannot be read is not an exception here, but the
    /// <see cref="ReceivedMessage{T}.Error"/> of its message. Settle each individually or with <see
    /// cref="AcknowledgeBatchAsync{T}(IReadOnlyList{ReceivedMessage{T}}, CancellationToken)"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null.</exception>
    /// <inheritdoc cref="ReceiveBatchAsync(int, TimeSpan, QueueTransaction?, CancellationToken)" path="/exception"/>
    public ValueTask<IReadOnlyList<ReceivedMessage<T>>> ReceiveBatchAsync<T>(
        MessageFormatter<T> formatter, int maxCount, TimeSpan timeout, QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        return formatter is null
            ? throw new ArgumentNullException(nameof(formatter))
            : BodyReading.ReceiveBatchAsync(
                ReceiveBatchAsync(maxCount, timeout, transaction, cancellationToken), message => BodyReading.Read(message, formatter));
    }

    /// <summary>Acknowledges several messages. Without effect under <see cref="ReceiveMode.ReceiveAndDelete"/> and in a transaction.</summary>
    /// <typeparam name="T">The type of the payloads.</typeparam>
    /// <param name="messages">Messages that this handle has received, in any order; an empty list is not an error.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>Completes when all of them are acknowledged.</returns>
    /// <inheritdoc cref="AcknowledgeBatchAsync(IReadOnlyList{ReceivedMessage}, CancellationToken)" path="/exception"/>
    public ValueTask AcknowledgeBatchAsync<T>(IReadOnlyList<ReceivedMessage<T>> messages, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(messages);
        return AcknowledgeBatchAsync(
            [.. messages.Select((message, i) => message?.Message ?? throw new ArgumentException($"Message {i} is null.", nameof(messages)))],
            cancellationToken);
    }

    /// <summary>Receives messages as long as the loop runs, several at a time, and reads the payloads in their bodies. A cancellation ends the loop,
    /// without an exception.</summary>
    /// <typeparam name="T">The type of the payloads.</typeparam>
    /// <param name="formatter">Reads the bodies. What it cannot read comes with <see cref="ReceivedMessage{T}.Error"/>.</param>
    /// <param name="maxInHand">As for <see cref="ReceiveAllAsync(int, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">Ends the loop.</param>
    /// <returns>An endless sequence of messages, as of <see cref="ReceiveAllAsync(int, CancellationToken)"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null.</exception>
    /// <inheritdoc cref="ReceiveAllAsync(int, CancellationToken)" path="/exception"/>
    public IAsyncEnumerable<ReceivedMessage<T>> ReceiveAllAsync<T>(
        MessageFormatter<T> formatter, int maxInHand = 100, CancellationToken cancellationToken = default)
    {
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        return ReadAllAsync(ReceiveAllAsync(maxInHand, cancellationToken), formatter, cancellationToken);
    }

    private static async IAsyncEnumerable<ReceivedMessage<T>> ReadAllAsync<T>(
        IAsyncEnumerable<ReceivedMessage> messages, MessageFormatter<T> formatter, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (ReceivedMessage message in messages.WithCancellation(cancellationToken).ConfigureAwait(false))
            yield return await BodyReading.ReadOrReturnAsync(message, m => BodyReading.Read(m, formatter)).ConfigureAwait(false);
    }
}
