using System;
using Formatters.Msmq;

namespace Formatters.Queues.Msmq;

/// <summary>The platform of System.Messaging: MSMQ on Windows, or Mono's over RabbitMQ, which has the same members and fewer guarantees.</summary>
internal static class MsmqPlatform
{
    internal static readonly bool IsMono = Transaction.IsMono;

    /// <summary>The time that a waiting receive blocks before it checks for cancellation, and for a closed queue.</summary>
    internal static readonly TimeSpan LongestWait = IsMono ? Transaction.ShortestWait : TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Determines whether an exception is System.Messaging's own, for a failed queue operation. Mono does not wrap those of its RabbitMQ client.
    /// </summary>
    internal static bool IsOfTheQueue(Exception e) => e is MessageQueueException || (IsMono && e is not (OutOfMemoryException or QueueException));

    internal static QueueException Failure(QueueAddress address, string what, Exception e, bool isOutcomeUnknown = false)
    {
        MessageQueueErrorCode number = (e as MessageQueueException)?.MessageQueueErrorCode ?? MessageQueueErrorCode.Generic;
        string code = number == MessageQueueErrorCode.Generic ? "" : $" ({number})";
        return new QueueException($"'{address}': System.Messaging could not {what}{code}: {e.Message}", e)
        {
            Code = number switch
            {
                MessageQueueErrorCode.QueueNotFound or MessageQueueErrorCode.QueueDeleted => QueueErrorCode.QueueDeleted,
                MessageQueueErrorCode.InsufficientResources => QueueErrorCode.Full,
                _ => QueueErrorCode.None,
            },
            OutcomeUnknown = isOutcomeUnknown,
            IsUnreachable = number is MessageQueueErrorCode.ServiceNotAvailable or MessageQueueErrorCode.RemoteMachineNotAvailable,
        };
    }
}
