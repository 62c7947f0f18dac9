using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>An open folder: its queues and their log.</summary>
internal sealed partial class QueueFolder : IQueuePlace, ITransactionLog, IAsyncDisposable
{
    private readonly SemaphoreSlim _opening = new(1);
    private readonly string _path;
    private readonly FileQueueOptions _options;
    private readonly MessageLog _log;
    private readonly bool _hasThread;
    private readonly List<TransactionCoordinator> _coordinators = [];
    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ConcurrentDictionary<string, FileTopicStore> _topics = new(StringComparer.Ordinal);
    private ImmutableSortedDictionary<string, FileQueueStore> _queues;
    private uint _nextQueueId;
    private long _cachedByteCount;
    private long _objectCount;

    /// <summary>Reads the log of a folder and opens it for writing.</summary>
    /// <param name="path">The folder's path, for the queues' addresses.</param>
    /// <param name="files">The folder's files; disposed with this object, and when it cannot be made.</param>
    /// <param name="options">Options of the queues.</param>
    /// <param name="hasThread">Whether the log writes on its own thread; tests that control the timing call <see cref="WritePending"/>.</param>
    /// <exception cref="QueueException">The log is damaged or cannot be read.</exception>
    internal QueueFolder(string path, LogFolder files, FileQueueOptions options, bool hasThread = true)
    {
        _path = path;
        _options = options;
        _hasThread = hasThread;
        Clock = new QueueClock(options.TimeProvider);
        try
        {
            LogState state = LogRecovery.Run(files, (id, name) => new FileQueueStore(this, id, name), options.CachedMessageCount);
            _nextQueueId = state.NextQueueId;
            ReplayedByteCount = state.ReplayedByteCount;
            Decisions = new DecisionTable(state.Decisions);
            Applied = state.Applied;
            _queues = state.Queues.Values.ToImmutableSortedDictionary(queue => queue.Name, queue => queue, StringComparer.Ordinal);
            using var indexed = new IndexedMessages(state);
            foreach (LogPlace place in state.Places.Values.OrderBy(place => place.Number))
            {
                indexed.AddBefore(place.Number);
                if (state.IsInOrder)
                    place.Queue.AddInOrder(FileMessage.Recover(place), (long)place.Number);
                else
                    place.Queue.TryAdd(FileMessage.Recover(place), isCounted: false);
            }

            indexed.AddBefore(ulong.MaxValue);
            foreach (LogEntry entry in state.Messages.Values)
                entry.Recovered = null;
            foreach (FileQueueStore queue in _queues.Values.Where(queue => queue.Topic is not null))
                OpenTopic(queue.Topic!).Set(queue, queue.Selector);

            // A queue is added to the table when it is written, under the log's gate: always in a new immutable dictionary.
            _log = new MessageLog(files, options, state,
                () => new LogTable(_nextQueueId, [.. _queues.Values], Decisions.GetUndelivered(), Applied.GetAll()),
                Stop, hasThread);
        }
        catch (Exception e)
        {
            files.Dispose();
            if (e is IOException or UnauthorizedAccessException or FolderLostException)
                throw new QueueException($"The queue log in '{files.Name}' cannot be created: {e.Message}", e);
            throw;
        }
    }

    /// <summary>Gets the clock for expirations.</summary>
    internal QueueClock Clock { get; }

    /// <summary>Gets the first part of the ids of recoverable messages.</summary>
    internal Guid Id => _log.FolderId;

    /// <summary>Gets <see cref="Id"/> as a string.</summary>
    internal string IdString => field ??= Id.ToString();

    /// <summary>Gets the note for reports about an emulated disk; empty otherwise.</summary>
    internal string DelayNote =>
        _options.EmulatedFlushDelay > TimeSpan.Zero
            ? string.Create(CultureInfo.InvariantCulture,
                $" (emulated disk: {_options.EmulatedFlushDelay.TotalMilliseconds:0.###} ms added to each flush)")
            : "";

