using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Numerics;
using System.Text;

namespace Formatters.Contracts.Tests.Judges;

/// <summary>docs/wire/binary.md.</summary>
/// <param name="writesUtf16">Whether strings that are not ASCII are written in UTF-16; both are read.</param>
internal class BinaryJudge(bool writesUtf16 = false) : Judge
{
    private static readonly Encoding s_utf16 = new UnicodeEncoding(bigEndian: false, byteOrderMark: false, throwOnInvalidBytes: true);

    internal override byte[] Write(Shape shape, object? tree) => [.. shape.IsNullable ? [(byte)(tree is null ? 0 : 1)] : Array.Empty<byte>(), .. tree is null ? [] : WriteValue(shape, tree)];

    internal override object? Read(Shape shape, byte[] body)
    {
        var from = new Body(body);
        object? value = ReadNullable(shape, from);
        from.End();
        return value;
    }

    internal override byte[] Likely(Shape shape, Random random) => LikelyBytes(random, random.Next(2) == 0 ? 8 : 20);

    internal override IEnumerable<byte[]> Forms(Shape shape) => Boundaries.FewIntegers.SelectMany(number =>
        Padded(number).Select(static bytes => (byte[])[.. BitConverter.GetBytes(bytes.Length), .. bytes])
            .Concat(new[] { 1, 2, 4, 8, 16 }.Select(byteCount => Enumerable.Range(0, byteCount).Select(i => (byte)(int)((number >> (8 * i)) & 0xFF)).ToArray())));

    protected virtual byte[] WriteRecord(Shape shape, object?[] members) => [.. members.SelectMany((member, i) => Write(shape.Members[i].Shape, member))];

    protected virtual object?[] ReadRecord(Shape shape, Body from) => [.. shape.Members.Select(member => ReadNullable(member.Shape, from))];

    protected virtual byte[] WriteUnion(int tag, byte[] body) => [.. WriteCount7(tag), .. BitConverter.GetBytes(body.Length), .. body];

    protected virtual (int Tag, byte[] Body) ReadUnion(Body from) => (ReadCount7(from), from.Take(ReadInt32(from)));

    protected byte[] WriteValue(Shape shape, object tree)
    {
        switch (shape.Kind)
        {
            case ShapeKind.Scalar:
                return WriteScalar(tree);
            case ShapeKind.List:
                object?[] items = (object?[])tree;
                return [.. BitConverter.GetBytes(items.Length), .. items.SelectMany(item => Write(shape.Element!, item))];
            case ShapeKind.Map:
                var entries = (KeyValuePair<object, object?>[])tree;
                return [.. BitConverter.GetBytes(entries.Length), .. entries.SelectMany(entry => Write(shape.Key!, entry.Key).Concat(Write(shape.Element!, entry.Value)))];
            case ShapeKind.Union:
                var one = (KeyValuePair<object, object?>)tree;
                return WriteUnion((int)one.Key, WriteValue(shape.Cases.Single(other => other.Tag == (int)one.Key).Shape, one.Value!));
            default:
                return WriteRecord(shape, (object?[])tree);
        }
    }

    protected object? ReadNullable(Shape shape, Body from)
    {
        if (!shape.IsNullable)
            return ReadValue(shape, from);
        byte presence = from.Next();
        Refuse(presence > 1, "no presence byte");
        return presence == 0 ? null : ReadValue(shape, from);
    }

    protected object ReadValue(Shape shape, Body from)
    {
        switch (shape.Kind)
        {
            case ShapeKind.Scalar:
                return ReadScalar(from, shape.Type);
            case ShapeKind.List:
                return Enumerable.Range(0, ReadCount(from)).Select(_ => ReadNullable(shape.Element!, from)).ToArray();
            case ShapeKind.Map:
                KeyValuePair<object, object?>[] entries = [.. Enumerable.Range(0, ReadCount(from)).Select(_ => new KeyValuePair<object, object?>(ReadNullable(shape.Key!, from)!, ReadNullable(shape.Element!, from)))];
                Refuse(entries.Select(static entry => entry.Key).Distinct().Count() < entries.Length, "a key twice");
                return entries;
            case ShapeKind.Union:
                (int tag, byte[] body) = ReadUnion(from);
                Refuse(shape.Cases.All(one => one.Tag != tag), "unknown case");
                var within = new Body(body);
                object value = ReadValue(shape.Cases.Single(one => one.Tag == tag).Shape, within);
                within.End();
                return new KeyValuePair<object, object?>(tag, value);
            default:
                return ReadRecord(shape, from);
        }
    }

