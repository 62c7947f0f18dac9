using System;
using System.Buffers.Text;
#if NET
using System.Numerics;
#endif
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
#if NET
using System.Runtime.Intrinsics;
#endif

namespace Formatters;

/// <summary>
/// Reads and writes the 16 bytes of a decimal: low, middle and high 32 bits, then the flags (scale in bits 16 to 23, sign in bit 31). No bounds are
/// checked.
/// </summary>
internal static class Decimals
{
    /// <summary>The maximum size of <see cref="Format"/>: a sign, a 0, a point and 28 digits.</summary>
    internal const int MaxTextByteCount = 31;

    /// <summary>The number of digits that always fit into 64 bits.</summary>
    private const int MaxFastDigitCount = 19;

#if NET
    /// <summary>Determines whether a decimal in memory is the flags and the high 32 bits, then the low 64 bits, all little endian.</summary>
    private static readonly bool IsFlagsFirst = BitConverter.IsLittleEndian
        && Unsafe.BitCast<decimal, (ulong, ulong)>(new decimal(1, 2, 3, true, 4)) == (0x0000_0003_8004_0000, 0x0000_0002_0000_0001);

    private static ReadOnlySpan<ulong> PowersOf10 =>
    [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000, 100_000_000_000, 1_000_000_000_000,
        10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
        10_000_000_000_000_000_000,
    ];
#endif

    /// <summary>Writes the digits, invariant, with their scale and, unlike the base library, the sign of a zero ("-0").</summary>
    /// <param name="destination">Where <see cref="MaxTextByteCount"/> bytes can be written, also more than are returned.</param>
    /// <param name="value">The value.</param>
    /// <returns>The number of bytes.</returns>
    internal static int Format(ref byte destination, decimal value)
    {
#if NET
        Span<int> bits = stackalloc int[4];
        GetBits(value, bits);
        if (bits[2] == 0)
            return FormatSmall(ref destination, ((ulong)(uint)bits[1] << 32) | (uint)bits[0], (bits[3] >> 16) & 0xFF, bits[3] < 0);
        return FormatLarge(MemoryMarshal.CreateSpan(ref destination, MaxTextByteCount), value);
#else
        Span<byte> text = stackalloc byte[MaxTextByteCount];
        int byteCount = FormatLarge(text, value);
        Unsafe.CopyBlockUnaligned(ref destination, ref MemoryMarshal.GetReference(text), (uint)byteCount);
        return byteCount;
#endif
    }

    private static int FormatLarge(Span<byte> destination, decimal value)
    {
        Utf8Formatter.TryFormat(value, destination, out int byteCount);
        if (destination[0] != (byte)'0' || !IsNegative(value))
            return byteCount;
        destination.Slice(0, byteCount).CopyTo(destination.Slice(1));
        destination[0] = (byte)'-';
        return byteCount + 1;
    }

