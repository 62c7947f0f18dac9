using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Buffers;

namespace Formatters.Queues;

/// <summary>Extensions that send and receive payloads with a formatter, and extensions for optional capabilities of queues.</summary>
public static partial class MessageQueueExtensions
{
    /// <summary>Returns the provider's own queue. A queue that <see cref="QueueConnector"/> opens is a wrapper around it, for traces and metrics. For
    /// extension methods of providers.</summary>
    /// <param name="queue">A queue.</param>
    /// <returns>The provider's queue; <paramref name="queue"/> itself if it is not a wrapper.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> is null.</exception>
    public static IMessageQueue Unwrap(this IMessageQueue queue) =>
        queue is null ? throw new ArgumentNullException(nameof(queue)) : queue is ObservedQueue observed ? observed.Inner : queue;

    /// <summary>Sends a payload: writes its body into a rented buffer, sends it with the formatter's body type and content type, and returns the
    /// buffer.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The queue; over an address of several queues the body is written once for all.</param>
    /// <param name="value">The payload. It may change as soon as this method has returned, even before the send has completed.</param>
    /// <param name="formatter">Writes the body.</param>
    /// <param name="label">A short description for display, or null.</param>
    /// <param name="transaction">As for <see cref="IMessageQueue.SendAsync"/>.</param>
    /// <param name="cancellationToken">As for <see cref="IMessageQueue.SendAsync"/>.</param>
    /// <returns>Completes when the guarantee of the queue's <see cref="DeliveryMode"/> holds.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> or <paramref name="formatter"/> is null, or the formatter refuses a null
    /// <paramref name="value"/>.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written; nothing was sent.</exception>
    /// <inheritdoc cref="IMessageQueue.SendAsync" path="/exception"/>
    [OverloadResolutionPriority(1)]
    public static ValueTask SendAsync<T>(
        this IMessageQueue queue,
        T value,
        MessageFormatter<T> formatter,
        string? label = null,
        QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        return SendAsync(queue, value, formatter, body => new QueueMessage(body) { Label = label }, transaction, cancellationToken);
    }

    /// <summary>Sends a payload with the properties of a message: priority, ids, time to live, due time, headers and the others.</summary>
    /// <param name="queue">The queue; over an address of several queues the body is written once for all.</param>
    /// <param name="value">The payload. It may change as soon as this method has returned, even before the send has completed.</param>
    /// <param name="formatter">Writes the body.</param>
    /// <param name="properties">A message without a body. It is not changed.</param>
    /// <param name="transaction">As for <see cref="IMessageQueue.SendAsync"/>.</param>
    /// <param name="cancellationToken">As for <see cref="IMessageQueue.SendAsync"/>.</param>
    /// <exception cref="ArgumentException"><paramref name="properties"/> has a body; or an exception of <see
    /// cref="IMessageQueue.SendAsync"/>.</exception>
    /// <inheritdoc cref="SendAsync{T}(IMessageQueue, T, MessageFormatter{T}, string?, QueueTransaction?, CancellationToken)"/>
    public static ValueTask SendAsync<T>(
        this IMessageQueue queue,
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
        return SendAsync(queue, value, formatter, properties.WithBody, transaction, cancellationToken);
    }

