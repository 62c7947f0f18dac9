using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace System.Messaging;

/// <summary>Defines how a message to be received is chosen.</summary>
internal enum ReceiveBy
{
    /// <summary>The next message.</summary>
    Position = 0,
    Id = 1,
    CorrelationId = 2,
}

/// <summary>The operations on the queues of a location.</summary>
internal static class QueueOperations
{
    internal const int MaxMessageByteCount = 4 << 20;

    private const int BatchSize = 100;

    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(25);

    /// <summary>Returns the properties of a queue.</summary>
    /// <returns>Those of a queue that accepts everything, if they are not known here. Opening the queue checks that it exists.</returns>
    internal static QueueProperties PropertiesOf(QueueTarget target)
    {
        if (target.Place.Store.FindRecent(target.PropertiesName) is { } properties)
            return target.Name == target.PropertiesName ? properties : Journal(properties);
        return target.Path.IsSystem
            ? Unknown with { Transactional = target.Name == QueuePath.TransactionalDeadLetterName ? null : false }
            : Unknown;
    }

    /// <summary>Returns the stored properties of a queue, or those of <see cref="PropertiesOf"/> if it exists without.</summary>
    /// <exception cref="MessageQueueException">The queue does not exist.</exception>
    internal static async Task<QueueProperties> RequireAsync(QueueTarget target, CancellationToken cancellationToken) =>
        target.Place.Store.Find(target.PropertiesName)
        ?? (!target.MustExist || await ExistsAsync(target, cancellationToken).ConfigureAwait(false)
            ? PropertiesOf(target)
            : throw Errors.NotFound(target));

    private static QueueProperties Unknown { get; } = new() { Transactional = null };

    /// <summary>The journal of a transactional queue is received from with and without transactions.</summary>
    private static QueueProperties Journal(QueueProperties properties) => properties with { Transactional = null, UseJournalQueue = false };

    /// <summary>Determines whether a queue exists, created by any program. If the location does not tell, those created here exist.</summary>
    internal static async Task<bool> ExistsAsync(QueueTarget target, CancellationToken cancellationToken)
    {
        QueuePlace place = target.Place;
        return await place.ExistsAsync(target.PropertiesName, cancellationToken).ConfigureAwait(false)
            ?? target.Place.Store.Find(target.PropertiesName) is not null;
    }

    /// <summary>Determines whether an operation has failed because its queue was deleted.</summary>
    private static async Task<bool> IsGoneAsync(QueueTarget target, Exception exception, CancellationToken cancellationToken)
    {
        if (!target.MustExist || exception is QueueException { IsUnreachable: true })
            return false;
        QueuePlace place = target.Place;
        return await place.ExistsAsync(target.PropertiesName, cancellationToken).ConfigureAwait(false) == false;
    }

    /// <summary>Lists the names of the queues of a location; null if it does not list them.</summary>
    internal static async Task<IReadOnlyList<string>?> ListAsync(QueuePlace place, CancellationToken cancellationToken)
    {
        try
        {
            await place.OpenFolderAsync(cancellationToken).ConfigureAwait(false);
            IReadOnlyList<QueueStatus> all = await place.Connector.ListAsync(place.BaseAddress, cancellationToken).ConfigureAwait(false);
            string prefix = place.NameInOptions("");
            return [.. all.Select(static status => status.Name).Where(name => name.StartsWith(prefix, StringComparison.Ordinal))
                .Select(place.NameOf)];
        }
        catch (NotSupportedException)
        {
            return null;
        }
    }

