using System;
using System.Buffers;
using System.Globalization;
using Formatters.Buffers;

namespace Formatters.Msmq;

/// <summary>
/// Extensions that send and receive payloads over System.Messaging's queues with a formatter; the <c>Formatter</c> of a <c>MessageQueue</c> is not
/// used.
/// </summary>
/// <remarks>
/// <para>No message is lost because of an invalid body. A receive in a transaction takes the message; if its body cannot be read, the exception is
/// thrown, and the message is back on the queue when the transaction is rolled back. Any other receive peeks at the message first, and removes it
/// when its body has been read: two calls, which transfer the body twice. With an <see cref="UnreadableMessageHandler"/> a message that cannot be
/// read is passed to the handler and removed, and the next one is received.</para>
/// <para>As in System.Messaging, a <c>MessageQueue</c> is for one thread at a time; several threads or processes may receive from the same queue,
/// each with its own object.</para>
/// </remarks>
/// <example><code>
/// var formatter = new HandCodedFormatter&lt;Order&gt;();
/// queue.Send(order, formatter, "an order");
/// Order same = queue.Receive&lt;Order&gt;(formatter, TimeSpan.FromSeconds(5), onUnreadable: errorQueue.SendUnreadable).Value;
/// </code></example>
public static partial class MessageQueueExtensions
{
    private const int MaxLabelCharCount = 249;

    /// <summary>Sends a payload: its body is written into a rented buffer and sent with the formatter's body type and the queue's
    /// <c>DefaultPropertiesToSend</c>.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The queue.</param>
    /// <param name="value">The payload.</param>
    /// <param name="formatter">Writes the body.</param>
    /// <param name="label">A short description for display, at most 249 characters; null: that of <c>DefaultPropertiesToSend</c>.</param>
    /// <param name="transaction">The transaction, or null for none.</param>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> or <paramref name="formatter"/> is null, or <paramref name="value"/> is null
    /// and the format has no null.</exception>
    /// <exception cref="ArgumentException"><paramref name="value"/> is of a type that the formatter does not write.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written; nothing was sent.</exception>
    public static void Send<T>(this MessageQueue queue, T value, IMessageFormatter formatter, string? label = null,
        MessageQueueTransaction? transaction = null) =>
        Send(queue, value, formatter, label, new Transaction(transaction));

    /// <summary>Sends a payload in a transaction of its own or in the ambient one.</summary>
    /// <inheritdoc cref="Send{T}(MessageQueue, T, IMessageFormatter, string?, MessageQueueTransaction?)"/>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The queue.</param>
    /// <param name="value">The payload.</param>
    /// <param name="formatter">Writes the body.</param>
    /// <param name="label">A short description for display, at most 249 characters; null: that of <c>DefaultPropertiesToSend</c>.</param>
    /// <param name="transactionType"><c>Single</c>: in a transaction of its own, which a transactional queue needs; <c>Automatic</c>: in the ambient
    /// one.</param>
    public static void Send<T>(this MessageQueue queue, T value, IMessageFormatter formatter, string? label,
        MessageQueueTransactionType transactionType) =>
        Send(queue, value, formatter, label, new Transaction(transactionType));

    /// <summary>
    /// Sends a message that cannot be read to a queue for such messages: body and properties are kept, and the reason is prepended to its label. Use
    /// it as an <see cref="UnreadableMessageHandler"/>: <c>onUnreadable: errorQueue.SendUnreadable</c>.
    /// </summary>
    /// <param name="errorQueue">The queue for messages that cannot be read.</param>
    /// <param name="message">
    /// The message. Its label becomes <c>[code, byte offset] label</c>. Only properties that were received can be sent on:
    /// <c>MessageReadPropertyFilter.SetAll()</c> on the receiving queue includes <c>Extension</c> and <c>AppSpecific</c>.
    /// </param>
    /// <param name="error">Why it cannot be read.</param>
    /// <param name="transaction">The transaction, or null for none.</param>
    /// <exception cref="ArgumentNullException"><paramref name="errorQueue"/>, <paramref name="message"/> or <paramref name="error"/> is
    /// null.</exception>
    public static void SendUnreadable(this MessageQueue errorQueue, Message message, MessageFormatException error,
        MessageQueueTransaction? transaction = null)
    {
        if (errorQueue is null)
            throw new ArgumentNullException(nameof(errorQueue));
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        if (error is null)
            throw new ArgumentNullException(nameof(error));
        string place = error.ByteOffset < 0 ? "" : string.Format(CultureInfo.InvariantCulture, ", byte {0}", error.ByteOffset);
        string label = $"[{error.Code}{place}] {message.Label}";
        message.Label = label.Length <= MaxLabelCharCount ? label : label.Substring(0, MaxLabelCharCount);
        new Transaction(transaction).Send(errorQueue, message);
    }

    private static void Send<T>(MessageQueue queue, T value, IMessageFormatter formatter, string? label, Transaction transaction)
    {
        if (queue is null)
            throw new ArgumentNullException(nameof(queue));
        if (formatter is null)
            throw new ArgumentNullException(nameof(formatter));
        using var message = new Message();
        if (formatter is MessageFormatter<T> typed)
        {
            using var buffer = new PooledBufferWriter(typed.GetSizeHint(value));
            typed.Write(buffer, value);
            MessageBodies.Put(message, new ReadOnlySequence<byte>(buffer.WrittenMemory), typed.BodyType);
            Send(queue, message, label, transaction);
        }
        else
        {
            message.Write<object?>(value, formatter);
            Send(queue, message, label, transaction);
        }
    }

    private static void Send(MessageQueue queue, Message message, string? label, Transaction transaction)
    {
        QueueDefaults.Apply(queue, message);
        if (label is not null)
            message.Label = label;
        transaction.Send(queue, message);
    }
}
