// https://github.com/msgpack/msgpack/blob/master/spec.md; for the values of .NET: docs/wire/messagepack.md, "Values".
using System;
using System.Buffers.Text;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters;

public ref partial struct MessagePackBodyReader
{
    private const long MaxOffsetMinutes = 14 * 60;

    /// <summary>Reads a truth value.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The next value is no truth value, or the body ends before.</exception>
    public bool ReadBoolean()
    {
        ref byte p = ref _input.Require(1);
        if ((p | 1) != MessagePackCode.True)
            ThrowMismatch("Boolean");
        _input.Advance(ref p, 1);
        return p == MessagePackCode.True;
    }

    /// <summary>Reads an integer in any form, or a float that is a whole number.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The next value is no integer or out of range, or the body ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadInt32()
    {
        ref byte p = ref _input.Require(1);
        int value = (sbyte)p;
        if (value < MessagePackCode.MinFixInt)
            return (int)ReadInteger(int.MinValue, int.MaxValue, nameof(Int32));
        _input.Advance(ref p, 1);
        return value;
    }

    /// <inheritdoc cref="ReadInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadInt64()
    {
        ref byte p = ref _input.Require(1);
        int value = (sbyte)p;
        if (value < MessagePackCode.MinFixInt)
            return ReadInteger(long.MinValue, long.MaxValue, nameof(Int64));
        _input.Advance(ref p, 1);
        return value;
    }

    /// <inheritdoc cref="ReadInt32"/>
    public byte ReadByte() => (byte)ReadInteger(byte.MinValue, byte.MaxValue, nameof(Byte));

    /// <inheritdoc cref="ReadInt32"/>
    public sbyte ReadSByte() => (sbyte)ReadInteger(sbyte.MinValue, sbyte.MaxValue, nameof(SByte));

    /// <inheritdoc cref="ReadInt32"/>
    public short ReadInt16() => (short)ReadInteger(short.MinValue, short.MaxValue, nameof(Int16));

    /// <inheritdoc cref="ReadInt32"/>
    public ushort ReadUInt16() => (ushort)ReadInteger(ushort.MinValue, ushort.MaxValue, nameof(UInt16));

    /// <inheritdoc cref="ReadInt32"/>
    public uint ReadUInt32() => (uint)ReadInteger(uint.MinValue, uint.MaxValue, nameof(UInt32));

    /// <inheritdoc cref="ReadInt32"/>
    public ulong ReadUInt64()
    {
        if (!MessagePackEncoding.TryReadUInt64(_input.Remaining, out ulong value, out int bytesRead))
            ThrowUnread(bytesRead, nameof(UInt64));
        _input.Advance(bytesRead);
        return value;
    }

    /// <summary>Reads an integer as a UTF-16 code unit.</summary>
    /// <inheritdoc cref="ReadInt32" path="/returns|/exception"/>
    public char ReadChar() => (char)ReadInteger(char.MinValue, char.MaxValue, nameof(Char));

    /// <summary>Reads a number as <see cref="MessagePackEncoding.TryReadSingle"/> does.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The next value is no such number, or the body ends before.</exception>
    public float ReadSingle()
    {
        if (!MessagePackEncoding.TryReadSingle(_input.Remaining, out float value, out int bytesRead))
            ThrowUnread(bytesRead, nameof(Single));
        _input.Advance(bytesRead);
        return value;
    }

    /// <summary>Reads a number as <see cref="MessagePackEncoding.TryReadDouble"/> does.</summary>
    /// <inheritdoc cref="ReadSingle" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble()
    {
        ref byte p = ref _input.Require(1);
        if (p != MessagePackCode.Float64 || _input.BytesRemaining < 9)
            return ReadOtherDouble();
        _input.Advance(ref p, 9);
        return BitConverter.Int64BitsToDouble((long)BigEndian.ReadUInt64(ref Unsafe.Add(ref p, 1)));
    }

    /// <summary>Reads a text.</summary>
    /// <param name="existing">The string that the member holds now, which is returned if it is equal, so that nothing is allocated; null means none.</param>
    /// <returns><paramref name="existing"/> itself, or another string.</returns>
    /// <exception cref="MessageFormatException">The next value is no text, or not UTF-8, or the body ends before.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public string ReadString(string? existing = null)
    {
        // Most texts are short: for them one check of the room and one move of the position do.
        ref byte p = ref _input.Require(1);
        int byteCount = p - MessagePackCode.FixStr;
        if ((uint)byteCount > MessagePackCode.MaxFixStr || byteCount >= _input.BytesRemaining)
            return ReadText(existing);
        string? text = Utf8Text.Read(ref Unsafe.Add(ref p, 1), byteCount, existing);
        if (text is null)
            ThrowHelper.ThrowBadText(ByteOffset + 1 + Utf8Text.IndexOfInvalid(ref Unsafe.Add(ref p, 1), byteCount));
        _input.Advance(ref p, 1 + byteCount);
        return text;
    }

    /// <summary>Reads a text, or a nil as null.</summary>
    /// <param name="existing">The string that the member holds now; returned where it is equal.</param>
    /// <returns>The text or null.</returns>
    /// <inheritdoc cref="ReadString" path="/exception"/>
    public string? ReadNullableString(string? existing = null) => TryReadNil() ? null : ReadString(existing);

    /// <summary>Reads the UTF-8 of a text, unchecked.</summary>
    /// <returns>A view of the body, not a copy.</returns>
    /// <exception cref="MessageFormatException">The next value is no text, or the body ends before.</exception>
    public ReadOnlySpan<byte> ReadUtf8()
    {
        MessagePackHeader header = PeekHeader();
        if (header.Type != MessagePackType.String)
            ThrowMismatch(nameof(String));
        return TakeContent(header);
    }

    /// <summary>Reads a binary value; also a text, as writers from before the specification had binary values wrote bytes.</summary>
    /// <returns>A view of the body, not a copy.</returns>
    /// <exception cref="MessageFormatException">The next value is neither, or the body ends before.</exception>
    public ReadOnlySpan<byte> ReadSpan()
    {
        MessagePackHeader header = PeekHeader();
        if (header.Type is not (MessagePackType.Binary or MessagePackType.String))
            ThrowMismatch("binary value");
        return TakeContent(header);
    }

    /// <summary>Reads a binary value into an array.</summary>
    /// <param name="existing">An array to fill if it has the right length; null means none.</param>
    /// <returns><paramref name="existing"/> or a new array.</returns>
    /// <inheritdoc cref="ReadSpan" path="/exception"/>
    public byte[] ReadBytes(byte[]? existing = null)
    {
        ReadOnlySpan<byte> bytes = ReadSpan();
        if (existing is null || existing.Length != bytes.Length)
            return bytes.ToArray();
        bytes.CopyTo(existing);
        return existing;
    }

    /// <summary>Reads a timestamp (extension -1) in any form.</summary>
    /// <returns>The time, UTC. Less than 100 ns are cut off.</returns>
    /// <exception cref="MessageFormatException">The next value is no timestamp of the years 1 to 9999, or the body ends before.</exception>
    public DateTime ReadDateTime()
    {
        if (!MessagePackEncoding.TryReadDateTime(_input.Remaining, out DateTime value, out int bytesRead))
            ThrowUnread(bytesRead, nameof(DateTime));
        _input.Advance(bytesRead);
        return value;
    }

    /// <summary>Reads an array of the clock time as a timestamp and the offset in minutes.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Another value, an offset beyond 14 hours, a time out of range in either form, or the body ends before.</exception>
    public DateTimeOffset ReadDateTimeOffset()
    {
        int byteOffset = ByteOffset;
        if (ReadArrayHeader() != 2)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTimeOffset));
        Enter();
        long ticks = ReadDateTime().Ticks;
        long minutes = ReadInteger(short.MinValue, short.MaxValue, nameof(Int16));
        Leave();
        if (Math.Abs(minutes) > MaxOffsetMinutes || (ulong)(ticks - (minutes * TimeSpan.TicksPerMinute)) > (ulong)DateTime.MaxValue.Ticks)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTimeOffset));
        return new DateTimeOffset(ticks, TimeSpan.FromMinutes(minutes));
    }

    /// <summary>Reads an integer as ticks (100 ns).</summary>
    /// <inheritdoc cref="ReadInt32" path="/returns|/exception"/>
    public TimeSpan ReadTimeSpan() => new(ReadInt64());

    /// <summary>Reads the text of a decimal number, invariant.</summary>
    /// <returns>The value, with its scale.</returns>
    /// <exception cref="MessageFormatException">The next value is no such text, or the body ends before.</exception>
    public decimal ReadDecimal()
    {
        int byteOffset = ByteOffset;
        ReadOnlySpan<byte> digits = ReadUtf8();
        if (!Utf8Parser.TryParse(digits, out decimal value, out int byteCount) || byteCount != digits.Length)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Decimal));
        return value;
    }

    /// <summary>Reads a text of 36 characters.</summary>
    /// <inheritdoc cref="ReadDecimal" path="/exception"/>
    /// <returns>The value.</returns>
    public Guid ReadGuid()
    {
        int byteOffset = ByteOffset;
        ReadOnlySpan<byte> digits = ReadUtf8();
        if (digits.Length != 36 || !Utf8Parser.TryParse(digits, out Guid value, out _))
        {
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Guid));
            return default;
        }

        return value;
    }

    /// <summary>Reads a binary value as two's complement, low byte first; none is 0.</summary>
    /// <inheritdoc cref="ReadSpan" path="/exception"/>
    /// <returns>The value.</returns>
    public BigInteger ReadBigInteger() =>
