using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Numerics;
using System.Text;

namespace Formatters.Contracts.Tests.Judges;

/// <summary>docs/wire/protobuf.md, over https://protobuf.dev/programming-guides/encoding/.</summary>
internal sealed class ProtobufJudge : Judge
{
    private const int Varint = 0, Fixed64 = 1, Bytes = 2, StartGroup = 3, EndGroup = 4, Fixed32 = 5;

    internal override byte[] Write(Shape shape, object? tree)
    {
        if (shape.Kind == ShapeKind.Union)
        {
            var one = (KeyValuePair<object, object?>)tree!;
            return Field((int)one.Key, Bytes, Write(shape.Cases.Single(other => other.Tag == (int)one.Key).Shape, one.Value));
        }

        object?[] members = (object?[])tree!;
        return [.. shape.Members.Select((member, i) => (member.Number, Bytes: WriteMember(member.Number, member.Shape, members[i]))).OrderBy(static member => member.Number).SelectMany(static member => member.Bytes)];
    }

    internal override object? Read(Shape shape, byte[] body) => shape.Kind == ShapeKind.Union ? ReadUnion(shape, body) : ReadRecord(shape, [body]);

    internal override byte[] Likely(Shape shape, Random random)
    {
        byte[] bytes = LikelyBytes(random, 18);
        return random.Next(6) switch
        {
            0 => [8, .. bytes],
            1 => [8, .. Enumerable.Range(0, random.Next(11)).Select(_ => (byte)random.Next(0x80, 0x100)), (byte)random.Next(0x80)],
            2 => [0x0D, .. bytes],
            3 => [9, .. bytes],
            4 => [.. Field(1, Bytes, bytes), .. random.Next(2) == 0 ? bytes : []],
            _ => Field(1, Bytes, [.. Field(1, Varint, WriteVarint(random.NextInt64() >> random.Next(64))), .. Field(2, Varint, WriteVarint(random.Next(1 << random.Next(31)))), .. random.Next(2) == 0 ? Field(3, Varint, WriteVarint(random.Next(3000))) : []]),
        };
    }

    internal override IEnumerable<byte[]> Forms(Shape shape) => Boundaries.FewIntegers.SelectMany(static number =>
    {
        byte[] varint = WriteVarint(number);
        byte[] padded = [.. varint.Take(varint.Length - 1), (byte)(varint[^1] + 0x80), .. number.Sign < 0 ? [(byte)0x7F] : new byte[1]];
        byte[][] times = [Field(1, Varint, varint), Field(2, Varint, varint), [.. Field(1, Varint, WriteVarint(1)), .. Field(2, Varint, varint)], [.. Field(1, Varint, WriteVarint(-1)), .. Field(2, Varint, varint)], Field(3, Varint, varint)];
        return (byte[][])[Field(1, Varint, varint), Field(1, Varint, padded), Field(1, Bytes, Utf8($"{number}")), .. Padded(number).Select(static bytes => Field(1, Bytes, bytes)), .. times.Select(static time => Field(1, Bytes, time))];
    });

    private static byte[] WriteVarint(BigInteger value)
    {
        ulong rest = (ulong)(value & ulong.MaxValue);
        List<byte> bytes = [];
        for (; rest >= 128; rest >>= 7)
            bytes.Add((byte)((rest & 0x7F) + 0x80));
        return [.. bytes, (byte)rest];
    }

    private static byte[] Field(int number, int wireType, byte[] value) =>
        [.. WriteVarint(((BigInteger)number << 3) + wireType), .. wireType == Bytes ? WriteVarint(value.Length) : [], .. value];

    private static bool IsMessage(Shape shape) => shape.Kind is ShapeKind.Record or ShapeKind.Union || IsTime(shape.Type);

    private static bool IsTime(Type type) => type == typeof(DateTime) || type == typeof(DateTimeOffset) || type == typeof(TimeSpan);

    private static bool IsCollection(Shape shape) => shape.Kind is ShapeKind.List or ShapeKind.Map;

    private static int WireTypeOf(Shape shape) =>
        shape.Kind != ShapeKind.Scalar ? Bytes : shape.Type == typeof(double) ? Fixed64 : shape.Type == typeof(float) || shape.Type == typeof(Half) ? Fixed32
        : shape.Type == typeof(bool) || shape.Type == typeof(DateOnly) || shape.Type == typeof(TimeOnly) || IsInteger(shape.Type) && !IsBig(shape.Type) ? Varint : Bytes;

