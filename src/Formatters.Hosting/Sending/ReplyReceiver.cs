using System;
using System.Collections.Concurrent;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>Receives the replies to this process's requests from a queue of its own, and hands each to the caller that waits for it.</summary>
internal sealed class ReplyReceiver : IAsyncDisposable
{
    private static readonly TimeSpan ReconnectDelay = TimeSpan.FromSeconds(1);

    private readonly QueueConnector _connector;
    private readonly string _address;
    private readonly ConcurrentDictionary<string, TaskCompletionSource<ReceivedMessage>> _waiting = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _stop = new();
    private readonly object _gate = new();
    private Task<QueueClient>? _open;
    private Task _loop = Task.CompletedTask;

    internal ReplyReceiver(QueueConnector connector, QueueAddress requests)
    {
        _connector = connector;
        QueueName = $"{requests.QueueName}.replies.{Environment.MachineName}-{Guid.NewGuid():N}";
        _address = AddressTexts.Of(requests.WithQueueName(QueueName));
    }

    /// <summary>Gets the name of the queue, at the location of the requests.</summary>
    internal string QueueName { get; }

    /// <summary>Registers a request before it is sent.</summary>
    /// <returns>A task that completes when replies can be received; its result completes with the reply.</returns>
    /// <exception cref="TimeoutException">The queue for replies could not be opened in time.</exception>
    internal async Task<Task<ReceivedMessage>> ExpectAsync(string messageId, TimeSpan timeout, TimeProvider time, CancellationToken cancellationToken)
    {
        Task<QueueClient> open;
        lock (_gate)
        {
            if (_open is null || _open.IsFaulted)
                _open = OpenAsync();
            open = _open;
        }

        try
        {
            await open.WaitAsync(timeout, time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException e) when (!open.IsCompleted)
        {
            throw new TimeoutException($"The queue '{QueueName}' for replies could not be opened within {timeout}.", e);
        }

        var reply = new TaskCompletionSource<ReceivedMessage>(TaskCreationOptions.RunContinuationsAsynchronously);
        return _waiting.TryAdd(messageId, reply)
            ? reply.Task
            : throw new InvalidOperationException($"A request with the message id '{messageId}' is already waiting for its reply.");
    }

    internal void Forget(string messageId) => _waiting.TryRemove(messageId, out _);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _loop.ConfigureAwait(false);
        if (_open is { IsCompletedSuccessfully: true } open)
        {
            try
            {
                await (await open.ConfigureAwait(false)).DisposeAsync().ConfigureAwait(false);
                await _connector.DeleteAsync(_address).ConfigureAwait(false);
            }
            catch (Exception e) when (e is QueueException or NotSupportedException or ObjectDisposedException)
            {
                // The queue stays, empty or with replies that are not expected any more.
            }
        }

        _stop.Dispose();
    }

    private async Task<QueueClient> OpenAsync()
    {
        QueueClient queue = await _connector.OpenAsync(_address).ConfigureAwait(false);
        // A handle connects again by itself.
        _loop = DetachedTask.Run(() => ReceiveAsync(queue));
        return queue;
    }

    private async Task ReceiveAsync(QueueClient queue)
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                ReceivedMessage? reply = await queue.ReceiveAsync(Timeout.InfiniteTimeSpan, null, _stop.Token).ConfigureAwait(false);
                if (reply is null)
                    continue;
                await reply.AcknowledgeAsync().ConfigureAwait(false);
                if (reply.CorrelationId is { } id && _waiting.TryRemove(id, out TaskCompletionSource<ReceivedMessage>? waiting))
                    waiting.TrySetResult(reply);
            }
            catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
            catch (Exception)
            {
                // The requests in progress time out. The next receive connects again.
                await Task.Delay(ReconnectDelay, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }
}
