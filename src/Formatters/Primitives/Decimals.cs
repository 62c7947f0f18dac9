using System;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>The 16 bytes of a decimal: low, middle and high 32 bits, then the flags (scale in bits 16 to 23, sign in bit 31). No bounds are checked.</summary>
internal static class Decimals
{
    internal static void Write(ref byte destination, decimal value)
    {
#if NET
        Span<int> bits = stackalloc int[4];
        decimal.GetBits(value, bits);
#else
        int[] bits = decimal.GetBits(value);
#endif
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