    /// <summary>Sends a message without a transaction; keeps it for later if its queue cannot be reached.</summary>
    internal static async Task SendAsync(QueueSystem system, QueueTarget target, Message message, string id, CancellationToken cancellationToken)
    {
        QueueMessage? copy = null;
        try
        {
            QueueProperties properties = PropertiesOf(target);
            if (properties.Transactional == true)
                throw Errors.TransactionUsage(target, isTransactional: true);
            NoteDeadLetters(target, message, properties);
            QueueClient queue = await target.Place.OpenAsync(target, OptionsOf(properties, target), cancellationToken).ConfigureAwait(false);
            copy = MessageConversion.ToQueueMessage(message, target, id, queue.Capabilities, default, system);
            Journal(copy, message, target, queue.Capabilities, system);
            await SendAsync(target, target.Place, queue, copy, null, cancellationToken).ConfigureAwait(false);
            await AnswerArrivalAsync(system, target, copy).ConfigureAwait(false);
        }
        catch (QueueException e) when (Errors.IsFull(e))
        {
            await AnswerAsync(system, copy!, Acknowledgment.QueueExceedMaximumSize).ConfigureAwait(false);
            throw;
        }
        catch (QueueException e)
        {
            if (await IsGoneAsync(target, e, cancellationToken).ConfigureAwait(false))
                throw Errors.NotFound(target);
            if (!system.Configuration.UseOutgoingQueue || ReferenceEquals(target.Place, system.LocalFolder))
                throw;
            await system.Outgoing.KeepAsync(target, message, id, e, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Sends a message through an open handle, and closes the handle after an error.</summary>
    internal static async ValueTask SendAsync(QueueTarget target, QueuePlace place, QueueClient queue, QueueMessage message,
        QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        try
        {
            await queue.SendAsync(message, transaction, cancellationToken).ConfigureAwait(false);
        }
        catch (QueueException e) when (transaction is null && !Errors.IsFull(e))
        {
            await place.CloseAsync(target.Name).ConfigureAwait(false);
            throw;
        }
        catch (ObjectDisposedException e)
        {
            // Another operation has failed meanwhile, and has closed the handle, or has deleted the queue.
            throw new QueueException($"'{target.Address}': the connection was closed while a message was sent.", e) { IsUnreachable = true };
        }

        target.Place.Signal();
    }

    /// <summary>Checks a message before it is sent anywhere.</summary>
    internal static void CheckSize(Message message, QueueTarget target)
    {
        long byteCount = (message.BodyStreamOrNull is { CanSeek: true } stream ? stream.Length : 0) + message.Extension.Length
            + (2 * message.Label.Length);
        if (byteCount > MaxMessageByteCount)
        {
            throw new MessageQueueException(
                MessageQueueErrorCode.InsufficientResources,
                $"The message for '{target.Path.Text}' has {byteCount} bytes; a message of Message Queuing has at most {MaxMessageByteCount}. Send a "
                + "reference to the data, or use the queue directly (Formatters.Queues.QueueConnector), which has no such limit.");
        }
    }

    /// <summary>Requests a copy for the journal of this machine, if the queue is on it.</summary>
    internal static void Journal(QueueMessage copy, Message message, QueueTarget target, QueueCapabilities capabilities, QueueSystem system)
    {
        if (message.UseJournalQueue && capabilities.Supports(QueueFeatures.SourceJournal) && ReferenceEquals(target.Place, system.Local)
            && target.Name != QueuePath.JournalName)
            copy.SourceJournalQueue = target.Place.NameInOptions(QueuePath.JournalName);
    }

    /// <summary>Notes that a queue may have messages that go to a dead-letter queue.</summary>
    internal static void NoteDeadLetters(QueueTarget target, Message message, QueueProperties properties)
    {
        if (!message.UseDeadLetterQueue || message.TimeToBeReceived >= Message.InfiniteTimeout || properties.HasDeadLetters || target.Path.IsSystem
            || IsDeleted(target, properties))
            return;
        // A queue that was not created here, such as that of a setting, has no properties yet.
        QueueProperties stored = target.Place.Store.Find(target.PropertiesName) ?? new QueueProperties
        {
            Path = MessageQueue.PathInStore(target.Path, target.PropertiesName),
            Transactional = null,
            CreateTime = DateTime.UtcNow,
            LastModifyTime = DateTime.UtcNow,
        };
        target.Place.Store.Save(target.PropertiesName, stored with { HasDeadLetters = true });
    }

    /// <summary>Sends an acknowledgement of arrival and a journal copy where the queue does not do it itself.</summary>
    internal static async Task AnswerArrivalAsync(QueueSystem system, QueueTarget target, QueueMessage message)
    {
        if (target.HasCopies)
            return;
        await AnswerAsync(system, message, Acknowledgment.ReachQueue).ConfigureAwait(false);
        if ((FlagsOf(message) & MessageHeaders.Flag.UseJournalQueue) != 0 && message.SourceJournalQueue is null)
            await SendToAsync(system, system.Resolve(QueuePath.Journal), Copy(message)).ConfigureAwait(false);
    }

    /// <summary>Sends the acknowledgement that a message asks for, if its queue does not send it itself and the administration queue
    /// exists.</summary>
    internal static async Task AnswerAsync(QueueSystem system, QueueMessage message, Acknowledgment acknowledgment)
    {
        if (message.AcknowledgeTypes != Formatters.Queues.AcknowledgeTypes.None || !message.HasHeaders
            || !message.Headers.TryGetValue(MessageHeaders.AdministrationQueue, out object? name)
            || !message.Headers.TryGetValue(MessageHeaders.AcknowledgeType, out object? value) || value is not int types
            || ((AcknowledgeTypes)types & TypeOf(acknowledgment)) == 0
            || MessageConversion.QueueOf(name as string) is not { } administration)
            return;
        try
        {
            await SendToAsync(
                system, system.Resolve(administration.QueuePath), MessageConversion.ToAcknowledgment(message, acknowledgment)).ConfigureAwait(false);
        }
        catch (Exception e) when (e is MessageQueueException or InvalidOperationException)
        {
            // The queue is not known here, or was deleted. The operation that is acknowledged has succeeded.
        }
    }

    private static async Task SendToAsync(QueueSystem system, QueueTarget target, QueueMessage message)
    {
        try
        {
            QueuePlace place = target.Place;
            QueueClient queue = await place.OpenAsync(target, Plain, CancellationToken.None).ConfigureAwait(false);
            await SendAsync(target, place, queue, message, null, CancellationToken.None).ConfigureAwait(false);
        }
        catch (QueueException e) when (system.Configuration.UseOutgoingQueue && !ReferenceEquals(target.Place, system.LocalFolder))
        {
            await system.Outgoing.KeepAsync(target, message, e, CancellationToken.None).ConfigureAwait(false);
        }
    }

    private static AcknowledgeTypes TypeOf(Acknowledgment acknowledgment) => acknowledgment switch
    {
        Acknowledgment.ReachQueue => AcknowledgeTypes.PositiveArrival,
        Acknowledgment.Receive => AcknowledgeTypes.PositiveReceive,
        >= Acknowledgment.QueueDeleted => AcknowledgeTypes.NegativeReceive,
        _ => AcknowledgeTypes.NotAcknowledgeReachQueue,
    };

    private static QueueOptions Plain { get; } = new() { PrefetchCount = 1 };

    /// <summary>Returns the options of a handle that is not transactional.</summary>
    internal static QueueOptions OptionsOf(QueueProperties properties, QueueTarget target) => With(Plain, properties, target);

    /// <summary>Returns the options of a transactional handle.</summary>
    internal static QueueOptions TransactionalOptionsOf(QueueProperties properties, QueueTarget target) =>
        With(Plain with { DeliveryMode = DeliveryMode.Transactional }, properties, target);

    private static QueueOptions With(QueueOptions options, QueueProperties properties, QueueTarget target)
    {
        // RabbitMQ stores these with the queue, which others may have declared without them.
        if (target.Place.IsBroker)
            return options;
        if (properties.UseJournalQueue)
            options = options with { JournalQueue = target.Place.NameInOptions(target.Name + ".journal$") };
        if (properties.MaximumQueueSize < uint.MaxValue)
            options = options with { MaxByteCount = Math.Max(1, properties.MaximumQueueSize * 1024) };
        return options;
    }

    /// <summary>Receives a message without a transaction.</summary>
    internal static async Task<QueueMessage?> ReceiveAsync(QueueSystem system, QueueTarget target, ReceiveBy by, string? id, TimeSpan timeout,
        CancellationToken cancellationToken)
    {
        QueueProperties properties = PropertiesOf(target);
        var time = new Remaining(timeout);
        while (true)
        {
            try
            {
                await MoveExpiredAsync(system, target, properties, cancellationToken).ConfigureAwait(false);
                if (await ReceiveOnceAsync(target, by, id, time.Left, properties, cancellationToken).ConfigureAwait(false)
                    is (var message, var capabilities))
                {
                    await AnswerReceiptAsync(system, target, message, capabilities, properties).ConfigureAwait(false);
                    return message;
                }
            }
            catch (Exception e) when (e is QueueException or ObjectDisposedException)
            {
                throw await TranslateAsync(e, target, properties, cancellationToken).ConfigureAwait(false);
            }

            if (time.Left == TimeSpan.Zero)
                return null;
            ThrowIfDeleted(target, properties);
        }
    }

    /// <summary>Checks that a queue has not been deleted while an operation waited: opening it again would create it.</summary>
    private static void ThrowIfDeleted(QueueTarget target, QueueProperties properties)
    {
        if (IsDeleted(target, properties))
            throw Errors.Deleted(target);
    }

    private static bool IsDeleted(QueueTarget target, QueueProperties properties) =>
        properties.Transactional is not null && target.Place.Store.Find(target.PropertiesName) is null && !target.Path.IsSystem;

    /// <summary>Returns the exception of an operation whose queue was deleted, or whose handle another operation has closed after an error.</summary>
    private static async Task<Exception> TranslateAsync(Exception exception, QueueTarget target, QueueProperties properties,
        CancellationToken cancellationToken)
    {
        if (IsDeleted(target, properties) || await IsGoneAsync(target, exception, cancellationToken).ConfigureAwait(false))
            return Errors.Deleted(target);
        return exception is ObjectDisposedException
            ? new MessageQueueException(
                MessageQueueErrorCode.ServiceNotAvailable, $"'{target.Address}': the connection was closed while an operation used it.", exception)
            : exception;
    }

    /// <summary>Receives a message, until the timeout has passed.</summary>
    private static async Task<(QueueMessage Message, QueueCapabilities Capabilities)?> ReceiveOnceAsync(QueueTarget target, ReceiveBy by, string? id,
        TimeSpan timeout, QueueProperties properties, CancellationToken cancellationToken)
    {
        QueuePlace place = target.Place;
        ReceivingHandle handle = default;
        // One whose receive was canceled may have a message.
        bool isUsable = false;
        try
        {
            QueueOptions options = OptionsOf(properties, target);
            handle = by == ReceiveBy.Position
                ? await place.OpenReceiverAsync(target, options, timeout != TimeSpan.Zero, cancellationToken).ConfigureAwait(false)
                : new ReceivingHandle(await place.OpenAsync(target, options, cancellationToken).ConfigureAwait(false), null);
            if (await ReceiveAsync(handle.Queue, place, target, by, id, timeout, null, cancellationToken).ConfigureAwait(false) is not { } message)
            {
                isUsable = true;
                return null;
            }

            await message.AcknowledgeAsync(CancellationToken.None).ConfigureAwait(false);
            isUsable = true;
            return (message, handle.Queue.Capabilities);
        }
        catch (Exception e) when (e is QueueException or ObjectDisposedException)
        {
            await place.CloseAsync(target.Name).ConfigureAwait(false);
            throw;
        }
        finally
        {
            if (isUsable)
                handle.Dispose();
            else if (by == ReceiveBy.Position && place.IsBroker && handle.Queue is { } queue)
                await OpenQueues.CloseAsync(queue).ConfigureAwait(false);
        }
    }

    /// <summary>Receives a message in a transaction, which is bound to the location only when there is one.</summary>
    internal static async Task<QueueMessage?> ReceiveAsync(QueueSystem system, QueueTarget target, ReceiveBy by, string? id, TimeSpan timeout,
        MessageQueueTransaction transaction, CancellationToken cancellationToken)
    {
        QueueProperties properties = PropertiesOf(target);
        if (properties.Transactional == false)
            throw Errors.TransactionUsage(target, isTransactional: false);
        var time = new Remaining(timeout);
        while (true)
        {
            ReceivedMessage? message;
            bool wasBound;
            try
            {
                await MoveExpiredAsync(system, target, properties, cancellationToken).ConfigureAwait(false);
                wasBound = transaction.IsBound;
                message = await transaction.RunAsync(target, properties, async (place, queue, inner) =>
                    await ReceiveAsync(queue, place, target, by, id, time.Left, inner, cancellationToken).ConfigureAwait(false), cancellationToken)
                    .ConfigureAwait(false);
            }
            catch (Exception e) when (e is QueueException or ObjectDisposedException)
            {
                throw await TranslateAsync(e, target, properties, cancellationToken).ConfigureAwait(false);
            }

            if (message is not null)
            {
                transaction.OnCommit(capabilities => AnswerReceiptAsync(system, target, message, capabilities, properties));
                return message;
            }

            if (!wasBound)
                await transaction.UnbindAsync().ConfigureAwait(false);
            if (time.Left == TimeSpan.Zero)
                return null;
            ThrowIfDeleted(target, properties);
        }
    }

    private static async ValueTask<ReceivedMessage?> ReceiveAsync(QueueClient queue, QueuePlace place, QueueTarget target, ReceiveBy by, string? id,
        TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        if (by == ReceiveBy.Position)
            return await queue.ReceiveAsync(timeout, transaction, cancellationToken).ConfigureAwait(false);
        if (queue.Capabilities.Supports(QueueFeatures.ReceiveById))
        {
            return by == ReceiveBy.Id
                ? await queue.ReceiveByIdAsync(id!, timeout, transaction, cancellationToken).ConfigureAwait(false)
                : await queue.ReceiveByCorrelationIdAsync(id!, timeout, transaction, cancellationToken).ConfigureAwait(false);
        }

        if (transaction is not null)
        {
            throw new NotSupportedException(
                $"'{target.Address}': a message cannot be received by its id in a transaction ({queue.Capabilities.Product}).");
        }

        return await ReceiveByLockingAsync(place, target, by, id!, timeout, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Receives a message by its id from a queue that cannot do that: locks messages until it comes, and returns the others.</summary>
    private static async ValueTask<ReceivedMessage?> ReceiveByLockingAsync(QueuePlace place, QueueTarget target, ReceiveBy by, string id,
        TimeSpan timeout, CancellationToken cancellationToken)
    {
        var time = new Remaining(timeout);
        while (true)
        {
            await place.CloseAsync(target.Name).ConfigureAwait(false);
            // Closing it returns the messages that it has locked; the one that was found is acknowledged first.
            QueueClient own = await place.OpenOwnAsync(target, Browsing, cancellationToken).ConfigureAwait(false);
            try
            {
                while (await own.ReceiveAsync(BrowseWait, cancellationToken: cancellationToken).ConfigureAwait(false) is { } message)
                {
                    if ((by == ReceiveBy.Id ? message.MessageId : message.CorrelationId) == id)
                    {
                        await message.AcknowledgeAsync(CancellationToken.None).ConfigureAwait(false);
                        return message;
                    }
                }
            }
            finally
            {
                await own.DisposeAsync().ConfigureAwait(false);
            }

            if (time.Left == TimeSpan.Zero)
                return null;
            await Task.Delay(time.AtMost(PollInterval), cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>The options of a handle that locks all messages of a queue to look at them.</summary>
    private static QueueOptions Browsing { get; } = new() { PrefetchCount = 10_000 };

    // A consumer of a broker gets its first messages a moment after it was opened.
    private static readonly TimeSpan BrowseWait = TimeSpan.FromMilliseconds(200);

    private static async Task AnswerReceiptAsync(QueueSystem system, QueueTarget target, QueueMessage message, QueueCapabilities capabilities,
        QueueProperties properties)
    {
        if (!target.HasCopies && (message as ReceivedMessage)?.DeadLetterReason is null)
            await AnswerAsync(system, message, Acknowledgment.Receive).ConfigureAwait(false);
        if (properties.UseJournalQueue && (!capabilities.Supports(QueueFeatures.Journal) || target.Place.IsBroker))
            await SendToAsync(system, target.Beside(target.Name + ".journal$"), Copy(message)).ConfigureAwait(false);
    }

    /// <summary>Returns the first message that is chosen, without removing it.</summary>
    internal static Task<QueueMessage?> PeekAsync(QueueSystem system, QueueTarget target, ReceiveBy by, string? id, TimeSpan timeout,
        CancellationToken cancellationToken) =>
        PeekAsync(
            system, target, null,
            message => by switch { ReceiveBy.Id => message.MessageId == id, ReceiveBy.CorrelationId => message.CorrelationId == id, _ => true },
            timeout, cancellationToken);

    /// <summary>Returns the first message after a position for which a condition holds, waiting for it.</summary>
    internal static async Task<QueueMessage?> PeekAsync(QueueSystem system, QueueTarget target, string? after, Func<PeekedMessage, bool> condition,
        TimeSpan timeout, CancellationToken cancellationToken)
    {
        QueueProperties properties = PropertiesOf(target);
        var time = new Remaining(timeout);
        while (true)
        {
            Task changed = target.Place.Changed;
            try
            {
                await MoveExpiredAsync(system, target, properties, cancellationToken).ConfigureAwait(false);
                await foreach (PeekedMessage message in BrowseAsync(target, after, cancellationToken).ConfigureAwait(false))
                {
                    if (condition(message))
                        return message;
                }
            }
            catch (Exception e) when (e is QueueException or ObjectDisposedException)
            {
                throw await TranslateAsync(e, target, properties, cancellationToken).ConfigureAwait(false);
            }

            if (time.Left == TimeSpan.Zero)
                return null;
            await target.Place.WaitForChangeAsync(changed, time.AtMost(PollInterval), cancellationToken).ConfigureAwait(false);
            ThrowIfDeleted(target, properties);
        }
    }

    /// <summary>Returns the messages of a queue after a position, that can be received.</summary>
    internal static async IAsyncEnumerable<PeekedMessage> BrowseAsync(QueueTarget target, string? after,
        [Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        // The first batch is small: most callers want one message.
        int count = 1;
        while (true)
        {
            QueueClient queue = await target.Place.OpenAsync(target, Plain, cancellationToken).ConfigureAwait(false);
            IReadOnlyList<PeekedMessage> batch = queue.Capabilities.Supports(QueueFeatures.Peek)
                ? await queue.PeekAsync(
                    new PeekOptions { MaxCount = count, After = after, IncludeLocked = false, IncludeDelayed = false }, cancellationToken)
                    .ConfigureAwait(false)
                : await BrowseByLockingAsync(target.Place, target, after, cancellationToken).ConfigureAwait(false);
            if (!queue.Capabilities.Supports(QueueFeatures.Peek))
                count = int.MaxValue;

            foreach (PeekedMessage message in batch)
                yield return message;
            if (batch.Count < count)
                yield break;
            after = batch[^1].Position;
            count = BatchSize;
        }
    }

    /// <summary>Looks at the messages of a queue that has no peek: locks them all, and returns them.</summary>
    private static async Task<IReadOnlyList<PeekedMessage>> BrowseByLockingAsync(QueuePlace place, QueueTarget target, string? after,
        CancellationToken cancellationToken)
    {
        await place.CloseAsync(target.Name).ConfigureAwait(false);
        var messages = new List<PeekedMessage>();
        QueueClient own = await place.OpenOwnAsync(target, Browsing, cancellationToken).ConfigureAwait(false);
        await using (own.ConfigureAwait(false))
        {
            while (await own.ReceiveAsync(BrowseWait, cancellationToken: cancellationToken).ConfigureAwait(false) is { } message)
                messages.Add(Peeked(message));
        }

        if (after is null)
            return messages;
        int index = messages.FindIndex(message => message.Position == after);
        if (index >= 0)
            return messages[(index + 1)..];
        // The message has left the queue; lookup ids grow with the time of the send.
        long last = long.Parse(after, Globalization.CultureInfo.InvariantCulture);
        return [.. messages.Where(message => MessageConversion.LookupIdOf(message) > last)];
    }

    private static PeekedMessage Peeked(ReceivedMessage message)
    {
        var peeked = new PeekedMessage(message.Body)
        {
            Position = MessageConversion.LookupIdOf(message).ToString(Globalization.CultureInfo.InvariantCulture),
            SentTime = message.SentTime,
            DeadLetterReason = message.DeadLetterReason,
        };
        CopyTo(message, peeked);
        peeked.MessageId = message.MessageId;
        return peeked;
    }

    /// <summary>Moves the expired messages of a queue that asked for it to the dead-letter queue of the location.</summary>
    internal static async Task MoveExpiredAsync(QueueSystem system, QueueTarget target, QueueProperties properties,
        CancellationToken cancellationToken)
    {
        if (target.Path.IsSystem && target.Name != QueuePath.JournalName)
        {
            foreach ((string name, QueueProperties other) in target.Place.Store.List())
            {
                if (!other.HasDeadLetters)
                    continue;
                try
                {
                    await MoveAsync(new QueueTarget(target.Place, name, QueueSystem.PathOf(other)), other).ConfigureAwait(false);
                }
                catch (MessageQueueException e) when (e.MessageQueueErrorCode == MessageQueueErrorCode.QueueNotFound)
                {
                    // Another machine has deleted it.
                }
            }
        }
        else if (properties.HasDeadLetters)
        {
            await MoveAsync(target, properties).ConfigureAwait(false);
        }

        async Task MoveAsync(QueueTarget queue, QueueProperties own)
        {
            var expired = new List<PeekedMessage>();
            await foreach (PeekedMessage message in BrowseAsync(queue, null, cancellationToken).ConfigureAwait(false))
            {
                if (MessageConversion.IsExpired(message))
                    expired.Add(message);
            }

            foreach (PeekedMessage message in expired)
            {
                await MoveToDeadLettersAsync(system, queue, message, queue.Beside(DeadLettersOf(own)), cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Copies the messages of a queue that is to be deleted to the dead-letter queue of the location, if they ask for it.</summary>
    internal static async Task CopyDeletedAsync(QueueSystem system, QueueTarget target, QueueProperties properties,
        CancellationToken cancellationToken)
    {
        if (!await ExistsAsync(target, cancellationToken).ConfigureAwait(false))
            throw Errors.NotFound(target);
        // The copies first: a crash before the queue is deleted leaves a message twice, not never.
        await foreach (PeekedMessage message in BrowseAsync(target, null, cancellationToken).ConfigureAwait(false))
        {
            if ((FlagsOf(message) & MessageHeaders.Flag.UseDeadLetterQueue) != 0)
                await SendToAsync(system, target.Beside(DeadLettersOf(properties)), Copy(message)).ConfigureAwait(false);
            await AnswerAsync(system, message, Acknowledgment.QueueDeleted).ConfigureAwait(false);
        }
    }

    private static string DeadLettersOf(QueueProperties properties) =>
        properties.Transactional == true ? QueuePath.TransactionalDeadLetterName : QueuePath.DeadLetterName;

    private static async Task MoveToDeadLettersAsync(QueueSystem system, QueueTarget target, PeekedMessage expired, QueueTarget deadLetters,
        CancellationToken cancellationToken)
    {
        ReceivedMessage? message;
        if (target.Place.IsBroker)
        {
            // The copy first: a crash between the two leaves the message twice, not never.
            await SendToAsync(system, deadLetters, Copy(expired)).ConfigureAwait(false);
            QueuePlace place = target.Place;
            QueueClient queue = await place.OpenAsync(target, Plain, cancellationToken).ConfigureAwait(false);
            message = await ReceiveAsync(
                queue, place, target, ReceiveBy.Id, expired.MessageId!, TimeSpan.Zero, null, cancellationToken).ConfigureAwait(false);
            if (message is not null)
                await message.AcknowledgeAsync(CancellationToken.None).ConfigureAwait(false);
        }
        else
        {
            QueuePlace place = target.Place;
            QueueOptions options = Plain with { DeadLetterQueue = target.Place.NameInOptions(deadLetters.Name) };
            QueueClient queue = await place.OpenAsync(target, options, cancellationToken).ConfigureAwait(false);
            message = await queue.ReceiveByIdAsync(expired.MessageId!, TimeSpan.Zero, cancellationToken: cancellationToken).ConfigureAwait(false);
            if (message is not null)
                await message.DeadLetterAsync(DeadLetterReasons.Expired, cancellationToken: CancellationToken.None).ConfigureAwait(false);
        }

        if (message is not null)
            await AnswerAsync(system, message, Acknowledgment.ReceiveTimeout).ConfigureAwait(false);
    }

    internal static MessageHeaders.Flag FlagsOf(QueueMessage message) =>
        message.HasHeaders && message.Headers.TryGetValue(MessageHeaders.Flags, out object? value) && value is int flags
            ? (MessageHeaders.Flag)flags
            : MessageHeaders.Flag.None;

    /// <summary>Copies a message for another queue; the copy does not expire.</summary>
    internal static QueueMessage Copy(QueueMessage message)
    {
        var copy = new QueueMessage(message.Body) { MessageId = message.MessageId };
        CopyTo(message, copy);
        copy.Headers.Remove(MessageHeaders.Expires);
        return copy;
    }

    private static void CopyTo(QueueMessage message, QueueMessage copy)
    {
        copy.Label = message.Label;
        copy.CorrelationId = message.CorrelationId;
        copy.ResponseQueue = message.ResponseQueue;
        if (message.Priority != QueueMessage.DefaultPriority)
            copy.Headers[MessageHeaders.Priority] = Math.Clamp(message.Priority - 1, 0, 7);
        if (message.HasHeaders)
        {
            foreach ((string name, object value) in message.Headers)
                copy.Headers[name] = value;
        }
    }

    /// <summary>Says how much of a timeout is left.</summary>
    private readonly struct Remaining(TimeSpan timeout)
    {
        private readonly long _started = Stopwatch.GetTimestamp();

        internal TimeSpan Left
        {
            get
            {
                if (timeout >= MessageQueue.InfiniteTimeout || timeout == Threading.Timeout.InfiniteTimeSpan)
                    return Threading.Timeout.InfiniteTimeSpan;
                TimeSpan left = timeout - Stopwatch.GetElapsedTime(_started);
                return left > TimeSpan.Zero ? left : TimeSpan.Zero;
            }
        }

        internal TimeSpan AtMost(TimeSpan time) => Left is var left && (left == Threading.Timeout.InfiniteTimeSpan || left > time) ? time : left;
    }
}
