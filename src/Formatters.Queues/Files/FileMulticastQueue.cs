using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>
/// Several recoverable queues of one folder, combined for sending: a message is one record of the log, and goes to all of them or to none.
/// </summary>
internal sealed class FileMulticastQueue(QueueAddress address, QueueOptions options, IReadOnlyList<QueueClient> queues)
    : MulticastQueue(address, options, queues, hasOneProvider: true)
{
    private readonly FileQueue[] _queues = [.. queues.Cast<FileQueue>()];

    protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        FileSend.SendAsync(_queues, [message], transaction, cancellationToken);
}
