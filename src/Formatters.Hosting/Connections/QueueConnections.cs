using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting;

/// <summary>Opens the named queues: a handle for each receiver, and one for all senders of a queue, which is opened at its first send.</summary>
internal sealed class QueueConnections : IAsyncDisposable, IDisposable
{
    private readonly IOptionsMonitor<HostedQueueOptions> _options;
    private readonly List<IAsyncDisposable> _ownProviders = [];
    private readonly Dictionary<string, Task<SendTarget>> _targets = new(StringComparer.Ordinal);
    private readonly Dictionary<string, ReplyReceiver> _replies = new(StringComparer.Ordinal);
    private readonly object _gate = new();
    private bool _isDisposed;

    public QueueConnections(IEnumerable<QueueProvider> providers, IOptionsMonitor<HostedQueueOptions> options)
    {
        _options = options;
        var all = new List<QueueProvider>(providers);
        if (!all.Any(static provider => provider.Schemes.Contains("memory")))
            all.Add(new MemoryQueueProvider());
        if (!all.Any(static provider => provider.Schemes.Contains("file")))
        {
            var folders = new FileQueueProvider();
            _ownProviders.Add(folders);
            all.Add(folders);
        }

        Connector = new QueueConnector([.. all]);
    }

    internal QueueConnector Connector { get; }

    /// <summary>Opens a queue, or the subscription of a topic, for a receiver.</summary>
    /// <exception cref="NotSupportedException">Messages are to wait for their retries in a queue that does not support it.</exception>
    internal async ValueTask<QueueClient> OpenReceiverAsync(HostedQueueOptions options, CancellationToken cancellationToken)
    {
        QueueClient queue = options.IsTopic
            ? await SubscribeAsync(options, cancellationToken).ConfigureAwait(false)
            : await Connector.OpenAsync(options.Address, options.ToQueueOptions(), cancellationToken).ConfigureAwait(false);
        if (options.Retry.Mode != RetryMode.ByQueue || queue.Capabilities.Supports(QueueFeatures.Delays | QueueFeatures.DeliveryCounts))
            return queue;
        await queue.DisposeAsync().ConfigureAwait(false);
        throw new NotSupportedException(
            $"{queue.Capabilities.Product} does not support the retry mode {RetryMode.ByQueue}, "
                + $"which needs {nameof(QueueFeatures)}.{QueueFeatures.Delays} and {QueueFeatures.DeliveryCounts}.");
    }

    /// <summary>Gets the shared handle for sending to a queue, opening it if it is not open.</summary>
    internal Task<SendTarget> GetTargetAsync(string queueName, CancellationToken cancellationToken)
    {
        Task<SendTarget>? target;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (!_targets.TryGetValue(queueName, out target) || target.IsFaulted || target.IsCanceled)
                _targets[queueName] = target = OpenTargetAsync(_options.Get(queueName));
        }

        return target.IsCompletedSuccessfully ? target : target.WaitAsync(cancellationToken);
    }

    /// <summary>Closes the handle of a queue that was deleted, so that the next send opens the queue again.</summary>
    internal void Forget(string queueName, SendTarget target)
    {
        lock (_gate)
        {
            if (_isDisposed || !_targets.TryGetValue(queueName, out Task<SendTarget>? open) || !open.IsCompletedSuccessfully || open.Result != target)
                return;
            _targets.Remove(queueName);
        }

        _ = CloseAsync();

        async Task CloseAsync()
        {
            try
            {
                await target.DisposeAsync().ConfigureAwait(false);
            }
            catch (QueueException)
            {
                // Its queue is gone.
            }
        }
    }

    /// <summary>Gets the receiver of the replies to requests that are sent to a queue.</summary>
    internal ReplyReceiver GetReplies(string queueName, SendTarget target)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (!_replies.TryGetValue(queueName, out ReplyReceiver? replies))
                _replies[queueName] = replies = new ReplyReceiver(Connector, target.Address);
            return replies;
        }
    }

    public async ValueTask DisposeAsync()
    {
        Task<SendTarget>[] targets;
        ReplyReceiver[] replies;
        lock (_gate)
        {
            if (_isDisposed)
                return;
            _isDisposed = true;
            targets = [.. _targets.Values];
            replies = [.. _replies.Values];
        }

        foreach (ReplyReceiver receiver in replies)
            await receiver.DisposeAsync().ConfigureAwait(false);
        foreach (Task<SendTarget> target in targets)
        {
            // Why a queue could not be opened, its senders have been told.
            await ((Task)target).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (!target.IsCompletedSuccessfully)
                continue;
            try
            {
                await target.Result.DisposeAsync().ConfigureAwait(false);
            }
            catch (QueueException)
            {
                // It is unreachable now.
            }
        }

        foreach (IAsyncDisposable provider in _ownProviders)
            await provider.DisposeAsync().ConfigureAwait(false);
    }

    public void Dispose() => Task.Run(() => DisposeAsync().AsTask()).GetAwaiter().GetResult();

    private async ValueTask<QueueClient> SubscribeAsync(HostedQueueOptions options, CancellationToken cancellationToken)
    {
        MessageTopic topic = await Connector.OpenTopicAsync(options.Address, TopicOptions(options), cancellationToken).ConfigureAwait(false);
        await using (topic.ConfigureAwait(false))
        {
            return await topic.SubscribeDurableAsync(options.Subscription!, options.Selector, options.ToQueueOptions(), cancellationToken)
                .ConfigureAwait(false);
        }
    }

    private static QueueOptions TopicOptions(HostedQueueOptions options) =>
        new() { DeliveryMode = options.DeliveryMode, OperationTimeout = options.OperationTimeout };

    /// <summary>Opens a queue or topic for the dispatcher of an outbox.</summary>
    /// <param name="queueName">The name of the queue.</param>
    /// <param name="duplicateWindow">For how long the queue rejects an id that was sent before, where it supports it; null for not at all.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal async Task<SendTarget> OpenDispatchTargetAsync(string queueName, TimeSpan? duplicateWindow, CancellationToken cancellationToken)
    {
        HostedQueueOptions options = _options.Get(queueName);
        if (options.IsTopic || duplicateWindow is null)
            return await OpenTargetAsync(options).WaitAsync(cancellationToken).ConfigureAwait(false);
        QueueOptions queueOptions = options.ToQueueOptions();
        try
        {
            QueueOptions withWindow = queueOptions with { DuplicateWindow = queueOptions.DuplicateWindow ?? duplicateWindow };
            return new SendTarget(await Connector.OpenAsync(options.Address, withWindow, cancellationToken).ConfigureAwait(false));
        }
        catch (NotSupportedException) when (queueOptions.DuplicateWindow is null)
        {
            return new SendTarget(await Connector.OpenAsync(options.Address, queueOptions, cancellationToken).ConfigureAwait(false));
        }
    }

    private async Task<SendTarget> OpenTargetAsync(HostedQueueOptions options) => options.IsTopic
        ? new SendTarget(await Connector.OpenTopicAsync(options.Address, TopicOptions(options)).ConfigureAwait(false))
        : new SendTarget(await Connector.OpenAsync(options.Address, options.ToQueueOptions()).ConfigureAwait(false));
}
