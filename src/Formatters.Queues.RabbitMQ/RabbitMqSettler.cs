using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Settles a received message: either the receiver that holds its lock, or the transaction in which it was received.</summary>
internal abstract class RabbitMqSettler
{
    /// <summary>Gets the dead-letter queue, or null.</summary>
    internal abstract string? DeadLetterQueue { get; }

    /// <summary>Gets the name of the queue from which the messages came.</summary>
    internal abstract string QueueName { get; }

    /// <summary>Acknowledges a message or returns it to the queue.</summary>
    internal abstract ValueTask SettleAsync(RabbitMqMessage message, bool giveBack);

    /// <summary>Sends a dead letter; the original message may be acknowledged after this completes.</summary>
    internal abstract ValueTask SendDeadLetterAsync(RabbitMqMessage message, DeadLetterProperties deadLetter, CancellationToken cancellationToken);
}

/// <summary>The reason, description and source of a dead letter.</summary>
internal sealed record DeadLetterProperties(string? Reason, string? Description, string Source);
