using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Queues;
using Microsoft.Win32.SafeHandles;

namespace Formatters.TradeEngine.Store.Embedded;

/// <summary>The files of a log: blocks with a checksum, each flushed to the disk before it counts. Not for several threads at once, except reading.</summary>
internal sealed class StoreLog : IDisposable
{
    /// <summary>Before the records of a block: their length, a checksum, the number of the block.</summary>
    internal const int HeaderByteCount = 16;

    private const int SegmentByteCount = 64 << 20;

    private readonly string _folder;
    private readonly List<SafeFileHandle> _segments = [];
    private long _position;
    private long _segmentByteCount;
    private ulong _nextBlock;

    private StoreLog(string folder) => _folder = folder;

    /// <summary>The size of all that was written.</summary>
    internal long ByteCount { get; private set; }

    /// <summary>The number of the block that is written next.</summary>
    internal ulong NextBlock => _nextBlock;

    /// <summary>Hands the records of a block over, with their location.</summary>
    internal delegate void BlockReader(ReadOnlySpan<byte> records, LogLocation location);

    /// <summary>Begins an empty log.</summary>
    internal static StoreLog Create(string folder)
    {
        Directory.CreateDirectory(folder);
        return new StoreLog(folder);
    }

    /// <summary>Reads what is in the folder; what is written goes behind its last whole block.</summary>
    /// <exception cref="InvalidDataException">A block is lost that is not the last one.</exception>
    internal void ReadAll(BlockReader read)
    {
        string[] paths = [.. Directory.GetFiles(_folder, "*.log").Order(StringComparer.Ordinal)];
        for (int i = 0; i < paths.Length; i++)
        {
            if (Path.GetFileName(paths[i]) != NameOf(i))
                throw new InvalidDataException($"The trade store in '{_folder}' lacks the file {NameOf(i)}.");
            ReadSegment(paths[i], read);
        }
    }

