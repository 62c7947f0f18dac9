using System.Collections;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace System.Messaging;

// Receiving and peeking.
public partial class MessageQueue
{
    private const string UseEnumerator2 = "Use GetMessageEnumerator2, which this method calls: on .NET Framework, its RemoveCurrent skips a message.";

    /// <summary>Receives the next message, waiting for it.</summary>
    /// <returns>The message.</returns>
    /// <exception cref="MessageQueueException">No message has arrived in time (<see cref="MessageQueueErrorCode.IOTimeout"/>), the queue does not
    /// exist or cannot be reached, it was closed, or a transactional operation was requested of another queue.</exception>
    /// <exception cref="ArgumentException">The timeout is negative or too long.</exception>
    /// <exception cref="InvalidOperationException">There is no path, or the transaction has not begun.</exception>
    public Message Receive() =>
        ReceiveCore(ReceiveBy.Position, null, InfiniteTimeout, null, MessageQueueTransactionType.None);

    /// <summary>Receives the next message, waiting for it.</summary>
    /// <param name="transaction">The transaction, which has begun.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Receive(MessageQueueTransaction transaction) =>
        ReceiveCore(ReceiveBy.Position, null, InfiniteTimeout, Require(transaction), MessageQueueTransactionType.None);

    /// <summary>Receives the next message, waiting for it.</summary>
    /// <param name="transactionType">The transaction.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Receive(MessageQueueTransactionType transactionType) =>
        ReceiveCore(ReceiveBy.Position, null, InfiniteTimeout, null, transactionType);

    /// <summary>Receives the next message, waiting for it.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Receive(TimeSpan timeout) =>
        ReceiveCore(ReceiveBy.Position, null, timeout, null, MessageQueueTransactionType.None);

    /// <summary>Receives the next message, waiting for it.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="transaction">The transaction, which has begun.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Receive(TimeSpan timeout, MessageQueueTransaction transaction) =>
        ReceiveCore(ReceiveBy.Position, null, timeout, Require(transaction), MessageQueueTransactionType.None);

    /// <summary>Receives the next message, waiting for it.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="transactionType">The transaction.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Receive(TimeSpan timeout, MessageQueueTransactionType transactionType) =>
        ReceiveCore(ReceiveBy.Position, null, timeout, null, transactionType);

    /// <summary>Receives the message at a cursor, which then is at the next one.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="cursor">The cursor.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Receive(TimeSpan timeout, Cursor cursor) =>
        ReceiveCore(cursor, timeout, null, MessageQueueTransactionType.None);

    /// <summary>Receives the message at a cursor, which then is at the next one.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="cursor">The cursor.</param>
    /// <param name="transaction">The transaction, which has begun.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Receive(TimeSpan timeout, Cursor cursor, MessageQueueTransaction transaction) =>
        ReceiveCore(cursor, timeout, Require(transaction), MessageQueueTransactionType.None);

    /// <summary>Receives the message at a cursor, which then is at the next one.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="cursor">The cursor.</param>
    /// <param name="transactionType">The transaction.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Receive(TimeSpan timeout, Cursor cursor, MessageQueueTransactionType transactionType) =>
        ReceiveCore(cursor, timeout, null, transactionType);

    /// <summary>Receives the message with a given id; without one, an <see cref="InvalidOperationException"/> is thrown.</summary>
    /// <param name="id">The <see cref="Message.Id"/>.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveById(string id) =>
        ReceiveCore(ReceiveBy.Id, id, null, null, MessageQueueTransactionType.None);

    /// <summary>Receives the message with a given id; without one, an <see cref="InvalidOperationException"/> is thrown.</summary>
    /// <param name="id">The <see cref="Message.Id"/>.</param>
    /// <param name="transaction">The transaction, which has begun.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveById(string id, MessageQueueTransaction transaction) =>
        ReceiveCore(ReceiveBy.Id, id, null, Require(transaction), MessageQueueTransactionType.None);

    /// <summary>Receives the message with a given id; without one, an <see cref="InvalidOperationException"/> is thrown.</summary>
    /// <param name="id">The <see cref="Message.Id"/>.</param>
    /// <param name="transactionType">The transaction.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveById(string id, MessageQueueTransactionType transactionType) =>
        ReceiveCore(ReceiveBy.Id, id, null, null, transactionType);