    /// <summary>Parses all of a UTF-8 string as a decimal, in every form of <see cref="Utf8Parser"/>.</summary>
    internal static bool TryParse(ReadOnlySpan<byte> text, out decimal value)
    {
        // The usual form: at most 19 digits, with others on both sides of a point. Row "invoice" of messagepack in models.
        int start = !text.IsEmpty && text[0] == '-' ? 1 : 0;
#if NET9_0_OR_GREATER
        if (TryParseShort(text, start, out value))
            return true;
#endif
        int fraction = 0;
        ulong digits = 0;
        int i = start;
        for (; i < text.Length && i <= start + MaxFastDigitCount; i++)
        {
            uint digit = (uint)text[i] - '0';
            if (digit <= 9)
                digits = (digits * 10) + digit;
            else if (digit == unchecked((uint)'.' - '0') && fraction == 0 && i > start)
                fraction = i + 1;
            else
                break;
        }

        if (i == text.Length && i > start && fraction < i && i - start - (fraction == 0 ? 0 : 1) <= MaxFastDigitCount && (digits != 0 || start == 0))
        {
            Create(digits, start == 1, fraction == 0 ? 0 : i - fraction, out value);
            return true;
        }

        return Utf8Parser.TryParse(text, out value, out int byteCount) && byteCount == text.Length;
    }

#if NET
    /// <summary>Writes digits of at most 64 bits, with a point and as many zeros before them as it needs.</summary>
    private static int FormatSmall(ref byte destination, ulong digits, int scale, bool isNegative)
    {
        destination = (byte)'-';
        int start = isNegative ? 1 : 0;
#if NET9_0_OR_GREATER
        if (digits < 1_000_000_000_000_000 && scale < 15 && Vector128.IsHardwareAccelerated && BitConverter.IsLittleEndian)
            return start + FormatShort(ref Unsafe.Add(ref destination, start), digits, scale);
#endif
        // The number of bits times the logarithm of 2, or one more.
        int digitCount = ((BitOperations.Log2(digits | 1) + 1) * 1233) >> 12;
        if (digits >= PowersOf10[digitCount])
            digitCount++;
        int point = start + Math.Max(digitCount - scale, 1);
        int byteCount = scale == 0 ? point : point + 1 + scale;
        for (int i = byteCount - 1; i >= start; i--)
        {
            if (i == point)
            {
                Unsafe.Add(ref destination, i) = (byte)'.';
                continue;
            }

            ulong rest = digits / 10;
            Unsafe.Add(ref destination, i) = (byte)('0' + (int)(digits - (rest * 10)));
            digits = rest;
        }

        return byteCount;
    }

#if NET9_0_OR_GREATER
    // Rows "invoice" and "numbers" of messagepack and protobuf in models.

    /// <summary>Writes at most 15 digits and a point with one store.</summary>
    /// <returns>The number of bytes, of the 16 that are written.</returns>
    private static int FormatShort(ref byte destination, ulong digits, int scale)
    {
        ulong high = digits / 100_000_000;
        (ulong upper, ulong lower) = (EightDigits(high), EightDigits(digits - (high * 100_000_000)));
        int zeroCount = upper != DateText.Zeros
            ? BitOperations.TrailingZeroCount(upper ^ DateText.Zeros) >> 3
            : 8 + (BitOperations.TrailingZeroCount(lower ^ DateText.Zeros) >> 3);
        int digitCount = Math.Max(16 - zeroCount, scale + 1);
        var point = Vector128.Create((sbyte)(digitCount - scale));
        // The digits after the point move by one.
        // Indexes above 15 are after the last digit; their bytes are not part of the result.
        Vector128<sbyte> indices = Vector128<sbyte>.Indices + Vector128.Create((sbyte)(16 - digitCount))
            + Vector128.GreaterThan(Vector128<sbyte>.Indices, point);
        Vector128<byte> text = Vector128.ConditionalSelect(
            Vector128.Equals(Vector128<sbyte>.Indices, point).AsByte(), Vector128.Create((byte)'.'),
            Vectors.Shuffle(Vector128.Create(upper, lower).AsByte(), indices.AsByte()));
        text.StoreUnsafe(ref destination);
        return digitCount + (scale == 0 ? 0 : 1);
    }

    /// <summary>Converts a number below 100,000,000 to digits, the first one in the lowest byte.</summary>
    private static ulong EightDigits(ulong number)
    {
        ulong upper = number / 10_000;
        ulong halves = upper | ((number - (upper * 10_000)) << 32);
        ulong hundreds = ((halves * 10_486) >> 20) & 0x0000_007F_0000_007F;
        return DateText.Digits(hundreds | ((halves - (hundreds * 100)) << 16));
    }

