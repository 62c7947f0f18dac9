using System;
using System.Collections;
using System.Collections.Generic;
using System.Formats.Cbor;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;

namespace Formatters.Interop.Tests.Cbor;

/// <summary>What System.Formats.Cbor makes of bodies and values. It knows no contract: members are written here, as docs/wire/cbor.md has them.</summary>
internal static class CborPeer
{
    private static readonly Comparer<byte[]> ByBytes = Comparer<byte[]>.Create(static (x, y) => x.AsSpan().SequenceCompareTo(y));

    /// <summary>Reads one value of any kind by the rules of a mode, and writes it in the canonical form.</summary>
    /// <exception cref="CborContentException">The bytes break a rule.</exception>
    public static byte[] Rewrite(byte[] body, CborConformanceMode mode)
    {
        var reader = new CborReader(body, mode);
        // The canonical mode sorts keys by length and then by bytes; of text strings alone that is the order of their bytes.
        var writer = new CborWriter(CborConformanceMode.Canonical);
        Copy(reader, writer);
        if (reader.BytesRemaining > 0)
            throw new CborContentException("Bytes follow the value.");
        return writer.Encode();
    }

    /// <summary>Whether the bytes are one well-formed value, whatever it is.</summary>
    public static bool IsWellFormed(byte[] body)
    {
        try
        {
            var reader = new CborReader(body, CborConformanceMode.Lax);
            reader.SkipValue();
            return reader.BytesRemaining == 0;
        }
        catch (CborContentException)
        {
            return false;
        }
        catch (InvalidOperationException)
        {
            return false; // FC to FE, which begin no value.
        }
    }

    /// <summary>Writes a value.</summary>
    /// <param name="value">The value.</param>
    /// <param name="isCanonical">Whether maps and sets are in the order of their bytes; else maps are in the reverse order, and negative digits of
    /// decimals are a bignum.</param>
    public static byte[] Write<T>(T value, bool isCanonical)
    {
        var writer = new CborWriter(CborConformanceMode.Strict);
        Write(writer, value, typeof(T), isCanonical);
        return writer.Encode();
    }

