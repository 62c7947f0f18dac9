using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>The receiving side of a handle: those who wait, and what was fetched ahead for them.</summary>
/// <remarks>
/// One task fetches, as long as somebody waits. When the queue is empty it tells the senders that it waits, looks once more, and then waits for a notification; a look
/// after 1, 2, 4 ... 1,000 ms finds what a sender that did not see it waiting has committed meanwhile.
/// <para>What leaves the table on receipt is fetched only for those who wait, and they wait until the answer is there: nothing is out of the table and in nobody's hand.</para>
/// </remarks>
internal sealed partial class PostgreSqlReceiver
{
    private const int FirstFetchCount = 10;
    private const int MaxFetchedByteCount = 32 << 20;
    private const double MaxSweepIntervalMs = 1000;

    private static readonly TimeSpan FirstLook = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LastLook = TimeSpan.FromSeconds(1);

    private readonly Database _database;
    private readonly QueueTarget _target;
    private readonly QueueOptions _options;
    private readonly FetchStatement _fetch;
    private readonly Work _work;
    private readonly bool _locks;
    private readonly bool _isAhead;
    private readonly double _sweepIntervalMs = MaxSweepIntervalMs;
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

    /// <summary>Held while messages are on their way from the table into the buffer, and by whoever must not overlook these.</summary>
    private readonly SemaphoreSlim _fetchGate = new(1, 1);
    private volatile PostgreSqlSession? _session;
    private int _fetchCount = FirstFetchCount;
    private Found _found = Found.Some;
    private long _lastSweep;

    internal PostgreSqlReceiver(Database database, QueueTarget target, QueueAddress address, QueueOptions options, MessageSelector? selector)
    {
        _database = database;
        _target = target;
        _options = options;
        _address = address.ToString();
        _queueName = address.QueueName;
        bool isTransactional = options.DeliveryMode == DeliveryMode.Transactional;
        bool isPeekLock = options.ReceiveMode == ReceiveMode.PeekLock && !isTransactional;
        // A message that was delivered too often must be seen before it is taken out.
        _locks = isPeekLock || isTransactional || options.MaxDeliveryCount > 0;
        // What is taken out for good and does not arrive is lost, unless it was not taken out.
        _work = new Work("receive a message", _address, options.OperationTimeout) { ChangesSomething = !_locks };
        _fetch = new FetchStatement(database.Statements, target, selector, _locks, isPeekLock ? options.LeaseDuration : Timeout.InfiniteTimeSpan);
        // What is fetched ahead must have no lease that runs, must be no delivery that counts if it is never handed out, and must not have left the table.
        _isAhead = (isTransactional || options.LeaseDuration == Timeout.InfiniteTimeSpan) && options.MaxDeliveryCount == 0 && _locks;
        _settles = new BatchPump<Settlement>(10_000, long.MaxValue, AcknowledgeAsync);
        if (isPeekLock && options.LeaseDuration != Timeout.InfiniteTimeSpan)
        {
            LeaseDuration = options.LeaseDuration;
            _sweepIntervalMs = Math.Min(MaxSweepIntervalMs, options.LeaseDuration.TotalMilliseconds / 2);
        }
    }

    /// <summary>How long messages are locked at most; null without end.</summary>
    private TimeSpan? LeaseDuration { get; }

    internal QueueTarget Target => _target;

    internal string Address => _address;

    internal string QueueName => _queueName;

    internal TimeSpan OperationTimeout => _options.OperationTimeout;

    /// <summary>Whether a message stays locked when it is handed over.</summary>
    internal bool IsPeekLock => _options.ReceiveMode == ReceiveMode.PeekLock || _options.DeliveryMode == DeliveryMode.Transactional;

    internal ValueTask<PostgreSqlMessage?> ReceiveAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        Waiter waiter;
        lock (_gate)
        {
            if (_isDisposed)
                throw Disposed();
            if (_waiters.Count == 0 && _buffer.TryDequeue(out PostgreSqlMessage? message))
            {
                NoteHandedOut(message);
                return new(message);
            }

            waiter = new Waiter(++_lastNumber, isLastLook: timeout == TimeSpan.Zero);
            _waiters.AddLast(waiter.Node);
            WakeOrStart();
        }

