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
        Utf8Formatter.TryFormat(value, MemoryMarshal.CreateSpan(ref destination, ByteCount), out _);
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
            Vector128<byte> bytes = Vector128.Narrow(low, high);
            value = new Guid(MemoryMarshal.AsBytes(new ReadOnlySpan<Vector128<byte>>(in bytes)), bigEndian: true);
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

    private static T Read<T>(ref byte start, int at) => Unsafe.ReadUnaligned<T>(ref Unsafe.Add(ref start, at));
#endif
}
