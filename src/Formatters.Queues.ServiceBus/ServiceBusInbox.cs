using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>The receiving side of a handle: receives messages from the service, and hands them to the waiting receives in order.</summary>
/// <remarks>
/// <para>Messages are always locked first: one that is received and deleted is completed before it is handed out, so that none is lost on the
/// way.</para>
/// <para>The client is asked for as many messages as receives wait. If it returns fewer, the service keeps the rest as credit, which the client
/// cannot take back, and sends later messages for it. So receiving goes on while there is credit, and what arrives stays locked here for the next
/// receive, or until the handle is closed.</para>
/// </remarks>
internal sealed class ServiceBusInbox : IThreadPoolWorkItem
{
    /// <summary>The operation, for errors.</summary>
    internal const string What = "receive a message";

    private static readonly TimeSpan Slice = TimeSpan.FromSeconds(10);

    private readonly ServiceBusNamespace _space;
    private readonly ServiceBusAddress _address;
    private readonly ServiceBusClient _client;
    private readonly QueueOptions _options;
    private readonly MessageSelector? _selector;
    private readonly ServiceBusTransaction? _transaction;
    private readonly ServiceBusSessionReceiver? _session;
    private readonly ServiceBusReceiver _observer;
    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Guarded by the gate of the locks.
    private readonly LinkedList<Waiter> _waiters = new();
    private readonly Queue<ServiceBusQueueMessage> _buffer = new();
    private ServiceBusReceiver? _receiver;
    private bool _isRunning;

    /// <summary>Creates the receiving side.</summary>
    /// <param name="space">The namespace.</param>
    /// <param name="address">The entity.</param>
    /// <param name="client">The client of the namespace, or of a transaction.</param>
    /// <param name="options">The options of the handle.</param>
    /// <param name="selector">The selector of a subscription.</param>
    /// <param name="transaction">The transaction that settles the messages, on the link that has received them; null without one.</param>
    /// <param name="session">The session to receive from; null without one.</param>
    internal ServiceBusInbox(ServiceBusNamespace space, ServiceBusAddress address, ServiceBusClient client, QueueOptions options,
        MessageSelector? selector, ServiceBusTransaction? transaction = null, ServiceBusSessionReceiver? session = null)
    {
        (_space, _address, _client, _options, _selector, _transaction) = (space, address, client, options, selector, transaction);
        _receiver = _session = session;
        _observer = session ?? client.CreateReceiver(address.EntityPath);
        Locks = new ServiceBusLocks(space, address.Address, options, transaction, session, _observer);
        Browser = new ServiceBusBrowser(space, address, this, _observer);
        space.Inboxes.TryAdd(this, 0);
    }

    /// <summary>Gets the messages that are locked, which include the ones that wait in the buffer.</summary>
    internal ServiceBusLocks Locks { get; }

    /// <summary>Gets the browser of the entity.</summary>
    internal ServiceBusBrowser Browser { get; }

    internal string EntityPath => _address.EntityPath;

    /// <summary>Gets the number of messages that wait for a receive.</summary>
    internal int BufferedCount
    {
        get
        {
            lock (Locks.Gate)
                return _buffer.Count;
        }
    }

    /// <summary>Gets the number of locked messages that were handed out, without those that are held back until they are returned.</summary>
    internal int HandedOutCount
    {
        get
        {
            lock (Locks.Gate)
                return Locks.CountWithoutDelayed - _buffer.Count;
        }
    }

    private QueueAddress Address => _address.Address;

    /// <summary>Receives up to a number of messages.</summary>
    /// <returns>The messages; empty after the timeout.</returns>
    internal async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(int maxCount, TimeSpan timeout, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        IReadOnlyList<ServiceBusQueueMessage> found = [];
        if (timeout == TimeSpan.Zero)
        {
            // Counted first, so that no credit is left at an empty entity. Messages that other receivers have locked are counted too.
            for (int wait = 25; found.Count == 0 && wait <= 200; wait *= 2)
            {
                int count = await Browser.CountAvailableAsync(cancellationToken).ConfigureAwait(false);
                if (count == 0)
                    return [];
                found = await WaitAsync(Math.Min(maxCount, count), TimeSpan.FromMilliseconds(wait), cancellationToken).ConfigureAwait(false);
            }
        }
        else
        {
            found = await WaitAsync(maxCount, timeout, cancellationToken).ConfigureAwait(false);
            // An entity is empty only if the service says so: silence is also what a hung service looks like.
            if (found.Count == 0)
                await Browser.CountAvailableAsync(cancellationToken).ConfigureAwait(false);
        }

        if (Locks.IsPeekLock || found.Count == 0)
            return found;
        return await Locks.CompleteAsync(found).ConfigureAwait(false);
    }

