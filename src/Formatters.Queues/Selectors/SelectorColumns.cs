namespace Formatters.Queues;

/// <summary>The SQL expressions that hold what <see cref="MessageSelector.ToSql"/> selects by.</summary>
public sealed record SelectorColumns
{
    /// <summary>The headers: <c>jsonb</c>, an object; strings, booleans and numbers as those of JSON, bytes as anything else. It may be null.</summary>
    public required string Headers { get; init; }

    /// <summary><see cref="QueueMessage.MessageId"/>: <c>text</c>.</summary>
    public required string MessageId { get; init; }

    /// <summary><see cref="QueueMessage.CorrelationId"/>: <c>text</c>.</summary>
    public required string CorrelationId { get; init; }

    /// <summary><see cref="QueueMessage.Label"/>: <c>text</c>.</summary>
    public required string Label { get; init; }

    /// <summary>The priority: any number.</summary>
    public required string Priority { get; init; }

    /// <summary>When the message was sent, in milliseconds since 1970: any number.</summary>
    public required string SentTime { get; init; }
}
