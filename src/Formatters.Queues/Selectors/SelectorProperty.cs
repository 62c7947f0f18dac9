using System;

namespace Formatters.Queues;

/// <summary>The message properties with JMS names.</summary>
internal static class SelectorProperty
{
    internal delegate SelectorValue Reader(QueueMessage message);

    /// <summary>Finds the reader of a property; null for the name of a header.</summary>
    internal static Reader? Find(string name) => name switch
    {
        "JMSMessageID" => static message => SelectorValue.From(message.MessageId),
        "JMSCorrelationID" => static message => SelectorValue.From(message.CorrelationId),
        "JMSType" => static message => SelectorValue.From(message.Label),
        "JMSPriority" => static message => SelectorValue.From((long)message.Priority),
        "JMSTimestamp" => static message => message is ReceivedMessage { SentTime: { } time }
            ? SelectorValue.From(time.ToUnixTimeMilliseconds())
            : default,
        _ => null,
    };

    /// <summary>Determines whether a name is reserved by JMS without a property to select by. Names with JMSX are headers.</summary>
    internal static bool IsRefused(string name) =>
        name.StartsWith("JMS", StringComparison.Ordinal) && !name.StartsWith("JMSX", StringComparison.Ordinal)
        && !name.StartsWith("JMS_", StringComparison.Ordinal)
        && Find(name) is null;
}
