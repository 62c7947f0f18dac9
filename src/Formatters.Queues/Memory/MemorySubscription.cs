using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A handle of a subscription: a queue that is filled by its topic.</summary>
internal sealed class MemorySubscription : MemoryQueue
{
    private Action? _onClosed;

    internal MemorySubscription(
        MemoryQueueProvider provider, MemoryQueueStore store, QueueOptions options, QueueCapabilities capabilities, MemoryQueueStore? deadLetters, MemoryQueueStore? journal,
        Action? onClosed)
        : base(provider, store, store.Address, options, capabilities, deadLetters, journal) => _onClosed = onClosed;

    public override ValueTask DisposeAsync()
    {
        Interlocked.Exchange(ref _onClosed, null)?.Invoke();
        return base.DisposeAsync();
    }
}