    private static bool IsDefault(object value) => value switch
    {
        string text => text.Length == 0,
        byte[] bytes => bytes.Length == 0,
        double number => BitConverter.DoubleToInt64Bits(number) == 0,
        float number => BitConverter.SingleToInt32Bits(number) == 0,
        Half number => BitConverter.HalfToInt16Bits(number) == 0,
        decimal number => decimal.GetBits(number).All(static part => part == 0),
        Uri or Version or IPAddress => false,
        _ => !IsTime(value.GetType()) && value.Equals(Activator.CreateInstance(value.GetType())),
    };

    private byte[] WriteMember(int number, Shape shape, object? tree)
    {
        if (tree is null)
            return [];
        if (shape.Kind == ShapeKind.Map)
            return [.. ((KeyValuePair<object, object?>[])tree).SelectMany(entry => Field(number, Bytes, [.. WriteMember(1, shape.Key!, entry.Key), .. WriteElement(2, shape.Element!, entry.Value)]))];
        if (shape.Kind == ShapeKind.List)
        {
            object?[] items = (object?[])tree;
            Shape element = shape.Element!;
            if (items.Length > 0 && WireTypeOf(element) != Bytes && !element.IsNullable)
                return Field(number, Bytes, [.. items.SelectMany(item => WriteValue(element, item!))]);
            return [.. items.SelectMany(item => IsWrapped(element) ? WriteElement(number, element, item) : Field(number, WireTypeOf(element), WriteValue(element, item!)))];
        }

        bool isLeftOut = shape.Kind == ShapeKind.Scalar && !shape.IsNullable && IsDefault(tree);
        return isLeftOut ? [] : Field(number, WireTypeOf(shape), WriteValue(shape, tree));
    }

    /// <summary>A collection, or a nullable value, as the element of another is in a message.</summary>
    private byte[] WriteElement(int number, Shape shape, object? tree) => IsWrapped(shape) ? Field(number, Bytes, WriteMember(1, shape, tree)) : WriteMember(number, shape, tree);

    private static bool IsWrapped(Shape element) => IsCollection(element) || element.IsNullable;

    private byte[] WriteValue(Shape shape, object tree) => shape.Kind != ShapeKind.Scalar ? Write(shape, tree) : tree switch
    {
        bool flag => WriteVarint(flag ? 1 : 0),
        DateOnly date => WriteVarint(date.DayNumber),
        TimeOnly time => WriteVarint(time.Ticks),
        double number => BitConverter.GetBytes(number),
        float number => BitConverter.GetBytes(number),
        Half number => BitConverter.GetBytes((float)number),
        string text => Utf8(text),
        byte[] bytes => bytes,
        DateTime time => WriteTime(time.Ticks - DateTime.UnixEpoch.Ticks, 0, isFloor: true),
        DateTimeOffset time => WriteTime(time.UtcTicks - DateTime.UnixEpoch.Ticks, (int)time.Offset.TotalMinutes, isFloor: true),
        TimeSpan time => WriteTime(time.Ticks, 0, isFloor: false),
        Guid or Version or IPAddress => Utf8(tree.ToString()!),
        decimal number => Utf8(TextOf(number)),
        Uri address => Utf8(address.OriginalString),
        BigInteger integer => integer.ToByteArray(),
        Int128 or UInt128 => [.. Enumerable.Range(0, 16).Select(i => (byte)(int)((IntegerOf(tree)!.Value >> (8 * i)) & 0xFF))],
        _ => WriteVarint(IntegerOf(tree)!.Value),
    };

    /// <summary>Seconds and nanoseconds: of a time, these are never negative; of a duration, both have its sign.</summary>
    private static byte[] WriteTime(long ticks, int offset, bool isFloor)
    {
        long seconds = Math.DivRem(ticks, TimeSpan.TicksPerSecond, out long rest);
        if (isFloor && rest < 0)
            (seconds, rest) = (seconds - 1, rest + TimeSpan.TicksPerSecond);
        return [.. seconds == 0 ? [] : Field(1, Varint, WriteVarint(seconds)), .. rest == 0 ? [] : Field(2, Varint, WriteVarint(rest * 100)),
            .. offset == 0 ? [] : Field(3, Varint, WriteVarint(offset < 0 ? (-2 * offset) - 1 : 2 * offset))];
    }

    /// <summary>The fields of a message; the content of one of 64 or 32 bits is its bytes, that of a varint its number.</summary>
    private static List<(BigInteger Number, int WireType, byte[] Content, ulong Integer)> Fields(byte[] message)
    {
        var from = new Body(message);
        List<(BigInteger, int, byte[], ulong)> fields = [];
        while (from.Left > 0)
        {
            BigInteger number = Tag(from, out int wireType);
            Refuse(wireType == EndGroup, "the end of no group");
            fields.Add((number, wireType, Content(from, number, wireType, out ulong integer), integer));
        }

        return fields;
    }

