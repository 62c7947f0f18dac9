using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Who settles a received message: the receiver that holds its lock, or the transaction that has received it.</summary>
internal abstract class RabbitMqSettler
{
    /// <summary>The queue that takes dead letters, or null.</summary>
    internal abstract string? DeadLetterQueue { get; }

    /// <summary>The name of the queue from which the messages came.</summary>
    internal abstract string QueueName { get; }

    /// <summary>Acknowledges a message or gives it back.</summary>
    internal abstract ValueTask SettleAsync(RabbitMqMessage message, bool giveBack);

    /// <summary>Sends a dead letter, and completes when the message it was may be acknowledged.</summary>
    internal abstract ValueTask SendDeadLetterAsync(RabbitMqMessage message, DeadLetterProperties deadLetter, CancellationToken cancellationToken);
}

/// <summary>What a dead letter says of itself.</summary>
internal sealed record DeadLetterProperties(string Reason, string? Description, string Source);
