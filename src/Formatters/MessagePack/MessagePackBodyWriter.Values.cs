// https://github.com/msgpack/msgpack/blob/master/spec.md; for the values of .NET: docs/wire/messagepack.md, "Values".
using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters.MessagePack;

public ref partial struct MessagePackBodyWriter
{
    /// <summary>Writes a nil, 1 byte.</summary>
    public void WriteNil() => WriteCode(MessagePackCode.Nil);

    /// <summary>Writes a Boolean value, 1 byte.</summary>
    /// <param name="value">The value.</param>
    public void Write(bool value) => WriteCode(value ? MessagePackCode.True : MessagePackCode.False);

    /// <summary>Writes an integer in the fewest bytes: 1, 2, 3, 5 or 9.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(long value)
    {
        if (!MessagePackBytes.IsFixInt(value))
        {
            WriteLarge(value);
            return;
        }

        ref byte p = ref _output.Reserve(1);
        p = (byte)value;
        _output.Advance(ref p, 1);
    }

    /// <inheritdoc cref="Write(long)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ulong value)
    {
        if (!MessagePackBytes.IsFixInt(value))
        {
            WriteLarge(value);
            return;
        }

        ref byte p = ref _output.Reserve(1);
        p = (byte)value;
        _output.Advance(ref p, 1);
    }

    /// <inheritdoc cref="Write(long)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(int value) => Write((long)value);

    /// <inheritdoc cref="Write(long)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(uint value) => Write((ulong)value);

    /// <inheritdoc cref="Write(long)"/>
    public void Write(short value) => Write((long)value);

    /// <inheritdoc cref="Write(long)"/>
    public void Write(ushort value) => Write((ulong)value);

    /// <inheritdoc cref="Write(long)"/>
    public void Write(sbyte value) => Write((long)value);

    /// <inheritdoc cref="Write(long)"/>
    public void Write(byte value) => Write((ulong)value);

    /// <summary>Writes the number of a UTF-16 code unit as an integer, 1 to 3 bytes. Unlike a string it may be an unpaired surrogate.</summary>
    /// <param name="value">The code unit.</param>
    public void Write(char value) => Write((ulong)value);

    /// <summary>Writes 5 bytes: an IEEE 754 number of 32 bits, bit for bit; a NaN as 7FC00000 if <see cref="IsCanonical"/>.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(float value)
    {
        if (float.IsNaN(value))
            value = Normalize(value);
        ref byte p = ref _output.Reserve(5);
        _output.Advance(ref p, MessagePackBytes.Write(ref p, value));
    }

    /// <summary>Writes 9 bytes: an IEEE 754 number of 64 bits, bit for bit; a NaN as 7FF8000000000000 if <see cref="IsCanonical"/>.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(double value)
    {
        if (double.IsNaN(value))
            value = Normalize(value);
        ref byte p = ref _output.Reserve(9);
        _output.Advance(ref p, MessagePackBytes.Write(ref p, value));
    }

    /// <summary>Writes a string.</summary>
    /// <param name="value">The string. A surrogate without its partner is written as U+FFFD, unless <see cref="FormatterLimits.RefuseInvalidText"/>
    /// is on.</param>
    /// <exception cref="MessageFormatException">Null (see <see cref="WriteNullable(string?)"/>), or invalid text that is rejected.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Write(string value)
    {
        if (value is null)
            ThrowHelper.ThrowUnexpectedNull();
#if NET
        if (value.Length <= MessagePackCode.MaxFixStr && _output.Room - 1 > value.Length)
        {
            ref byte p = ref _output.Position;
            if (value.Length >= 8
                ? Utf8Text.TryWriteShortAscii(ref p, value, MessagePackCode.FixStr)
                : Utf8Text.TryWriteTinyAscii(ref p, value, MessagePackCode.FixStr))
            {
                _output.Advance(ref p, 1 + value.Length);
                return;
            }
        }
#endif
        WireCode.WriteAnyText<MessagePackFormat<AnyOrder>>(ref _output, value);
    }

    /// <summary>Writes a string, or a nil.</summary>
    /// <param name="value">The string or null.</param>
    public void WriteNullable(string? value)
    {
        if (value is null)
            WriteNil();
        else
            Write(value);
    }

    /// <summary>Writes a timestamp (extension -1), 6, 10 or 15 bytes.</summary>
    /// <param name="value">The time; a local one is converted to UTC, one of unspecified kind is interpreted as UTC. The kind is not kept.</param>
    public void Write(DateTime value)
    {
        ref byte p = ref _output.Reserve(
            _output.Room >= MessagePackBytes.MaxTimestampByteCount ? 0 : MessagePackBytes.GetTimestampByteCount(value));
        _output.Advance(ref p, MessagePackBytes.WriteTimestamp(ref p, value));
    }

    /// <summary>Writes an array of the clock time as a timestamp and the offset in minutes.</summary>
    /// <param name="value">The value; seconds of an offset are cut off.</param>
    public void Write(DateTimeOffset value)
    {
        Enter();
        WriteArrayHeader(2);
        Write(new DateTime(value.Ticks, DateTimeKind.Utc));
        Write((int)(value.Offset.Ticks / TimeSpan.TicksPerMinute));
        Leave();
    }

    /// <summary>Writes the ticks (100 ns) as an integer.</summary>
    /// <param name="value">The value.</param>
    public void Write(TimeSpan value) => Write(value.Ticks);

    /// <summary>Writes the digits as a string, invariant; the scale is kept ("1.20").</summary>
    /// <param name="value">The value.</param>
    public void Write(decimal value)
    {
        if (_output.Room >= MessagePackBytes.MaxDecimalValueByteCount)
        {
            _output.Advance(ref _output.Position, MessagePackBytes.Write(ref _output.Position, value));
            return;
        }

        Span<byte> bytes = stackalloc byte[MessagePackBytes.MaxDecimalValueByteCount];
        int byteCount = MessagePackBytes.Write(ref bytes[0], value);
        ref byte p = ref _output.Reserve(byteCount);
        Unsafe.CopyBlockUnaligned(ref p, ref bytes[0], (uint)byteCount);
        _output.Advance(ref p, byteCount);
    }

    /// <summary>Writes a string of 36 characters, lower case, with hyphens: 38 bytes.</summary>
    /// <param name="value">The value.</param>
    public void Write(Guid value)
    {
        ref byte p = ref _output.Reserve(MessagePackBytes.GuidValueByteCount);
        _output.Advance(ref p, MessagePackBytes.Write(ref p, value));
    }

    /// <summary>Writes a binary value: the fewest bytes of two's complement, low byte first.</summary>
    /// <param name="value">The value.</param>
    public void Write(BigInteger value)
    {
#if NET
        int byteCount = value.GetByteCount();
        int header = MessagePackBytes.GetBinaryHeaderByteCount(byteCount);
        ref byte p = ref _output.Reserve(header + byteCount);
        MessagePackBytes.WriteBinaryHeader(ref p, byteCount);
        value.TryWriteBytes(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref p, header), byteCount), out _);
        _output.Advance(ref p, header + byteCount);
