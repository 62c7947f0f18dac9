using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>The position of a snapshot in a log: after a flushed block.</summary>
/// <param name="End">How far the log reached.</param>
/// <param name="Position">The position after the last block, in the last segment.</param>
/// <param name="LastBlock">The position of the last block.</param>
/// <param name="LastChecksum">The checksum in the last block's header.</param>
internal readonly record struct SnapshotPlace(LogEnd End, long Position, long LastBlock, uint LastChecksum);

/// <summary>The data of a segment in a snapshot.</summary>
internal readonly record struct SnapshotSegment(ulong Number, ulong FirstBlock, uint Salt, long ByteCount, long Position);

/// <summary>The file <c>snapshot</c>: the result of recovery up to a position of the log, so that opening reads only the rest.</summary>
/// <remarks>
/// <para>Frames, each little-endian: byte count of the payload (Int32), CRC-32C of the payload, continuing the previous frame's checksum (UInt32),
/// payload. The first payload is magic <c>FMTQIDX</c> and a zero byte, format version 1 (UInt32), folder id (16 bytes), last segment (UInt64), next
/// block (UInt64), position (Int64), last block's position (Int64) and checksum (UInt32), number of segments (Int32), each number (UInt64), first
/// block (UInt64), salt (UInt32), file size (Int64), position after its last block (Int64). Then operations as in the log (<see
/// cref="LogOperation.Table"/> and others), the ids of a duplicate detection window, and the messages. The last frame is empty: without it the file
/// is incomplete.</para>
/// <para>It is optional: a snapshot that is missing or incomplete, or that belongs to another log or one that has diverged, is ignored, and the whole
/// log is read.</para>
/// </remarks>
internal static class LogSnapshot
{
    internal const string FileName = "snapshot";

    private const uint FormatVersion = 1;
    // Leaves space for one more record in a buffer that is kept.
    private const int FrameByteCount = 1 << 19;
    private const int MaxFrameByteCount = 64 << 20;
    private const int HeaderByteCount = 8;

    /// <summary>Writes the snapshot of a log at its end.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="place">The end of the log.</param>
    /// <param name="segments">The log's segments.</param>
    /// <param name="table">The queues and decisions.</param>
    /// <param name="nextMessage">The number of the next message.</param>
    internal static void Write(LogFolder folder, SnapshotPlace place, IReadOnlyList<LogSegment> segments, LogTable table, ulong nextMessage)
    {
        string newName = LogSegment.NewNameOf(FileName);
        using (LogFile file = folder.Create(newName, 0))
        {
            var writer = new FrameWriter(file);
            WriteHead(writer.Payload, place, segments);
            writer.EndFrame();
            LogOperations.WriteTable(writer.Payload, nextMessage, segments[0].Number, table);
            writer.EndFrame();
            WriteIds(writer, table, place.End.Segment);
            WriteObjects(writer, segments);
            foreach (FileQueueStore queue in table.Queues)
                queue.VisitParked(parked => WriteParked(writer, queue, parked));
            writer.EndFrame();
            writer.EndFile();
            file.Flush();
        }

        if (folder.GetFileNames().Contains(FileName))
            folder.Delete(FileName);
        folder.Rename(newName, FileName);
        folder.Flush();
    }

    private static void WriteHead(LogBuffer payload, SnapshotPlace place, IReadOnlyList<LogSegment> segments)
    {
        var writer = new BinaryBodyWriter(payload, LogOperations.Limits);
        writer.Write(Magic);
        writer.Write(FormatVersion);
        writer.Write(place.End.FolderId);
        writer.Write(place.End.Segment);
        writer.Write(place.End.NextBlock);
        writer.Write(place.Position);
        writer.Write(place.LastBlock);
        writer.Write(place.LastChecksum);
        writer.Write(segments.Count);
        foreach (LogSegment segment in segments)
        {
            writer.Write(segment.Number);
            writer.Write(segment.FirstBlock);
            writer.Write(segment.Salt);
            writer.Write(segment.ByteCount);
            writer.Write(segment.Position);
        }

        writer.Flush();
    }

    private static ulong Magic => BinaryPrimitives.ReadUInt64LittleEndian("FMTQIDX\0"u8);

