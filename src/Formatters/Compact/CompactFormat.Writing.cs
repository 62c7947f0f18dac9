// docs/wire/compact.md, "Values".
using System;
using System.Numerics;
using System.Runtime.CompilerServices;
#if NET
using System.Runtime.Intrinsics;
#endif
using Formatters.Custom;

namespace Formatters.Generated;

/// <summary>The compact format, as a traversal format.</summary>
internal readonly partial struct CompactFormat : IWireFormat
{
    // Hundredths below this are recovered exactly from the nearest double.
    private const double EndOfHundredths = 2251799813685248.0;
    private const double EndOfWhole = 9007199254740992.0;
    private const int EndOfSingle = 1 << 22;

    /// <summary>2^-51: more than the errors of a quotient by 100 and of its product with 100. From 2^51 on, it allows for any fraction.</summary>
    private const double MaxRelativeError = 1 / EndOfHundredths;

    private const long TicksPerDay = TimeSpan.TicksPerDay;
    private const long TicksMask = 0x3FFF_FFFF_FFFF_FFFF;

    /// <inheritdoc/>
    public int BodyType => BodyTypes.Compact;

    /// <inheritdoc/>
    public int PublicBodyType => BodyType;

    /// <inheritdoc/>
    public ContractFormats ContractFormat => ContractFormats.Compact;

    /// <inheritdoc/>
    public int ByteCountOf(byte first) => 0;

    /// <inheritdoc/>
    public bool IsSorted => false;

    /// <inheritdoc/>
    public bool RoundsFloat(in WireReader reader) => false;

    /// <inheritdoc/>
    public bool SortsKeys => true;

    /// <inheritdoc/>
    public byte ShortTextCode => CompactHead.Content;

    /// <inheritdoc/>
    public int MaxShortTextByteCount => CompactHead.MaxShortContent;

    /// <inheritdoc/>
    public ref byte WriteNull(ref WireWriter writer, ref byte position) => ref WireCode.WriteByte(ref position, CompactHead.Null);

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, bool value) => ref WireCode.WriteByte(ref position, value ? (byte)1 : (byte)0);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, int value)
    {
        if ((uint)(value - CompactHead.MinSmall) >= 160)
            return ref WriteLong(ref position, (long)value);
        position = (byte)value;
        return ref Unsafe.Add(ref position, 1);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, long value)
    {
        if ((ulong)(value - CompactHead.MinSmall) >= 160)
            return ref WriteLong(ref position, value);
        position = (byte)value;
        return ref Unsafe.Add(ref position, 1);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, ulong value)
    {
        if (value > CompactHead.MaxSmall)
            return ref WriteLong(ref position, value);
        position = (byte)value;
        return ref Unsafe.Add(ref position, 1);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, float value)
    {
        if (IsHundredths(value))
            return ref WriteHundredths(ref writer, ref position, value);
        return ref WriteRaw(ref position, value);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, double value)
    {
        int form = Shorten(value, out long n);
        if (form == Raw)
        {
            position = CompactHead.Content | 8;
            LittleEndian.Write(ref Unsafe.Add(ref position, 1), value);
            return ref Unsafe.Add(ref position, 9);
        }

        if (form == Whole && n >= CompactHead.MinSmall && n < CompactHead.EndOfTwoBytes)
            return ref Write(ref writer, ref position, n);
        // All eight bytes are reserved.
        ulong number = Pack(n, form);
        int byteCount = LittleEndian.SizeOf(number);
        position = (byte)(CompactHead.Content | byteCount);
        LittleEndian.Write(ref Unsafe.Add(ref position, 1), (long)number);
        return ref Unsafe.Add(ref position, 1 + byteCount);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, decimal value)
    {
        Span<int> bits = stackalloc int[4];
        Decimals.GetBits(value, bits);
        ulong low = (uint)bits[0] | ((ulong)(uint)bits[1] << 32);
        uint high = (uint)bits[2];
        if (bits[3] == 0 && high == 0 && low <= CompactHead.MaxSmall)
            return ref WireCode.WriteByte(ref position, (byte)low);
        int byteCount = high == 0 ? LittleEndian.SizeOf(low) : 8 + LittleEndian.SizeOf(high);
        position = ref WireCode.WriteByte(ref position, (byte)(CompactHead.Content | (1 + byteCount)));
        position = ref WireCode.WriteByte(ref position, (byte)((bits[3] >> 16) | (bits[3] < 0 ? 0x80 : 0)));
        for (int i = 0; i < byteCount; i++)
            Unsafe.Add(ref position, i) = (byte)(i < 8 ? low >> (8 * i) : high >> (8 * (i - 8)));
        return ref Unsafe.Add(ref position, byteCount);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, DateTime value)
    {
        ref byte content = ref Unsafe.Add(ref position, 1);
        int byteCount = WriteDateContent(ref content, value.ToBinary());
        position = (byte)(CompactHead.Content | byteCount);
        return ref Unsafe.Add(ref content, byteCount);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, DateTimeOffset value)
    {
        ref byte content = ref Unsafe.Add(ref position, 1);
        int byteCount = WriteDateContent(ref content, value.Ticks);
        LittleEndian.Write(ref Unsafe.Add(ref content, byteCount), (short)(value.Offset.Ticks / TimeSpan.TicksPerMinute));
        position = (byte)(CompactHead.Content | (byteCount + 2));
        return ref Unsafe.Add(ref content, byteCount + 2);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, Guid value) =>
        ref BigEndian.WriteGuid(ref WireCode.WriteByte(ref position, CompactHead.Content | 16), value);

    /// <inheritdoc/>
    public ref byte WriteDate(ref WireWriter writer, ref byte position, int dayNumber) => ref Write(ref writer, ref position, (long)dayNumber);

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, BigInteger value)
    {
        position = ref writer.Reserve(ref position, WireCode.MaxValueByteCount);
        if (value.Sign >= 0 && value <= ulong.MaxValue)
            return ref Write(ref writer, ref position, (ulong)value);
        return ref value.Sign < 0 && value >= long.MinValue
            ? ref Write(ref writer, ref position, (long)value)
            : ref WriteBytes(ref writer, ref position, value.ToByteArray());
    }

    /// <inheritdoc/>
    public ref byte WriteWide(ref WireWriter writer, ref byte position, ulong high, ulong low, bool isSigned) =>
        ref Write(ref writer, ref position, WireCode.Join(high, low, isSigned));

    /// <inheritdoc/>
    public ref byte WriteUri(ref WireWriter writer, ref byte position, string value) =>
        ref WireCode.WriteText<CompactFormat>(ref writer, ref position, value, 0);

    /// <inheritdoc/>
    public ref byte WriteBytes(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value) =>
        ref writer.WriteRaw(ref WriteTextHeader(ref writer.Reserve(ref position, WireCode.MaxValueByteCount), value.Length), value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteUtf8(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value) =>
        ref WireCode.WriteContent(ref WriteTextHeader(ref position, value.Length), value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteTextHeader(ref byte position, int byteCount) =>
        ref Header(ref position, CompactHead.Content, CompactHead.MaxShortContent, CompactHead.LongContent, byteCount);

#if NET
    /// <inheritdoc/>
    public ref byte WriteNumbers<T>(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<T> numbers)
        where T : unmanaged
    {
        // Row "double[1000]" of compact in models.
        if ((typeof(T) == typeof(float) || typeof(T) == typeof(double)) && Vector128.IsHardwareAccelerated && BitConverter.IsLittleEndian)
        {
            while (numbers.Length >= Vector128<T>.Count)
            {
                if (AreRaw(Vector128.Create(numbers)))
                {
                    for (int i = 0; i < Vector128<T>.Count; i++)
                    {
                        position = (byte)(CompactHead.Content | Unsafe.SizeOf<T>());
                        Unsafe.WriteUnaligned(ref Unsafe.Add(ref position, 1), numbers[i]);
                        position = ref Unsafe.Add(ref position, 1 + Unsafe.SizeOf<T>());
                    }
                }
                else
                {
                    position = ref WireCode.WriteEach<CompactFormat, T>(ref writer, ref position, numbers.Slice(0, Vector128<T>.Count));
                }

                numbers = numbers.Slice(Vector128<T>.Count);
            }
        }

        return ref WireCode.WriteEach<CompactFormat, T>(ref writer, ref position, numbers);
    }

    /// <summary>Determines whether floats or doubles are all written as raw bits; false if one may not be.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool AreRaw<T>(Vector128<T> numbers)
        where T : unmanaged
    {
        if (typeof(T) == typeof(float))
        {
            (Vector128<double> lower, Vector128<double> upper) = Vector128.Widen(numbers.AsSingle());
            return !Vector128.EqualsAny(Vector128.Narrow(Vectors.Round(lower * 100) * 0.01, Vectors.Round(upper * 100) * 0.01), numbers.AsSingle());
        }

        Vector128<double> hundredths = numbers.AsDouble() * 100;
        return Vector128.GreaterThanAll(Vector128.Abs(hundredths - Vectors.Round(hundredths)), Vector128.Abs(hundredths) * MaxRelativeError);
    }
#endif

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteArrayHeader(ref WireWriter writer, ref byte position, int count) =>
        ref Header(ref position, CompactHead.Array, CompactHead.MaxShortCount, CompactHead.LongArray, count);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteMapHeader(ref WireWriter writer, ref byte position, int count) =>
        ref Header(ref position, CompactHead.Map, CompactHead.MaxShortCount, CompactHead.LongMap, count);

    private const int Raw = -1;
    private const int Whole = 0;
    private const int Hundredths = 1;

    private static ref byte WriteRaw(ref byte position, float value)
    {
        position = CompactHead.Content | 4;
        LittleEndian.Write(ref Unsafe.Add(ref position, 1), value);
        return ref Unsafe.Add(ref position, 5);
    }

    /// <summary>Writes a float that may be a whole number or hundredths.</summary>
    private ref byte WriteHundredths(ref WireWriter writer, ref byte position, float value)
    {
        int form = Shorten(value, out int n);
        if (form == Raw)
            return ref WriteRaw(ref position, value);
        if (form == Whole && n >= CompactHead.MinSmall && n < CompactHead.EndOfTwoBytes)
            return ref Write(ref writer, ref position, (long)n);
        return ref Number(ref position, CompactHead.Content, Pack(n, form));
    }

    /// <summary>Chooses the form of a double: a whole number, hundredths, or raw bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Shorten(double value, out long n)
    {
        n = Truncate(value);
        if (n == value && value is > -EndOfWhole and < EndOfWhole && (n != 0 || BitConverter.DoubleToInt64Bits(value) == 0))
            return Whole;
        double hundredths = value * 100;
        if (!(hundredths is > -EndOfHundredths and < EndOfHundredths))
            return Raw;
        n = Truncate(Round(hundredths));
        return n != 0 && n / 100.0 == value ? Hundredths : Raw;
    }

    /// <summary>Truncates a double; for a number beyond 64 bits the result is arbitrary but not equal to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static long Truncate(double value) =>
#if NET9_0_OR_GREATER
        // One instruction; a cast saturates, and takes seven.
        double.ConvertToIntegerNative<long>(value);
#else
        (long)value;
#endif

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static double Round(double value) =>
#if NET
        Vectors.Round(value);
#else
        Math.Round(value);
#endif

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static double RoundHundredfold(float value) =>
#if NET
        Vectors.Round(Vectors.Widen(value) * 100);
#else
        Math.Round(value * 100.0);
#endif

    /// <summary>Determines whether a float is the nearest one to a number of hundredths: false for most that are written as raw bits.</summary>
    /// <remarks>
    /// A product with 0.01 is rounded to the same float as the quotient by 100, for every number of hundredths below <see cref="EndOfSingle"/>.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsHundredths(float value) => (float)(RoundHundredfold(value) * 0.01) == value;

    /// <summary>Chooses the form of a float.</summary>
    private static int Shorten(float value, out int n)
    {
        n = 0;
        double hundredths = RoundHundredfold(value);
        // 41943.04f is below the end, and is rounded to it.
        if (!IsHundredths(value) || !(hundredths is > -EndOfSingle and < EndOfSingle))
            return Raw;
        n = (int)value;
        if (n == value)
            return n != 0 || BitConverter.DoubleToInt64Bits(value) == 0 ? Whole : Raw;
        n = (int)hundredths;
        return Hundredths;
    }

    /// <summary>Combines a whole number or hundredths with the sign and the form in the lowest bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Pack(long n, int form)
    {
        long sign = n >> 63;
        return ((ulong)((n ^ sign) - sign) << 2) | ((ulong)sign & 2) | (uint)form;
    }

    /// <summary>Writes ticks and kind: days, seconds, milliseconds or ticks, whichever is exact.</summary>
    /// <param name="position">The position of the first byte.</param>
    /// <param name="data">As of <see cref="DateTime.ToBinary"/>.</param>
    /// <returns>The number of bytes.</returns>
    private static int WriteDateContent(ref byte position, long data)
    {
        long count = data & TicksMask;
        int unit = UnitOf(count);
        count /= TicksOf(unit);
        ulong low = ((ulong)count << 4) | (((ulong)data >> 62) << 2) | (uint)unit;
        byte high = (byte)(count >> 60);
        LittleEndian.Write(ref position, (long)low);
        Unsafe.Add(ref position, 8) = high;
        return high != 0 ? 9 : LittleEndian.SizeOf(low);
    }

    private static int UnitOf(long ticks) =>
        ticks % TimeSpan.TicksPerMillisecond != 0 ? 3 : ticks % TimeSpan.TicksPerSecond != 0 ? 2 : ticks % TicksPerDay != 0 ? 1 : 0;

    private static long TicksOf(int unit) => unit switch { 0 => TicksPerDay, 1 => TimeSpan.TicksPerSecond, 2 => TimeSpan.TicksPerMillisecond, _ =>
        1 };

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte Header(ref byte position, byte code, int maxShort, byte longCode, int count)
    {
        if (count > maxShort)
            return ref LongHeader(ref position, longCode, count);
        position = (byte)(code + count);
        return ref Unsafe.Add(ref position, 1);
    }

    private static ref byte LongHeader(ref byte position, byte code, int count)
    {
        ref byte content = ref Unsafe.Add(ref position, 1);
        int size = count <= byte.MaxValue ? 0 : count <= ushort.MaxValue ? 1 : 2;
        position = (byte)(code + size);
        if (size == 0)
            content = (byte)count;
        else if (size == 1)
            LittleEndian.Write(ref content, (short)count);
        else
            LittleEndian.Write(ref content, count);
        return ref Unsafe.Add(ref content, 1 << size);
    }

    private static ref byte WriteLong(ref byte position, long value) =>
        ref value < 0 ? ref Number(ref position, CompactHead.Negative - 1, (ulong)~value) : ref WriteLong(ref position, (ulong)value);

    private static ref byte WriteLong(ref byte position, ulong value)
    {
        if (value >= CompactHead.EndOfTwoBytes)
            return ref Number(ref position, CompactHead.Content, value);
        int rest = (int)value - CompactHead.MinTwoBytes;
        position = (byte)(CompactHead.TwoBytes + (rest >> 8));
        Unsafe.Add(ref position, 1) = (byte)rest;
        return ref Unsafe.Add(ref position, 2);
    }

    /// <summary>Writes a number in the bytes that it needs. Overwrites at most as many bytes as its type may need.</summary>
    private static ref byte Number(ref byte position, byte code, ulong value)
    {
        int byteCount = LittleEndian.SizeOf(value);
        position = (byte)(code + byteCount);
        ref byte content = ref Unsafe.Add(ref position, 1);
        if (byteCount == 1)
            content = (byte)value;
        else if (byteCount == 2)
            LittleEndian.Write(ref content, (short)value);
        else if (byteCount <= 4)
            LittleEndian.Write(ref content, (int)value);
        else
            LittleEndian.Write(ref content, (long)value);
        return ref Unsafe.Add(ref content, byteCount);
    }
}
