// https://github.com/msgpack/msgpack/blob/master/spec.md; for the values of .NET: docs/wire/messagepack.md, "Values".
using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>Dictionaries and sets are written in the order in which they enumerate, NaN bit for bit.</summary>
internal readonly struct AnyOrder;

/// <summary>Dictionaries and sets are written in the order of their bytes, and every NaN as the same one.</summary>
internal readonly struct CanonicalOrder;

/// <summary>MessagePack as a format of the one traversal: of contracts that are found by reflection.</summary>
/// <typeparam name="TOrder"><see cref="AnyOrder"/> or <see cref="CanonicalOrder"/>.</typeparam>
internal readonly struct MessagePackFormat<TOrder> : IWireFormat
    where TOrder : struct
{
    public int BodyType => BodyTypes.MessagePack;

    public bool IsSorted => typeof(TOrder) == typeof(CanonicalOrder);

    public bool RoundsFloats => true;

    public ref byte WriteNull(ref byte position) => ref Byte(ref position, MessagePackCode.Nil);

    public ref byte Write(ref byte position, bool value) => ref Byte(ref position, value ? MessagePackCode.True : MessagePackCode.False);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref byte position, long value) => ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Write(ref byte position, ulong value) => ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));

    public ref byte Write(ref byte position, float value)
    {
        if (IsSorted && float.IsNaN(value))
            value = MessagePackBytes.CanonicalSingleNaN;
        return ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));
    }

    public ref byte Write(ref byte position, double value)
    {
        if (IsSorted && double.IsNaN(value))
            value = MessagePackBytes.CanonicalDoubleNaN;
        return ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));
    }

    public ref byte Write(ref byte position, decimal value) => ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));

    public ref byte Write(ref byte position, DateTime value) => ref Unsafe.Add(ref position, MessagePackBytes.WriteTimestamp(ref position, value));

    public ref byte Write(ref WireWriter writer, ref byte position, DateTimeOffset value)
    {
        writer.Enter();
        position = ref WireCode.WriteArrayHeader<MessagePackFormat<TOrder>>(ref writer, ref position, 2);
        position = ref Write(ref position, new DateTime(value.Ticks, DateTimeKind.Utc));
        position = ref Write(ref position, value.Offset.Ticks / TimeSpan.TicksPerMinute);
        writer.Leave();
        return ref position;
    }

    public ref byte Write(ref byte position, Guid value) => ref Unsafe.Add(ref position, MessagePackBytes.Write(ref position, value));

    public ref byte WriteDate(ref byte position, int dayNumber) => ref Write(ref position, (long)dayNumber);

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

    public ref byte WriteWide(ref WireWriter writer, ref byte position, ulong high, ulong low, bool isSigned)
    {
        position = ref writer.Reserve(ref position, WireCode.MaxValueByteCount);
        position = ref Unsafe.Add(ref position, MessagePackBytes.WriteBinaryHeader(ref position, 16));
        LittleEndian.Write(ref position, (long)low);
        LittleEndian.Write(ref Unsafe.Add(ref position, 8), (long)high);
        return ref Unsafe.Add(ref position, 16);
    }

    public ref byte Write(ref WireWriter writer, ref byte position, string value, int following)
    {
#if NET
        int room = writer.Output.RoomAt(ref position) - following;
        if (value.Length <= MessagePackCode.MaxFixStr)
        {
            if (room >= Utf8Text.MaxShortAsciiByteCount && (value.Length >= 8
                ? Utf8Text.TryWriteShortAscii(ref position, value, MessagePackCode.FixStr)
                : Utf8Text.TryWriteTinyAscii(ref position, value, MessagePackCode.FixStr)))
                return ref Unsafe.Add(ref position, (nuint)(uint)value.Length + 1);
        }
        else if (room - (long)MessagePackBytes.MaxHeaderByteCount >= value.Length)
        {
            ref byte start = ref Unsafe.Add(ref position, MessagePackBytes.WriteStringHeader(ref position, value.Length));
            if (Utf8Text.TryWriteLongAscii(ref start, value))
                return ref Unsafe.Add(ref start, (nuint)(uint)value.Length);
        }
#endif
        return ref WriteText(ref writer, ref position, value, following);
    }

    public ref byte WriteUri(ref WireWriter writer, ref byte position, string value) => ref Write(ref writer, ref position, value, 0);

    public ref byte WriteBytes(ref WireWriter writer, ref byte position, ReadOnlySpan<byte> value)
    {
        position = ref writer.Reserve(ref position, MessagePackBytes.MaxHeaderByteCount);
        return ref writer.WriteRaw(ref Unsafe.Add(ref position, MessagePackBytes.WriteBinaryHeader(ref position, value.Length)), value);
    }

    public ref byte WriteTextHeader(ref byte position, int byteCount) => ref Unsafe.Add(ref position, MessagePackBytes.WriteStringHeader(ref position, byteCount));

    public ref byte WriteArrayHeader(ref byte position, int count) => ref Unsafe.Add(ref position, MessagePackBytes.WriteArrayHeader(ref position, count));

    public ref byte WriteMapHeader(ref byte position, int count) => ref Unsafe.Add(ref position, MessagePackBytes.WriteMapHeader(ref position, count));

    public bool TryReadNull(ref WireReader reader) => MessagePackInput.TryReadNil(ref reader.Input);

    public bool ReadBoolean(ref WireReader reader) => MessagePackInput.ReadBoolean(ref reader.Input);

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

    public ulong ReadUInt64(ref WireReader reader) => MessagePackInput.ReadUInt64(ref reader.Input);

    public float ReadSingle(ref WireReader reader) => MessagePackInput.ReadSingle(ref reader.Input);

    public double ReadDouble(ref WireReader reader) => MessagePackInput.ReadDouble(ref reader.Input);

    public decimal ReadDecimal(ref WireReader reader) => MessagePackInput.ReadDecimal(ref reader.Input);

    public DateTime ReadDateTime(ref WireReader reader) => MessagePackInput.ReadDateTime(ref reader.Input);

    public DateTimeOffset ReadDateTimeOffset(ref WireReader reader) => MessagePackInput.ReadDateTimeOffset(ref reader.Input);

    public Guid ReadGuid(ref WireReader reader) => MessagePackInput.ReadGuid(ref reader.Input);

    public long ReadDate(ref WireReader reader) => ReadInteger(ref reader, long.MinValue, long.MaxValue, "DateOnly");

    public BigInteger ReadBigInteger(ref WireReader reader) =>
