using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.Logging;

namespace Formatters.Hosting;

/// <summary>Receives the messages of one queue and hands them to the processor: at most so many at a time, those of equal keys one after the
/// other.</summary>
internal sealed class QueueReceiver(
    string queueName,
    HostedQueueOptions options,
    QueueConsumers consumers,
    MessageProcessor processor,
    CircuitBreaker breaker,
    QueueConnections connections,
    QueueState state,
    TimeProvider time,
    ILogger logger)
{
    // How long handlers whose token is cancelled may take to end.
    private static readonly TimeSpan AbortGrace = TimeSpan.FromSeconds(2);

    private readonly SemaphoreSlim _inHand = new(consumers.IsOrdered ? options.EffectivePrefetchCount : options.Concurrency);
    private readonly SemaphoreSlim _slots = new(options.Concurrency);
    private readonly SemaphoreSlim _kept = new(options.EffectivePrefetchCount - options.Concurrency);
    private readonly Dictionary<object, Task> _lastByKey = [];
    private readonly HashSet<Task> _running = [];
    private readonly List<Task> _closing = [];
    // The last message whose ordering key is not known, because it could not be read yet: later ones wait for it.
    private Task _barrier = Task.CompletedTask;
    private readonly TaskCompletionSource _firstAttempt = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Gets a task that completes when the queue is open or is known to be unreachable, and fails if it can never be opened.</summary>
    internal Task FirstAttempt => _firstAttempt.Task;

    /// <summary>Receives until the host stops. While the queue is unreachable, opens it again and again.</summary>
    /// <param name="stopping">Ends receiving.</param>
    /// <param name="aborting">Ends the handlers that are still running.</param>
    /// <exception cref="Exception">The queue can never be opened with these options.</exception>
    internal async Task RunAsync(CancellationToken stopping, CancellationToken aborting)
    {
        int failureCount = 0;
        while (!stopping.IsCancellationRequested)
        {
            QueueClient? queue = null;
            long openedAt = time.GetTimestamp();
            try
            {
                queue = await connections.OpenReceiverAsync(options, stopping).ConfigureAwait(false);
                if (state.Receiving.End(time) is { } outage)
                    logger.Reachable(queueName, outage);
                else
                    logger.Receiving(queueName, queue.Address, queue.Capabilities.Product, queue.Capabilities.ConnectionsPerReceiver);
                _firstAttempt.TrySetResult();
                await (options.RequiresSession ? ReceiveSessionsAsync(queue, stopping, aborting) : ReceiveAsync(queue, stopping, aborting))
                    .ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (stopping.IsCancellationRequested)
            {
            }
            catch (Exception e) when (queue is null && e is NotSupportedException or FormatException or ArgumentException)
            {
                _firstAttempt.TrySetException(new InvalidOperationException($"Queue '{queueName}' cannot be opened: {e.Message}", e));
                throw;
            }
            catch (Exception e)
            {
                // A queue that was open for long begins with the shortest wait.
                failureCount = time.GetElapsedTime(openedAt) > options.MaxReconnectDelay ? 1 : failureCount + 1;
                if (state.Receiving.Begin(e, time))
                    logger.Unreachable(e, queueName);
                _firstAttempt.TrySetResult();
            }

            if (queue is not null)
                Close(queue, aborting);
            if (!stopping.IsCancellationRequested)
            {
                TimeSpan delay = BackOff.After(options.ReconnectDelay, options.MaxReconnectDelay, failureCount);
                await Task.Delay(delay, time, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }

        _firstAttempt.TrySetResult();
        await Task.WhenAll(_closing).ConfigureAwait(false);
    }

    private async Task ReceiveAsync(QueueClient queue, CancellationToken stopping, CancellationToken aborting)
    {
        while (true)
        {
            await _inHand.WaitAsync(stopping).ConfigureAwait(false);
            ReceivedMessage? message = null;
            try
            {
                // After the wait for a handler, whose failure may be the last before a break.
                await breaker.WaitAsync(stopping).ConfigureAwait(false);
                message = await queue.ReceiveAsync(Timeout.InfiniteTimeSpan, null, stopping).ConfigureAwait(false);
            }
            finally
            {
                if (message is null)
                {
                    _inHand.Release();
                    breaker.EndTrial();
                }
            }

            if (message is not null)
                Dispatch(IncomingMessage.Read(message, consumers), queue, stopping, aborting);
        }
    }

    /// <summary>Handles several sessions at a time, until the host stops or the queue fails.</summary>
    private async Task ReceiveSessionsAsync(QueueClient queue, CancellationToken stopping, CancellationToken aborting)
    {
        using var receiving = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        var loops = new Task[options.Concurrency];
        for (int i = 0; i < loops.Length; i++)
        {
            loops[i] = Task.Run(() => RunSessionsAsync(queue, receiving.Token, stopping, aborting), CancellationToken.None);
            lock (_running)
                _running.Add(loops[i]);
        }

        try
        {
            // Handlers that do not end at the stop are waited for when the queue is closed.
            await (await Task.WhenAny(loops).WaitAsync(stopping).ConfigureAwait(false)).ConfigureAwait(false);
        }
        finally
        {
            await receiving.CancelAsync().ConfigureAwait(false);
            foreach (Task loop in loops)
                _ = loop.ContinueWith(Remove, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        }

        void Remove(Task loop)
        {
            _ = loop.Exception;
            lock (_running)
                _running.Remove(loop);
        }
    }

    /// <summary>Accepts one session after the other.</summary>
    private async Task RunSessionsAsync(QueueClient queue, CancellationToken receiving, CancellationToken stopping, CancellationToken aborting)
    {
        while (true)
        {
            QueueClient session = (await queue.AcceptSessionAsync(Timeout.InfiniteTimeSpan, receiving).ConfigureAwait(false))!;
            await using (session.ConfigureAwait(false))
            {
                try
                {
                    await HandleSessionAsync(session, receiving, stopping, aborting).ConfigureAwait(false);
                }
                catch (QueueException e) when (!receiving.IsCancellationRequested)
                {
                    // The other sessions go on. If the queue is unreachable, the next acceptance says so.
                    logger.SessionLost(e, queueName, session.SessionId!);
                }
            }
        }
    }

    /// <summary>Handles the messages of a session, one after the other, until it has none.</summary>
    private async Task HandleSessionAsync(
        QueueClient session, CancellationToken receiving, CancellationToken stopping, CancellationToken aborting)
    {
        while (true)
        {
            await breaker.WaitAsync(receiving).ConfigureAwait(false);
            try
            {
                if (await session.ReceiveAsync(options.SessionIdleTimeout, null, receiving).ConfigureAwait(false) is not { } message)
                    return;
                var incoming = IncomingMessage.Read(message, consumers, session);
                var lease = new LeaseRenewal(message, session.Options.LeaseDuration, time);
                await using (lease.ConfigureAwait(false))
                {
                    TimeSpan? delay = await processor.ProcessAsync(incoming, lease, session.Capabilities, stopping, aborting).ConfigureAwait(false);
                    if (delay is { } wait)
                        await processor.ReturnLaterAsync(incoming, wait, stopping).ConfigureAwait(false);
                }
            }
            finally
            {
                breaker.EndTrial();
            }
        }
    }

    private void Dispatch(IncomingMessage incoming, QueueClient queue, CancellationToken stopping, CancellationToken aborting)
    {
        var lease = new LeaseRenewal(incoming.Message, queue.Options.LeaseDuration, time);
        object? key = incoming.Key;
        bool isBarrier = consumers.IsOrdered && incoming is { Error: not null, Reason: null };
        lock (_running)
        {
            Task previous = isBarrier ? Task.WhenAll([.. _lastByKey.Values, _barrier])
                : key is not null && _lastByKey.TryGetValue(key, out Task? last) ? Task.WhenAll(last, _barrier)
                : _barrier;
            Task<TimeSpan?> task = Task.Run(() => RunOneAsync(previous), CancellationToken.None);
            Task end = EndAsync(task);
            _running.Add(end);
            if (isBarrier)
                _barrier = task;
            if (key is not null)
                _lastByKey[key] = task;
            _ = task.ContinueWith(Forget, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            _ = end.ContinueWith(Remove, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        }

        async Task<TimeSpan?> RunOneAsync(Task previous)
        {
            await previous.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await _slots.WaitAsync(CancellationToken.None).ConfigureAwait(false);
            try
            {
                // Messages that wait for their turn are not begun any more.
                if (!consumers.IsOrdered || !stopping.IsCancellationRequested)
                    return await processor.ProcessAsync(incoming, lease, queue.Capabilities, stopping, aborting).ConfigureAwait(false);
                await processor.ReturnAsync(incoming).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                logger.NotSettled(e, queueName, incoming.ContractName, incoming.Message.MessageId, "processed");
            }
            finally
            {
                _slots.Release();
            }

            return null;
        }

        // A message that cannot be set aside waits here, without a handler: others go on, until those that wait are all that can be fetched.
        async Task EndAsync(Task<TimeSpan?> task)
        {
            await using (lease.ConfigureAwait(false))
            {
                TimeSpan? delay = await task.ConfigureAwait(false);
                bool isKept = delay is not null && _kept.Wait(0, CancellationToken.None);
                if (isKept || delay is null)
                    Leave();
                if (delay is { } wait)
                    await processor.ReturnLaterAsync(incoming, wait, stopping).ConfigureAwait(false);
                if (isKept)
                    _kept.Release();
                else if (delay is not null)
                    Leave();
            }
        }

        void Leave()
        {
            _inHand.Release();
            breaker.EndTrial();
        }

        void Forget(Task task)
        {
            lock (_running)
            {
                if (key is not null && _lastByKey.TryGetValue(key, out Task? last) && last == task)
                    _lastByKey.Remove(key);
            }
        }

        void Remove(Task end)
        {
            lock (_running)
                _running.Remove(end);
        }
    }

    /// <summary>Closes a handle when the messages that it has received are settled, or when the handlers had to end.</summary>
    private void Close(QueueClient queue, CancellationToken aborting)
    {
        Task[] running;
        lock (_running)
            running = [.. _running];
        _closing.RemoveAll(static task => task.IsCompleted);
        _closing.Add(CloseAsync());

        async Task CloseAsync()
        {
            using var giveUp = new CancellationTokenSource();
            using CancellationTokenRegistration abort = aborting.Register(() => giveUp.CancelAfter(AbortGrace));
            await Task.WhenAll(running).WaitAsync(giveUp.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            int unfinished = running.Count(static task => !task.IsCompleted);
            if (unfinished > 0)
                logger.Unfinished(queueName, unfinished);
            try
            {
                await queue.DisposeAsync().ConfigureAwait(false);
            }
            catch (Exception e)
            {
                logger.NotClosed(e, queueName);
            }
        }
    }
}
