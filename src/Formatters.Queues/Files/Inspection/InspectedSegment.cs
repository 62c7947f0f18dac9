using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Numerics;

namespace Formatters.Queues;

/// <summary>A segment that may be damaged anywhere, even in its header.</summary>
internal sealed class InspectedSegment : IDisposable
{
    private const int WindowByteCount = 1 << 20;
    private const int SectorByteCount = 4096;
    private const int ChecksummedByteCount = 48;

    private readonly LogFile _file;
    private byte[] _window = new byte[WindowByteCount];
    private long _start;
    private int _count;

    /// <exception cref="QueueException">The segment is of a later version.</exception>
    internal InspectedSegment(LogFolder folder, ulong number, LogFile file)
    {
        _file = file;
        Number = number;
        Name = LogSegment.FileName(number);
        ByteCount = file.ByteCount;
        Span<byte> header = stackalloc byte[ChecksummedByteCount + sizeof(uint)];
        header = header[..Read(header, 0)];
        if (header.Length >= 16)
            Salt = BinaryPrimitives.ReadUInt32LittleEndian(header[12..]);
        if (header.Length < ChecksummedByteCount + sizeof(uint) || !header.StartsWith("FMTQLOG\0"u8)
            || BinaryPrimitives.ReadUInt32LittleEndian(header[ChecksummedByteCount..]) != Crc32C.Of(header[..ChecksummedByteCount]))
        {
            Salt = FindSalt();
            return;
        }

        uint version = BinaryPrimitives.ReadUInt32LittleEndian(header[8..]);
        if (version != LogSegment.FormatVersion)
            throw new QueueException(
                $"The segment '{Name}' in '{folder.Name}' has format version {version}; this version of the library reads version "
                + $"{LogSegment.FormatVersion}.") { Code = QueueErrorCode.UnknownVersion };
        Number = BinaryPrimitives.ReadUInt64LittleEndian(header[16..]);
        FirstBlock = BinaryPrimitives.ReadUInt64LittleEndian(header[24..]);
        FolderId = new Guid(header.Slice(32, 16));
    }

    /// <summary>Gets the number in the header; the number in the file's name if the header is damaged.</summary>
    internal ulong Number { get; }

    internal string Name { get; }

    internal long ByteCount { get; }

    /// <summary>Gets the number of the first block; null if the header is damaged.</summary>
    internal ulong? FirstBlock { get; }

    /// <summary>Gets the log's id; null if the header is damaged.</summary>
    internal Guid? FolderId { get; }

    /// <summary>Gets the salt of the blocks' checksums; null if the header is damaged and the salt cannot be derived from the blocks.</summary>
    internal uint? Salt { get; }

    /// <summary>Gets the ranges that the disk cannot read.</summary>
    internal List<(long Offset, string Why)> Unreadable { get; } = [];

    /// <summary>Reads the block at a position; empty if there is no complete one.</summary>
    internal ReadOnlySpan<byte> ReadBlock(long position, out ulong number) => ReadBlock(position, Salt, out number);

    /// <summary>Determines whether nonzero bytes follow a position.</summary>
    internal bool HasBytesFrom(long position)
    {
        while (position < ByteCount)
        {
            ReadOnlySpan<byte> bytes = Get(position, (int)Math.Min(WindowByteCount, ByteCount - position));
            if (bytes.IsEmpty)
                return false;
            if (bytes.ContainsAnyExcept((byte)0))
                return true;
            position += bytes.Length;
        }

        return false;
    }

