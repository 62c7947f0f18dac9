using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a subscription: a queue that is filled by its topic.</summary>
internal sealed class MemorySubscription : LocalQueue
{
    private readonly LocalQueueStore _store;
    private Action? _onClosed;

    internal MemorySubscription(
        MemoryQueueProvider provider, LocalQueueStore store, QueueOptions options, QueueCapabilities capabilities, LocalQueueStore? deadLetters,
            LocalQueueStore? journal,
        Action? onClosed)
        : base(provider, store, store.Address, options, capabilities, deadLetters, journal)
    {
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
}
