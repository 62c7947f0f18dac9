// [MS-NRBF] 2.6.1: SerializationHeaderRecord.
using System;
using System.Buffers;

namespace Formatters;

/// <summary>The header of every body: record type 0, the id of the root, the id of a header (none: -1), version 1.0.</summary>
internal static class LegacyHeader
{
    internal const int ByteCount = 17;

    private const int RootIdEnd = 5;

    private static ReadOnlySpan<byte> BehindTheRootId => [0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0];

    /// <summary>Determines whether bytes begin with the header.</summary>
    internal static bool Is(in ReadOnlySequence<byte> bytes)
    {
        if (bytes.Length < ByteCount)
            return false;
        Span<byte> start = stackalloc byte[ByteCount];
        bytes.Slice(0, ByteCount).CopyTo(start);
        return start[0] == (byte)NrbfRecordType.SerializedStreamHeader && start.Slice(RootIdEnd).SequenceEqual(BehindTheRootId);
    }
}
