// https://www.rfc-editor.org/rfc/rfc8949#section-4.2.1; for the values of .NET: docs/wire/cbor.md, "Values".
using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Custom;

namespace Formatters.Generated;

/// <summary>CBOR in its core deterministic encoding, as a traversal format.</summary>
internal readonly partial struct CborFormat : IWireFormat
{
    private const ushort HalfNaN = 0x7E00;

    /// <inheritdoc/>
    public int BodyType => BodyTypes.Cbor;

    /// <inheritdoc/>
    public int PublicBodyType => BodyType;

    /// <inheritdoc/>
    public ContractFormats ContractFormat => ContractFormats.Cbor;

    /// <inheritdoc/>
    public bool IsSorted => true;

    /// <inheritdoc/>
    public bool RoundsFloat(in WireReader reader) => false;

    /// <inheritdoc/>
    public bool SortsKeys => true;

    /// <inheritdoc/>
    public byte ShortTextCode => CborHead.Text;

    /// <inheritdoc/>
    public int MaxShortTextByteCount => CborHead.MaxShort;

    /// <inheritdoc/>
    public ref byte WriteNull(ref WireWriter writer, ref byte position) => ref WireCode.WriteByte(ref position, CborHead.Null);

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, bool value) =>
        ref WireCode.WriteByte(ref position, value ? CborHead.True : CborHead.False);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, int value)
    {
        uint major = (uint)(value >> 31) & CborHead.Negative;
        uint argument = (uint)(value ^ (value >> 31));
        if (argument <= CborHead.MaxShort)
        {
            position = (byte)(major | argument);
            return ref Unsafe.Add(ref position, 1);
        }

        if (argument - 256 >= 65536 - 256)
            return ref LongHead(ref position, (byte)major, argument);
        // One store, whose last byte is overwritten; 5 are reserved.
        BigEndian.Write(ref position, ((major | CborHead.UInt16) << 24) | (argument << 8));
        return ref Unsafe.Add(ref position, 3);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, long value) =>
        ref Head(ref position, (byte)((int)(value >> 63) & CborHead.Negative), (ulong)(value ^ (value >> 63)));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, ulong value) => ref Head(ref position, CborHead.Unsigned, value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, float value)
    {
        uint bits = Unsafe.As<float, uint>(ref value);
        // Most floats have more bits than a half.
        if (((bits & 0x1FFF) == 0 || float.IsNaN(value)) && TryNarrow(bits, out ushort half))
        {
            position = CborHead.Half;
            BigEndian.Write(ref Unsafe.Add(ref position, 1), half);
            return ref Unsafe.Add(ref position, 3);
        }

        position = CborHead.Single;
        BigEndian.Write(ref Unsafe.Add(ref position, 1), bits);
        return ref Unsafe.Add(ref position, 5);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, double value)
    {
        ulong bits = (ulong)BitConverter.DoubleToInt64Bits(value);
        // Most doubles of decimal fractions have more bits than a float.
        if ((bits & 0x1FFF_FFFF) == 0 || double.IsNaN(value))
            return ref WriteNarrow(ref writer, ref position, value);
        position = CborHead.Double;
        BigEndian.Write(ref Unsafe.Add(ref position, 1), bits);
        return ref Unsafe.Add(ref position, 9);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, decimal value)
    {
        Span<int> bits = stackalloc int[4];
        Decimals.GetBits(value, bits);
        bool isNegative = bits[3] < 0;
        ulong low = (uint)bits[0] | ((ulong)(uint)bits[1] << 32);
        uint high = (uint)bits[2];
        if (isNegative && low == 0 && high == 0)
        {
            // A negative zero is written as text, because an integer cannot represent it.
            Span<byte> text = stackalloc byte[Decimals.MaxTextByteCount];
            int byteCount = Decimals.Format(ref text[0], value);
            position = ref Head(ref position, CborHead.Text, (uint)byteCount);
            Unsafe.CopyBlockUnaligned(ref position, ref MemoryMarshal.GetReference(text), (uint)byteCount);
            return ref Unsafe.Add(ref position, byteCount);
        }

        position = ref WireCode.WriteByte(ref WireCode.WriteByte(ref position, CborHead.DecimalFraction), CborHead.Array | 2);
        position = ref Write(ref writer, ref position, -(long)((bits[3] >> 16) & 0xFF));
        if (isNegative && low-- == 0)
            high--;
        if (high == 0)
            return ref Head(ref position, isNegative ? CborHead.Negative : CborHead.Unsigned, low);
        int highByteCount = high > 0xFF_FFFF ? 4 : high > 0xFFFF ? 3 : high > 0xFF ? 2 : 1;
        position = ref WireCode.WriteByte(ref WireCode.WriteByte(ref position, isNegative ? CborHead.NegativeBignum : CborHead.Bignum),
            (byte)(CborHead.Bytes | (8 + highByteCount)));
        for (int i = highByteCount - 1; i >= 0; i--)
            position = ref WireCode.WriteByte(ref position, (byte)(high >> (8 * i)));
        BigEndian.Write(ref position, low);
        return ref Unsafe.Add(ref position, 8);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, DateTime value)
    {
        if (value.Kind != DateTimeKind.Unspecified)
            position = ref WireCode.WriteByte(ref position, CborHead.DateText);
        return ref WriteDateHead(ref position, DateText.Format(ref Unsafe.Add(ref position, 2), value));
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, DateTimeOffset value)
    {
        position = ref WireCode.WriteByte(ref position, CborHead.DateText);
        return ref WriteDateHead(ref position, DateText.Format(ref Unsafe.Add(ref position, 2), value));
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, Guid value) =>
        ref BigEndian.WriteGuid(ref WireCode.WriteByte(ref Head(ref position, CborHead.Tag, CborHead.GuidTag), CborHead.Bytes | 16), value);

    /// <inheritdoc/>
    public ref byte WriteDate(ref WireWriter writer, ref byte position, int dayNumber) =>
        ref Write(ref writer, ref Head(ref position, CborHead.Tag, CborHead.DateTag), (long)dayNumber - CborHead.UnixDayNumber);

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, BigInteger value)
    {
        position = ref writer.Reserve(ref position, WireCode.MaxValueByteCount);
        bool isNegative = value.Sign < 0;
        BigInteger argument = isNegative ? -1 - value : value;
        if (argument <= ulong.MaxValue)
            return ref Head(ref position, isNegative ? CborHead.Negative : CborHead.Unsigned, (ulong)argument);
        byte[] bytes = argument.ToByteArray();
        int byteCount = bytes.Length - (bytes[bytes.Length - 1] == 0 ? 1 : 0);
        Array.Reverse(bytes);
        position = ref WireCode.WriteByte(ref position, isNegative ? CborHead.NegativeBignum : CborHead.Bignum);
        return ref WriteBytes(ref writer, ref position, bytes.AsSpan(bytes.Length - byteCount));
    }

    /// <inheritdoc/>
    public ref byte WriteWide(ref WireWriter writer, ref byte position, ulong high, ulong low, bool isSigned) =>
        ref Write(ref writer, ref position, WireCode.Join(high, low, isSigned));

    /// <inheritdoc/>
    public ref byte WriteUri(ref WireWriter writer, ref byte position, string value)
    {
        position = ref Head(ref writer.Reserve(ref position, WireCode.MaxValueByteCount), CborHead.Tag, CborHead.UriTag);
        return ref WireCode.WriteText<CborFormat>(ref writer, ref position, value, 0);
    }

    /// <inheritdoc/>
    public ref byte WriteBytes(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value) =>
        ref writer.WriteRaw(ref Head(ref writer.Reserve(ref position, WireCode.MaxValueByteCount), CborHead.Bytes, (uint)value.Length), value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteUtf8(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value) =>
        ref WireCode.WriteContent(ref WriteTextHeader(ref position, value.Length), value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteTextHeader(ref byte position, int byteCount) => ref Head(ref position, CborHead.Text, (uint)byteCount);

#if NET
    /// <inheritdoc/>
    public ref byte WriteNumbers<T>(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<T> numbers)
        where T : unmanaged => ref WireCode.WriteEach<CborFormat, T>(ref writer, ref position, numbers);
#endif

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteArrayHeader(ref WireWriter writer, ref byte position, int count) => ref Head(ref position, CborHead.Array, (uint)count);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteMapHeader(ref WireWriter writer, ref byte position, int count) => ref Head(ref position, CborHead.Map, (uint)count);

    /// <summary>Writes the head of a value: its major type, and an argument in the fewest bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte Head(ref byte position, byte major, ulong argument)
    {
        if (argument > CborHead.MaxShort)
            return ref LongHead(ref position, major, argument);
        position = (byte)(major | (uint)argument);
        return ref Unsafe.Add(ref position, 1);
    }

    private static ref byte LongHead(ref byte position, byte major, ulong argument)
    {
        ref byte content = ref Unsafe.Add(ref position, 1);
        if (argument <= byte.MaxValue)
        {
            position = (byte)(major | 24);
            content = (byte)argument;
            return ref Unsafe.Add(ref position, 2);
        }

        if (argument <= ushort.MaxValue)
        {
            position = (byte)(major | 25);
            BigEndian.Write(ref content, (ushort)argument);
            return ref Unsafe.Add(ref position, 3);
        }

        if (argument <= uint.MaxValue)
        {
            position = (byte)(major | 26);
            BigEndian.Write(ref content, (uint)argument);
            return ref Unsafe.Add(ref position, 5);
        }

        position = (byte)(major | 27);
        BigEndian.Write(ref content, argument);
        return ref Unsafe.Add(ref position, 9);
    }

    /// <summary>Writes the head of a date that has been written two bytes after a position, and moves a date whose head has one byte.</summary>
    private static ref byte WriteDateHead(ref byte position, int byteCount)
    {
        position = CborHead.Text | CborHead.UInt8;
        ref byte content = ref Unsafe.Add(ref position, 1);
        if (byteCount > CborHead.MaxShort)
        {
            content = (byte)byteCount;
            return ref Unsafe.Add(ref content, 1 + byteCount);
        }

        position = (byte)(CborHead.Text | byteCount);
        for (int i = 0; i < byteCount; i += sizeof(long))
            LittleEndian.Write(ref Unsafe.Add(ref content, i), LittleEndian.ReadInt64(ref Unsafe.Add(ref content, i + 1)));
        return ref Unsafe.Add(ref content, byteCount);
    }

    /// <summary>Writes a double that may fit into a float.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ref byte WriteNarrow(ref WireWriter writer, ref byte position, double value)
    {
        if ((float)value == value || double.IsNaN(value))
            return ref Write(ref writer, ref position, (float)value);
        position = CborHead.Double;
        BigEndian.Write(ref Unsafe.Add(ref position, 1), (ulong)BitConverter.DoubleToInt64Bits(value));
        return ref Unsafe.Add(ref position, 9);
    }

    /// <summary>Converts a float to 16 bits, if nothing is lost. Every NaN becomes the one without payload.</summary>
    private static bool TryNarrow(uint bits, out ushort half)
    {
        uint sign = (bits >> 16) & 0x8000;
        uint fraction = bits & 0x7F_FFFF;
        int exponent = (int)((bits >> 23) & 0xFF) - 127;
        half = (ushort)sign;
        if (exponent == 128)
        {
            half = fraction == 0 ? (ushort)(sign | 0x7C00) : HalfNaN;
            return true;
        }

        if (exponent == -127)
            return fraction == 0;
        int lost = exponent >= -14 ? 13 : -1 - exponent;
        if (exponent is > 15 or < -24 || ((fraction | 0x80_0000) & ((1U << lost) - 1)) != 0)
            return false;
        half = (ushort)(sign | (exponent >= -14 ? ((uint)(exponent + 15) << 10) | (fraction >> 13) : (fraction | 0x80_0000) >> lost));
        return true;
    }
}
