using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a subscription: a queue that is filled by its topic.</summary>
internal sealed class MemorySubscription : MemoryQueue
{
    private readonly MemoryQueueStore _store;
    private Action? _onClosed;

    internal MemorySubscription(
        MemoryQueueProvider provider, MemoryQueueStore store, QueueOptions options, QueueCapabilities capabilities, MemoryQueueStore? deadLetters,
            MemoryQueueStore? journal,
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
