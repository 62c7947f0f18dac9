using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>The receiving side of a handle: those who wait, and what was fetched ahead for them.</summary>
/// <remarks>
/// One task fetches, as long as somebody waits. When the queue is empty it tells the senders that it waits, looks once more, and then waits for a
/// notification; a look after 1, 2, 4 ... 5,000 ms finds what a sender that did not see it waiting has committed meanwhile, and what a receiver that
/// has ended had locked. What becomes due or expires, or whose lease ends, is looked for at its time.
/// <para>What leaves the table on receipt is fetched only for those who wait, and they wait until the answer is there: nothing is out of the table and in
/// nobody's hand.</para>
/// </remarks>
internal sealed partial class PostgreSqlReceiver
{
    private const int FirstFetchCount = 10;
    private const int MaxFetchCount = 10_000;
    private const int MaxFetchedByteCount = 32 << 20;
    private const double MaxSweepIntervalMs = 1000;

    private static readonly TimeSpan FirstLook = TimeSpan.FromMilliseconds(1);
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

    /// <summary>Held while messages are on their way from the table into the buffer, and by whoever must not overlook these.</summary>
    private readonly SemaphoreSlim _fetchGate = new(1, 1);
    private volatile PostgreSqlSession? _session;
    private int _fetchCount = FirstFetchCount;
    private Found _found = Found.Some;
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
        // A message that was delivered too often must be seen before it is taken out.
        _locks = isPeekLock || isTransactional || options.MaxDeliveryCount > 0;
        // What is taken out for good and does not arrive is lost, unless it was not taken out.
        _work = new Work("receive a message", _address, options.OperationTimeout) { ChangesSomething = !_locks };
        _selector = selector;
        _fetchLease = isPeekLock ? options.LeaseDuration : Timeout.InfiniteTimeSpan;
        _fetch = new FetchStatement(database.Statements, target, selector, _locks, _fetchLease);
        // What is fetched ahead must have no lease that runs, must be no delivery that counts if it is never handed out, and must not have left the table.
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

    /// <summary>Receives several messages: what was fetched ahead, and more if there was more.</summary>
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

