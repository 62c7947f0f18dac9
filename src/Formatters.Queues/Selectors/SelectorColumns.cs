namespace Formatters.Queues;

/// <summary>The SQL expressions of the properties that <see cref="MessageSelector.ToSql"/> uses.</summary>
public sealed record SelectorColumns
{
    /// <summary>
    /// Gets the headers: a <c>jsonb</c> object; strings, booleans and numbers as those of JSON, bytes as any other type. It may be null.
    /// </summary>
    public required string Headers { get; init; }

    /// <summary><see cref="QueueMessage.MessageId"/>: <c>text</c>.</summary>
    public required string MessageId { get; init; }

    /// <summary><see cref="QueueMessage.CorrelationId"/>: <c>text</c>.</summary>
    public required string CorrelationId { get; init; }

    /// <summary><see cref="QueueMessage.Label"/>: <c>text</c>.</summary>
    public required string Label { get; init; }

    /// <summary>Gets the priority: any number.</summary>
    public required string Priority { get; init; }

    /// <summary>Gets when the message was sent, in milliseconds since 1970: any number.</summary>
    public required string SentTime { get; init; }
}
