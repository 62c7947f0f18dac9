using System;
using System.IO;
#if NET
using System.Runtime.Intrinsics;
#endif

namespace Formatters;

/// <summary>The <see cref="BinaryReader"/> for a classic <c>Load</c>: reads directly from memory, strictly, and is reused by the thread.</summary>
internal sealed class MemoryBinaryReader : BinaryReader
{
    private const int MaxKeptByteCount = 1024 * 1024;

    [ThreadStatic]
    private static MemoryBinaryReader? t_cached;

    private MemoryBinaryReader(MemoryBodyStream stream)
        : base(stream, Utf8Text.Strict) => Stream = stream;

    internal MemoryBodyStream Stream { get; }

    internal static MemoryBinaryReader Rent(ReadOnlySpan<byte> body)
    {
        MemoryBinaryReader reader = t_cached ?? new MemoryBinaryReader(new MemoryBodyStream(isWritable: false));
        t_cached = null;
        reader.Stream.Load(body);
        return reader;
    }

    internal void Return()
    {
        Stream.Reset(MaxKeptByteCount);
        t_cached = this;
    }

    /// <summary>Does nothing, because the called code does not own the reader.</summary>
#pragma warning disable CA2215 // the base class would close the stream, or refuse further use
    protected override void Dispose(bool disposing)
    {
    }
#pragma warning restore CA2215

    public override bool ReadBoolean()
    {
        byte value = Stream.Take(1);
        if (value > 1)
            ThrowHelper.ThrowBadValue(Stream.Position - 1, nameof(Boolean));
        return value != 0;
    }

    public override byte ReadByte() => Stream.Take(1);

    public override sbyte ReadSByte() => (sbyte)Stream.Take(1);

    public override short ReadInt16() => LittleEndian.ReadInt16(ref Stream.Take(2));

    public override ushort ReadUInt16() => (ushort)LittleEndian.ReadInt16(ref Stream.Take(2));

    public override int ReadInt32() => LittleEndian.ReadInt32(ref Stream.Take(4));

    public override uint ReadUInt32() => (uint)LittleEndian.ReadInt32(ref Stream.Take(4));

    public override long ReadInt64() => LittleEndian.ReadInt64(ref Stream.Take(8));

    public override ulong ReadUInt64() => (ulong)LittleEndian.ReadInt64(ref Stream.Take(8));

    public override float ReadSingle() => LittleEndian.ReadSingle(ref Stream.Take(4));

    public override double ReadDouble() => LittleEndian.ReadDouble(ref Stream.Take(8));

    public override decimal ReadDecimal()
    {
        RequireBytes(16);
        ref byte bits = ref Stream.Take(16);
        if (!Decimals.TryRead(ref bits, out decimal value))
            ThrowHelper.ThrowBadValue(Stream.Position - 16, nameof(Decimal));
        return value;
    }

    public override string ReadString()
    {
        int offset = (int)Stream.Position;
        int byteCount = 0;
        for (int i = 0; ; i++)
        {
            byte b = Stream.Take(1);
            if (i == SevenBitInt.MaxByteCount32 - 1 && b > 0x07)
                ThrowHelper.ThrowBadLength(offset, "The number of bytes does not fit into 31 bits.");
            byteCount |= (b & 0x7F) << (7 * i);
            if (b >= 0x80)
                continue;
            if (b == 0 && i > 0)
                ThrowHelper.ThrowBadLength(offset, "The 7-bit encoded integer is longer than needed.");
            break;
        }

        offset = (int)Stream.Position;
        ref byte bytes = ref Stream.Take(byteCount);
        string? text = Utf8Text.Read(ref bytes, byteCount, null);
        if (text is null)
            ThrowHelper.ThrowBadText(offset + Utf8Text.IndexOfInvalid(ref bytes, byteCount));
        return text!;
    }

    /// <summary>Reads all bytes or throws; the base class would return fewer, from an array of the length that the body claims.</summary>
    public override byte[] ReadBytes(int count)
    {
        if (count < 0)
            throw new ArgumentOutOfRangeException(nameof(count));
        RequireBytes(count);
        return base.ReadBytes(count);
    }

    /// <summary>Reads all characters or throws; a character takes at least a byte.</summary>
    public override char[] ReadChars(int count)
    {
        if (count < 0)
            throw new ArgumentOutOfRangeException(nameof(count));
        RequireBytes(count);
        char[] value = base.ReadChars(count);
        if (value.Length < count)
            ThrowHelper.ThrowTruncated(Stream.Length, count - value.Length);
        return value;
    }

    private void RequireBytes(int byteCount)
    {
        long remaining = Stream.Length - Stream.Position;
        if (byteCount > remaining)
            ThrowHelper.ThrowTruncated(Stream.Length, byteCount - remaining);
    }
}
