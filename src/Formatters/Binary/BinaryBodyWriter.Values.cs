// The values of System.IO.BinaryWriter (https://learn.microsoft.com/dotnet/api/system.io.binarywriter): docs/wire/binary.md, "Values".
using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
#if NET
using System.Numerics;
#endif

namespace Formatters.Binary;

public ref partial struct BinaryBodyWriter
{
    /// <summary>Writes 1 byte: 1 for true, 0 for false.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(bool value)
    {
        ref byte p = ref Output.Reserve(1);
        p = value ? (byte)1 : (byte)0;
        Output.Advance(ref p, 1);
    }

    /// <summary>Writes 1 byte.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(byte value)
    {
        ref byte p = ref Output.Reserve(1);
        p = value;
        Output.Advance(ref p, 1);
    }

    /// <summary>Writes 1 byte, two's complement.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(sbyte value) => Write((byte)value);

    /// <summary>Writes 2 bytes, little endian.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(short value)
    {
        ref byte p = ref Output.Reserve(2);
        LittleEndian.Write(ref p, value);
        Output.Advance(ref p, 2);
    }

    /// <inheritdoc cref="Write(short)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ushort value) => Write((short)value);

    /// <summary>Writes 4 bytes, little endian.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(int value)
    {
        ref byte p = ref Output.Reserve(4);
        LittleEndian.Write(ref p, value);
        Output.Advance(ref p, 4);
    }

    /// <inheritdoc cref="Write(int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(uint value) => Write((int)value);

    /// <summary>Writes 8 bytes, little endian.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(long value)
    {
        ref byte p = ref Output.Reserve(8);
        LittleEndian.Write(ref p, value);
        Output.Advance(ref p, 8);
    }

    /// <inheritdoc cref="Write(long)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ulong value) => Write((long)value);

    /// <summary>Writes 4 bytes: IEEE 754 binary32, little endian, bit for bit (also NaN payloads and -0).</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(float value)
    {
        ref byte p = ref Output.Reserve(4);
        LittleEndian.Write(ref p, value);
        Output.Advance(ref p, 4);
    }

    /// <summary>Writes 8 bytes: IEEE 754 binary64, little endian, bit for bit (also NaN payloads and -0).</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(double value)
    {
        ref byte p = ref Output.Reserve(8);
        LittleEndian.Write(ref p, value);
        Output.Advance(ref p, 8);
    }

#if NET
    /// <summary>Writes 2 bytes: IEEE 754 binary16, little endian. Not on netstandard2.0.</summary>
    /// <param name="value">The value.</param>
    public void Write(Half value) => Write(BitConverter.HalfToInt16Bits(value));

    /// <summary>Writes 4 bytes: the day number (days since 0001-01-01) as an Int32. Not on netstandard2.0.</summary>
    /// <param name="value">The value.</param>
    public void Write(DateOnly value) => Write(value.DayNumber);

    /// <summary>Writes 8 bytes: the ticks (100 ns) since midnight as an Int64. Not on netstandard2.0.</summary>
    /// <param name="value">The value.</param>
    public void Write(TimeOnly value) => Write(value.Ticks);

    /// <summary>Writes 16 bytes: the lower 64 bits, then the upper, both little endian. Not on netstandard2.0.</summary>
    /// <param name="value">The value.</param>
    public void Write(Int128 value) => Write((UInt128)value);

    /// <inheritdoc cref="Write(Int128)"/>
    public void Write(UInt128 value)
    {
        Write((ulong)value);
        Write((ulong)(value >> 64));
    }
#endif

    /// <summary>
    /// Writes 16 bytes: low, middle and high 32 bits of the 96-bit integer, then the flags (scale in bits 16 to 23, sign in bit 31).
    /// </summary>
    /// <param name="value">The value; its scale is kept (1.20 and 1.2 give different bytes).</param>
    public void Write(decimal value)
    {
        ref byte p = ref Output.Reserve(16);
        Decimals.Write(ref p, value);
        Output.Advance(ref p, 16);
    }

    /// <summary>Writes 8 bytes: <see cref="DateTime.ToBinary"/> as an Int64.</summary>
    /// <param name="value">The value; its kind is kept. A local time is stored as UTC and is read back as the local time of the reader's
    /// zone.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(DateTime value) => Write(value.ToBinary());

    /// <summary>Writes 10 bytes: the clock time's ticks (100 ns since 0001-01-01) as an Int64, then the offset in minutes as an Int16.</summary>
    /// <param name="value">The value. <c>BinaryWriter</c> has no such method: write <c>Ticks</c> and <c>(short)Offset.TotalMinutes</c> with
    /// it.</param>
    public void Write(DateTimeOffset value)
    {
        ref byte p = ref Output.Reserve(10);
        LittleEndian.Write(ref p, value.Ticks);
        LittleEndian.Write(ref Unsafe.Add(ref p, 8), (short)(value.Offset.Ticks / TimeSpan.TicksPerMinute));
        Output.Advance(ref p, 10);
    }

    /// <summary>Writes 8 bytes: the ticks (100 ns) as an Int64.</summary>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(TimeSpan value) => Write(value.Ticks);

    /// <summary>Writes 16 bytes: those of <see cref="Guid.ToByteArray()"/> (the first three groups little endian).</summary>
    /// <param name="value">The value.</param>
    public void Write(Guid value)
    {
        ref byte p = ref Output.Reserve(16);
#if NET
        value.TryWriteBytes(MemoryMarshal.CreateSpan(ref p, 16));
#else
        Unsafe.CopyBlockUnaligned(ref p, ref value.ToByteArray()[0], 16);
#endif
        Output.Advance(ref p, 16);
    }

    /// <summary>Writes 1 to 3 bytes: the character in UTF-8.</summary>
    /// <param name="value">The character.</param>
    /// <exception cref="ArgumentException"><paramref name="value"/> is a surrogate: half a character cannot be written.</exception>
    public void Write(char value)
    {
        if (value < 0x80)
        {
            Write((byte)value);
            return;
        }

        if (char.IsSurrogate(value))
            ThrowHelper.ThrowSurrogate();
        if (value < 0x800)
        {
            ref byte p = ref Output.Reserve(2);
            p = (byte)(0xC0 | (value >> 6));
            Unsafe.Add(ref p, 1) = (byte)(0x80 | (value & 0x3F));
            Output.Advance(ref p, 2);
        }
        else
        {
            ref byte p = ref Output.Reserve(3);
            p = (byte)(0xE0 | (value >> 12));
            Unsafe.Add(ref p, 1) = (byte)(0x80 | ((value >> 6) & 0x3F));
            Unsafe.Add(ref p, 2) = (byte)(0x80 | (value & 0x3F));
            Output.Advance(ref p, 3);
        }
    }

    /// <summary>Writes the byte count as a 7-bit encoded integer (1 to 5 bytes), then the text in UTF-8.</summary>
    /// <param name="value">The string. A surrogate without its partner is written as U+FFFD, as <c>BinaryWriter</c> does, unless
    /// <see cref="FormatterLimits.RefuseInvalidText"/> is on.</param>
    /// <exception cref="MessageFormatException">The string is null (<see cref="MessageFormatErrorCode.UnexpectedNull"/>; use <see
    /// cref="WriteNullable"/> for a string that may be null), or it is invalid UTF-16 and that is rejected.</exception>
    /// <remarks>Not inlined: measured (row "hand-coded", write), eight copies of it in a row cost a quarter more than eight calls.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Write(string value)
    {
        if (value is null)
            ThrowHelper.ThrowUnexpectedNull();
#if NET
        ref byte p = ref Output.Position;
        if (Output.Room > value.Length && Utf8Text.TryWriteShortAscii(ref p, value))
            Output.Advance(ref p, 1 + value.Length);
        else
#endif
            WriteText(value);
    }

    /// <summary>Writes a presence byte (1 or 0), then, if it is 1, the string as <see cref="Write(string)"/> does.</summary>
    /// <param name="value">The string or null.</param>
    public void WriteNullable(string? value)
    {
        Write(value is not null);
        if (value is not null)
            Write(value);
    }

    /// <summary>Writes bytes without conversion, and without their length.</summary>
    /// <param name="value">The bytes.</param>
    public void Write(ReadOnlySpan<byte> value)
    {
        if (value.IsEmpty)
            return;
        ref byte p = ref Output.Reserve(value.Length);
        Unsafe.CopyBlockUnaligned(ref p, ref MemoryMarshal.GetReference(value), (uint)value.Length);
        Output.Advance(ref p, value.Length);
    }

    /// <inheritdoc cref="Write(ReadOnlySpan{byte})"/>
    /// <exception cref="MessageFormatException"><paramref name="value"/> is null (<see cref="MessageFormatErrorCode.UnexpectedNull"/>).</exception>
    public void Write(byte[] value)
    {
        if (value is null)
            ThrowHelper.ThrowUnexpectedNull();
        Write(new ReadOnlySpan<byte>(value));
    }

    /// <summary>Writes the byte count as an Int32, then the bytes: the form that contracts give to a <c>byte[]</c>.</summary>
    /// <param name="value">The bytes.</param>
    public void WriteBytes(ReadOnlySpan<byte> value)
    {
        Write(value.Length);
        Write(value);
    }

    /// <summary>Writes the number of elements of a list as an Int32; the elements follow.</summary>
    /// <param name="elementCount">The number.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="elementCount"/> is negative.</exception>
    /// <exception cref="MessageFormatException"><paramref name="elementCount"/> is above <see cref="FormatterLimits.MaxElementCount"/>.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteCount(int elementCount)
    {
        if ((uint)elementCount > (uint)Output.Limits.MaxElementCount)
            ThrowHelper.ThrowBadElementCount(elementCount, Output.Limits.MaxElementCount);
        Write(elementCount);
    }

    /// <summary>Writes 1 to 5 bytes of 7 bits each, low group first, the top bit set in all but the last. Negative values take 5.</summary>
    /// <param name="value">The value.</param>
    public void Write7BitEncodedInt(int value)
    {
        ref byte p = ref Output.Reserve(SevenBitInt.GetByteCount((uint)value));
        Output.Advance(ref p, SevenBitInt.Write(ref p, (uint)value));
    }

    /// <summary>Writes 1 to 10 bytes of 7 bits each, low group first, the top bit set in all but the last. Negative values take 10.</summary>
    /// <param name="value">The value.</param>
    public void Write7BitEncodedInt64(long value)
    {
        int byteCount = 1;
        for (ulong rest = (ulong)value >> 7; rest != 0; rest >>= 7)
            byteCount++;
        ref byte p = ref Output.Reserve(byteCount);
        Output.Advance(ref p, SevenBitInt.Write(ref p, (ulong)value));
    }

    /// <summary>Writes any string: in one pass if the span has enough space, otherwise after counting its bytes.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteText(string value)
    {
        if (Output.Limits.RefuseInvalidText && !Utf8Text.IsValid(value))
            ThrowHelper.ThrowInvalidText();
        if (UseUtf16 && Utf16Text.Applies(value))
        {
            long utf16ByteCount = SevenBitInt.MaxByteCount32 + 1 + (sizeof(char) * (long)value.Length);
            if (utf16ByteCount > int.MaxValue)
                ThrowHelper.ThrowBodyTooLarge(utf16ByteCount, Output.Limits.MaxBodyByteCount);
            ref byte first = ref Output.Reserve((int)utf16ByteCount);
            Output.Advance(ref first, WriteUtf16(ref first, value));
            return;
        }

        if (Output.Room - 5L >= 3L * value.Length)
        {
            ref byte start = ref Output.Position;
            Output.Advance(ref start, Utf8Text.WritePrefixed(ref start, value));
            return;
        }

        int byteCount = Utf8Text.GetByteCount(value);
        int prefix = SevenBitInt.GetByteCount((uint)byteCount);
        if (byteCount > int.MaxValue - prefix)
            ThrowHelper.ThrowBodyTooLarge(byteCount, Output.Limits.MaxBodyByteCount);
        ref byte p = ref Output.Reserve(prefix + byteCount);
        SevenBitInt.Write(ref p, (uint)byteCount);
        Utf8Text.WriteExact(ref Unsafe.Add(ref p, prefix), value, byteCount);
        Output.Advance(ref p, prefix + byteCount);
    }

    /// <summary>Writes a string in UTF-16, which an additional last group of its length, 0, announces.</summary>
    /// <returns>The number of bytes written: not more than <c>5 + 3 * value.Length</c>, which are reserved for UTF-8.</returns>
    private static int WriteUtf16(ref byte destination, string value)
    {
        int byteCount = sizeof(char) * value.Length;
        int prefix = SevenBitInt.Write(ref destination, (uint)byteCount);
        Unsafe.Add(ref destination, prefix - 1) |= 0x80;
        Unsafe.Add(ref destination, prefix++) = 0;
        Utf16Text.Write(ref Unsafe.Add(ref destination, prefix), value);
        return prefix + byteCount;
    }
}
