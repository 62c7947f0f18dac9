#if NET
using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.Arm;
using System.Runtime.Intrinsics.X86;

namespace Formatters;

// Text that is not ASCII, in runs of equal length: the transcoders of the base library branch on each character.
// Measured by the rows "accented titles" and "Japanese titles" of Formatters.Benchmarks, models.
internal static partial class Utf8Text
{
    private const byte None = 0xFF;

    /// <summary>Gets whether the vectors that transcode are there: bytes are moved to computed places.</summary>
    private static bool CanTranscode => BitConverter.IsLittleEndian && (Ssse3.IsSupported || AdvSimd.Arm64.IsSupported);

    /// <summary>Writes any string; an unpaired surrogate is written as U+FFFD.</summary>
    /// <param name="destination">The first byte; <c>3 * text.Length</c> bytes are available.</param>
    /// <param name="text">The string.</param>
    /// <returns>The number of bytes written.</returns>
    private static int Transcode(ref byte destination, string text)
    {
        ref ushort source = ref Unsafe.As<char, ushort>(ref MemoryMarshal.GetReference(text.AsSpan()));
        ref byte packing = ref MemoryMarshal.GetArrayDataReference(Packing.Places);
        ref byte byteCounts = ref MemoryMarshal.GetArrayDataReference(Packing.ByteCounts);
        int length = text.Length, i = 0;
        ref byte d = ref destination;

        // 24 bytes are available for eight characters.
        while (length - i >= Vector128<ushort>.Count)
        {
            var units = Vector128.LoadUnsafe(ref source, (nuint)i);
            if (Vector128.LessThanAll(units, Vector128.Create((ushort)0x80)))
            {
                Vector128.Narrow(units, units).GetLower().StoreUnsafe(ref d);
                d = ref Unsafe.Add(ref d, 8);
                i += 8;
            }
            else if (Vector128.EqualsAny(units & Vector128.Create((ushort)0xF800), Vector128.Create((ushort)0xD800)))
            {
                for (int end = i + 8; i < end;)
                    d = ref WriteAny(ref d, ref source, ref i, length);
            }
            else if (Vector128.GreaterThanOrEqualAll(units, Vector128.Create((ushort)0x800)))
            {
                WriteThrees(ref d, units);
                d = ref Unsafe.Add(ref d, 24);
                i += 8;
            }
            else
            {
                // Twelve bytes at most, which are stored with four more.
                (Vector128<uint> lower, _) = Vector128.Widen(units);
                Encode(lower, ref packing, out nuint form).StoreUnsafe(ref d);
                d = ref Unsafe.Add(ref d, (nint)Unsafe.Add(ref byteCounts, form));
                i += 4;
            }
        }

        if (length - i >= 4)
        {
            var units = Vector128.CreateScalar(Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<ushort, byte>(ref Unsafe.Add(ref source, i)))).AsUInt16();
            if (!Vector128.EqualsAny(units & Vector128.Create((ushort)0xF800), Vector128.Create((ushort)0xD800)))
            {
                (Vector128<uint> lower, _) = Vector128.Widen(units);
                Vector128<byte> bytes = Encode(lower, ref packing, out nuint form);
                bytes.GetLower().StoreUnsafe(ref d);
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref d, 8), bytes.AsUInt32().GetElement(2));
                d = ref Unsafe.Add(ref d, (nint)Unsafe.Add(ref byteCounts, form));
                i += 4;
            }
        }

        while (i < length)
            d = ref WriteAny(ref d, ref source, ref i, length);
        return (int)Unsafe.ByteOffset(ref destination, ref d);
    }

    /// <summary>Encodes four characters, none of which is a surrogate, in the first 4 to 12 bytes of a vector.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Encode(Vector128<uint> units, ref byte packing, out nuint form)
    {
        Vector128<uint> isOne = Vector128.LessThan(units, Vector128.Create(0x80u)), isShort = Vector128.LessThan(units, Vector128.Create(0x800u));
        Vector128<uint> last = units & Vector128.Create(0x3Fu);
        Vector128<uint> two = (units >> 6) | (last << 8) | Vector128.Create(0x80C0u);
        Vector128<uint> three = (units >> 12) | ((units << 2) & Vector128.Create(0x3F00u)) | (last << 16) | Vector128.Create(0x8080E0u);
        form = isOne.ExtractMostSignificantBits() | (isShort.ExtractMostSignificantBits() << 4);
        Vector128<uint> encoded = Vector128.ConditionalSelect(isOne, units, Vector128.ConditionalSelect(isShort, two, three));
        return Move(encoded.AsByte(), Vector128.LoadUnsafe(ref packing, form * 16));
    }

    /// <summary>Moves bytes to the places of their indexes; an index of <see cref="None"/> gives 0. <see cref="Vectors.Shuffle"/> is not used: its
    /// fallback is a call, which slows loops with several shuffles under Native AOT.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Move(Vector128<byte> bytes, Vector128<byte> indexes) =>
        Ssse3.IsSupported ? Ssse3.Shuffle(bytes, indexes) : AdvSimd.Arm64.VectorTableLookup(bytes, indexes);

    /// <summary>Writes eight characters of three bytes each. 24 bytes are available.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteThrees(ref byte destination, Vector128<ushort> units)
    {
        // The first and second bytes of each character, and the third bytes.
        Vector128<byte> lead = ((units >> 12) | ((units << 2) & Vector128.Create((ushort)0x3F00)) | Vector128.Create((ushort)0x80E0)).AsByte();
        Vector128<byte> last = ((units & Vector128.Create((ushort)0x3F)) | Vector128.Create((ushort)0x80)).AsByte();
        (Move(lead, Vector128.Create(0, 1, None, 2, 3, None, 4, 5, None, 6, 7, None, 8, 9, None, 10))
            | Move(last, Vector128.Create(None, None, 0, None, None, 2, None, None, 4, None, None, 6, None, None, 8, None)))
            .StoreUnsafe(ref destination);
        (Move(lead, Vector128.Create(11, None, 12, 13, None, 14, 15, None, None, None, None, None, None, None, None, None))
            | Move(last, Vector128.Create(None, 10, None, None, 12, None, None, 14, None, None, None, None, None, None, None, None)))
            .GetLower().StoreUnsafe(ref Unsafe.Add(ref destination, 16));
    }

    /// <summary>Writes a character of any length. Three bytes are available for each unit.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte WriteAny(ref byte destination, scoped ref ushort source, scoped ref int i, int length)
    {
        uint unit = Unsafe.Add(ref source, i++);
        if (unit < 0x80)
        {
            destination = (byte)unit;
            return ref Unsafe.Add(ref destination, 1);
        }

        if (unit < 0x800)
        {
            WriteUInt16(ref destination, 0x80C0 | (unit >> 6) | ((unit & 0x3F) << 8));
            return ref Unsafe.Add(ref destination, 2);
        }

        if ((unit & 0xF800) == 0xD800)
        {
            if (unit < 0xDC00 && i < length && (Unsafe.Add(ref source, i) & 0xFC00) == 0xDC00)
            {
                uint point = 0x10000 + ((unit - 0xD800) << 10) + (Unsafe.Add(ref source, i++) - 0xDC00u);
                WriteUInt16(ref destination, 0x80F0 | (point >> 18) | ((point >> 4) & 0x3F00));
                WriteUInt16(ref Unsafe.Add(ref destination, 2), 0x8080 | ((point >> 6) & 0x3F) | ((point & 0x3F) << 8));
                return ref Unsafe.Add(ref destination, 4);
            }

            unit = '\uFFFD';
        }

        WriteUInt16(ref destination, 0x80E0 | (unit >> 12) | ((unit << 2) & 0x3F00));
        Unsafe.Add(ref destination, 2) = (byte)(0x80 | (unit & 0x3F));
        return ref Unsafe.Add(ref destination, 3);
    }

    /// <summary>Reads any text.</summary>
    /// <param name="source">The first byte; <paramref name="byteCount"/> bytes are available.</param>
    /// <param name="byteCount">The length in bytes.</param>
    /// <param name="destination">Receives the text; <paramref name="byteCount"/> characters are available.</param>
    /// <returns>The number of characters; -1 if the bytes are not UTF-8.</returns>
    private static int Transcode(ref byte source, int byteCount, ref ushort destination)
    {
        int i = 0;
        ref ushort d = ref destination;
        while (byteCount - i >= Vector128<byte>.Count)
        {
            var bytes = Vector128.LoadUnsafe(ref source, (nuint)i);
            uint high = bytes.ExtractMostSignificantBits();
            if ((high & 1) == 0)
            {
                // All 16 are stored, and those after the first byte that is not ASCII are overwritten.
                (Vector128<ushort> lower, Vector128<ushort> upper) = Vector128.Widen(bytes);
                lower.StoreUnsafe(ref d);
                upper.StoreUnsafe(ref d, 8);
                int count = BitOperations.TrailingZeroCount(high | 0x10000);
                d = ref Unsafe.Add(ref d, count);
                i += count;
            }
            else if (ReadThrees(bytes, ref d))
            {
                d = ref Unsafe.Add(ref d, 4);
                i += 12;
            }
            else if (ReadTwos(bytes, ref d))
            {
                d = ref Unsafe.Add(ref d, 8);
                i += 16;
            }
            else
            {
                d = ref ReadAny(ref source, ref i, byteCount, ref d);
                if (Unsafe.IsNullRef(ref d))
                    return -1;
            }
        }

        while (i < byteCount)
        {
            d = ref ReadAny(ref source, ref i, byteCount, ref d);
            if (Unsafe.IsNullRef(ref d))
                return -1;
        }

        return (int)(Unsafe.ByteOffset(ref destination, ref d) / sizeof(ushort));
    }

    /// <summary>Reads four characters of three bytes each, if the first twelve bytes are that.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool ReadThrees(Vector128<byte> bytes, ref ushort destination)
    {
        Vector128<byte> marks = bytes & Vector128.Create((byte)0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0xF0, 0xC0, 0xC0, 0, 0, 0, 0);
        if (marks != Vector128.Create((byte)0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80, 0xE0, 0x80, 0x80, 0, 0, 0, 0))
            return false;
        Vector128<uint> parts = Move(bytes, Vector128.Create(2, 1, 0, None, 5, 4, 3, None, 8, 7, 6, None, 11, 10, 9, None)).AsUInt32();
        Vector128<uint> units = (parts & Vector128.Create(0x3Fu)) | ((parts >> 2) & Vector128.Create(0xFC0u))
            | ((parts >> 4) & Vector128.Create(0xF000u));
        if (Vector128.LessThanAny(units, Vector128.Create(0x800u))
            || Vector128.EqualsAny(units & Vector128.Create(0xF800u), Vector128.Create(0xD800u)))
            return false;
        Vector128.Narrow(units, units).GetLower().StoreUnsafe(ref destination);
        return true;
    }

    /// <summary>Reads eight characters of two bytes each, if the bytes are that.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool ReadTwos(Vector128<byte> bytes, ref ushort destination)
    {
        Vector128<ushort> pairs = bytes.AsUInt16();
        if ((pairs & Vector128.Create((ushort)0xC0E0)) != Vector128.Create((ushort)0x80C0))
            return false;
        Vector128<ushort> units = ((pairs & Vector128.Create((ushort)0x1F)) << 6) | ((pairs >> 8) & Vector128.Create((ushort)0x3F));
        if (Vector128.LessThanAny(units, Vector128.Create((ushort)0x80)))
            return false;
        units.StoreUnsafe(ref destination);
        return true;
    }

    /// <summary>Reads a character of any length: Unicode 15, table 3-7.</summary>
    /// <returns>The position after it in the destination; a null reference if it is not UTF-8.</returns>
    private static ref ushort ReadAny(scoped ref byte source, scoped ref int i, int byteCount, ref ushort destination)
    {
        uint first = Unsafe.Add(ref source, i);
        int left = byteCount - i;
        if (first < 0x80)
        {
            destination = (ushort)first;
            i++;
            return ref Unsafe.Add(ref destination, 1);
        }

        if (left >= 2 && first - 0xC2 <= 0xDF - 0xC2)
        {
            uint second = Unsafe.Add(ref source, i + 1);
            if ((second & 0xC0) != 0x80)
                return ref Unsafe.NullRef<ushort>();
            destination = (ushort)(((first & 0x1F) << 6) | (second & 0x3F));
            i += 2;
            return ref Unsafe.Add(ref destination, 1);
        }

        if (left >= 3 && (first & 0xF0) == 0xE0)
        {
            uint second = Unsafe.Add(ref source, i + 1), third = Unsafe.Add(ref source, i + 2);
            uint unit = ((first & 0xF) << 12) | ((second & 0x3F) << 6) | (third & 0x3F);
            if ((second & 0xC0) != 0x80 || (third & 0xC0) != 0x80 || unit < 0x800 || (unit & 0xF800) == 0xD800)
                return ref Unsafe.NullRef<ushort>();
            destination = (ushort)unit;
            i += 3;
            return ref Unsafe.Add(ref destination, 1);
        }

        if (left >= 4 && (first & 0xF8) == 0xF0)
        {
            uint second = Unsafe.Add(ref source, i + 1), third = Unsafe.Add(ref source, i + 2), fourth = Unsafe.Add(ref source, i + 3);
            uint point = ((first & 7) << 18) | ((second & 0x3F) << 12) | ((third & 0x3F) << 6) | (fourth & 0x3F);
            if ((second & 0xC0) != 0x80 || (third & 0xC0) != 0x80 || (fourth & 0xC0) != 0x80 || point - 0x10000 > 0x10FFFF - 0x10000)
                return ref Unsafe.NullRef<ushort>();
            destination = (ushort)(0xD800 + ((point - 0x10000) >> 10));
            Unsafe.Add(ref destination, 1) = (ushort)(0xDC00 | (point & 0x3FF));
            i += 4;
            return ref Unsafe.Add(ref destination, 2);
        }

        return ref Unsafe.NullRef<ushort>();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteUInt16(ref byte destination, uint value) => Unsafe.WriteUnaligned(ref destination, (ushort)value);

    /// <summary>
    /// The positions of the bytes of four characters, by their forms: bits 0 to 3 for those of one byte, bits 4 to 7 for those of one or two. Created
    /// for the first text that needs it.
    /// </summary>
    private static class Packing
    {
        /// <summary>Sixteen indexes for each form.</summary>
        internal static readonly byte[] Places = new byte[256 * 16];

        /// <summary>The number of bytes for each form.</summary>
        internal static readonly byte[] ByteCounts = new byte[256];

        static Packing()
        {
            Array.Fill(Places, None);
            for (int form = 0; form < 256; form++)
            {
                int count = 0;
                for (int lane = 0; lane < 4; lane++)
                {
                    int byteCount = (form >> lane & 1) != 0 ? 1 : (form >> (lane + 4) & 1) != 0 ? 2 : 3;
                    for (int k = 0; k < byteCount; k++)
                        Places[(form * 16) + count++] = (byte)((lane * 4) + k);
                }

                ByteCounts[form] = (byte)count;
            }
        }
    }
}
#endif
