using System;
using System.Collections.Generic;
using System.Net;
using System.Numerics;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>The types with their own methods in the writer and the reader: docs/wire/protobuf.md, "Values".</summary>
internal static class ProtobufScalars
{
    private static readonly Dictionary<(Type Type, MemberEncoding Encoding), object> All = CreateAll();

    /// <summary>Finds a type: a <see cref="ProtobufValue{T}"/> of it, or null.</summary>
    internal static object? Find(Type type, MemberEncoding encoding) => All.TryGetValue((type, encoding), out object? value) ? value : null;

    private static Dictionary<(Type, MemberEncoding), object> CreateAll()
    {
        var all = new Dictionary<(Type, MemberEncoding), object>();

        AddNumber<bool>("bool", static (ref w, v) => w.WriteBool(v), static (ref r, _) => r.ReadBool());
        AddNumber<byte>("uint32", static (ref w, v) => w.WriteUInt32(v),
            static (ref r, _) => (byte)InRange(r.ByteOffset, r.ReadUInt32(), 0, byte.MaxValue, "Byte"));
        AddNumber<sbyte>("int32", static (ref w, v) => w.WriteInt32(v),
            static (ref r, _) => (sbyte)InRange(r.ByteOffset, r.ReadInt32(), sbyte.MinValue, sbyte.MaxValue, "SByte"));
        AddNumber<short>("int32", static (ref w, v) => w.WriteInt32(v),
            static (ref r, _) => (short)InRange(r.ByteOffset, r.ReadInt32(), short.MinValue, short.MaxValue, "Int16"));
        AddNumber<ushort>("uint32", static (ref w, v) => w.WriteUInt32(v),
            static (ref r, _) => (ushort)InRange(r.ByteOffset, r.ReadUInt32(), 0, ushort.MaxValue, "UInt16"));
        AddNumber<char>("uint32", static (ref w, v) => w.WriteUInt32(v),
            static (ref r, _) => (char)InRange(r.ByteOffset, r.ReadUInt32(), 0, char.MaxValue, "Char"));
        AddNumber<int>("int32", static (ref w, v) => w.WriteInt32(v), static (ref r, _) => r.ReadInt32());
        AddNumber<uint>("uint32", static (ref w, v) => w.WriteUInt32(v), static (ref r, _) => r.ReadUInt32());
        AddNumber<long>("int64", static (ref w, v) => w.WriteInt64(v), static (ref r, _) => r.ReadInt64());
        AddNumber<ulong>("uint64", static (ref w, v) => w.WriteUInt64(v), static (ref r, _) => r.ReadUInt64());

        const MemberEncoding ZigZag = MemberEncoding.ZigZag;
        AddNumber<sbyte>("sint32", static (ref w, v) => w.WriteSInt32(v),
            static (ref r, _) => (sbyte)InRange(r.ByteOffset, r.ReadSInt32(), sbyte.MinValue, sbyte.MaxValue, "SByte"), ZigZag);
        AddNumber<short>("sint32", static (ref w, v) => w.WriteSInt32(v),
            static (ref r, _) => (short)InRange(r.ByteOffset, r.ReadSInt32(), short.MinValue, short.MaxValue, "Int16"), ZigZag);
        AddNumber<int>("sint32", static (ref w, v) => w.WriteSInt32(v), static (ref r, _) => r.ReadSInt32(), ZigZag);
        AddNumber<long>("sint64", static (ref w, v) => w.WriteSInt64(v), static (ref r, _) => r.ReadSInt64(), ZigZag);

        const MemberEncoding Fixed = MemberEncoding.Fixed;
        AddNumber<byte>("fixed32", static (ref w, v) => w.WriteFixed32(v),
            static (ref r, _) => (byte)InRange(r.ByteOffset, r.ReadFixed32(), 0, byte.MaxValue, "Byte"), Fixed);
        AddNumber<sbyte>("sfixed32", static (ref w, v) => w.WriteSFixed32(v),
            static (ref r, _) => (sbyte)InRange(r.ByteOffset, r.ReadSFixed32(), sbyte.MinValue, sbyte.MaxValue, "SByte"), Fixed);
        AddNumber<short>("sfixed32", static (ref w, v) => w.WriteSFixed32(v),
            static (ref r, _) => (short)InRange(r.ByteOffset, r.ReadSFixed32(), short.MinValue, short.MaxValue, "Int16"), Fixed);
        AddNumber<ushort>("fixed32", static (ref w, v) => w.WriteFixed32(v),
            static (ref r, _) => (ushort)InRange(r.ByteOffset, r.ReadFixed32(), 0, ushort.MaxValue, "UInt16"), Fixed);
        AddNumber<int>("sfixed32", static (ref w, v) => w.WriteSFixed32(v), static (ref r, _) => r.ReadSFixed32(), Fixed);
        AddNumber<uint>("fixed32", static (ref w, v) => w.WriteFixed32(v), static (ref r, _) => r.ReadFixed32(), Fixed);
        AddNumber<long>("sfixed64", static (ref w, v) => w.WriteSFixed64(v), static (ref r, _) => r.ReadSFixed64(), Fixed);
        AddNumber<ulong>("fixed64", static (ref w, v) => w.WriteFixed64(v), static (ref r, _) => r.ReadFixed64(), Fixed);
        Add("bytes", static v => v == Guid.Empty, Guid.Empty, static (ref w, v) => w.WriteGuidBytes(v), static (ref r, _) => r.ReadGuid(), Fixed);

        // -0.0 equals 0.0, but is not a default value.
        Add("float", static v => v == 0 && 1 / v > 0, 0f, static (ref w, v) => w.WriteFloat(v), static (ref r, _) => r.ReadFloat());
        Add("double", static v => BitConverter.DoubleToInt64Bits(v) == 0, 0d, static (ref w, v) => w.WriteDouble(v),
            static (ref r, _) => r.ReadDouble());
        Add("string", static v => v.Length == 0, "", static (ref w, v) => w.WriteString(v), static (ref r, existing) => r.ReadString(existing));
        Add<byte[]>("bytes", static v => v.Length == 0, [], static (ref w, v) => w.WriteBytes(v), static (ref r, existing) => r.ReadBytes(existing));
        Add<Memory<byte>>("bytes", static v => v.IsEmpty, default, static (ref w, v) => w.WriteBytes(v.Span), static (ref r, _) => r.ReadBytes());
        Add<ReadOnlyMemory<byte>>("bytes", static v => v.IsEmpty, default, static (ref w, v) => w.WriteBytes(v.Span),
            static (ref r, _) => r.ReadBytes());
        Add("bytes", static v => v.Count == 0, new ArraySegment<byte>([]), static (ref w, v) => w.WriteBytes(v),
            static (ref r, _) => new ArraySegment<byte>(r.ReadBytes()));
        Add("string", IsZero, 0m, static (ref w, v) => w.WriteDecimal(v), static (ref r, _) => r.ReadDecimal());
        Add("string", static v => v == Guid.Empty, Guid.Empty, static (ref w, v) => w.WriteGuid(v), static (ref r, _) => r.ReadGuid());
        Add("bytes", static v => v.IsZero, BigInteger.Zero, static (ref w, v) => w.WriteBigInteger(v), static (ref r, _) => r.ReadBigInteger());

        Add("google.protobuf.Timestamp", null, new DateTime(Timestamps.UnixEpochTicks, DateTimeKind.Utc), static (ref w, v) => w.WriteTimestamp(v),
            static (ref r, _) => r.ReadTimestamp());
        Add("DateTimeOffset", null, new DateTimeOffset(Timestamps.UnixEpochTicks, TimeSpan.Zero), static (ref w, v) => w.WriteTimestamp(v),
            static (ref r, _) => r.ReadDateTimeOffset());
        Add("google.protobuf.Duration", null, TimeSpan.Zero, static (ref w, v) => w.WriteDuration(v), static (ref r, _) => r.ReadDuration());
        Add("string", null, new Uri("", UriKind.Relative), static (ref w, v) => w.WriteString(v.OriginalString), static (ref r, _) => r.ReadUri());
        Add<Version>("string", null, null!, static (ref w, v) => w.WriteString(v.ToString()), static (ref r, _) => r.ReadVersion());
        Add<IPAddress>("string", null, null!, static (ref w, v) => w.WriteString(v.ToString()),
            static (ref r, _) => IPAddresses.Parse(r.ByteOffset, r.ReadString()));
#if NET
        Add("float", static v => BitConverter.HalfToUInt16Bits(v) == 0, default(Half), static (ref w, v) => w.WriteFloat((float)v),
            static (ref r, _) => r.ReadHalf());
        AddNumber<DateOnly>("int32", static (ref w, v) => w.WriteInt32(v.DayNumber),
            static (ref r, _) => DateOnly.FromDayNumber((int)InRange(r.ByteOffset, r.ReadInt32(), 0, DateOnly.MaxValue.DayNumber, "DateOnly")));
        AddNumber<TimeOnly>("int64", static (ref w, v) => w.WriteInt64(v.Ticks),
            static (ref r, _) => new TimeOnly(InRange(r.ByteOffset, r.ReadInt64(), 0, TimeOnly.MaxValue.Ticks, "TimeOnly")));
        AddNumber<Int128>("bytes", static (ref w, v) => w.WriteUInt128((UInt128)v), static (ref r, _) => (Int128)r.ReadUInt128());
        AddNumber<UInt128>("bytes", static (ref w, v) => w.WriteUInt128(v), static (ref r, _) => r.ReadUInt128());
#endif
        return all;

        void AddNumber<T>(
            string schemaType, ProtobufScalar<T>.WriteValue write, ProtobufScalar<T>.ReadValue read, MemberEncoding encoding = MemberEncoding.Default)
            where T : struct, IEquatable<T> =>
            Add(schemaType, static v => v.Equals(default), default, write, read, encoding);

        void Add<T>(
            string schemaType,
            Func<T, bool>? isDefault,
            T defaultValue,
            ProtobufScalar<T>.WriteValue write,
            ProtobufScalar<T>.ReadValue read,
            MemberEncoding encoding = MemberEncoding.Default) =>
            all.Add((typeof(T), encoding), new ProtobufScalar<T>(WireTypeOf(typeof(T), encoding == Fixed), schemaType, isDefault, defaultValue,
                write, read, PackedFormOf<T>(encoding)));
    }

    private static PackedForm PackedFormOf<T>(MemberEncoding encoding) =>
#if NET
        PackedNumbers.FormOf<T>(WireTypeOf(typeof(T), encoding == MemberEncoding.Fixed), encoding == MemberEncoding.ZigZag);
#else
        PackedForm.None;
#endif

    /// <summary>Returns the wire type of a type; for strings and bytes it is length-delimited.</summary>
    private static ProtobufWireType WireTypeOf(Type type, bool isFixed) =>
        ScalarTypes.Find(type.FullName!) is ScalarType scalar ? (ProtobufWireType)scalar.FieldAs(isFixed) : ProtobufWireType.LengthDelimited;

    /// <summary>Determines whether a number is 0 without scale and sign, as a missing field is read.</summary>
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
