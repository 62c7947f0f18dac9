using System;

namespace Formatters.Queues;

/// <summary>How a message came into a queue.</summary>
internal enum LogPlaceKind : byte
{
    /// <summary>It was sent there.</summary>
    Sent = 0,

    /// <summary>It was received for good elsewhere, and this queue is the journal.</summary>
    Journal = 1,

    /// <summary>It is a dead letter of another queue.</summary>
    DeadLetter = 2,
}

/// <summary>A message in one queue: several may have one content. Changed under the log's gate.</summary>
internal sealed class LogPlace(LogEntry entry, FileQueueStore queue, LogPlaceKind kind = LogPlaceKind.Sent, DeadLetter? deadLetter = null)
{
    internal LogEntry Entry => entry;

    internal FileQueueStore Queue => queue;

    internal LogPlaceKind Kind => kind;

    internal DeadLetter? DeadLetter => deadLetter;

    /// <summary>Names the place in the log, and counts up in the order in which messages come into queues, over all of the folder.</summary>
    internal ulong Number { get; set; }

    /// <summary>How many deliveries of the message from this queue the log has been told of.</summary>
    internal int DeliveryCount { get; set; }

    /// <summary>Until when nobody receives the message, in UTC, as it was said when it last came back; 0 if that was not said.</summary>
    internal long DueTicks { get; set; }

    /// <summary>The next place of the same content.</summary>
    internal LogPlace? Next { get; set; }
}

/// <summary>The properties of a message as they were read from the log.</summary>
internal sealed class RecoveredMessage(MessageBody body) : QueueMessage(body)
{
    internal DateTimeOffset SentTime { get; init; }
}