    private static void WriteIds(FrameWriter writer, LogTable table, ulong lastSegment)
    {
        foreach (FileQueueStore queue in table.Queues)
        {
            foreach ((string id, long end, ulong segment) in queue.GetIdsOfSegments(lastSegment))
            {
                var record = new BinaryBodyWriter(writer.Payload, LogOperations.Limits);
                record.Write((byte)SnapshotRecord.SentId);
                record.Write(segment);
                record.Flush();
                LogOperations.WriteSentId(writer.Payload, queue, queue.Clock.UtcOf(end).UtcTicks, id);
                writer.EndRecord();
            }
        }
    }

    /// <summary>Writes the messages that are objects, which an opening does not add to its index, or not immediately.</summary>
    private static void WriteObjects(FrameWriter writer, IReadOnlyList<LogSegment> segments)
    {
        foreach (LogSegment segment in segments)
        {
            foreach (LogEntry entry in segment.GetLive())
            {
                var record = new BinaryBodyWriter(writer.Payload, LogOperations.Limits);
                record.Write((byte)SnapshotRecord.Message);
                record.Write(entry.Number);
                record.Write(segment.Number);
                record.Write(entry.ContentOffset);
                record.Write(entry.ContentByteCount);
                record.Write(entry.BodyByteCount);
                record.Write(entry.Checksum);
                record.Write(entry.PlaceCount);
                for (LogPlace? place = entry.FirstPlace; place is not null; place = place.Next)
                {
                    record.Write(place.Number);
                    record.Write(place.DeliveryCount);
                    record.Write(place.DueTicks);
                    LogOperations.WritePlace(ref record, place.Queue, place.Kind, place.DeadLetter);
                }

                record.Flush();
                writer.EndRecord();
            }
        }
    }

    /// <summary>Writes a group of parked messages.</summary>
    private static void WriteParked(FrameWriter writer, FileQueueStore queue, FileParkedMessages parked)
    {
        ReadOnlySpan<ParkedMessage> items = parked.GetParked(out ParkedExtras[]? more);
        if (items.IsEmpty)
            return;
        var record = new BinaryBodyWriter(writer.Payload, LogOperations.Limits);
        record.Write((byte)SnapshotRecord.Parked);
        record.Write(queue.QueueId);
        record.Write(items[0].Priority);
        record.Write(more is not null);
        record.Write(items.Length);
        record.Flush();
        writer.Payload.Write(MemoryMarshal.AsBytes(items));
        if (more is not null)
        {
            var extra = new BinaryBodyWriter(writer.Payload, LogOperations.Limits);
            foreach (ParkedExtras one in more)
            {
                extra.Write(one.EntryNumber);
                // The expiration is computed again: it depends on the wall clock at the opening.
                extra.Write(one.Deadline != QueueClock.Never);
                extra.Write(one.IdHash);
                extra.Write(one.CorrelationHash);
                var deadLetter = one.Reference as DeadLetter;
                extra.WriteNullable(deadLetter?.Reason);
                extra.WriteNullable(deadLetter?.Description);
                extra.WriteNullable(deadLetter?.Source);
            }

            extra.Flush();
        }

        writer.EndRecord();
    }

    /// <summary>Opens a snapshot and reads its first frame.</summary>
    /// <returns>The reader of the rest; null if there is no snapshot, or not of this version.</returns>
    internal static Reader? TryOpen(LogFolder folder, out SnapshotPlace place, out SnapshotSegment[] segments)
    {
        LogFile file = folder.Open(FileName);
        try
        {
            var frames = new Reader(file);
            if (frames.TryReadFrame(out ReadOnlyMemory<byte> head) && TryReadHead(head.Span, out place, out segments))
                return frames;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or MessageFormatException or FormatException)
        {
            // Treated as missing.
        }
        catch
        {
            file.Dispose();
            throw;
        }

        file.Dispose();
        (place, segments) = (default, []);
        return null;
    }

