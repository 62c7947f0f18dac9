// docs/wire/custom.md, "Values".
using System;
using System.Buffers.Text;
using System.Numerics;
using Formatters.Custom;

namespace Formatters.Generated;

internal readonly partial struct CustomWireFormat<TFormat>
{
    /// <inheritdoc/>
    public bool TryReadNull(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        if (Peek(ref reader) != WireValueKind.Null)
            return false;
        try
        {
            default(TFormat).ReadNull(ref reader);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw CustomWireFormatFault.Reading(e, reader.ByteOffset, Name);
        }

        End(ref reader, start);
        return true;
    }

    /// <inheritdoc/>
    public bool ReadBoolean(ref WireReader reader)
    {
        int start = Expect(ref reader, WireValueKind.Boolean, nameof(Boolean));
        bool value;
        try
        {
            value = default(TFormat).ReadBoolean(ref reader);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw CustomWireFormatFault.Reading(e, reader.ByteOffset, Name);
        }

        End(ref reader, start);
        return value;
    }

    /// <inheritdoc/>
    public long ReadInteger(ref WireReader reader, long min, long max, string typeName)
    {
        int start = Expect(ref reader, WireValueKind.Integer, typeName);
        long value = ReadInteger(ref reader);
        if (value < min || value > max)
            ThrowHelper.ThrowBadValue(start, typeName);
        return value;
    }

    /// <inheritdoc/>
    public ulong ReadUInt64(ref WireReader reader)
    {
        int start = Expect(ref reader, WireValueKind.Integer, nameof(UInt64));
        ulong value;
        try
        {
            value = default(TFormat).ReadUnsigned(ref reader);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw CustomWireFormatFault.Reading(e, reader.ByteOffset, Name);
        }

        End(ref reader, start);
        return value;
    }

    /// <inheritdoc/>
    public float ReadSingle(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        double wide = ReadDouble(ref reader, nameof(Single));
        float value = (float)wide;
        if (float.IsInfinity(value) && !double.IsInfinity(wide))
            ThrowHelper.ThrowBadValue(start, nameof(Single));
        return value;
    }

    /// <inheritdoc/>
    public double ReadDouble(ref WireReader reader) => ReadDouble(ref reader, nameof(Double));

    /// <inheritdoc/>
    public void ReadDecimal(ref WireReader reader, out decimal value)
    {
        int start = reader.ByteOffset;
        ReadOnlySpan<byte> digits = ReadUtf8(ref reader, nameof(Decimal));
        if (!Decimals.TryParse(digits, out value))
            ThrowHelper.ThrowBadValue(start, nameof(Decimal));
    }

    /// <inheritdoc/>
    public DateTime ReadDateTime(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        if (!DateText.TryParse(ReadUtf8(ref reader, nameof(DateTime)), out long ticks, out int? offsetMinutes, out bool isUtc))
            ThrowHelper.ThrowBadValue(start, nameof(DateTime));
        return DateText.ToDateTime(ticks, offsetMinutes, isUtc);
    }

    /// <inheritdoc/>
    public DateTimeOffset ReadDateTimeOffset(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        if (!DateText.TryParse(ReadUtf8(ref reader, nameof(DateTimeOffset)), out long ticks, out int? offsetMinutes, out bool isUtc)
            | !DateText.TryToDateTimeOffset(ticks, offsetMinutes, isUtc, out DateTimeOffset value))
            ThrowHelper.ThrowBadValue(start, nameof(DateTimeOffset));
        return value;
    }

    /// <inheritdoc/>
    public void ReadGuid(ref WireReader reader, out Guid value)
    {
        int start = reader.ByteOffset;
        ReadOnlySpan<byte> digits = ReadUtf8(ref reader, nameof(Guid));
        if (!GuidText.TryParse(digits, out value))
            ThrowHelper.ThrowBadValue(start, nameof(Guid));
    }

    /// <inheritdoc/>
    public long ReadDate(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        ReadOnlySpan<byte> date = ReadUtf8(ref reader, "DateOnly");
        Span<byte> midnight = stackalloc byte[19];
        "0000-00-00T00:00:00"u8.CopyTo(midnight);
        if (date.Length == DateByteCount)
            date.CopyTo(midnight);
        if (!DateText.TryParse(midnight, out long ticks, out _, out _))
            ThrowHelper.ThrowBadValue(start, "DateOnly");
        return ticks / TimeSpan.TicksPerDay;
    }

    /// <inheritdoc/>
    public BigInteger ReadBigInteger(ref WireReader reader) =>
#if NET
        new(ReadBytes(ref reader, nameof(BigInteger)));
#else
        new(ReadBytes(ref reader, nameof(BigInteger)).ToArray());
#endif

    /// <inheritdoc/>
    public void ReadWide(ref WireReader reader, bool isSigned, out ulong high, out ulong low)
    {
        int start = reader.ByteOffset;
        string typeName = isSigned ? "Int128" : "UInt128";
        ReadOnlySpan<byte> bytes = ReadBytes(ref reader, typeName);
        if (bytes.Length != 16)
            ThrowHelper.ThrowBadValue(start, typeName);
        low = System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        high = System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(bytes.Slice(8));
    }

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadUtf8(ref WireReader reader) => ReadUtf8(ref reader, nameof(String));

    /// <inheritdoc/>
    public string ReadUri(ref WireReader reader) => WireCode.ReadString<CustomWireFormat<TFormat>>(ref reader, null);

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadBytes(ref WireReader reader) => ReadBytes(ref reader, "byte array");

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadKey(ref WireReader reader, out bool isText)
    {
        isText = Peek(ref reader) == WireValueKind.String;
        if (isText)
            return ReadString(ref reader);
        Skip(ref reader);
        return default;
    }

    /// <inheritdoc/>
    public int ReadInt32(ref WireReader reader, ref byte position, out int byteCount)
    {
        int value = WireCode.ReadOtherInt32<CustomWireFormat<TFormat>>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return value;
    }

    /// <inheritdoc/>
    public float ReadSingle(ref WireReader reader, ref byte position, out int byteCount)
    {
        float other = WireCode.ReadOtherSingle<CustomWireFormat<TFormat>>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return other;
    }

    /// <inheritdoc/>
    public double ReadDouble(ref WireReader reader, ref byte position, out int byteCount)
    {
        double value = WireCode.ReadOtherDouble<CustomWireFormat<TFormat>>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return value;
    }

    /// <summary>Returns false: headers are read with the reader.</summary>
    public bool IsArrayOf(ref byte position, int remaining, int count, out int byteCount)
    {
        byteCount = 0;
        return false;
    }

    /// <inheritdoc/>
    public int ReadArrayHeader(ref WireReader reader, int elementAllocation)
    {
        int start = Expect(ref reader, WireValueKind.Array, "array");
        return ReadCount(ref reader, start, isMap: false, elementAllocation);
    }

    /// <inheritdoc/>
    public int ReadMapHeader(ref WireReader reader, int entryAllocation)
    {
        int start = Expect(ref reader, WireValueKind.Map, "map");
        return ReadCount(ref reader, start, isMap: true, entryAllocation);
    }

    /// <inheritdoc/>
    public void Skip(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        WireValueKind kind = Peek(ref reader);
        if (kind is not (WireValueKind.Array or WireValueKind.Map))
        {
            try
            {
                default(TFormat).Skip(ref reader);
            }
            catch (Exception e) when (BodyFault.Is(e))
            {
                throw CustomWireFormatFault.Reading(e, reader.ByteOffset, Name);
            }

            End(ref reader, start);
            return;
        }

        bool isMap = kind == WireValueKind.Map;
        long count = (isMap ? 2L : 1L) * ReadCount(ref reader, start, isMap, 0);
        reader.Enter();
        for (; count > 0; count--)
            Skip(ref reader);
        reader.Leave();
    }

    /// <summary>Returns the kind of the next value.</summary>
    internal static WireValueKind Peek(ref WireReader reader)
    {
        reader.Input.Require(1);
        // A copy, so that the format may advance it.
        WireReader copy = reader;
        try
        {
            return default(TFormat).PeekKind(ref copy);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw CustomWireFormatFault.Reading(e, reader.ByteOffset, Name);
        }
    }

    /// <summary>Reads the UTF-8 of the next value, which is a string.</summary>
    internal static ReadOnlySpan<byte> ReadString(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        try
        {
            ReadOnlySpan<byte> value = default(TFormat).ReadString(ref reader);
            End(ref reader, start);
            return value;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw CustomWireFormatFault.Reading(e, reader.ByteOffset, Name);
        }
    }

    private static long ReadInteger(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        long value;
        try
        {
            value = default(TFormat).ReadInteger(ref reader);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw CustomWireFormatFault.Reading(e, reader.ByteOffset, Name);
        }

        End(ref reader, start);
        return value;
    }

    /// <summary>Reads a number. Some formats write whole ones as integers.</summary>
    private static double ReadDouble(ref WireReader reader, string typeName)
    {
        if (Peek(ref reader) == WireValueKind.Integer)
            return ReadInteger(ref reader);
        int start = Expect(ref reader, WireValueKind.Double, typeName);
        double value;
        try
        {
            value = default(TFormat).ReadDouble(ref reader);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw CustomWireFormatFault.Reading(e, reader.ByteOffset, Name);
        }

        End(ref reader, start);
        return value;
    }

    private static ReadOnlySpan<byte> ReadUtf8(ref WireReader reader, string typeName)
    {
        Expect(ref reader, WireValueKind.String, typeName);
        return ReadString(ref reader);
    }

    /// <summary>Reads bytes, which may also be a string: some formats do not distinguish them.</summary>
    private static ReadOnlySpan<byte> ReadBytes(ref WireReader reader, string typeName)
    {
        if (Peek(ref reader) == WireValueKind.String)
            return ReadString(ref reader);
        int start = Expect(ref reader, WireValueKind.Bytes, typeName);
        try
        {
            ReadOnlySpan<byte> value = default(TFormat).ReadBytes(ref reader);
            End(ref reader, start);
            return value;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw CustomWireFormatFault.Reading(e, reader.ByteOffset, Name);
        }
    }

    private static int ReadCount(ref WireReader reader, int start, bool isMap, int itemAllocation)
    {
        long count;
        try
        {
            count = isMap ? default(TFormat).ReadMapHeader(ref reader) : default(TFormat).ReadArrayHeader(ref reader);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw CustomWireFormatFault.Reading(e, reader.ByteOffset, Name);
        }

        End(ref reader, start);
        if (count < 0)
            ThrowHelper.ThrowBadLength(start, "The number of elements is negative.");
        reader.Input.CheckCount(start, Math.Min(count, uint.MaxValue), isMap ? 2 : 1, itemAllocation);
        return (int)count;
    }

    /// <summary>Throws if the next value is of another kind.</summary>
    /// <returns>The offset of the value.</returns>
    private static int Expect(ref WireReader reader, WireValueKind kind, string typeName)
    {
        WireValueKind actual = Peek(ref reader);
        if (actual == WireValueKind.Null)
            ThrowHelper.ThrowUnexpectedNil(reader.ByteOffset);
        if (actual != kind)
            ThrowHelper.ThrowBadValue(reader.ByteOffset, typeName);
        return reader.ByteOffset;
    }

    /// <summary>Throws if nothing was read: loops over such values might never end.</summary>
    private static void End(ref WireReader reader, int start)
    {
        if (reader.ByteOffset <= start)
            throw CustomWireFormatFault.ReadNothing(start, Name);
    }
}
