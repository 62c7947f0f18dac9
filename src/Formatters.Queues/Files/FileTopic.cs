using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a topic in a folder.</summary>
internal sealed class FileTopic(QueueFolder folder, FileTopicStore store, QueueAddress address, QueueOptions options) : MessageTopic
{
    private volatile bool _isDisposed;

    public override QueueAddress Address => address;

    public override QueueCapabilities Capabilities { get; } = FileQueue.CapabilitiesOf(folder.DelayNote, options.DeliveryMode!.Value);

    public override QueueOptions Options => options;

    public override ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        ThrowIfDisposed();
        LocalTransaction? own = LocalQueue.Check(transaction, options, address, folder);
        Capabilities.ThrowIfNotSupported(message, address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return store.MustWait || (message.HasRequests && !folder.HasQueuesOf(message))
            ? SendInTurnAsync(message.Copy(), store.JoinLine())
            : store.SendAsync(message, options.DeliveryMode!.Value, transaction, own, cancellationToken);

        async ValueTask SendInTurnAsync(QueueMessage copy, SendTurn turn)
        {
            ValueTask send;
            using (turn)
            {
                await turn.WaitForSpaceAsync(cancellationToken).ConfigureAwait(false);
                if (!folder.HasQueuesOf(copy))
                    await folder.OpenQueuesOfAsync([copy], cancellationToken).ConfigureAwait(false);
                send = store.SendAsync(copy, options.DeliveryMode!.Value, transaction, own, cancellationToken);
            }

            await send.ConfigureAwait(false);
        }
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(options, address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueTransaction>(cancellationToken)
            : new ValueTask<QueueTransaction>(new FileTransaction(folder));
    }

    public override async ValueTask<QueueClient> SubscribeAsync(string? selector = null, QueueOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        MessageSelector? parsed = selector is null ? null : MessageSelector.Parse(selector);
        string name = $"{store.Name}.{Guid.NewGuid():N}";
        var queue = new LocalQueueStore(folder.AddressOf(name), name, folder.Clock) { Place = folder };
        QueueOptions checkedOptions = Check(options, queue.Address);
        var handle = new FileSubscription(
            folder,
            queue,
            checkedOptions,
            await OpenOtherAsync(checkedOptions.DeadLetterQueue, cancellationToken).ConfigureAwait(false),
            await OpenOtherAsync(checkedOptions.JournalQueue, cancellationToken).ConfigureAwait(false),
            () => store.Remove(queue));
        store.Add(queue, parsed, handle);
        return handle;
    }

    public override async ValueTask<QueueClient> SubscribeDurableAsync(
        string name, string? selector = null, QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ThrowIfDisposed();
        if (selector is not null)
            MessageSelector.Parse(selector);
        string queueName = QueueNameOf(store.Name, name);
        QueueOptions checkedOptions = Check(options, folder.AddressOf(queueName));
        FileQueueStore queue = await folder.OpenQueueAsync(queueName, cancellationToken).ConfigureAwait(false);
        string? earlier = queue.Selector;
        await folder.SubscribeAsync(store, queue, selector).ConfigureAwait(false);
        var handle = new FileQueue(
            queue,
            queue.Address,
            checkedOptions,
            await OpenOtherAsync(checkedOptions.DeadLetterQueue, cancellationToken).ConfigureAwait(false),
            await OpenOtherAsync(checkedOptions.JournalQueue, cancellationToken).ConfigureAwait(false));
        if (selector is not null && selector != earlier)
        {
            var parsed = MessageSelector.Parse(selector);
            List<LocalMessage> dropped = queue.Drop(message => !parsed.Matches(message));
            LocalQueueStore.Acknowledge(dropped.Where(static message => !message.IsStored), AcknowledgmentClass.QueuePurged);
            await folder.RemoveAsync([.. dropped.OfType<FileMessage>().Select(QueueFolder.Removal.OfPurged)]).ConfigureAwait(false);
        }

        return handle;
    }

    public override async ValueTask<bool> UnsubscribeAsync(string name, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ThrowIfDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        if (store.RemoveDurable(QueueNameOf(store.Name, name)) is not { } queue)
            return false;
        try
        {
            return await folder.DeleteQueueAsync(queue.Name, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            store.Set(queue, queue.Selector);
            throw;
        }
    }

    public override ValueTask DisposeAsync()
    {
        _isDisposed = true;
        return default;
    }

    internal static string QueueNameOf(string topic, string name) =>
        name.Contains('/', StringComparison.Ordinal)
        ? throw new ArgumentException($"The name of a subscription has no slash: '{name}'.", nameof(name)) : $"{topic}.{name}";

    private QueueOptions Check(QueueOptions? own, QueueAddress subscription) => Check(own, options, subscription, folder.DelayNote);

    /// <summary>Checks the options of a subscription, or takes those of the topic.</summary>
    internal static QueueOptions Check(QueueOptions? own, QueueOptions options, QueueAddress subscription, string delayNote)
    {
        QueueOptions given = own ?? options;
        given = given with { DeliveryMode = given.DeliveryMode ?? options.DeliveryMode };
        FileQueue.CapabilitiesOf(delayNote, given.DeliveryMode!.Value).ThrowIfNotSupported(given, subscription);
        if (given.MaxMessageCount is not null || given.MaxByteCount is not null || given.HoldBackByteCount is not null)
            throw new ArgumentException($"'{subscription}' is a subscription, which cannot have limits: they apply to sends to a queue.",
                nameof(own));
        return given;
    }

    private async ValueTask<FileQueueStore?> OpenOtherAsync(string? name, CancellationToken cancellationToken) =>
        name is null ? null : await folder.OpenQueueAsync(name, cancellationToken).ConfigureAwait(false);

    private void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw new ObjectDisposedException(nameof(MessageTopic), $"'{address}' is closed.");
    }
}

/// <summary>A handle of a subscription that ends with the handle: its messages are in memory only.</summary>
internal sealed class FileSubscription : LocalQueue
{
    private readonly QueueFolder _folder;
    private readonly LocalQueueStore _store;
    private Action? _onClosed;

    internal FileSubscription(
        QueueFolder folder, LocalQueueStore store, QueueOptions options, LocalQueueStore? deadLetters, LocalQueueStore? journal, Action onClosed)
        : base(folder, store, store.Address, options,
            CapabilitiesOf(options.DeliveryMode!.Value) with { Product = FileQueue.Product, IsInProcess = false }, deadLetters, journal)
    {
        _folder = folder;
        _store = store;
        _onClosed = onClosed;
    }

    public override ValueTask DisposeAsync()
    {
        Action? onClosed = Interlocked.Exchange(ref _onClosed, null);
        onClosed?.Invoke();
        ValueTask closed = base.DisposeAsync();
        // Its messages are lost with it.
        if (onClosed is not null)
            _store.Delete();
        return closed;
    }

    private protected override LocalTransaction BeginTransaction() => new FileTransaction(_folder);
}