    /// <summary>Writes a block and flushes it.</summary>
    /// <param name="block">Space for the header, and the records.</param>
    /// <returns>Where the first record is.</returns>
    internal LogLocation Write(RecordBuffer block)
    {
        if (_segments.Count == 0 || _position + block.ByteCount > _segmentByteCount)
            Roll(block.ByteCount);
        Span<byte> bytes = block.Bytes;
        BinaryPrimitives.WriteInt32LittleEndian(bytes, bytes.Length - HeaderByteCount);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[8..], _nextBlock);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[4..], Crc32C.Of(bytes[8..]));
        RandomAccess.Write(_segments[^1], bytes, _position);
        DiskFlush.FlushFile(_segments[^1]);
        var location = new LogLocation(_segments.Count - 1, _position + HeaderByteCount);
        _position += bytes.Length;
        _nextBlock++;
        ByteCount += bytes.Length;
        return location;
    }

    /// <summary>Reads bytes that were written.</summary>
    internal void Read(LogLocation location, Span<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            int read = RandomAccess.Read(_segments[location.Segment], bytes, location.Position);
            if (read == 0)
                throw new InvalidDataException($"The file {NameOf(location.Segment)} of the trade store in '{_folder}' was truncated.");
            bytes = bytes[read..];
            location = location with { Position = location.Position + read };
        }
    }

    /// <summary>Reads as many bytes as there are, up to the length of the destination.</summary>
    /// <returns>How many.</returns>
    internal int ReadUpTo(LogLocation location, Span<byte> bytes)
    {
        int count = 0;
        while (count < bytes.Length)
        {
            int read = RandomAccess.Read(_segments[location.Segment], bytes[count..], location.Position + count);
            if (read == 0)
                break;
            count += read;
        }

        return count;
    }

    public void Dispose()
    {
        foreach (SafeFileHandle segment in _segments)
            segment.Dispose();
    }

    private static string NameOf(int segment) => string.Create(CultureInfo.InvariantCulture, $"{segment:D6}.log");

    /// <summary>Whether a whole block with a later number is anywhere in the rest of a file.</summary>
    private bool HasLaterBlock(int segment, long position, long length)
    {
        const int WindowByteCount = 1 << 20;
        byte[] window = new byte[WindowByteCount + HeaderByteCount - 1];
        for (long start = position; start + HeaderByteCount <= length; start += WindowByteCount)
        {
            ReadOnlySpan<byte> bytes = window.AsSpan(0, ReadUpTo(new LogLocation(segment, start), window));
            // What was never written.
            if (!bytes.ContainsAnyExcept((byte)0))
                continue;
            for (int i = 0; i + HeaderByteCount <= bytes.Length; i++)
            {
                ulong number = BinaryPrimitives.ReadUInt64LittleEndian(bytes[(i + 8)..]);
                int byteCount = BinaryPrimitives.ReadInt32LittleEndian(bytes[i..]);
                if (number <= _nextBlock || number - _nextBlock > uint.MaxValue || byteCount <= 0 || byteCount > length - start - i - HeaderByteCount)
                    continue;
                byte[] block = new byte[byteCount + 8];
                Read(new LogLocation(segment, start + i + 8), block);
                if (Crc32C.Of(block) == BinaryPrimitives.ReadUInt32LittleEndian(bytes[(i + 4)..]))
                    return true;
            }
        }

        return false;
    }

    private void Roll(int byteCount)
    {
        string path = Path.Combine(_folder, NameOf(_segments.Count));
        _segmentByteCount = Math.Max(SegmentByteCount, byteCount);
        _segments.Add(File.OpenHandle(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.Read, FileOptions.None, _segmentByteCount));
        DiskFlush.FlushFolder(_folder);
        _position = 0;
    }

    private void ReadSegment(string path, BlockReader read)
    {
        ulong firstBlock = _nextBlock;
        SafeFileHandle file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.Read);
        _segments.Add(file);
        int segment = _segments.Count - 1;
        long length = RandomAccess.GetLength(file);
        long position = 0;
        Span<byte> header = stackalloc byte[HeaderByteCount];
        byte[] block = [];
        while (position + HeaderByteCount <= length)
        {
            Read(new LogLocation(segment, position), header);
            int byteCount = BinaryPrimitives.ReadInt32LittleEndian(header);
            if (byteCount <= 0 || byteCount > length - position - HeaderByteCount || BinaryPrimitives.ReadUInt64LittleEndian(header[8..]) != _nextBlock)
                break;
            if (block.Length < byteCount + 8)
                block = new byte[byteCount + 8];
            Span<byte> checkedBytes = block.AsSpan(0, byteCount + 8);
            Read(new LogLocation(segment, position + 8), checkedBytes);
            // The last write before a crash may not have got through: nobody was told that it had. What was written after it has a number of its own, which
            // tells a block that is lost.
            if (Crc32C.Of(checkedBytes) != BinaryPrimitives.ReadUInt32LittleEndian(header[4..]))
                break;

            read(checkedBytes[8..], new LogLocation(segment, position + HeaderByteCount));
            position += HeaderByteCount + byteCount;
            _nextBlock++;
        }

        if (_nextBlock == firstBlock && length >= HeaderByteCount)
        {
            Read(new LogLocation(segment, 0), header);
            if (BinaryPrimitives.ReadUInt64LittleEndian(header[8..]) > _nextBlock)
                throw new InvalidDataException($"Blocks are missing before the file '{path}': one of the files of the trade store is damaged.");
        }

        // A write that a crash has torn is the last one.
        if (HasLaterBlock(segment, position, length))
        {
            throw new InvalidDataException(
                string.Create(CultureInfo.InvariantCulture, $"The file '{path}' of the trade store is damaged at offset {position}: whole blocks follow there. Restore it from a copy."));
        }

        ByteCount += position;
        // Behind it may be a part of a block: what is written next goes into a new segment.
        _position = _segmentByteCount = position;
    }
}

/// <summary>Where something is in a log.</summary>
/// <param name="Segment">The file.</param>
/// <param name="Position">The place in it.</param>
internal readonly record struct LogLocation(int Segment, long Position);
