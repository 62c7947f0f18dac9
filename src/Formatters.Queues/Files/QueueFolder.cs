using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>An open folder: its queues and their log.</summary>
internal sealed partial class QueueFolder : IAsyncDisposable
{
    private readonly SemaphoreSlim _opening = new(1);
    private readonly string _path;
    private readonly FileQueueOptions _options;
    private readonly MessageLog _log;
    private readonly bool _hasThread;
    private readonly List<TransactionCoordinator> _coordinators = [];
    private readonly ConcurrentDictionary<string, FileTopicStore> _topics = new(StringComparer.Ordinal);
    private Dictionary<string, FileQueueStore> _queues;
    private uint _nextQueueId;
    private long _cachedByteCount;

    /// <summary>Reads the log of a folder and opens it for writing.</summary>
    /// <param name="path">The folder's path, for the queues' addresses.</param>
    /// <param name="files">The folder's files; disposed with this object, and when it cannot be made.</param>
    /// <param name="options">How the queues are kept.</param>
    /// <param name="hasThread">Whether the log writes by itself; a test that decides when calls <see cref="WritePending"/>.</param>
    /// <exception cref="QueueException">The log is damaged or cannot be read.</exception>
    internal QueueFolder(string path, LogFolder files, FileQueueOptions options, bool hasThread = true)
    {
        _path = path;
        _options = options;
        _hasThread = hasThread;
        Clock = new QueueClock(options.TimeProvider);
        try
        {
            LogState state = LogRecovery.Run(files, (id, name) => new FileQueueStore(this, id, name));
            _nextQueueId = state.NextQueueId;
            Decisions = new DecisionTable(state.Decisions);
            _queues = state.Queues.Values.ToDictionary(queue => queue.Name, StringComparer.Ordinal);
            foreach (LogPlace place in state.Places.Values.OrderBy(place => place.Number))
                place.Queue.TryAdd(FileMessage.Recover(place), isCounted: false);
            foreach (LogEntry entry in state.Messages.Values)
                entry.Recovered = null;
            foreach (FileQueueStore queue in _queues.Values.Where(queue => queue.Topic is not null))
                OpenTopic(queue.Topic!).Set(queue, queue.Selector);

            // A queue comes into the table when it is written, under the log's gate: always a new dictionary.
            _log = new MessageLog(files, options, state, () => new LogTable(_nextQueueId, _queues.Values, Decisions.GetUndelivered()), hasThread);
        }
        catch (Exception e)
        {
            files.Dispose();
            if (e is IOException or UnauthorizedAccessException or FolderLostException)
                throw new QueueException($"The queue log in '{files.Name}' cannot be begun: {e.Message}", e);
            throw;
        }
    }

    /// <summary>The time by which messages expire.</summary>
    internal QueueClock Clock { get; }

    /// <summary>The first part of the ids of recoverable messages.</summary>
    internal Guid Id => _log.FolderId;

    /// <summary>The same as a text.</summary>
    internal string IdText => field ??= Id.ToString();

    /// <summary>What a report must say of an emulated disk, or nothing.</summary>
    internal string DelayText =>
        _options.EmulatedFlushDelay > TimeSpan.Zero
            ? string.Create(CultureInfo.InvariantCulture, $" (emulated disk: {_options.EmulatedFlushDelay.TotalMilliseconds:0.###} ms added to each flush)")
            : "";

    internal long LogByteCount => _log.ByteCount;

    /// <summary>The transactions that it commits together with resource managers.</summary>
    internal DecisionTable Decisions { get; }

    public async ValueTask DisposeAsync()
    {
        // Before the folder can be another process's.
        foreach (TransactionCoordinator coordinator in GetCoordinators())
            await coordinator.DisposeAsync().ConfigureAwait(false);
        if (Decisions.TakeDelivered() is { Count: > 0 } delivered)
            _log.Write(new ForgetWrite(delivered));
        await _log.DisposeAsync().ConfigureAwait(false);
        foreach (FileQueueStore queue in _queues.Values)
            queue.StopTimer();
    }

    /// <summary>What its queues hold: all of them, or the one of a name.</summary>
    internal IReadOnlyList<QueueStatus> List(string? name)
    {
        string? stoppedReason = _log.StoppedReason;
        return QueueStatuses.Of(_queues.Values.Where(queue => name is null || queue.Name == name).Select(queue => queue.GetStatus(stoppedReason)));
    }

