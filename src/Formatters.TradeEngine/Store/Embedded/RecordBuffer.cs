using System;
using System.Buffers.Binary;
using System.IO;
using System.Text;

namespace Formatters.TradeEngine.Store.Embedded;

/// <summary>The bytes of records that are being written: numbers of variable length, texts and bytes behind their length.</summary>
internal sealed class RecordBuffer(int initialByteCount = 1 << 16)
{
    private byte[] _bytes = new byte[initialByteCount];

    internal int ByteCount { get; private set; }

    internal Span<byte> Bytes => _bytes.AsSpan(0, ByteCount);

    internal ReadOnlyMemory<byte> Memory => _bytes.AsMemory(0, ByteCount);

    internal void Clear() => ByteCount = 0;

    /// <summary>Leaves space, for a header that is written last.</summary>
    internal void Skip(int byteCount)
    {
        Reserve(byteCount).Clear();
        ByteCount += byteCount;
    }

    internal void WriteByte(byte value)
    {
        Reserve(1)[0] = value;
        ByteCount++;
    }

    internal void WriteUnsigned(ulong value)
    {
        Span<byte> destination = Reserve(10);
        int length = 0;
        for (; value >= 0x80; value >>= 7)
            destination[length++] = (byte)(value | 0x80);
        destination[length++] = (byte)value;
        ByteCount += length;
    }

    internal void WriteSigned(long value) => WriteUnsigned((ulong)(value << 1) ^ (ulong)(value >> 63));

    internal void WriteInt64(long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(Reserve(8), value);
        ByteCount += 8;
    }

    internal void WriteText(string text)
    {
        int byteCount = Encoding.UTF8.GetByteCount(text);
        WriteUnsigned((ulong)byteCount);
        ByteCount += Encoding.UTF8.GetBytes(text, Reserve(byteCount));
    }

    internal void WriteBytes(ReadOnlySpan<byte> bytes)
    {
        WriteUnsigned((ulong)bytes.Length);
        bytes.CopyTo(Reserve(bytes.Length));
        ByteCount += bytes.Length;
    }

    private Span<byte> Reserve(int byteCount)
    {
        if (_bytes.Length - ByteCount < byteCount)
            Array.Resize(ref _bytes, Math.Max(_bytes.Length * 2, ByteCount + byteCount));
        return _bytes.AsSpan(ByteCount, byteCount);
    }
}

/// <summary>
/// Reads what <see cref="RecordBuffer"/> has written. The bytes have passed their checksum: what is wrong with them is a defect or another version of the
/// program.
/// </summary>
internal ref struct RecordReader(ReadOnlySpan<byte> bytes)
{
    private readonly ReadOnlySpan<byte> _bytes = bytes;

    internal int Position { get; private set; }

    internal readonly bool IsAtEnd => Position == _bytes.Length;

    internal byte ReadByte() => Take(1)[0];

    internal ulong ReadUnsigned()
    {
        ulong value = 0;
        for (int shift = 0; shift < 64; shift += 7)
        {
            byte next = ReadByte();
            value |= (ulong)(next & 0x7F) << shift;
            if (next < 0x80)
                return value;
        }

        throw Damaged();
    }

    internal int ReadCount() => ReadUnsigned() is <= int.MaxValue and var count ? (int)count : throw Damaged();

    internal long ReadSigned()
    {
        ulong value = ReadUnsigned();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }

    internal long ReadInt64() => BinaryPrimitives.ReadInt64LittleEndian(Take(8));

    internal string ReadText() => Encoding.UTF8.GetString(ReadBytes());

    internal ReadOnlySpan<byte> ReadBytes() => Take(ReadCount());

    internal static InvalidDataException Damaged() => new("A record of the trade store cannot be read: it is damaged, or of another version of the program.");

    private ReadOnlySpan<byte> Take(int byteCount)
    {
        if (byteCount > _bytes.Length - Position)
            throw Damaged();
        ReadOnlySpan<byte> taken = _bytes.Slice(Position, byteCount);
        Position += byteCount;
        return taken;
    }
}
