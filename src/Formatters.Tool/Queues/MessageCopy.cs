using System.Collections.Generic;
using Formatters.Queues;

namespace Formatters.Tools.Queues;

/// <summary>Copies of received messages for another queue.</summary>
internal static class MessageCopy
{
    /// <summary>The header for the session of a message on a queue without sessions.</summary>
    private const string SessionHeader = "session-id";

    /// <summary>Copies a message, without its times: what the other queue has no property for is left out, or is a header.</summary>
    internal static QueueMessage Of(ReceivedMessage message, MessageBody body, QueueCapabilities capabilities)
    {
        var copy = new QueueMessage(body)
        {
            Label = message.Label,
            MessageId = message.MessageId,
            CorrelationId = message.CorrelationId,
            ResponseQueue = message.ResponseQueue,
        };
        if (capabilities.Supports(QueueFeatures.Priorities))
            copy.Priority = message.Priority;
        if (capabilities.Supports(QueueFeatures.Sessions))
            copy.SessionId = message.SessionId;
        else if (message.SessionId is { } session)
            copy.Headers[SessionHeader] = session;
        foreach ((string name, object value) in message.Headers)
            copy.Headers[name] = value;
        return copy;
    }
}
