using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a topic in a folder that another process owns.</summary>
internal sealed class FollowerTopic(
    FolderClient client, int handle, QueueAddress address, string topicName, QueueOptions options, QueueCapabilities capabilities) : MessageTopic
{
    private volatile bool _isDisposed;

    public override QueueAddress Address => address;

    public override QueueCapabilities Capabilities => capabilities;

    public override QueueOptions Options => options;

    public override ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        ThrowIfDisposed();
        FollowerTransaction? own = FollowerQueue.Check(transaction, options, address, client);
        capabilities.ThrowIfNotSupported(message, address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled(cancellationToken)
            : client.SendAsync(new[] { handle }, isTopic: true, [message], own, options.OperationTimeout, cancellationToken);
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(options, address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueTransaction>(cancellationToken)
            : new ValueTask<QueueTransaction>(client.Begin(options.OperationTimeout));
    }

    public override ValueTask<QueueClient> SubscribeAsync(string? selector = null, QueueOptions? options = null,
        CancellationToken cancellationToken = default) => SubscribeAsync(null, selector, options, cancellationToken);

    public override ValueTask<QueueClient> SubscribeDurableAsync(string name, string? selector = null, QueueOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return SubscribeAsync(name, selector, options, cancellationToken);
    }

    public override ValueTask<bool> UnsubscribeAsync(string name, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ThrowIfDisposed();
        FileTopic.QueueNameOf(topicName, name);
        return client.UnsubscribeAsync(topicName, name, options.OperationTimeout, cancellationToken);
    }

    public override async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        await client.CloseAsync(handle).ConfigureAwait(false);
    }

    private ValueTask<QueueClient> SubscribeAsync(string? subscription, string? selector, QueueOptions? own, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        if (selector is not null)
            MessageSelector.Parse(selector);
        QueueAddress subscribed = OpenFolder.AddressOf(client.Path,
            subscription is null ? topicName : FileTopic.QueueNameOf(topicName, subscription));
        return client.SubscribeAsync(topicName, options, subscription, selector, FileTopic.Check(own, options, subscribed, client.DelayNote),
            cancellationToken);
    }

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw new ObjectDisposedException(nameof(MessageTopic), $"'{address}' is closed.");
    }
}
