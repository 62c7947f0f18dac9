using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a topic in this process.</summary>
internal sealed class MemoryTopic : MessageTopic
{
    private readonly MemoryQueueProvider _provider;
    private readonly MemoryTopicStore _store;
    private volatile bool _isDisposed;

    internal MemoryTopic(MemoryQueueProvider provider, MemoryTopicStore store, QueueAddress address, QueueOptions options,
        QueueCapabilities capabilities)
    {
        _provider = provider;
        _store = store;
        Address = address;
        Options = options;
        Capabilities = capabilities;
    }

    public override QueueAddress Address { get; }

    public override QueueCapabilities Capabilities { get; }

    public override QueueOptions Options { get; }

    public override ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        if (message is null)
            throw new ArgumentNullException(nameof(message));
        ThrowIfDisposed();
        LocalTransaction? own = LocalQueue.Check(transaction, Options, Address, _provider);
        Capabilities.ThrowIfNotSupported(message, Address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        _store.Send(message, own);
        return default;
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueTransaction>(cancellationToken)
            : new ValueTask<QueueTransaction>(new LocalTransaction(_provider));
    }

    public override ValueTask<QueueClient> SubscribeAsync(string? selector = null, QueueOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        MessageSelector? parsed = selector is null ? null : MessageSelector.Parse(selector);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<QueueClient>(cancellationToken);
        string name = $"{_store.Name}.{Guid.NewGuid():N}";
        var queue = new LocalQueueStore(MemoryQueueProvider.AddressOf(name), name, _store.Clock) { Place = _provider };
        LocalQueue handle = _provider.OpenSubscription(queue, options ?? Options, () => _store.Remove(queue));
        _store.Set(queue, parsed, handle);
        return new ValueTask<QueueClient>(handle);
    }

    public override ValueTask<QueueClient> SubscribeDurableAsync(
        string name, string? selector = null, QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ThrowIfDisposed();
        MessageSelector? parsed = selector is null ? null : MessageSelector.Parse(selector);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<QueueClient>(cancellationToken);
        LocalQueueStore queue = _provider.OpenStore(QueueNameOf(name));
        LocalQueue handle = _provider.OpenSubscription(queue, options ?? Options, onClosed: null);
        _store.Set(queue, parsed, handle);
        return new ValueTask<QueueClient>(handle);
    }

    public override ValueTask<bool> UnsubscribeAsync(string name, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ThrowIfDisposed();
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<bool>(cancellationToken);
        if (_store.Find(QueueNameOf(name)) is not { } queue || !_store.Remove(queue))
            return new ValueTask<bool>(false);
        _provider.TryDelete(queue);
        queue.Delete();
        return new ValueTask<bool>(true);
    }

    public override ValueTask DisposeAsync()
    {
        _isDisposed = true;
        return default;
    }

    private string QueueNameOf(string name) => $"{_store.Name}.{name}";

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw new ObjectDisposedException(nameof(MessageTopic), $"'{Address}' is closed.");
    }
}
