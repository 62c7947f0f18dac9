using System;
using System.Buffers.Binary;

namespace Formatters.Queues;

/// <summary>How far a log reaches at least.</summary>
/// <param name="FolderId">The folder's id.</param>
/// <param name="Segment">The number of the last segment; 0 before there is one.</param>
/// <param name="NextBlock">The number of the block after the last.</param>
internal readonly record struct LogEnd(Guid FolderId, ulong Segment, ulong NextBlock);

/// <summary>The file <c>manifest</c>, which says how far the log reaches at least, so that an end that is missing is noticed.</summary>
/// <remarks>
/// <para>Three records, each in a sector of its own of 512 bytes, little-endian: magic <c>FMTQEND</c> and a zero byte, format version 1 (UInt32), zero
/// (UInt32), the folder's id (16 bytes), the last segment (UInt64), the next block (UInt64), CRC-32C of these 48 bytes (UInt32). A record that is not whole
/// does not count; of the others the highest numbers do, since none ever says more than what is flushed.</para>
/// <para>The first two are written in turn, and flushed, for a new segment and when the log is closed in order: while one is written the other holds. The
/// third is written after the flush of each block, and not flushed: it outlives the process, not the power.</para>
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

    /// <summary>What it said when it was opened.</summary>
    internal LogEnd End { get; }

    /// <summary>Makes it durable under a temporary name and then gives it its own, so that it is never there by half.</summary>
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

    /// <exception cref="QueueException">No record in it is whole, or it is of a later version.</exception>
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
                // The next goes over the older of the two, or over the one that is not whole.
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

    /// <summary>Says how far the log reaches, durably.</summary>
    internal void Keep(LogEnd end)
    {
        Write(end, _next);
        _file.Flush();
        _next = KeptCount - 1 - _next;
    }

    /// <summary>Says how far the log reaches, for as long as the machine goes on.</summary>
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
        if (!record.StartsWith("FMTQEND\0"u8) || BinaryPrimitives.ReadUInt32LittleEndian(record[ChecksummedByteCount..]) != Crc32C.Of(record[..ChecksummedByteCount]))
            return null;
        uint version = BinaryPrimitives.ReadUInt32LittleEndian(record[8..]);
        if (version != LogSegment.FormatVersion)
            throw new QueueException($"The file '{FileName}' in '{folder.Name}' has format version {version}; this version of the library reads version {LogSegment.FormatVersion}.");
        return new LogEnd(
            new Guid(record.Slice(16, 16)),
            BinaryPrimitives.ReadUInt64LittleEndian(record[32..]),
            BinaryPrimitives.ReadUInt64LittleEndian(record[40..]));
    }
}
