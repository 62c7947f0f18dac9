using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Buffers;

namespace Formatters.Queues;

// Payloads, with a formatter.
public abstract partial class QueueClient
{
    /// <summary>Sends a payload: writes its body into a rented buffer, sends it with the formatter's body type and content type, and returns the
    /// buffer.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="value">The payload. It may change as soon as this method has returned, even before the send has completed.</param>
    /// <param name="formatter">Writes the body.</param>
    /// <param name="label">A short description for display, or null.</param>
    /// <param name="transaction">As for <see cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">As for <see cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/>.</param>
    /// <returns>Completes when the guarantee of the queue's <see cref="DeliveryMode"/> holds.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null, or the formatter refuses a null
    /// <paramref name="value"/>.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written; nothing was sent.</exception>
    /// <inheritdoc cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)" path="/exception"/>
    [OverloadResolutionPriority(1)]
    public ValueTask SendAsync<T>(
        T value,
        MessageFormatter<T> formatter,
        string? label = null,
        QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default) => SendAsync(value, formatter, null, label, transaction, cancellationToken);

    /// <summary>Sends a payload with the properties of a message: priority, ids, time to live, due time, headers and the others.</summary>
    /// <param name="value">The payload. It may change as soon as this method has returned, even before the send has completed.</param>
    /// <param name="formatter">Writes the body.</param>
    /// <param name="properties">A message without a body. It is not changed.</param>
    /// <param name="transaction">As for <see cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">As for <see cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/>.</param>
    /// <exception cref="ArgumentException"><paramref name="properties"/> has a body; or an exception of <see
    /// cref="SendAsync(QueueMessage, QueueTransaction?, CancellationToken)"/>.</exception>
    /// <inheritdoc cref="SendAsync{T}(T, MessageFormatter{T}, string?, QueueTransaction?, CancellationToken)"/>
    public ValueTask SendAsync<T>(
        T value,
        MessageFormatter<T> formatter,
        QueueMessage properties,
        QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        if (properties is null)
            throw new ArgumentNullException(nameof(properties));
        if (properties.Body.ByteCount > 0)
            throw new ArgumentException("The message with the properties has a body.", nameof(properties));
        return SendAsync(value, formatter, properties, null, transaction, cancellationToken);
    }

    private ValueTask SendAsync<T>(
        T value,
        MessageFormatter<T> formatter,
        QueueMessage? properties,
        string? label,
        QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));

        var buffer = new PooledBufferWriter(formatter.GetSizeHint(value));
        ValueTask send;
        try
        {
            using (QueueTelemetry.StartFormatActivity("format", formatter.ContentType))
                formatter.Write(buffer, value);
            var body = new MessageBody(buffer.WrittenMemory, formatter.BodyType, formatter.ContentType);
            QueueMessage message = properties?.WithBody(body) ?? new QueueMessage(body) { Label = label };
            send = SendAsync(message, transaction, cancellationToken);
        }
        catch
        {
            buffer.Dispose();
            throw;
        }

        if (!send.IsCompletedSuccessfully)
            return AwaitAsync(send, buffer);
        send.GetAwaiter().GetResult();
        buffer.Dispose();
        return default;

        static async ValueTask AwaitAsync(ValueTask send, PooledBufferWriter buffer)
        {
            using (buffer)
                await send.ConfigureAwait(false);
        }
    }

    /// <summary>Sends a payload written by an untyped formatter.</summary>
    /// <inheritdoc cref="SendAsync{T}(T, MessageFormatter{T}, string?, QueueTransaction?, CancellationToken)"/>
    public ValueTask SendAsync(
        object? value,
        IMessageFormatter formatter,
        string? label = null,
        QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        var message = new QueueMessage { Label = label };
        formatter.Write(message.Body, value);
        return SendAsync(message, transaction, cancellationToken);
    }

    /// <summary>Receives the next message, waiting for one if there is none, and reads the payload in its body.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="formatter">Reads the body. A message with another content type or body type is not read: its <see
    /// cref="ReceivedMessage{T}.Error"/> has <see cref="MessageFormatErrorCode.UnknownFormat"/>. A message with neither is read.</param>
    /// <param name="timeout">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="transaction">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <returns>
    /// The message and its payload, or null after the timeout. A body that cannot be read is not an exception here, but
    /// <see cref="ReceivedMessage{T}.Error"/> (and the exception of <see cref="ReceivedMessage{T}.Value"/>), so that the message is not lost.
    /// Call <see cref="ReceivedMessage{T}.AcknowledgeAsync"/> when the payload is processed, or the message is delivered again: see
    /// <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.
    /// </returns>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null.</exception>
    /// <inheritdoc cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)" path="/exception"/>
    [OverloadResolutionPriority(1)]
    public ValueTask<ReceivedMessage<T>?> ReceiveAsync<T>(
        MessageFormatter<T> formatter,
        TimeSpan timeout,
        QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        return BodyReading.ReceiveAsync(ReceiveAsync(timeout, transaction, cancellationToken), message => BodyReading.Read(message, formatter));
    }

    /// <summary>
    /// Receives the next message, waiting for one if there is none, and reads the payload in its body with the formatter of its format.
    /// </summary>
    /// <typeparam name="T">The type of the payload, or a base type or interface of it.</typeparam>
    /// <param name="registry">Reads the body. If none of its formatters does, <see cref="ReceivedMessage{T}.Error"/> has <see
    /// cref="MessageFormatErrorCode.UnknownFormat"/>.</param>
    /// <param name="timeout">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="transaction">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <param name="cancellationToken">As for <see cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="registry"/> is null.</exception>
    /// <inheritdoc cref="ReceiveAsync{T}(MessageFormatter{T}, TimeSpan, QueueTransaction?, CancellationToken)" path="/returns"/>
    /// <inheritdoc cref="ReceiveAsync(TimeSpan, QueueTransaction?, CancellationToken)" path="/exception"/>
    public ValueTask<ReceivedMessage<T>?> ReceiveAsync<T>(
        FormatterRegistry registry,
        TimeSpan timeout,
        QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        if (registry is null)
            throw new ArgumentNullException(nameof(registry));
        return BodyReading.ReceiveAsync(ReceiveAsync(timeout, transaction, cancellationToken),
            message => BodyReading.Read<T>(message, registry));
    }
}