    private static (BigInteger Number, int WireType, byte[] Content, ulong Integer)[] Numbered(List<(BigInteger Number, int WireType, byte[] Content, ulong Integer)> fields, int number) =>
        [.. fields.Where(field => field.Number == number)];

    private static BigInteger Tag(Body from, out int wireType)
    {
        int start = from.At;
        BigInteger tag = ReadVarint(from, wide: true);
        Refuse(from.At - start > 5 || tag > uint.MaxValue, "a tag of more than 32 bits");
        wireType = (int)(tag & 7);
        Refuse(tag >> 3 == 0 || wireType > 5, "no tag");
        return tag >> 3;
    }

    private static byte[] Content(Body from, BigInteger number, int wireType, out ulong integer)
    {
        integer = 0;
        switch (wireType)
        {
            case Varint:
                integer = (ulong)ReadVarint(from);
                return [];
            case Fixed64:
                return from.Take(8);
            case Fixed32:
                return from.Take(4);
            case Bytes:
                return from.Take(ReadVarint(from));
            default:
                for (BigInteger next = Tag(from, out int inner); ; next = Tag(from, out inner))
                {
                    Refuse(inner == EndGroup && next != number, "the end of another group");
                    if (inner == EndGroup)
                        return [];
                    Content(from, next, inner, out _);
                }
        }
    }

    /// <summary>Bits beyond the 64th are ignored.</summary>
    private static BigInteger ReadVarint(Body from, bool wide = false)
    {
        BigInteger value = 0;
        for (int shift = 0; ; shift += 7)
        {
            Refuse(shift >= 70, "a varint of more than 10 bytes");
            byte next = from.Next();
            value += (BigInteger)(next & 0x7F) << shift;
            if (next < 0x80)
                return wide ? value : value & ulong.MaxValue;
        }
    }

    /// <summary>Reads the messages of one field, which are merged: one message is their fields one after the other.</summary>
    private object?[] ReadRecord(Shape shape, IEnumerable<byte[]> messages)
    {
        object?[] members = shape.New();
        var fields = messages.SelectMany(Fields).ToList();
        for (int i = 0; i < members.Length; i++)
        {
            (int number, _, Shape member) = shape.Members[i];
            members[i] = ReadMember(member, Numbered(fields, number), members[i]);
        }

        return members;
    }

    private object ReadUnion(Shape shape, byte[] message)
    {
        List<byte[]> merged = [];
        BigInteger last = 0;
        foreach ((BigInteger number, int wireType, byte[] content, _) in Fields(message))
        {
            if (shape.Cases.All(one => one.Tag != number) || wireType != Bytes)
                continue;
            if (number != last)
                merged.Clear();
            merged.Add(content);
            last = number;
        }

        Refuse(merged.Count == 0, "no case");
        return new KeyValuePair<object, object?>((int)last, ReadRecord(shape.Cases.Single(one => one.Tag == last).Shape, merged));
    }

    private object? ReadMember(Shape shape, (BigInteger Number, int WireType, byte[] Content, ulong Integer)[] fields, object? ofNew)
    {
        if (shape.Kind == ShapeKind.List)
        {
            Shape element = shape.Element!;
            if (IsWrapped(element))
                return fields.Where(static field => field.WireType == Bytes).Select(field => ReadMember(element, Numbered(Fields(field.Content), 1), null)).ToArray();
            bool isPackable = WireTypeOf(element) != Bytes;
            return fields.Where(field => field.WireType == WireTypeOf(element) || isPackable && field.WireType == Bytes)
                .SelectMany(field => isPackable && field.WireType == Bytes ? Packed(element, field.Content) : [ReadValue(element, field.Content, field.Integer)]).ToArray();
        }

        if (shape.Kind == ShapeKind.Map)
        {
            Dictionary<object, object?> entries = [];
            foreach ((_, _, byte[] content, _) in fields.Where(static field => field.WireType == Bytes))
            {
                var entry = Fields(content);
                object key = ReadMember(shape.Key!, Numbered(entry, 1), null)!;
                entry = [.. entry.Where(static field => field.Number == 2)];
                if (IsWrapped(shape.Element!))
                    entry = [.. entry.Where(static field => field.WireType == Bytes).TakeLast(1).SelectMany(static field => Fields(field.Content)).Where(static field => field.Number == 1)];
                entries[key] = ReadMember(shape.Element!, [.. entry], shape.Element!.Kind == ShapeKind.Record ? shape.Element.New() : null);
            }

            return entries.ToArray();
        }

