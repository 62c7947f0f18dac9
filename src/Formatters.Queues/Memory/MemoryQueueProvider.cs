using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Opens queues in the memory of this process: <c>memory:orders</c>.</summary>
/// <remarks>
/// <para>Queues are known by name within one provider; opening one that does not exist makes it, and it stays until it is deleted or the provider
/// is collected. Names distinguish upper and lower case.</para>
/// <para>Bodies are copied once, by the send: the sender may reuse its buffer as soon as the send has returned. Messages are received in the order of
/// their sends within their priority; those that come back (returned, rolled back, their lease ended, their receiver's handle closed) go to where they were.</para>
/// <para>Messages that have expired are taken out when somebody receives, counts, or sends to a full queue, and go to the dead-letter queue of that handle.
/// How long is left of a time to live or a lease does not change when somebody sets the machine's clock.</para>
/// <para>Express and transactional only: a transaction is all or nothing over any number of the provider's queues, but nothing survives the process.</para>
/// </remarks>
public sealed class MemoryQueueProvider : QueueProvider
{
    private readonly ConcurrentDictionary<string, MemoryQueueStore> _stores = new(StringComparer.Ordinal);
    private readonly QueueClock _clock;

    /// <summary>Makes a provider whose queues go by the system's clock.</summary>
    public MemoryQueueProvider()
        : this(TimeProvider.System)
    {
    }

    /// <summary>Makes a provider.</summary>
    /// <param name="timeProvider">The clock by which messages expire and leases end; the timeouts of receives go by the system's.</param>
    /// <exception cref="ArgumentNullException"><paramref name="timeProvider"/> is null.</exception>
    public MemoryQueueProvider(TimeProvider timeProvider)
    {
        ArgumentNullException.ThrowIfNull(timeProvider);
        _clock = new QueueClock(timeProvider);
    }

    /// <summary>One provider for the whole process, for parts of a program that know of each other only the queues' names.</summary>
    public static MemoryQueueProvider Shared { get; } = new();

    /// <inheritdoc/>
    public override IReadOnlyList<string> Schemes { get; } = ["memory"];

    /// <inheritdoc/>
    public override ValueTask<IMessageQueue> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        string name = NameOf(address);
        if (options is null)
            throw new ArgumentNullException(nameof(options));
        if (options.DeliveryMode == DeliveryMode.Recoverable)
        {
            throw new QueueException(
                $"'{address}' cannot be opened as recoverable: memory queues are express (or transactional, in memory). "
                + "A queue in a folder (file:) or of a broker (amqp:) is recoverable.");
        }

        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<IMessageQueue>(cancellationToken);
        QueueCapabilities capabilities = MemoryQueue.CapabilitiesOf(options.DeliveryMode);
        capabilities.ThrowIfNotSupported(options, address);
        return new ValueTask<IMessageQueue>(new MemoryQueue(
            this,
            OpenStore(name),
            address,
            options,
            capabilities,
            options.DeadLetterQueue is { } deadLetters ? OpenStore(deadLetters) : null,
            options.JournalQueue is { } journal ? OpenStore(journal) : null));
    }

    /// <inheritdoc/>
    public override ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        if (!_stores.TryRemove(NameOf(address), out MemoryQueueStore? store))
            return new ValueTask<bool>(false);
        store.Delete();
        return new ValueTask<bool>(true);
    }

    private MemoryQueueStore OpenStore(string name) => _stores.GetOrAdd(
        name, static (name, clock) => new MemoryQueueStore(new QueueAddress(new Uri("memory:" + Uri.EscapeDataString(name).Replace("%2F", "/", StringComparison.Ordinal))), name, clock), _clock);

    private static string NameOf(QueueAddress address)
    {
        if (address is null)
            throw new ArgumentNullException(nameof(address));
        string name = Uri.UnescapeDataString(address.Uri.AbsolutePath);
        if (address.Scheme != "memory" || name.Length == 0 || address.Uri.Host.Length > 0 || address.Uri.Query.Length > 0 || address.Uri.Fragment.Length > 0)
            throw new FormatException($"'{address}' is no memory queue. The form is memory:name.");
        return name;
    }
}
