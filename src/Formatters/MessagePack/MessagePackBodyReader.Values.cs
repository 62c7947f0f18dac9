// https://github.com/msgpack/msgpack/blob/master/spec.md; for the values of .NET: docs/wire/messagepack.md, "Values".
using System;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Formatters.MessagePack;

public ref partial struct MessagePackBodyReader
{
    /// <summary>Reads a Boolean value.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The next value is not a Boolean value, or the body ends too early.</exception>
    public bool ReadBoolean() => MessagePackInput.ReadBoolean(ref _input);

    /// <summary>Reads an integer in any form, or a float that is a whole number.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The next value is not an integer or out of range, or the body ends too early.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadInt32()
    {
        ref byte p = ref _input.Require(1);
        int value = (sbyte)p;
        if (value < MessagePackCode.MinFixInt)
            return (int)MessagePackInput.ReadInteger(ref _input, int.MinValue, int.MaxValue, nameof(Int32));
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
            return MessagePackInput.ReadInteger(ref _input, long.MinValue, long.MaxValue, nameof(Int64));
        _input.Advance(ref p, 1);
        return value;
    }

    /// <inheritdoc cref="ReadInt32"/>
    public byte ReadByte() => (byte)MessagePackInput.ReadInteger(ref _input, byte.MinValue, byte.MaxValue, nameof(Byte));

    /// <inheritdoc cref="ReadInt32"/>
    public sbyte ReadSByte() => (sbyte)MessagePackInput.ReadInteger(ref _input, sbyte.MinValue, sbyte.MaxValue, nameof(SByte));

    /// <inheritdoc cref="ReadInt32"/>
    public short ReadInt16() => (short)MessagePackInput.ReadInteger(ref _input, short.MinValue, short.MaxValue, nameof(Int16));

    /// <inheritdoc cref="ReadInt32"/>
    public ushort ReadUInt16() => (ushort)MessagePackInput.ReadInteger(ref _input, ushort.MinValue, ushort.MaxValue, nameof(UInt16));

    /// <inheritdoc cref="ReadInt32"/>
    public uint ReadUInt32() => (uint)MessagePackInput.ReadInteger(ref _input, uint.MinValue, uint.MaxValue, nameof(UInt32));

    /// <inheritdoc cref="ReadInt32"/>
    public ulong ReadUInt64() => MessagePackInput.ReadUInt64(ref _input);

    /// <summary>Reads an integer as a UTF-16 code unit.</summary>
    /// <inheritdoc cref="ReadInt32" path="/returns|/exception"/>
    public char ReadChar() => (char)MessagePackInput.ReadInteger(ref _input, char.MinValue, char.MaxValue, nameof(Char));

    /// <summary>Reads a number as <see cref="MessagePackEncoding.TryReadSingle"/> does.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The next value is not such a number, or the body ends too early.</exception>
    public float ReadSingle() => MessagePackInput.ReadSingle(ref _input);

    /// <summary>Reads a number as <see cref="MessagePackEncoding.TryReadDouble"/> does.</summary>
    /// <inheritdoc cref="ReadSingle" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble() => MessagePackInput.ReadDouble(ref _input);

    /// <summary>Reads a string.</summary>
    /// <param name="existing">The current string of the member, which is returned if it is equal, so that nothing is allocated; null for
    /// none.</param>
    /// <returns><paramref name="existing"/> itself, or another string.</returns>
    /// <exception cref="MessageFormatException">The next value is not text, or not UTF-8, or the body ends too early.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public string ReadString(string? existing = null) => MessagePackInput.ReadString(ref _input, existing);

    /// <summary>Reads a string, or a nil as null.</summary>
    /// <param name="existing">The current string of the member; returned if it is equal.</param>
    /// <returns>The string or null.</returns>
    /// <inheritdoc cref="ReadString" path="/exception"/>
    public string? ReadNullableString(string? existing = null) => TryReadNil() ? null : ReadString(existing);

    /// <summary>Reads the UTF-8 of a string, unchecked.</summary>
    /// <returns>A view of the body, not a copy.</returns>
    /// <exception cref="MessageFormatException">The next value is not text, or the body ends too early.</exception>
    public ReadOnlySpan<byte> ReadUtf8() => MessagePackInput.ReadUtf8(ref _input);

    /// <summary>
    /// Reads a binary value; also a string, because writers from before the specification had binary values wrote bytes as strings.
    /// </summary>
    /// <returns>A view of the body, not a copy.</returns>
    /// <exception cref="MessageFormatException">The next value is neither, or the body ends too early.</exception>
    public ReadOnlySpan<byte> ReadSpan() => MessagePackInput.ReadSpan(ref _input);

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
    /// <returns>The time, UTC. Anything below 100 ns is cut off.</returns>
    /// <exception cref="MessageFormatException">The next value is not a timestamp of the years 1 to 9999, or the body ends too early.</exception>
    public DateTime ReadDateTime() => MessagePackInput.ReadDateTime(ref _input);

    /// <summary>Reads an array of the clock time as a timestamp and the offset in minutes.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">Another value, an offset beyond 14 hours, a time out of range in either form, or the body ends
    /// before.</exception>
    public DateTimeOffset ReadDateTimeOffset() => MessagePackInput.ReadDateTimeOffset(ref _input);

    /// <summary>Reads an integer as ticks (100 ns).</summary>
    /// <inheritdoc cref="ReadInt32" path="/returns|/exception"/>
    public TimeSpan ReadTimeSpan() => new(ReadInt64());

    /// <summary>Reads a decimal number from an invariant string.</summary>
    /// <returns>The value, with its scale.</returns>
    /// <exception cref="MessageFormatException">The next value is not such a string, or the body ends too early.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public decimal ReadDecimal()
    {
        MessagePackInput.ReadDecimal(ref _input, out decimal value);
        return value;
    }

    /// <summary>Reads a string of 36 characters.</summary>
    /// <inheritdoc cref="ReadDecimal" path="/exception"/>
    /// <returns>The value.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Guid ReadGuid()
    {
        MessagePackInput.ReadGuid(ref _input, out Guid value);
        return value;
    }

    /// <summary>Reads a binary value as two's complement, low byte first; an empty one is 0.</summary>
    /// <inheritdoc cref="ReadSpan" path="/exception"/>
    /// <returns>The value.</returns>
    public BigInteger ReadBigInteger() =>
#if NET
        new(ReadSpan());
#else
        new(ReadBytes());
#endif

    /// <summary>Reads a string as a URI, relative or absolute.</summary>
    /// <inheritdoc cref="ReadDecimal" path="/exception"/>
    /// <returns>The address.</returns>
    public Uri ReadUri()
    {
        int byteOffset = ByteOffset;
        if (!Uri.TryCreate(ReadString(), UriKind.RelativeOrAbsolute, out Uri? value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Uri));
        return value!;
    }

    /// <summary>Reads a string as a version, "1.2.3.4".</summary>
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
    /// <summary>Reads a float, rounded to 16 bits unless it is too large, or an integer that 16 bits hold exactly. Not on netstandard2.0.</summary>
    /// <inheritdoc cref="ReadSingle" path="/returns|/exception"/>
    public Half ReadHalf()
    {
        int byteOffset = ByteOffset;
        bool isInteger = NextType == MessagePackType.Integer;
        float wide = ReadSingle();
        var value = (Half)wide;
        if (isInteger ? (float)value != wide : Half.IsInfinity(value) && !float.IsInfinity(wide))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Half));
        return value;
    }

    /// <summary>Reads an integer as a day number (days since 0001-01-01). Not on netstandard2.0.</summary>
    /// <inheritdoc cref="ReadInt32" path="/returns|/exception"/>
    public DateOnly ReadDateOnly() => DateOnly.FromDayNumber(
        (int)MessagePackInput.ReadInteger(ref _input, 0, DateOnly.MaxValue.DayNumber, nameof(DateOnly)));

    /// <summary>Reads an integer as ticks (100 ns) since midnight. Not on netstandard2.0.</summary>
    /// <inheritdoc cref="ReadInt32" path="/returns|/exception"/>
    public TimeOnly ReadTimeOnly() => new(MessagePackInput.ReadInteger(ref _input, 0, TimeOnly.MaxValue.Ticks, nameof(TimeOnly)));

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
}
