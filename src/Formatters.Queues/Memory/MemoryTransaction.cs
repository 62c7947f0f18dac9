using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A transaction over queues of this process: sends are kept back until the commit, received messages until the rollback.</summary>
internal class MemoryTransaction : QueueTransaction
{
    private readonly Lock _gate = new();
    private readonly List<MemoryMessage> _sent = [];
    private readonly List<MemoryMessage> _received = [];
    private bool _hasEnded;

    /// <param name="place">What the queues have in common: a provider, a folder.</param>
    internal MemoryTransaction(object place) => Place = place;

    internal object Place { get; }

    private protected IReadOnlyList<MemoryMessage> Sent => _sent;

    private protected IReadOnlyList<MemoryMessage> Received => _received;

    public override ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        End();
        try
        {
            MemoryQueueStore.AddAll(_sent);
        }
        catch (QueueException)
        {
            GiveBack();
            throw;
        }

        return default;
    }

    public override ValueTask RollbackAsync(CancellationToken cancellationToken = default)
    {
        End();
        GiveBack();
        return default;
    }

    public override ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_hasEnded)
                return default;
            _hasEnded = true;
        }

        GiveBack();
        return default;
    }

    internal static InvalidOperationException Ended() => new("The transaction is already committed or rolled back.");

    internal void ThrowIfEnded()
    {
        lock (_gate)
        {
            if (_hasEnded)
                throw Ended();
        }
    }

    internal void AddSent(MemoryMessage message)
    {
        lock (_gate)
        {
            if (_hasEnded)
                throw Ended();
            _sent.Add(message);
        }
    }

    internal bool TryAddReceived(MemoryMessage message)
    {
        lock (_gate)
        {
            if (_hasEnded)
                return false;
            _received.Add(message);
            return true;
        }
    }

    private protected void End()
    {
        lock (_gate)
        {
            if (_hasEnded)
                throw Ended();
            _hasEnded = true;
        }
    }

    private protected void GiveBack()
    {
        foreach (IGrouping<MemoryQueueStore, MemoryMessage> messages in _received.GroupBy(message => message.Store))
            messages.Key.AddBack([.. messages]);
    }
}
