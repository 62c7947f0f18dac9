using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Opens queues in the memory of this process: <c>memory:orders</c>.</summary>
/// <remarks>
/// <para>Queues are identified by name within one provider; opening a queue that does not exist creates it, and it exists until it is deleted or the
/// provider is collected. Names are case-sensitive.</para>
/// <para>Bodies are copied once, by the send: the sender may reuse its buffer as soon as the send has returned. Messages of the same priority are
/// received in the order of their sends; messages that return to the queue (returned, rolled back, their lease ended, their receiver's handle closed)
/// go back to their position.</para>
/// <para>Expired messages are removed by a receive, a count, or a send to a full queue, and go to the dead-letter queue of that handle. The remaining
/// time to live or lease does not change when the machine's clock is set.</para>
/// <para>Only express, which is the default here, and transactional are supported: a transaction is all or nothing over any number of the provider's
/// queues, but nothing survives the process.</para>
/// </remarks>
public sealed class MemoryQueueProvider : QueueProvider, IQueuePlace
{
    private readonly ConcurrentDictionary<string, LocalQueueStore> _stores = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, MemoryTopicStore> _topics = new(StringComparer.Ordinal);
    private readonly QueueClock _clock;

    /// <summary>Creates a provider whose queues use the system's clock.</summary>
    public MemoryQueueProvider()
        : this(TimeProvider.System)
    {
    }

    /// <summary>Creates a provider.</summary>
    /// <param name="timeProvider">The clock by which messages expire and leases end; the timeouts of receives go by the system's.</param>
    /// <exception cref="ArgumentNullException"><paramref name="timeProvider"/> is null.</exception>
#if NET
    public
#else
    internal
#endif
    MemoryQueueProvider(TimeProvider timeProvider)
    {
        ArgumentNullException.ThrowIfNull(timeProvider);
        _clock = new QueueClock(timeProvider);
    }

    /// <summary>Gets a provider for the whole process, for parts of a program that share only the names of queues.</summary>
    public static MemoryQueueProvider Shared { get; } = new();

    /// <inheritdoc/>
    public override IReadOnlyList<string> Schemes { get; } = ["memory"];

    /// <inheritdoc/>
    public override ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        string name = NameOf(address);
        QueueCapabilities capabilities = Check(address, ref options);
        options = options with { HoldBackByteCount = options.HoldBackByteCount ?? QueueOptions.HoldBackByteCountInMemory };
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueClient>(cancellationToken)
            : new ValueTask<QueueClient>(new LocalQueue(this, OpenStore(name), address, options, capabilities, DeadLettersOf(options),
                JournalOf(options)));
    }

    /// <inheritdoc/>
    /// <remarks>The durable subscriptions of a topic exist for as long as its provider, and are the queues <c>topic.subscription</c>.</remarks>
    public override ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        string name = NameOf(address);
        QueueCapabilities capabilities = Check(address, ref options);
        if (options.DuplicateWindow is not null)
            throw new NotSupportedException($"'{address}': {nameof(QueueOptions.DuplicateWindow)} is not supported by a topic.");
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<MessageTopic>(cancellationToken)
            : new ValueTask<MessageTopic>(new MemoryTopic(
                this, _topics.GetOrAdd(name, static (_, store) => new MemoryTopicStore(store),
                    new LocalQueueStore(address, name, _clock) { Place = this }), address, options, capabilities));
    }

    /// <inheritdoc/>
    public override ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        if (!_stores.TryRemove(NameOf(address), out LocalQueueStore? store))
            return new ValueTask<bool>(false);
        store.Delete();
        return new ValueTask<bool>(true);
    }

    /// <inheritdoc/>
    public override ValueTask<IReadOnlyList<QueueStatus>> ListAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        if (address is null)
            throw new ArgumentNullException(nameof(address));
        string? name = address.Scheme == "memory" && address.Uri.AbsolutePath.Length == 0 ? null : NameOf(address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<IReadOnlyList<QueueStatus>>(cancellationToken)
            : new ValueTask<IReadOnlyList<QueueStatus>>(
                QueueStatuses.Of(_stores.Values.Where(store => name is null || store.Name == name).Select(static store => store.GetStatus())));
    }

    /// <summary>Opens a subscription of a topic.</summary>
    /// <param name="store">The messages that it collects.</param>
    /// <param name="options">How.</param>
    /// <param name="onClosed">Called when the handle is closed, or null.</param>
    internal LocalQueue OpenSubscription(LocalQueueStore store, QueueOptions options, Action? onClosed)
    {
        QueueCapabilities capabilities = Check(store.Address, ref options);
        if (options.MaxMessageCount is not null || options.MaxByteCount is not null || options.HoldBackByteCount is not null)
            throw new ArgumentException($"'{store.Address}' is a subscription, which cannot have limits: they apply to sends to a queue.",
                nameof(options));
        return new MemorySubscription(this, store, options, capabilities, DeadLettersOf(options), JournalOf(options), onClosed);
    }

    internal bool TryDelete(LocalQueueStore store) => _stores.TryRemove(new KeyValuePair<string, LocalQueueStore>(store.Name, store));

    private static QueueCapabilities Check(QueueAddress address, ref QueueOptions options)
    {
        if (options is null)
            throw new ArgumentNullException(nameof(options));
        DeliveryMode mode = options.DeliveryMode ?? DeliveryMode.Express;
        if (mode == DeliveryMode.Recoverable)
        {
            throw new QueueException(
                $"'{address}' cannot be opened as recoverable: memory queues are express (or transactional, in memory). "
                + "A queue in a folder (file:) or of a broker (amqp:) is recoverable.");
        }

        QueueCapabilities capabilities = LocalQueue.CapabilitiesOf(mode);
        options = options with { DeliveryMode = mode };
        capabilities.ThrowIfNotSupported(options, address);
        return capabilities;
    }

    private LocalQueueStore? DeadLettersOf(QueueOptions options) => options.DeadLetterQueue is { } name ? OpenStore(name) : null;

    private LocalQueueStore? JournalOf(QueueOptions options) => options.JournalQueue is { } name ? OpenStore(name) : null;

    internal LocalQueueStore OpenStore(string name) => _stores.GetOrAdd(
        name, static (name, provider) => new LocalQueueStore(AddressOf(name), name, provider._clock) { Place = provider }, this);

    LocalQueueStore? IQueuePlace.FindQueue(string name) => _stores.TryGetValue(name, out LocalQueueStore? store) ? store : null;

    LocalQueueStore IQueuePlace.OpenQueue(string name) => OpenStore(name);

    internal static QueueAddress AddressOf(string name) =>
        new(new Uri("memory:" + Uri.EscapeDataString(name).Replace("%2F", "/", StringComparison.Ordinal)));

    private static string NameOf(QueueAddress address)
    {
        if (address is null)
            throw new ArgumentNullException(nameof(address));
        string name = Uri.UnescapeDataString(address.Uri.AbsolutePath);
        if (address.Scheme != "memory" || name.Length == 0 || address.Uri.Host.Length > 0 || address.Uri.Query.Length > 0
            || address.Uri.Fragment.Length > 0)
            throw new FormatException($"'{address}' is not a memory queue. The form is memory:name.");
        return name;
    }
}
