using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting;

/// <summary>Sends replies to the queues that requests name, and keeps the handles of some of these queues.</summary>
internal sealed class ReplySender(
    QueueConnections connections, PayloadFormatters formatters, IOptionsMonitor<HostedQueueOptions> options, TimeProvider time)
    : IAsyncDisposable, IDisposable
{
    private const int MaxOpenCount = 32;

    private readonly List<(string Address, Task<QueueClient> Queue)> _open = [];

    internal async Task ReplyAsync<TReply>(
        string queueName, ReceivedMessage request, TReply reply, SendOptions? sendOptions, CancellationToken cancellationToken)
    {
        if (string.IsNullOrEmpty(request.ResponseQueue))
            throw new InvalidOperationException($"The message {request.MessageId} from queue '{queueName}' names no queue for replies.");
        string address = GetAddress(queueName, request.ResponseQueue);
        var message = new QueueMessage();
        sendOptions?.ApplyTo(message, time);
        message.CorrelationId = request.MessageId;
        formatters.Get<TReply>(queueName).Write(message.Body, reply);
        message.Headers[ContractNames.HeaderName] = ContractNames.Of(typeof(TReply));
        try
        {
            await SendAsync(address, message, cancellationToken).ConfigureAwait(false);
        }
        catch (ObjectDisposedException)
        {
            // The handle was closed to make room for others.
            await SendAsync(address, message, cancellationToken).ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach ((_, Task<QueueClient> queue) in Take(all: true))
            await CloseAsync(queue).ConfigureAwait(false);
    }

    public void Dispose() => Task.Run(() => DisposeAsync().AsTask()).GetAwaiter().GetResult();

    /// <summary>Gets the address of a queue for replies, which must be at the location of the queue of the request.</summary>
    private string GetAddress(string queueName, string responseQueue)
    {
        QueueAddress requests = QueueAddress.Parse(options.Get(queueName).Address);
        string name = responseQueue;
        if (responseQueue.Contains(':', StringComparison.Ordinal))
        {
            QueueAddress? whole = TryParse(responseQueue);
            name = whole?.QueueName ?? "";
            if (name.Length == 0 || requests.WithQueueName(name).ToString() != whole!.ToString())
            {
                throw new InvalidOperationException(
                    $"The message from queue '{queueName}' asks for a reply at another location than that of the queue. Such replies are not sent.");
            }
        }

        return AddressTexts.Of(requests.WithQueueName(name));
    }

    private static QueueAddress? TryParse(string address)
    {
        try
        {
            return QueueAddress.Parse(address);
        }
        catch (FormatException)
        {
            return null;
        }
    }

    private async Task SendAsync(string address, QueueMessage message, CancellationToken cancellationToken)
    {
        Task<QueueClient> queue;
        lock (_open)
        {
            int i = _open.FindIndex(entry => entry.Address == address && (!entry.Queue.IsCompleted || entry.Queue.IsCompletedSuccessfully));
            queue = i >= 0 ? _open[i].Queue : connections.Connector.OpenAsync(address, null, CancellationToken.None).AsTask();
            if (i < 0)
                _open.Add((address, queue));
        }

        foreach ((_, Task<QueueClient> evicted) in Take(all: false))
            await CloseAsync(evicted).ConfigureAwait(false);
        await (await queue.WaitAsync(cancellationToken).ConfigureAwait(false)).SendAsync(message, null, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Takes the oldest handles beyond the maximum out of the list, or all.</summary>
    private (string Address, Task<QueueClient> Queue)[] Take(bool all)
    {
        lock (_open)
        {
            int count = all ? _open.Count : Math.Max(0, _open.Count - MaxOpenCount);
            (string, Task<QueueClient>)[] taken = [.. _open[..count]];
            _open.RemoveRange(0, count);
            return taken;
        }
    }

    private static async Task CloseAsync(Task<QueueClient> queue)
    {
        try
        {
            await (await queue.ConfigureAwait(false)).DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception)
        {
            // It was not opened, or is unreachable now.
        }
    }
}
