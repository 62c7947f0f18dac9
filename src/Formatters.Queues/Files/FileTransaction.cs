using System;
using System.Collections.Generic;
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

    public override ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        End();
        try
        {
            return _folder.CommitAsync([.. Sent.Cast<FileMessage>()], [.. Received.OfType<FileMessage>()]);
        }
        catch
        {
            Undo();
            throw;
        }
    }
}