    internal long LogByteCount => _log.ByteCount;

    /// <summary>Gets the number of bytes read from the log when the folder was opened, after the snapshot if there was one.</summary>
    internal long ReplayedByteCount { get; }

    /// <summary>Gets the transactions that are committed together with resource managers.</summary>
    internal DecisionTable Decisions { get; }

    /// <summary>Gets the operations of other processes that are done, and that they may repeat.</summary>
    internal AppliedOperations Applied { get; }

    public async ValueTask DisposeAsync()
    {
        // Before another process can open the folder.
        foreach (TransactionCoordinator coordinator in GetCoordinators())
            await coordinator.DisposeAsync().ConfigureAwait(false);
        if (Decisions.TakeDelivered() is { Count: > 0 } delivered)
            _log.Write(new ForgetWrite(delivered));
        await _log.DisposeAsync().ConfigureAwait(false);
        // Another process may own the folder now: handles that are still open must not answer from memory.
        if (StoppedReason is null)
            StopQueues(() => new QueueException($"The queue folder '{_path}' is closed.") { Code = QueueErrorCode.FolderStopped });
        foreach (FileQueueStore queue in _queues.Values)
        {
            queue.ReleaseSenders();
            queue.StopTimer();
        }
    }

    /// <summary>Returns the status of all queues, or of the one with a name.</summary>
    internal IReadOnlyList<QueueStatus> List(string? name)
    {
        string? stoppedReason = StoppedReason;
        return QueueStatuses.Of(_queues.Values.Where(queue => name is null || queue.Name == name).Select(queue => queue.GetStatus(stoppedReason)));
    }

    internal QueueAddress AddressOf(string name) => OpenFolder.AddressOf(_path, name);

    internal bool WritePending() => _log.WritePending();

    /// <summary>Gets why the folder accepts no more operations, or null.</summary>
    internal string? StoppedReason => _log.StoppedReason;

    private void Stop(Func<QueueException> makeException)
    {
        StopQueues(makeException);
        _stopped.TrySetResult();
    }

    private void StopQueues(Func<QueueException> makeException)
    {
        foreach (FileQueueStore queue in _queues.Values)
            queue.Stop(makeException);
        foreach (FileTopicStore topic in _topics.Values)
            topic.Stop(makeException);
    }

    /// <summary>Gets a task that completes when the folder has stopped: it accepts no more operations.</summary>
    internal Task Stopped => _stopped.Task;

