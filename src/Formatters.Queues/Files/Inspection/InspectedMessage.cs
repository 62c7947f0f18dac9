using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>A message in a log that is read without opening the folder.</summary>
internal sealed class InspectedMessage(ulong number, InspectedSegment segment, long offset, int byteCount, uint checksum)
{
    internal ulong Number => number;

    internal InspectedSegment Segment => segment;

    internal long Offset => offset;

    internal int ByteCount => byteCount;

    internal uint Checksum => checksum;

    internal List<InspectedPlace> Places { get; } = new(1);
}

/// <summary>A message in one of the queues that have it, as its records in the log say.</summary>
internal sealed class InspectedPlace(ulong number, uint queueId, LogPlaceKind kind, DeadLetter? deadLetter)
{
    internal ulong Number => number;

    internal uint QueueId => queueId;

    internal LogPlaceKind Kind => kind;

    internal DeadLetter? DeadLetter => deadLetter;

    internal InspectedMessage Message { get; set; } = null!;

    internal int DeliveryCount { get; set; }

    internal long DueTicks { get; set; }

    /// <summary>Gets or sets the number of the last block that places the message in the queue.</summary>
    internal ulong Block { get; set; }
}