    protected static int ReadInt32(Body from) => BitConverter.ToInt32(from.Take(4));

    /// <summary>Groups of 7 bits, the lowest first.</summary>
    protected static byte[] WriteCount7(int value) => value < 128 ? [(byte)value] : [(byte)((value & 0x7F) + 0x80), .. WriteCount7(value >> 7)];

    protected static int ReadCount7(Body from)
    {
        BigInteger value = 0;
        int start = from.At;
        for (byte next = 0x80, shift = 0; next >= 0x80; shift += 7)
        {
            next = from.Next();
            value += (BigInteger)(next & 0x7F) << shift;
            Refuse(shift > 28, "too long");
        }

        Refuse(value > int.MaxValue || from.At - start != WriteCount7((int)value).Length, "a longer form");
        return (int)value;
    }

    private static int ReadCount(Body from)
    {
        int count = ReadInt32(from);
        Refuse(count < 0 || count > from.Left, "more elements than bytes");
        return count;
    }

    /// <summary>The length of a string, and whether it is in UTF-16: then its length has a group more than it needs, which is 0.</summary>
    protected static (int ByteCount, bool IsUtf16) ReadTextCount(Body from)
    {
        BigInteger value = 0;
        int start = from.At;
        for (byte next = 0x80, shift = 0; next >= 0x80; shift += 7)
        {
            next = from.Next();
            value += (BigInteger)(next & 0x7F) << shift;
            Refuse(shift > 35, "too long");
        }

        Refuse(value > int.MaxValue, "too long");
        int added = from.At - start - WriteCount7((int)value).Length;
        Refuse(added > (value.IsZero ? 0 : 1), "a longer form");
        Refuse(added == 1 && !value.IsEven, "half a character");
        return ((int)value, added == 1);
    }

    private static string ReadText(Body from)
    {
        (int byteCount, bool isUtf16) = ReadTextCount(from);
        byte[] bytes = from.Take(byteCount);
        try
        {
            return isUtf16 ? s_utf16.GetString(bytes) : Text(bytes);
        }
        catch (DecoderFallbackException)
        {
            throw new RefusedException("not UTF-16");
        }
    }

    private byte[] Counted7(string text)
    {
        if (!writesUtf16 || text.All(char.IsAscii))
            return [.. WriteCount7(Utf8(text).Length), .. Utf8(text)];
        byte[] count = WriteCount7(2 * text.Length);
        return [.. count[..^1], (byte)(count[^1] | 0x80), 0, .. Encoding.Unicode.GetBytes(text)];
    }

    private byte[] WriteScalar(object value) => value switch
    {
        bool flag => [(byte)(flag ? 1 : 0)],
        char character => Utf8(character.ToString()),
        BigInteger integer => [.. BitConverter.GetBytes(integer.ToByteArray().Length), .. integer.ToByteArray()],
        double number => BitConverter.GetBytes(number),
        float number => BitConverter.GetBytes(number),
        Half number => BitConverter.GetBytes(number),
        decimal number => [.. decimal.GetBits(number).SelectMany(BitConverter.GetBytes)],
        string text => Counted7(text),
        byte[] bytes => [.. BitConverter.GetBytes(bytes.Length), .. bytes],
        DateTime time => BitConverter.GetBytes(time.ToBinary()),
        DateTimeOffset time => [.. BitConverter.GetBytes(time.Ticks), .. BitConverter.GetBytes((short)time.Offset.TotalMinutes)],
        TimeSpan time => BitConverter.GetBytes(time.Ticks),
        TimeOnly time => BitConverter.GetBytes(time.Ticks),
        DateOnly date => BitConverter.GetBytes(date.DayNumber),
        Guid guid => guid.ToByteArray(),
        Uri address => Counted7(address.OriginalString),
        Version version => [.. new[] { version.Major, version.Minor, version.Build, version.Revision }.SelectMany(BitConverter.GetBytes)],
        IPAddress => Counted7(value.ToString()!),
        _ => [.. Enumerable.Range(0, SizeOf(value.GetType())).Select(i => (byte)(int)((IntegerOf(value)!.Value >> (8 * i)) & 0xFF))],
    };

