// The values of System.IO.BinaryReader (https://learn.microsoft.com/dotnet/api/system.io.binaryreader): docs/wire/binary.md, "Values".
using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Binary;

public ref partial struct BinaryBodyReader
{
    private const long DateTimeTicksMask = 0x3FFF_FFFF_FFFF_FFFF;
    private const long LocalKindBit = unchecked((long)0x8000_0000_0000_0000);

    /// <summary>Reads 1 byte: 0 or 1, nothing else.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">No byte remains, or it is above 1.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadBoolean()
    {
        ref byte p = ref _input.Require(1);
        byte value = p;
        if (value > 1)
            ThrowHelper.ThrowBadValue(ByteOffset, "Boolean");
        _input.Advance(ref p, 1);
        return value != 0;
    }

    /// <summary>Reads 1 byte.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The body ends too early.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte ReadByte()
    {
        ref byte p = ref _input.Require(1);
        _input.Advance(ref p, 1);
        return p;
    }

    /// <summary>Reads 1 byte, two's complement.</summary>
    /// <inheritdoc cref="ReadByte" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public sbyte ReadSByte() => (sbyte)ReadByte();

    /// <summary>Reads 2 bytes, little endian.</summary>
    /// <inheritdoc cref="ReadByte" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public short ReadInt16()
    {
        ref byte p = ref _input.Require(2);
        _input.Advance(ref p, 2);
        return LittleEndian.ReadInt16(ref p);
    }

    /// <inheritdoc cref="ReadInt16"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ushort ReadUInt16() => (ushort)ReadInt16();

    /// <summary>Reads 4 bytes, little endian.</summary>
    /// <inheritdoc cref="ReadByte" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadInt32()
    {
        ref byte p = ref _input.Require(4);
        _input.Advance(ref p, 4);
        return LittleEndian.ReadInt32(ref p);
    }

    /// <inheritdoc cref="ReadInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadUInt32() => (uint)ReadInt32();

    /// <summary>Reads 8 bytes, little endian.</summary>
    /// <inheritdoc cref="ReadByte" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadInt64()
    {
        ref byte p = ref _input.Require(8);
        _input.Advance(ref p, 8);
        return LittleEndian.ReadInt64(ref p);
    }

    /// <inheritdoc cref="ReadInt64"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadUInt64() => (ulong)ReadInt64();

    /// <summary>Reads 4 bytes: IEEE 754 binary32, little endian.</summary>
    /// <inheritdoc cref="ReadByte" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float ReadSingle()
    {
        ref byte p = ref _input.Require(4);
        _input.Advance(ref p, 4);
        return LittleEndian.ReadSingle(ref p);
    }

    /// <summary>Reads 8 bytes: IEEE 754 binary64, little endian.</summary>
    /// <inheritdoc cref="ReadByte" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble()
    {
        ref byte p = ref _input.Require(8);
        _input.Advance(ref p, 8);
        return LittleEndian.ReadDouble(ref p);
    }

#if NET
    /// <summary>Reads 2 bytes: IEEE 754 binary16, little endian. Not on netstandard2.0.</summary>
    /// <inheritdoc cref="ReadByte" path="/returns|/exception"/>
    public Half ReadHalf() => BitConverter.Int16BitsToHalf(ReadInt16());

    /// <summary>Reads 4 bytes: the day number (days since 0001-01-01). Not on netstandard2.0.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The body ends too early, or the number is not a day of the years 1 to 9999.</exception>
    public DateOnly ReadDateOnly()
    {
        int dayNumber = ReadInt32();
        if ((uint)dayNumber > (uint)DateOnly.MaxValue.DayNumber)
            ThrowHelper.ThrowBadValue(ByteOffset - 4, nameof(DateOnly));
        return DateOnly.FromDayNumber(dayNumber);
    }

    /// <summary>Reads 8 bytes: the ticks (100 ns) since midnight. Not on netstandard2.0.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The body ends too early, or the ticks are not a valid time of a day.</exception>
    public TimeOnly ReadTimeOnly()
    {
        long ticks = ReadInt64();
        if ((ulong)ticks > (ulong)TimeOnly.MaxValue.Ticks)
            ThrowHelper.ThrowBadValue(ByteOffset - 8, nameof(TimeOnly));
        return new TimeOnly(ticks);
    }

    /// <summary>Reads 16 bytes: the lower 64 bits, then the upper, both little endian. Not on netstandard2.0.</summary>
    /// <inheritdoc cref="ReadByte" path="/returns|/exception"/>
    public Int128 ReadInt128() => (Int128)ReadUInt128();

    /// <inheritdoc cref="ReadInt128"/>
    public UInt128 ReadUInt128()
    {
        _input.Require(16);
        ulong lower = ReadUInt64();
        return new UInt128(ReadUInt64(), lower);
    }
#endif

    /// <summary>Reads 16 bytes: low, middle and high 32 bits of the 96-bit integer, then the flags.</summary>
    /// <returns>The value, with its scale.</returns>
    /// <exception cref="MessageFormatException">The body ends too early, the scale is above 28, or unused bits of the flags are set.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public decimal ReadDecimal()
    {
        _input.Require(16);
        if (!Decimals.TryRead(ref _input.Position, out decimal value))
            ThrowHelper.ThrowBadValue(ByteOffset, nameof(Decimal));
        _input.Advance(16);
        return value;
    }

    /// <summary>Reads 8 bytes: the result of <see cref="DateTime.ToBinary"/>.</summary>
    /// <returns>The value with its kind; a local time as the local time of this machine's zone.</returns>
    /// <exception cref="MessageFormatException">The body ends too early, or the ticks are out of range.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DateTime ReadDateTime()
    {
        ref byte p = ref _input.Require(8);
        long data = LittleEndian.ReadInt64(ref p);
        if ((data & LocalKindBit) != 0 || (data & DateTimeTicksMask) > DateTime.MaxValue.Ticks)
            return ReadOtherDateTime(data);
        _input.Advance(ref p, 8);
        return new DateTime(data & DateTimeTicksMask, (DateTimeKind)(data >> 62));
    }

    /// <summary>Reads 10 bytes: the clock time's ticks as an Int64, then the offset in minutes as an Int16.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The body ends too early, the offset is beyond 14 hours, or the time is out of range in either
    /// form.</exception>
    public DateTimeOffset ReadDateTimeOffset()
    {
        _input.Require(10);
        ref byte p = ref _input.Position;
        long ticks = LittleEndian.ReadInt64(ref p);
        short minutes = LittleEndian.ReadInt16(ref Unsafe.Add(ref p, 8));
        long utcTicks = unchecked(ticks - (minutes * TimeSpan.TicksPerMinute));
        if ((ulong)ticks > (ulong)DateTime.MaxValue.Ticks || minutes is < -840 or > 840 || (ulong)utcTicks > (ulong)DateTime.MaxValue.Ticks)
            ThrowHelper.ThrowBadValue(ByteOffset, nameof(DateTimeOffset));
        _input.Advance(10);
        return new DateTimeOffset(ticks, TimeSpan.FromMinutes(minutes));
    }

    /// <summary>Reads 8 bytes: the ticks (100 ns).</summary>
    /// <inheritdoc cref="ReadByte" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TimeSpan ReadTimeSpan() => new(ReadInt64());

    /// <summary>Reads 16 bytes: those of <see cref="Guid.ToByteArray()"/>.</summary>
    /// <inheritdoc cref="ReadByte" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Guid ReadGuid()
    {
        _input.Require(16);
#if NET
        var value = new Guid(MemoryMarshal.CreateReadOnlySpan(ref _input.Position, 16));
#else
        ReadOnlySpan<byte> bytes = _input.Remaining.Slice(0, 16);
        var value = new Guid(
            BinaryPrimitives.ReadInt32LittleEndian(bytes),
            BinaryPrimitives.ReadInt16LittleEndian(bytes.Slice(4)),
            BinaryPrimitives.ReadInt16LittleEndian(bytes.Slice(6)),
            bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]);
#endif
        _input.Advance(16);
        return value;
    }

    /// <summary>Reads 1 to 3 bytes: one character of the basic plane in UTF-8.</summary>
    /// <returns>The character.</returns>
    /// <exception cref="MessageFormatException">The body ends too early, the bytes are not UTF-8, or they are a character beyond U+FFFF.</exception>
    public char ReadChar()
    {
        _input.Require(1);
        ref byte p = ref _input.Position;
        int b0 = p;
        if (b0 < 0x80)
        {
            _input.Advance(1);
            return (char)b0;
        }

        if (b0 is < 0xC2 or > 0xEF)
            ThrowHelper.ThrowBadText(ByteOffset);
        int byteCount = b0 < 0xE0 ? 2 : 3;
        _input.Require(byteCount);
        int b1 = Unsafe.Add(ref p, 1);
        int b2 = byteCount == 3 ? Unsafe.Add(ref p, 2) : 0x80;
        if ((b1 & 0xC0) != 0x80 || (b2 & 0xC0) != 0x80)
            ThrowHelper.ThrowBadText(ByteOffset);
        int c = byteCount == 2 ? ((b0 & 0x1F) << 6) | (b1 & 0x3F) : ((b0 & 0x0F) << 12) | ((b1 & 0x3F) << 6) | (b2 & 0x3F);
        if (byteCount == 3 && c < 0x800 || char.IsSurrogate((char)c))
            ThrowHelper.ThrowBadText(ByteOffset);
        _input.Advance(byteCount);
        return (char)c;
    }

    /// <summary>Reads a 7-bit encoded byte count and that much UTF-8, or UTF-16 if the count says so (docs/wire/binary.md).</summary>
    /// <returns>The string; never null. On net10.0 strings of one ASCII character are cached.</returns>
    /// <exception cref="MessageFormatException">The body ends too early, the count is padded or negative, or the bytes are not text.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public string ReadString() => ReadString(null);

    /// <summary>Reads a string as <see cref="ReadString()"/> does, but returns a given string if it is equal, so that nothing is allocated.</summary>
    /// <param name="existing">The current string of the member; null for none.</param>
    /// <returns><paramref name="existing"/> itself, or another string.</returns>
    /// <inheritdoc cref="ReadString()" path="/exception"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public string ReadString(string? existing) => ReadTextInline(0, 0, existing);

    /// <summary>Reads a presence byte, then, if it is 1, a string.</summary>
    /// <param name="existing">The current string of the member; returned if it is equal.</param>
    /// <returns>The string or null.</returns>
    /// <inheritdoc cref="ReadString()" path="/exception"/>
    public string? ReadNullableString(string? existing = null) => ReadBoolean() ? ReadString(existing) : null;

    /// <summary>Reads bytes without conversion.</summary>
    /// <param name="byteCount">How many.</param>
    /// <returns>A view of the body, not a copy.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="byteCount"/> is negative.</exception>
    /// <exception cref="MessageFormatException">Fewer bytes remain.</exception>
    public ReadOnlySpan<byte> ReadSpan(int byteCount)
    {
        if (byteCount < 0)
            throw new ArgumentOutOfRangeException(nameof(byteCount));
        return _input.Take(byteCount);
    }

    /// <summary>Reads an Int32 byte count and that many bytes, as written by <see cref="BinaryBodyWriter.WriteBytes"/>.</summary>
    /// <param name="existing">An array to fill if it has the right length; null means none.</param>
    /// <returns><paramref name="existing"/> or a new array.</returns>
    /// <exception cref="MessageFormatException">The body ends too early, or the count is negative.</exception>
    public byte[] ReadBytes(byte[]? existing = null)
    {
        int byteCount = ReadByteCount();
        ReadOnlySpan<byte> bytes = ReadSpan(byteCount);
        if (existing is null || existing.Length != byteCount)
            return bytes.ToArray();
        bytes.CopyTo(existing);
        return existing;
    }

    /// <summary>Reads the number of elements of a list, an Int32, and checks it against the bytes that remain.</summary>
    /// <param name="minElementByteCount">The minimum size of an element in bytes, possibly 0: <see cref="FormatterLimits.MaxElementCount"/> then
    /// applies to all such elements of the body together.</param>
    /// <returns>The number of elements; that many may be allocated.</returns>
    /// <exception cref="MessageFormatException">
    /// The number is negative (<see cref="MessageFormatErrorCode.BadLength"/>), needs more bytes than remain
    /// (<see cref="MessageFormatErrorCode.Truncated"/>), or is above the limit (<see cref="MessageFormatErrorCode.LimitExceeded"/>).
    /// </exception>
    public int ReadCount(int minElementByteCount)
    {
        if (minElementByteCount < 0)
            throw new ArgumentOutOfRangeException(nameof(minElementByteCount));
        int elementCount = ReadInt32();
        if (elementCount < 0)
            ThrowHelper.ThrowBadLength(ByteOffset - 4, "The number of elements is negative.");
        if ((long)elementCount * minElementByteCount > _input.BytesRemaining)
            _input.ThrowTruncated((long)elementCount * minElementByteCount);
        if (elementCount > _input.Limits.ElementCount)
            ThrowHelper.ThrowTooManyElements(ByteOffset - 4, elementCount, _input.Limits.MaxElementCount);
        if (minElementByteCount == 0)
            _input.ChargeEmptyElements(ByteOffset - 4, elementCount);
        return elementCount;
    }

    /// <summary>Reads the number of elements of a list, as <see cref="ReadCount(int)"/> does, and charges their memory.</summary>
    /// <param name="minElementByteCount">The fewest bytes that an element can take in the body.</param>
    /// <param name="elementAllocation">The approximate size of an element in memory.</param>
    /// <returns>The number of elements; that many may be allocated.</returns>
    /// <exception cref="MessageFormatException">
    /// As for <see cref="ReadCount(int)"/>; also <see cref="MessageFormatErrorCode.LimitExceeded"/> if the collections of the body together would
    /// take more than <see cref="FormatterLimits.MaxAllocationFactor"/> allows.
    /// </exception>
    public int ReadCount(int minElementByteCount, int elementAllocation)
    {
        int offset = _input.ByteOffset;
        int elementCount = ReadCount(minElementByteCount);
        ChargeAllocation(offset, elementCount, elementAllocation);
        return elementCount;
    }

    internal void ChargeAllocation(int byteOffset, int elementCount, int elementAllocation) =>
        _input.Charge(byteOffset, (long)elementCount * elementAllocation);

    /// <summary>Reads 1 to 5 bytes of 7 bits each, low group first.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The body ends too early, or the encoding is padded or longer than 32 bits.</exception>
    public int Read7BitEncodedInt() => (int)Read7BitEncoded(SevenBitInt.MaxByteCount32, lastGroupMax: 0x0F);

    /// <summary>Reads 1 to 10 bytes of 7 bits each, low group first.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The body ends too early, or the encoding is padded or longer than 64 bits.</exception>
    public long Read7BitEncodedInt64() => (long)Read7BitEncoded(SevenBitInt.MaxByteCount64, lastGroupMax: 0x01);

    private int ReadLongByteCount()
    {
        int offset = ByteOffset;
        int byteCount = Read7BitEncodedInt();
        if (byteCount < 0)
            ThrowHelper.ThrowBadLength(offset, "The number of bytes does not fit into 31 bits.");
        return byteCount;
    }

    /// <summary>Reads the byte count of a string: a last group of 0, after the groups that the count needs, announces UTF-16.</summary>
    private int ReadTextByteCount(out bool isUtf16)
    {
        int offset = ByteOffset;
        long byteCount = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte b = ReadByte();
            isUtf16 = b == 0 && shift > 0;
            if (isUtf16 && (RefusesUtf16 || byteCount >> (shift - 7) == 0))
                ThrowHelper.ThrowBadLength(offset, "The 7-bit encoded integer is longer than needed.");
            byteCount |= (long)(b & 0x7F) << shift;
            if (byteCount > int.MaxValue || (b >= 0x80 && shift == 7 * SevenBitInt.MaxByteCount32))
                ThrowHelper.ThrowBadLength(offset, "The number of bytes does not fit into 31 bits.");
            if (isUtf16 && byteCount % sizeof(char) != 0)
                ThrowHelper.ThrowBadLength(offset, "The number of bytes of UTF-16 is odd.");
            if (b < 0x80)
                return (int)byteCount;
        }
    }

    private ulong Read7BitEncoded(int maxByteCount, int lastGroupMax)
    {
        int offset = ByteOffset;
        ulong value = 0;
        for (int i = 0; ; i++)
        {
            byte b = ReadByte();
            if (i == maxByteCount - 1 && b > lastGroupMax)
                ThrowHelper.ThrowBadLength(offset, "The 7-bit encoded integer is too long.");
            value |= (ulong)(b & 0x7F) << (7 * i);
            if (b >= 0x80)
                continue;
            if (b == 0 && i > 0)
                ThrowHelper.ThrowBadLength(offset, "The 7-bit encoded integer is longer than needed.");
            return value;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private DateTime ReadOtherDateTime(long data)
    {
        // FromBinary throws for ticks out of range; a kind of 3 (both bits) is what ToBinary writes for a local time in the repeated hour.
        try
        {
            if ((data & LocalKindBit) != 0)
            {
                DateTime local = DateTime.FromBinary(data);
                _input.Advance(8);
                return local;
            }
        }
        catch (ArgumentException)
        {
        }

        ThrowHelper.ThrowBadValue(ByteOffset, nameof(DateTime));
        return default;
    }
}