    /// <summary>Receives the message with a given id, waiting for it.</summary>
    /// <param name="id">The <see cref="Message.Id"/>.</param>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveById(string id, TimeSpan timeout) =>
        ReceiveCore(ReceiveBy.Id, id, timeout, null, MessageQueueTransactionType.None);

    /// <summary>Receives the message with a given id, waiting for it.</summary>
    /// <param name="id">The <see cref="Message.Id"/>.</param>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="transaction">The transaction, which has begun.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveById(string id, TimeSpan timeout, MessageQueueTransaction transaction) =>
        ReceiveCore(ReceiveBy.Id, id, timeout, Require(transaction), MessageQueueTransactionType.None);

    /// <summary>Receives the message with a given id, waiting for it.</summary>
    /// <param name="id">The <see cref="Message.Id"/>.</param>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="transactionType">The transaction.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveById(string id, TimeSpan timeout, MessageQueueTransactionType transactionType) =>
        ReceiveCore(ReceiveBy.Id, id, timeout, null, transactionType);

    /// <summary>Receives the message with a given correlation id; without one, an <see cref="InvalidOperationException"/> is thrown.</summary>
    /// <param name="correlationId">The <see cref="Message.CorrelationId"/>.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveByCorrelationId(string correlationId) =>
        ReceiveCore(ReceiveBy.CorrelationId, correlationId, null, null, MessageQueueTransactionType.None);

    /// <summary>Receives the message with a given correlation id; without one, an <see cref="InvalidOperationException"/> is thrown.</summary>
    /// <param name="correlationId">The <see cref="Message.CorrelationId"/>.</param>
    /// <param name="transaction">The transaction, which has begun.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveByCorrelationId(string correlationId, MessageQueueTransaction transaction) =>
        ReceiveCore(ReceiveBy.CorrelationId, correlationId, null, Require(transaction), MessageQueueTransactionType.None);

    /// <summary>Receives the message with a given correlation id; without one, an <see cref="InvalidOperationException"/> is thrown.</summary>
    /// <param name="correlationId">The <see cref="Message.CorrelationId"/>.</param>
    /// <param name="transactionType">The transaction.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveByCorrelationId(string correlationId, MessageQueueTransactionType transactionType) =>
        ReceiveCore(ReceiveBy.CorrelationId, correlationId, null, null, transactionType);

    /// <summary>Receives the message with a given correlation id, waiting for it.</summary>
    /// <param name="correlationId">The <see cref="Message.CorrelationId"/>.</param>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveByCorrelationId(string correlationId, TimeSpan timeout) =>
        ReceiveCore(ReceiveBy.CorrelationId, correlationId, timeout, null, MessageQueueTransactionType.None);

    /// <summary>Receives the message with a given correlation id, waiting for it.</summary>
    /// <param name="correlationId">The <see cref="Message.CorrelationId"/>.</param>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="transaction">The transaction, which has begun.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveByCorrelationId(string correlationId, TimeSpan timeout, MessageQueueTransaction transaction) =>
        ReceiveCore(ReceiveBy.CorrelationId, correlationId, timeout, Require(transaction), MessageQueueTransactionType.None);

    /// <summary>Receives the message with a given correlation id, waiting for it.</summary>
    /// <param name="correlationId">The <see cref="Message.CorrelationId"/>.</param>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="transactionType">The transaction.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message ReceiveByCorrelationId(string correlationId, TimeSpan timeout, MessageQueueTransactionType transactionType) =>
        ReceiveCore(ReceiveBy.CorrelationId, correlationId, timeout, null, transactionType);

    /// <summary>Returns the next message without removing it, waiting for it.</summary>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Peek() =>
        PeekCore(ReceiveBy.Position, null, InfiniteTimeout);

    /// <summary>Returns the next message without removing it, waiting for it.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Peek(TimeSpan timeout) =>
        PeekCore(ReceiveBy.Position, null, timeout);

    /// <summary>Returns the message with a given id without removing it; without one, an <see cref="InvalidOperationException"/> is
    /// thrown.</summary>
    /// <param name="id">The <see cref="Message.Id"/>.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message PeekById(string id) =>
        PeekCore(ReceiveBy.Id, id, null);

