using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

// Sessions, and deferred messages. A request for a session that its caller no longer waits for is not canceled, because the client may then leave the
// session locked. One for the next session is left to the next caller; otherwise its session is unlocked.
internal partial class ServiceBusQueue
{
    private static readonly TimeSpan ShortestAcceptance = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(500);

    private readonly List<Task<ServiceBusSessionReceiver>> _acceptances = [];

    protected override async ValueTask<QueueClient?> AcceptSessionCoreAsync(string? sessionId, TimeSpan timeout,
        CancellationToken cancellationToken)
    {
        timeout = QueueChecks.Timeout(timeout);
        ThrowIfDisposed();
        QueueChecks.NotInScope(Address);
        cancellationToken.ThrowIfCancellationRequested();
        if (!Options.RequiresSession)
            throw new InvalidOperationException(
                $"'{Address}' was opened without {nameof(QueueOptions)}.{nameof(QueueOptions.RequiresSession)}: it has no sessions to accept.");
        if (Options.DeliveryMode == DeliveryMode.Transactional)
            throw new NotSupportedException(
                $"'{Address}' was opened as transactional: sessions are accepted by a queue opened as {nameof(DeliveryMode.Recoverable)}.");
        if (sessionId?.Length > ServiceBusQueueMessage.MaxIdLength)
            throw new ArgumentException(
                $"Service Bus takes a session id of 1 to {ServiceBusQueueMessage.MaxIdLength} characters.", nameof(sessionId));
        using var waiting = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _closing.Token);
        ServiceBusSessionReceiver? receiver;
        try
        {
            receiver = await AcceptAsync(sessionId, timeout, waiting.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (waiting.IsCancellationRequested)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw QueueChecks.Closed(Address);
        }

        if (receiver is not null && _isDisposed)
        {
            await ServiceBusInbox.CloseReceiverAsync(receiver).ConfigureAwait(false);
            throw QueueChecks.Closed(Address);
        }

        return receiver is null ? null : new ServiceBusSession(this, receiver);
    }

