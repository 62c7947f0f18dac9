using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.PostgreSql;

/// <summary>The receives that wait for messages, in order of arrival, and the messages prefetched for the next ones.</summary>
internal sealed class WaitingReceives
{
    private readonly string _address;
    private readonly bool _bindsWaiters;
    private readonly Func<Task> _fetchLoop;
    private readonly Action<PostgreSqlMessage> _onHandedOut;
    private readonly LinkedList<ReceiveWaiter> _waiters = new();
    private readonly Queue<PostgreSqlMessage> _buffer = new();
    private readonly Queue<QueueException> _unreadable = new();
    private CancellationTokenSource _wake = new();
    private long _lastNumber;
    private bool _isRunning;

    /// <summary>Creates the receives of a handle.</summary>
    /// <param name="address">The address, for errors.</param>
    /// <param name="bindsWaiters">Whether fetched messages have left the table, so that a waiter must take what is fetched for it.</param>
    /// <param name="fetchLoop">Fetches messages while a receive waits.</param>
    /// <param name="onHandedOut">Notes a message that is handed to a receive. Called with the gate held.</param>
    internal WaitingReceives(string address, bool bindsWaiters, Func<Task> fetchLoop, Action<PostgreSqlMessage> onHandedOut) =>
        (_address, _bindsWaiters, _fetchLoop, _onHandedOut) = (address, bindsWaiters, fetchLoop, onHandedOut);

    /// <summary>Gets the lock that guards the waiters, the prefetched messages and the handed-out ones.</summary>
    internal Lock Gate { get; } = new();

    internal bool IsClosed { get; private set; }

    /// <summary>Gets the fetch loop, which has completed if no receive waits.</summary>
    internal Task Loop { get; private set; } = Task.CompletedTask;

    internal ObjectDisposedException Closed() => new(nameof(QueueClient), $"'{_address}' is closed.");

    /// <summary>Takes up to a number of prefetched messages, unless other receives wait for them. Call with the gate held.</summary>
    internal void Take(int maxCount, List<PostgreSqlMessage> messages)
    {
        if (HasOthersWaiting())
            return;
        while (messages.Count < maxCount && _buffer.TryDequeue(out PostgreSqlMessage? message))
        {
            _onHandedOut(message);
            messages.Add(message);
        }
    }

    /// <summary>Takes a prefetched message, unless other receives wait for it. Call with the gate held.</summary>
    internal PostgreSqlMessage? Take()
    {
        if (HasOthersWaiting() || !_buffer.TryDequeue(out PostgreSqlMessage? message))
            return null;
        _onHandedOut(message);
        return message;
    }

    /// <summary>Takes the first prefetched message that matches; call with the gate held.</summary>
    internal PostgreSqlMessage? Take(Predicate<PostgreSqlMessage> matches)
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

