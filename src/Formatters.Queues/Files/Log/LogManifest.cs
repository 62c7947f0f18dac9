using System;
using System.Buffers.Binary;

namespace Formatters.Queues;

/// <summary>A lower bound of the end of a log.</summary>
/// <param name="FolderId">The folder's id.</param>
/// <param name="Segment">The number of the last segment; 0 before there is one.</param>
/// <param name="NextBlock">The number of the block after the last.</param>
internal readonly record struct LogEnd(Guid FolderId, ulong Segment, ulong NextBlock);

/// <summary>The file <c>manifest</c>, which records a lower bound of the log's end, so that a missing end is noticed.</summary>
/// <remarks>
/// <para>Three records, each in its own sector of 512 bytes, little-endian: magic <c>FMTQEND</c> and a zero byte, format version 1 (UInt32), zero
/// (UInt32), the folder's id (16 bytes), the last segment (UInt64), the next block (UInt64), CRC-32C of these 48 bytes (UInt32). Damaged records are
/// ignored; of the others the highest numbers count, because none is ever ahead of what is flushed.</para>
/// <para>The first two are written alternately, and flushed, for a new segment and when the log is closed normally: while one is written the other is
/// valid. The third is written after the flush of each block, and not flushed: it survives the process, not a power failure.</para>
/// </remarks>
internal sealed class LogManifest : IDisposable
{
    internal const string FileName = "manifest";
    internal const int ByteCount = (KeptCount + 1) * SectorByteCount;
    internal const int SectorByteCount = LogBlock.Alignment;

    private const int KeptCount = 2;
    private const int ChecksummedByteCount = 48;
    private const int RecordByteCount = ChecksummedByteCount + sizeof(uint);

    private readonly LogFile _file;
    private int _next;

    private LogManifest(LogFile file, LogEnd end, int next)
    {
        _file = file;
        End = end;
        _next = next;
    }

    /// <summary>Gets the end that the manifest had when it was opened.</summary>
    internal LogEnd End { get; }

    /// <summary>Writes the manifest durably under a temporary name and then renames it, so that it never exists incompletely.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="file">The file, of <see cref="ByteCount"/> zeros, made under the temporary name; disposed if this fails.</param>
    /// <param name="end">How far the log reaches.</param>
    internal static LogManifest Create(LogFolder folder, LogFile file, LogEnd end)
    {
        try
        {
            var manifest = new LogManifest(file, end, 0);
            manifest.Keep(end);
            folder.Rename(LogSegment.NewNameOf(FileName), FileName);
            folder.Flush();
            return manifest;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <exception cref="QueueException">It has no intact record, or was written by a later version.</exception>
    internal static LogManifest Open(LogFolder folder)
    {
        LogFile file = folder.Open(FileName);
        try
        {
            Span<byte> bytes = stackalloc byte[ByteCount];
            bytes = bytes[..file.Read(bytes, 0)];
            LogEnd? all = null;
            ulong newest = 0;
            int next = 0;
            for (int i = 0; i <= KeptCount && bytes.Length >= (i * SectorByteCount) + RecordByteCount; i++)
            {
                if (TryRead(folder, bytes.Slice(i * SectorByteCount, RecordByteCount)) is not { } end)
                    continue;
                if (all is { } before && before.FolderId != end.FolderId)
                    throw LogDamage.Of(folder, $"the file '{FileName}' is of two logs");
                all = new LogEnd(
                    end.FolderId,
                    Math.Max(end.Segment, all?.Segment ?? 0),
                    Math.Max(end.NextBlock, all?.NextBlock ?? 0));
                // The next write replaces the older of the two, or the damaged one.
                if (i < KeptCount && end.NextBlock >= newest)
                {
                    newest = end.NextBlock;
                    next = KeptCount - 1 - i;
                }
            }

            return new LogManifest(file, all ?? throw LogDamage.Of(folder, $"no record in the file '{FileName}' is whole"), next);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Records the end of the log durably.</summary>
    internal void Keep(LogEnd end)
    {
        Write(end, _next);
        _file.Flush();
        _next = KeptCount - 1 - _next;
    }

    /// <summary>Records the end of the log without a flush: it survives the process, not a power failure.</summary>
    internal void Note(LogEnd end) => Write(end, KeptCount);

    public void Dispose() => _file.Dispose();

    private void Write(LogEnd end, int sector)
    {
        Span<byte> record = stackalloc byte[RecordByteCount];
        "FMTQEND\0"u8.CopyTo(record);
        BinaryPrimitives.WriteUInt32LittleEndian(record[8..], LogSegment.FormatVersion);
        BinaryPrimitives.WriteUInt32LittleEndian(record[12..], 0);
        end.FolderId.TryWriteBytes(record[16..]);
        BinaryPrimitives.WriteUInt64LittleEndian(record[32..], end.Segment);
        BinaryPrimitives.WriteUInt64LittleEndian(record[40..], end.NextBlock);
        BinaryPrimitives.WriteUInt32LittleEndian(record[ChecksummedByteCount..], Crc32C.Of(record[..ChecksummedByteCount]));
        _file.Write(record, sector * SectorByteCount);
    }

    private static LogEnd? TryRead(LogFolder folder, ReadOnlySpan<byte> record)
    {
        if (!record.StartsWith("FMTQEND\0"u8) || BinaryPrimitives.ReadUInt32LittleEndian(record[ChecksummedByteCount..])
            != Crc32C.Of(record[..ChecksummedByteCount]))
            return null;
        uint version = BinaryPrimitives.ReadUInt32LittleEndian(record[8..]);
        if (version != LogSegment.FormatVersion)
            throw new QueueException(
                $"The file '{FileName}' in '{folder.Name}' has format version {version}; this version of the library reads version "
                + $"{LogSegment.FormatVersion}.") { Code = QueueErrorCode.UnknownVersion };
        return new LogEnd(
            new Guid(record.Slice(16, 16)),
            BinaryPrimitives.ReadUInt64LittleEndian(record[32..]),
            BinaryPrimitives.ReadUInt64LittleEndian(record[40..]));
    }
}
