using System;

namespace Formatters.Queues;

/// <summary>Defines how a message entered a queue.</summary>
internal enum LogPlaceKind : byte
{
    /// <summary>It was sent there.</summary>
    Sent = 0,

    /// <summary>It was consumed elsewhere, and this queue is the journal.</summary>
    Journal = 1,

    /// <summary>It is a dead letter of another queue.</summary>
    DeadLetter = 2,
}

/// <summary>A message in one queue; several places may share one content. Guarded by the log's gate.</summary>
internal sealed class LogPlace(LogEntry entry, FileQueueStore queue, LogPlaceKind kind = LogPlaceKind.Sent, DeadLetter? deadLetter = null)
{
    internal LogEntry Entry => entry;

    internal FileQueueStore Queue => queue;

    internal LogPlaceKind Kind => kind;

    internal DeadLetter? DeadLetter => deadLetter;

    /// <summary>
    /// Gets or sets the number that identifies the place in the log; numbers ascend in the order in which messages enter queues, over the whole
    /// folder.
    /// </summary>
    internal ulong Number { get; set; }

    /// <summary>Gets or sets the delivery count from this queue that is in the log.</summary>
    internal int DeliveryCount { get; set; }

    /// <summary>Gets or sets the due time in UTC ticks from the last delayed return; 0 if there is none.</summary>
    internal long DueTicks { get; set; }

    /// <summary>Gets or sets the next place of the same content.</summary>
    internal LogPlace? Next { get; set; }
}

/// <summary>The properties of a message as read from the log.</summary>
internal sealed class RecoveredMessage(MessageBody body) : QueueMessage(body)
{
    internal DateTimeOffset SentTime { get; init; }
}
