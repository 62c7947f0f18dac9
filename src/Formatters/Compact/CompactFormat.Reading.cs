// docs/wire/compact.md, "What a reader refuses": each value has one form, and no other is accepted.
using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
#if NET
using System.Runtime.Intrinsics;
#endif
using Formatters.Custom;

namespace Formatters.Generated;

internal readonly partial struct CompactFormat
{
    private const int MaxOffsetMinutes = 14 * 60;

    private const int MaxNumberByteCount = 9;

    private static readonly IntegerForm[] Integers = IntegerForm.CreateTable(static first => first switch
    {
        <= CompactHead.MaxSmall => new IntegerForm(first, false, 0),
        > CompactHead.Content and <= CompactHead.Content + 8 => CreateLong(first - CompactHead.Content, false, CompactHead.EndOfTwoBytes),
        >= CompactHead.Negative and < CompactHead.Array => CreateLong(first - CompactHead.Negative + 1, true, -CompactHead.MinSmall),
        >= CompactHead.SmallNegative => new IntegerForm(~(sbyte)first, true, 0),
        >= CompactHead.TwoBytes => new IntegerForm(CompactHead.MinTwoBytes + ((first - CompactHead.TwoBytes) << 8), false, 1),
        _ => default,
    });

    /// <summary>The divisor of a number for each value of the lowest two bits of <see cref="Pack"/>.</summary>
    private static readonly double[] Divisors = [1, 100, -1, -100];

    private static readonly long[] TicksByUnit = [TicksOf(0), TicksOf(1), TicksOf(2), TicksOf(3)];

    private static readonly long[] MaxCountsByUnit = Array.ConvertAll(TicksByUnit, static ticks => DateTime.MaxValue.Ticks / ticks);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadNull(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Require(1);
        if (p != CompactHead.Null)
            return false;
        reader.Input.Advance(ref p, 1);
        return true;
    }

    /// <inheritdoc/>
    public bool ReadBoolean(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Require(1);
        if (p > 1)
            ThrowMismatch(ref reader, nameof(Boolean));
        bool value = p == 1;
        reader.Input.Advance(ref p, 1);
        return value;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadInteger(ref WireReader reader, long min, long max, string typeName)
    {
        ref byte p = ref reader.Input.Require(1);
        int value = p;
        if (value > CompactHead.MaxSmall || value < min)
            return ReadLongInteger(ref reader, min, max, typeName);
        reader.Input.Advance(ref p, 1);
        return value;
    }

    /// <inheritdoc/>
    public ulong ReadUInt64(ref WireReader reader)
    {
        if (IntegerForm.TryRead<CompactFormat>(Integers, ref reader, 0, long.MaxValue, out long small))
            return (ulong)small;
        int byteOffset = reader.ByteOffset;
        BigInteger value = ReadBigInteger(ref reader, nameof(UInt64));
        if (value.Sign < 0 || value > ulong.MaxValue)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(UInt64));
        return (ulong)value;
    }

    /// <inheritdoc/>
    public float ReadSingle(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Position;
        if (reader.Input.BytesRemaining >= MaxNumberByteCount && TryReadNumber(ref p, out float number, out int byteCount))
        {
            reader.Input.Advance(ref p, byteCount);
            return number;
        }

        int byteOffset = reader.ByteOffset;
        CompactHead head = CompactHead.Peek(ref reader);
        if (head.Kind == CompactKind.Integer)
        {
            reader.Input.Advance(head.ByteCount);
            return head.Argument;
        }

        ReadOnlySpan<byte> content = TakeContent(ref reader, head, nameof(Single));
        if (content.Length == 4)
        {
            float raw = LittleEndian.ReadSingle(ref MemoryMarshal.GetReference(content));
            if (Shorten(raw, out int _) != Raw)
                ThrowForm(byteOffset);
            return raw;
        }

        if (content.Length > 4)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Single));
        if (!TryUnpack(CompactHead.ToNumber(content), content.Length, out double wide) || Shorten((float)wide, out int n) == Raw
            || n != NumberOf(wide))
            ThrowForm(byteOffset);
        return (float)wide;

        static int NumberOf(double value) => (int)(Math.Floor(value) == value ? value : Round(value * 100));
    }

    /// <inheritdoc/>
    public double ReadDouble(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Position;
        if (reader.Input.BytesRemaining >= MaxNumberByteCount && TryReadNumber(ref p, out double value, out int byteCount))
        {
            reader.Input.Advance(ref p, byteCount);
            return value;
        }

        int byteOffset = reader.ByteOffset;
        CompactHead head = CompactHead.Peek(ref reader);
        if (head.Kind == CompactKind.Integer)
        {
            reader.Input.Advance(head.ByteCount);
            return head.Argument;
        }

        ReadOnlySpan<byte> content = TakeContent(ref reader, head, nameof(Double));
        if (content.Length > 8)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Double));
        if (content.Length == 8)
        {
            value = LittleEndian.ReadDouble(ref MemoryMarshal.GetReference(content));
            if (Shorten(value, out _) != Raw)
                ThrowForm(byteOffset);
        }
        else if (!TryUnpack(CompactHead.ToNumber(content), content.Length, out value))
        {
            ThrowForm(byteOffset);
        }

        return value;
    }

    /// <inheritdoc/>
    public void ReadDecimal(ref WireReader reader, out decimal value)
    {
        int byteOffset = reader.ByteOffset;
        CompactHead head = CompactHead.Peek(ref reader);
        if (head is { Kind: CompactKind.Integer, ByteCount: 1, Argument: >= 0 })
        {
            reader.Input.Advance(1);
            Decimals.Create((ulong)head.Argument, false, 0, out value);
            return;
        }

        ReadOnlySpan<byte> content = TakeContent(ref reader, head, nameof(Decimal));
        if (content.Length is 0 or > 13 || (content[0] & 0x7F) > 28)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Decimal));
        ReadOnlySpan<byte> digits = content.Slice(1);
        ulong low = CompactHead.ToNumber(digits.Slice(0, Math.Min(8, digits.Length)));
        uint high = digits.Length > 8 ? (uint)CompactHead.ToNumber(digits.Slice(8)) : 0;
        if (!digits.IsEmpty && digits[digits.Length - 1] == 0 || content[0] == 0 && high == 0 && low <= CompactHead.MaxSmall)
            ThrowForm(byteOffset);
        Decimals.Create(low, content[0] >= 0x80, content[0] & 0x7F, out value, high);
    }

    /// <inheritdoc/>
    public DateTime ReadDateTime(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Require(1);
        int contentByteCount = p - CompactHead.Content;
        // Without copying or rounding: all in their one form but local times, and the last in a body. Row "collections" of compact in models.
        if (contentByteCount is > 0 and <= 8 && reader.Input.BytesRemaining > 8)
        {
            ulong content = (ulong)LittleEndian.ReadInt64(ref Unsafe.Add(ref p, 1)) & (ulong.MaxValue >> (64 - (8 * contentByteCount)));
            (long count, int kind, int unit) = ((long)(content >> 4), (int)(content >> 2) & 3, (int)content & 3);
            long ticks = count * TicksByUnit[unit];
            if (count <= MaxCountsByUnit[unit] && kind <= (int)DateTimeKind.Utc && UnitOf(ticks) == unit
                && LittleEndian.SizeOf(content) == contentByteCount)
            {
                reader.Input.Advance(1 + contentByteCount);
                return new DateTime(ticks, (DateTimeKind)kind);
            }
        }

        int byteOffset = reader.ByteOffset;
        long data = ReadDateContent(TakeContent(ref reader, CompactHead.Peek(ref reader), nameof(DateTime)), byteOffset, nameof(DateTime));
        // Another form of a local time, which DateTime.FromBinary accepts but is never written.
        if ((ulong)data >> 62 == 3)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTime));
        try
        {
            return DateTime.FromBinary(data);
        }
        catch (ArgumentException)
        {
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTime));
            return default;
        }
    }

    /// <inheritdoc/>
    public DateTimeOffset ReadDateTimeOffset(ref WireReader reader)
    {
        int byteOffset = reader.ByteOffset;
        ReadOnlySpan<byte> content = TakeContent(ref reader, CompactHead.Peek(ref reader), nameof(DateTimeOffset));
        if (content.Length < 2)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTimeOffset));
        int dateByteCount = content.Length - 2;
        int minutes = (short)(content[dateByteCount] | (content[dateByteCount + 1] << 8));
        long ticks = ReadDateContent(content.Slice(0, dateByteCount), byteOffset, nameof(DateTimeOffset));
        long utc = ticks - (minutes * TimeSpan.TicksPerMinute);
        if (ticks < 0 || ticks > DateTime.MaxValue.Ticks || minutes is < -MaxOffsetMinutes or > MaxOffsetMinutes || utc < 0
            || utc > DateTime.MaxValue.Ticks)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTimeOffset));
        return new DateTimeOffset(ticks, TimeSpan.FromMinutes(minutes));
    }

    /// <inheritdoc/>
    public void ReadGuid(ref WireReader reader, out Guid value)
    {
        int byteOffset = reader.ByteOffset;
        BigEndian.ToGuid(TakeContent(ref reader, CompactHead.Peek(ref reader), nameof(Guid)), byteOffset, out value);
    }

    /// <inheritdoc/>
    public long ReadDate(ref WireReader reader) => ReadInteger(ref reader, int.MinValue, int.MaxValue, "DateOnly");

    /// <inheritdoc/>
    public BigInteger ReadBigInteger(ref WireReader reader) => ReadBigInteger(ref reader, nameof(BigInteger));

    /// <inheritdoc/>
    public void ReadWide(ref WireReader reader, bool isSigned, out ulong high, out ulong low)
    {
        int byteOffset = reader.ByteOffset;
        WireCode.Split(ReadBigInteger(ref reader, isSigned ? "Int128" : "UInt128"), isSigned, byteOffset, out high, out low);
    }

    /// <inheritdoc/>
    public string ReadUri(ref WireReader reader) => WireCode.ReadString<CompactFormat>(ref reader, null);

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadUtf8(ref WireReader reader) => TakeContent(ref reader, CompactHead.Peek(ref reader), nameof(String));

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadBytes(ref WireReader reader) => TakeContent(ref reader, CompactHead.Peek(ref reader), "byte array");

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadKey(ref WireReader reader, out bool isText)
    {
        CompactHead head = CompactHead.Peek(ref reader);
        isText = head.Kind == CompactKind.Content;
        if (isText)
            return TakeContent(ref reader, head, nameof(String));
        Skip(ref reader);
        return default;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadInt32(ref WireReader reader, ref byte position, out int byteCount)
    {
        if (reader.Input.RemainingAt(ref position) >= 3)
        {
            int first = position;
            byteCount = 1;
            if (first <= CompactHead.MaxSmall)
                return first;
            byteCount = 2;
            if ((uint)(first - CompactHead.TwoBytes) < CompactHead.SmallNegative - CompactHead.TwoBytes)
                return CompactHead.MinTwoBytes + ((first - CompactHead.TwoBytes) << 8) + Unsafe.Add(ref position, 1);
            byteCount = 3;
            int value = (ushort)LittleEndian.ReadInt16(ref Unsafe.Add(ref position, 1));
            if (first == (CompactHead.Content | 2) && value >= CompactHead.EndOfTwoBytes)
                return value;
        }

        int other = WireCode.ReadOtherInt32<CompactFormat>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return other;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float ReadSingle(ref WireReader reader, ref byte position, out int byteCount)
    {
        if (reader.Input.RemainingAt(ref position) >= 5 && position == (CompactHead.Content | 4))
        {
            float value = LittleEndian.ReadSingle(ref Unsafe.Add(ref position, 1));
            byteCount = 5;
            if (!IsHundredths(value))
                return value;
        }

        float other = WireCode.ReadOtherSingle<CompactFormat>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return other;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble(ref WireReader reader, ref byte position, out int byteCount)
    {
        if (reader.Input.RemainingAt(ref position) >= 9)
        {
            int first = position;
            byteCount = 1;
            if (first <= CompactHead.MaxSmall)
                return first;
            int contentByteCount = first - CompactHead.Content;
            byteCount = 1 + contentByteCount;
            // A number of fewer than 8 bytes, whose excess bytes are cut off, and whose last byte is not 0.
            ulong number = (ulong)LittleEndian.ReadInt64(ref Unsafe.Add(ref position, 1));
            if ((uint)(contentByteCount - 1) < 7 && Unsafe.Add(ref position, contentByteCount) != 0)
            {
                number &= ulong.MaxValue >> (64 - (8 * contentByteCount));
                // The most frequent case first: positive, in hundredths.
                if ((number & 3) == 1)
                {
                    number >>= 2;
                    if (number < (ulong)EndOfHundredths && !IsMultipleOf100(number))
                        return (double)(long)number / 100;
                }
                else if (TryUnpack(number, contentByteCount, out double value))
                {
                    return value;
                }
            }
        }

        double other = WireCode.ReadOtherDouble<CompactFormat>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return other;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsArrayOf(ref byte position, int remaining, int count, out int byteCount)
    {
        byteCount = count <= CompactHead.MaxShortCount ? 1 : 2;
        if (count <= CompactHead.MaxShortCount)
            return remaining > count && position == CompactHead.Array + count;
        return count <= byte.MaxValue && remaining > count + 1 && position == CompactHead.LongArray && Unsafe.Add(ref position, 1) == count;
    }

    /// <inheritdoc/>
    public int ReadArrayHeader(ref WireReader reader, int elementAllocation) => ReadCount(ref reader, CompactKind.Array, 1, elementAllocation);

    /// <inheritdoc/>
    public int ReadMapHeader(ref WireReader reader, int entryAllocation) => ReadCount(ref reader, CompactKind.Map, 2, entryAllocation);

#if NET
    /// <inheritdoc/>
    // Not inlined: inside its caller, the methods that it calls would no longer be inlined.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int ReadNumbers<T>(ref WireReader reader, scoped Span<T> numbers)
        where T : unmanaged
    {
        if (typeof(T) == typeof(int) || typeof(T) == typeof(long))
            return IntegerForm.Read<CompactFormat, T>(Integers, ref reader, numbers);
        // Rows "float[65536]" and "double[1000]" of compact in models.
        int count = 0;
        ref byte position = ref reader.Input.Position;
        while (count < numbers.Length && reader.Input.RemainingAt(ref position) >= MaxNumberByteCount)
        {
            if (TryReadRaw(ref position, reader.Input.RemainingAt(ref position), numbers.Slice(count)))
            {
                count += Vector128<T>.Count;
                position = ref Unsafe.Add(ref position, Vector128<T>.Count * (1 + Unsafe.SizeOf<T>()));
                continue;
            }

            if (!TryReadNumber(ref position, out T number, out int byteCount))
                break;
            numbers[count++] = number;
            position = ref Unsafe.Add(ref position, byteCount);
        }

        reader.Input.MoveTo(ref position);
        return count;
    }

    /// <summary>Reads as many numbers as a vector holds, if all are raw bits, and none has a shorter form.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryReadRaw<T>(ref byte position, int remaining, scoped Span<T> numbers)
        where T : unmanaged
    {
        int head = CompactHead.Content | Unsafe.SizeOf<T>(), byteCount = 1 + Unsafe.SizeOf<T>();
        ref byte second = ref Unsafe.Add(ref position, byteCount);
        if (position != head || !Vector128.IsHardwareAccelerated || !BitConverter.IsLittleEndian || numbers.Length < Vector128<T>.Count
            || remaining < Vector128<T>.Count * byteCount || second != head)
            return false;
        Vector128<T> block;
        if (typeof(T) == typeof(float))
        {
            ref byte third = ref Unsafe.Add(ref second, byteCount);
            ref byte fourth = ref Unsafe.Add(ref third, byteCount);
            if (((third ^ head) | (fourth ^ head)) != 0)
                return false;
            block = Vector128.Create(LittleEndian.ReadSingle(ref Unsafe.Add(ref position, 1)), LittleEndian.ReadSingle(ref Unsafe.Add(ref second, 1)),
                LittleEndian.ReadSingle(ref Unsafe.Add(ref third, 1)), LittleEndian.ReadSingle(ref Unsafe.Add(ref fourth, 1))).As<float, T>();
        }
        else
        {
            block = Vector128.Create(LittleEndian.ReadDouble(ref Unsafe.Add(ref position, 1)), LittleEndian.ReadDouble(ref Unsafe.Add(ref second, 1)))
                .As<double, T>();
        }

        if (!AreRaw(block))
            return false;
        block.CopyTo(numbers);
        return true;
    }
#endif

    /// <inheritdoc/>
    public void Skip(ref WireReader reader)
    {
        CompactHead head = CompactHead.Peek(ref reader);
        switch (head.Kind)
        {
            case CompactKind.Array or CompactKind.Map:
                int perItem = head.Kind == CompactKind.Map ? 2 : 1;
                long count = ReadCount(ref reader, head.Kind, perItem, 0) * (long)perItem;
                reader.Enter();
                for (; count > 0; count--)
                    Skip(ref reader);
                reader.Leave();
                break;
            case CompactKind.Content or CompactKind.Negative:
                Take(ref reader, head);
                break;
            default:
                reader.Input.Advance(head.ByteCount);
                break;
        }
    }

    /// <summary>Returns the bytes after the head.</summary>
    internal static ReadOnlySpan<byte> Take(ref WireReader reader, CompactHead head)
    {
        if (head.Argument > reader.Input.BytesRemaining - head.ByteCount)
            reader.Input.ThrowTruncated(head.ByteCount + head.Argument);
        reader.Input.Advance(head.ByteCount);
        return reader.Input.Take((int)head.Argument);
    }

    /// <summary>Reads an integer of any size.</summary>
    internal static BigInteger ReadBigInteger(ref WireReader reader, string typeName)
    {
        int byteOffset = reader.ByteOffset;
        CompactHead head = CompactHead.Peek(ref reader);
        if (head.Kind == CompactKind.Integer)
        {
            reader.Input.Advance(head.ByteCount);
            return head.Argument;
        }

        if (head.Kind is not (CompactKind.Content or CompactKind.Negative) || head.Argument == 0)
            ThrowMismatch(ref reader, typeName);
        ReadOnlySpan<byte> content = Take(ref reader, head);
        byte last = content[content.Length - 1];
        if (content.Length <= 8)
        {
            ulong number = CompactHead.ToNumber(content);
            if (last == 0 || (head.Kind == CompactKind.Content ? number < CompactHead.EndOfTwoBytes : number < -CompactHead.MinSmall))
                ThrowForm(byteOffset);
            // As many as the complement of a long has.
            if (head.Kind == CompactKind.Negative && number > long.MaxValue)
                ThrowHelper.ThrowBadValue(byteOffset, typeName);
            return head.Kind == CompactKind.Content ? number : ~(long)number;
        }

        byte[] bytes = content.ToArray();
        var value = new BigInteger(bytes);
        if (value >= long.MinValue && value <= ulong.MaxValue || value.ToByteArray().Length != bytes.Length)
            ThrowForm(byteOffset);
        return value;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long ReadLongInteger(ref WireReader reader, long min, long max, string typeName)
    {
        if (IntegerForm.TryRead<CompactFormat>(Integers, ref reader, min, max, out long value))
            return value;
        int byteOffset = reader.ByteOffset;
        CompactHead head = CompactHead.Peek(ref reader);
        value = head.Argument;
        if (head.Kind == CompactKind.Integer)
        {
            reader.Input.Advance(head.ByteCount);
        }
        else
        {
            BigInteger number = ReadBigInteger(ref reader, typeName);
            if (number < long.MinValue || number > long.MaxValue)
                ThrowHelper.ThrowBadValue(byteOffset, typeName);
            value = (long)number;
        }

        if (value < min || value > max)
            ThrowHelper.ThrowBadValue(byteOffset, typeName);
        return value;
    }

    /// <summary>Creates the form of an integer after a head, whose last byte is not 0.</summary>
    private static IntegerForm CreateLong(int byteCount, bool isNegative, int min) =>
        new(0, isNegative, byteCount, Math.Max((ulong)min, byteCount == 1 ? 0 : 1UL << (8 * (byteCount - 1))));

    private static int ReadCount(ref WireReader reader, CompactKind kind, int minElementByteCount, int elementAllocation)
    {
        int byteOffset = reader.ByteOffset;
        CompactHead head = CompactHead.Peek(ref reader);
        if (head.Kind != kind)
            ThrowMismatch(ref reader, kind == CompactKind.Array ? "array" : "map");
        reader.Input.Advance(head.ByteCount);
        reader.Input.CheckCount(byteOffset, head.Argument, minElementByteCount, elementAllocation);
        return (int)head.Argument;
    }

    private static ReadOnlySpan<byte> TakeContent(ref WireReader reader, CompactHead head, string typeName)
    {
        if (head.Kind != CompactKind.Content)
            ThrowMismatch(ref reader, typeName);
        return Take(ref reader, head);
    }

    /// <summary>Decodes a number at a position from which <see cref="MaxNumberByteCount"/> bytes can be read.</summary>
    /// <returns>False for a value that is not a number in its one form.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryReadNumber<T>(ref byte position, out T number, out int byteCount)
        where T : unmanaged
    {
        bool isSingle = typeof(T) == typeof(float);
        int first = position;
        int contentByteCount = first - CompactHead.Content;
        byteCount = 1 + contentByteCount;
        double value;
        if (contentByteCount == Unsafe.SizeOf<T>())
        {
            ref byte bits = ref Unsafe.Add(ref position, 1);
            float single = isSingle ? LittleEndian.ReadSingle(ref bits) : 0;
            value = isSingle ? 0 : LittleEndian.ReadDouble(ref bits);
            number = isSingle ? Unsafe.As<float, T>(ref single) : Unsafe.As<double, T>(ref value);
            return (isSingle ? Shorten(single, out int _) : Shorten(value, out long _)) == Raw;
        }

        bool isValid;
        if ((uint)(contentByteCount - 1) < (isSingle ? 3 : 7))
        {
            ulong content = (ulong)LittleEndian.ReadInt64(ref Unsafe.Add(ref position, 1)) & (ulong.MaxValue >> (64 - (8 * contentByteCount)));
            ulong n = content >> 2;
            // By 1 or 100, whose sign is the number's: a number in its form is not 0.
            value = (double)(long)n / Divisors[(int)content & 3];
            isValid = Unsafe.Add(ref position, contentByteCount) != 0
                && ((content & 1) != 0
                    ? n < (isSingle ? (ulong)EndOfSingle : (ulong)EndOfHundredths) && !IsMultipleOf100(n)
                    : n < (isSingle ? (ulong)EndOfSingle / 100 + 1 : (ulong)EndOfWhole)
                        && n > ((content & 2) != 0 ? (ulong)-CompactHead.MinSmall : CompactHead.EndOfTwoBytes - 1));
        }
        else if ((sbyte)first >= CompactHead.MinSmall)
        {
            byteCount = 1;
            value = (sbyte)first;
            isValid = true;
        }
        else
        {
            byteCount = 2;
            value = CompactHead.MinTwoBytes + ((first - CompactHead.TwoBytes) << 8) + Unsafe.Add(ref position, 1);
            isValid = first >= CompactHead.TwoBytes;
        }

        float rounded = (float)value;
        number = isSingle ? Unsafe.As<float, T>(ref rounded) : Unsafe.As<double, T>(ref value);
        return isValid;
    }

    /// <summary>Converts the result of <see cref="Pack"/> back to a double, if it is in its only valid form.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryUnpack(ulong number, int byteCount, out double value)
    {
        ulong n = number >> 2;
        bool isNegative = (number & 2) != 0;
        value = (long)n;
        if (byteCount == 0 || number >> (8 * (byteCount - 1)) == 0)
            return false;
        if ((number & 1) != 0)
        {
            value /= 100;
            value = isNegative ? -value : value;
            return n < (ulong)EndOfHundredths && !IsMultipleOf100(n);
        }

        value = isNegative ? -value : value;
        return n < (ulong)EndOfWhole && n >= (isNegative ? (ulong)(-CompactHead.MinSmall) + 1 : CompactHead.EndOfTwoBytes);
    }

    /// <summary>
    /// Determines whether a number is a multiple of 100 with one multiplication: of 25 by its inverse modulo 2^64, of 4 by the bits rotated to the
    /// top.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsMultipleOf100(ulong number)
    {
        ulong product = number * 0x8F5C28F5C28F5C29;
        return ((product >> 2) | (product << 62)) <= ulong.MaxValue / 100;
    }

    private static long ReadDateContent(ReadOnlySpan<byte> content, int byteOffset, string typeName)
    {
        if (content.Length > 9)
            ThrowHelper.ThrowBadValue(byteOffset, typeName);
        ulong low = CompactHead.ToNumber(content.Slice(0, Math.Min(8, content.Length)));
        long count = (long)(low >> 4) | (content.Length > 8 ? (long)content[8] << 60 : 0);
        int unit = (int)low & 3;
        long ticks = count * TicksOf(unit);
        if (count < 0 || content.Length > 8 && content[8] > 3 || count > TicksMask / TicksOf(unit))
            ThrowHelper.ThrowBadValue(byteOffset, typeName);
        if (!content.IsEmpty && content[content.Length - 1] == 0 || UnitOf(ticks) != unit)
            ThrowForm(byteOffset);
        return ticks | (long)((low >> 2) << 62);
    }

    private static void ThrowForm(int byteOffset) =>
        ThrowHelper.ThrowMalformed(byteOffset, "The value is not in its one form: it has more bytes than it needs.");

    private static void ThrowMismatch(ref WireReader reader, string what)
    {
        if (reader.Input.Require(1) == CompactHead.Null)
            ThrowHelper.ThrowUnexpectedNil(reader.ByteOffset);
        CompactHead.Peek(ref reader);
        ThrowHelper.ThrowBadValue(reader.ByteOffset, what);
    }
}
