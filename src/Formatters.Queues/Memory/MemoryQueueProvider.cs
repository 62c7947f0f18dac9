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
/// their sends; those that come back (returned, rolled back, their receiver's handle closed) go to the front.</para>
/// <para>Express and transactional only: a transaction is all or nothing over any number of the provider's queues, but nothing survives the process.</para>
/// </remarks>
public sealed class MemoryQueueProvider : QueueProvider
{
    private readonly ConcurrentDictionary<string, MemoryQueueStore> _stores = new(StringComparer.Ordinal);

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
        MemoryQueueStore store = _stores.GetOrAdd(name, static (_, address) => new MemoryQueueStore(address), address);
        return new ValueTask<IMessageQueue>(new MemoryQueue(this, store, address, options));
    }

    /// <inheritdoc/>
    public override ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default)
    {
        if (!_stores.TryRemove(NameOf(address), out MemoryQueueStore? store))
            return new ValueTask<bool>(false);
        store.Delete();
        return new ValueTask<bool>(true);
    }

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
