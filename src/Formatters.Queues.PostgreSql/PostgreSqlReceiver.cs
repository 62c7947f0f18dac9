using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>The receiving side of a handle: the waiting receives, and the messages prefetched for them.</summary>
/// <remarks>
/// One task fetches while any receive waits. When the queue is empty it registers as waiting, fetches once more, and then waits for a notification.
/// Polling after 1, 2, 4 ... 5,000 ms finds messages of senders that did not see the registration, and messages locked by receivers that have ended.
/// Due times, expirations and lease ends are checked at their time.
/// <para>Messages that leave the table on receipt are fetched only for waiting receives, which wait until the answer arrives: no message is out of
/// the table without an owner.</para>
/// </remarks>
internal sealed partial class PostgreSqlReceiver
{
    private const int FirstFetchCount = 10;
    private const int MaxFetchCount = 10_000;
    private const int MaxFetchedByteCount = 32 << 20;
    private const double MaxSweepIntervalMs = 1000;

    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(5);

    private readonly Database _database;
    private readonly QueueTarget _target;
    private readonly QueueOptions _options;
    private readonly FetchStatement _fetch;
    private readonly MessageSelector? _selector;
    private readonly TimeSpan _fetchLease;
    private readonly Work _work;
    private readonly bool _locks;
    private readonly bool _isAhead;
    private readonly double _sweepIntervalMs = MaxSweepIntervalMs;
    private readonly TimeSpan _longestPause = LongestPause;
    private readonly string _address;
    private readonly string _queueName;

    private readonly WaitingReceives _waiting;

    /// <summary>Held while messages move from the table to the buffer, and by operations that must not miss them.</summary>
    private readonly SemaphoreSlim _fetchGate = new(1, 1);
    private volatile PostgreSqlSession? _session;
    private int _fetchCount = FirstFetchCount;
    private FetchResult _lastResult = FetchResult.Some;
    private long _lastSweep;
    private long _nextDue = long.MaxValue;

    internal PostgreSqlReceiver(Database database, QueueTarget target, QueueAddress address, QueueOptions options, MessageSelector? selector)
    {
        _database = database;
        _target = target;
        _options = options;
        _address = address.ToString();
        _queueName = address.QueueName;
        bool isTransactional = options.DeliveryMode == DeliveryMode.Transactional;
        bool isPeekLock = options.ReceiveMode == ReceiveMode.PeekLock && !isTransactional;
        // The delivery limit must be checked before a message is deleted.
        _locks = isPeekLock || isTransactional || options.MaxDeliveryCount > 0;
        // A message that is deleted on receipt and does not arrive is lost, unless the statement was not executed.
        _work = new Work("receive a message", _address, options.OperationTimeout) { ChangesSomething = !_locks };
        _selector = selector;
        _fetchLease = isPeekLock ? options.LeaseDuration : Timeout.InfiniteTimeSpan;
        _fetch = new FetchStatement(database.Statements, target, selector, _locks, _fetchLease);
        // Prefetched messages must have no running lease, must not count a delivery unless they are delivered, and must still be in the table.
        _isAhead = (isTransactional || options.LeaseDuration == Timeout.InfiniteTimeSpan) && options.MaxDeliveryCount == 0 && _locks;
        if (Mode == AcknowledgeMode.Lazy)
            _lazy = new LazyAcknowledger(Math.Clamp(options.PrefetchCount / 2, 1, 500), AcknowledgeNowAsync);
        _waiting = new WaitingReceives(_address, bindsWaiters: !IsPeekLock, FetchWhileWaitingAsync, NoteHandedOut);
        _settles = new BatchPump<Settlement>(10_000, long.MaxValue, AcknowledgeAsync);
        if (isPeekLock && options.LeaseDuration != Timeout.InfiniteTimeSpan)
        {
            LeaseDuration = options.LeaseDuration;
            _sweepIntervalMs = Math.Min(MaxSweepIntervalMs, options.LeaseDuration.TotalMilliseconds / 2);
            if (options.LeaseDuration < LongestPause)
                _longestPause = TimeSpan.FromMilliseconds(Math.Max(MaxSweepIntervalMs, options.LeaseDuration.TotalMilliseconds));
        }
    }

    /// <summary>Gets how long messages are locked; null for no limit.</summary>
    private TimeSpan? LeaseDuration { get; }

    internal QueueTarget Target => _target;

    internal string Address => _address;

    internal string QueueName => _queueName;

    internal TimeSpan OperationTimeout => _options.OperationTimeout;

    /// <summary>Gets whether a message stays locked when it is delivered.</summary>
    internal bool IsPeekLock => _options.ReceiveMode == ReceiveMode.PeekLock || _options.DeliveryMode == DeliveryMode.Transactional;