        fields = [.. fields.Where(field => field.WireType == WireTypeOf(shape))];
        if (fields.Length == 0)
            return shape.IsNullable ? null : shape.Kind != ShapeKind.Scalar || IsTime(shape.Type) || ofNew is Uri or Version or IPAddress ? ofNew
                : shape.Type == typeof(string) ? "" : shape.Type == typeof(byte[]) ? Array.Empty<byte>() : Activator.CreateInstance(shape.Type);
        if (shape.Kind == ShapeKind.Record)
            return ReadRecord(shape, fields.Select(static field => field.Content));
        object[] values = shape.Kind == ShapeKind.Union ? [ReadUnion(shape, [.. fields.SelectMany(static field => field.Content)])]
            : [.. fields.Select(field => ReadValue(shape, field.Content, field.Integer))];
        return values[^1];
    }

    private List<object> Packed(Shape element, byte[] content)
    {
        var from = new Body(content);
        List<object> items = [];
        while (from.Left > 0)
            items.Add(ReadValue(element, Content(from, 1, WireTypeOf(element), out ulong integer), integer));
        return items;
    }

    private object ReadValue(Shape shape, byte[] content, ulong integer)
    {
        Type type = shape.Type;
        if (shape.Kind == ShapeKind.Record)
            return ReadRecord(shape, [content]);
        if (shape.Kind == ShapeKind.Union)
            return ReadUnion(shape, content);
        if (type == typeof(bool))
            return integer != 0;
        if (type == typeof(DateOnly))
            return Make(() => DateOnly.FromDayNumber((int)integer));
        if (type == typeof(TimeOnly))
            return Make(() => new TimeOnly((long)integer));
        if (type == typeof(double))
            return BitConverter.ToDouble(content);
        if (type == typeof(float))
            return BitConverter.ToSingle(content);
        if (type == typeof(Half))
            return OfSingle(BitConverter.ToSingle(content));
        if (type == typeof(Guid) && content.Length == 16)
            return new Guid(content, bigEndian: true);
        if (IsBig(type))
        {
            Refuse(type != typeof(BigInteger) && content.Length is not (0 or 16), "no 16 bytes");
            return Integer(type, new BigInteger(content, isUnsigned: type == typeof(UInt128)));
        }

        if (type == typeof(byte[]))
            return content;
        if (IsTime(type))
            return ReadTime(type, content);
        if (WireTypeOf(shape) == Varint)
            return OfVarint(type, integer);
        string text = Text(content);
        return type == typeof(string) ? text : type == typeof(decimal) ? text.Length == 0 ? 0m : DecimalText(text)
            : type == typeof(Guid) ? text.Length == 0 ? Guid.Empty : Make(() => Guid.ParseExact(text, "D")) : Parsed(type, text);
    }

    /// <summary>The low 32 bits, or 64: what does not fit into a smaller type is refused.</summary>
    private static object OfVarint(Type type, ulong integer)
    {
        Type underlying = type.IsEnum ? type.GetEnumUnderlyingType() : type;
        BigInteger value = underlying == typeof(ulong) ? integer : underlying == typeof(long) ? (long)integer
            : underlying == typeof(sbyte) || underlying == typeof(short) || underlying == typeof(int) ? (int)integer : (BigInteger)(uint)integer;
        return Integer(type, value);
    }

    private static Half OfSingle(float single)
    {
        Refuse(float.IsFinite(single) && Half.IsInfinity((Half)single), "too large");
        return (Half)single;
    }

    private static object ReadTime(Type type, byte[] content)
    {
        long[] parts = new long[4];
        foreach ((BigInteger number, int wireType, _, ulong integer) in Fields(content))
        {
            if (number <= 3 && wireType == Varint)
                parts[(int)number] = (long)integer;
        }

        int nanoseconds = (int)parts[2], zigzag = (int)parts[3];
        int offset = type == typeof(DateTimeOffset) ? (int)((uint)zigzag >> 1) ^ -(zigzag & 1) : 0;
        bool isDuration = type == typeof(TimeSpan);
        Refuse(Math.Abs((long)nanoseconds) > 999_999_999 || !isDuration && nanoseconds < 0, "no nanoseconds");
        Refuse(isDuration && (parts[1] < 0 && nanoseconds > 0 || parts[1] > 0 && nanoseconds < 0), "two signs");
        BigInteger ticks = ((BigInteger)parts[1] * TimeSpan.TicksPerSecond) + (nanoseconds / 100);
        if (isDuration)
            return new TimeSpan((long)Integer(typeof(long), ticks));
        DateTime utc = Make(() => new DateTime((long)Integer(typeof(long), ticks + DateTime.UnixEpoch.Ticks), DateTimeKind.Utc));
        return type == typeof(DateTime) ? (object)utc : Make<object>(() => new DateTimeOffset(utc).ToOffset(TimeSpan.FromMinutes(offset)));
    }
}
