using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A message that came out of a queue.</summary>
/// <remarks>Its body's bytes stay valid for as long as the message is referenced.</remarks>
public abstract class ReceivedMessage : QueueMessage
{
    /// <summary>Makes a received message around a body.</summary>
    /// <param name="body">The body.</param>
    protected ReceivedMessage(MessageBody body)
        : base(body)
    {
    }

    /// <summary>Whether the queue has handed this message out before.</summary>
    public bool IsRedelivered { get; protected init; }

    /// <summary>Tells the queue that the message is processed, so that it leaves the queue. Without effect under <see cref="ReceiveMode.ReceiveAndDelete"/> and in a transaction.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Completes when the queue has been told.</returns>
    /// <exception cref="QueueException">The lock is gone, because the connection was lost: the message will come again.</exception>
    public abstract ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default);

    /// <summary>Gives the message back to its queue, to be received again. Without effect under <see cref="ReceiveMode.ReceiveAndDelete"/> and in a transaction.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Completes when the queue has been told.</returns>
    /// <exception cref="QueueException">The lock is gone, because the connection was lost: the message will come again.</exception>
    public abstract ValueTask ReturnAsync(CancellationToken cancellationToken = default);
}
