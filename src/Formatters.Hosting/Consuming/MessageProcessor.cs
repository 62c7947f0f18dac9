using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Formatters.Hosting;

/// <summary>Handles the messages of one queue: runs the pipeline, tries again, and settles.</summary>
internal sealed class MessageProcessor(
    string queueName,
    HostedQueueOptions options,
    QueueConsumers consumers,
    MessageDelegate pipeline,
    CircuitBreaker breaker,
    QueueState state,
    IServiceScopeFactory scopes,
    ReplySender replies,
    IReadOnlyList<QueueObserver> observers,
    TimeProvider time,
    ILogger logger)
{
    // The number of reported messages that are remembered, so that each one that cannot be set aside is reported once.
    private const int MaxReportedCount = 1000;

    private readonly HashSet<string> _reported = [];
    private readonly bool _hasDeadLetterQueue = options.ToQueueOptions().DeadLetterQueue is not null;

    /// <summary>Handles a message until it is settled.</summary>
    /// <param name="incoming">The message.</param>
    /// <param name="lease">The renewal of its lease.</param>
    /// <param name="capabilities">What the queue supports.</param>
    /// <param name="stopping">Canceled when the host stops: no further attempt begins.</param>
    /// <param name="aborting">Canceled when the host's shutdown timeout is over: handlers must end.</param>
    /// <returns>Null if the message is settled; otherwise the time after which to return it, because it cannot be set aside.</returns>
    internal async Task<TimeSpan?> ProcessAsync(
        IncomingMessage incoming, LeaseRenewal lease, QueueCapabilities capabilities, CancellationToken stopping, CancellationToken aborting)
    {
        ReceivedMessage message = incoming.Message;
        KeyValuePair<string, object?>[] properties =
            [new("Queue", queueName), new("MessageId", message.MessageId), new("Contract", incoming.ContractName)];
        using IDisposable? scope = logger.BeginScope(properties);
        bool isByQueue = capabilities.Supports(QueueFeatures.Delays | QueueFeatures.DeliveryCounts)
            && !consumers.IsOrdered && incoming.Session is null
            && options.Retry.Mode != RetryMode.InProcess;
        int outageCount = 0;
        using var wait = new DatabaseWait(state);
        for (int attempt = capabilities.Supports(QueueFeatures.DeliveryCounts) ? message.DeliveryCount : 1; ; attempt++)
        {
            if (IsLost(incoming, lease))
                return null;
            if (incoming.Reason is { } poison)
                return await SetAsideAsync(incoming, poison, incoming.Description, incoming.Error, capabilities).ConfigureAwait(false);
            (Exception? error, bool isRepeated) = incoming.Error is { } unread
                ? (unread, false)
                : await TryHandleAsync(incoming, attempt, lease, aborting).ConfigureAwait(false);
            if (error is null)
            {
                await AcknowledgeAsync(incoming, isRepeated).ConfigureAwait(false);
                return null;
            }

            // Not counted as an attempt: otherwise a database that fails for an hour would make dead letters of all messages.
            if (incoming.Consumer?.IsTransactional == true && error is not MessageRejectedException
                && OutboxException.FindOutage(error) is { } outage)
            {
                wait.Begin();
                if (state.Database.Begin(outage, time))
                    logger.InboxFailed(outage, queueName, incoming.ContractName, message.MessageId);
                if (IsLost(incoming, lease))
                    return null;
                TimeSpan pause = BackOff.After(options.Retry.Delay, options.Retry.MaxDelay, ++outageCount);
                if (!aborting.IsCancellationRequested && await DelayAsync(pause, stopping).ConfigureAwait(false))
                {
                    attempt--;
                    continue;
                }

                await ReturnAsync(incoming).ConfigureAwait(false);
                return null;
            }

            wait.End();
            if (error is MessageRejectedException rejected)
                return await SetAsideAsync(incoming, rejected.Reason, rejected.Message, error, capabilities).ConfigureAwait(false);
            if (IsLost(incoming, lease))
                return null;
            if (aborting.IsCancellationRequested)
            {
                await ReturnAsync(incoming).ConfigureAwait(false);
                return null;
            }

            if (breaker.Fail())
                OpenCircuit(error);
            if (attempt >= options.Retry.MaxAttempts)
            {
                (string reason, string description) = incoming.Error is null
                    ? (DeadLetterReasons.HandlerFailed, error.ToString())
                    : (DeadLetterReasons.UnreadableBody, error.Message);
                return await SetAsideAsync(incoming, reason, description, error, capabilities).ConfigureAwait(false);
            }

            TimeSpan delay = BackOff.After(options.Retry.Delay, options.Retry.MaxDelay, attempt);
            logger.AttemptFailed(error, queueName, incoming.ContractName, message.MessageId, attempt, options.Retry.MaxAttempts, delay);
            if (isByQueue)
            {
                await SettleAsync(incoming, "returned", () => message.ReturnAsync(delay, CancellationToken.None)).ConfigureAwait(false);
                return null;
            }

            if (!await DelayAsync(delay, stopping).ConfigureAwait(false))
            {
                await ReturnAsync(incoming).ConfigureAwait(false);
                return null;
            }

            if (incoming.Error is not null)
                incoming = IncomingMessage.Read(message, consumers, incoming.Session);
        }
    }

    /// <summary>Returns a message that cannot be set aside to its queue after a wait, in which it stays locked.</summary>
    internal async Task ReturnLaterAsync(IncomingMessage incoming, TimeSpan delay, CancellationToken stopping)
    {
        await DelayAsync(delay, stopping).ConfigureAwait(false);
        await SettleAsync(incoming, "returned", () => incoming.Message.ReturnAsync(CancellationToken.None)).ConfigureAwait(false);
    }

    /// <summary>Returns a message whose handling has not begun, or was interrupted.</summary>
    internal async Task ReturnAsync(IncomingMessage incoming)
    {
        logger.Returned(queueName, incoming.ContractName, incoming.Message.MessageId);
        await SettleAsync(incoming, "returned", () => incoming.Message.ReturnAsync(CancellationToken.None)).ConfigureAwait(false);
    }

    /// <summary>Makes one attempt.</summary>
    /// <returns>The error, or null if the message is handled; and whether an earlier delivery had handled it.</returns>
    private async Task<(Exception? Error, bool IsRepeated)> TryHandleAsync(
        IncomingMessage incoming, int attempt, LeaseRenewal lease, CancellationToken aborting)
    {
        using var interruption = CancellationTokenSource.CreateLinkedTokenSource(lease.Lost, aborting);
        using var timer = new HandlerTimer(options.HandlerTimeout, time, interruption.Token);
        using var cancellation = CancellationTokenSource.CreateLinkedTokenSource(timer.Elapsed, interruption.Token);
        int isOverdue = 0;
        using CancellationTokenRegistration overdue = timer.Elapsed.Register(() =>
        {
            isOverdue = 1;
            state.AddOverdue(1);
            lease.Pause();
            logger.HandlerOverdue(queueName, incoming.ContractName, incoming.Message.MessageId, options.HandlerTimeout);
        });
        using MessageProcessing? processing = incoming.Message.StartProcessing();
        try
        {
            bool isRepeated;
            AsyncServiceScope services = scopes.CreateAsyncScope();
            await using (services.ConfigureAwait(false))
            {
                var context = new MessageContext(queueName, incoming, attempt, services.ServiceProvider, replies, timer, cancellation.Token);
                await pipeline(context).ConfigureAwait(false);
                isRepeated = context.IsRepeated;
            }

            return (null, isRepeated);
        }
        catch (Exception e)
        {
            Exception error = e is OperationCanceledException && timer.Elapsed.IsCancellationRequested && !aborting.IsCancellationRequested
                ? new TimeoutException($"The handler did not complete within {options.HandlerTimeout}.", e)
                : e;
            processing?.Fail(error);
            return (error, false);
        }
        finally
        {
            // Waits for a callback that is running.
            await overdue.DisposeAsync().ConfigureAwait(false);
            state.AddOverdue(-isOverdue);
            lease.Resume();
        }
    }

    /// <summary>Determines whether the lease was lost: the message is delivered again, or has been.</summary>
    private bool IsLost(IncomingMessage incoming, LeaseRenewal lease)
    {
        if (!lease.IsLost)
            return false;
        logger.LeaseLost(queueName, incoming.ContractName, incoming.Message.MessageId);
        return true;
    }

    /// <summary>Acknowledges a message that is handled, now or, if it is repeated, by an earlier delivery.</summary>
    private async Task AcknowledgeAsync(IncomingMessage incoming, bool isRepeated)
    {
        if (incoming.Consumer!.IsTransactional && state.Database.End(time) is { } duration)
            logger.InboxWorks(queueName, duration);
        if (breaker.Succeed())
            CloseCircuit();
        await SettleAsync(incoming, "acknowledged", () => incoming.Message.AcknowledgeAsync(CancellationToken.None)).ConfigureAwait(false);
        foreach (QueueObserver observer in isRepeated ? [] : observers)
            observer.OnHandled(queueName, incoming.Payload!);
    }

    private void OpenCircuit(Exception error)
    {
        state.IsCircuitOpen = true;
        logger.CircuitOpened(error, queueName, options.CircuitBreaker.FailureCount, options.CircuitBreaker.BreakDuration);
    }

    private void CloseCircuit()
    {
        state.IsCircuitOpen = false;
        logger.CircuitClosed(queueName);
    }

    /// <summary>Makes a message a dead letter. If that is not possible, it goes back to its queue, to be delivered after a wait.</summary>
    /// <returns>Null if the message is settled; the wait if the queue has no delays.</returns>
    private async Task<TimeSpan?> SetAsideAsync(
        IncomingMessage incoming, string reason, string? description, Exception? error, QueueCapabilities capabilities)
    {
        ReceivedMessage message = incoming.Message;
        if (_hasDeadLetterQueue)
        {
            try
            {
                await message.DeadLetterAsync(reason, description, CancellationToken.None).ConfigureAwait(false);
                logger.DeadLettered(error, queueName, incoming.ContractName, message.MessageId, reason, error is null ? description : error.Message);
                foreach (QueueObserver observer in observers)
                    observer.OnDeadLettered(queueName, message, reason, description);
                return null;
            }
            catch (Exception e)
            {
                // The dead-letter queue may be full or gone.
                error = e;
            }
        }

        TimeSpan delay = options.Retry.MaxDelay;
        if (IsFirstReport(message.MessageId))
            logger.NotSetAside(error, queueName, incoming.ContractName, message.MessageId, reason, delay);
        bool isReturned = capabilities.Supports(QueueFeatures.Delays)
            && await SettleAsync(incoming, "returned", () => message.ReturnAsync(delay, CancellationToken.None)).ConfigureAwait(false);
        return isReturned ? null : delay;
    }

    private bool IsFirstReport(string? messageId)
    {
        lock (_reported)
        {
            if (_reported.Count >= MaxReportedCount)
                _reported.Clear();
            return _reported.Add(messageId ?? "");
        }
    }

    /// <summary>Settles a message, and logs a failure.</summary>
    /// <returns>False if the queue did not settle it.</returns>
    private async Task<bool> SettleAsync(IncomingMessage incoming, string what, Func<ValueTask> settle)
    {
        try
        {
            await settle().ConfigureAwait(false);
            return true;
        }
        catch (Exception e)
        {
            logger.NotSettled(e, queueName, incoming.ContractName, incoming.Message.MessageId, what);
            return false;
        }
    }

    /// <summary>Waits, unless the host stops.</summary>
    /// <returns>False if the host stops.</returns>
    private async Task<bool> DelayAsync(TimeSpan delay, CancellationToken stopping)
    {
        await Task.Delay(BackOff.Limit(delay), time, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return !stopping.IsCancellationRequested;
    }
}
