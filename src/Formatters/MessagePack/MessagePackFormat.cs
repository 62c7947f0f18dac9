// https://github.com/msgpack/msgpack/blob/master/spec.md; for the values of .NET: docs/wire/messagepack.md, "Values".
using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Custom;
using Formatters.MessagePack;

namespace Formatters.Generated;

/// <summary>Writes dictionaries and sets in the order in which they enumerate, NaN bit for bit.</summary>
internal readonly struct AnyOrder;

/// <summary>Writes dictionaries and sets in the order of their bytes, and every NaN as the same one.</summary>
internal readonly struct CanonicalOrder;

/// <summary>Writes and reads MessagePack for the traversal.</summary>
/// <typeparam name="TOrder"><see cref="AnyOrder"/> or <see cref="CanonicalOrder"/>.</typeparam>
internal readonly struct MessagePackFormat<TOrder> : IWireFormat
    where TOrder : struct
{
    /// <inheritdoc/>
    public int BodyType => BodyTypes.MessagePack;

    /// <inheritdoc/>
    public int PublicBodyType => BodyType;

    /// <inheritdoc/>
    public ContractFormats ContractFormat => ContractFormats.MessagePack;

    /// <inheritdoc/>
    public int ByteCountOf(byte first) => 0;

    /// <inheritdoc/>
    public bool IsSorted => typeof(TOrder) == typeof(CanonicalOrder);

    /// <inheritdoc/>
    public bool RoundsFloat(in WireReader reader) => MessagePackInput.NextType(in reader.Input) != MessagePackType.Integer;

    /// <inheritdoc/>
    public bool SortsKeys => IsSorted;

    /// <inheritdoc/>
    public byte ShortTextCode => MessagePackCode.FixStr;

    /// <inheritdoc/>
    public int MaxShortTextByteCount => MessagePackCode.MaxFixStr;

    /// <inheritdoc/>
    public ref byte WriteNull(ref WireWriter writer, ref byte position) => ref WireCode.WriteByte(ref position, MessagePackCode.Nil);

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, bool value) =>
        ref WireCode.WriteByte(ref position, value ? MessagePackCode.True : MessagePackCode.False);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, long value)
    {
        if ((ulong)(value + 32) >= 160)
            return ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));
        position = (byte)value;
        return ref Unsafe.Add(ref position, 1);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, int value)
    {
        if ((uint)(value + 32) < 160)
        {
            position = (byte)value;
            return ref Unsafe.Add(ref position, 1);
        }

        if ((uint)(value - 256) >= 65536 - 256)
            return ref WriteLarge(ref position, value);
        // One store, whose last byte is overwritten; 5 are reserved.
        BigEndian.Write(ref position, ((uint)MessagePackCode.UInt16 << 24) | ((uint)value << 8));
        return ref Unsafe.Add(ref position, 3);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, ulong value) =>
        ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, float value)
    {
        if (IsSorted && float.IsNaN(value))
            value = MessagePackBytes.CanonicalSingleNaN;
        return ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref WireWriter writer, ref byte position, double value)
    {
        if (IsSorted && double.IsNaN(value))
            value = MessagePackBytes.CanonicalDoubleNaN;
        position = MessagePackCode.Float64;
        BigEndian.Write(ref Unsafe.Add(ref position, 1), (ulong)BitConverter.DoubleToInt64Bits(value));
        return ref Unsafe.Add(ref position, 9);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, decimal value) =>
        ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, DateTime value) =>
        ref Unsafe.Add(ref position, MessagePackBytes.WriteTimestamp(ref position, value));

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, DateTimeOffset value)
    {
        writer.Enter();
        position = ref WireCode.WriteByte(ref position, MessagePackCode.FixArray | 2);
        position = ref Write(ref writer, ref position, new DateTime(value.Ticks, DateTimeKind.Utc));
        position = ref Write(ref writer, ref position, value.Offset.Ticks / TimeSpan.TicksPerMinute);
        writer.Leave();
        return ref position;
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, Guid value) =>
        ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));

    /// <inheritdoc/>
    public ref byte WriteDate(ref WireWriter writer, ref byte position, int dayNumber) => ref Write(ref writer, ref position, dayNumber);

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, BigInteger value)
    {
#if NET
        int byteCount = value.GetByteCount();
        position = ref writer.Reserve(ref position, MessagePackBytes.MaxHeaderByteCount + byteCount);
        position = ref Unsafe.Add(ref position, MessagePackBytes.WriteBinaryHeader(ref position, byteCount));
        value.TryWriteBytes(MemoryMarshal.CreateSpan(ref position, byteCount), out _);
        return ref Unsafe.Add(ref position, byteCount);
#else
        return ref WriteBytes(ref writer, ref position, value.ToByteArray());
#endif
    }

    /// <inheritdoc/>
    public ref byte WriteWide(ref WireWriter writer, ref byte position, ulong high, ulong low, bool isSigned)
    {
        position = ref writer.Reserve(ref position, WireCode.MaxValueByteCount);
        position = ref Unsafe.Add(ref position, MessagePackBytes.WriteBinaryHeader(ref position, 16));
        LittleEndian.Write(ref position, (long)low);
        LittleEndian.Write(ref Unsafe.Add(ref position, 8), (long)high);
        return ref Unsafe.Add(ref position, 16);
    }

    /// <inheritdoc/>
    public ref byte WriteUri(ref WireWriter writer, ref byte position, string value) =>
        ref WireCode.WriteText<MessagePackFormat<TOrder>>(ref writer, ref position, value, 0);

    /// <inheritdoc/>
    public ref byte WriteBytes(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value)
    {
        position = ref writer.Reserve(ref position, MessagePackBytes.MaxHeaderByteCount);
        return ref writer.WriteRaw(ref Unsafe.Add(ref position, MessagePackBytes.WriteBinaryHeader(ref position, value.Length)), value);
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteUtf8(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value) =>
        ref WireCode.WriteContent(ref WriteTextHeader(ref position, value.Length), value);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteTextHeader(ref byte position, int byteCount) =>
        ref byteCount <= MessagePackCode.MaxFixStr
            ? ref WireCode.WriteByte(ref position, (byte)(MessagePackCode.FixStr | byteCount))
            : ref Unsafe.Add(ref position, MessagePackBytes.WriteStringHeader(ref position, byteCount));

#if NET
    /// <inheritdoc/>
    public ref byte WriteNumbers<T>(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<T> numbers)
        where T : unmanaged
    {
        // The canonical order has but one NaN.
        int count = 0;
        if (!IsSorted)
            position = ref MessagePackNumbers.Write(ref position, numbers, out count);
        return ref WireCode.WriteEach<MessagePackFormat<TOrder>, T>(ref writer, ref position, numbers.Slice(count));
    }

    /// <inheritdoc/>
    public int ReadNumbers<T>(ref WireReader reader, scoped Span<T> numbers)
        where T : unmanaged
    {
        int read = MessagePackNumbers.Read(reader.Input.Remaining, numbers, out int byteCount);
        reader.Input.Advance(byteCount);
        return read;
    }
#endif

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteArrayHeader(ref WireWriter writer, ref byte position, int count) =>
        ref count <= MessagePackCode.MaxFixCount
            ? ref WireCode.WriteByte(ref position, (byte)(MessagePackCode.FixArray | count))
            : ref Unsafe.Add(ref position, MessagePackBytes.WriteArrayHeader(ref position, count));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte WriteMapHeader(ref WireWriter writer, ref byte position, int count) =>
        ref count <= MessagePackCode.MaxFixCount
            ? ref WireCode.WriteByte(ref position, (byte)(MessagePackCode.FixMap | count))
            : ref Unsafe.Add(ref position, MessagePackBytes.WriteMapHeader(ref position, count));

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadNull(ref WireReader reader) => MessagePackInput.TryReadNil(ref reader.Input);

    /// <inheritdoc/>
    public bool ReadBoolean(ref WireReader reader) => MessagePackInput.ReadBoolean(ref reader.Input);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadInteger(ref WireReader reader, long min, long max, string typeName)
    {
        ref byte p = ref reader.Input.Require(1);
        int value = (sbyte)p;
        if (value < MessagePackCode.MinFixInt || value < min)
            return MessagePackInput.ReadInteger(ref reader.Input, min, max, typeName);
        reader.Input.Advance(ref p, 1);
        return value;
    }

    /// <inheritdoc/>
    public ulong ReadUInt64(ref WireReader reader) => MessagePackInput.ReadUInt64(ref reader.Input);

    /// <inheritdoc/>
    public float ReadSingle(ref WireReader reader) => MessagePackInput.ReadSingle(ref reader.Input);

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble(ref WireReader reader) => MessagePackInput.ReadDouble(ref reader.Input);

    /// <inheritdoc/>
    public void ReadDecimal(ref WireReader reader, out decimal value) => MessagePackInput.ReadDecimal(ref reader.Input, out value);

    /// <inheritdoc/>
    public DateTime ReadDateTime(ref WireReader reader) => MessagePackInput.ReadDateTime(ref reader.Input);

    /// <inheritdoc/>
    public DateTimeOffset ReadDateTimeOffset(ref WireReader reader) => MessagePackInput.ReadDateTimeOffset(ref reader.Input);

    /// <inheritdoc/>
    public void ReadGuid(ref WireReader reader, out Guid value) => MessagePackInput.ReadGuid(ref reader.Input, out value);

    /// <inheritdoc/>
    public long ReadDate(ref WireReader reader) => ReadInteger(ref reader, long.MinValue, long.MaxValue, "DateOnly");

    /// <inheritdoc/>
    public BigInteger ReadBigInteger(ref WireReader reader) =>
#if NET
        new(MessagePackInput.ReadSpan(ref reader.Input));
#else
        new(MessagePackInput.ReadSpan(ref reader.Input).ToArray());
#endif

    /// <inheritdoc/>
    public void ReadWide(ref WireReader reader, bool isSigned, out ulong high, out ulong low)
    {
        int byteOffset = reader.ByteOffset;
        ReadOnlySpan<byte> bytes = MessagePackInput.ReadSpan(ref reader.Input);
        if (bytes.Length != 16)
            ThrowHelper.ThrowBadValue(byteOffset, "UInt128");
        low = System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        high = System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(bytes.Slice(8));
    }

    /// <inheritdoc/>
    public string ReadUri(ref WireReader reader) => WireCode.ReadString<MessagePackFormat<TOrder>>(ref reader, null);

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadUtf8(ref WireReader reader) => MessagePackInput.ReadUtf8(ref reader.Input);

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadBytes(ref WireReader reader) => MessagePackInput.ReadSpan(ref reader.Input);

    /// <inheritdoc/>
    public ReadOnlySpan<byte> ReadKey(ref WireReader reader, out bool isText)
    {
        isText = MessagePackInput.NextType(in reader.Input) == MessagePackType.String;
        if (isText)
            return MessagePackInput.ReadUtf8(ref reader.Input);
        MessagePackInput.Skip(ref reader.Input);
        return default;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadInt32(ref WireReader reader, ref byte position, out int byteCount)
    {
        if (reader.Input.RemainingAt(ref position) >= 3)
        {
            int small = (sbyte)position;
            byteCount = 1;
            if (small >= MessagePackCode.MinFixInt)
                return small;
            byteCount = 3;
            if (position == MessagePackCode.UInt16)
                return BigEndian.ReadUInt16(ref Unsafe.Add(ref position, 1));
        }

        int other = WireCode.ReadOtherInt32<MessagePackFormat<TOrder>>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return other;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float ReadSingle(ref WireReader reader, ref byte position, out int byteCount)
    {
        if (reader.Input.RemainingAt(ref position) >= 5 && position == MessagePackCode.Float32)
        {
            byteCount = 5;
            return BigEndian.ToSingle(BigEndian.ReadUInt32(ref Unsafe.Add(ref position, 1)));
        }

        float other = WireCode.ReadOtherSingle<MessagePackFormat<TOrder>>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return other;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble(ref WireReader reader, ref byte position, out int byteCount)
    {
        if (reader.Input.RemainingAt(ref position) >= 9 && position == MessagePackCode.Float64)
        {
            byteCount = 9;
            return BitConverter.Int64BitsToDouble((long)BigEndian.ReadUInt64(ref Unsafe.Add(ref position, 1)));
        }

        double other = WireCode.ReadOtherDouble<MessagePackFormat<TOrder>>(ref reader, ref position);
        byteCount = reader.ByteCountSince(ref position);
        return other;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsArrayOf(ref byte position, int remaining, int count, out int byteCount)
    {
        byteCount = count <= MessagePackCode.MaxFixCount ? 1 : 3;
        if (count <= MessagePackCode.MaxFixCount)
            return remaining > count && position == (MessagePackCode.FixArray | count);
        return count <= ushort.MaxValue && remaining > count + 2 && position == MessagePackCode.Array16
            && BigEndian.ReadUInt16(ref Unsafe.Add(ref position, 1)) == count;
    }

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadArrayHeader(ref WireReader reader, int elementAllocation) => MessagePackInput.ReadArrayHeader(ref reader.Input, elementAllocation);

    /// <inheritdoc/>
    public int ReadMapHeader(ref WireReader reader, int entryAllocation) => MessagePackInput.ReadMapHeader(ref reader.Input, entryAllocation);

    /// <inheritdoc/>
    public void Skip(ref WireReader reader) => MessagePackInput.Skip(ref reader.Input);

    /// <summary>Writes an integer of 2 to 5 bytes.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte WriteLarge(ref byte position, int value) =>
        ref Unsafe.Add(ref position, (nint)(uint)MessagePackBytes.Write(ref position, (long)value));
}
