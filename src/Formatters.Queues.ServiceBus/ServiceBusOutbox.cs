using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>The sending side of a handle: sends that are started while one is in progress go together, in their order.</summary>
internal sealed class ServiceBusOutbox : IThreadPoolWorkItem
{
    private const int MaxBatchCount = 4000;
    private const string What = "send the message";

    private readonly QueueAddress _address;
    private readonly ServiceBusNamespace _space;
    private readonly ServiceBusSender _sender;
    private readonly int _window;
    private readonly Queue<Send> _waiting = new();
    private readonly CancellationTokenSource _closing = new();
    private Task _running = Task.CompletedTask;
    private TaskCompletionSource? _runningDone;

    internal ServiceBusOutbox(ServiceBusNamespace space, ServiceBusAddress address, QueueOptions options)
    {
        _space = space;
        _address = address.Address;
        _sender = space.Client.CreateSender(address.EntityPath);
        _window = Math.Min(options.SendWindow, MaxBatchCount);
    }

    /// <summary>Sends a message.</summary>
    internal async ValueTask SendAsync(ServiceBusMessage message, CancellationToken cancellationToken)
    {
        var send = new Send(message, cancellationToken);
        bool starts = false;
        lock (_waiting)
        {
            if (_closing.IsCancellationRequested)
                throw QueueChecks.Closed(_address);
            _waiting.Enqueue(send);
            if (_runningDone is null)
            {
                _runningDone = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                _running = _runningDone.Task;
                starts = true;
            }
        }

        // Without the caller's context: an ambient transaction is not that of the other sends.
        if (starts)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        await send.Done.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Cancels scheduled messages.</summary>
    internal Task CancelScheduledAsync(IEnumerable<long> sequenceNumbers, CancellationToken cancellationToken) =>
        _sender.CancelScheduledMessagesAsync(sequenceNumbers, cancellationToken);

    /// <summary>Waits for the sends in progress, and closes.</summary>
    internal async Task CloseAsync(TimeSpan timeout)
    {
        lock (_waiting)
            _closing.Cancel();
        await _running.WaitAsync(timeout).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _sender.DisposeAsync().ConfigureAwait(false);
    }

    void IThreadPoolWorkItem.Execute() => _ = RunAsync();

    private async Task RunAsync()
    {
        while (true)
        {
            var sends = new List<Send>();
            lock (_waiting)
            {
                while (sends.Count < _window && _waiting.TryDequeue(out Send? send))
                {
                    if (!send.CancellationToken.IsCancellationRequested)
                        sends.Add(send);
                }

                if (sends.Count == 0)
                {
                    _runningDone!.SetResult();
                    _runningDone = null;
                    return;
                }
            }

            for (int start = 0; start < sends.Count;)
                start += await SendSomeAsync(sends, start).ConfigureAwait(false);
        }
    }

    /// <summary>Sends as many messages as fit into a batch.</summary>
    /// <returns>How many were sent, or have failed.</returns>
    private async Task<int> SendSomeAsync(List<Send> sends, int start)
    {
        int count = 0;
        try
        {
            // This opens the link: nothing was sent if it fails.
            using ServiceBusMessageBatch batch = await CreateBatchAsync().ConfigureAwait(false);
            while (start + count < sends.Count && batch.TryAddMessage(sends[start + count].Message))
                count++;
            await SendBatchAsync(batch, sends, start, Math.Max(1, count)).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // All of them would fail in the same way.
            count = sends.Count - start;
            for (int i = start; i < sends.Count; i++)
                sends[i].Done.TrySetException(e is QueueException or ObjectDisposedException ? e : ServiceBusErrors.Translate(e, What, _address));
        }

        return Math.Max(1, count);
    }

    private async Task SendBatchAsync(ServiceBusMessageBatch batch, List<Send> sends, int start, int count)
    {
        try
        {
            // A message that does not fit into a batch may still be sent alone.
            if (count == 1)
                await _sender.SendMessageAsync(sends[start].Message).ConfigureAwait(false);
            else
                await _sender.SendMessagesAsync(batch).ConfigureAwait(false);
            for (int i = 0; i < count; i++)
                sends[start + i].Done.TrySetResult();
        }
        catch (Exception e) when (count > 1 && (e is not ServiceBusException bus || bus.Reason == ServiceBusFailureReason.MessageSizeExceeded)
            && !ServiceBusErrors.IsConnectionLoss(e) && e is not (UnauthorizedAccessException or ObjectDisposedException))
        {
            // One message is to blame: each fails or is sent for itself.
            for (int i = 0; i < count; i++)
                await SendBatchAsync(batch, sends, start + i, 1).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            for (int i = 0; i < count; i++)
                sends[start + i].Done.TrySetException(Failure(e));
        }
    }

    private Exception Failure(Exception e) => e switch
    {
        ArgumentException or NotSupportedException or System.Runtime.Serialization.SerializationException =>
            new ArgumentException($"'{_address}': the message cannot be sent: {e.Message}", e),
        _ => ServiceBusErrors.Translate(e, What, _address, mayHaveHappened: true),
    };

    private async Task<ServiceBusMessageBatch> CreateBatchAsync()
    {
        long start = Environment.TickCount64;
        for (int pause = 20; ; pause = Math.Min(2 * pause, 1000))
        {
            try
            {
                return await _sender.CreateMessageBatchAsync().ConfigureAwait(false);
            }
            catch (Exception e) when (ServiceBusErrors.IsOfService(e))
            {
                if (!ServiceBusErrors.IsConnectionLoss(e) || _closing.IsCancellationRequested
                    || Environment.TickCount64 - start + pause > _space.Options.ReconnectTimeout.TotalMilliseconds)
                    throw ServiceBusErrors.Translate(e, What, _address);
                await Task.Delay(pause).ConfigureAwait(false);
            }
        }
    }

    /// <summary>A send that waits, or is in progress.</summary>
    private sealed class Send(ServiceBusMessage message, CancellationToken cancellationToken)
    {
        internal ServiceBusMessage Message { get; } = message;

        internal CancellationToken CancellationToken { get; } = cancellationToken;

        internal TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