    /// <summary>Receives a deferred message.</summary>
    internal async ValueTask<ReceivedMessage> ReceiveDeferredAsync(long sequenceNumber, CancellationToken cancellationToken)
    {
        ServiceBusQueueMessage message = await LockDeferredAsync(sequenceNumber, cancellationToken).ConfigureAwait(false);
        return Locks.IsPeekLock ? message : (await Locks.CompleteAsync([message]).ConfigureAwait(false))[0];
    }

    /// <summary>Returns messages that were not handed to the application.</summary>
    internal async ValueTask ReturnUnseenAsync(IEnumerable<ServiceBusQueueMessage> messages)
    {
        foreach (ServiceBusQueueMessage message in messages)
        {
            try
            {
                await Locks.SettleAsync(message, Settlement.Abandon, CancellationToken.None).ConfigureAwait(false);
            }
            catch (QueueException)
            {
                // It is no longer locked, or will not be.
            }
        }
    }

    /// <summary>Takes all messages that were handed out, to be settled by a transaction.</summary>
    internal ServiceBusQueueMessage[] TakeLocked()
    {
        lock (Locks.Gate)
            return Locks.TakeExcept(_buffer);
    }

    /// <summary>Closes: waiting receives fail, and locked messages are returned.</summary>
    internal async Task CloseAsync(bool returnsMessages = true)
    {
        ServiceBusQueueMessage[] messages;
        Waiter[] waiters;
        ServiceBusReceiver? receiver;
        bool isRunning;
        lock (Locks.Gate)
        {
            if (Locks.IsClosed)
                return;
            (receiver, isRunning) = (_receiver, _isRunning);
            messages = Locks.Close(_buffer);
            _buffer.Clear();
            waiters = [.. _waiters];
            _waiters.Clear();
        }

        await Locks.StopAsync().ConfigureAwait(false);
        foreach (Waiter waiter in waiters)
            waiter.Done.TrySetException(QueueChecks.Closed(Address));
        // A service that does not answer is waited for briefly: the locks end by themselves.
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(10));
        if (returnsMessages)
        {
            Task all = Task.WhenAll(messages.Select(message => message.Receiver.AbandonMessageAsync(message.Received, null, limit.Token)));
            await ConnectionThread.LeaveAsync(all).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        _space.Inboxes.TryRemove(this, out _);
        if (receiver is not null)
            await CloseReceiverAsync(receiver).ConfigureAwait(false);
        // Messages that arrive for the remaining credit, until the link is closed, are returned by the other receiver.
        if (isRunning)
            await _stopped.Task.WaitAsync(limit.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await CloseReceiverAsync(_observer).ConfigureAwait(false);
    }

    void IThreadPoolWorkItem.Execute() => _ = RunAsync();

    /// <summary>Waits for messages.</summary>
    internal async ValueTask<IReadOnlyList<ServiceBusQueueMessage>> WaitAsync(int maxCount, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var waiter = new Waiter(maxCount);
        bool starts = false;
        lock (Locks.Gate)
        {
            if (Locks.IsClosed)
                throw QueueChecks.Closed(Address);
            if (_buffer.Count > 0 && _waiters.Count == 0)
                return TakeBuffered(maxCount);
            waiter.Node = _waiters.AddLast(waiter);
            if (!_isRunning)
                _isRunning = starts = true;
        }

        // Without the caller's context, which may have an ambient transaction.
        if (starts)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        try
        {
            return await waiter.Done.Task.WaitAsync(timeout, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TimeoutException or OperationCanceledException)
        {
            lock (Locks.Gate)
            {
                // Messages that arrived at the same time are handed out, or stay for the next receive.
                if (waiter.Node is not null)
                    _waiters.Remove(waiter.Node);
                waiter.Node = null;
                if (waiter.Done.Task.IsCompletedSuccessfully && cancellationToken.IsCancellationRequested)
                {
                    TakeBack(waiter.Done.Task.Result);
                    throw new OperationCanceledException(cancellationToken);
                }
            }

            if (!waiter.Done.Task.IsCompleted)
                cancellationToken.ThrowIfCancellationRequested();
            return waiter.Done.Task.IsCompleted ? await waiter.Done.Task.ConfigureAwait(false) : [];
        }
    }

    /// <summary>Receives while a receive waits, or the service has credit.</summary>
    private async Task RunAsync()
    {
        int credit = 0;
        long lostAt = -1;
        while (true)
        {
            int wanted;
            ServiceBusReceiver receiver;
            lock (Locks.Gate)
            {
                HandOutBuffered();
                wanted = (int)Math.Min(_options.PrefetchCount, _waiters.Sum(static waiter => (long)waiter.MaxCount));
                if (Locks.IsClosed || (wanted == 0 && credit == 0))
                {
                    _isRunning = false;
                    if (Locks.IsClosed)
                        _stopped.TrySetResult();
                    return;
                }

                receiver = _receiver ??= _client.CreateReceiver(_address.EntityPath);
            }

            try
            {
                wanted = Math.Max(1, wanted);
                IReadOnlyList<ServiceBusReceivedMessage> messages = await receiver.ReceiveMessagesAsync(wanted, Slice, CancellationToken.None)
                    .ConfigureAwait(false);
                credit = Math.Max(credit, wanted) - messages.Count;
                lostAt = -1;
                // The client may return a new message before one that had arrived while no receive was running.
                foreach (ServiceBusReceivedMessage message in messages.OrderBy(static message => message.SequenceNumber))
                    await ArriveAsync(receiver, message).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                credit = 0;
                long now = Environment.TickCount64;
                lostAt = lostAt < 0 ? now : lostAt;
                // The lock of a session or of a transaction's messages does not survive its link.
                if (ServiceBusErrors.IsConnectionLoss(e) && now - lostAt < _space.Options.ReconnectTimeout.TotalMilliseconds
                    && _transaction is null && _session is null && !Locks.Closing.IsCancellationRequested)
                    await Task.Delay(100).ConfigureAwait(false);
                else
                    FailWaiters(ServiceBusErrors.Translate(e, What, Address, session: _session));
            }
        }
    }

    private async Task ArriveAsync(ServiceBusReceiver receiver, ServiceBusReceivedMessage received)
    {
        // If the message waited in the client for too long, its lock may have ended. Only the service knows, because the clocks may differ. The
        // messages of a session have its lock.
        if (_session is null && received.LockedUntil <= _space.Options.TimeProvider.GetUtcNow()
            && !await IsStillLockedAsync(received).ConfigureAwait(false))
            return;
        ServiceBusQueueMessage message = Create(received, receiver);
        bool isSelected = _selector?.Matches(message) != false;
        lock (Locks.Gate)
        {
            if (!Locks.IsClosed)
            {
                if (isSelected)
                {
                    Locks.Add(message);
                    Buffer(message);
                    HandOutBuffered();
                }
                else
                {
                    message.State = LockState.Settled;
                }
            }
        }

        // A filter of a subscription may let more through than its selector selects.
        if (!isSelected)
            await receiver.CompleteMessageAsync(received).ConfigureAwait(false);
        else if (Locks.IsClosed && _session is null)
            await Locks.AbandonInBackgroundAsync(message, _observer).ConfigureAwait(false);
    }

    private async Task<bool> IsStillLockedAsync(ServiceBusReceivedMessage received)
    {
        try
        {
            await _observer.RenewMessageLockAsync(received).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e))
        {
            return false;
        }
    }

    /// <summary>Locks a deferred message.</summary>
    internal async Task<ServiceBusQueueMessage> LockDeferredAsync(long sequenceNumber, CancellationToken cancellationToken)
    {
        ServiceBusReceivedMessage received = await RunAsync(
            () => _observer.ReceiveDeferredMessageAsync(sequenceNumber, cancellationToken), "receive the deferred message", cancellationToken)
            .ConfigureAwait(false);
        ServiceBusQueueMessage message = Create(received, _observer);
        lock (Locks.Gate)
        {
            if (Locks.IsClosed)
                throw QueueChecks.Closed(Address);
            Locks.StartLease(message);
            Locks.Add(message);
        }

        return message;
    }

    private ServiceBusQueueMessage Create(ServiceBusReceivedMessage received, ServiceBusReceiver receiver) =>
        new(received, receiver, Locks.IsPeekLock ? Locks : null, _address.IsDeadLetterQueue ? _address.MainPath : null)
        {
            RenewTime = Locks.RenewTimeOf(received),
        };

    /// <summary>Puts messages back that were handed to a canceled receive, before those that came later.</summary>
    private void TakeBack(IReadOnlyList<ServiceBusQueueMessage> messages)
    {
        ServiceBusQueueMessage[] later = [.. _buffer];
        _buffer.Clear();
        foreach (ServiceBusQueueMessage message in messages)
        {
            message.Lease = null;
            _buffer.Enqueue(message);
        }

        foreach (ServiceBusQueueMessage message in later)
            _buffer.Enqueue(message);
        HandOutBuffered();
    }

    /// <summary>Adds a message that has arrived. One of a session that was returned stands before the later ones.</summary>
    private void Buffer(ServiceBusQueueMessage message)
    {
        _buffer.Enqueue(message);
        if (_session is null || _buffer.Count == 1)
            return;
        ServiceBusQueueMessage[] ordered = [.. _buffer.OrderBy(static one => one.Received.SequenceNumber)];
        _buffer.Clear();
        foreach (ServiceBusQueueMessage one in ordered)
            _buffer.Enqueue(one);
    }

    private void HandOutBuffered()
    {
        while (_buffer.Count > 0 && _waiters.First is { } node)
        {
            _waiters.RemoveFirst();
            node.Value.Node = null;
            node.Value.Done.TrySetResult(TakeBuffered(node.Value.MaxCount));
        }
    }

    private List<ServiceBusQueueMessage> TakeBuffered(int maxCount)
    {
        var taken = new List<ServiceBusQueueMessage>();
        while (taken.Count < maxCount && _buffer.TryDequeue(out ServiceBusQueueMessage? message))
        {
            Locks.StartLease(message);
            taken.Add(message);
        }

        return taken;
    }

    private void FailWaiters(Exception error)
    {
        Waiter[] waiters;
        lock (Locks.Gate)
        {
            waiters = [.. _waiters];
            _waiters.Clear();
            foreach (Waiter waiter in waiters)
                waiter.Node = null;
        }

        foreach (Waiter waiter in waiters)
            waiter.Done.TrySetException(error);
    }

    /// <summary>Runs an operation of the client again while the connection is lost, for the time of the options.</summary>
    internal async Task<T> RunAsync<T>(Func<Task<T>> operation, string what, CancellationToken cancellationToken)
    {
        long start = Environment.TickCount64;
        while (true)
        {
            try
            {
                return await ConnectionThread.LeaveAsync(operation()).ConfigureAwait(false);
            }
            catch (Exception e) when (ServiceBusErrors.IsOfService(e) && !cancellationToken.IsCancellationRequested)
            {
                if (Locks.IsClosed)
                    throw QueueChecks.Closed(Address);
                if (!ServiceBusErrors.IsConnectionLoss(e) || _session is { IsClosed: true }
                    || Environment.TickCount64 - start > _space.Options.ReconnectTimeout.TotalMilliseconds)
                    throw ServiceBusErrors.Translate(e, what, Address, session: _session);
                await Task.Delay(50, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <inheritdoc cref="RunAsync{T}"/>
    internal Task<bool> RunAsync(Func<Task> operation, string what, CancellationToken cancellationToken) => RunAsync(
        async () =>
        {
            await operation().ConfigureAwait(false);
            return true;
        },
        what,
        cancellationToken);

    /// <summary>Closes a receiver.</summary>
    internal static async Task CloseReceiverAsync(ServiceBusReceiver receiver)
    {
        try
        {
            await ConnectionThread.LeaveAsync(receiver.DisposeAsync()).ConfigureAwait(false);
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e))
        {
            // The connection is lost, and the link with it.
        }
    }

    /// <summary>A receive that waits.</summary>
    private sealed class Waiter(int maxCount)
    {
        internal int MaxCount { get; } = maxCount;

        internal LinkedListNode<Waiter>? Node { get; set; }

        internal TaskCompletionSource<IReadOnlyList<ServiceBusQueueMessage>> Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
