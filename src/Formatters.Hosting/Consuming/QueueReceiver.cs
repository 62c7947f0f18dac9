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
    private readonly Dictionary<object, Task> _lastByKey = [];
    private readonly HashSet<Task> _running = [];
    private readonly List<Task> _closing = [];
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
            IMessageQueue? queue = null;
            long openedAt = time.GetTimestamp();
            try
            {
                queue = await connections.OpenReceiverAsync(options, stopping).ConfigureAwait(false);
                if (state.Receiving.End(time) is { } outage)
                    logger.Reachable(queueName, outage);
                else
                    logger.Receiving(queueName, queue.Address, queue.Capabilities.Product);
                _firstAttempt.TrySetResult();
                await ReceiveAsync(queue, stopping, aborting).ConfigureAwait(false);
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

    private async Task ReceiveAsync(IMessageQueue queue, CancellationToken stopping, CancellationToken aborting)
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

    private void Dispatch(IncomingMessage incoming, IMessageQueue queue, CancellationToken stopping, CancellationToken aborting)
    {
        var lease = new LeaseRenewal(incoming.Message, queue.Options.LeaseDuration, time);
        object? key = GetKey(ref incoming);
        lock (_running)
        {
            Task previous = key is not null && _lastByKey.TryGetValue(key, out Task? last) ? last : Task.CompletedTask;
            Task task = Task.Run(() => RunOneAsync(previous), CancellationToken.None);
            _running.Add(task);
            if (key is not null)
                _lastByKey[key] = task;
            _ = task.ContinueWith(Remove, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        }

        async Task RunOneAsync(Task previous)
        {
            await using (lease.ConfigureAwait(false))
            {
                await previous.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                await _slots.WaitAsync(CancellationToken.None).ConfigureAwait(false);
                try
                {
                    // Messages that wait for their turn are not begun any more.
                    await (consumers.IsOrdered && stopping.IsCancellationRequested
                        ? processor.ReturnAsync(incoming)
                        : processor.ProcessAsync(incoming, lease, queue.Capabilities, stopping, aborting)).ConfigureAwait(false);
                }
                catch (Exception e)
                {
                    logger.NotSettled(e, queueName, incoming.ContractName, incoming.Message.MessageId, "processed");
                }
                finally
                {
                    _slots.Release();
                }
            }
        }

        void Remove(Task task)
        {
            lock (_running)
            {
                _running.Remove(task);
                if (key is not null && _lastByKey.TryGetValue(key, out Task? last) && last == task)
                    _lastByKey.Remove(key);
            }

            _inHand.Release();
            breaker.EndTrial();
        }
    }

    /// <summary>Gets the ordering key. If the selector or the key's hash code fails, so has the reading of the message.</summary>
    private static object? GetKey(ref IncomingMessage incoming)
    {
        try
        {
            object? key = incoming.Payload is null ? null : incoming.Consumer!.GetKey(incoming.Payload);
            _ = key?.GetHashCode();
            return key;
        }
        catch (Exception e)
        {
            incoming = incoming.WithFailedKey(e);
            return null;
        }
    }

    /// <summary>Closes a handle when the messages that it has received are settled, or when the handlers had to end.</summary>
    private void Close(IMessageQueue queue, CancellationToken aborting)
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
