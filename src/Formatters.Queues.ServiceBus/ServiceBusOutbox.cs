using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>The sending side of a handle: sends that are started while one is in progress go together, in their order.</summary>
internal sealed class ServiceBusOutbox
{
    private const int MaxBatchCount = 4000;
    private const string What = "send the message";

    private readonly QueueAddress _address;
    private readonly ServiceBusNamespace _space;
    private readonly ServiceBusSender _sender;
    private readonly BatchPump<Send> _pump;
    private volatile bool _isClosing;

    internal ServiceBusOutbox(ServiceBusNamespace space, ServiceBusAddress address, QueueOptions options)
    {
        _space = space;
        _address = address.Address;
        _sender = space.Client.CreateSender(address.EntityPath);
        _pump = new BatchPump<Send>(Math.Min(options.SendWindow, MaxBatchCount), long.MaxValue, SendAsync);
    }

    /// <summary>Sends a message, whose body is its own: the client may still read it after a cancellation.</summary>
    internal async ValueTask SendAsync(ServiceBusMessage message, CancellationToken cancellationToken)
    {
        if (_isClosing)
            throw QueueChecks.Closed(_address);
        var send = new Send(message);
        _pump.Add(send);
        try
        {
            await send.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // If it has not started, it will not be.
            send.TryStart();
            throw;
        }
    }

    /// <summary>Cancels scheduled messages.</summary>
    internal Task CancelScheduledAsync(IEnumerable<long> sequenceNumbers, CancellationToken cancellationToken) =>
        _sender.CancelScheduledMessagesAsync(sequenceNumbers, cancellationToken);

    /// <summary>Waits for the sends in progress, and closes.</summary>
    internal async Task CloseAsync(TimeSpan timeout)
    {
        _isClosing = true;
        var last = new Send(null);
        _pump.Add(last);
        await last.Task.WaitAsync(timeout).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await ConnectionThread.LeaveAsync(_sender.DisposeAsync()).ConfigureAwait(false);
    }

    private async Task SendAsync(IReadOnlyList<Send> sends)
    {
        Send[] messages = [.. sends.Where(static send => send.Message is not null)];
        for (int start = 0; start < messages.Length;)
            start += await SendSomeAsync(messages, start).ConfigureAwait(false);
    }

    /// <summary>Sends as many messages as fit into a batch.</summary>
    /// <returns>How many were sent, or have failed.</returns>
    private async Task<int> SendSomeAsync(Send[] sends, int start)
    {
        int count = 0;
        try
        {
            // This opens the link: nothing was sent if it fails.
            using ServiceBusMessageBatch batch = await CreateBatchAsync().ConfigureAwait(false);
            while (start + count < sends.Length && batch.TryAddMessage(sends[start + count].Message))
                count++;
            await SendBatchAsync(batch, sends, start, Math.Max(1, count)).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // All of them would fail in the same way.
            count = sends.Length - start;
            for (int i = start; i < sends.Length; i++)
                sends[i].Error = e is QueueException or ObjectDisposedException ? e : ServiceBusErrors.Translate(e, What, _address);
        }

        return Math.Max(1, count);
    }

    private async Task SendBatchAsync(ServiceBusMessageBatch batch, Send[] sends, int start, int count)
    {
        try
        {
            // A message that does not fit into a batch may still be sent alone.
            if (count == 1)
                await ConnectionThread.LeaveAsync(_sender.SendMessageAsync(sends[start].Message)).ConfigureAwait(false);
            else
                await ConnectionThread.LeaveAsync(_sender.SendMessagesAsync(batch)).ConfigureAwait(false);
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
                sends[start + i].Error = Failure(e);
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
                return await ConnectionThread.LeaveAsync(_sender.CreateMessageBatchAsync().AsTask()).ConfigureAwait(false);
            }
            catch (Exception e) when (ServiceBusErrors.IsOfService(e))
            {
                if (!ServiceBusErrors.IsConnectionLoss(e) || _isClosing
                    || Environment.TickCount64 - start + pause > _space.Options.ReconnectTimeout.TotalMilliseconds)
                    throw ServiceBusErrors.Translate(e, What, _address);
                await Task.Delay(pause).ConfigureAwait(false);
            }
        }
    }

    /// <summary>A send that waits, or is in progress.</summary>
    /// <param name="message">The message; null for the end of all sends.</param>
    private sealed class Send(ServiceBusMessage? message) : PumpWork(0)
    {
        internal ServiceBusMessage? Message { get; } = message;
    }
}