    /// <summary>Starts a lease, before the statement that locks the messages; null if they are locked without a limit.</summary>
    private Lease? StartLease() => LeaseDuration is { } duration ? new Lease(_database.Time, duration) : null;

    internal ValueTask<PostgreSqlMessage?> ReceiveAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        ReceiveWaiter waiter;
        lock (_waiting.Gate)
        {
            if (_waiting.IsClosed)
                throw _waiting.Closed();
            if (_waiting.Take() is { } message)
                return new(message);
            waiter = _waiting.Add(1, timeout, null, null);
        }

        return FirstAsync(waiter, timeout, cancellationToken);

        async ValueTask<PostgreSqlMessage?> FirstAsync(ReceiveWaiter waiter, TimeSpan timeout, CancellationToken cancellationToken) =>
            await _waiting.WaitAsync(waiter, timeout, cancellationToken).ConfigureAwait(false) is { } messages ? messages[0] : null;
    }

    /// <summary>Receives several messages: prefetched ones first, then more from the table.</summary>
    internal async ValueTask<IReadOnlyList<PostgreSqlMessage>> ReceiveAsync(int maxCount, TimeSpan timeout, CancellationToken cancellationToken)
    {
        ReceiveWaiter waiter;
        var messages = new List<PostgreSqlMessage>();
        lock (_waiting.Gate)
        {
            if (_waiting.IsClosed)
                throw _waiting.Closed();
            _waiting.Take(maxCount, messages);
            if (messages.Count == maxCount || (messages.Count > 0 && _lastResult != FetchResult.Full))
                return messages;
            waiter = _waiting.Add(maxCount - messages.Count, messages.Count > 0 ? TimeSpan.Zero : timeout, null, null);
        }

        if (messages.Count == 0)
            return await _waiting.WaitAsync(waiter, timeout, cancellationToken).ConfigureAwait(false) ?? [];
        try
        {
            // Prefetched messages are returned, whatever the further fetch finds.
            if (await _waiting.WaitAsync(waiter, TimeSpan.Zero, CancellationToken.None).ConfigureAwait(false) is { } more)
                messages.AddRange(more);
        }
        catch (UnreadableMessageException e)
        {
            _waiting.AddUnreadable(e);
        }
        catch (Exception e) when (e is QueueException or ObjectDisposedException)
        {
            // The next receive meets the error again.
        }

        return messages;
    }

    /// <summary>Receives the first message with a given id, ahead of others.</summary>
    /// <param name="column">The column of the id.</param>
    /// <param name="id">The id.</param>
    /// <param name="matches">Whether a message has it.</param>
    /// <param name="timeout">How long to wait.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    internal async ValueTask<PostgreSqlMessage?> ReceiveAsync(string column, string id, Predicate<PostgreSqlMessage> matches, TimeSpan timeout,
        CancellationToken cancellationToken)
    {
        var fetch = new FetchStatement(_database.Statements, _target, _selector, _locks, _fetchLease, (column, id));
        ReceiveWaiter waiter;
        lock (_waiting.Gate)
        {
            if (_waiting.IsClosed)
                throw _waiting.Closed();
            if (_waiting.Take(matches) is { } message)
                return message;
            waiter = _waiting.Add(1, timeout, fetch, matches);
        }

        return await _waiting.WaitAsync(waiter, timeout, cancellationToken).ConfigureAwait(false) is { } messages ? messages[0] : null;
    }

    /// <summary>Runs an operation while no message moves into the buffer.</summary>
    internal async Task<T> WithBufferAsync<T>(Func<int, Task<T>> operation, CancellationToken cancellationToken)
    {
        await _fetchGate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await operation(_session?.Id ?? 0).ConfigureAwait(false);
        }
        finally
        {
            _fetchGate.Release();
        }
    }

    /// <inheritdoc cref="WaitingReceives.PeekBuffer"/>
    internal List<PostgreSqlMessage> PeekBuffer() => _waiting.PeekBuffer();

    /// <inheritdoc cref="WaitingReceives.TakeBuffer"/>
    internal List<PostgreSqlMessage> TakeBuffer() => _waiting.TakeBuffer();

    /// <summary>Returns messages to the buffer, while no other moves there.</summary>
    internal void RestoreBuffer(List<PostgreSqlMessage> messages) => _waiting.HandOver(messages, lastNumber: 0);

    /// <summary>Fails the waiting receives, and returns all unsettled messages to the queue.</summary>
    internal async Task CloseAsync()
    {
        _waiting.Close();
        await _waiting.Loop.ConfigureAwait(false);
        if (_lazy is not null)
            await _lazy.DisposeAsync().ConfigureAwait(false);
        if (_session is not { } session)
            return;
        try
        {
            await GiveBackAllAsync(session, TakeBuffer()).ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // The server is unavailable. It frees the locks of ended sessions.
        }

        await session.DisposeAsync().ConfigureAwait(false);
    }

    private async Task FetchWhileWaitingAsync()
    {
        TimeSpan pause = FirstPause;
        try
        {
            while (_waiting.HasAny())
            {
                (bool isEmpty, CancellationToken wake) = await FetchOnceAsync().ConfigureAwait(false);
                if (!isEmpty)
                {
                    pause = FirstPause;
                }
                else if (_waiting.HasAny() && _session is { IsWaiting: true } session)
                {
                    // Bounded by the timeouts of other waiters, and by the next due time.
                    double dueMs = Math.Max(1, _nextDue - Environment.TickCount64);
                    await session.WaitAsync(pause.TotalMilliseconds < dueMs ? pause : TimeSpan.FromMilliseconds(dueMs), wake).ConfigureAwait(false);
                    pause = (pause * 2).AtMost(_longestPause);
                }
            }
        }
        catch (Exception e)
        {
            await FailAsync(e).ConfigureAwait(false);
        }
    }

    /// <summary>Fetches once, and hands over the messages found.</summary>
    private async Task<(bool IsEmpty, CancellationToken Wake)> FetchOnceAsync()
    {
        await _fetchGate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_waiting.BeginFetch() is not { } plan)
                return (true, CancellationToken.None);
            PostgreSqlSession session = _session ??= await PostgreSqlSession.OpenAsync(
                _database, _work, _target.Id, isDurable: !_locks && _options.DeliveryMode != DeliveryMode.Express).ConfigureAwait(false);
            (List<PostgreSqlMessage> messages, PostgreSqlMessage?[] byName) = await Database.WithinAsync(
                _work, token => FetchOnceAsync(session, (int)Math.Min(plan.WantedCount, MaxFetchCount), plan.Named, plan.WillWait, token), end: null,
                    CancellationToken.None).ConfigureAwait(false);
            _waiting.HandOver(plan.Named, byName, plan.LastNumber);
            _waiting.HandOver(messages, plan.LastNumber);
            return (messages.Count == 0 && Array.TrueForAll(byName, static message => message is null), plan.Wake);
        }
        finally
        {
            _waiting.EndFetch();
            _fetchGate.Release();
        }
    }

    private async Task<(List<PostgreSqlMessage> Messages, PostgreSqlMessage?[] ByName)> FetchOnceAsync(
        PostgreSqlSession session, int wanted, ReceiveWaiter[] named, bool willWait, CancellationToken cancellationToken)
    {
        long now = Environment.TickCount64;
        bool mustSweep = now - _lastSweep > _sweepIntervalMs || now >= _nextDue;
        if (mustSweep)
            await SweepAsync(session, cancellationToken).ConfigureAwait(false);

        // Registers as waiting before the fetch, so that anything sent after it causes a notification.
        NpgsqlBatchCommand? before = _lastResult == FetchResult.Nothing && willWait ? session.StartWaiting() : _lastResult == FetchResult.Full
            ? session.StopWaiting() : null;
        PostgreSqlMessage?[] byName = new PostgreSqlMessage?[named.Length];
        if (named.Length > 0)
        {
            if (before is not null)
                await session.RunAsync(before, cancellationToken).ConfigureAwait(false);
            before = null;
            await FetchEachAsync(session, named, byName, cancellationToken).ConfigureAwait(false);
        }

        List<PostgreSqlMessage> messages = wanted > 0 ? await FetchAsync(session, wanted, before, cancellationToken).ConfigureAwait(false) : [];
        bool isEmpty = messages.Count == 0 && Array.TrueForAll(byName, static message => message is null);
        if (wanted == 0)
            _lastResult = isEmpty ? FetchResult.Nothing : FetchResult.Some;
        if (isEmpty && !mustSweep && await SweepAsync(session, cancellationToken).ConfigureAwait(false))
        {
            await FetchEachAsync(session, named, byName, cancellationToken).ConfigureAwait(false);
            if (wanted > 0)
                messages = await FetchAsync(session, wanted, null, cancellationToken).ConfigureAwait(false);
        }

        return (messages, byName);
    }

    /// <summary>Fetches messages by id, one per waiter that waits for an id.</summary>
    private async Task FetchEachAsync(PostgreSqlSession session, ReceiveWaiter[] named, PostgreSqlMessage?[] byName,
        CancellationToken cancellationToken)
    {
        if (named.Length == 0)
            return;
        Lease? lease = StartLease();
        await session.FetchEachAsync(
            [.. named.Select(waiter => waiter.Fetch!.Create(1, session.Id))],
            (i, row) => byName[i] = new PostgreSqlMessage(row, this, _locks ? session.Id : null, lease),
            cancellationToken).ConfigureAwait(false);
        for (int i = 0; i < byName.Length; i++)
        {
            if (byName[i] is not { } message)
                continue;
            List<PostgreSqlMessage> one = [message];
            await RemoveUnreadableAsync(session, one).ConfigureAwait(false);
            if (one.Count == 0)
                byName[i] = null;
            else if (_locks && _options.MaxDeliveryCount > 0)
                byName[i] = (await KeepDeliverableAsync([message]).ConfigureAwait(false)).FirstOrDefault();
        }
    }

    /// <summary>Unlocks messages of ended sessions, and deletes expired ones.</summary>
    /// <returns>Whether there may be more to receive now.</returns>
    private async Task<bool> SweepAsync(PostgreSqlSession session, CancellationToken cancellationToken)
    {
        _lastSweep = Environment.TickCount64;
        (bool? hasMore, TimeSpan nextDue) = await session.SweepAsync(_target.DeadLetterId, _queueName, cancellationToken).ConfigureAwait(false);
        // Slightly late rather than too early, which would need another check.
        _nextDue = Environment.TickCount64 + (long)Math.Ceiling(nextDue.TotalMilliseconds) + 1;
        return hasMore ?? throw new QueueException($"Could not receive a message: '{_address}' was deleted.") { Code = QueueErrorCode.QueueDeleted };
    }

    private async Task<List<PostgreSqlMessage>> FetchAsync(PostgreSqlSession session, int wanted, NpgsqlBatchCommand? before,
        CancellationToken cancellationToken)
    {
        int count = _isAhead ? Math.Clamp(wanted, Math.Min(_fetchCount, _options.PrefetchCount), Math.Max(wanted, _options.PrefetchCount)) : wanted;
        Lease? lease = StartLease();
        while (true)
        {
            var messages = new List<PostgreSqlMessage>();
            long byteCount = 0;
            await session.FetchAsync(
                before,
                _fetch.Create(count, session.Id),
                row =>
                {
                    var message = new PostgreSqlMessage(row, this, _locks ? session.Id : null, lease);
                    byteCount += message.Body.ByteCount;
                    messages.Add(message);
                },
                cancellationToken).ConfigureAwait(false);
            _database.DeadRows.Note(messages.Count);
            int fetched = messages.Count;
            await RemoveUnreadableAsync(session, messages).ConfigureAwait(false);
            _lastResult = fetched == 0 ? FetchResult.Nothing : fetched < count ? FetchResult.Some : FetchResult.Full;
            if (_lastResult == FetchResult.Full)
                _fetchCount = (int)Math.Clamp(MaxFetchedByteCount / Math.Max(1, byteCount / count), 1, 4L * count);

            if (!_locks && messages.Exists(static message => message.AcknowledgeTypes != AcknowledgeTypes.None))
                await session.RunAsync(_database.Statements.NotifyOf(Acknowledgments.AdministrationQueuesOf(messages)), cancellationToken)
                    .ConfigureAwait(false);

            // The statement returns rows in any order.
            messages.Sort(static (a, b) => a.Priority != b.Priority ? b.Priority - a.Priority : a.Id.CompareTo(b.Id));
            if (messages.Count == 0 && fetched > 0)
            {
                before = null;
                continue;
            }

            if (!_locks || _options.MaxDeliveryCount == 0 || messages.Count == 0)
                return messages;
            if (await KeepDeliverableAsync(messages).ConfigureAwait(false) is { Count: > 0 } deliverable)
                return deliverable;
            before = null;
        }
    }

    private async Task FailAsync(Exception e)
    {
        Exception error = _database.Explain(e, _work, CancellationToken.None);
        PostgreSqlSession? session;
        ReceiveWaiter[] waiters;
        await _fetchGate.WaitAsync().ConfigureAwait(false);
        try
        {
            lock (_waiting.Gate)
            {
                // Prefetched messages are unlocked with the session that has locked them.
                waiters = _waiting.Reset();
                session = _session;
                _session = null;
            }
        }
        finally
        {
            _fetchGate.Release();
        }

        foreach (ReceiveWaiter waiter in waiters)
            waiter.TrySetException(_waiting.IsClosed ? _waiting.Closed() : error);
        // Not awaited: closing takes long if the server does not answer.
        if (session is not null)
            _ = session.DisposeAsync().AsTask();
    }

    /// <summary>The result of the last fetch.</summary>
    private enum FetchResult
    {
        Nothing,
        Some,

        /// <summary>As many messages as requested.</summary>
        Full,
    }
}
