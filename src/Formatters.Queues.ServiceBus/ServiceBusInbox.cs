using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>The receiving side of a handle: hands messages to those that wait, keeps their locks, and settles them.</summary>
/// <remarks>
/// <para>Messages are always locked first: one that is received and deleted is completed before it is handed out, so that none is lost on the
/// way.</para>
/// <para>As many messages are asked for as receives wait. A receive of the client that ends without them leaves credit at the service, which the
/// client cannot take back: it stands for later messages. So receiving goes on while there is credit, and what arrives stays locked here for the next
/// receive, or until the handle is closed.</para>
/// </remarks>
internal sealed class ServiceBusInbox : IThreadPoolWorkItem
{
    private const string What = "receive a message";
    private const int PeekCount = 50;
    private const int MaxPurgeMisses = 5;

    private static readonly TimeSpan Slice = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan PurgeWait = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(60);
    internal static readonly TimeSpan RenewalPause = TimeSpan.FromSeconds(1);

    private readonly ServiceBusNamespace _space;
    private readonly ServiceBusAddress _address;
    private readonly ServiceBusClient _client;
    private readonly QueueOptions _options;
    private readonly MessageSelector? _selector;
    private readonly ServiceBusTransaction? _transaction;
    private readonly ServiceBusSessionReceiver? _session;
    private readonly TimeProvider _time;
    private readonly long _start;
    private readonly Lock _gate = new();
    private readonly LinkedList<Waiter> _waiters = new();
    private readonly Queue<ServiceBusQueueMessage> _buffer = new();
    private readonly Dictionary<long, ServiceBusQueueMessage> _locked = [];
    private readonly Timer _timer;
    private readonly CancellationTokenSource _closing = new();
    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ServiceBusReceiver _observer;
    private ServiceBusReceiver? _receiver;
    private TimeSpan _timerTime = TimeSpan.MaxValue;
    private bool _isRunning;
    private bool _isClosed;

    /// <summary>Creates the receiving side.</summary>
    /// <param name="space">The namespace.</param>
    /// <param name="address">The entity.</param>
    /// <param name="client">The client; that of the namespace, or that of a transaction.</param>
    /// <param name="options">The options of the handle.</param>
    /// <param name="selector">The selector of a subscription.</param>
    /// <param name="transaction">The transaction that settles the messages, on the link that has received them; null without one.</param>
    /// <param name="session">The session to receive from; null without one.</param>
    internal ServiceBusInbox(ServiceBusNamespace space, ServiceBusAddress address, ServiceBusClient client, QueueOptions options,
        MessageSelector? selector, ServiceBusTransaction? transaction = null, ServiceBusSessionReceiver? session = null)
    {
        (_space, _address, _client, _options, _selector, _transaction) = (space, address, client, options, selector, transaction);
        _receiver = _session = session;
        _time = space.Options.TimeProvider;
        _start = _time.GetTimestamp();
        _observer = session ?? client.CreateReceiver(address.EntityPath);
        space.Inboxes.TryAdd(this, 0);
        _timer = new Timer(static state => ((ServiceBusInbox)state!).OnTimer(), this, Timeout.Infinite, Timeout.Infinite);
    }

    internal bool HasDeadLetters => _options.DeadLetterQueue is not null;

    internal QueueAddress Address => _address.Address;

    /// <summary>Gets the time since the handle was opened. Leases, renewals and delays are measured by it: the machine's clock may be set.</summary>
    private TimeSpan Now => _time.GetElapsedTime(_start);

    private bool IsPeekLock => _options.ReceiveMode == ReceiveMode.PeekLock || _transaction is not null;

    /// <summary>
    /// Counts the messages that the handles of the provider have locked, without those that they hold back until they are returned.
    /// </summary>
    internal int LockedCount => Siblings.Sum(static inbox =>
    {
        lock (inbox._gate)
            return inbox._locked.Values.Count(static message => message.State != LockState.Delayed) - inbox._buffer.Count;
    });

    /// <summary>Gets the receiving sides of the same entity, including this one.</summary>
    private IEnumerable<ServiceBusInbox> Siblings =>
        _space.Inboxes.Keys.Where(inbox => inbox._address.EntityPath.Equals(_address.EntityPath, StringComparison.OrdinalIgnoreCase));

