namespace Formatters.Queues;

/// <summary>A filter for a receive: the handle's selector, optionally with an id or a correlation id.</summary>
internal sealed class MessageFilter(MessageSelector? selector, string? messageId = null, string? correlationId = null, ulong number = 0)
{
    /// <summary>Gets the number of the one message of a folder, which its log has for it; 0 for any.</summary>
    internal ulong Number => number;

    internal string? MessageId => messageId;

    internal string? CorrelationId => correlationId;

    internal bool Matches(LocalMessage message) =>
        (number == 0 || message.LogNumber == number)
        && (messageId is null || message.HasId(messageId))
        && (correlationId is null || message.CorrelationId == correlationId)
        && (selector is null || selector.Matches(message));
}