    internal QueueAddress AddressOf(string name) => new(new Uri(QueueAddress.FileUri(_path).AbsoluteUri + "/" + Uri.EscapeDataString(name)));

    internal bool WritePending() => _log.WritePending();

    /// <summary>Finds a queue, or makes it, in the log too.</summary>
    internal async ValueTask<FileQueueStore> OpenQueueAsync(string name, CancellationToken cancellationToken)
    {
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

    /// <summary>Makes a queue a durable subscription, or gives it another selector, in the log too.</summary>
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
            await _log.WriteAsync(new QueueDeletedWrite(this, queue)).ConfigureAwait(false);
            return true;
        }
        finally
        {
            _opening.Release();
        }
    }

    /// <summary>Opens a coordinator of transactions that are also in a resource manager's place.</summary>
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

    internal void Remove(TransactionCoordinator coordinator)
    {
        lock (_coordinators)
            _coordinators.Remove(coordinator);
    }

    internal ValueTask SendAsync(FileMessage message) =>
        message.Receiver is null ? _log.WriteAsync(new SendWrite(this, message)) : WriteIdentifiedAsync([message], () => new SendWrite(this, message));

    /// <summary>Makes final that messages have left their queues.</summary>
    internal ValueTask RemoveAsync(Removal[] removals) =>
        removals.All(removal => removal.Message.Queue.IsDeleted) ? default : _log.WriteAsync(new RemoveWrite(this, removals));

    /// <summary>The same without a wait: after a crash they come again.</summary>
    internal void Remove(Removal[] removals)
    {
        if (!removals.All(removal => removal.Message.Queue.IsDeleted))
            _log.Write(new RemoveWrite(this, removals));
    }

    /// <summary>The same, as one with the sends of a transaction or of a message for several queues.</summary>
    internal ValueTask CommitAsync(FileTransaction? transaction, FileMessage[] sent, Removal[] removals, Decision? decision = null) =>
        Array.Exists(sent, message => message.Receiver is not null)
            ? WriteIdentifiedAsync(sent, () => new CommitWrite(this, transaction, sent, removals, decision))
            : _log.WriteAsync(new CommitWrite(this, transaction, sent, removals, decision));

    /// <summary>Gives a message back that nobody receives before a delay is over.</summary>
    internal ValueTask DelayAsync(FileMessage message, TimeSpan delay) => _log.WriteAsync(new DelayWrite(this, message, delay));

    /// <summary>Removes a message that was found dead, without a wait.</summary>
    internal void Bury(Removal removal) => _log.Write(new BuryWrite(this, removal));

    /// <summary>Notes a delivery, without a wait.</summary>
    internal void WriteDelivered(FileMessage message) => _log.Write(new DeliveredWrite(message, message.DeliveryCount));

    /// <summary>Takes back that it noted the last delivery.</summary>
    internal void WriteNotDelivered(FileMessage message) => _log.Write(new DeliveredWrite(message, message.DeliveryCount - 1));

    /// <summary>Writes messages of which some have an id that may have been sent before.</summary>
    private async ValueTask WriteIdentifiedAsync(FileMessage[] messages, Func<LogWrite> makeWrite)
    {
        while (true)
        {
            LogWrite write = makeWrite();
            Task written;
            try
            {
                try
                {
                    written = _log.WriteAsync(write).AsTask();
                }
                catch (DuplicateMessageException)
                {
                    // The first one may still be under way, and fail: it was sent when what was handed in before now is on the disk.
                    await _log.WriteAsync(new EmptyWrite()).ConfigureAwait(false);
                    if (AreDuplicates(messages))
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
        return Array.Exists(messages, message => message.Receiver is not null && (message.Queue.IsSentId(message.GivenMessageId!) || !ids.Add((message.Queue, message.GivenMessageId!))));
    }

    private TransactionCoordinator[] GetCoordinators()
    {
        lock (_coordinators)
            return [.. _coordinators];
    }

    internal bool TryTakeCache(int byteCount)
    {
        if (Interlocked.Add(ref _cachedByteCount, byteCount) <= _options.CachedByteCount)
            return true;
        LeaveCache(byteCount);
        return false;
    }

    internal void LeaveCache(int byteCount) => Interlocked.Add(ref _cachedByteCount, -byteCount);
}
