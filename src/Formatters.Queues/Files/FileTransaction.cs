using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A transaction over queues of one folder: its sends and receives are one block of the log, written entirely or not at all.</summary>
internal sealed class FileTransaction : LocalTransaction
{
    private readonly QueueFolder _folder;

    internal FileTransaction(QueueFolder folder)
        : base(folder) => _folder = folder;

    /// <summary>Gets or sets the request of another process to commit it; null if it is this process's own.</summary>
    internal RemoteOperation? Operation { get; set; }

    /// <summary>Gets whether nothing was sent or received.</summary>
    internal bool IsEmpty => Sent.Count == 0 && Received.Count == 0;

    public override ValueTask CommitAsync(CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled(cancellationToken) : CommitAsync(decision: null);

    /// <summary>Commits the transaction and, in the same block of the log, the decision for a prepared transaction of a resource manager.</summary>
    internal ValueTask CommitAsync(Decision? decision)
    {
        End();
        try
        {
            FileMessage[] sent = [.. Sent.OfType<FileMessage>()];
            QueueFolder.Removal[] removals = [.. Received.OfType<FileMessage>()
                .Select(message => ((FileQueue)message.Receiver!).RemovalOf(message, DeadLetterOf(message)))];
            if (sent.Length > 0 || removals.Length > 0 || decision is not null)
                return _folder.CommitAsync(this, sent, removals, decision);
        }
        catch
        {
            Undo();
            throw;
        }

        FinishExpress();
        return default;
    }

    /// <summary>
    /// Completes the express part after the commit: removes received express messages, and adds those sent to non-durable subscriptions.
    /// </summary>
    internal void FinishExpress()
    {
        if (Sent.Any(message => !message.IsStored))
            LocalQueueStore.AddAll([.. Sent.Where(message => !message.IsStored)], mayBeDeleted: true);
        foreach (LocalMessage message in Received)
        {
            if (!message.IsStored)
                message.Receiver!.Finish(message, DeadLetterOf(message));
        }

        Forget();
    }
}