#if NET
        new(ReadSpan());
#else
        new(ReadBytes());
#endif

    /// <summary>Reads a text as an address, relative or absolute.</summary>
    /// <inheritdoc cref="ReadDecimal" path="/exception"/>
    /// <returns>The address.</returns>
    public Uri ReadUri()
    {
        int byteOffset = ByteOffset;
        if (!Uri.TryCreate(ReadString(), UriKind.RelativeOrAbsolute, out Uri? value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Uri));
        return value!;
    }

    /// <summary>Reads a text as a version, "1.2.3.4".</summary>
    /// <inheritdoc cref="ReadDecimal" path="/exception"/>
    /// <returns>The version.</returns>
    public Version ReadVersion()
    {
        int byteOffset = ByteOffset;
        if (!Version.TryParse(ReadString(), out Version? value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Version));
        return value!;
    }

#if NET
    /// <summary>Reads a number of 32 bits, rounded to 16, unless it is too large. Not on netstandard2.0.</summary>
    /// <inheritdoc cref="ReadSingle" path="/returns|/exception"/>
    public Half ReadHalf()
    {
        int byteOffset = ByteOffset;
        float wide = ReadSingle();
        var value = (Half)wide;
        if (Half.IsInfinity(value) && !float.IsInfinity(wide))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Half));
        return value;
    }

    /// <summary>Reads an integer as a day number (days since 0001-01-01). Not on netstandard2.0.</summary>
    /// <inheritdoc cref="ReadInt32" path="/returns|/exception"/>
    public DateOnly ReadDateOnly() => DateOnly.FromDayNumber((int)ReadInteger(0, DateOnly.MaxValue.DayNumber, nameof(DateOnly)));

    /// <summary>Reads an integer as ticks (100 ns) since midnight. Not on netstandard2.0.</summary>
    /// <inheritdoc cref="ReadInt32" path="/returns|/exception"/>
    public TimeOnly ReadTimeOnly() => new(ReadInteger(0, TimeOnly.MaxValue.Ticks, nameof(TimeOnly)));

    /// <summary>Reads a binary value of 16 bytes, low byte first. Not on netstandard2.0.</summary>
    /// <inheritdoc cref="ReadSpan" path="/exception"/>
    /// <returns>The value.</returns>
    public Int128 ReadInt128() => (Int128)ReadUInt128();

    /// <inheritdoc cref="ReadInt128"/>
    public UInt128 ReadUInt128()
    {
        int byteOffset = ByteOffset;
        ReadOnlySpan<byte> bytes = ReadSpan();
        if (bytes.Length != 16)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(UInt128));
        return System.Buffers.Binary.BinaryPrimitives.ReadUInt128LittleEndian(bytes);
    }