    /// <summary>Receives up to a number of messages.</summary>
    /// <returns>The messages; empty after the timeout.</returns>
    internal async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(int maxCount, TimeSpan timeout, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        IReadOnlyList<ServiceBusQueueMessage> found = [];
        if (timeout == TimeSpan.Zero)
        {
            // A look first, so that no credit is left at an empty entity. What others have locked looks available.
            for (int wait = 25; found.Count == 0 && wait <= 200; wait *= 2)
            {
                int count = await CountAvailableAsync(cancellationToken).ConfigureAwait(false);
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
                await CountAvailableAsync(cancellationToken).ConfigureAwait(false);
        }

        if (IsPeekLock || found.Count == 0)
            return found;
        return await HandOverAsync(found).ConfigureAwait(false);
    }

    /// <summary>Returns messages without removing them.</summary>
    internal async Task<IReadOnlyList<PeekedMessage>> PeekAsync(long first, PeekOptions options, CancellationToken cancellationToken)
    {
        MessageSelector? selector = options.Selector is null ? null : MessageSelector.Parse(options.Selector);
        var found = new List<PeekedMessage>();
        while (found.Count < options.MaxCount)
        {
            IReadOnlyList<ServiceBusReceivedMessage> page = await RunAsync(
                () => _observer.PeekMessagesAsync(Math.Clamp(options.MaxCount - found.Count, 1, 250), first, cancellationToken), "peek at messages",
                    cancellationToken).ConfigureAwait(false);
            if (page.Count == 0)
                break;
            first = page[^1].SequenceNumber + 1;
            foreach (ServiceBusReceivedMessage message in page)
            {
                PeekedMessage peeked = ToPeeked(message);
                if (found.Count < options.MaxCount && (options.IncludeLocked || !peeked.IsLocked)
                    && (options.IncludeDelayed || peeked.DueTime is null) && selector?.Matches(peeked) != false)
                    found.Add(peeked);
            }
        }

        return found;
    }

    /// <summary>Completes all messages that are in the entity and not locked.</summary>
    internal async Task<long> PurgeAsync(Func<IEnumerable<long>, CancellationToken, Task> cancelScheduled, CancellationToken cancellationToken)
    {
        long count = 0;
        IReadOnlyList<PeekedMessage> all = await PeekAsync(0, new PeekOptions { MaxCount = int.MaxValue, IncludeLocked = false }, cancellationToken)
            .ConfigureAwait(false);
        foreach (PeekedMessage message in all.Where(static message => message.IsDeferred))
        {
            try
            {
                await HandOverAsync([await LockDeferredAsync(NumberOf(message), cancellationToken).ConfigureAwait(false)]).ConfigureAwait(false);
                count++;
            }
            catch (QueueException e) when (e.InnerException is ServiceBusException { Reason: ServiceBusFailureReason.MessageNotFound })
            {
                // Another receiver has locked it, or it has left.
            }
        }

        long[] numbers = [.. all.Where(static message => message.DueTime is not null).Select(NumberOf)];
        ServiceBusQueueMessage[] delayed;
        lock (_gate)
            delayed = [.. numbers.Where(_locked.ContainsKey).Select(number => _locked[number])
                .Where(static message => message.State == LockState.Delayed)];
        foreach (ServiceBusQueueMessage message in delayed)
        {
            await RunAsync(() => message.Receiver.CompleteMessageAsync(message.Received, cancellationToken), "purge", cancellationToken)
                .ConfigureAwait(false);
            Forget(message, LockState.Settled);
            count++;
        }

        long[] waiting = [.. numbers.Except(delayed.Select(static message => message.Received.SequenceNumber))];
        if (waiting.Length > 0)
        {
            await RunAsync(() => cancelScheduled(waiting, cancellationToken), "purge", cancellationToken).ConfigureAwait(false);
            count += waiting.Length;
        }

        for (int misses = 0; misses < MaxPurgeMisses;)
        {
            int available = await CountAvailableAsync(cancellationToken).ConfigureAwait(false);
            if (available == 0)
                break;
            IReadOnlyList<ServiceBusQueueMessage> some = await WaitAsync(available, PurgeWait, cancellationToken).ConfigureAwait(false);
            misses = some.Count == 0 ? misses + 1 : 0;
            if (some.Count > 0)
                await HandOverAsync(some).ConfigureAwait(false);
            count += some.Count;
        }

        return count;
    }

    /// <summary>Receives a deferred message.</summary>
    internal async ValueTask<ReceivedMessage> ReceiveDeferredAsync(long sequenceNumber, CancellationToken cancellationToken)
    {
        ServiceBusQueueMessage message = await LockDeferredAsync(sequenceNumber, cancellationToken).ConfigureAwait(false);
        return IsPeekLock ? message : (await HandOverAsync([message]).ConfigureAwait(false))[0];
    }

    /// <summary>Settles a message; without effect if it is settled already.</summary>
    internal async ValueTask SettleAsync(ServiceBusQueueMessage message, Settlement settlement, CancellationToken cancellationToken)
    {
        if (_transaction is not null)
        {
            // The commit acknowledges what is neither deferred nor a dead letter.
            if (settlement.Kind is SettlementKind.DeadLetter or SettlementKind.Defer)
                _transaction.Settle(message, settlement);
            return;
        }

        QueueChecks.NotInScope(Address);
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            if (message.State is LockState.Settled or LockState.Delayed)
                return;
            ThrowIfLost(message);
            message.State = LockState.Settled;
        }

        await SettleClaimedAsync(message, settlement).ConfigureAwait(false);
    }