    /// <summary>Parses 4 to 16 bytes: a sign, digits, and perhaps a point between them.</summary>
    private static bool TryParseShort(ReadOnlySpan<byte> text, int start, out decimal value)
    {
        value = 0;
        int byteCount = text.Length;
        if (byteCount is < 4 or > 16 || !Vector128.IsHardwareAccelerated || !BitConverter.IsLittleEndian)
            return false;
        // Right-aligned, in two parts that may overlap.
        ref byte first = ref MemoryMarshal.GetReference(text);
        ulong lower, upper;
        if (byteCount >= sizeof(long))
        {
            lower = (ulong)LittleEndian.ReadInt64(ref first) << (8 * (15 - byteCount)) << 8;
            upper = (ulong)LittleEndian.ReadInt64(ref Unsafe.Add(ref first, byteCount - sizeof(long)));
        }
        else
        {
            lower = 0;
            upper = ((ulong)(uint)LittleEndian.ReadInt32(ref first) << (8 * (sizeof(long) - byteCount)) & uint.MaxValue)
                | ((ulong)(uint)LittleEndian.ReadInt32(ref Unsafe.Add(ref first, byteCount - sizeof(int))) << 32);
        }

        Vector128<byte> bytes = Vector128.Create(lower, upper).AsByte();
        int firstDigit = 16 - byteCount + start;
        uint points = Vector128.Equals(bytes, Vector128.Create((byte)'.')).ExtractMostSignificantBits();
        int point = points == 0 ? -1 : BitOperations.TrailingZeroCount(points);
        Vector128<byte> digits = (bytes - Vector128.Create((byte)'0'))
            & Vector128.GreaterThanOrEqual(Vector128<sbyte>.Indices, Vector128.Create((sbyte)firstDigit)).AsByte();
        // The digits before the point move over it.
        Vector128<sbyte> isMoved = Vector128.LessThanOrEqual(Vector128<sbyte>.Indices, Vector128.Create((sbyte)point));
        digits = Vectors.Shuffle(digits, (Vector128<sbyte>.Indices + isMoved).AsByte());
        if (Vector128.GreaterThanAny(digits, Vector128.Create((byte)9)) || firstDigit == 16 || points != 0 && (point <= firstDigit || point == 15))
            return false;
        ulong number = (FromEightDigits(digits.AsUInt64()[0]) * 100_000_000) + FromEightDigits(digits.AsUInt64()[1]);
        if (number == 0 && start == 1)
            return false;
        Create(number, start == 1, points == 0 ? 0 : 15 - point, out value);
        return true;
    }

    private static ulong FromEightDigits(ulong digits) => DateText.Join(
        DateText.Join(DateText.Join(digits, 10, 8, 0x00FF_00FF_00FF_00FF), 100, 16, 0x0000_FFFF_0000_FFFF), 10_000, 32, uint.MaxValue);
#endif

    private static bool IsNegative(decimal value) => decimal.IsNegative(value);
#else
    private static bool IsNegative(decimal value) => decimal.GetBits(value)[3] < 0;
#endif

    /// <summary>Creates a decimal from 96 bits, with one 16-byte store: see <see cref="TryRead"/>. The scale must be 0 to 28; it is not
    /// checked.</summary>
    internal static void Create(ulong low, bool isNegative, int scale, out decimal value, uint high = 0)
    {
#if NET
        if (IsFlagsFirst)
        {
            Unsafe.SkipInit(out value);
            Unsafe.As<decimal, Vector128<ulong>>(ref value) =
                Vector128.Create(((ulong)high << 32) | (isNegative ? 0x8000_0000 : 0) | (uint)(scale << 16), low);
            return;
        }
#endif
        value = new decimal((int)low, (int)(low >> 32), (int)high, isNegative, (byte)scale);
    }

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

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref byte destination, decimal value)
    {
#if NET
        // Row "invoice" of binary in models.
        if (IsFlagsFirst)
        {
            ref ulong words = ref Unsafe.As<decimal, ulong>(ref value);
            Unsafe.WriteUnaligned(ref destination, Unsafe.Add(ref words, 1));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, 8), BitOperations.RotateLeft(words, 32));
            return;
        }
#endif
        WriteBits(ref destination, value);
    }

    private static void WriteBits(ref byte destination, decimal value)
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

#if NET
        // At once, as it will be loaded: the processor cannot forward two stores to one load.
        if (IsFlagsFirst)
        {
            Unsafe.SkipInit(out value);
            Unsafe.As<decimal, Vector128<uint>>(ref value) = Vector128.Shuffle(
                Unsafe.ReadUnaligned<Vector128<uint>>(ref source), Vector128.Create(3u, 2, 0, 1));
            return true;
        }
#endif

        value = new decimal(
            LittleEndian.ReadInt32(ref source),
            LittleEndian.ReadInt32(ref Unsafe.Add(ref source, 4)),
            LittleEndian.ReadInt32(ref Unsafe.Add(ref source, 8)),
            flags < 0,
            scale);
        return true;
    }
}
