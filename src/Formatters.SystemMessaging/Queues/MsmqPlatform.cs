using System;
using Formatters.SystemMessaging;

namespace Formatters.Queues.Msmq;

/// <summary>Where System.Messaging runs: over MSMQ on Windows, or Mono's over RabbitMQ, which has the same members and fewer promises.</summary>
internal static class MsmqPlatform
{
    internal static readonly bool IsMono = Transaction.IsMono;

    /// <summary>How long a waiting receive blocks before it looks whether it was cancelled, or its queue closed.</summary>
    internal static readonly TimeSpan LongestWait = IsMono ? Transaction.ShortestWait : TimeSpan.FromMilliseconds(100);

    /// <summary>Whether an exception is System.Messaging's own, for what a queue could not do. Mono lets those of its RabbitMQ client through.</summary>
    internal static bool IsOfTheQueue(Exception e) => e is MessageQueueException || (IsMono && e is not (OutOfMemoryException or QueueException));

    internal static QueueException Failure(QueueAddress address, string what, Exception e, bool isOutcomeUnknown = false)
    {
        string code = e is MessageQueueException { MessageQueueErrorCode: var number } && number != MessageQueueErrorCode.Generic ? $" ({number})" : "";
        return new QueueException($"'{address}': System.Messaging could not {what}{code}: {e.Message}", e) { OutcomeUnknown = isOutcomeUnknown };
    }
}
