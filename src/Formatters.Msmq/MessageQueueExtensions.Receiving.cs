using System;
using System.Threading.Tasks;

namespace Formatters.Msmq;

public static partial class MessageQueueExtensions
{
    /// <summary>Receives the next message, waiting for one if there is none, and reads the payload in its body.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The queue.</param>
    /// <param name="formatter">Reads the body; see <see cref="FormatterAdapter"/> for the bodies that it gets.</param>
    /// <param name="timeout">How long to wait; null waits indefinitely.</param>
    /// <param name="transaction">The transaction, or null for none.</param>
    /// <param name="onUnreadable">Called with a message whose body cannot be read; then the next message is received. Null: such a message stays on
    /// the queue, and the exception is thrown.</param>
    /// <returns>The message and its payload.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> or <paramref name="formatter"/> is null.</exception>
    /// <exception cref="MessageFormatException">The body cannot be read. The message is on the queue, or will be when <paramref name="transaction"/>
    /// is rolled back.</exception>
    /// <remarks>A timeout throws the queue's exception, a <c>MessageQueueException</c> with the code <c>IOTimeout</c>.</remarks>
    public static ReceivedMessage<T> Receive<T>(
        this MessageQueue queue, IMessageFormatter formatter, TimeSpan? timeout = null, MessageQueueTransaction? transaction = null,
            UnreadableMessageHandler? onUnreadable = null) =>
        new Reception<T>(queue, formatter, timeout, new Transaction(transaction), onUnreadable).Receive();

    /// <summary>Receives the next message, and removes it in a transaction of its own or in the ambient one.</summary>
    /// <inheritdoc cref="Receive{T}(MessageQueue, IMessageFormatter, TimeSpan?, MessageQueueTransaction?, UnreadableMessageHandler?)"/>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The queue.</param>
    /// <param name="formatter">Reads the body; see <see cref="FormatterAdapter"/> for the bodies that it gets.</param>
    /// <param name="timeout">How long to wait; null waits indefinitely.</param>
    /// <param name="onUnreadable">Called with a message whose body cannot be read; null: such a message stays on the queue, and the exception is
    /// thrown.</param>
    /// <param name="transactionType"><c>Single</c>: removed in a transaction of its own, which a transactional queue needs; <c>Automatic</c>: in the
    /// ambient one.</param>
    public static ReceivedMessage<T> Receive<T>(
        this MessageQueue queue, IMessageFormatter formatter, TimeSpan? timeout, MessageQueueTransactionType transactionType,
            UnreadableMessageHandler? onUnreadable = null) =>
        new Reception<T>(queue, formatter, timeout, new Transaction(transactionType), onUnreadable).Receive();

    /// <summary>Receives the next message, and returns null after the timeout.</summary>
    /// <returns>The message and its payload, or null.</returns>
    /// <inheritdoc cref="Receive{T}(MessageQueue, IMessageFormatter, TimeSpan?, MessageQueueTransaction?, UnreadableMessageHandler?)"/>
    public static ReceivedMessage<T>? TryReceive<T>(
        this MessageQueue queue, IMessageFormatter formatter, TimeSpan timeout, MessageQueueTransaction? transaction = null,
            UnreadableMessageHandler? onUnreadable = null) =>
        NullAfterTimeout(new Reception<T>(queue, formatter, timeout, new Transaction(transaction), onUnreadable).Receive);

    /// <summary>Receives the next message, and returns null after the timeout.</summary>
    /// <returns>The message and its payload, or null.</returns>
    /// <inheritdoc cref="Receive{T}(MessageQueue, IMessageFormatter, TimeSpan?, MessageQueueTransactionType, UnreadableMessageHandler?)"/>
    public static ReceivedMessage<T>? TryReceive<T>(
        this MessageQueue queue, IMessageFormatter formatter, TimeSpan timeout, MessageQueueTransactionType transactionType,
            UnreadableMessageHandler? onUnreadable = null) =>
        NullAfterTimeout(new Reception<T>(queue, formatter, timeout, new Transaction(transactionType), onUnreadable).Receive);

    /// <summary>Receives the message with a given id, and reads the payload in its body.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The queue.</param>
    /// <param name="formatter">Reads the body.</param>
    /// <param name="id">The id of the message.</param>
    /// <param name="timeout">How long to wait for it; null does not wait.</param>
    /// <param name="transaction">The transaction, or null for none.</param>
    /// <returns>The message and its payload.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/>, <paramref name="formatter"/> or <paramref name="id"/> is null.</exception>
    /// <exception cref="InvalidOperationException">There is no such message, and no timeout was given to wait for one; or another receiver took
    /// it.</exception>
    /// <exception cref="MessageFormatException">The body cannot be read. The message is on the queue, even if there is a transaction.</exception>
    public static ReceivedMessage<T> ReceiveById<T>(
        this MessageQueue queue, IMessageFormatter formatter, string id, TimeSpan? timeout = null, MessageQueueTransaction? transaction = null) =>
        new Reception<T>(queue, formatter, timeout: null, new Transaction(transaction)).ReceiveById(
            id ?? throw new ArgumentNullException(nameof(id)), timeout);