    private static int SizeOf(Type type) =>
        type.IsEnum ? SizeOf(type.GetEnumUnderlyingType()) : type == typeof(Int128) || type == typeof(UInt128) ? 16 : System.Runtime.InteropServices.Marshal.SizeOf(type);

    private static bool IsSigned(Type type) =>
        type.IsEnum ? IsSigned(type.GetEnumUnderlyingType()) : type == typeof(sbyte) || type == typeof(short) || type == typeof(int) || type == typeof(long) || type == typeof(Int128);

    private static object ReadScalar(Body from, Type type)
    {
        if (type == typeof(bool))
        {
            byte flag = from.Next();
            Refuse(flag > 1, "no Boolean");
            return flag == 1;
        }

        if (type == typeof(char))
        {
            byte first = from.Peek();
            string text = Text(from.Take(first < 0x80 ? 1 : first < 0xE0 ? 2 : 3));
            Refuse(text.Length != 1, "no character");
            return text[0];
        }

        if (type == typeof(BigInteger) || type == typeof(byte[]))
        {
            byte[] bytes = from.Take(ReadInt32(from));
            Refuse(type == typeof(BigInteger) && !new BigInteger(bytes).ToByteArray().SequenceEqual(bytes), "a longer form");
            return type == typeof(byte[]) ? bytes : new BigInteger(bytes);
        }

        if (IsInteger(type))
            return Integer(type, new BigInteger(from.Take(SizeOf(type)), isUnsigned: !IsSigned(type)));
        if (type == typeof(decimal))
        {
            BigInteger digits = from.Little(12);
            int flags = ReadInt32(from);
            Refuse((flags & 0x7F00_FFFF) != 0, "no flags of a decimal");
            return Decimal(digits, flags < 0, (flags >> 16) & 0xFF);
        }

        if (type == typeof(Version))
        {
            int[] parts = [.. Enumerable.Range(0, 4).Select(_ => ReadInt32(from))];
            return Make(() => parts[3] != -1 ? new Version(parts[0], parts[1], parts[2], parts[3]) : parts[2] != -1 ? new Version(parts[0], parts[1], parts[2]) : new Version(parts[0], parts[1]));
        }

        if (type == typeof(DateTimeOffset))
        {
            long ticks = BitConverter.ToInt64(from.Take(8));
            short offset = BitConverter.ToInt16(from.Take(2));
            return Make(() => new DateTimeOffset(ticks, TimeSpan.FromMinutes(offset)));
        }

        if (type == typeof(string) || type == typeof(Uri) || type == typeof(IPAddress))
        {
            string text = ReadText(from);
            return type == typeof(string) ? text : Parsed(type, text);
        }

        byte[] taken = from.Take(type == typeof(Half) ? 2 : type == typeof(float) || type == typeof(DateOnly) ? 4 : type == typeof(Guid) ? 16 : 8);
        return type == typeof(Half) ? BitConverter.ToHalf(taken) : type == typeof(float) ? (object)BitConverter.ToSingle(taken) : type == typeof(double) ? BitConverter.ToDouble(taken)
            : type == typeof(Guid) ? new Guid(taken) : type == typeof(TimeSpan) ? new TimeSpan(BitConverter.ToInt64(taken))
            : Make<object>(() => type == typeof(DateOnly) ? DateOnly.FromDayNumber(BitConverter.ToInt32(taken)) : type == typeof(TimeOnly) ? new TimeOnly(BitConverter.ToInt64(taken))
                : DateTime.FromBinary(BitConverter.ToInt64(taken)));
    }
}