            if (messages.Count == maxCount || (messages.Count > 0 && _found != Found.Plenty))
                return messages;
            waiter = AddWaiter(maxCount - messages.Count, messages.Count > 0 ? TimeSpan.Zero : timeout, null, null);
        }

        if (messages.Count == 0)
            return await WaitAsync(waiter, timeout, cancellationToken).ConfigureAwait(false) ?? [];
        try
        {
            // What is in hand is handed out, whatever comes of the look for more.
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
            // The next receive meets it again.
        }

        return messages;
    }

    /// <summary>Receives the first message that has an id, whatever comes before it.</summary>
    /// <param name="column">The column of the id.</param>
    /// <param name="id">The id.</param>
    /// <param name="matches">Whether a message has it.</param>
    /// <param name="timeout">How long to wait.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    internal async ValueTask<PostgreSqlMessage?> ReceiveAsync(string column, string id, Predicate<PostgreSqlMessage> matches, TimeSpan timeout, CancellationToken cancellationToken)
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

    /// <summary>Whether somebody waits for any message: with the gate held.</summary>
    private bool HasOthersWaiting()
    {
        foreach (Waiter waiter in _waiters)
        {
            if (waiter.Fetch is null)
                return true;
        }

        return false;
    }

    /// <summary>With the gate held.</summary>
    private Waiter AddWaiter(int maxCount, TimeSpan timeout, FetchStatement? fetch, Predicate<PostgreSqlMessage>? matches)
    {
        var waiter = new Waiter(++_lastNumber, maxCount, isLastLook: timeout == TimeSpan.Zero, fetch, matches);
        _waiters.AddLast(waiter.Node);
        WakeOrStart();
        return waiter;
    }

    /// <summary>Takes the first message that was fetched ahead and matches: with the gate held.</summary>
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
                    LookForTheLastTime(waiter);
            }
        }
        catch (Exception e)
        {
            // A waiter that stayed in line would take a message that is never received. One to which a message is on its way hands it over.
            Fail(waiter, e);
        }

        IReadOnlyList<PostgreSqlMessage>? messages;
        using (cancellation)
            messages = await waiter.Task.ConfigureAwait(false);
        if (messages is null && waiter.Task.IsCompletedSuccessfully)
            Remove(waiter);
        return messages;
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

    /// <summary>The waiter cannot wait: it fails, unless a message may be on its way to it.</summary>
    private void Fail(Waiter waiter, Exception error)
    {
        lock (_gate)
        {
            waiter.IsLastLook = true;
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
                    // Nor beyond the time of a message that is to come.
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
            long wanted;
            bool hasPatience;
            long lastNumber;
            Waiter[] named;
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
                wanted = _waiters.Where(waiter => waiter.Fetch is null && (IsPeekLock || waiter.IsBound)).Sum(static waiter => (long)waiter.MaxCount);
                named = [.. _waiters.Where(static waiter => waiter.Fetch is not null && !waiter.Task.IsCompleted)];
                hasPatience = _waiters.Any(waiter => !waiter.IsLastLook);
                lastNumber = _lastNumber;
            }

            PostgreSqlSession session = _session ??= await PostgreSqlSession.OpenAsync(
                _database, _work, _target.Id, isDurable: !_locks && _options.DeliveryMode != DeliveryMode.Express).ConfigureAwait(false);
            (List<PostgreSqlMessage> messages, PostgreSqlMessage?[] byName) = await Database.WithinAsync(
                _work, token => LookAsync(session, (int)Math.Min(wanted, MaxFetchCount), named, hasPatience, token), end: null, CancellationToken.None).ConfigureAwait(false);
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

    private async Task<(List<PostgreSqlMessage> Messages, PostgreSqlMessage?[] ByName)> LookAsync(
        PostgreSqlSession session, int wanted, Waiter[] named, bool hasPatience, CancellationToken cancellationToken)
    {
        long now = Environment.TickCount64;
        bool mustSweep = now - _lastSweep > _sweepIntervalMs || now >= _nextDue;
        if (mustSweep)
            await SweepAsync(session, cancellationToken).ConfigureAwait(false);

        // Waiting is said before the look that it follows, so that whatever is sent after the look notifies.
        NpgsqlBatchCommand? before = _found == Found.Nothing && hasPatience ? session.StartWaiting() : _found == Found.Plenty ? session.StopWaiting() : null;
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
            _found = isEmpty ? Found.Nothing : Found.Some;
        if (isEmpty && !mustSweep && await SweepAsync(session, cancellationToken).ConfigureAwait(false))
        {
            await FetchEachAsync(session, named, byName, cancellationToken).ConfigureAwait(false);
            if (wanted > 0)
                messages = await FetchAsync(session, wanted, null, cancellationToken).ConfigureAwait(false);
        }

        return (messages, byName);
    }

    /// <summary>Looks for messages by their ids, one for each that waits so.</summary>
    private async Task FetchEachAsync(PostgreSqlSession session, Waiter[] named, PostgreSqlMessage?[] byName, CancellationToken cancellationToken)
    {
        if (named.Length == 0)
            return;
        DateTimeOffset? leaseEnd = DateTimeOffset.UtcNow + LeaseDuration;
        await session.FetchEachAsync(
            [.. named.Select(waiter => waiter.Fetch!.Create(1, session.Id))],
            (i, row) => byName[i] = new PostgreSqlMessage(row, this, _locks ? session.Id : null, leaseEnd),
            cancellationToken).ConfigureAwait(false);
        for (int i = 0; i < byName.Length; i++)
        {
            if (byName[i] is not { } message)
                continue;
            List<PostgreSqlMessage> one = [message];
            await SetUnreadableAsideAsync(session, one).ConfigureAwait(false);
            if (one.Count == 0)
                byName[i] = null;
            else if (_locks && _options.MaxDeliveryCount > 0)
                byName[i] = (await KeepDeliverableAsync([message]).ConfigureAwait(false)).FirstOrDefault();
        }
    }

    /// <summary>Frees what is nobody's, drops what has expired.</summary>
    /// <returns>Whether there may be more to receive now.</returns>
    private async Task<bool> SweepAsync(PostgreSqlSession session, CancellationToken cancellationToken)
    {
        _lastSweep = Environment.TickCount64;
        (bool? hasMore, TimeSpan nextDue) = await session.SweepAsync(_target.DeadLetterId, _queueName, cancellationToken).ConfigureAwait(false);
        // Rather a moment after the time than before it, and again for nothing.
        _nextDue = Environment.TickCount64 + (long)Math.Ceiling(nextDue.TotalMilliseconds) + 1;
        return hasMore ?? throw new QueueException($"Could not receive a message: '{_address}' was deleted.");
    }

    private async Task<List<PostgreSqlMessage>> FetchAsync(PostgreSqlSession session, int wanted, NpgsqlBatchCommand? before, CancellationToken cancellationToken)
    {
        int count = _isAhead ? Math.Clamp(wanted, Math.Min(_fetchCount, _options.PrefetchCount), Math.Max(wanted, _options.PrefetchCount)) : wanted;
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
            _database.DeadRows.Note(messages.Count);
            int fetched = messages.Count;
            await SetUnreadableAsideAsync(session, messages).ConfigureAwait(false);
            _found = fetched == 0 ? Found.Nothing : fetched < count ? Found.Some : Found.Plenty;
            if (_found == Found.Plenty)
                _fetchCount = (int)Math.Clamp(MaxFetchedByteCount / Math.Max(1, byteCount / count), 1, 4L * count);

            if (!_locks && messages.Exists(static message => message.AcknowledgeTypes != AcknowledgeTypes.None))
                await session.RunAsync(_database.Statements.NotifyOf(Acknowledgments.AdministrationQueuesOf(messages)), cancellationToken).ConfigureAwait(false);

            // The rows come in any order.
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
                    // One whose wait was cancelled takes nothing; what has left the table was fetched for those whose wait cannot be.
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
            TellOfUnreadable();
            if (messages.Count == 0)
                EndLastLooks(lastNumber, static waiter => waiter.Fetch is null);
        }
    }

    /// <summary>Hands over what was found by its id, each to the one who has asked for it.</summary>
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

            EndLastLooks(lastNumber, static waiter => waiter.Fetch is not null);
        }
    }

    /// <summary>Keeps a message for the next who asks: one who waits by its id, or anybody. With the gate held.</summary>
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

    /// <summary>Those who came before a look that has found nothing for them have had it. With the gate held.</summary>
    private void EndLastLooks(long lastNumber, Func<Waiter, bool> which)
    {
        // Those behind came after the look had begun.
        for (LinkedListNode<Waiter>? node = _waiters.First; node is not null && node.Value.Number <= lastNumber; node = node.Next)
        {
            if (!which(node.Value))
                continue;
            node.Value.HasLooked = true;
            if (node.Value.IsLastLook)
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
    private sealed class Waiter : TaskCompletionSource<IReadOnlyList<PostgreSqlMessage>?>
    {
        internal Waiter(long number, int maxCount, bool isLastLook, FetchStatement? fetch, Predicate<PostgreSqlMessage>? matches)
            : base(TaskCreationOptions.RunContinuationsAsynchronously)
        {
            Number = number;
            MaxCount = maxCount;
            IsLastLook = isLastLook;
            Fetch = fetch;
            Matches = matches;
            Node = new LinkedListNode<Waiter>(this);
        }

        internal LinkedListNode<Waiter> Node { get; }

        /// <summary>In the order of their coming.</summary>
        internal long Number { get; }

        /// <summary>How many messages it takes at most.</summary>
        internal int MaxCount { get; }

        /// <summary>What finds the one message that it waits for; null if it takes any.</summary>
        internal FetchStatement? Fetch { get; }

        /// <summary>Which message that is; null if it takes any.</summary>
        internal Predicate<PostgreSqlMessage>? Matches { get; }

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
