using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A transaction over queues of one folder: its sends and receives are one block of the log, which is there or is not.</summary>
internal sealed class FileTransaction : MemoryTransaction
{
    private readonly QueueFolder _folder;

    internal FileTransaction(QueueFolder folder)
        : base(folder) => _folder = folder;

    /// <summary>Whether nothing was sent or received.</summary>
    internal bool IsEmpty => Sent.Count == 0 && Received.Count == 0;

    public override ValueTask CommitAsync(CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested ? ValueTask.FromCanceled(cancellationToken) : CommitAsync(decision: null);

    /// <summary>Commits, and with the same block of the log a transaction that a resource manager has prepared.</summary>
    internal ValueTask CommitAsync(Decision? decision)
    {
        End();
        try
        {
            FileMessage[] sent = [.. Sent.OfType<FileMessage>()];
            QueueFolder.Removal[] removals = [.. Received.OfType<FileMessage>().Select(message => ((FileQueue)message.Receiver!).RemovalOf(message, DeadLetterOf(message)))];
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

    /// <summary>With the commit: express messages that were received are gone, too, and those that were sent, to subscriptions that end with their handles,
    /// are there.</summary>
    internal void FinishExpress()
    {
        if (Sent.Any(message => !message.IsStored))
            MemoryQueueStore.AddAll([.. Sent.Where(message => !message.IsStored)], mayBeDeleted: true);
        foreach (MemoryMessage message in Received)
        {
            if (!message.IsStored)
                message.Receiver!.Finish(message, DeadLetterOf(message));
        }

        Forget();
    }
}
