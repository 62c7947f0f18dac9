using System;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
#if NET
using System.Runtime.Intrinsics;
#endif

namespace Formatters;

/// <summary>Reads a GUID of 36 characters: digits in either case, with hyphens.</summary>
internal static class GuidText
{
    /// <summary>The number of characters.</summary>
    internal const int ByteCount = 36;

    /// <summary>Writes the lowercase digits with hyphens: <see cref="ByteCount"/> bytes, which the caller has reserved.</summary>
    internal static void Format(ref byte destination, Guid value)
    {
#if NET
        // Row "invoice" of messagepack on Native AOT, where the base library formats a GUID in 100 ns.
        if (!Vector128.IsHardwareAccelerated || !BitConverter.IsLittleEndian)
        {
            Utf8Formatter.TryFormat(value, MemoryMarshal.CreateSpan(ref destination, ByteCount), out _);
            return;
        }

        // Two halves, as a parameter is stored: one load would wait for both.
        ref ulong halves = ref Unsafe.As<Guid, ulong>(ref value);
        Vector128<byte> bytes = Vectors.Shuffle(Vector128.Create(halves, Unsafe.Add(ref halves, 1)).AsByte(), BigEndian.GuidOrder);
        (Vector128<ushort> low, Vector128<ushort> high) = Vector128.Widen(bytes);
        (Vector128<ulong> first, Vector128<ulong> second) = (Digits(low), Digits(high));
        (ulong third, ulong fourth) = (first[1], second[0]);
        Write(ref destination, 0, first[0]);
        Write(ref destination, 8, '-' | (third << 8));
        Write(ref destination, 13, (uint)'-' | (third >> 32 << 8));
        Write(ref destination, 18, '-' | (fourth << 8));
        Write(ref destination, 23, (byte)'-');
        Write(ref destination, 24, (fourth >> 32) | (second[1] << 32));
        Write(ref destination, 32, (uint)(second[1] >> 32));
#else
        Span<byte> digits = stackalloc byte[ByteCount];
        Utf8Formatter.TryFormat(value, digits, out _);
        Unsafe.CopyBlockUnaligned(ref destination, ref MemoryMarshal.GetReference(digits), ByteCount);
#endif
    }

    /// <summary>Parses a GUID.</summary>
    internal static bool TryParse(ReadOnlySpan<byte> text, out Guid value)
    {
        if (text.Length != ByteCount)
        {
            value = default;
            return false;
        }

#if NET
        ref byte start = ref MemoryMarshal.GetReference(text);
        if (text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' && Vector128.IsHardwareAccelerated && BitConverter.IsLittleEndian)
        {
            // The digits without the hyphens.
            ulong middle = Read<uint>(ref start, 9) | ((ulong)Read<uint>(ref start, 14) << 32);
            ulong next = Read<uint>(ref start, 19) | (Read<ulong>(ref start, 24) << 32);
            bool isValid = TryParse(Vector128.Create(Read<ulong>(ref start, 0), middle), out Vector128<ushort> low)
                & TryParse(Vector128.Create(next, Read<ulong>(ref start, 28)), out Vector128<ushort> high);
            BigEndian.ToGuid(Vector128.Narrow(low, high), out value);
            return isValid;
        }
#endif

        return Utf8Parser.TryParse(text, out value, out int byteCount) && byteCount == ByteCount;
    }

#if NET
    /// <summary>Converts 16 digits to 8 bytes, each in a <see cref="ushort"/>.</summary>
    private static bool TryParse(Vector128<ulong> text, out Vector128<ushort> bytes)
    {
        Vector128<byte> digits = text.AsByte() - Vector128.Create((byte)'0');
        Vector128<byte> letters = (text.AsByte() | Vector128.Create((byte)0x20)) - Vector128.Create((byte)'a');
        Vector128<byte> areDigits = Vector128.LessThanOrEqual(digits, Vector128.Create((byte)9));
        Vector128<byte> areLetters = Vector128.LessThanOrEqual(letters, Vector128.Create((byte)5));
        Vector128<ushort> values = Vector128.ConditionalSelect(areDigits, digits, letters + Vector128.Create((byte)10)).AsUInt16();
        bytes = ((values << 4) | (values >> 8)) & Vector128.Create((ushort)0xFF);
        return (areDigits | areLetters) == Vector128<byte>.AllBitsSet;
    }

    /// <summary>Converts 8 bytes, each in a <see cref="ushort"/>, to 16 digits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> Digits(Vector128<ushort> bytes)
    {
        Vector128<byte> values = (((bytes << 8) | (bytes >> 4)) & Vector128.Create((ushort)0x0F0F)).AsByte();
        return Vectors.Shuffle(Vector128.Create("0123456789abcdef"u8), values).AsUInt64();
    }

    private static void Write<T>(ref byte start, int at, T value) => Unsafe.WriteUnaligned(ref Unsafe.Add(ref start, at), value);

    private static T Read<T>(ref byte start, int at) => Unsafe.ReadUnaligned<T>(ref Unsafe.Add(ref start, at));
#endif
}
