using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>The messages that a handle has locked: renews their locks, ends their leases, and settles them.</summary>
internal sealed class ServiceBusLocks
{
    internal static readonly TimeSpan RenewalPause = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(60);

    private readonly ServiceBusNamespace _space;
    private readonly QueueOptions _options;
    private readonly ServiceBusTransaction? _transaction;
    private readonly ServiceBusSessionReceiver? _session;
    private readonly ServiceBusReceiver _observer;
    private readonly TimeProvider _time;
    private readonly long _start;
    private readonly Dictionary<long, ServiceBusQueueMessage> _locked = [];
    private readonly CancellationTokenSource _closing = new();
    private readonly Timer _timer;
    private TimeSpan _timerTime = TimeSpan.MaxValue;

    /// <summary>Creates the locks of a handle.</summary>
    /// <param name="space">The namespace.</param>
    /// <param name="address">The address of the handle.</param>
    /// <param name="options">The options of the handle.</param>
    /// <param name="transaction">The transaction that settles the messages; null without one.</param>
    /// <param name="session">The session, whose lock is the lock of all its messages; null without one.</param>
    /// <param name="observer">Renews locks, and settles messages whose receiver is closed.</param>
    internal ServiceBusLocks(ServiceBusNamespace space, QueueAddress address, QueueOptions options, ServiceBusTransaction? transaction,
        ServiceBusSessionReceiver? session, ServiceBusReceiver observer)
    {
        (_space, Address, _options, _transaction, _session, _observer) = (space, address, options, transaction, session, observer);
        _time = space.Options.TimeProvider;
        _start = _time.GetTimestamp();
        _timer = new Timer(static state => ((ServiceBusLocks)state!).OnTimer(), this, Timeout.Infinite, Timeout.Infinite);
    }

    /// <summary>Gets the lock that guards the messages, and the buffer of the inbox.</summary>
    internal Lock Gate { get; } = new();

    internal QueueAddress Address { get; }

    internal bool HasDeadLetters => _options.DeadLetterQueue is not null;

    internal bool IsPeekLock => _options.ReceiveMode == ReceiveMode.PeekLock || _transaction is not null;

    internal bool IsClosed { get; private set; }

    /// <summary>Gets a token that is canceled when the handle is closed.</summary>
    internal CancellationToken Closing => _closing.Token;

    /// <summary>Gets the number of messages, without those that are held back until they are returned. Call with the gate held.</summary>
    internal int CountWithoutDelayed => _locked.Values.Count(static message => message.State != LockState.Delayed);

    /// <summary>Gets the time since the handle was opened. Leases, renewals and delays are measured by it: the machine's clock may be set.</summary>
    private TimeSpan Now => _time.GetElapsedTime(_start);

    /// <summary>Gets the time at which the lock of a message that has just been received is to be renewed.</summary>
    internal TimeSpan RenewTimeOf(ServiceBusReceivedMessage received) =>
        _session is null ? Now + HalfOf(received.LockedUntil, _space.Options) : TimeSpan.MaxValue;

    /// <summary>Adds a message, whose lock is then renewed. Call with the gate held.</summary>
    internal void Add(ServiceBusQueueMessage message)
    {
        _locked[message.Received.SequenceNumber] = message;
        Schedule(message);
    }

    internal ServiceBusQueueMessage? Find(long sequenceNumber)
    {
        lock (Gate)
            return _locked.GetValueOrDefault(sequenceNumber);
    }

    /// <summary>Starts the lease of a message that is handed out, if the handle has one. Called with the gate held.</summary>
    internal void StartLease(ServiceBusQueueMessage message)
    {
        if (_options.LeaseDuration == Timeout.InfiniteTimeSpan || !IsPeekLock)
            return;
        message.Lease = After(_options.LeaseDuration);
        Schedule(message);
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
        lock (Gate)
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
        lock (Gate)
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
        lock (Gate)
        {
            if (message.State == LockState.Settled)
                return;
            ThrowIfLost(message);
        }

        await RenewAsync(message, cancellationToken).ConfigureAwait(false);
        lock (Gate)
        {
            ThrowIfLost(message);
            message.Lease = After(_options.LeaseDuration);
            Schedule(message);
        }
    }