    /// <summary>Returns the message with a given id without removing it, waiting for it.</summary>
    /// <param name="id">The <see cref="Message.Id"/>.</param>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message PeekById(string id, TimeSpan timeout) =>
        PeekCore(ReceiveBy.Id, id, timeout);

    /// <summary>Returns the message with a given correlation id without removing it; without one, an <see cref="InvalidOperationException"/> is
    /// thrown.</summary>
    /// <param name="correlationId">The <see cref="Message.CorrelationId"/>.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message PeekByCorrelationId(string correlationId) =>
        PeekCore(ReceiveBy.CorrelationId, correlationId, null);

    /// <summary>Returns the message with a given correlation id without removing it, waiting for it.</summary>
    /// <param name="correlationId">The <see cref="Message.CorrelationId"/>.</param>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message PeekByCorrelationId(string correlationId, TimeSpan timeout) =>
        PeekCore(ReceiveBy.CorrelationId, correlationId, timeout);

    /// <summary>Returns the message at a cursor, or the next one, without removing it.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="cursor">The cursor.</param>
    /// <param name="action">Which message. The first is <see cref="PeekAction.Current"/>.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Message Peek(TimeSpan timeout, Cursor cursor, PeekAction action)
    {
        CheckCursor(timeout, cursor, action);
        return Run(cancellationToken => PeekAsync(timeout, cursor, action, cancellationToken));
    }

    /// <summary>Returns the message with a lookup id without removing it.</summary>
    /// <param name="lookupId">The <see cref="Message.LookupId"/>.</param>
    /// <returns>The message.</returns>
    /// <exception cref="InvalidOperationException">There is no such message.</exception>
    /// <exception cref="MessageQueueException">The queue does not exist or cannot be reached.</exception>
    public Message PeekByLookupId(long lookupId) => PeekByLookupId(MessageLookupAction.Current, lookupId);

    /// <summary>Returns a message by a lookup id without removing it.</summary>
    /// <param name="action">Which message.</param>
    /// <param name="lookupId">The <see cref="Message.LookupId"/>. It does not matter for the first and last message.</param>
    /// <inheritdoc cref="PeekByLookupId(long)"/>
    public Message PeekByLookupId(MessageLookupAction action, long lookupId)
    {
        Checks.Defined(action, nameof(action));
        QueueTarget target = Reading();
        return Run(async cancellationToken =>
            ToMessage(
                await LookupAsync(target, action, lookupId, cancellationToken).ConfigureAwait(false) ?? throw NoSuch("lookup id", lookupId), target));
    }

    /// <summary>Receives the message with a lookup id.</summary>
    /// <param name="lookupId">The <see cref="Message.LookupId"/>.</param>
    /// <inheritdoc cref="PeekByLookupId(long)"/>
    public Message ReceiveByLookupId(long lookupId) =>
        ReceiveByLookupId(MessageLookupAction.Current, lookupId, null, MessageQueueTransactionType.None);

    /// <summary>Receives a message by a lookup id in a transaction.</summary>
    /// <param name="action">Which message.</param>
    /// <param name="lookupId">The <see cref="Message.LookupId"/>. It does not matter for the first and last message.</param>
    /// <param name="transaction">The transaction, which has begun.</param>
    /// <inheritdoc cref="PeekByLookupId(long)"/>
    public Message ReceiveByLookupId(MessageLookupAction action, long lookupId, MessageQueueTransaction transaction) =>
        ReceiveByLookupId(action, lookupId, Require(transaction), MessageQueueTransactionType.None);

    /// <summary>Receives a message by a lookup id.</summary>
    /// <param name="action">Which message.</param>
    /// <param name="lookupId">The <see cref="Message.LookupId"/>. It does not matter for the first and last message.</param>
    /// <param name="transactionType">The transaction.</param>
    /// <inheritdoc cref="PeekByLookupId(long)"/>
    public Message ReceiveByLookupId(MessageLookupAction action, long lookupId, MessageQueueTransactionType transactionType) =>
        ReceiveByLookupId(action, lookupId, null, transactionType);