    protected override async ValueTask<ReceivedMessage> ReceiveDeferredCoreAsync(string position, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        long number = NumberOf(position, nameof(position));
        ThrowIfDisposed();
        ServiceBusTransaction? own = Check(transaction);
        cancellationToken.ThrowIfCancellationRequested();
        return await InboxOf(own).ReceiveDeferredAsync(number, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Purges each session that has messages and is not locked.</summary>
    private async Task<long> PurgeSessionsAsync(CancellationToken cancellationToken)
    {
        long count = 0;
        IReadOnlyList<PeekedMessage> messages = await Inbox.Browser
            .PeekAsync(0, new PeekOptions { MaxCount = int.MaxValue, IncludeLocked = false }, cancellationToken).ConfigureAwait(false);
        foreach (string? id in messages.Select(static message => message.SessionId).Distinct())
        {
            QueueClient? session = await AcceptSessionCoreAsync(id, TimeSpan.Zero, cancellationToken).ConfigureAwait(false);
            if (session is null)
                continue;
            await using (session.ConfigureAwait(false))
                count += await session.PurgeAsync(cancellationToken).ConfigureAwait(false);
        }

        return count;
    }

    /// <summary>Locks a session.</summary>
    /// <returns>Its receiver; null after the timeout.</returns>
    private async Task<ServiceBusSessionReceiver?> AcceptAsync(string? sessionId, TimeSpan timeout, CancellationToken cancellationToken)
    {
        // Counted first, so that a check of an empty entity does not wait. Messages that other receivers have locked are counted too.
        if (sessionId is null && timeout == TimeSpan.Zero)
        {
            if (await Inbox.Browser.CountAvailableAsync(cancellationToken).ConfigureAwait(false) == 0)
                return null;
            timeout = ShortestAcceptance;
        }

        long start = Environment.TickCount64;
        long lostAt = -1;
        TimeSpan pause = TimeSpan.FromMilliseconds(20);
        while (true)
        {
            ThrowIfDisposed();
            TimeSpan rest = timeout == Timeout.InfiniteTimeSpan ? timeout : timeout - TimeSpan.FromMilliseconds(Environment.TickCount64 - start);
            bool isOver = timeout != Timeout.InfiniteTimeSpan && rest <= TimeSpan.Zero;
            try
            {
                if (sessionId is not null)
                    return await AcceptNamedAsync(sessionId, cancellationToken).ConfigureAwait(false);
                if (!isOver && await AcceptNextAsync(rest, cancellationToken).ConfigureAwait(false) is { } next)
                    return next;
                // There is none only if the service says so: silence is also what a hung service looks like.
                await Inbox.Browser.CountAvailableAsync(cancellationToken).ConfigureAwait(false);
                return null;
            }
            catch (ServiceBusException e) when (e.Reason == ServiceBusFailureReason.SessionCannotBeLocked
                || (e.Reason == ServiceBusFailureReason.ServiceTimeout && sessionId is null))
            {
                // Another receiver has the session, or none is free.
                if (isOver && sessionId is not null)
                    return null;
                lostAt = -1;
            }
            catch (Exception e) when (ServiceBusErrors.IsOfService(e))
            {
                ThrowIfDisposed();
                long now = Environment.TickCount64;
                lostAt = lostAt < 0 ? now : lostAt;
                if (!ServiceBusErrors.IsConnectionLoss(e) || now - lostAt > _space.Options.ReconnectTimeout.TotalMilliseconds)
                    throw ServiceBusErrors.Translate(e, ServiceBusErrors.AcceptSession, Address);
            }

            await Task.Delay(rest > TimeSpan.Zero && rest < pause ? rest : pause, cancellationToken).ConfigureAwait(false);
            pause = pause * 2 < LongestPause ? pause * 2 : LongestPause;
        }
    }

    /// <summary>Locks a session by its id. The service answers immediately.</summary>
    private async Task<ServiceBusSessionReceiver> AcceptNamedAsync(string sessionId, CancellationToken cancellationToken)
    {
        Task<ServiceBusSessionReceiver> acceptance =
            _space.Client.AcceptSessionAsync(_address.EntityPath, sessionId, cancellationToken: CancellationToken.None);
        try
        {
            return await ConnectionThread.LeaveAsync(acceptance.WaitAsync(cancellationToken)).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            _ = UnlockAsync(acceptance, isLeft: false);
            throw;
        }
    }

    /// <summary>Waits for the next session.</summary>
    private async Task<ServiceBusSessionReceiver?> AcceptNextAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        Task<ServiceBusSessionReceiver> acceptance;
        lock (_acceptances)
        {
            acceptance = _acceptances.Count > 0
                ? _acceptances[^1]
                : _space.Client.AcceptNextSessionAsync(_address.EntityPath, cancellationToken: CancellationToken.None);
            _acceptances.Remove(acceptance);
        }

        try
        {
            return await ConnectionThread.LeaveAsync(acceptance.WaitAsync(timeout, cancellationToken)).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TimeoutException or OperationCanceledException && acceptance is { IsFaulted: false, IsCanceled: false })
        {
            if (acceptance.IsCompletedSuccessfully && !cancellationToken.IsCancellationRequested)
                return await acceptance.ConfigureAwait(false);
            lock (_acceptances)
                _acceptances.Add(acceptance);
            _ = UnlockAsync(acceptance, isLeft: true);
            cancellationToken.ThrowIfCancellationRequested();
            return null;
        }
    }

    /// <summary>Unlocks the session of a request when it completes.</summary>
    /// <param name="acceptance">The request.</param>
    /// <param name="isLeft">Whether another caller may have taken it over by then.</param>
    private async Task UnlockAsync(Task<ServiceBusSessionReceiver> acceptance, bool isLeft)
    {
        await ((Task)acceptance).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        lock (_acceptances)
        {
            if (isLeft && !_acceptances.Remove(acceptance))
                return;
        }

        if (!acceptance.IsCompletedSuccessfully)
            return;
        ServiceBusSessionReceiver receiver = await acceptance.ConfigureAwait(false);
        await ServiceBusInbox.CloseReceiverAsync(receiver).ConfigureAwait(false);
    }
}