    private static void Write(CborWriter writer, object? value, Type type, bool isCanonical)
    {
        switch (value)
        {
            case null:
                writer.WriteNull();
                break;
            case bool flag:
                writer.WriteBoolean(flag);
                break;
            case char character:
                writer.WriteUInt32(character);
                break;
            case byte or ushort or uint or ulong:
                writer.WriteUInt64(Convert.ToUInt64(value, CultureInfo.InvariantCulture));
                break;
            case sbyte or short or int or long:
                writer.WriteInt64(Convert.ToInt64(value, CultureInfo.InvariantCulture));
                break;
            case Enum:
                Write(writer, Convert.ChangeType(value, Enum.GetUnderlyingType(value.GetType()), CultureInfo.InvariantCulture), type, isCanonical);
                break;
            case Half half:
                writer.WriteHalf(half);
                break;
            case float single:
                writer.WriteSingle(single);
                break;
            case double number:
                writer.WriteDouble(number);
                break;
            case decimal zero when zero == 0 && decimal.IsNegative(zero):
                writer.WriteTextString(zero.ToString(CultureInfo.InvariantCulture));
                break;
            case decimal number when isCanonical:
                WriteDecimal(writer, number);
                break;
            case decimal number:
                writer.WriteDecimal(number);
                break;
            case BigInteger integer:
                WriteInteger(writer, integer);
                break;
            case Int128 integer:
                WriteInteger(writer, integer);
                break;
            case UInt128 integer:
                WriteInteger(writer, integer);
                break;
            case string text:
                writer.WriteTextString(text);
                break;
            case byte[] bytes:
                writer.WriteByteString(bytes);
                break;
            case Memory<byte> bytes:
                writer.WriteByteString(bytes.Span);
                break;
            case ReadOnlyMemory<byte> bytes:
                writer.WriteByteString(bytes.Span);
                break;
            case ArraySegment<byte> bytes:
                writer.WriteByteString(bytes);
                break;
            case DateTime time:
                writer.WriteTag(CborTag.DateTimeString);
                writer.WriteTextString(time.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFZ", CultureInfo.InvariantCulture));
                break;
            case DateTimeOffset time when isCanonical:
                WriteTime(writer, time);
                break;
            case DateTimeOffset time:
                writer.WriteDateTimeOffset(time);
                break;
            case DateOnly date:
                writer.WriteTag((CborTag)100);
                writer.WriteInt32(date.DayNumber - new DateOnly(1970, 1, 1).DayNumber);
                break;
            case TimeSpan duration:
                writer.WriteInt64(duration.Ticks);
                break;
            case TimeOnly time:
                writer.WriteInt64(time.Ticks);
                break;
            case Guid id:
                writer.WriteTag((CborTag)37);
                writer.WriteByteString(id.ToByteArray(bigEndian: true));
                break;
            case Uri uri:
                writer.WriteTag(CborTag.Uri);
                writer.WriteTextString(uri.OriginalString);
                break;
            case Version or IPAddress:
                writer.WriteTextString(value.ToString()!);
                break;
            case Array { Rank: > 1 } matrix:
                writer.WriteStartArray(matrix.Rank + 1);
                for (int i = 0; i < matrix.Rank; i++)
                    writer.WriteInt32(matrix.GetLength(i));
                WriteArray(writer, matrix.Cast<object?>(), type.GetElementType()!, isCanonical);
                writer.WriteEndArray();
                break;
            case ITuple when type.Name.StartsWith("ValueTuple", StringComparison.Ordinal) || type.Name.StartsWith("Tuple", StringComparison.Ordinal):
            case var _ when type.Name.StartsWith("KeyValuePair", StringComparison.Ordinal):
                WriteItems(writer, value, isCanonical);
                break;
            case IEnumerable items when ElementsOf(value.GetType()) is [Type key, Type element]:
                WriteMap(writer, isCanonical, [.. items.Cast<object>().Select(entry => (
                    Encode(entry.GetType().GetProperty("Key")!.GetValue(entry), key, isCanonical),
                    Encode(entry.GetType().GetProperty("Value")!.GetValue(entry), element, isCanonical)))]);
                break;
            case IEnumerable items:
                Type of = ElementsOf(value.GetType())[0];
                if (isCanonical && value.GetType().GetInterfaces().Any(static i => i.Name.StartsWith("ISet", StringComparison.Ordinal)))
                    WriteEncoded(writer, items.Cast<object?>().Select(item => Encode(item, of, isCanonical)).Order(ByBytes));
                else
                    WriteArray(writer, items.Cast<object?>(), of, isCanonical);
                break;
            default:
                WriteRecord(writer, value, type, isCanonical);
                break;
        }
    }

    private static void WriteRecord(CborWriter writer, object value, Type type, bool isCanonical)
    {
        if (type.GetCustomAttributes<MessageUnionAttribute>(inherit: false).SingleOrDefault(one => one.Type == value.GetType()) is { } unionCase)
        {
            writer.WriteStartArray(2);
            writer.WriteInt32(unionCase.Tag);
            Write(writer, value, value.GetType(), isCanonical);
            writer.WriteEndArray();
            return;
        }

        (string Name, int Index, Type Type, object? Value)[] members =
        [
            .. MembersOf(value.GetType()).Select(member => member is FieldInfo field
                ? (field.Name, IndexOf(field), field.FieldType, field.GetValue(value))
                : (member.Name, IndexOf(member), ((PropertyInfo)member).PropertyType, ((PropertyInfo)member).GetValue(value))),
        ];
        // A type of no members is an array if it has the attribute.
        if (members.Length == 0 ? !value.GetType().IsDefined(typeof(System.Runtime.Serialization.DataContractAttribute), inherit: false) : members.All(static member => member.Index < 0))
        {
            WriteMap(writer, isCanonical,
                [.. members.Select(member => (Encode(member.Name, typeof(string), true), Encode(member.Value, member.Type, isCanonical)))]);
            return;
        }

        var byIndex = members.Where(static member => member.Index >= 0).ToDictionary(static member => member.Index);
        int count = byIndex.Count == 0 ? 0 : byIndex.Keys.Max() + 1;
        writer.WriteStartArray(count);
        for (int i = 0; i < count; i++)
            Write(writer, byIndex.GetValueOrDefault(i).Value, byIndex.GetValueOrDefault(i).Type ?? typeof(object), isCanonical);
        writer.WriteEndArray();
    }

    private static IEnumerable<MemberInfo> MembersOf(Type? type) => type is null ? [] : MembersOf(type.BaseType).Concat(
        type.GetMembers(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly).Where(member =>
            IndexOf(member) >= 0 || (member is PropertyInfo { CanWrite: true } && !type.IsDefined(typeof(DataContractAttribute)))));

    private static int IndexOf(MemberInfo member) =>
        member.GetCustomAttribute<MessageMemberAttribute>() is { } own ? own.Number - 1 : member.GetCustomAttribute<DataMemberAttribute>()?.Order ?? -1;

    private static Type[] ElementsOf(Type type)
    {
        Type[] interfaces = [.. type.GetInterfaces().Where(static i => i.IsGenericType)];
        return (interfaces.FirstOrDefault(static i => i.GetGenericTypeDefinition() == typeof(IReadOnlyDictionary<,>))
            ?? interfaces.First(static i => i.GetGenericTypeDefinition() == typeof(IEnumerable<>))).GetGenericArguments();
    }

    /// <summary>Writes a pair or a tuple; the eighth and later items are in a tuple of their own.</summary>
    private static void WriteItems(CborWriter writer, object tuple, bool isCanonical)
    {
        Type type = tuple.GetType();
        MemberInfo[] items = type.Name.StartsWith("ValueTuple", StringComparison.Ordinal) ? type.GetFields() : type.GetProperties();
        writer.WriteStartArray(items.Length);
        foreach (MemberInfo item in items)
        {
            if (item is FieldInfo field)
                Write(writer, field.GetValue(tuple), field.FieldType, isCanonical);
            else
                Write(writer, ((PropertyInfo)item).GetValue(tuple), ((PropertyInfo)item).PropertyType, isCanonical);
        }

        writer.WriteEndArray();
    }

    private static void WriteArray(CborWriter writer, IEnumerable<object?> items, Type type, bool isCanonical) =>
        WriteEncoded(writer, items.Select(item => Encode(item, type, isCanonical)));

    private static void WriteEncoded(CborWriter writer, IEnumerable<byte[]> items)
    {
        byte[][] all = [.. items];
        writer.WriteStartArray(all.Length);
        foreach (byte[] item in all)
            writer.WriteEncodedValue(item);
        writer.WriteEndArray();
    }

    private static void WriteMap(CborWriter writer, bool isCanonical, List<(byte[] Key, byte[] Value)> entries)
    {
        // Section 4.2.1: by the bytes. The canonical mode of the writer is the older one, by the length first.
        entries.Sort(static (x, y) => ByBytes.Compare(x.Key, y.Key));
        if (!isCanonical)
            entries.Reverse();
        writer.WriteStartMap(entries.Count);
        foreach ((byte[] key, byte[] value) in entries)
        {
            writer.WriteEncodedValue(key);
            writer.WriteEncodedValue(value);
        }

        writer.WriteEndMap();
    }

    private static byte[] Encode(object? value, Type type, bool isCanonical)
    {
        var writer = new CborWriter(CborConformanceMode.Strict);
        Write(writer, value, type, isCanonical);
        return writer.Encode();
    }

    /// <summary>RFC 8949, 4.2.1 with 3.4.3: an integer that fits 64 bits is not a bignum.</summary>
    private static void WriteInteger(CborWriter writer, BigInteger value)
    {
        if (value >= 0 && value <= ulong.MaxValue)
            writer.WriteUInt64((ulong)value);
        else if (value < 0 && value >= -1 - (BigInteger)ulong.MaxValue)
            writer.WriteCborNegativeIntegerRepresentation((ulong)(-1 - value));
        else
            writer.WriteBigInteger(value);
    }

    /// <summary>RFC 8949, 3.4.1, with the offset as digits: a <see cref="DateTimeOffset"/> of zero is told from a <see cref="DateTime"/> of kind UTC.</summary>
    private static void WriteTime(CborWriter writer, DateTimeOffset value)
    {
        writer.WriteTag(CborTag.DateTimeString);
        writer.WriteTextString(value.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFzzz", CultureInfo.InvariantCulture));
    }

    /// <summary>RFC 8949, 3.4.4.</summary>
    private static void WriteDecimal(CborWriter writer, decimal value)
    {
        int[] bits = decimal.GetBits(value);
        var digits = ((BigInteger)(uint)bits[2] << 64) | ((BigInteger)(uint)bits[1] << 32) | (uint)bits[0];
        writer.WriteTag(CborTag.DecimalFraction);
        writer.WriteStartArray(2);
        writer.WriteInt32(-((bits[3] >> 16) & 0xFF));
        WriteInteger(writer, bits[3] < 0 ? -digits : digits);
        writer.WriteEndArray();
    }

    private static void Copy(CborReader reader, CborWriter writer)
    {
        switch (reader.PeekState())
        {
            case CborReaderState.UnsignedInteger:
                writer.WriteUInt64(reader.ReadUInt64());
                break;
            case CborReaderState.NegativeInteger:
                writer.WriteCborNegativeIntegerRepresentation(reader.ReadCborNegativeIntegerRepresentation());
                break;
            case CborReaderState.ByteString or CborReaderState.StartIndefiniteLengthByteString:
                writer.WriteByteString(reader.ReadByteString());
                break;
            case CborReaderState.TextString or CborReaderState.StartIndefiniteLengthTextString:
                writer.WriteTextString(reader.ReadTextString());
                break;
            case CborReaderState.StartArray:
                reader.ReadStartArray();
                var elements = new List<byte[]>();
                while (reader.PeekState() != CborReaderState.EndArray)
                    elements.Add(Element(reader));
                reader.ReadEndArray();
                writer.WriteStartArray(elements.Count);
                foreach (byte[] element in elements)
                    writer.WriteEncodedValue(element);
                writer.WriteEndArray();
                break;
            case CborReaderState.StartMap:
                reader.ReadStartMap();
                var entries = new List<(byte[] Key, byte[] Value)>();
                while (reader.PeekState() != CborReaderState.EndMap)
                    entries.Add((Element(reader), Element(reader)));
                reader.ReadEndMap();
                writer.WriteStartMap(entries.Count);
                foreach ((byte[] key, byte[] value) in entries)
                {
                    writer.WriteEncodedValue(key);
                    writer.WriteEncodedValue(value);
                }

                writer.WriteEndMap();
                break;
            case CborReaderState.Tag:
                writer.WriteTag(reader.ReadTag());
                Copy(reader, writer);
                break;
            case CborReaderState.HalfPrecisionFloat or CborReaderState.SinglePrecisionFloat or CborReaderState.DoublePrecisionFloat:
                writer.WriteDouble(reader.ReadDouble());
                break;
            default:
                writer.WriteSimpleValue(reader.ReadSimpleValue());
                break;
        }
    }

    private static byte[] Element(CborReader reader)
    {
        var writer = new CborWriter(CborConformanceMode.Canonical);
        Copy(reader, writer);
        return writer.Encode();
    }
}
