using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A transaction over queues of this process: sends are held back until the commit, received messages until the rollback.</summary>
internal class LocalTransaction : QueueTransaction
{
    private readonly Lock _gate = new();
    private readonly List<LocalMessage> _sent = [];
    private readonly List<LocalMessage> _received = [];
    private Dictionary<LocalMessage, DeadLetter>? _deadLetters;
    private bool _hasEnded;

    /// <param name="place">The provider or folder of the queues.</param>
    internal LocalTransaction(object place) => Place = place;

    internal object Place { get; }

    private protected IReadOnlyList<LocalMessage> Sent => _sent;

    private protected IReadOnlyList<LocalMessage> Received => _received;

    public override ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        End();
        try
        {
            LocalQueueStore.AddAll(_sent);
        }
        catch (QueueException)
        {
            Undo();
            throw;
        }

        foreach (LocalMessage message in _received)
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

    /// <summary>Adds messages to be sent with the commit; they are counted for their queues already.</summary>
    internal void Send(params ReadOnlySpan<LocalMessage> messages)
    {
        lock (_gate)
        {
            if (_hasEnded)
                throw Ended();
            _sent.AddRange(messages);
        }
    }

    internal bool TryAddReceived(LocalMessage message)
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

    /// <summary>Adds a received message that is dead-lettered with the commit.</summary>
    internal void DeadLetter(LocalMessage message, DeadLetter deadLetter)
    {
        lock (_gate)
        {
            if (_hasEnded)
                throw Ended();
            (_deadLetters ??= [])[message] = deadLetter;
        }
    }

    private protected DeadLetter? DeadLetterOf(LocalMessage message) => _deadLetters?.GetValueOrDefault(message);

    private protected void End()
    {
        lock (_gate)
        {
            if (_hasEnded)
                throw Ended();
            _hasEnded = true;
        }
    }

    /// <summary>Discards the sends and returns the received messages.</summary>
    internal void Undo()
    {
        foreach (LocalMessage message in _sent)
            message.Store.Release(message.BodyByteCount);
        foreach (IGrouping<LocalQueueStore, LocalMessage> messages in _received.GroupBy(message => message.Store))
            messages.Key.AddBack([.. messages]);
        Forget();
    }

    /// <summary>Returns a copy of the received messages, for a peek while the transaction is in progress.</summary>
    internal LocalMessage[] GetReceived()
    {
        lock (_gate)
            return [.. _received];
    }

    /// <summary>Removes the transaction from its queues, which then no longer show its messages as received.</summary>
    private protected void Forget()
    {
        foreach (LocalQueueStore store in _received.Select(message => message.Store).Distinct())
            store.Forget(this);
    }
}