    /// <summary>Completes received messages before they are handed out.</summary>
    /// <returns>The messages whose lock was not lost.</returns>
    internal async Task<IReadOnlyList<ReceivedMessage>> CompleteAsync(IReadOnlyList<ServiceBusQueueMessage> messages)
    {
        Task[] completions = new Task[messages.Count];
        lock (Gate)
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

    /// <summary>Completes a message that is held back until it is returned.</summary>
    internal async Task CompleteDelayedAsync(ServiceBusQueueMessage message, CancellationToken cancellationToken)
    {
        await message.Receiver.CompleteMessageAsync(message.Received, cancellationToken).ConfigureAwait(false);
        Forget(message, LockState.Settled);
    }

    /// <summary>Finds the messages that are held back until they are returned.</summary>
    internal ServiceBusQueueMessage[] FindDelayed(IEnumerable<long> sequenceNumbers)
    {
        lock (Gate)
            return [.. sequenceNumbers.Where(_locked.ContainsKey).Select(number => _locked[number])
                .Where(static message => message.State == LockState.Delayed)];
    }

    /// <summary>Takes all messages except those that were not handed out, to be settled by the transaction. Call with the gate held.</summary>
    internal ServiceBusQueueMessage[] TakeExcept(IEnumerable<ServiceBusQueueMessage> buffered)
    {
        ServiceBusQueueMessage[] messages = [.. _locked.Values.Except(buffered)];
        foreach (ServiceBusQueueMessage message in messages)
            message.State = LockState.Settled;
        return messages;
    }

    /// <summary>Closes, and returns the messages to be returned to the entity. Call with the gate held.</summary>
    internal ServiceBusQueueMessage[] Close(IEnumerable<ServiceBusQueueMessage> buffered)
    {
        IsClosed = true;
        // The end of a session returns the messages that were not handed out, without counting it as a delivery.
        ServiceBusQueueMessage[] messages = [.. (_session is null ? _locked.Values : _locked.Values.Except(buffered))
            .Where(static message => message.State is LockState.Locked or LockState.Delayed)
            .OrderBy(static message => message.Received.SequenceNumber)];
        foreach (ServiceBusQueueMessage message in messages)
            message.State = LockState.Closed;
        return messages;
    }

    /// <summary>Stops the renewals after <see cref="Close"/>.</summary>
    internal async Task StopAsync()
    {
        await _closing.CancelAsync().ConfigureAwait(false);
        await _timer.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Returns a message in the background; if that fails, its lock ends by itself.</summary>
    internal async Task AbandonInBackgroundAsync(ServiceBusQueueMessage message, ServiceBusReceiver settler)
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
    internal static Task ApplyAsync(ServiceBusReceiver receiver, ServiceBusQueueMessage message, Settlement settlement) =>
        ConnectionThread.LeaveAsync(settlement.Kind switch
        {
            SettlementKind.Complete => receiver.CompleteMessageAsync(message.Received),
            SettlementKind.Abandon => receiver.AbandonMessageAsync(message.Received),
            SettlementKind.Defer => receiver.DeferMessageAsync(message.Received),
            _ => receiver.DeadLetterMessageAsync(message.Received, settlement.Reason, settlement.Description),
        });

    /// <summary>Returns the receiver that settles a message: its own, or, if that is closed, another, which does it by the lock token.</summary>
    private ServiceBusReceiver SettlerOf(ServiceBusQueueMessage message) => message.Receiver.IsClosed ? _observer : message.Receiver;

    /// <summary>Takes back a settlement that has failed.</summary>
    internal void Unclaim(ServiceBusQueueMessage message)
    {
        lock (Gate)
        {
            if (message.State == LockState.Settled)
                message.State = IsClosed ? LockState.Closed : LockState.Locked;
        }
    }

    private void Forget(ServiceBusQueueMessage message, LockState state)
    {
        lock (Gate)
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
        if (message.State == LockState.Closed || IsClosed)
            throw new QueueException($"'{Address}': the lock is gone, because the queue was closed: the message is delivered again.");
    }

    private async Task RenewAsync(ServiceBusQueueMessage message, CancellationToken cancellationToken)
    {
        // The session renews its own lock.
        if (_session is not null)
            return;
        try
        {
            await ConnectionThread.LeaveAsync(_observer.RenewMessageLockAsync(message.Received, cancellationToken)).ConfigureAwait(false);
            lock (Gate)
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
        if (IsClosed || next >= _timerTime)
            return;
        _timerTime = next;
        TimeSpan wait = next - Now;
        _timer.Change(wait < TimeSpan.Zero ? TimeSpan.Zero : wait > LongestPause ? LongestPause : wait, Timeout.InfiniteTimeSpan);
    }

    private void OnTimer()
    {
        var renewals = new List<ServiceBusQueueMessage>();
        var returns = new List<ServiceBusQueueMessage>();
        lock (Gate)
        {
            if (IsClosed)
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
            // It is tried again, or the settlement meets the error.
        }
    }
}