#endif

    [MethodImpl(MethodImplOptions.NoInlining)]
    private long ReadInteger(long min, long max, string what)
    {
        // The common forms without the detour over a span.
        ref byte p = ref _input.Require(1);
        if (_input.BytesRemaining > sizeof(uint))
        {
            long small = p switch
            {
                MessagePackCode.UInt8 => Unsafe.Add(ref p, 1),
                MessagePackCode.UInt16 => BigEndian.ReadUInt16(ref Unsafe.Add(ref p, 1)),
                MessagePackCode.UInt32 => BigEndian.ReadUInt32(ref Unsafe.Add(ref p, 1)),
                _ => -1,
            };
            if (small >= 0 && small <= max)
            {
                _input.Advance(ref p, 1 + (1 << (p & 3)));
                return small;
            }
        }

        if (!MessagePackEncoding.TryReadInt64(_input.Remaining, out long value, out int bytesRead))
            ThrowUnread(bytesRead, what);
        if (value < min || value > max)
            ThrowHelper.ThrowBadValue(ByteOffset, what);
        _input.Advance(bytesRead);
        return value;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private double ReadOtherDouble()
    {
        if (!MessagePackEncoding.TryReadDouble(_input.Remaining, out double value, out int bytesRead))
            ThrowUnread(bytesRead, nameof(Double));
        _input.Advance(bytesRead);
        return value;
    }

    /// <summary>A text of any length.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private string ReadText(string? existing)
    {
        ReadOnlySpan<byte> bytes = ReadUtf8();
        ref byte start = ref MemoryMarshal.GetReference(bytes);
        string? text = Utf8Text.Read(ref start, bytes.Length, existing);
        if (text is null)
            ThrowHelper.ThrowBadText(ByteOffset - bytes.Length + Utf8Text.IndexOfInvalid(ref start, bytes.Length));
        return text;
    }
}