#if NET
        new(MessagePackInput.ReadSpan(ref reader.Input));
#else
        new(MessagePackInput.ReadSpan(ref reader.Input).ToArray());
#endif

    public void ReadWide(ref WireReader reader, bool isSigned, out ulong high, out ulong low)
    {
        int byteOffset = reader.ByteOffset;
        ReadOnlySpan<byte> bytes = MessagePackInput.ReadSpan(ref reader.Input);
        if (bytes.Length != 16)
            ThrowHelper.ThrowBadValue(byteOffset, "UInt128");
        low = System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        high = System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(bytes.Slice(8));
    }

    public string ReadString(ref WireReader reader, string? existing) => MessagePackInput.ReadString(ref reader.Input, existing);

    public string ReadUri(ref WireReader reader) => MessagePackInput.ReadString(ref reader.Input, null);

    public ReadOnlySpan<byte> ReadBytes(ref WireReader reader) => MessagePackInput.ReadSpan(ref reader.Input);

    public ReadOnlySpan<byte> ReadKey(ref WireReader reader, out bool isText)
    {
        isText = MessagePackInput.NextType(in reader.Input) == MessagePackType.String;
        if (isText)
            return MessagePackInput.ReadUtf8(ref reader.Input);
        MessagePackInput.Skip(ref reader.Input);
        return default;
    }

    public uint ShortTextByteCount(byte first)
    {
        uint byteCount = (uint)(first - MessagePackCode.FixStr);
        return byteCount <= MessagePackCode.MaxFixStr ? byteCount : uint.MaxValue;
    }

    public bool TryReadInt32(ref byte position, int remaining, out int value, out int byteCount)
    {
        value = (sbyte)position;
        byteCount = 1;
        if (remaining < 3 || value >= MessagePackCode.MinFixInt)
            return remaining >= 3;
        byteCount = 3;
        if (position != MessagePackCode.UInt16)
            return false;
        value = BigEndian.ReadUInt16(ref Unsafe.Add(ref position, 1));
        return true;
    }

    public bool TryReadDouble(ref byte position, int remaining, out double value, out int byteCount)
    {
        byteCount = 9;
        bool isDouble = remaining >= 9 && position == MessagePackCode.Float64;
        value = isDouble ? BitConverter.Int64BitsToDouble((long)BigEndian.ReadUInt64(ref Unsafe.Add(ref position, 1))) : 0;
        return isDouble;
    }

    public bool IsArrayOf(ref byte position, int remaining, int count, out int byteCount)
    {
        byteCount = count <= MessagePackCode.MaxFixCount ? 1 : 3;
        if (count <= MessagePackCode.MaxFixCount)
            return remaining > count && position == (MessagePackCode.FixArray | count);
        return count <= ushort.MaxValue && remaining > count + 2 && position == MessagePackCode.Array16 && BigEndian.ReadUInt16(ref Unsafe.Add(ref position, 1)) == count;
    }

    public int ReadArrayHeader(ref WireReader reader, int elementAllocation) => MessagePackInput.ReadArrayHeader(ref reader.Input, elementAllocation);

    public int ReadMapHeader(ref WireReader reader, int entryAllocation) => MessagePackInput.ReadMapHeader(ref reader.Input, entryAllocation);

    public void Skip(ref WireReader reader) => MessagePackInput.Skip(ref reader.Input);

    private static ref byte Byte(ref byte position, byte value)
    {
        position = value;
        return ref Unsafe.Add(ref position, 1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte WriteText(ref WireWriter writer, ref byte position, string value, int following)
    {
        if (writer.Limits.RefuseInvalidText && !Utf8Text.IsValid(value))
            ThrowHelper.ThrowInvalidText();
        int byteCount = Utf8Text.GetByteCount(value);
        if (byteCount > int.MaxValue - MessagePackBytes.MaxHeaderByteCount - following)
            ThrowHelper.ThrowBodyTooLarge(byteCount, writer.Limits.MaxBodyByteCount);
        position = ref writer.Reserve(ref position, MessagePackBytes.MaxHeaderByteCount + byteCount + following);
        position = ref Unsafe.Add(ref position, MessagePackBytes.WriteStringHeader(ref position, byteCount));
        if (byteCount > 0)
            Utf8Text.WriteExact(ref position, value, byteCount);
        return ref Unsafe.Add(ref position, byteCount);
    }
}