    private static bool TryReadHead(ReadOnlySpan<byte> head, out SnapshotPlace place, out SnapshotSegment[] segments)
    {
        var reader = new BinaryBodyReader(head, LogOperations.Limits);
        (place, segments) = (default, []);
        if (reader.ReadUInt64() != Magic || reader.ReadUInt32() != FormatVersion)
            return false;
        place = new SnapshotPlace(new LogEnd(reader.ReadGuid(), reader.ReadUInt64(), reader.ReadUInt64()), reader.ReadInt64(), reader.ReadInt64(),
            reader.ReadUInt32());
        int count = reader.ReadInt32();
        if (count < 1 || count > reader.BytesRemaining / 36)
            return false;
        segments = new SnapshotSegment[count];
        for (int i = 0; i < count; i++)
            segments[i] = new SnapshotSegment(reader.ReadUInt64(), reader.ReadUInt64(), reader.ReadUInt32(), reader.ReadInt64(), reader.ReadInt64());
        return reader.BytesRemaining == 0 && segments[^1].Number == place.End.Segment && segments[^1].Position == place.Position;
    }

    /// <summary>Reads the frames of a snapshot.</summary>
    internal sealed class Reader(LogFile file) : IDisposable
    {
        private byte[] _bytes = [];
        private long _position;
        private uint _checksum;

        /// <summary>Reads the next frame; an empty one is the end of the file.</summary>
        /// <param name="payload">Valid until the next call.</param>
        /// <returns>False if there is no complete frame.</returns>
        internal bool TryReadFrame(out ReadOnlyMemory<byte> payload)
        {
            payload = default;
            Span<byte> header = stackalloc byte[HeaderByteCount];
            if (file.Read(header, _position) < HeaderByteCount)
                return false;
            int byteCount = BinaryPrimitives.ReadInt32LittleEndian(header);
            if (byteCount < 0 || byteCount > MaxFrameByteCount || _position + HeaderByteCount + byteCount > file.ByteCount)
                return false;
            if (_bytes.Length < byteCount)
                _bytes = new byte[byteCount];
            if (file.Read(_bytes.AsSpan(0, byteCount), _position + HeaderByteCount) < byteCount)
                return false;
            _checksum = Crc32C.Of(_bytes.AsSpan(0, byteCount), _checksum);
            if (_checksum != BinaryPrimitives.ReadUInt32LittleEndian(header[4..]))
                return false;
            _position += HeaderByteCount + byteCount;
            payload = _bytes.AsMemory(0, byteCount);
            return true;
        }

        public void Dispose() => file.Dispose();
    }

    /// <summary>Collects records into frames, and writes them.</summary>
    private sealed class FrameWriter(LogFile file)
    {
        private long _position;
        private uint _checksum;

        /// <summary>Gets the content of the next frame; its first bytes are the space for a block's header.</summary>
        internal LogBuffer Payload { get; } = new();

        internal void EndRecord()
        {
            if (Payload.ByteCount >= FrameByteCount)
                EndFrame();
        }

        internal void EndFrame()
        {
            if (Payload.IsEmpty)
                return;
            WriteFrame(Payload.Block[LogBlock.HeaderByteCount..]);
            Payload.Clear();
        }

        internal void EndFile() => WriteFrame([]);

        private void WriteFrame(ReadOnlySpan<byte> payload)
        {
            _checksum = Crc32C.Of(payload, _checksum);
            Span<byte> header = stackalloc byte[HeaderByteCount];
            BinaryPrimitives.WriteInt32LittleEndian(header, payload.Length);
            BinaryPrimitives.WriteUInt32LittleEndian(header[4..], _checksum);
            file.Write(header, _position);
            if (payload.Length > 0)
                file.Write(payload, _position + HeaderByteCount);
            _position += HeaderByteCount + payload.Length;
        }
    }
}

/// <summary>The records of a snapshot, following the operations of its table.</summary>
internal enum SnapshotRecord : byte
{
    /// <summary>A message with all its data: number, segment, offset and sizes, checksum, places.</summary>
    Message = 100,

    /// <summary>
    /// Messages of one queue and priority, in order: queue id (UInt32), priority (byte), whether there is more data (byte), count (Int32); then 40
    /// bytes for each: number (UInt64), 8 unused bytes, segment, offset, content size, body size, checksum (32 bits each), deliveries (UInt16), kind
    /// and priority (a byte each). If there is more data, then for each: content number (UInt64), whether it expires (byte), hashes of its ids
    /// (UInt32 each, 0 for none), reason, description and source of a dead letter (nullable strings).
    /// </summary>
    Parked = 101,

    /// <summary>A message id that is rejected until a time, and its segment.</summary>
    SentId = 103,
}
