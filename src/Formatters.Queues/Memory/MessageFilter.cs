namespace Formatters.Queues;

/// <summary>Which messages a receiver takes: those of its handle's selector, and of those perhaps only the one with an id or a correlation id.</summary>
internal sealed class MessageFilter(MessageSelector? selector, string? messageId = null, string? correlationId = null)
{
    internal string? MessageId => messageId;

    internal string? CorrelationId => correlationId;

    internal bool Matches(MemoryMessage message) =>
        (messageId is null || message.HasId(messageId))
        && (correlationId is null || message.CorrelationId == correlationId)
        && (selector is null || selector.Matches(message));
}
