using System;
using System.Buffers.Text;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>
/// Reads and writes the 16 bytes of a decimal: low, middle and high 32 bits, then the flags (scale in bits 16 to 23, sign in bit 31). No bounds are
/// checked.
/// </summary>
internal static class Decimals
{
    /// <summary>The maximum size of <see cref="Format"/>: a sign, a 0, a point and 28 digits.</summary>
    internal const int MaxTextByteCount = 31;

    /// <summary>Writes the digits, invariant, with their scale and, unlike the base library, the sign of a zero ("-0").</summary>
    /// <returns>The number of bytes.</returns>
    internal static int Format(Span<byte> destination, decimal value)
    {
        Utf8Formatter.TryFormat(value, destination, out int byteCount);
        if (destination[0] != (byte)'0' || !IsNegative(value))
            return byteCount;
        destination.Slice(0, byteCount).CopyTo(destination.Slice(1));
        destination[0] = (byte)'-';
        return byteCount + 1;
    }

#if NET
    private static bool IsNegative(decimal value) => decimal.IsNegative(value);
#else
    private static bool IsNegative(decimal value) => decimal.GetBits(value)[3] < 0;
#endif

    /// <summary>Splits a decimal: low, middle and high 32 bits of the digits, then the flags. Allocates nothing on .NET.</summary>
    /// <param name="value">The decimal.</param>
    /// <param name="bits">Receives the four numbers.</param>
    internal static void GetBits(decimal value, Span<int> bits)
    {
#if NET
        decimal.GetBits(value, bits);
#else
        decimal.GetBits(value).AsSpan().CopyTo(bits);
#endif
    }

    internal static void Write(ref byte destination, decimal value)
    {
        Span<int> bits = stackalloc int[4];
        GetBits(value, bits);
        LittleEndian.Write(ref destination, bits[0]);
        LittleEndian.Write(ref Unsafe.Add(ref destination, 4), bits[1]);
        LittleEndian.Write(ref Unsafe.Add(ref destination, 8), bits[2]);
        LittleEndian.Write(ref Unsafe.Add(ref destination, 12), bits[3]);
    }

    internal static bool TryRead(ref byte source, out decimal value)
    {
        int flags = LittleEndian.ReadInt32(ref Unsafe.Add(ref source, 12));
        byte scale = (byte)(flags >> 16);
        if ((flags & 0x7F00_FFFF) != 0 || scale > 28)
        {
            value = 0;
            return false;
        }

        value = new decimal(
            LittleEndian.ReadInt32(ref source),
            LittleEndian.ReadInt32(ref Unsafe.Add(ref source, 4)),
            LittleEndian.ReadInt32(ref Unsafe.Add(ref source, 8)),
            flags < 0,
            scale);
        return true;
    }
}