    /// <summary>Keeps the lock of a message for a time, and then returns it.</summary>
    internal ValueTask ReturnLaterAsync(ServiceBusQueueMessage message, TimeSpan delay, CancellationToken cancellationToken)
    {
        if (_transaction is not null)
            return default;
        QueueChecks.NotInScope(Address);
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            if (message.State is LockState.Settled or LockState.Delayed)
                return default;
            ThrowIfLost(message);
            message.State = LockState.Delayed;
            message.ReturnTime = After(delay);
            message.Lease = null;
            Schedule(message);
        }

        return default;
    }

    internal async ValueTask RenewLeaseAsync(ServiceBusQueueMessage message, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (message.State == LockState.Settled)
                return;
            ThrowIfLost(message);
        }

        await RenewAsync(message, cancellationToken).ConfigureAwait(false);
        lock (_gate)
        {
            ThrowIfLost(message);
            message.Lease = After(_options.LeaseDuration);
            Schedule(message);
        }
    }

    /// <summary>Gives messages back that were not handed to the application.</summary>
    internal async ValueTask ReturnUnseenAsync(IEnumerable<ServiceBusQueueMessage> messages)
    {
        foreach (ServiceBusQueueMessage message in messages)
        {
            try
            {
                await SettleAsync(message, Settlement.Abandon, CancellationToken.None).ConfigureAwait(false);
            }
            catch (QueueException)
            {
                // It is no longer locked, or will not be.
            }
        }
    }

    /// <summary>Takes all messages that the handle still has, to be settled by a transaction.</summary>
    internal ServiceBusQueueMessage[] TakeLocked()
    {
        lock (_gate)
        {
            ServiceBusQueueMessage[] messages = [.. _locked.Values.Except(_buffer)];
            foreach (ServiceBusQueueMessage message in messages)
                message.State = LockState.Settled;
            return messages;
        }
    }

    /// <summary>Takes back <see cref="TakeLocked"/>.</summary>
    internal void Unclaim(ServiceBusQueueMessage[] messages)
    {
        foreach (ServiceBusQueueMessage message in messages)
            Unclaim(message);
    }

    /// <summary>Closes: what waits fails, and what is locked goes back.</summary>
    internal async Task CloseAsync(bool returnsMessages = true)
    {
        ServiceBusQueueMessage[] messages;
        Waiter[] waiters;
        ServiceBusReceiver? receiver;
        bool isRunning;
        lock (_gate)
        {
            if (_isClosed)
                return;
            _isClosed = true;
            (receiver, isRunning) = (_receiver, _isRunning);
            // The end of a session returns the messages that were not handed out, without counting it as a delivery.
            messages = [.. (_session is null ? _locked.Values : _locked.Values.Except(_buffer))
                .Where(static message => message.State is LockState.Locked or LockState.Delayed)
                .OrderBy(static message => message.Received.SequenceNumber)];
            foreach (ServiceBusQueueMessage message in messages)
                message.State = LockState.Closed;
            _buffer.Clear();
            waiters = [.. _waiters];
            _waiters.Clear();
        }

        await _closing.CancelAsync().ConfigureAwait(false);
        foreach (Waiter waiter in waiters)
            waiter.Done.TrySetException(QueueChecks.Closed(Address));
        await _timer.DisposeAsync().ConfigureAwait(false);
        // A service that does not answer is not waited for long: the locks end by themselves.
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(10));
        if (returnsMessages)
        {
            await Task.WhenAll(messages.Select(message => message.Receiver.AbandonMessageAsync(message.Received, null, patience.Token)))
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        _space.Inboxes.TryRemove(this, out _);
        if (receiver is not null)
            await CloseReceiverAsync(receiver).ConfigureAwait(false);
        // What the last credit brings, until the link is closed, is returned by the other receiver.
        if (isRunning)
            await _stopped.Task.WaitAsync(patience.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await CloseReceiverAsync(_observer).ConfigureAwait(false);
    }

    void IThreadPoolWorkItem.Execute() => _ = RunAsync();

    /// <summary>Waits for messages.</summary>
    private async ValueTask<IReadOnlyList<ServiceBusQueueMessage>> WaitAsync(int maxCount, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var waiter = new Waiter(maxCount);
        bool starts = false;
        lock (_gate)
        {
            if (_isClosed)
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
            lock (_gate)
            {
                // What came at the same time is handed out, or stays for the next.
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

    /// <summary>Receives while somebody waits, or the service has credit.</summary>
    private async Task RunAsync()
    {
        int credit = 0;
        long lostAt = -1;
        while (true)
        {
            int wanted;
            ServiceBusReceiver receiver;
            lock (_gate)
            {
                HandOutBuffered();
                wanted = (int)Math.Min(_options.PrefetchCount, _waiters.Sum(static waiter => (long)waiter.MaxCount));
                if (_isClosed || (wanted == 0 && credit == 0))
                {
                    _isRunning = false;
                    if (_isClosed)
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
                // The client may put what has just come before what had to wait for a receive.
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
                    && _transaction is null && _session is null && !_closing.IsCancellationRequested)
                    await Task.Delay(100).ConfigureAwait(false);
                else
                    FailWaiters(ServiceBusErrors.Translate(e, What, Address, session: _session));
            }
        }
    }

    private async Task ArriveAsync(ServiceBusReceiver receiver, ServiceBusReceivedMessage received)
    {
        // One that waited in the client for too long belongs to another receiver by now. The service knows: its clock may be another. A session's
        // messages have its lock.
        if (_session is null && received.LockedUntil <= _time.GetUtcNow() && !await IsStillLockedAsync(received).ConfigureAwait(false))
            return;
        ServiceBusQueueMessage message = Create(received, receiver);
        bool isSelected = _selector?.Matches(message) != false;
        lock (_gate)
        {
            if (!_isClosed)
            {
                if (isSelected)
                {
                    _locked[received.SequenceNumber] = message;
                    Buffer(message);
                    Schedule(message);
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
        else if (_isClosed && _session is null)
            await AbandonInBackgroundAsync(message, _observer).ConfigureAwait(false);
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
    private async Task<ServiceBusQueueMessage> LockDeferredAsync(long sequenceNumber, CancellationToken cancellationToken)
    {
        ServiceBusReceivedMessage received = await RunAsync(
            () => _observer.ReceiveDeferredMessageAsync(sequenceNumber, cancellationToken), "receive the deferred message", cancellationToken)
            .ConfigureAwait(false);
        ServiceBusQueueMessage message = Create(received, _observer);
        lock (_gate)
        {
            if (_isClosed)
                throw QueueChecks.Closed(Address);
            _locked[sequenceNumber] = message;
            StartLease(message);
            Schedule(message);
        }

        return message;
    }

    private ServiceBusQueueMessage Create(ServiceBusReceivedMessage received, ServiceBusReceiver receiver) =>
        new(received, receiver, IsPeekLock ? this : null, _address.IsDeadLetterQueue ? _address.MainPath : null)
        {
            RenewTime = _session is null ? Now + HalfOf(received.LockedUntil, _space.Options) : TimeSpan.MaxValue,
        };

    /// <summary>Returns half of the time until a lock ends, after which it is renewed.</summary>
    /// <remarks>The service says when it ends, by its clock. If this machine's differs, the lock is renewed too early, and not too late.</remarks>
    internal static TimeSpan HalfOf(DateTimeOffset lockedUntil, ServiceBusOptions options)
    {
        TimeSpan half = (lockedUntil - options.TimeProvider.GetUtcNow()) / 2;
        return half < RenewalPause ? RenewalPause : half.AtMost(options.LockDuration / 2);
    }

    /// <summary>Returns the time after a delay; the longest one never ends.</summary>
    private TimeSpan After(TimeSpan delay)
    {
        TimeSpan now = Now;
        return delay < TimeSpan.MaxValue - now ? now + delay : TimeSpan.MaxValue;
    }

    /// <summary>Returns a time of <see cref="Now"/> by the machine's clock.</summary>
    internal DateTimeOffset? ByClock(TimeSpan? time)
    {
        if (time is not { } then)
            return null;
        (DateTimeOffset clock, TimeSpan left) = (_time.GetUtcNow(), then - Now);
        return left < DateTimeOffset.MaxValue - clock ? clock + left : DateTimeOffset.MaxValue;
    }

    /// <summary>Completes received messages before they are handed out.</summary>
    private async Task<IReadOnlyList<ReceivedMessage>> HandOverAsync(IReadOnlyList<ServiceBusQueueMessage> messages)
    {
        Task[] completions = new Task[messages.Count];
        lock (_gate)
        {
            foreach (ServiceBusQueueMessage message in messages)
                message.State = LockState.Settled;
        }

        for (int i = 0; i < completions.Length; i++)
            completions[i] = SettleClaimedAsync(messages[i], Settlement.Complete).AsTask();
        await Task.WhenAll(completions).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (completions[0].Exception?.InnerException is QueueException e && completions.Length == 1)
            throw e;
        // One whose lock was lost is delivered to another.
        ReceivedMessage[] done = [.. messages.Where((_, i) => completions[i].IsCompletedSuccessfully)];
        return done.Length > 0 ? done : throw completions[0].Exception!.InnerException!;
    }

    private async ValueTask SettleClaimedAsync(ServiceBusQueueMessage message, Settlement settlement)
    {
        string what = settlement.Kind switch
        {
            SettlementKind.Complete => "acknowledge the message",
            SettlementKind.Abandon => "return the message",
            SettlementKind.Defer => "defer the message",
            _ => "dead-letter the message",
        };
        try
        {
            // Not canceled after it is sent: the outcome would be unknown.
            ServiceBusReceiver receiver = SettlerOf(message);
            try
            {
                await ApplyAsync(receiver, message, settlement).ConfigureAwait(false);
            }
            catch (ServiceBusException e) when (e.Reason == ServiceBusFailureReason.MessageLockLost && receiver != _observer)
            {
                // The client reports a lost lock also when the receiver's link closes during the settlement. Only the service knows.
                await ApplyAsync(_observer, message, settlement).ConfigureAwait(false);
            }

            Forget(message, LockState.Settled);
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e))
        {
            if (ServiceBusErrors.IsLockLost(e) || _session is { IsClosed: true })
                Forget(message, LockState.Lost);
            else
                Unclaim(message);
            throw ServiceBusErrors.Translate(e, what, Address, mayHaveHappened: true, _session);
        }
    }

    /// <summary>Settles a message with the client.</summary>
    internal static Task ApplyAsync(ServiceBusReceiver receiver, ServiceBusQueueMessage message, Settlement settlement) => settlement.Kind switch
    {
        SettlementKind.Complete => receiver.CompleteMessageAsync(message.Received),
        SettlementKind.Abandon => receiver.AbandonMessageAsync(message.Received),
        SettlementKind.Defer => receiver.DeferMessageAsync(message.Received),
        _ => receiver.DeadLetterMessageAsync(message.Received, settlement.Reason, settlement.Description),
    };

    /// <summary>Returns the receiver that settles a message: its own, or, if that is closed, another, which does it by the lock token.</summary>
    private ServiceBusReceiver SettlerOf(ServiceBusQueueMessage message) => message.Receiver.IsClosed ? _observer : message.Receiver;

    private void Unclaim(ServiceBusQueueMessage message)
    {
        lock (_gate)
        {
            if (message.State == LockState.Settled)
                message.State = _isClosed ? LockState.Closed : LockState.Locked;
        }
    }

    private void Forget(ServiceBusQueueMessage message, LockState state)
    {
        lock (_gate)
        {
            message.State = state;
            if (_locked.TryGetValue(message.Received.SequenceNumber, out ServiceBusQueueMessage? current) && ReferenceEquals(current, message))
                _locked.Remove(message.Received.SequenceNumber);
        }
    }

    private void ThrowIfLost(ServiceBusQueueMessage message)
    {
        if (message.State == LockState.Lost)
            throw new QueueException($"'{Address}': the lock is gone, because the lease or the lock has ended: the message is delivered again.");
        if (message.State == LockState.Closed || _isClosed)
            throw new QueueException($"'{Address}': the lock is gone, because the queue was closed: the message is delivered again.");
    }

    private async Task RenewAsync(ServiceBusQueueMessage message, CancellationToken cancellationToken)
    {
        // The session renews its own lock.
        if (_session is not null)
            return;
        try
        {
            await _observer.RenewMessageLockAsync(message.Received, cancellationToken).ConfigureAwait(false);
            lock (_gate)
            {
                message.RenewTime = Now + HalfOf(message.Received.LockedUntil, _space.Options);
                Schedule(message);
            }
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e) && !cancellationToken.IsCancellationRequested)
        {
            if (ServiceBusErrors.IsLockLost(e))
                Forget(message, LockState.Lost);
            throw ServiceBusErrors.Translate(e, "renew the lock", Address);
        }
    }

    /// <summary>Sets the timer for a message. Called with the gate held.</summary>
    private void Schedule(ServiceBusQueueMessage message)
    {
        TimeSpan next = message.RenewTime;
        if (message.Lease is { } lease && lease < next)
            next = lease;
        if (message.ReturnTime is { } due && due < next)
            next = due;
        if (_isClosed || next >= _timerTime)
            return;
        _timerTime = next;
        TimeSpan wait = next - Now;
        _timer.Change(wait < TimeSpan.Zero ? TimeSpan.Zero : wait > LongestPause ? LongestPause : wait, Timeout.InfiniteTimeSpan);
    }

    private void OnTimer()
    {
        var renewals = new List<ServiceBusQueueMessage>();
        var returns = new List<ServiceBusQueueMessage>();
        lock (_gate)
        {
            if (_isClosed)
                return;
            _timerTime = TimeSpan.MaxValue;
            TimeSpan now = Now;
            foreach (ServiceBusQueueMessage message in _locked.Values)
            {
                if (message.State == LockState.Settled)
                    continue;
                if (message.State == LockState.Lost || (message.Lease <= now && message.State == LockState.Locked) || message.ReturnTime <= now)
                {
                    returns.Add(message);
                    continue;
                }

                if (message.RenewTime <= now)
                {
                    renewals.Add(message);
                    message.RenewTime = now + RenewalPause;
                }

                Schedule(message);
            }

            foreach (ServiceBusQueueMessage message in returns)
                message.State = message.State == LockState.Delayed ? LockState.Settled : LockState.Lost;
        }

        foreach (ServiceBusQueueMessage message in renewals)
            _ = RenewInBackgroundAsync(message);
        foreach (ServiceBusQueueMessage message in returns)
            _ = AbandonInBackgroundAsync(message, SettlerOf(message));
    }

    private async Task RenewInBackgroundAsync(ServiceBusQueueMessage message)
    {
        try
        {
            await RenewAsync(message, _closing.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is QueueException or OperationCanceledException or ObjectDisposedException)
        {
            // Tried again, or the settlement meets the error.
        }
    }

    private async Task AbandonInBackgroundAsync(ServiceBusQueueMessage message, ServiceBusReceiver settler)
    {
        try
        {
            await settler.AbandonMessageAsync(message.Received).ConfigureAwait(false);
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e))
        {
            // The lock ends by itself, because it is no longer renewed.
        }

        Forget(message, message.State);
    }

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
            StartLease(message);
            taken.Add(message);
        }

        return taken;
    }

    /// <summary>Starts the lease of a message that is handed out, if the handle has one. Called with the gate held.</summary>
    private void StartLease(ServiceBusQueueMessage message)
    {
        if (_options.LeaseDuration == Timeout.InfiniteTimeSpan || !IsPeekLock)
            return;
        message.Lease = After(_options.LeaseDuration);
        Schedule(message);
    }

    private void FailWaiters(Exception error)
    {
        Waiter[] waiters;
        lock (_gate)
        {
            waiters = [.. _waiters];
            _waiters.Clear();
            foreach (Waiter waiter in waiters)
                waiter.Node = null;
        }

        foreach (Waiter waiter in waiters)
            waiter.Done.TrySetException(error);
    }

    /// <summary>Counts some of the messages that are there and not locked by a handle of the provider.</summary>
    /// <returns>Zero if there is none.</returns>
    internal async Task<int> CountAvailableAsync(CancellationToken cancellationToken)
    {
        long first = 0;
        while (true)
        {
            IReadOnlyList<ServiceBusReceivedMessage> page = await RunAsync(
                () => _observer.PeekMessagesAsync(PeekCount, first, cancellationToken), What, cancellationToken).ConfigureAwait(false);
            lock (_gate)
            {
                if (_buffer.Count > 0)
                    return _buffer.Count;
            }

            int count = page.Count(message => message.State == ServiceBusMessageState.Active && FindLocked(message.SequenceNumber) is null);
            if (count > 0)
                return count;

            if (page.Count == 0)
                return 0;
            first = page[^1].SequenceNumber + 1;
        }
    }

    /// <summary>Finds a message that a handle of the provider has locked.</summary>
    private ServiceBusQueueMessage? FindLocked(long sequenceNumber)
    {
        foreach (ServiceBusInbox inbox in Siblings)
        {
            lock (inbox._gate)
            {
                if (inbox._locked.TryGetValue(sequenceNumber, out ServiceBusQueueMessage? message))
                    return message;
            }
        }

        return null;
    }

    private static long NumberOf(PeekedMessage message) => long.Parse(message.Position, System.Globalization.CultureInfo.InvariantCulture);

    private PeekedMessage ToPeeked(ServiceBusReceivedMessage message)
    {
        ServiceBusQueueMessage? own = FindLocked(message.SequenceNumber);
        string? source = _address.IsDeadLetterQueue ? _address.MainPath : null;
        return ServiceBusQueueMessage.Peeked(message, own is not null, ByClock(own?.ReturnTime), ByClock(own?.Lease), source);
    }

    private async Task<T> RunAsync<T>(Func<Task<T>> operation, string what, CancellationToken cancellationToken)
    {
        long start = Environment.TickCount64;
        while (true)
        {
            try
            {
                return await operation().ConfigureAwait(false);
            }
            catch (Exception e) when (ServiceBusErrors.IsOfService(e) && !cancellationToken.IsCancellationRequested)
            {
                if (_isClosed)
                    throw QueueChecks.Closed(Address);
                if (!ServiceBusErrors.IsConnectionLoss(e) || _session is { IsClosed: true }
                    || Environment.TickCount64 - start > _space.Options.ReconnectTimeout.TotalMilliseconds)
                    throw ServiceBusErrors.Translate(e, what, Address, session: _session);
                await Task.Delay(50, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    private Task<bool> RunAsync(Func<Task> operation, string what, CancellationToken cancellationToken) => RunAsync(
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
            await receiver.DisposeAsync().ConfigureAwait(false);
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