        if (found is not null)
            _onHandedOut(found);
        return found;
    }

    /// <summary>Returns a copy of the prefetched messages.</summary>
    internal List<PostgreSqlMessage> PeekBuffer()
    {
        lock (Gate)
            return [.. _buffer];
    }

    /// <summary>Removes and returns the prefetched messages, which are in the table, locked.</summary>
    internal List<PostgreSqlMessage> TakeBuffer()
    {
        lock (Gate)
        {
            List<PostgreSqlMessage> messages = [.. _buffer];
            _buffer.Clear();
            return messages;
        }
    }

    /// <summary>Adds a waiter, and starts or wakes the fetch loop. Call with the gate held.</summary>
    internal ReceiveWaiter Add(int maxCount, TimeSpan timeout, FetchStatement? fetch, Predicate<PostgreSqlMessage>? matches)
    {
        var waiter = new ReceiveWaiter(++_lastNumber, maxCount, isLastFetch: timeout == TimeSpan.Zero, fetch, matches);
        _waiters.AddLast(waiter.Node);
        WakeOrStart();
        return waiter;
    }

    /// <summary>Waits for the messages of a waiter.</summary>
    /// <returns>The messages; null after the timeout.</returns>
    internal async Task<IReadOnlyList<PostgreSqlMessage>?> WaitAsync(ReceiveWaiter waiter, TimeSpan timeout, CancellationToken cancellationToken)
    {
        CancellationTokenRegistration cancellation = default;
        try
        {
            cancellation = cancellationToken.UnsafeRegister(
                static (state, token) =>
                {
                    (WaitingReceives receives, ReceiveWaiter given) = ((WaitingReceives, ReceiveWaiter))state!;
                    receives.Cancel(given, token);
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
    private void FetchOnceMore(ReceiveWaiter waiter)
    {
        lock (Gate)
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
    private void Cancel(ReceiveWaiter waiter, CancellationToken token)
    {
        lock (Gate)
        {
            if (waiter.IsBound)
                waiter.Cancellation = token;
            else
                waiter.TrySetCanceled(token);
        }
    }

    /// <summary>Fails a waiter, unless a message may be on its way to it.</summary>
    private void Fail(ReceiveWaiter waiter, Exception error)
    {
        lock (Gate)
        {
            waiter.IsLastFetch = true;
            if (!waiter.IsBound)
                waiter.TrySetException(error);
        }
    }

    private void Remove(ReceiveWaiter waiter)
    {
        lock (Gate)
        {
            if (waiter.Node.List is not null)
                _waiters.Remove(waiter.Node);
        }
    }

    /// <summary>Determines whether a receive waits. If not, the fetch loop ends, and the next receive starts it again.</summary>
    internal bool HasAny()
    {
        lock (Gate)
        {
            for (LinkedListNode<ReceiveWaiter>? node = _waiters.First; node is not null;)
            {
                LinkedListNode<ReceiveWaiter>? next = node.Next;
                if (node.Value.Task.IsCompleted)
                    _waiters.Remove(node);
                node = next;
            }

            return _isRunning = _waiters.Count > 0;
        }
    }

    /// <summary>Begins a fetch for the receives that wait now. Later ones set its wake signal.</summary>
    /// <returns>Null if the queue is closed.</returns>
    internal PlannedFetch? BeginFetch()
    {
        lock (Gate)
        {
            if (IsClosed)
                return null;
            if (_wake.IsCancellationRequested)
                _wake = new CancellationTokenSource();
            foreach (ReceiveWaiter waiter in _waiters)
                waiter.IsBound = _bindsWaiters && !waiter.Task.IsCompleted;
            return new PlannedFetch(
                _waiters.Where(waiter => waiter.Fetch is null && (!_bindsWaiters || waiter.IsBound)).Sum(static waiter => (long)waiter.MaxCount),
                [.. _waiters.Where(static waiter => waiter.Fetch is not null && !waiter.Task.IsCompleted)],
                _waiters.Any(static waiter => !waiter.IsLastFetch),
                _lastNumber,
                _wake.Token);
        }
    }

    /// <summary>Ends a fetch: no message is on its way, so canceled waiters end, and all do if the queue is closed.</summary>
    internal void EndFetch()
    {
        lock (Gate)
        {
            foreach (ReceiveWaiter waiter in _waiters)
            {
                waiter.IsBound = false;
                if (waiter.Cancellation is { } token)
                    waiter.TrySetCanceled(token);
                else if (IsClosed)
                    waiter.TrySetException(Closed());
            }
        }
    }

    /// <summary>Hands fetched messages to the waiters, and stores the rest for the next ones.</summary>
    /// <param name="messages">The messages, in order.</param>
    /// <param name="lastNumber">The last waiter that the fetch was for.</param>
    internal void HandOver(List<PostgreSqlMessage> messages, long lastNumber)
    {
        lock (Gate)
        {
            int next = 0;
            for (LinkedListNode<ReceiveWaiter>? node = _waiters.First; next < messages.Count && node is not null;)
            {
                LinkedListNode<ReceiveWaiter>? following = node.Next;
                if (node.Value.Fetch is null)
                {
                    _waiters.Remove(node);
                    List<PostgreSqlMessage> some = messages.GetRange(next, Math.Min(node.Value.MaxCount, messages.Count - next));
                    // A canceled waiter takes nothing. Messages that have left the table were fetched for waiters that cannot be canceled.
                    if (node.Value.TrySetResult(some))
                    {
                        some.ForEach(_onHandedOut);
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
    internal void HandOver(ReceiveWaiter[] named, PostgreSqlMessage?[] byName, long lastNumber)
    {
        lock (Gate)
        {
            for (int i = 0; i < named.Length; i++)
            {
                if (byName[i] is not { } message)
                    continue;
                if (named[i].Node.List is not null)
                    _waiters.Remove(named[i].Node);
                if (named[i].TrySetResult([message]))
                    _onHandedOut(message);
                else
                    Keep(message);
            }

            CompleteLastFetches(lastNumber, static waiter => waiter.Fetch is not null);
        }
    }

    /// <summary>Stores a message for the next receive, by id or for any message. Call with the gate held.</summary>
    private void Keep(PostgreSqlMessage message)
    {
        for (LinkedListNode<ReceiveWaiter>? node = _waiters.First; node is not null; node = node.Next)
        {
            if (node.Value.Matches?.Invoke(message) == true && node.Value.TrySetResult([message]))
            {
                _waiters.Remove(node);
                _onHandedOut(message);
                return;
            }
        }

        _buffer.Enqueue(message);
    }

    /// <summary>Completes the waiters that arrived before an empty fetch began. Call with the gate held.</summary>
    private void CompleteLastFetches(long lastNumber, Func<ReceiveWaiter, bool> which)
    {
        // Later waiters arrived after the fetch had begun.
        for (LinkedListNode<ReceiveWaiter>? node = _waiters.First; node is not null && node.Value.Number <= lastNumber; node = node.Next)
        {
            if (!which(node.Value))
                continue;
            node.Value.HasFetched = true;
            if (node.Value.IsLastFetch)
                node.Value.TrySetResult(null);
        }
    }

    /// <summary>Adds an error for the next receive that finds no message.</summary>
    internal void AddUnreadable(QueueException error)
    {
        lock (Gate)
            _unreadable.Enqueue(error);
    }

    /// <summary>Fails the waiting receives, except those whose message may be on its way.</summary>
    internal void Close()
    {
        ReceiveWaiter[] waiters;
        lock (Gate)
        {
            IsClosed = true;
            waiters = TakeWaiters(static waiter => !waiter.IsBound);
            _wake.Cancel();
        }

        foreach (ReceiveWaiter waiter in waiters)
            waiter.TrySetException(Closed());
    }

    /// <summary>Removes the waiters and the prefetched messages after the fetch loop has failed. Call with the gate held.</summary>
    internal ReceiveWaiter[] Reset()
    {
        _isRunning = false;
        _buffer.Clear();
        return TakeWaiters(static _ => true);
    }

    private void WakeOrStart()
    {
        if (_isRunning)
        {
            _wake.Cancel();
            return;
        }

        _isRunning = true;
        Loop = _fetchLoop();
    }

    /// <summary>Determines whether a receive waits for any message; call with the gate held.</summary>
    private bool HasOthersWaiting()
    {
        foreach (ReceiveWaiter waiter in _waiters)
        {
            if (waiter.Fetch is null)
                return true;
        }

        return false;
    }

    /// <summary>
    /// Fails waiting receives that have no message with the pending errors of unreadable rows, each error once. Call with the gate held.
    /// </summary>
    private void ReportUnreadable()
    {
        for (LinkedListNode<ReceiveWaiter>? node = _waiters.First; node is not null && _unreadable.Count > 0;)
        {
            LinkedListNode<ReceiveWaiter>? following = node.Next;
            if (node.Value.TrySetException(_unreadable.Peek()))
            {
                _unreadable.Dequeue();
                _waiters.Remove(node);
            }

            node = following;
        }
    }

    private ReceiveWaiter[] TakeWaiters(Func<ReceiveWaiter, bool> which)
    {
        ReceiveWaiter[] waiters = [.. _waiters.Where(which)];
        foreach (ReceiveWaiter waiter in waiters)
            _waiters.Remove(waiter.Node);
        return waiters;
    }
}

/// <summary>The receives that one statement is to serve, as they were when it was planned.</summary>
/// <param name="WantedCount">The number of messages that receives of any message wait for.</param>
/// <param name="Named">The receives that wait for a message by its id.</param>
/// <param name="WillWait">Whether a receive goes on waiting if the fetch finds nothing.</param>
/// <param name="LastNumber">The last waiter that the fetch is for.</param>
/// <param name="Wake">Canceled by a receive that the fetch may miss.</param>
internal readonly record struct PlannedFetch(long WantedCount, ReceiveWaiter[] Named, bool WillWait, long LastNumber, CancellationToken Wake);