        return new(WaitAsync(waiter, timeout, cancellationToken));
    }

    /// <summary>Runs an operation while nothing is on its way into the buffer.</summary>
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

    /// <summary>What was fetched ahead.</summary>
    internal List<PostgreSqlMessage> PeekBuffer()
    {
        lock (_gate)
            return [.. _buffer];
    }

    /// <summary>Takes what was fetched ahead: it is in the table, locked.</summary>
    internal List<PostgreSqlMessage> TakeBuffer()
    {
        lock (_gate)
        {
            List<PostgreSqlMessage> messages = [.. _buffer];
            _buffer.Clear();
            return messages;
        }
    }

    /// <summary>Puts back what was taken from the buffer, while nothing else is on its way there.</summary>
    internal void RestoreBuffer(List<PostgreSqlMessage> messages) => HandOver(messages, lastNumber: 0);

    /// <summary>Fails those who wait, and gives everything back that is not settled.</summary>
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
            // The server is gone. It gives back by itself what a session had locked that has ended.
        }

        await session.DisposeAsync().ConfigureAwait(false);
    }

    private async Task<PostgreSqlMessage?> WaitAsync(Waiter waiter, TimeSpan timeout, CancellationToken cancellationToken)
    {
        using CancellationTokenRegistration cancellation = cancellationToken.UnsafeRegister(
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
                LookForTheLastTime(waiter);
        }

        PostgreSqlMessage? message = await waiter.Task.ConfigureAwait(false);
        if (message is null && waiter.Task.IsCompletedSuccessfully)
            Remove(waiter);
        return message;
    }

    /// <summary>The waiter's time is over: it gets what the next look finds, if none has found the queue empty since it came.</summary>
    private void LookForTheLastTime(Waiter waiter)
    {
        lock (_gate)
        {
            if (waiter.HasLooked && !waiter.IsBound)
            {
                waiter.TrySetResult(null);
                return;
            }

            waiter.IsLastLook = true;
            WakeOrStart();
        }
    }

    /// <summary>The waiter gives up: now, or when the message that may be on its way to it has not come.</summary>
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
        TimeSpan pause = FirstLook;
        try
        {
            while (HasWaiters())
            {
                (bool isEmpty, CancellationToken wake) = await LookAsync().ConfigureAwait(false);
                if (!isEmpty)
                {
                    pause = FirstLook;
                }
                else if (HasWaiters() && _session is { IsWaiting: true } session)
                {
                    // Not beyond the last look of others: those wake this.
                    await session.WaitAsync(pause, wake).ConfigureAwait(false);
                    pause = pause * 2 < LastLook ? pause * 2 : LastLook;
                }
            }
        }
        catch (Exception e)
        {
            await FailAsync(e).ConfigureAwait(false);
        }
    }

    /// <summary>Whether somebody waits; if not, this loop has ended.</summary>
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

    /// <summary>Looks once, and hands over what there is.</summary>
    private async Task<(bool IsEmpty, CancellationToken Wake)> LookAsync()
    {
        await _fetchGate.WaitAsync().ConfigureAwait(false);
        try
        {
            CancellationToken wake;
            int waiterCount;
            bool hasPatience;
            long lastNumber;
            lock (_gate)
            {
                if (_isDisposed)
                    return (true, CancellationToken.None);
                // Whoever comes from now on may be overlooked, and wakes.
                if (_wake.IsCancellationRequested)
                    _wake = new CancellationTokenSource();
                wake = _wake.Token;
                foreach (Waiter waiter in _waiters)
                    waiter.IsBound = !IsPeekLock && !waiter.Task.IsCompleted;
                waiterCount = IsPeekLock ? _waiters.Count : _waiters.Count(static waiter => waiter.IsBound);
                hasPatience = _waiters.Any(waiter => !waiter.IsLastLook);
                lastNumber = _lastNumber;
            }

            PostgreSqlSession session = _session ??= await PostgreSqlSession.OpenAsync(
                _database, _work, _target.Id, isDurable: !_locks && _options.DeliveryMode != DeliveryMode.Express).ConfigureAwait(false);
            List<PostgreSqlMessage> messages = await Database.WithinAsync(
                _work, token => LookAsync(session, waiterCount, hasPatience, token), end: null, CancellationToken.None).ConfigureAwait(false);
            HandOver(messages, lastNumber);
            return (messages.Count == 0, wake);
        }
        finally
        {
            Unbind();
            _fetchGate.Release();
        }
    }

    /// <summary>No message is on its way: whoever has given up meanwhile goes, and all do when the queue is closed.</summary>
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

    private async Task<List<PostgreSqlMessage>> LookAsync(PostgreSqlSession session, int waiterCount, bool hasPatience, CancellationToken cancellationToken)
    {
        bool mustSweep = Environment.TickCount64 - _lastSweep > _sweepIntervalMs;
        if (mustSweep)
            await SweepAsync(session, cancellationToken).ConfigureAwait(false);

        // Waiting is said before the look that it follows, so that whatever is sent after the look notifies.
        NpgsqlBatchCommand? before = _found == Found.Nothing && hasPatience ? session.StartWaiting() : _found == Found.Plenty ? session.StopWaiting() : null;
        List<PostgreSqlMessage> messages = await FetchAsync(session, waiterCount, before, cancellationToken).ConfigureAwait(false);
        if (messages.Count == 0 && !mustSweep && await SweepAsync(session, cancellationToken).ConfigureAwait(false))
            messages = await FetchAsync(session, waiterCount, null, cancellationToken).ConfigureAwait(false);
        return messages;
    }

    /// <summary>Frees what is nobody's, drops what has expired.</summary>
    /// <returns>Whether there may be more to receive now.</returns>
    private async Task<bool> SweepAsync(PostgreSqlSession session, CancellationToken cancellationToken)
    {
        _lastSweep = Environment.TickCount64;
        return await session.SweepAsync(_target.DeadLetterId, _queueName, cancellationToken).ConfigureAwait(false)
            ?? throw new QueueException($"Could not receive a message: '{_address}' was deleted.");
    }

    private async Task<List<PostgreSqlMessage>> FetchAsync(PostgreSqlSession session, int waiterCount, NpgsqlBatchCommand? before, CancellationToken cancellationToken)
    {
        int count = _isAhead ? Math.Clamp(waiterCount, Math.Min(_fetchCount, _options.PrefetchCount), Math.Max(waiterCount, _options.PrefetchCount)) : waiterCount;
        DateTimeOffset? leaseEnd = DateTimeOffset.UtcNow + LeaseDuration;
        while (true)
        {
            var messages = new List<PostgreSqlMessage>();
            long byteCount = 0;
            await session.FetchAsync(
                before,
                _fetch.Create(count, session.Id),
                row =>
                {
                    var message = new PostgreSqlMessage(row, this, _locks ? session.Id : null, leaseEnd);
                    byteCount += message.Body.ByteCount;
                    messages.Add(message);
                },
                cancellationToken).ConfigureAwait(false);
            _found = messages.Count == 0 ? Found.Nothing : messages.Count < count ? Found.Some : Found.Plenty;
            if (_found == Found.Plenty)
                _fetchCount = (int)Math.Clamp(MaxFetchedByteCount / Math.Max(1, byteCount / count), 1, 4L * count);

            // The rows come in any order.
            messages.Sort(static (a, b) => a.Priority != b.Priority ? b.Priority - a.Priority : a.Id.CompareTo(b.Id));
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
            while (next < messages.Count && _waiters.First is { } first)
            {
                _waiters.RemoveFirst();
                // One whose wait was cancelled takes nothing; what has left the table was fetched for those whose wait cannot be.
                if (first.Value.TrySetResult(messages[next]))
                    NoteHandedOut(messages[next++]);
            }

            for (; next < messages.Count; next++)
                _buffer.Enqueue(messages[next]);
            if (messages.Count > 0)
                return;
            // Those behind came after the look had begun.
            for (LinkedListNode<Waiter>? node = _waiters.First; node is not null && node.Value.Number <= lastNumber; node = node.Next)
            {
                node.Value.HasLooked = true;
                if (node.Value.IsLastLook)
                    node.Value.TrySetResult(null);
            }
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
                // What was fetched ahead goes back with the session that has locked it.
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
        // Not waited for: with a server that does not answer it takes its time.
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

    private ObjectDisposedException Disposed() => new(nameof(IMessageQueue), $"'{_address}' is closed.");

    /// <summary>What the last look has found.</summary>
    private enum Found
    {
        Nothing,
        Some,

        /// <summary>As many as were asked for.</summary>
        Plenty,
    }

    /// <summary>Somebody who waits for a message.</summary>
    private sealed class Waiter : TaskCompletionSource<PostgreSqlMessage?>
    {
        internal Waiter(long number, bool isLastLook)
            : base(TaskCreationOptions.RunContinuationsAsynchronously)
        {
            Number = number;
            IsLastLook = isLastLook;
            Node = new LinkedListNode<Waiter>(this);
        }

        internal LinkedListNode<Waiter> Node { get; }

        /// <summary>In the order of their coming.</summary>
        internal long Number { get; }

        /// <summary>Whether the next look that begins and finds nothing is its last.</summary>
        internal bool IsLastLook { get; set; }

        /// <summary>Whether a look that began after it came has found nothing.</summary>
        internal bool HasLooked { get; set; }

        /// <summary>Whether a message that leaves the table for good may be on its way to it: it takes that, whatever happens meanwhile.</summary>
        internal bool IsBound { get; set; }

        /// <summary>With what it was cancelled meanwhile.</summary>
        internal CancellationToken? Cancellation { get; set; }
    }
}
