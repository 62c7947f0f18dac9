// https://www.rfc-editor.org/rfc/rfc8949#section-3. Integers, floats, lengths and tags are read in any width; indefinite lengths by Skip alone.
using System;
using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;
using Formatters.Custom;

namespace Formatters.Generated;

internal readonly partial struct CborFormat
{
    private const int MaxScale = 28;
    private const int MaxIntegerByteCount = 9;
    private const double TwoToThe64 = 18_446_744_073_709_551_616.0;

    /// <summary>The sizes of values that their first bytes determine; 0 for others. Row "word counts" of cbor in models.</summary>
    private static readonly byte[] SizesByFirstByte = CreateSizes();

    private static readonly IntegerForm[] Integers = IntegerForm.CreateTable(static first =>
    {
        int info = first & 31;
        int argumentByteCount = info <= CborHead.MaxShort ? 0 : 1 << (info - 24);
        return first >= CborHead.Bytes || info > 27
            ? default
            : new IntegerForm(argumentByteCount == 0 ? info : 0, first >= CborHead.Negative, argumentByteCount);
    });

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadNull(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Require(1);
        if (p is not (CborHead.Null or CborHead.Undefined))
            return false;
        reader.Input.Advance(ref p, 1);
        return true;
    }

    /// <inheritdoc/>
    public bool ReadBoolean(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Require(1);
        if (p is not (CborHead.True or CborHead.False))
            ThrowMismatch(ref reader, nameof(Boolean));
        bool value = p == CborHead.True;
        reader.Input.Advance(ref p, 1);
        return value;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadInteger(ref WireReader reader, long min, long max, string typeName)
    {
        ref byte p = ref reader.Input.Require(1);
        int value = p;
        if (value > CborHead.MaxShort)
            return ReadLongInteger(ref reader, min, max, typeName);
        reader.Input.Advance(ref p, 1);
        return value;
    }

    /// <inheritdoc/>
    public ulong ReadUInt64(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Require(1);
        int form = p - CborHead.UInt8;
        if ((uint)form <= 3 && reader.Input.BytesRemaining >= MaxIntegerByteCount)
        {
            reader.Input.Advance(ref p, 1 + (1 << form));
            return BigEndian.ReadUInt64(ref Unsafe.Add(ref p, 1)) >> (64 - (8 << form));
        }

        CborHead head = CborHead.Peek(ref reader);
        if (head.Major != CborHead.Unsigned)
            ThrowMismatch(ref reader, nameof(UInt64));
        reader.Input.Advance(head.ByteCount);
        return head.Argument;
    }

    /// <inheritdoc/>
    public float ReadSingle(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Require(1);
        if (p == CborHead.Single && reader.Input.BytesRemaining >= 5)
        {
            reader.Input.Advance(ref p, 5);
            return BigEndian.ToSingle(BigEndian.ReadUInt32(ref Unsafe.Add(ref p, 1)));
        }

        if (p == CborHead.Half && reader.Input.BytesRemaining >= 3)
        {
            reader.Input.Advance(ref p, 3);
            return (float)CborHead.FromHalf(BigEndian.ReadUInt16(ref Unsafe.Add(ref p, 1)));
        }

        int byteOffset = reader.ByteOffset;
        double wide = ReadDouble(ref reader, nameof(Single), out bool isExact);
        float value = (float)wide;
        if (!isExact || value != wide && !double.IsNaN(wide))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Single));
        return value;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Require(1);
        if (p != CborHead.Double || reader.Input.BytesRemaining < 9)
            return ReadDouble(ref reader, nameof(Double), out _);
        reader.Input.Advance(ref p, 9);
        return BitConverter.Int64BitsToDouble((long)BigEndian.ReadUInt64(ref Unsafe.Add(ref p, 1)));
    }

    /// <inheritdoc/>
    public void ReadDecimal(ref WireReader reader, out decimal value)
    {
        int byteOffset = reader.ByteOffset;
        if (TryReadShortDecimal(ref reader, out value))
            return;
        CborHead head = CborHead.Peek(ref reader);
        if (head.Major == CborHead.Text)
        {
            if (!decimal.TryParse(WireCode.ReadString<CborFormat>(ref reader, null), NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint,
                CultureInfo.InvariantCulture, out value))
                ThrowHelper.ThrowBadValue(byteOffset, nameof(Decimal));
            return;
        }

        long exponent = 0;
        if (head is { Major: CborHead.Tag, Argument: CborHead.DecimalFraction & 31 })
        {
            reader.Input.Advance(head.ByteCount);
            if (ReadArrayHeader(ref reader, 0) != 2)
                ThrowHelper.ThrowBadValue(byteOffset, nameof(Decimal));
            exponent = ReadInteger(ref reader, -MaxScale, MaxScale, nameof(Decimal));
            head = CborHead.Peek(ref reader);
        }

        // All but large ones and whole numbers with zeros left out: row "invoice" of cbor in models.
        if (exponent <= 0 && (head.Major is CborHead.Unsigned or CborHead.Negative) && head.Argument != ulong.MaxValue)
        {
            reader.Input.Advance(head.ByteCount);
            bool isNegative = head.Major == CborHead.Negative;
            ulong magnitude = isNegative ? head.Argument + 1 : head.Argument;
            Decimals.Create(magnitude, isNegative, (int)-exponent, out value);
            return;
        }

        BigInteger mantissa = ReadBigInteger(ref reader, nameof(Decimal));
        if (exponent > 0)
            mantissa *= BigInteger.Pow(10, (int)exponent);
        if (BigInteger.Abs(mantissa) > new BigInteger(decimal.MaxValue))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Decimal));
        Span<int> bits = stackalloc int[4];
        Decimals.GetBits((decimal)mantissa, bits);
        value = exponent >= 0 ? (decimal)mantissa : new decimal(bits[0], bits[1], bits[2], bits[3] < 0, (byte)-exponent);
    }

    /// <inheritdoc/>
    public DateTime ReadDateTime(ref WireReader reader)
    {
        if (TryReadUnixTime(ref reader, out long ticks))
            return new DateTime(ticks, DateTimeKind.Utc);
        ticks = ReadDateText(ref reader, nameof(DateTime), out int? offsetMinutes, out bool isUtc);
        return DateText.ToDateTime(ticks, offsetMinutes, isUtc);
    }

    /// <inheritdoc/>
    public DateTimeOffset ReadDateTimeOffset(ref WireReader reader)
    {
        int byteOffset = reader.ByteOffset;
        if (TryReadUnixTime(ref reader, out long ticks))
            return new DateTimeOffset(ticks, TimeSpan.Zero);
        ticks = ReadDateText(ref reader, nameof(DateTimeOffset), out int? offsetMinutes, out bool isUtc);
        if (!DateText.TryToDateTimeOffset(ticks, offsetMinutes, isUtc, out DateTimeOffset value))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTimeOffset));
        return value;
    }

    /// <inheritdoc/>
    public void ReadGuid(ref WireReader reader, out Guid value)
    {
        int byteOffset = reader.ByteOffset;
        // The tag and the head as they are written.
        ref byte p = ref reader.Input.Position;
        if (reader.Input.BytesRemaining >= 3 + 16 && p == (CborHead.Tag | 24) && Unsafe.Add(ref p, 1) == CborHead.GuidTag
            && Unsafe.Add(ref p, 2) == (CborHead.Bytes | 16))
        {
            reader.Input.Advance(ref p, 3);
            BigEndian.ToGuid(reader.Input.Take(16), byteOffset, out value);
            return;
        }

        SkipTag(ref reader, CborHead.GuidTag);
        BigEndian.ToGuid(ReadBytes(ref reader, nameof(Guid)), byteOffset, out value);
    }

    /// <inheritdoc/>
    public long ReadDate(ref WireReader reader)
    {
        ref byte p = ref reader.Input.Position;
        if (reader.Input.BytesRemaining >= 2 && p == (CborHead.Tag | 24) && Unsafe.Add(ref p, 1) == CborHead.DateTag)
            reader.Input.Advance(ref p, 2);
        else
            SkipTag(ref reader, CborHead.DateTag);
        return ReadInteger(ref reader, int.MinValue, int.MaxValue, "DateOnly") + CborHead.UnixDayNumber;
    }

    /// <inheritdoc/>
    public BigInteger ReadBigInteger(ref WireReader reader) => ReadBigInteger(ref reader, nameof(BigInteger));

    /// <inheritdoc/>
    public void ReadWide(ref WireReader reader, bool isSigned, out ulong high, out ulong low)
    {
        int byteOffset = reader.ByteOffset;
        WireCode.Split(ReadBigInteger(ref reader), isSigned, byteOffset, out high, out low);
    }

    /// <inheritdoc/>
    public string ReadUri(ref WireReader reader)
    {
        SkipTag(ref reader, CborHead.UriTag);
        return WireCode.ReadString<CborFormat>(ref reader, null);
    }

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadUtf8(ref WireReader reader) => ReadUtf8(ref reader, nameof(String));

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadBytes(ref WireReader reader) => ReadBytes(ref reader, "byte string");

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadKey(ref WireReader reader, out bool isText)
    {
        CborHead head = CborHead.Peek(ref reader);
        isText = head.Major == CborHead.Text && !head.IsIndefinite;
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
            if (first <= CborHead.MaxShort)
                return first;
            byteCount = 3;
            if (first == CborHead.UInt16)
                return BigEndian.ReadUInt16(ref Unsafe.Add(ref position, 1));
            byteCount = 2;
            if (first == CborHead.UInt8)
                return Unsafe.Add(ref position, 1);
        }

        int other = WireCode.ReadOtherInt32<CborFormat>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return other;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float ReadSingle(ref WireReader reader, ref byte position, out int byteCount)
    {
        if (reader.Input.RemainingAt(ref position) >= 5 && position == CborHead.Single)
        {
            byteCount = 5;
            return BigEndian.ToSingle(BigEndian.ReadUInt32(ref Unsafe.Add(ref position, 1)));
        }

        float other = WireCode.ReadOtherSingle<CborFormat>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return other;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble(ref WireReader reader, ref byte position, out int byteCount)
    {
        if (reader.Input.RemainingAt(ref position) >= 9 && position == CborHead.Double)
        {
            byteCount = 9;
            return BitConverter.Int64BitsToDouble((long)BigEndian.ReadUInt64(ref Unsafe.Add(ref position, 1)));
        }

        if (reader.Input.RemainingAt(ref position) >= 3 && position == CborHead.Half)
        {
            byteCount = 3;
            return CborHead.FromHalf(BigEndian.ReadUInt16(ref Unsafe.Add(ref position, 1)));
        }

        double other = WireCode.ReadOtherDouble<CborFormat>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return other;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsArrayOf(ref byte position, int remaining, int count, out int byteCount)
    {
        byteCount = count <= CborHead.MaxShort ? 1 : 2;
        if (count <= CborHead.MaxShort)
            return remaining > count && position == (CborHead.Array | count);
        return count <= byte.MaxValue && remaining > count + 1 && position == (CborHead.Array | 24) && Unsafe.Add(ref position, 1) == count;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadArrayHeader(ref WireReader reader, int elementAllocation)
    {
        ref byte p = ref reader.Input.Position;
        int remaining = reader.Input.RemainingAt(ref p);
        if (remaining > 0 && elementAllocation == 0)
        {
            int count = p - CborHead.Array;
            if ((uint)count <= CborHead.MaxShort && count < remaining && count <= reader.Input.Limits.MaxElementCount)
            {
                reader.Input.Advance(ref p, 1);
                return count;
            }
        }

        return ReadCount(ref reader, CborHead.Array, 1, elementAllocation);
    }

    /// <inheritdoc/>
    public int ReadMapHeader(ref WireReader reader, int entryAllocation) => ReadCount(ref reader, CborHead.Map, 2, entryAllocation);

#if NET
    /// <inheritdoc/>
    // Not inlined: inside its caller, the methods that it calls would no longer be inlined.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int ReadNumbers<T>(ref WireReader reader, scoped Span<T> numbers)
        where T : unmanaged
    {
        if (typeof(T) == typeof(int) || typeof(T) == typeof(long))
            return IntegerForm.Read<CborFormat, T>(Integers, ref reader, numbers);
        int count = 0;
        ref byte position = ref reader.Input.Position;
        int code = typeof(T) == typeof(float) ? CborHead.Single : CborHead.Double;
        int byteCount = 1 + Unsafe.SizeOf<T>();
        for (; count < numbers.Length && reader.Input.RemainingAt(ref position) >= byteCount; count++)
        {
            ref byte content = ref Unsafe.Add(ref position, 1);
            if (position == CborHead.Half)
            {
                double half = CborHead.FromHalf(BigEndian.ReadUInt16(ref content));
                numbers[count] = typeof(T) == typeof(float) ? Unsafe.BitCast<float, T>((float)half) : Unsafe.BitCast<double, T>(half);
                position = ref Unsafe.Add(ref position, 3);
                continue;
            }

            if (position != code)
                break;
            numbers[count] = typeof(T) == typeof(float)
                ? Unsafe.BitCast<uint, T>(BigEndian.ReadUInt32(ref content))
                : Unsafe.BitCast<ulong, T>(BigEndian.ReadUInt64(ref content));
            position = ref Unsafe.Add(ref position, byteCount);
        }

        reader.Input.MoveTo(ref position);
        return count;
    }
#endif

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ByteCountOf(byte first) => SizesByFirstByte[first];

    /// <inheritdoc/>
    public void Skip(ref WireReader reader)
    {
        int byteCount = ByteCountOf(reader.Input.Require(1));
        if (byteCount > 0 && byteCount <= reader.Input.BytesRemaining)
            reader.Input.Advance(byteCount);
        else
            SkipOther(ref reader);
    }

    private void SkipOther(ref WireReader reader)
    {
        CborHead head = CborHead.Peek(ref reader);
        while (head.Major == CborHead.Tag)
        {
            reader.Input.Advance(head.ByteCount);
            head = CborHead.Peek(ref reader);
        }

        if (head.Major is CborHead.Unsigned or CborHead.Negative || head.Major == CborHead.Other && !head.IsIndefinite)
        {
            reader.Input.Advance(head.ByteCount);
            return;
        }

        if (head.Major is CborHead.Bytes or CborHead.Text)
        {
            if (!head.IsIndefinite)
                TakeContent(ref reader, head, "string");
            else
                SkipChunks(ref reader, head.Major);
            return;
        }

        if (head.IsBreak)
            ThrowHelper.ThrowMalformed(reader.ByteOffset, "A break is not allowed here.");
        long count = head.IsIndefinite
            ? long.MaxValue
            : ReadCount(ref reader, head.Major, head.Major == CborHead.Map ? 2 : 1, 0) * (head.Major == CborHead.Map ? 2L : 1);
        if (head.IsIndefinite)
            reader.Input.Advance(1);
        reader.Enter();
        for (long i = 0; i < count && !(head.IsIndefinite && TryReadBreak(ref reader, isAllowed: head.Major == CborHead.Array || i % 2 == 0)); i++)
            Skip(ref reader);
        reader.Leave();
    }

    /// <summary>Tries to read the break of an item with an indefinite length.</summary>
    internal static bool TryReadBreak(ref WireReader reader, bool isAllowed)
    {
        if (reader.Input.Require(1) != CborHead.Break)
            return false;
        if (!isAllowed)
            ThrowHelper.ThrowMalformed(reader.ByteOffset, "A key has no value.");
        reader.Input.Advance(1);
        return true;
    }

    /// <summary>Returns the content of a string of definite length.</summary>
    internal static ReadOnlySpan<byte> TakeContent(ref WireReader reader, CborHead head, string what)
    {
        if (head.IsIndefinite)
            ThrowIndefinite(ref reader, what);
        if (head.Argument > (ulong)(reader.Input.BytesRemaining - head.ByteCount))
            reader.Input.ThrowTruncated(head.ByteCount + (long)Math.Min(head.Argument, long.MaxValue / 2));
        reader.Input.Advance(head.ByteCount);
        return reader.Input.Take((int)head.Argument);
    }

    private static byte[] CreateSizes()
    {
        byte[] sizes = new byte[256];
        for (int first = 0; first < sizes.Length; first++)
        {
            int info = first & 31;
            int headByteCount = info <= CborHead.MaxShort ? 1 : info <= 27 ? 1 + (1 << (info - 24)) : 0;
            // A simple value of two bytes may be malformed.
            if (first < CborHead.Bytes || first >= CborHead.Other && first != (CborHead.Other | 24))
                sizes[first] = (byte)headByteCount;
            else if (first < CborHead.Array && headByteCount == 1)
                sizes[first] = (byte)(1 + info);
        }

        return sizes;
    }

    private static void SkipChunks(ref WireReader reader, byte major)
    {
        reader.Input.Advance(1);
        while (!TryReadBreak(ref reader, isAllowed: true))
        {
            CborHead chunk = CborHead.Peek(ref reader);
            if (chunk.Major != major || chunk.IsIndefinite)
                ThrowHelper.ThrowMalformed(reader.ByteOffset, "A part of a string is of another type, or of indefinite length itself.");
            TakeContent(ref reader, chunk, "string");
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long ReadLongInteger(ref WireReader reader, long min, long max, string typeName)
    {
        ref byte p = ref reader.Input.Position;
        if (TryDecodeInteger(ref p, reader.Input.BytesRemaining, min, max, out long value, out int byteCount))
        {
            reader.Input.Advance(ref p, byteCount);
            return value;
        }

        int byteOffset = reader.ByteOffset;
        CborHead head = CborHead.Peek(ref reader);
        if (head.Major is not (CborHead.Unsigned or CborHead.Negative))
            ThrowMismatch(ref reader, typeName);
        value = head.Major == CborHead.Unsigned ? (long)head.Argument : ~(long)head.Argument;
        if (head.Argument > long.MaxValue || value < min || value > max)
            ThrowHelper.ThrowBadValue(byteOffset, typeName);
        reader.Input.Advance(head.ByteCount);
        return value;
    }

    /// <summary>Tries to decode an integer within bounds, without branches for its size and sign.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryDecodeInteger(ref byte position, int remaining, long min, long max, out long value, out int byteCount)
    {
        value = 0;
        byteCount = 1;
        if (remaining < MaxIntegerByteCount || position >= CborHead.Bytes)
            return false;
        int form = (position & 31) - CborHead.UInt8;
        long complement = -(long)(position >> 5);
        if (form < 0)
        {
            value = (position & 31) ^ complement;
        }
        else
        {
            ulong argument = BigEndian.ReadUInt64(ref Unsafe.Add(ref position, 1)) >> (64 - (8 << form));
            if (form > 3 || argument > long.MaxValue)
                return false;
            value = (long)argument ^ complement;
            byteCount = 1 + (1 << form);
        }

        return value >= min && value <= max;
    }

    /// <summary>Reads a float, or an integer, which is rounded once.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static double ReadDouble(ref WireReader reader, string typeName, out bool isExact)
    {
        CborHead head = CborHead.Peek(ref reader);
        if (!(head.Major is CborHead.Unsigned or CborHead.Negative || head.Major == CborHead.Other && head.ByteCount is 3 or 5 or 9))
            ThrowMismatch(ref reader, typeName);
        reader.Input.Advance(head.ByteCount);
        isExact = true;
        if (head.Major == CborHead.Other)
            return head.ToDouble();
        ulong size = head.Major == CborHead.Negative ? head.Argument + 1 : head.Argument;
        double value = size == 0 && head.Major == CborHead.Negative ? TwoToThe64 : size;
        isExact = value >= TwoToThe64 ? size == 0 : (ulong)value == size;
        return head.Major == CborHead.Negative ? -value : value;
    }

    /// <summary>Tries to read a decimal as it is written: a tag, an array of two, a scale in one byte and an integer of 63 bits.</summary>
    private static bool TryReadShortDecimal(ref WireReader reader, out decimal value)
    {
        value = 0;
        ref byte p = ref reader.Input.Position;
        if (reader.Input.BytesRemaining < 3 + MaxIntegerByteCount || p != CborHead.DecimalFraction || Unsafe.Add(ref p, 1) != (CborHead.Array | 2))
            return false;
        // 0, or the complement of the scale minus one.
        byte exponent = Unsafe.Add(ref p, 2);
        int scale = exponent == 0 ? 0 : exponent - CborHead.Negative + 1;
        if ((uint)scale > CborHead.MaxShort + 1 || exponent is > 0 and < CborHead.Negative || reader.Input.Limits.MaxElementCount < 2)
            return false;
        if (!TryDecodeInteger(ref Unsafe.Add(ref p, 3), reader.Input.BytesRemaining - 3, long.MinValue + 1, long.MaxValue, out long number,
            out int byteCount))
            return false;
        reader.Input.Advance(ref p, 3 + byteCount);
        Decimals.Create((ulong)Math.Abs(number), number < 0, scale, out value);
        return true;
    }

    private static BigInteger ReadBigInteger(ref WireReader reader, string typeName)
    {
        CborHead head = CborHead.Peek(ref reader);
        if (head.Major is CborHead.Unsigned or CborHead.Negative)
        {
            reader.Input.Advance(head.ByteCount);
            return head.Major == CborHead.Unsigned ? head.Argument : -1 - new BigInteger(head.Argument);
        }

        if (head.Major != CborHead.Tag || head.Argument is not (2 or 3))
            ThrowMismatch(ref reader, typeName);
        reader.Input.Advance(head.ByteCount);
        ReadOnlySpan<byte> bytes = ReadBytes(ref reader, typeName);
        byte[] reversed = new byte[bytes.Length + 1];
        bytes.CopyTo(reversed.AsSpan(1));
        Array.Reverse(reversed);
        var value = new BigInteger(reversed);
        return head.Argument == 2 ? value : -1 - value;
    }

    private static ReadOnlySpan<byte> ReadBytes(ref WireReader reader, string typeName)
    {
        CborHead head = CborHead.Peek(ref reader);
        if (head.Major != CborHead.Bytes)
            ThrowMismatch(ref reader, typeName);
        return TakeContent(ref reader, head, typeName);
    }

    private static ReadOnlySpan<byte> ReadUtf8(ref WireReader reader, string typeName)
    {
        ref byte p = ref reader.Input.Require(1);
        int remaining = reader.Input.BytesRemaining - 1;
        int byteCount = p - CborHead.Text;
        if ((uint)byteCount <= CborHead.MaxShort && byteCount <= remaining)
        {
            reader.Input.Advance(1);
            return reader.Input.Take(byteCount);
        }

        // Most dates.
        if (byteCount == CborHead.UInt8 && remaining > 0 && Unsafe.Add(ref p, 1) < remaining)
        {
            reader.Input.Advance(2);
            return reader.Input.Take(Unsafe.Add(ref p, 1));
        }

        CborHead head = CborHead.Peek(ref reader);
        if (head.Major != CborHead.Text)
            ThrowMismatch(ref reader, typeName);
        return TakeContent(ref reader, head, typeName);
    }

    private static int ReadCount(ref WireReader reader, byte major, int minElementByteCount, int elementAllocation)
    {
        int byteOffset = reader.ByteOffset;
        CborHead head = CborHead.Peek(ref reader);
        string what = major == CborHead.Array ? "array" : "map";
        if (head.Major != major)
            ThrowMismatch(ref reader, what);
        if (head.IsIndefinite)
            ThrowIndefinite(ref reader, what);
        reader.Input.Advance(head.ByteCount);
        reader.Input.CheckCount(byteOffset, (long)Math.Min(head.Argument, uint.MaxValue), minElementByteCount, elementAllocation);
        return (int)head.Argument;
    }

    private static void SkipTag(ref WireReader reader, byte tag)
    {
        CborHead head = CborHead.Peek(ref reader);
        if (head.Major == CborHead.Tag && head.Argument == tag)
            reader.Input.Advance(head.ByteCount);
    }

    /// <summary>Tries to read seconds since 1970 (tag 1), which other writers use.</summary>
    private bool TryReadUnixTime(ref WireReader reader, out long ticks)
    {
        ticks = 0;
        if (reader.Input.Require(1) == CborHead.DateText)
            return false;
        int byteOffset = reader.ByteOffset;
        CborHead head = CborHead.Peek(ref reader);
        if (head is not { Major: CborHead.Tag, Argument: 1 })
            return false;
        reader.Input.Advance(head.ByteCount);
        double seconds = ReadDouble(ref reader, nameof(DateTime), out _);
        if (!(seconds >= -62_135_596_800 && seconds < 253_402_300_800))
            ThrowHelper.ThrowBadValue(byteOffset, nameof(DateTime));
        double whole = Math.Floor(seconds);
        ticks = ((long)whole + 62_135_596_800) * TimeSpan.TicksPerSecond + (long)((seconds - whole) * TimeSpan.TicksPerSecond);
        return true;
    }

    /// <summary>Reads RFC 3339, with or without tag 0 and a time zone. Digits below 100 ns are truncated.</summary>
    /// <returns>The ticks of the clock time.</returns>
    private static long ReadDateText(ref WireReader reader, string typeName, out int? offsetMinutes, out bool isUtc)
    {
        int byteOffset = reader.ByteOffset;
        if (reader.Input.Require(1) == CborHead.DateText)
            reader.Input.Advance(1);
        else
            SkipTag(ref reader, 0);
        ReadOnlySpan<byte> text = ReadUtf8(ref reader, typeName);
        if (!DateText.TryParse(text, out long ticks, out offsetMinutes, out isUtc))
            ThrowHelper.ThrowBadValue(byteOffset, typeName);
        return ticks;
    }

    private static void ThrowIndefinite(ref WireReader reader, string what) =>
        ThrowHelper.ThrowMalformed(reader.ByteOffset, $"The {what} has an indefinite length; contracts read only definite lengths.");

    private static void ThrowMismatch(ref WireReader reader, string what)
    {
        if (reader.Input.Require(1) is CborHead.Null or CborHead.Undefined)
            ThrowHelper.ThrowUnexpectedNil(reader.ByteOffset);
        CborHead.Peek(ref reader);
        ThrowHelper.ThrowBadValue(reader.ByteOffset, what);
    }
}
