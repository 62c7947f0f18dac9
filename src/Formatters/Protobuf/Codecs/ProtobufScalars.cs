using System;
using System.Collections.Generic;
using System.Numerics;
using Formatters.Generated;

namespace Formatters;

/// <summary>The types whose values the writer and the reader know themselves: docs/wire/protobuf.md, "Values".</summary>
internal static class ProtobufScalars
{
    private static readonly Dictionary<(Type Type, MemberEncoding Encoding), object> All = CreateAll();

    /// <summary>Finds a type: null, or a <see cref="ProtobufValue{T}"/> of it.</summary>
    internal static object? Find(Type type, MemberEncoding encoding) => All.TryGetValue((type, encoding), out object? value) ? value : null;

    private static Dictionary<(Type, MemberEncoding), object> CreateAll()
    {
        const ProtobufWireType Varint = ProtobufWireType.Varint;
        const ProtobufWireType Fixed32 = ProtobufWireType.Fixed32;
        const ProtobufWireType Fixed64 = ProtobufWireType.Fixed64;
        const ProtobufWireType Bytes = ProtobufWireType.LengthDelimited;
        var all = new Dictionary<(Type, MemberEncoding), object>();

        AddNumber<bool>(Varint, "bool", static (ref w, v) => w.WriteBool(v), static (ref r, _) => r.ReadBool());
        AddNumber<byte>(Varint, "uint32", static (ref w, v) => w.WriteUInt32(v), static (ref r, _) => (byte)InRange(r.ByteOffset, r.ReadUInt32(), 0, byte.MaxValue, "Byte"));
        AddNumber<sbyte>(Varint, "int32", static (ref w, v) => w.WriteInt32(v), static (ref r, _) => (sbyte)InRange(r.ByteOffset, r.ReadInt32(), sbyte.MinValue, sbyte.MaxValue, "SByte"));
        AddNumber<short>(Varint, "int32", static (ref w, v) => w.WriteInt32(v), static (ref r, _) => (short)InRange(r.ByteOffset, r.ReadInt32(), short.MinValue, short.MaxValue, "Int16"));
        AddNumber<ushort>(Varint, "uint32", static (ref w, v) => w.WriteUInt32(v), static (ref r, _) => (ushort)InRange(r.ByteOffset, r.ReadUInt32(), 0, ushort.MaxValue, "UInt16"));
        AddNumber<char>(Varint, "uint32", static (ref w, v) => w.WriteUInt32(v), static (ref r, _) => (char)InRange(r.ByteOffset, r.ReadUInt32(), 0, char.MaxValue, "Char"));
        AddNumber<int>(Varint, "int32", static (ref w, v) => w.WriteInt32(v), static (ref r, _) => r.ReadInt32());
        AddNumber<uint>(Varint, "uint32", static (ref w, v) => w.WriteUInt32(v), static (ref r, _) => r.ReadUInt32());
        AddNumber<long>(Varint, "int64", static (ref w, v) => w.WriteInt64(v), static (ref r, _) => r.ReadInt64());
        AddNumber<ulong>(Varint, "uint64", static (ref w, v) => w.WriteUInt64(v), static (ref r, _) => r.ReadUInt64());

        const MemberEncoding ZigZag = MemberEncoding.ZigZag;
        AddNumber<sbyte>(Varint, "sint32", static (ref w, v) => w.WriteSInt32(v), static (ref r, _) => (sbyte)InRange(r.ByteOffset, r.ReadSInt32(), sbyte.MinValue, sbyte.MaxValue, "SByte"), ZigZag);
        AddNumber<short>(Varint, "sint32", static (ref w, v) => w.WriteSInt32(v), static (ref r, _) => (short)InRange(r.ByteOffset, r.ReadSInt32(), short.MinValue, short.MaxValue, "Int16"), ZigZag);
        AddNumber<int>(Varint, "sint32", static (ref w, v) => w.WriteSInt32(v), static (ref r, _) => r.ReadSInt32(), ZigZag);
        AddNumber<long>(Varint, "sint64", static (ref w, v) => w.WriteSInt64(v), static (ref r, _) => r.ReadSInt64(), ZigZag);

        const MemberEncoding Fixed = MemberEncoding.Fixed;
        AddNumber<byte>(Fixed32, "fixed32", static (ref w, v) => w.WriteFixed32(v), static (ref r, _) => (byte)InRange(r.ByteOffset, r.ReadFixed32(), 0, byte.MaxValue, "Byte"), Fixed);
        AddNumber<sbyte>(Fixed32, "sfixed32", static (ref w, v) => w.WriteSFixed32(v), static (ref r, _) => (sbyte)InRange(r.ByteOffset, r.ReadSFixed32(), sbyte.MinValue, sbyte.MaxValue, "SByte"), Fixed);
        AddNumber<short>(Fixed32, "sfixed32", static (ref w, v) => w.WriteSFixed32(v), static (ref r, _) => (short)InRange(r.ByteOffset, r.ReadSFixed32(), short.MinValue, short.MaxValue, "Int16"), Fixed);
        AddNumber<ushort>(Fixed32, "fixed32", static (ref w, v) => w.WriteFixed32(v), static (ref r, _) => (ushort)InRange(r.ByteOffset, r.ReadFixed32(), 0, ushort.MaxValue, "UInt16"), Fixed);
        AddNumber<int>(Fixed32, "sfixed32", static (ref w, v) => w.WriteSFixed32(v), static (ref r, _) => r.ReadSFixed32(), Fixed);
        AddNumber<uint>(Fixed32, "fixed32", static (ref w, v) => w.WriteFixed32(v), static (ref r, _) => r.ReadFixed32(), Fixed);
        AddNumber<long>(Fixed64, "sfixed64", static (ref w, v) => w.WriteSFixed64(v), static (ref r, _) => r.ReadSFixed64(), Fixed);
        AddNumber<ulong>(Fixed64, "fixed64", static (ref w, v) => w.WriteFixed64(v), static (ref r, _) => r.ReadFixed64(), Fixed);
        Add(Bytes, "bytes", static v => v == Guid.Empty, Guid.Empty, static (ref w, v) => w.WriteGuidBytes(v), static (ref r, _) => r.ReadGuid(), Fixed);

        // -0.0 equals 0.0, and is none.
        Add(Fixed32, "float", static v => v == 0 && 1 / v > 0, 0f, static (ref w, v) => w.WriteFloat(v), static (ref r, _) => r.ReadFloat());
        Add(Fixed64, "double", static v => BitConverter.DoubleToInt64Bits(v) == 0, 0d, static (ref w, v) => w.WriteDouble(v), static (ref r, _) => r.ReadDouble());
        Add(Bytes, "string", static v => v.Length == 0, "", static (ref w, v) => w.WriteString(v), static (ref r, existing) => r.ReadString(existing));
        Add<byte[]>(Bytes, "bytes", static v => v.Length == 0, [], static (ref w, v) => w.WriteBytes(v), static (ref r, existing) => r.ReadBytes(existing));
        Add<Memory<byte>>(Bytes, "bytes", static v => v.IsEmpty, default, static (ref w, v) => w.WriteBytes(v.Span), static (ref r, _) => r.ReadBytes());
        Add<ReadOnlyMemory<byte>>(Bytes, "bytes", static v => v.IsEmpty, default, static (ref w, v) => w.WriteBytes(v.Span), static (ref r, _) => r.ReadBytes());
        Add(Bytes, "bytes", static v => v.Count == 0, new ArraySegment<byte>([]), static (ref w, v) => w.WriteBytes(v), static (ref r, _) => new ArraySegment<byte>(r.ReadBytes()));
        Add(Bytes, "string", IsZero, 0m, static (ref w, v) => w.WriteDecimal(v), static (ref r, _) => r.ReadDecimal());
        Add(Bytes, "string", static v => v == Guid.Empty, Guid.Empty, static (ref w, v) => w.WriteGuid(v), static (ref r, _) => r.ReadGuid());
        Add(Bytes, "bytes", static v => v.IsZero, BigInteger.Zero, static (ref w, v) => w.WriteBigInteger(v), static (ref r, _) => r.ReadBigInteger());

        Add(Bytes, "google.protobuf.Timestamp", null, new DateTime(Timestamps.UnixEpochTicks, DateTimeKind.Utc), static (ref w, v) => w.WriteTimestamp(v), static (ref r, _) => r.ReadTimestamp());
        Add(Bytes, "DateTimeOffset", null, new DateTimeOffset(Timestamps.UnixEpochTicks, TimeSpan.Zero), static (ref w, v) => w.WriteTimestamp(v), static (ref r, _) => r.ReadDateTimeOffset());
        Add(Bytes, "google.protobuf.Duration", null, TimeSpan.Zero, static (ref w, v) => w.WriteDuration(v), static (ref r, _) => r.ReadDuration());
        Add(Bytes, "string", null, new Uri("", UriKind.Relative), static (ref w, v) => w.WriteString(v.OriginalString), static (ref r, _) => r.ReadUri());
        Add<Version>(Bytes, "string", null, null!, static (ref w, v) => w.WriteString(v.ToString()), static (ref r, _) => r.ReadVersion());
#if NET
        Add(Fixed32, "float", static v => BitConverter.HalfToUInt16Bits(v) == 0, default(Half), static (ref w, v) => w.WriteFloat((float)v), static (ref r, _) => r.ReadHalf());
        AddNumber<DateOnly>(Varint, "int32", static (ref w, v) => w.WriteInt32(v.DayNumber), static (ref r, _) => DateOnly.FromDayNumber((int)InRange(r.ByteOffset, r.ReadInt32(), 0, DateOnly.MaxValue.DayNumber, "DateOnly")));
        AddNumber<TimeOnly>(Varint, "int64", static (ref w, v) => w.WriteInt64(v.Ticks), static (ref r, _) => new TimeOnly(InRange(r.ByteOffset, r.ReadInt64(), 0, TimeOnly.MaxValue.Ticks, "TimeOnly")));
        AddNumber<Int128>(Bytes, "bytes", static (ref w, v) => w.WriteUInt128((UInt128)v), static (ref r, _) => (Int128)r.ReadUInt128());
        AddNumber<UInt128>(Bytes, "bytes", static (ref w, v) => w.WriteUInt128(v), static (ref r, _) => r.ReadUInt128());
#endif
        return all;

        void AddNumber<T>(
            ProtobufWireType wireType, string schemaType, ProtobufScalar<T>.WriteValue write, ProtobufScalar<T>.ReadValue read, MemberEncoding encoding = MemberEncoding.Default)
            where T : struct, IEquatable<T> =>
            Add(wireType, schemaType, static v => v.Equals(default), default, write, read, encoding);

        void Add<T>(
            ProtobufWireType wireType,
            string schemaType,
            Func<T, bool>? isDefault,
            T defaultValue,
            ProtobufScalar<T>.WriteValue write,
            ProtobufScalar<T>.ReadValue read,
            MemberEncoding encoding = MemberEncoding.Default) =>
            all.Add((typeof(T), encoding), new ProtobufScalar<T>(wireType, schemaType, isDefault, defaultValue, write, read));
    }

    /// <summary>Whether a number is 0 without a scale or a sign: only that is what a field without bytes is read as.</summary>
    private static bool IsZero(decimal value)
    {
        Span<int> bits = stackalloc int[4];
        Decimals.GetBits(value, bits);
        return (bits[0] | bits[1] | bits[2] | bits[3]) == 0;
    }

    private static long InRange(int byteOffset, long value, long min, long max, string typeName)
    {
        if (value < min || value > max)
            ThrowHelper.ThrowBadValue(byteOffset, typeName);
        return value;
    }
}
