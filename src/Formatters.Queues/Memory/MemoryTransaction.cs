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
    private Dictionary<MemoryMessage, DeadLetter>? _deadLetters;
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
            Undo();
            throw;
        }

        foreach (MemoryMessage message in _received)
            message.Receiver!.Finish(message, DeadLetterOf(message));
        Forget();
        return default;
    }

    public override ValueTask RollbackAsync(CancellationToken cancellationToken = default)
    {
        End();
        Undo();
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

        Undo();
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

    /// <summary>Takes in messages to be sent with the commit; they count for their queues already.</summary>
    internal void Send(params ReadOnlySpan<MemoryMessage> messages)
    {
        lock (_gate)
        {
            if (_hasEnded)
                throw Ended();
            _sent.AddRange(messages);
        }
    }

    internal bool TryAddReceived(MemoryMessage message)
    {
        lock (_gate)
        {
            if (_hasEnded)
                return false;
            message.Transaction = this;
            _received.Add(message);
            return true;
        }
    }

    /// <summary>A received message becomes a dead letter with the commit.</summary>
    internal void DeadLetter(MemoryMessage message, DeadLetter deadLetter)
    {
        lock (_gate)
        {
            if (_hasEnded)
                throw Ended();
            (_deadLetters ??= [])[message] = deadLetter;
        }
    }

    private protected DeadLetter? DeadLetterOf(MemoryMessage message) => _deadLetters?.GetValueOrDefault(message);

    private protected void End()
    {
        lock (_gate)
        {
            if (_hasEnded)
                throw Ended();
            _hasEnded = true;
        }
    }

    /// <summary>Forgets the sends and gives the received messages back.</summary>
    internal void Undo()
    {
        foreach (MemoryMessage message in _sent)
            message.Store.Release(message.BodyByteCount);
        foreach (IGrouping<MemoryQueueStore, MemoryMessage> messages in _received.GroupBy(message => message.Store))
            messages.Key.AddBack([.. messages]);
        Forget();
    }

    /// <summary>The received messages, for somebody who looks on while the transaction is in progress.</summary>
    internal MemoryMessage[] GetReceived()
    {
        lock (_gate)
            return [.. _received];
    }

    /// <summary>After the end: no queue shows its messages as received by it.</summary>
    private protected void Forget()
    {
        foreach (MemoryQueueStore store in _received.Select(message => message.Store).Distinct())
            store.Forget(this);
    }
}