    /// <summary>Finds a queue, or creates it, also in the log.</summary>
    /// <exception cref="ArgumentException">The name is not valid for a queue of a folder.</exception>
    internal async ValueTask<FileQueueStore> OpenQueueAsync(string name, CancellationToken cancellationToken)
    {
        // An address could not contain the name.
        if (name is "." or ".." || name.Contains('/', StringComparison.Ordinal))
            throw new ArgumentException(
                $"'{name}' cannot be the name of a queue in the folder '{_path}': names have no slash, and are not '.' or '..'.", nameof(name));
        await _opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (_queues.TryGetValue(name, out FileQueueStore? queue))
                return queue;
            var write = new QueueAddedWrite(this, name);
            await _log.WriteAsync(write).ConfigureAwait(false);
            return write.Queue!;
        }
        finally
        {
            _opening.Release();
        }
    }

    internal FileTopicStore OpenTopic(string name) => _topics.GetOrAdd(name, static (name, folder) => new FileTopicStore(folder, name), this);

    /// <summary>Makes a queue a durable subscription, or changes its selector, also in the log.</summary>
    internal async ValueTask SubscribeAsync(FileTopicStore topic, FileQueueStore queue, string? selector)
    {
        if (queue.Topic != topic.Name || queue.Selector != selector)
            await _log.WriteAsync(new SubscriptionWrite(queue, topic.Name, selector)).ConfigureAwait(false);
        topic.Set(queue, selector);
    }

    /// <summary>Deletes a queue and its messages.</summary>
    /// <returns>Whether there was one.</returns>
    internal async ValueTask<bool> DeleteQueueAsync(string name, CancellationToken cancellationToken)
    {
        await _opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (!_queues.TryGetValue(name, out FileQueueStore? queue))
                return false;
            var write = new QueueDeletedWrite(this, queue);
            await _log.WriteAsync(write).ConfigureAwait(false);
            // Messages added while the deletion was being written.
            await AcknowledgeAsync(write.Unacknowledged, AcknowledgmentClass.QueueDeleted).ConfigureAwait(false);
            return true;
        }
        finally
        {
            _opening.Release();
        }
    }

    /// <summary>Opens a coordinator of transactions that span a resource manager.</summary>
    internal async ValueTask<TransactionCoordinator> OpenCoordinatorAsync(ResourceManager resourceManager, CancellationToken cancellationToken)
    {
        var coordinator = new TransactionCoordinator(this, resourceManager);
        lock (_coordinators)
            _coordinators.Add(coordinator);
        try
        {
            await coordinator.OpenAsync(_hasThread, cancellationToken).ConfigureAwait(false);
            return coordinator;
        }
        catch
        {
            await coordinator.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    void ITransactionLog.Remove(TransactionCoordinator coordinator)
    {
        lock (_coordinators)
            _coordinators.Remove(coordinator);
    }

    Guid ITransactionLog.FolderId => Id;

    QueueTransaction ITransactionLog.Begin() => new FileTransaction(this);

    bool ITransactionLog.IsEmpty(QueueTransaction local) => ((FileTransaction)local).IsEmpty;

    ValueTask ITransactionLog.CommitAsync(QueueTransaction local, Decision decision) => ((FileTransaction)local).CommitAsync(decision);

    ValueTask<IReadOnlyList<Guid>> ITransactionLog.GetUndeliveredAsync(Guid resourceManagerId) => new(Decisions.GetUndelivered(resourceManagerId));

    ValueTask<TransactionFate> ITransactionLog.FateOfAsync(Guid transactionId) => new(Decisions.FateOf(transactionId));

    ValueTask ITransactionLog.EnterAsync(Guid transactionId)
    {
        Decisions.Enter(transactionId);
        return default;
    }

    ValueTask ITransactionLog.LeaveAsync(Guid transactionId)
    {
        Decisions.Leave(transactionId);
        return default;
    }

    ValueTask ITransactionLog.DeliverAsync(Guid transactionId)
    {
        Decisions.Deliver(transactionId);
        return default;
    }

    /// <summary>Adds new messages to their queues, all with one block.</summary>
    internal ValueTask SendAsync(FileMessage[] messages) => CommitAsync(null, messages, []);

    /// <summary>Removes messages from their queues durably.</summary>
    internal ValueTask RemoveAsync(Removal[] removals) =>
        removals.All(removal => removal.Message.Queue.IsDeleted) ? default : _log.WriteAsync(new RemoveWrite(this, removals));

    /// <summary>Removes messages without waiting: after a crash they are redelivered.</summary>
    internal void Remove(Removal[] removals)
    {
        if (!removals.All(removal => removal.Message.Queue.IsDeleted))
            _log.Write(new RemoveWrite(this, removals));
    }

    /// <summary>Writes sends and removals as one block.</summary>
    internal ValueTask CommitAsync(FileTransaction? transaction, FileMessage[] sent, Removal[] removals, Decision? decision = null) =>
        Array.Exists(sent, message => message.Receiver is not null)
            ? CommitIdentifiedAsync(transaction, sent, removals, decision)
            : _log.WriteAsync(new CommitWrite(this, transaction, sent, removals, decision));

    /// <summary>Returns a message to its queue with a delay.</summary>
    internal ValueTask DelayAsync(FileMessage message, TimeSpan delay) => _log.WriteAsync(new DelayWrite(this, message, delay));

    /// <summary>Removes a dead message without waiting.</summary>
    internal void RemoveDead(Removal removal) => _log.Write(new RemoveDeadWrite(this, removal));

    /// <summary>Records a delivery without waiting.</summary>
    internal void WriteDelivered(FileMessage message) => _log.Write(new DeliveredWrite(message, message.DeliveryCount));

    /// <summary>Reverts the record of the last delivery.</summary>
    internal void WriteNotDelivered(FileMessage message) => _log.Write(new DeliveredWrite(message, message.DeliveryCount - 1));

    /// <summary>Writes sends and removals of which some messages have an id that may have been sent before.</summary>
    private async ValueTask CommitIdentifiedAsync(FileTransaction? transaction, FileMessage[] sent, Removal[] removals, Decision? decision)
    {
        while (true)
        {
            var write = new CommitWrite(this, transaction, sent, removals, decision);
            Task written;
            try
            {
                try
                {
                    written = _log.WriteAsync(write).AsTask();
                }
                catch (DuplicateMessageException)
                {
                    // The first send may still be in progress, and fail: it succeeded if it is on the disk after all earlier writes.
                    await _log.WriteAsync(new EmptyWrite()).ConfigureAwait(false);
                    if (AreDuplicates(sent))
                        throw;
                    continue;
                }
            }
            catch
            {
                write.Undo();
                throw;
            }

            await written.ConfigureAwait(false);
            return;
        }
    }

    private static bool AreDuplicates(FileMessage[] messages)
    {
        var ids = new HashSet<(FileQueueStore, string)>();
        return Array.Exists(messages, message => message.Receiver is not null
            && (message.Queue.IsSentId(message.GivenMessageId!) || !ids.Add((message.Queue, message.GivenMessageId!))));
    }

    private TransactionCoordinator[] GetCoordinators()
    {
        lock (_coordinators)
            return [.. _coordinators];
    }

    /// <summary>Gets whether so many waiting messages are objects that further ones are to be parked.</summary>
    internal bool HasManyObjects => Interlocked.Read(ref _objectCount) > _options.CachedMessageCount;

    internal int ParkedTogether => _options.ParkedTogether;

    internal void CountObjects(int change) => Interlocked.Add(ref _objectCount, change);

    /// <summary>Returns a segment of the log that has messages.</summary>
    /// <param name="number">The lower half of its number.</param>
    internal LogSegment SegmentOf(uint number) => _log.SegmentOf(number);

    internal bool TryTakeCache(int byteCount)
    {
        if (Interlocked.Add(ref _cachedByteCount, byteCount) <= _options.CachedByteCount)
            return true;
        LeaveCache(byteCount);
        return false;
    }

    internal void LeaveCache(int byteCount) => Interlocked.Add(ref _cachedByteCount, -byteCount);

    /// <summary>Adds the messages of recovery's index to their queues in the order of their numbers.</summary>
    private sealed class IndexedMessages(LogState state) : IDisposable
    {
        private readonly uint _firstSegment = state.Segments.Count > 0 ? (uint)state.Segments[0].Number : 0;
        private readonly IEnumerator<(ulong Number, IndexedMessage Message, IndexedExtras More)> _messages = state.Index.TakeAll().GetEnumerator();
        private bool _hasNext = true;
        private bool _isBegun;

        internal void AddBefore(ulong number)
        {
            if (!_isBegun)
            {
                _isBegun = true;
                _hasNext = _messages.MoveNext();
            }

            while (_hasNext && _messages.Current.Number < number)
            {
                (ulong next, IndexedMessage message, IndexedExtras more) = _messages.Current;
                state.Segments[(int)(message.Segment - _firstSegment)].AddParked(message.ContentByteCount);
                state.Queues[message.QueueId].Add(next, message, more);
                _hasNext = _messages.MoveNext();
            }
        }

        public void Dispose() => _messages.Dispose();
    }
}
