using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters;

/// <summary>The head of a CBOR value: https://www.rfc-editor.org/rfc/rfc8949#section-3.</summary>
/// <param name="Major">The major type, in the three high bits.</param>
/// <param name="Argument">The argument: a number, a length, a tag, or the bits of a float.</param>
/// <param name="ByteCount">How many bytes these are.</param>
/// <param name="IsIndefinite">Whether the value ends with a break and has no argument; for major type 7, whether it is the break.</param>
internal readonly record struct CborHead(byte Major, ulong Argument, int ByteCount, bool IsIndefinite)
{
    internal const byte Unsigned = 0x00;
    internal const byte UInt8 = 24;
    internal const byte UInt16 = 25;
    internal const byte Negative = 0x20;
    internal const byte Bytes = 0x40;
    internal const byte Text = 0x60;
    internal const byte Array = 0x80;
    internal const byte Map = 0xA0;
    internal const byte Tag = 0xC0;
    internal const byte Other = 0xE0;

    /// <summary>The largest argument in the first byte.</summary>
    internal const int MaxShort = 23;

    internal const byte DateText = Tag;
    internal const byte Bignum = Tag | 2;
    internal const byte NegativeBignum = Tag | 3;
    internal const byte DecimalFraction = Tag | 4;
    internal const byte UriTag = 32;
    internal const byte GuidTag = 37;

    /// <summary>The tag that marks a body as CBOR: https://www.rfc-editor.org/rfc/rfc8949#section-3.4.6.</summary>
    internal const ulong SelfDescribed = 55799;

    /// <summary>The tag of days since 1970-01-01: RFC 8943.</summary>
    internal const byte DateTag = 100;

    internal const int UnixDayNumber = 719_162;

    internal const byte False = Other | 20;
    internal const byte True = Other | 21;
    internal const byte Null = Other | 22;
    internal const byte Undefined = Other | 23;
    internal const byte Half = Other | 25;
    internal const byte Single = Other | 26;
    internal const byte Double = Other | 27;
    internal const byte Break = Other | 31;

    internal bool IsBreak => Major == Other && IsIndefinite;

    /// <summary>Peeks at the head of the next value, without advancing.</summary>
    /// <exception cref="MessageFormatException">The body ends too early, or the byte does not start a value.</exception>
    internal static CborHead Peek(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Require(1);
        byte major = (byte)(p & 0xE0);
        int info = p & 31;
        if (info <= MaxShort)
            return new CborHead(major, (uint)info, 1, false);
        if (info == 31 && major is not (Unsigned or Negative or Tag))
            return new CborHead(major, 0, 1, true);
        if (info > 27)
            ThrowHelper.ThrowMalformed(reader.ByteOffset, $"The byte {p:X2} does not begin a CBOR value.");
        int byteCount = 1 + (1 << (info - 24));
        ref byte content = ref Unsafe.Add(ref reader.Input.Require(byteCount), 1);
        ulong argument = info switch
        {
            24 => content,
            25 => BigEndian.ReadUInt16(ref content),
            26 => BigEndian.ReadUInt32(ref content),
            _ => BigEndian.ReadUInt64(ref content),
        };
        if (major == Other && info == 24 && argument < 32)
            ThrowHelper.ThrowMalformed(reader.ByteOffset, "A simple value below 32 is encoded in two bytes.");
        return new CborHead(major, argument, byteCount, false);
    }

    /// <summary>Converts the argument of a float of 16, 32 or 64 bits.</summary>
    internal double ToDouble() => ByteCount switch
    {
        3 => FromHalf((ushort)Argument),
        5 => BigEndian.ToSingle((uint)Argument),
        _ => BitConverter.Int64BitsToDouble((long)Argument),
    };

    /// <summary>Converts a float of 16 bits.</summary>
    internal static double FromHalf(ushort bits)
    {
        // The exponent of a double is greater by 1008, and its fraction has 42 bits more; without an exponent the fraction is in units of 2 to the
        // -24.
        int exponent = (bits >> 10) & 31;
        long sign = (long)(bits & 0x8000) << 48;
        long fraction = bits & 0x3FF;
        if (exponent == 0)
            return bits >= 0x8000 ? fraction * -5.9604644775390625E-08 : fraction * 5.9604644775390625E-08;
        if (exponent == 31)
            return fraction != 0 ? double.NaN : sign != 0 ? double.NegativeInfinity : double.PositiveInfinity;
        return BitConverter.Int64BitsToDouble(sign | ((long)(exponent + 1008) << 52) | (fraction << 42));
    }
}
