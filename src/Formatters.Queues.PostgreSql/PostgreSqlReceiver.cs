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

    private readonly Lock _gate = new();
    private readonly LinkedList<Waiter> _waiters = new();
    private readonly Queue<PostgreSqlMessage> _buffer = new();
    private CancellationTokenSource _wake = new();
    private Task _loop = Task.CompletedTask;
    private long _lastNumber;
    private bool _isRunning;
    private bool _isDisposed;

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
        Waiter waiter;
        lock (_gate)
        {
            if (_isDisposed)
                throw Disposed();
            if (!HasOthersWaiting() && _buffer.TryDequeue(out PostgreSqlMessage? message))
            {
                NoteHandedOut(message);
                return new(message);
            }

            waiter = AddWaiter(1, timeout, null, null);
        }

        return FirstAsync(waiter, timeout, cancellationToken);

        async ValueTask<PostgreSqlMessage?> FirstAsync(Waiter waiter, TimeSpan timeout, CancellationToken cancellationToken) =>
            await WaitAsync(waiter, timeout, cancellationToken).ConfigureAwait(false) is { } messages ? messages[0] : null;
    }

    /// <summary>Receives several messages: prefetched ones first, then more from the table.</summary>
    internal async ValueTask<IReadOnlyList<PostgreSqlMessage>> ReceiveAsync(int maxCount, TimeSpan timeout, CancellationToken cancellationToken)
    {
        Waiter waiter;
        var messages = new List<PostgreSqlMessage>();
        lock (_gate)
        {
            if (_isDisposed)
                throw Disposed();
            if (!HasOthersWaiting())
            {
                while (messages.Count < maxCount && _buffer.TryDequeue(out PostgreSqlMessage? message))
                {
                    NoteHandedOut(message);
                    messages.Add(message);
                }
            }

            if (messages.Count == maxCount || (messages.Count > 0 && _lastResult != FetchResult.Full))
                return messages;
            waiter = AddWaiter(maxCount - messages.Count, messages.Count > 0 ? TimeSpan.Zero : timeout, null, null);
        }

        if (messages.Count == 0)
            return await WaitAsync(waiter, timeout, cancellationToken).ConfigureAwait(false) ?? [];
        try
        {
            // Prefetched messages are returned, whatever the further fetch finds.
            if (await WaitAsync(waiter, TimeSpan.Zero, CancellationToken.None).ConfigureAwait(false) is { } more)
                messages.AddRange(more);
        }
        catch (UnreadableMessageException e)
        {
            lock (_gate)
                _unreadable.Enqueue(e);
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
        Waiter waiter;
        lock (_gate)
        {
            if (_isDisposed)
                throw Disposed();
            if (TakeFromBuffer(matches) is { } message)
            {
                NoteHandedOut(message);
                return message;
            }

            waiter = AddWaiter(1, timeout, fetch, matches);
        }

        return await WaitAsync(waiter, timeout, cancellationToken).ConfigureAwait(false) is { } messages ? messages[0] : null;
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

    /// <summary>Returns a copy of the prefetched messages.</summary>
    internal List<PostgreSqlMessage> PeekBuffer()
    {
        lock (_gate)
            return [.. _buffer];
    }

    /// <summary>Removes and returns the prefetched messages, which are in the table, locked.</summary>
    internal List<PostgreSqlMessage> TakeBuffer()
    {
        lock (_gate)
        {
            List<PostgreSqlMessage> messages = [.. _buffer];
            _buffer.Clear();
            return messages;
        }
    }

    /// <summary>Returns messages to the buffer, while no other moves there.</summary>
    internal void RestoreBuffer(List<PostgreSqlMessage> messages) => HandOver(messages, lastNumber: 0);

    /// <summary>Fails the waiting receives, and returns all unsettled messages to the queue.</summary>
    internal async Task CloseAsync()
    {
        Waiter[] waiters;
        lock (_gate)
        {
            _isDisposed = true;
            waiters = TakeWaiters(static waiter => !waiter.IsBound);
            _wake.Cancel();
        }

        foreach (Waiter waiter in waiters)
            waiter.TrySetException(Disposed());
        await _loop.ConfigureAwait(false);
        await FlushQuietlyAsync().ConfigureAwait(false);
        if (_lazyTimer is not null)
            await _lazyTimer.DisposeAsync().ConfigureAwait(false);
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

    /// <summary>Determines whether a receive waits for any message; call with the gate held.</summary>
    private bool HasOthersWaiting()
    {
        foreach (Waiter waiter in _waiters)
        {
            if (waiter.Fetch is null)
                return true;
        }

        return false;
    }

    /// <summary>Adds a waiter; call with the gate held.</summary>
    private Waiter AddWaiter(int maxCount, TimeSpan timeout, FetchStatement? fetch, Predicate<PostgreSqlMessage>? matches)
    {
        var waiter = new Waiter(++_lastNumber, maxCount, isLastFetch: timeout == TimeSpan.Zero, fetch, matches);
        _waiters.AddLast(waiter.Node);
        WakeOrStart();
        return waiter;
    }

    /// <summary>Removes the first matching prefetched message; call with the gate held.</summary>
    private PostgreSqlMessage? TakeFromBuffer(Predicate<PostgreSqlMessage> matches)
    {
        PostgreSqlMessage? found = null;
        for (int i = _buffer.Count; i > 0; i--)
        {
            PostgreSqlMessage message = _buffer.Dequeue();
            if (found is null && matches(message))
                found = message;
            else
                _buffer.Enqueue(message);
        }

        return found;
    }

    private async Task<IReadOnlyList<PostgreSqlMessage>?> WaitAsync(Waiter waiter, TimeSpan timeout, CancellationToken cancellationToken)
    {
        CancellationTokenRegistration cancellation = default;
        try
        {
            cancellation = cancellationToken.UnsafeRegister(
                static (state, token) =>
                {
                    (PostgreSqlReceiver receiver, Waiter given) = ((PostgreSqlReceiver, Waiter))state!;
                    receiver.Cancel(given, token);
                },
                (this, waiter));
            if (timeout != TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan)
            {
                await ((Task)waiter.Task).WaitAsync(timeout, CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (!waiter.Task.IsCompleted)
                    FetchOnceMore(waiter);
            }
        }
        catch (Exception e)
        {
            // A waiter left in the queue would take a message that is never received. If a message is on its way, it is still delivered.
            Fail(waiter, e);
        }

        IReadOnlyList<PostgreSqlMessage>? messages;
        using (cancellation)
            messages = await waiter.Task.ConfigureAwait(false);
        if (messages is null && waiter.Task.IsCompletedSuccessfully)
            Remove(waiter);
        return messages;
    }

    /// <summary>
    /// Ends the wait at its timeout: it gets what the next fetch finds, unless an earlier one found the queue empty since it began.
    /// </summary>
    private void FetchOnceMore(Waiter waiter)
    {
        lock (_gate)
        {
            if (waiter.HasFetched && !waiter.IsBound)
            {
                waiter.TrySetResult(null);
                return;
            }

            waiter.IsLastFetch = true;
            WakeOrStart();
        }
    }

    /// <summary>Cancels a waiter: immediately, or when a message that may be on its way has not arrived.</summary>
    private void Cancel(Waiter waiter, CancellationToken token)
    {
        lock (_gate)
        {
            if (waiter.IsBound)
                waiter.Cancellation = token;
            else
                waiter.TrySetCanceled(token);
        }
    }

    /// <summary>Fails a waiter, unless a message may be on its way to it.</summary>
    private void Fail(Waiter waiter, Exception error)
    {
        lock (_gate)
        {
            waiter.IsLastFetch = true;
            if (!waiter.IsBound)
                waiter.TrySetException(error);
        }
    }

    private void Remove(Waiter waiter)
    {
        lock (_gate)
        {
            if (waiter.Node.List is not null)
                _waiters.Remove(waiter.Node);
        }
    }

    private void WakeOrStart()
    {
        if (_isRunning)
        {
            _wake.Cancel();
            return;
        }

        _isRunning = true;
        _loop = RunAsync();
    }

    private async Task RunAsync()
    {
        TimeSpan pause = FirstPause;
        try
        {
            while (HasWaiters())
            {
                (bool isEmpty, CancellationToken wake) = await FetchOnceAsync().ConfigureAwait(false);
                if (!isEmpty)
                {
                    pause = FirstPause;
                }
                else if (HasWaiters() && _session is { IsWaiting: true } session)
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

    /// <summary>Determines whether any receive waits; if not, the fetch loop ends.</summary>
    private bool HasWaiters()
    {
        lock (_gate)
        {
            for (LinkedListNode<Waiter>? node = _waiters.First; node is not null;)
            {
                LinkedListNode<Waiter>? next = node.Next;
                if (node.Value.Task.IsCompleted)
                    _waiters.Remove(node);
                node = next;
            }

            return _isRunning = _waiters.Count > 0;
        }
    }

    /// <summary>Fetches once, and hands over the messages found.</summary>
    private async Task<(bool IsEmpty, CancellationToken Wake)> FetchOnceAsync()
    {
        await _fetchGate.WaitAsync().ConfigureAwait(false);
        try
        {
            CancellationToken wake;
            long wanted;
            bool willWait;
            long lastNumber;
            Waiter[] named;
            lock (_gate)
            {
                if (_isDisposed)
                    return (true, CancellationToken.None);
                // A receive added from now on may be missed by this fetch, so it sets the wake signal.
                if (_wake.IsCancellationRequested)
                    _wake = new CancellationTokenSource();
                wake = _wake.Token;
                foreach (Waiter waiter in _waiters)
                    waiter.IsBound = !IsPeekLock && !waiter.Task.IsCompleted;
                wanted = _waiters.Where(waiter => waiter.Fetch is null && (IsPeekLock || waiter.IsBound)).Sum(static waiter => (long)waiter.MaxCount);
                named = [.. _waiters.Where(static waiter => waiter.Fetch is not null && !waiter.Task.IsCompleted)];
                willWait = _waiters.Any(waiter => !waiter.IsLastFetch);
                lastNumber = _lastNumber;
            }

            PostgreSqlSession session = _session ??= await PostgreSqlSession.OpenAsync(
                _database, _work, _target.Id, isDurable: !_locks && _options.DeliveryMode != DeliveryMode.Express).ConfigureAwait(false);
            (List<PostgreSqlMessage> messages, PostgreSqlMessage?[] byName) = await Database.WithinAsync(
                _work, token => FetchOnceAsync(session, (int)Math.Min(wanted, MaxFetchCount), named, willWait, token), end: null,
                    CancellationToken.None).ConfigureAwait(false);
            HandOver(named, byName, lastNumber);
            HandOver(messages, lastNumber);
            return (messages.Count == 0 && Array.TrueForAll(byName, static message => message is null), wake);
        }
        finally
        {
            Unbind();
            _fetchGate.Release();
        }
    }

    /// <summary>Ends the fetch: no message is on its way, so canceled waiters are removed, and all are if the queue is closed.</summary>
    private void Unbind()
    {
        lock (_gate)
        {
            foreach (Waiter waiter in _waiters)
            {
                waiter.IsBound = false;
                if (waiter.Cancellation is { } token)
                    waiter.TrySetCanceled(token);
                else if (_isDisposed)
                    waiter.TrySetException(Disposed());
            }
        }
    }

    private async Task<(List<PostgreSqlMessage> Messages, PostgreSqlMessage?[] ByName)> FetchOnceAsync(
        PostgreSqlSession session, int wanted, Waiter[] named, bool willWait, CancellationToken cancellationToken)
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
    private async Task FetchEachAsync(PostgreSqlSession session, Waiter[] named, PostgreSqlMessage?[] byName, CancellationToken cancellationToken)
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

    private void HandOver(List<PostgreSqlMessage> messages, long lastNumber)
    {
        lock (_gate)
        {
            int next = 0;
            for (LinkedListNode<Waiter>? node = _waiters.First; next < messages.Count && node is not null;)
            {
                LinkedListNode<Waiter>? following = node.Next;
                if (node.Value.Fetch is null)
                {
                    _waiters.Remove(node);
                    List<PostgreSqlMessage> some = messages.GetRange(next, Math.Min(node.Value.MaxCount, messages.Count - next));
                    // A canceled waiter takes nothing. Messages that have left the table were fetched for waiters that cannot be canceled.
                    if (node.Value.TrySetResult(some))
                    {
                        some.ForEach(NoteHandedOut);
                        next += some.Count;
                    }
                }

                node = following;
            }

            for (; next < messages.Count; next++)
                Keep(messages[next]);
            ReportUnreadable();
            if (messages.Count == 0)
                CompleteLastFetches(lastNumber, static waiter => waiter.Fetch is null);
        }
    }

    /// <summary>Hands messages found by id to their waiters.</summary>
    private void HandOver(Waiter[] named, PostgreSqlMessage?[] byName, long lastNumber)
    {
        lock (_gate)
        {
            for (int i = 0; i < named.Length; i++)
            {
                if (byName[i] is not { } message)
                    continue;
                if (named[i].Node.List is not null)
                    _waiters.Remove(named[i].Node);
                if (named[i].TrySetResult([message]))
                    NoteHandedOut(message);
                else
                    Keep(message);
            }

            CompleteLastFetches(lastNumber, static waiter => waiter.Fetch is not null);
        }
    }

    /// <summary>Stores a message for the next receive, by id or for any message. Call with the gate held.</summary>
    private void Keep(PostgreSqlMessage message)
    {
        for (LinkedListNode<Waiter>? node = _waiters.First; node is not null; node = node.Next)
        {
            if (node.Value.Matches?.Invoke(message) == true && node.Value.TrySetResult([message]))
            {
                _waiters.Remove(node);
                NoteHandedOut(message);
                return;
            }
        }

        _buffer.Enqueue(message);
    }

    /// <summary>Completes the waiters that arrived before an empty fetch began. Call with the gate held.</summary>
    private void CompleteLastFetches(long lastNumber, Func<Waiter, bool> which)
    {
        // Later waiters arrived after the fetch had begun.
        for (LinkedListNode<Waiter>? node = _waiters.First; node is not null && node.Value.Number <= lastNumber; node = node.Next)
        {
            if (!which(node.Value))
                continue;
            node.Value.HasFetched = true;
            if (node.Value.IsLastFetch)
                node.Value.TrySetResult(null);
        }
    }

    private async Task FailAsync(Exception e)
    {
        Exception error = _database.Explain(e, _work, CancellationToken.None);
        PostgreSqlSession? session;
        Waiter[] waiters;
        await _fetchGate.WaitAsync().ConfigureAwait(false);
        try
        {
            lock (_gate)
            {
                _isRunning = false;
                waiters = TakeWaiters(static _ => true);
                // Prefetched messages are unlocked with the session that has locked them.
                _buffer.Clear();
                session = _session;
                _session = null;
            }

        }
        finally
        {
            _fetchGate.Release();
        }

        foreach (Waiter waiter in waiters)
            waiter.TrySetException(_isDisposed ? Disposed() : error);
        // Not awaited: closing takes long if the server does not answer.
        if (session is not null)
            _ = session.DisposeAsync().AsTask();
    }

    private Waiter[] TakeWaiters(Func<Waiter, bool> which)
    {
        Waiter[] waiters = [.. _waiters.Where(which)];
        foreach (Waiter waiter in waiters)
            _waiters.Remove(waiter.Node);
        return waiters;
    }

    private ObjectDisposedException Disposed() => new(nameof(QueueClient), $"'{_address}' is closed.");

    /// <summary>The result of the last fetch.</summary>
    private enum FetchResult
    {
        Nothing,
        Some,

        /// <summary>As many messages as requested.</summary>
        Full,
    }

    /// <summary>A receive that waits for a message.</summary>
    private sealed class Waiter : TaskCompletionSource<IReadOnlyList<PostgreSqlMessage>?>
    {
        internal Waiter(long number, int maxCount, bool isLastFetch, FetchStatement? fetch, Predicate<PostgreSqlMessage>? matches)
            : base(TaskCreationOptions.RunContinuationsAsynchronously)
        {
            Number = number;
            MaxCount = maxCount;
            IsLastFetch = isLastFetch;
            Fetch = fetch;
            Matches = matches;
            Node = new LinkedListNode<Waiter>(this);
        }

        internal LinkedListNode<Waiter> Node { get; }

        /// <summary>Gets the number of the waiter, in order of arrival.</summary>
        internal long Number { get; }

        /// <summary>Gets the maximum number of messages to take.</summary>
        internal int MaxCount { get; }

        /// <summary>Gets the statement that finds the message to wait for; null for any message.</summary>
        internal FetchStatement? Fetch { get; }

        /// <summary>Gets the predicate of the message to wait for; null for any message.</summary>
        internal Predicate<PostgreSqlMessage>? Matches { get; }

        /// <summary>Gets or sets whether the wait ends with the next fetch if that finds nothing.</summary>
        internal bool IsLastFetch { get; set; }

        /// <summary>Gets or sets whether a fetch that began after its arrival has found nothing.</summary>
        internal bool HasFetched { get; set; }

        /// <summary>
        /// Gets or sets whether a message that is deleted on receipt may be on its way to it; it then takes the message even if canceled.
        /// </summary>
        internal bool IsBound { get; set; }

        /// <summary>Gets or sets the token that canceled the wait.</summary>
        internal CancellationToken? Cancellation { get; set; }
    }
}