    /// <summary>Creates a cursor before the first message.</summary>
    /// <returns>The cursor.</returns>
    public Cursor CreateCursor() => new();

    /// <summary>Returns all messages of the queue without removing them.</summary>
    /// <returns>The messages, in the order in which they would be received.</returns>
    /// <exception cref="MessageQueueException">The queue does not exist or cannot be reached.</exception>
    public Message[] GetAllMessages()
    {
        QueueTarget target = Reading();
        return Run(async cancellationToken =>
        {
            QueueProperties properties = QueueOperations.PropertiesOf(target);
            await QueueOperations.MoveExpiredAsync(QueueSystem.Current, target, properties, cancellationToken).ConfigureAwait(false);
            var messages = new List<Message>();
            await foreach (PeekedMessage message in QueueOperations.BrowseAsync(target, null, cancellationToken).ConfigureAwait(false))
                messages.Add(ToMessage(message, target));
            return messages.ToArray();
        });
    }

    /// <summary>Enumerates the messages of the queue.</summary>
    /// <returns>The enumerator; close it.</returns>
    [Obsolete(UseEnumerator2)]
    public IEnumerator GetEnumerator() => GetMessageEnumerator2();

    /// <summary>Enumerates the messages of the queue. Here the enumerator is the one of <see cref="GetMessageEnumerator2"/>.</summary>
    /// <returns>The enumerator; close it.</returns>
    [Obsolete(UseEnumerator2)]
    public MessageEnumerator GetMessageEnumerator() => GetMessageEnumerator2();

    /// <summary>Enumerates the messages of the queue, including those that arrive later.</summary>
    /// <returns>The enumerator; close it.</returns>
    public MessageEnumerator GetMessageEnumerator2() => new(this);

    /// <summary>Deletes all messages of the queue.</summary>
    /// <exception cref="MessageQueueException">The queue does not exist or cannot be reached.</exception>
    public void Purge()
    {
        QueueTarget target = Reading();
        Run(async cancellationToken =>
        {
            QueueProperties properties = QueueOperations.PropertiesOf(target);
            QueuePlace place = target.Place;
            QueueClient queue = await place.OpenAsync(
                target, QueueOperations.OptionsOf(properties, target), cancellationToken).ConfigureAwait(false);
            return await queue.PurgeAsync(cancellationToken).ConfigureAwait(false);
        });
    }