#else
        WriteBytes(value.ToByteArray());
#endif
    }

    /// <summary>Writes <see cref="Uri.OriginalString"/> as a string.</summary>
    /// <param name="value">The address.</param>
    public void Write(Uri value) => Write((value ?? throw new ArgumentNullException(nameof(value))).OriginalString);

    /// <summary>Writes the version as a string, "1.2.3.4".</summary>
    /// <param name="value">The version.</param>
    public void Write(Version value) => Write((value ?? throw new ArgumentNullException(nameof(value))).ToString());

#if NET
    /// <summary>Writes 5 bytes: the number as one of 32 bits. Not on netstandard2.0.</summary>
    /// <param name="value">The value.</param>
    public void Write(Half value) => Write((float)value);

    /// <summary>Writes the day number (days since 0001-01-01) as an integer. Not on netstandard2.0.</summary>
    /// <param name="value">The value.</param>
    public void Write(DateOnly value) => Write(value.DayNumber);

    /// <summary>Writes the ticks (100 ns) since midnight as an integer. Not on netstandard2.0.</summary>
    /// <param name="value">The value.</param>
    public void Write(TimeOnly value) => Write(value.Ticks);

    /// <summary>Writes a binary value of 16 bytes, low byte first. Not on netstandard2.0.</summary>
    /// <param name="value">The value.</param>
    public void Write(Int128 value) => Write((UInt128)value);

    /// <inheritdoc cref="Write(Int128)"/>
    public void Write(UInt128 value)
    {
        ref byte p = ref _output.Reserve(18);
        _output.Advance(ref p, MessagePackBytes.Write(ref p, value));
    }
#endif

    /// <summary>Returns the NaN to write.</summary>
    internal readonly float Normalize(float nan)
    {
        uint bits = 0x7FC0_0000;
        return IsCanonical ? Unsafe.As<uint, float>(ref bits) : nan;
    }

    /// <inheritdoc cref="Normalize(float)"/>
    internal readonly double Normalize(double nan) => BitConverter.Int64BitsToDouble((long)NormalizeNaN((ulong)BitConverter.DoubleToInt64Bits(nan)));

    /// <inheritdoc cref="Normalize(float)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal readonly ulong NormalizeNaN(ulong bits) => IsCanonical ? 0x7FF8_0000_0000_0000 : bits;

    private void WriteCode(byte code)
    {
        ref byte p = ref _output.Reserve(1);
        p = code;
        _output.Advance(ref p, 1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteLarge(long value)
    {
        ref byte p = ref _output.Reserve(_output.Room >= MessagePackBytes.MaxIntegerByteCount ? 0 : MessagePackBytes.GetByteCount(value));
        _output.Advance(ref p, MessagePackBytes.Write(ref p, value));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteLarge(ulong value)
    {
        ref byte p = ref _output.Reserve(_output.Room >= MessagePackBytes.MaxIntegerByteCount ? 0 : MessagePackBytes.GetByteCount(value));
        _output.Advance(ref p, MessagePackBytes.Write(ref p, value));
    }
}
