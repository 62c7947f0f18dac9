using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting;

/// <summary>The queues to which the dispatcher sends. A queue that fails is tried again later, and does not hold up the others.</summary>
internal sealed class OutboxTargets(
    QueueConnections connections,
    QueueStates states,
    PayloadFormatters formatters,
    IOptions<OutboxOptions> options,
    IEnumerable<ISenderRegistration> senders,
    IEnumerable<QueueObserver> observers,
    TimeProvider time,
    ILoggerFactory loggers)
    : IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, Target> _targets = new(StringComparer.Ordinal);
    private readonly ILogger _logger = loggers.CreateLogger("Formatters.Hosting");
    private readonly ISenderRegistration[] _senders = [.. senders];
    private readonly QueueObserver[] _observers = [.. observers];

    /// <summary>Gets the queues that have failed and are not to be tried yet.</summary>
    internal string[] GetWaiting() => [.. _targets.Where(entry => WaitOf(entry.Value) > TimeSpan.Zero).Select(static entry => entry.Key)];

    /// <summary>Tries failed queues again soon, because there are new messages.</summary>
    internal void ShortenWaits()
    {
        foreach (Target target in _targets.Values)
            target.Delay = target.Delay < options.Value.MinRetryDelay ? target.Delay : options.Value.MinRetryDelay;
    }

    /// <summary>Gets how long it is until a failed queue is to be tried again; null if none has failed.</summary>
    internal TimeSpan? GetNextAttempt()
    {
        TimeSpan[] waits = [.. _targets.Values.Where(static target => target.FailureCount > 0).Select(WaitOf)];
        return waits.Length == 0 ? null : waits.Min();
    }

    /// <summary>Sends messages to their queue in their order, until one fails.</summary>
    /// <remarks>Those that were sent, and those that can never be, are marked. Does not throw.</remarks>
    internal async Task SendAsync(string queueName, PendingMessage[] messages, CancellationToken cancellationToken)
    {
        foreach (PendingMessage message in messages)
            RefuseIfExpired(message);
        messages = [.. messages.Where(static message => message.IsWaiting)];
        if (messages.Length == 0)
            return;
        Target target = _targets.GetOrAdd(queueName, static _ => new Target());
        try
        {
            target.Open ??= await connections.OpenDispatchTargetAsync(queueName, options.Value.DuplicateWindow, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception e) when (IsRefusal(e) || e is OptionsValidationException)
        {
            foreach (PendingMessage message in messages)
                message.Refuse($"The queue cannot be opened: {e.Message}", e);
            return;
        }
        catch (Exception e)
        {
            await FailAsync(queueName, target, e).ConfigureAwait(false);
            return;
        }

        try
        {
            if (!await TrySendBatchAsync(target.Open, messages, cancellationToken).ConfigureAwait(false))
            {
                foreach (PendingMessage message in messages)
                    await SendAsync(target.Open, message, cancellationToken).ConfigureAwait(false);
            }

            if (target.FailureCount > 0)
                _logger.DispatchWorks(queueName);
            target.FailureCount = 0;
            states.Get(queueName).SendError = null;
        }
        catch (Exception e)
        {
            await FailAsync(queueName, target, e).ConfigureAwait(false);
        }

        foreach (PendingMessage message in messages.Where(static message => message.IsSent))
            NoteSent(queueName, message);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (Target target in _targets.Values)
            await CloseAsync(target).ConfigureAwait(false);
    }

    /// <summary>Sends all messages at once, if the queue supports it.</summary>
    /// <returns>False if they are to be sent one by one: to find the one that fails or was sent before, or to trace each.</returns>
    private static async Task<bool> TrySendBatchAsync(SendTarget target, PendingMessage[] messages, CancellationToken cancellationToken)
    {
        if (messages.Length == 1 || target.Queue is not { } queue || !queue.Capabilities.Supports(QueueFeatures.AtomicBatches)
            || OutboxTelemetry.IsTracing)
            return false;
        try
        {
            await queue.SendBatchAsync([.. messages.Select(static message => message.Message!)], null, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            return false;
        }

        foreach (PendingMessage message in messages)
            message.IsSent = true;
        return true;
    }

    private static async Task SendAsync(SendTarget target, PendingMessage message, CancellationToken cancellationToken)
    {
        using Activity? activity = OutboxTelemetry.StartDispatch(message.Queue, message.Message!);
        try
        {
            await target.SendAsync(message.Message!, cancellationToken).ConfigureAwait(false);
            message.IsSent = true;
        }
        catch (DuplicateMessageException)
        {
            // The process ended after an earlier send, before the row was deleted.
            message.IsSent = true;
        }
        catch (Exception e) when (IsRefusal(e))
        {
            message.Refuse(e.Message, e);
        }
    }

    /// <summary>Determines whether a queue can never take a message. Any other error may be temporary.</summary>
    private static bool IsRefusal(Exception error) =>
        error is NotSupportedException or ArgumentException or FormatException or QueueException { Code: QueueErrorCode.TooLarge };

    /// <summary>Shortens the time to live by the time that the message has spent in the outbox.</summary>
    private void RefuseIfExpired(PendingMessage message)
    {
        if (!message.IsWaiting || message.Message!.TimeToLive is not { } timeToLive)
            return;
        DateTimeOffset start = DateTimeOffset.FromUnixTimeMilliseconds(message.Row!.CreatedAt);
        DateTimeOffset now = time.GetUtcNow();
        if (message.Message.DueTime is { } due && due > start)
            start = due;
        if (start >= now)
            return;
        TimeSpan rest = timeToLive - (now - start);
        if (rest > TimeSpan.Zero)
            message.Message.TimeToLive = rest;
        else
            message.Refuse($"Its time to live, {timeToLive}, has ended before it was sent.");
    }

    private void NoteSent(string queueName, PendingMessage message)
    {
        OutboxTelemetry.RecordDispatched(queueName, time.GetUtcNow() - DateTimeOffset.FromUnixTimeMilliseconds(message.Row!.CreatedAt));
        if (_observers.Length == 0)
            return;
        ISenderRegistration? sender = Array.Find(
            _senders, sender => sender.QueueName == queueName && sender.ContractName == message.Row.Contract);
        if (sender?.Read(message.Message!, formatters) is not { } payload)
            return;
        foreach (QueueObserver observer in _observers)
            observer.OnSent(queueName, payload, message.Message!);
    }

    private async Task FailAsync(string queueName, Target target, Exception error)
    {
        states.Get(queueName).SendError = error;
        if (target.FailureCount++ == 0)
            _logger.DispatchFailed(error, queueName);
        target.FailedAt = time.GetTimestamp();
        target.Delay = BackOff.After(options.Value.MinRetryDelay, options.Value.MaxRetryDelay, target.FailureCount);
        await CloseAsync(target).ConfigureAwait(false);
    }

    private static async Task CloseAsync(Target target)
    {
        if (target.Open is not { } open)
            return;
        target.Open = null;
        try
        {
            await open.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception)
        {
            // It is unreachable, and what was sent to it stays in the outbox.
        }
    }

    private TimeSpan WaitOf(Target target)
    {
        if (target.FailureCount == 0)
            return TimeSpan.Zero;
        TimeSpan rest = target.Delay - time.GetElapsedTime(target.FailedAt);
        return rest > TimeSpan.Zero ? rest : TimeSpan.Zero;
    }

    private sealed class Target
    {
        internal SendTarget? Open { get; set; }

        internal int FailureCount { get; set; }

        internal long FailedAt { get; set; }

        internal TimeSpan Delay { get; set; }
    }
}