    /// <summary>Reads the content of a message; null if its checksum does not match.</summary>
    internal byte[]? TryReadContent(long offset, int byteCount, uint checksum)
    {
        byte[] content = new byte[byteCount];
        try
        {
            return _file.Read(content, offset) == byteCount && Crc32C.Of(content) == checksum ? content : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    public void Dispose() => _file.Dispose();

    private ReadOnlySpan<byte> ReadBlock(long position, uint? salt, out ulong number)
    {
        ReadOnlySpan<byte> header = Get(position, LogBlock.HeaderByteCount);
        number = 0;
        if (salt is null || header.Length < LogBlock.HeaderByteCount
            || !LogBlock.TryReadHeader(header, out uint checksum, out int payloadByteCount, out number))
            return default;
        long byteCount = LogBlock.HeaderByteCount + (long)payloadByteCount;
        if (position + byteCount > ByteCount || byteCount > Array.MaxLength)
            return default;
        ReadOnlySpan<byte> block = Get(position, (int)byteCount);
        return block.Length == byteCount && LogBlock.IsWhole(block, checksum, salt.Value) ? block : default;
    }

    /// <summary>Finds the salt with which the blocks' checksums match: the header's, or one that two blocks agree on.</summary>
    private uint? FindSalt()
    {
        var found = new HashSet<uint>();
        for (long position = LogSegment.HeaderByteCount; position + LogBlock.HeaderByteCount <= ByteCount; position += LogBlock.Alignment)
        {
            ReadOnlySpan<byte> header = Get(position, LogBlock.HeaderByteCount);
            if (header.Length < LogBlock.HeaderByteCount || !LogBlock.TryReadHeader(header, out uint checksum, out int payloadByteCount, out _))
                continue;
            if (!ReadBlock(position, Salt, out _).IsEmpty)
                return Salt;
            long byteCount = LogBlock.HeaderByteCount + (long)payloadByteCount;
            if (position + byteCount > ByteCount || byteCount > Array.MaxLength)
                continue;
            ReadOnlySpan<byte> block = Get(position, (int)byteCount);
            if (block.Length < byteCount)
                continue;
            uint salt = SaltOf(block[8..], checksum);
            if (!found.Add(salt))
                return salt;
        }

        return null;
    }

    /// <summary>Computes the salt with which bytes have a checksum, by running CRC-32C backwards.</summary>
    private static uint SaltOf(ReadOnlySpan<byte> bytes, uint checksum)
    {
        Span<byte> indexOfTop = stackalloc byte[256];
        Span<uint> table = stackalloc uint[256];
        for (int i = 0; i < 256; i++)
        {
            table[i] = BitOperations.Crc32C((uint)i, (byte)0);
            indexOfTop[(int)(table[i] >> 24)] = (byte)i;
        }

        uint crc = ~checksum;
        for (int i = bytes.Length - 1; i >= 0; i--)
        {
            byte index = indexOfTop[(int)(crc >> 24)];
            crc = ((crc ^ table[index]) << 8) | (uint)(index ^ bytes[i]);
        }

        return ~crc;
    }

    /// <summary>Returns the bytes at a position, fewer at the end of the file. Valid until the next call.</summary>
    private ReadOnlySpan<byte> Get(long position, int byteCount)
    {
        if (position < _start || position + byteCount > _start + _count)
        {
            if (_window.Length < byteCount)
                _window = new byte[byteCount];
            _start = position;
            _count = Read(_window.AsSpan(0, (int)Math.Min(_window.Length, Math.Max(0, ByteCount - position))), position);
        }

        int offset = (int)(position - _start);
        return offset >= _count ? default : _window.AsSpan(offset, Math.Min(byteCount, _count - offset));
    }

    /// <summary>Reads what can be read, with zeros in place of unreadable bytes.</summary>
    private int Read(Span<byte> bytes, long offset)
    {
        try
        {
            return _file.Read(bytes, offset);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            bytes.Clear();
            for (int i = 0; i < bytes.Length; i += SectorByteCount)
            {
                Span<byte> sector = bytes.Slice(i, Math.Min(SectorByteCount, bytes.Length - i));
                try
                {
                    _file.Read(sector, offset + i);
                }
                catch (Exception inner) when (inner is IOException or UnauthorizedAccessException)
                {
                    sector.Clear();
                    if (!Unreadable.Exists(one => one.Offset == offset + i))
                        Unreadable.Add((offset + i, inner.Message));
                }
            }

            return bytes.Length;
        }
    }
}