    private static ValueTask SendAsync<T>(
        IMessageQueue queue,
        T value,
        MessageFormatter<T> formatter,
        Func<MessageBody, QueueMessage> create,
        QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        if (queue is null)
            throw new ArgumentNullException(nameof(queue));
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));

        var buffer = new PooledBufferWriter(formatter.GetSizeHint(value));
        ValueTask send;
        try
        {
            using (QueueTelemetry.StartFormatActivity("format", formatter.ContentType))
                formatter.Write(buffer, value);
            QueueMessage message = create(new MessageBody(buffer.WrittenMemory, formatter.BodyType, formatter.ContentType));
            send = queue.SendAsync(message, transaction, cancellationToken);
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
    /// <inheritdoc cref="SendAsync{T}(IMessageQueue, T, MessageFormatter{T}, string?, QueueTransaction?, CancellationToken)"/>
    public static ValueTask SendAsync(
        this IMessageQueue queue,
        object? value,
        IMessageFormatter formatter,
        string? label = null,
        QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        if (queue is null)
            throw new ArgumentNullException(nameof(queue));
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        var message = new QueueMessage { Label = label };
        formatter.Write(message.Body, value);
        return queue.SendAsync(message, transaction, cancellationToken);
    }

    /// <summary>Receives the next message, waiting for one if there is none, and reads the payload in its body.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The queue.</param>
    /// <param name="formatter">Reads the body. A message with another content type or body type is not read: its <see
    /// cref="ReceivedMessage{T}.Error"/> has <see cref="MessageFormatErrorCode.UnknownFormat"/>. A message with neither is read.</param>
    /// <param name="timeout">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <param name="transaction">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <param name="cancellationToken">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <returns>
    /// The message and its payload, or null after the timeout. A body that cannot be read is not an exception here, but
    /// <see cref="ReceivedMessage{T}.Error"/> (and the exception of <see cref="ReceivedMessage{T}.Value"/>), so that the message is not lost.
    /// Call <see cref="ReceivedMessage{T}.AcknowledgeAsync"/> when the payload is processed, or the message is delivered again: see
    /// <see cref="IMessageQueue.ReceiveAsync"/>.
    /// </returns>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> or <paramref name="formatter"/> is null.</exception>
    /// <inheritdoc cref="IMessageQueue.ReceiveAsync" path="/exception"/>
    [OverloadResolutionPriority(1)]
    public static ValueTask<ReceivedMessage<T>?> ReceiveAsync<T>(
        this IMessageQueue queue,
        MessageFormatter<T> formatter,
        TimeSpan timeout,
        QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        if (queue is null)
            throw new ArgumentNullException(nameof(queue));
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        return BodyReading.ReceiveAsync(queue.ReceiveAsync(timeout, transaction, cancellationToken), message => BodyReading.Read(message, formatter));
    }

    /// <summary>
    /// Receives the next message, waiting for one if there is none, and reads the payload in its body with the formatter of its format.
    /// </summary>
    /// <typeparam name="T">The type of the payload, or a base type or interface of it.</typeparam>
    /// <param name="queue">The queue.</param>
    /// <param name="registry">Reads the body. If none of its formatters does, <see cref="ReceivedMessage{T}.Error"/> has <see
    /// cref="MessageFormatErrorCode.UnknownFormat"/>.</param>
    /// <param name="timeout">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <param name="transaction">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <param name="cancellationToken">As for <see cref="IMessageQueue.ReceiveAsync"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> or <paramref name="registry"/> is null.</exception>
    /// <inheritdoc cref="ReceiveAsync{T}(IMessageQueue, MessageFormatter{T}, TimeSpan, QueueTransaction?, CancellationToken)" path="/returns"/>
    /// <inheritdoc cref="IMessageQueue.ReceiveAsync" path="/exception"/>
    public static ValueTask<ReceivedMessage<T>?> ReceiveAsync<T>(
        this IMessageQueue queue,
        FormatterRegistry registry,
        TimeSpan timeout,
        QueueTransaction? transaction = null,
        CancellationToken cancellationToken = default)
    {
        if (queue is null)
            throw new ArgumentNullException(nameof(queue));
        if (registry is null)
            throw new ArgumentNullException(nameof(registry));
        return BodyReading.ReceiveAsync(queue.ReceiveAsync(timeout, transaction, cancellationToken),
            message => BodyReading.Read<T>(message, registry));
    }

    /// <summary>Reads the payload in the body of a message.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="message">The message; it is not changed.</param>
    /// <param name="formatter">Reads the body. To read a body whatever its content type and body type say, call the formatter's own method with
    /// <c>message.Body.Bytes</c>.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit, or the message has the content type or body type of another
    /// format (<see cref="MessageFormatErrorCode.UnknownFormat"/>, not poison). The message is unchanged: acknowledge or return it.</exception>
    [OverloadResolutionPriority(1)]
    public static T Read<T>(this QueueMessage message, MessageFormatter<T> formatter)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        return BodyReading.Read(message, formatter);
    }

    /// <summary>Reads the payload in the body of a message with the formatter of its format.</summary>
    /// <typeparam name="T">The type of the payload, or a base type or interface of it.</typeparam>
    /// <param name="message">The message; it is not changed.</param>
    /// <param name="registry">Reads the body.</param>
    /// <inheritdoc cref="Read{T}(QueueMessage, MessageFormatter{T})"/>
    public static T Read<T>(this QueueMessage message, FormatterRegistry registry)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        if (registry is null)
            throw new ArgumentNullException(nameof(registry));
        return BodyReading.Read<T>(message, registry);
    }

    /// <summary>Reads the object in the body of a message with an untyped formatter.</summary>
    /// <returns>The object, or null where the format can carry a null and the body does.</returns>
    /// <inheritdoc cref="Read{T}(QueueMessage, MessageFormatter{T})"/>
    public static object? Read(this QueueMessage message, IMessageFormatter formatter)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        return BodyReading.Read(message, formatter);
    }
}