    /// <summary>Receives the next message. Not in .NET Framework.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="transaction">The transaction, which has begun; or null.</param>
    /// <param name="cancellationToken">Cancels the wait; no message is lost then.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Task<Message> ReceiveAsync(TimeSpan timeout, MessageQueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        Checks.Timeout(timeout);
        QueueTarget target = Receiving();
        return RunAsync(token => ReceiveAsync(target, ReceiveBy.Position, null, timeout, transaction, isSingle: false, token), cancellationToken);
    }

    /// <summary>Returns the next message without removing it. Not in .NET Framework.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <inheritdoc cref="Receive()" path="/returns"/>
    /// <inheritdoc cref="Receive()" path="/exception"/>
    public Task<Message> PeekAsync(TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        Checks.Timeout(timeout);
        QueueTarget target = Reading();
        return RunAsync(token => PeekAsync(target, ReceiveBy.Position, null, timeout, token), cancellationToken);
    }

    private Message ReceiveCore(ReceiveBy by, string? id, TimeSpan? timeout, MessageQueueTransaction? transaction, MessageQueueTransactionType type)
    {
        Checks.Timeout(timeout ?? TimeSpan.Zero);
        Checks.Defined(type, "transactionType");
        if (by != ReceiveBy.Position)
            ArgumentNullException.ThrowIfNull(id);
        QueueTarget target = Receiving();
        transaction ??= type == MessageQueueTransactionType.Automatic ? AmbientTransactions.Current() : null;
        return Run(cancellationToken => ReceiveAsync(
            target, by, id, timeout, transaction, type == MessageQueueTransactionType.Single, cancellationToken));
    }

    private async Task<Message> ReceiveAsync(QueueTarget target, ReceiveBy by, string? id, TimeSpan? timeout, MessageQueueTransaction? transaction,
        bool isSingle, CancellationToken cancellationToken)
    {
        QueueSystem system = QueueSystem.Current;
        TimeSpan wait = timeout ?? TimeSpan.Zero;
        QueueMessage? message;
        if (isSingle)
        {
            using var own = new MessageQueueTransaction();
            own.Begin();
            message = await QueueOperations.ReceiveAsync(system, target, by, id, wait, own, cancellationToken).ConfigureAwait(false);
            await own.CommitAsync().ConfigureAwait(false);
        }
        else
        {
            message = transaction is not null
                ? await QueueOperations.ReceiveAsync(system, target, by, id, wait, transaction, cancellationToken).ConfigureAwait(false)
                : await QueueOperations.ReceiveAsync(system, target, by, id, wait, cancellationToken).ConfigureAwait(false);
        }

        return message is not null ? ToMessage(message, target) : throw (timeout is null ? NoSuch(by, id) : Errors.Timeout());
    }

    private Message ReceiveCore(Cursor cursor, TimeSpan timeout, MessageQueueTransaction? transaction, MessageQueueTransactionType type)
    {
        Checks.Defined(type, "transactionType");
        CheckCursor(timeout, cursor, PeekAction.Current);
        QueueTarget target = Receiving();
        transaction ??= type == MessageQueueTransactionType.Automatic ? AmbientTransactions.Current() : null;
        return Run(async cancellationToken =>
        {
            QueueMessage current = await FindAsync(target, timeout, cursor, PeekAction.Current, cancellationToken).ConfigureAwait(false);
            string position = cursor.Current!;
            try
            {
                Message message = await ReceiveAsync(
                    target, ReceiveBy.Id, current.MessageId, TimeSpan.Zero, transaction, type == MessageQueueTransactionType.Single,
                    cancellationToken).ConfigureAwait(false);
                (cursor.Before, cursor.Current) = (position, null);
                return message;
            }
            catch (MessageQueueException e) when (e.MessageQueueErrorCode == MessageQueueErrorCode.IOTimeout)
            {
                throw AlreadyReceived();
            }
        });
    }

    private Message PeekCore(ReceiveBy by, string? id, TimeSpan? timeout)
    {
        Checks.Timeout(timeout ?? TimeSpan.Zero);
        if (by != ReceiveBy.Position)
            ArgumentNullException.ThrowIfNull(id);
        QueueTarget target = Reading();
        return Run(cancellationToken => PeekAsync(target, by, id, timeout, cancellationToken));
    }

    private async Task<Message> PeekAsync(QueueTarget target, ReceiveBy by, string? id, TimeSpan? timeout, CancellationToken cancellationToken)
    {
        QueueMessage? message = await QueueOperations.PeekAsync(
            QueueSystem.Current, target, by, id, timeout ?? TimeSpan.Zero, cancellationToken).ConfigureAwait(false);
        return message is not null ? ToMessage(message, target) : throw (timeout is null ? NoSuch(by, id) : Errors.Timeout());
    }

    private async Task<Message> PeekAsync(TimeSpan timeout, Cursor cursor, PeekAction action, CancellationToken cancellationToken)
    {
        QueueTarget target = Reading();
        return ToMessage(await FindAsync(target, timeout, cursor, action, cancellationToken).ConfigureAwait(false), target);
    }

    /// <summary>Finds the message at a cursor, or the next one, and moves the cursor there.</summary>
    private static async Task<QueueMessage> FindAsync(QueueTarget target, TimeSpan timeout, Cursor cursor, PeekAction action,
        CancellationToken cancellationToken)
    {
        if (action == PeekAction.Current && cursor.Current is { } position)
        {
            return await QueueOperations.PeekAsync(
                QueueSystem.Current, target, cursor.Before, message => message.Position == position, TimeSpan.Zero, cancellationToken)
                .ConfigureAwait(false) ?? throw AlreadyReceived();
        }

        string? after = action == PeekAction.Next ? cursor.Current : cursor.Before;
        var next = (PeekedMessage?)await QueueOperations.PeekAsync(
            QueueSystem.Current, target, after, static _ => true, timeout, cancellationToken).ConfigureAwait(false);
        if (next is null)
        {
            // The next call finds what comes after the last message.
            if (action == PeekAction.Next)
                (cursor.Before, cursor.Current) = (cursor.Current, null);
            throw Errors.Timeout();
        }

        (cursor.Before, cursor.Current) = (after, next.Position);
        return next;
    }

    private void CheckCursor(TimeSpan timeout, Cursor cursor, PeekAction action)
    {
        Checks.Timeout(timeout);
        ArgumentNullException.ThrowIfNull(cursor);
        Checks.Defined(action, nameof(action));
        if (cursor.IsClosed)
            throw new MessageQueueException(MessageQueueErrorCode.InvalidHandle, "The cursor is closed.");
        if (action == PeekAction.Next && cursor.Current is null)
        {
            throw new MessageQueueException(
                MessageQueueErrorCode.IllegalCursorAction,
                $"The cursor is at no message: the first peek is {nameof(PeekAction)}.{nameof(PeekAction.Current)}.");
        }
    }

    private Message ReceiveByLookupId(MessageLookupAction action, long lookupId, MessageQueueTransaction? transaction,
        MessageQueueTransactionType type)
    {
        Checks.Defined(action, nameof(action));
        Checks.Defined(type, "transactionType");
        QueueTarget target = Receiving();
        transaction ??= type == MessageQueueTransactionType.Automatic ? AmbientTransactions.Current() : null;
        return Run(async cancellationToken =>
        {
            while (true)
            {
                QueueMessage found = await LookupAsync(target, action, lookupId, cancellationToken).ConfigureAwait(false)
                    ?? throw NoSuch("lookup id", lookupId);
                try
                {
                    return await ReceiveAsync(
                        target, ReceiveBy.Id, found.MessageId, TimeSpan.Zero, transaction, type == MessageQueueTransactionType.Single,
                        cancellationToken).ConfigureAwait(false);
                }
                catch (MessageQueueException e) when (e.MessageQueueErrorCode == MessageQueueErrorCode.IOTimeout)
                {
                    // Another receiver was faster.
                }
            }
        });
    }

    private static async Task<QueueMessage?> LookupAsync(QueueTarget target, MessageLookupAction action, long lookupId,
        CancellationToken cancellationToken)
    {
        QueueProperties properties = QueueOperations.PropertiesOf(target);
        await QueueOperations.MoveExpiredAsync(QueueSystem.Current, target, properties, cancellationToken).ConfigureAwait(false);
        QueueMessage? previous = null;
        bool isPassed = false;
        await foreach (PeekedMessage message in QueueOperations.BrowseAsync(target, null, cancellationToken).ConfigureAwait(false))
        {
            bool isIt = MessageConversion.LookupIdOf(message) == lookupId;
            switch (action)
            {
                case MessageLookupAction.First:
                case MessageLookupAction.Current when isIt:
                case MessageLookupAction.Next when isPassed:
                    return message;
                case MessageLookupAction.Previous when isIt:
                    return previous;
            }

            isPassed |= isIt;
            previous = message;
        }

        return action == MessageLookupAction.Last ? previous : null;
    }

    private Message ToMessage(QueueMessage message, QueueTarget target) => MessageConversion.ToMessage(
        message, target, MessageReadPropertyFilter.Properties, (IMessageFormatter?)Formatter?.Clone());

    private QueueTarget Receiving()
    {
        if ((AccessMode & QueueAccessMode.Receive) == 0)
            throw NoAccess("receiving");
        QueueTarget target = Resolve(QueueSystem.Current);
        SharedReceivers.Claim(this, target);
        return target;
    }

    private QueueTarget Reading() => CanRead ? Resolve(QueueSystem.Current) : throw NoAccess("peeking");

    private static MessageQueueTransaction Require(MessageQueueTransaction transaction) =>
        transaction ?? throw new ArgumentNullException(nameof(transaction));

    private static InvalidOperationException NoSuch(ReceiveBy by, string? id) =>
        NoSuch(by == ReceiveBy.Id ? "id" : "correlation id", id);

    private static InvalidOperationException NoSuch(string what, object? value) => new($"The queue has no message with the {what} '{value}'.");

    private static MessageQueueException AlreadyReceived() => new(
        MessageQueueErrorCode.MessageAlreadyReceived, "The message at the cursor was received by another receiver.");
}
