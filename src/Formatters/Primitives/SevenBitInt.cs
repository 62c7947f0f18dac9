using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>
/// 7-bit encoded integers as <c>System.IO.BinaryWriter.Write7BitEncodedInt</c> writes them: low group first, top bit = more follows.
/// </summary>
internal static class SevenBitInt
{
    internal const int MaxByteCount32 = 5;
    internal const int MaxByteCount64 = 10;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int GetByteCount(uint value) =>
        value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;

    /// <summary>Writes without a bounds check and returns the number of bytes, 1 to 5.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int Write(ref byte destination, uint value)
    {
        int i = 0;
        while (value >= 0x80)
        {
            Unsafe.Add(ref destination, i++) = (byte)(value | 0x80);
            value >>= 7;
        }

        Unsafe.Add(ref destination, i++) = (byte)value;
        return i;
    }

    /// <summary>Writes without a bounds check and returns the number of bytes, 1 to 10.</summary>
    internal static int Write(ref byte destination, ulong value)
    {
        int i = 0;
        while (value >= 0x80)
        {
            Unsafe.Add(ref destination, i++) = (byte)(value | 0x80);
            value >>= 7;
        }

        Unsafe.Add(ref destination, i++) = (byte)value;
        return i;
    }
}
