using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A transaction over queues of a folder that another process owns.</summary>
internal sealed class FollowerTransaction : QueueTransaction
{
    private int _hasEnded;

    internal FollowerTransaction(FolderClient client, long number, TimeSpan timeout)
    {
        Client = client;
        Number = number;
        Timeout = timeout;
    }

    internal FolderClient Client { get; }

    /// <summary>Gets the number that the owner knows it by.</summary>
    internal long Number { get; }

    /// <summary>Gets how long a commit or a rollback may take: what operations of the queue that began it may take.</summary>
    internal TimeSpan Timeout { get; }

    /// <summary>Gets the requests to send and to dead-letter, for the next owner. Guarded by the client's gate.</summary>
    internal List<byte[]> Requests { get; } = [];

    /// <summary>Gets the deliveries of the messages that it has received. Guarded by the client's gate.</summary>
    internal List<long> Deliveries { get; } = [];

    /// <summary>Gets or sets whether a part of it is lost, so that it cannot be committed.</summary>
    internal bool IsBroken { get; set; }

    /// <summary>Gets whether nothing was sent or received.</summary>
    internal bool IsEmpty => Requests.Count == 0 && Deliveries.Count == 0;

    public override ValueTask CommitAsync(CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled(cancellationToken) : CommitAsync(decision: null);

    /// <summary>Commits the transaction and, in the same block of the log, the decision for a prepared transaction of a resource manager.</summary>
    internal async ValueTask CommitAsync(Decision? decision)
    {
        End();
        if (!IsBroken)
        {
            await Client.CommitAsync(this, decision).ConfigureAwait(false);
            return;
        }

        await Client.RollbackAsync(this).ConfigureAwait(false);
        throw new QueueException(
            "The transaction is rolled back: a part of it was lost, when the owner of the folder ended or did not answer in time.");
    }

    public override ValueTask RollbackAsync(CancellationToken cancellationToken = default)
    {
        End();
        return Client.RollbackAsync(this);
    }

    public override async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0)
            return;
        try
        {
            await Client.RollbackAsync(this).ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // It ends with the connection.
        }
    }

    internal void ThrowIfEnded()
    {
        if (Volatile.Read(ref _hasEnded) != 0)
            throw LocalTransaction.Ended();
    }

    private void End()
    {
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0)
            throw LocalTransaction.Ended();
    }
}
