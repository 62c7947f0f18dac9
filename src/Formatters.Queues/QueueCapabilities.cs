namespace Formatters.Queues;

/// <summary>What a queue can do and what its promises are worth; printed beside every measurement.</summary>
public sealed record QueueCapabilities
{
    /// <summary>The queue's own name for a report: <c>in-memory</c>, <c>RabbitMQ 3.10.8</c>.</summary>
    public required string Product { get; init; }

    /// <summary>What is true of a message whose send has completed under the mode in which the queue was opened, in one line.</summary>
    public required string Durability { get; init; }

    /// <summary>Whether messages sent under the mode in which the queue was opened survive the end of the queue's process.</summary>
    public bool IsRecoverable { get; init; }

    /// <summary>Whether <see cref="IMessageQueue.BeginTransactionAsync"/> works: only for a queue opened as <see cref="DeliveryMode.Transactional"/>.</summary>
    public bool HasTransactions { get; init; }

    /// <summary>Whether a transaction is all or nothing, also over a crash; false for a mere batch (RabbitMQ's tx).</summary>
    public bool IsAtomic { get; init; }

    /// <summary>Whether the queue lives in this process, so that another process cannot be the other end.</summary>
    public bool IsInProcess { get; init; }
}
