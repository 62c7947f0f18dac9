using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Bench.Tests.Support;

/// <summary>Queues <c>changed:name</c> that change the last byte of one message's body: its content, but not the member that tells the values apart.</summary>
/// <param name="number">Which send, from 1.</param>
internal sealed class ChangedContentProvider(int number) : WrappingQueueProvider("changed")
{
    private int _sends;

    protected override ValueTask SendAsync(QueueClient queue, QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        if (++_sends == number)
        {
            byte[] bytes = message.Body.ToArray();
            bytes[^1] ^= 1;
            message.Body.Bytes = new(bytes);
        }

        return base.SendAsync(queue, message, transaction, cancellationToken);
    }
}
