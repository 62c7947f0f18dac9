namespace Formatters.Queues;

/// <summary>A filter for a receive: the handle's selector, optionally with an id or a correlation id.</summary>
internal sealed class MessageFilter(MessageSelector? selector, string? messageId = null, string? correlationId = null)
{
    internal string? MessageId => messageId;

    internal string? CorrelationId => correlationId;

    internal bool Matches(MemoryMessage message) =>
        (messageId is null || message.HasId(messageId))
        && (correlationId is null || message.CorrelationId == correlationId)
        && (selector is null || selector.Matches(message));
}