    /// <summary>Reads the payload in the body of the next message, waiting for one if there is none, and leaves the message on the queue.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The queue.</param>
    /// <param name="formatter">Reads the body.</param>
    /// <param name="timeout">How long to wait; null waits indefinitely.</param>
    /// <returns>The message and its payload.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="queue"/> or <paramref name="formatter"/> is null.</exception>
    /// <exception cref="MessageFormatException">The body cannot be read.</exception>
    /// <remarks>A timeout throws the queue's exception, a <c>MessageQueueException</c> with the code <c>IOTimeout</c>.</remarks>
    public static ReceivedMessage<T> Peek<T>(this MessageQueue queue, IMessageFormatter formatter, TimeSpan? timeout = null) =>
        new Reception<T>(queue, formatter, timeout).Peek();

    /// <summary>Reads the next message and leaves it on the queue, and returns null after the timeout.</summary>
    /// <returns>The message and its payload, or null.</returns>
    /// <inheritdoc cref="Peek{T}(MessageQueue, IMessageFormatter, TimeSpan?)"/>
    public static ReceivedMessage<T>? TryPeek<T>(this MessageQueue queue, IMessageFormatter formatter, TimeSpan timeout) =>
        NullAfterTimeout(new Reception<T>(queue, formatter, timeout).Peek);

    /// <summary>
    /// Receives like <see cref="Receive{T}(MessageQueue, IMessageFormatter, TimeSpan?, MessageQueueTransaction?, UnreadableMessageHandler?)"/>,
    /// without blocking a thread.
    /// </summary>
    /// <inheritdoc cref="Receive{T}(MessageQueue, IMessageFormatter, TimeSpan?, MessageQueueTransaction?, UnreadableMessageHandler?)"/>
    /// <remarks>
    /// System.Messaging cannot receive asynchronously in a transaction, nor end a wait early: this method waits until a message can be peeked at, and
    /// then receives it.
    /// </remarks>
    public static Task<ReceivedMessage<T>> ReceiveAsync<T>(
        this MessageQueue queue, IMessageFormatter formatter, TimeSpan? timeout = null, MessageQueueTransaction? transaction = null,
            UnreadableMessageHandler? onUnreadable = null) =>
        new Reception<T>(queue, formatter, timeout, new Transaction(transaction), onUnreadable).ReceiveAsync();

    /// <summary>Receives the next message without blocking a thread, and returns null after the timeout.</summary>
    /// <returns>The message and its payload, or null.</returns>
    /// <inheritdoc cref="ReceiveAsync{T}(MessageQueue, IMessageFormatter, TimeSpan?, MessageQueueTransaction?, UnreadableMessageHandler?)"/>
    public static Task<ReceivedMessage<T>?> TryReceiveAsync<T>(
        this MessageQueue queue, IMessageFormatter formatter, TimeSpan timeout, MessageQueueTransaction? transaction = null,
            UnreadableMessageHandler? onUnreadable = null) =>
        NullAfterTimeoutAsync(new Reception<T>(queue, formatter, timeout, new Transaction(transaction), onUnreadable).ReceiveAsync());

    /// <summary>Reads the next message like <see cref="Peek{T}"/>, without blocking a thread.</summary>
    /// <inheritdoc cref="Peek{T}"/>
    public static Task<ReceivedMessage<T>> PeekAsync<T>(this MessageQueue queue, IMessageFormatter formatter, TimeSpan? timeout = null) =>
        new Reception<T>(queue, formatter, timeout).PeekAsync();

    /// <summary>Reads the next message and leaves it on the queue, without blocking a thread, and returns null after the timeout.</summary>
    /// <returns>The message and its payload, or null.</returns>
    /// <inheritdoc cref="PeekAsync{T}"/>
    public static Task<ReceivedMessage<T>?> TryPeekAsync<T>(this MessageQueue queue, IMessageFormatter formatter, TimeSpan timeout) =>
        NullAfterTimeoutAsync(new Reception<T>(queue, formatter, timeout).PeekAsync());

    private static ReceivedMessage<T>? NullAfterTimeout<T>(Func<ReceivedMessage<T>> receive)
    {
        try
        {
            return receive();
        }
        catch (MessageQueueException e) when (Transaction.IsTimeout(e))
        {
            return null;
        }
    }

    private static async Task<ReceivedMessage<T>?> NullAfterTimeoutAsync<T>(Task<ReceivedMessage<T>> receive)
    {
        try
        {
            return await receive.ConfigureAwait(false);
        }
        catch (MessageQueueException e) when (Transaction.IsTimeout(e))
        {
            return null;
        }
    }
}
