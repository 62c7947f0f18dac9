using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Numerics;

namespace Formatters.Contracts.Tests.Judges;

/// <summary>docs/wire/messagepack.md, over https://github.com/msgpack/msgpack/blob/master/spec.md.</summary>
/// <param name="isMap">Whether every record is a map, as <see cref="MessagePackForm.Map"/> has it.</param>
internal sealed class MessagePackJudge(bool isMap) : TraversalJudge
{
    /// <summary>What a value begins with: its kind, a number of it, or a number of bytes or elements.</summary>
    private enum Kind
    {
        Nil,
        Bool,
        Integer,
        Float,
        Text,
        Bytes,
        Array,
        Map,
        Extension,
    }

    protected override bool AllMaps => isMap;

    protected override byte[] Null => [0xC0];

    protected override bool IsSorted(bool isRecord) => false;

    protected override byte[] Header(bool isMap, int count) =>
        count < 16 ? [(byte)((isMap ? 0x80 : 0x90) + count)] : Sized(isMap ? [0, 0xDE, 0xDF] : [0, 0xDC, 0xDD], count);

    protected override byte[] WriteScalar(object value) => value switch
    {
        bool flag => [(byte)(flag ? 0xC3 : 0xC2)],
        float number => [0xCA, .. BitConverter.GetBytes(number).Reverse()],
        Half number => WriteScalar((float)number),
        double number => [0xCB, .. BitConverter.GetBytes(number).Reverse()],
        string text => WriteText(Utf8(text)),
        byte[] bytes => [.. Sized([0xC4, 0xC5, 0xC6], bytes.Length), .. bytes],
        DateTime { Kind: DateTimeKind.Local } time => WriteTime(time.ToUniversalTime()),
        DateTime time => WriteTime(time),
        DateTimeOffset time => [0x92, .. WriteTime(time.DateTime), .. WriteInteger((int)time.Offset.TotalMinutes)],
        TimeSpan time => WriteInteger(time.Ticks),
        TimeOnly time => WriteInteger(time.Ticks),
        DateOnly date => WriteInteger(date.DayNumber),
        decimal number => WriteScalar(TextOf(number)),
        Guid guid => WriteScalar(guid.ToString()),
        BigInteger number => WriteScalar(number.ToByteArray()),
        Int128 number => WriteScalar(Little((ulong)(UInt128)number, 8).Concat(Little((ulong)((UInt128)number >> 64), 8)).ToArray()),
        UInt128 number => WriteScalar(Little((ulong)number, 8).Concat(Little((ulong)(number >> 64), 8)).ToArray()),
        Uri address => WriteScalar(address.OriginalString),
        Version or IPAddress => WriteScalar(value.ToString()!),
        _ => WriteInteger((BigInteger)IntegerOf(value)!),
    };

    protected override byte[] LikelyValue(Random random)
    {
        byte[] bytes = LikelyBytes(random, 18);
        return random.Next(10) switch
        {
            0 => [(byte)random.Next(256)],
            1 => [(byte)(0xC0 + random.Next(0x20)), .. bytes],
            2 => [(byte)(0xCA + random.Next(2)), .. bytes, .. new byte[8]],
            3 => [0xD6, 0xFF, .. bytes.Concat(new byte[4]).Take(4)],
            4 => [0xD7, 0xFF, .. bytes.Concat(new byte[8]).Take(8)],
            5 => [0xC7, 12, 0xFF, .. bytes.Concat(new byte[12]).Take(12)],
            6 => [0x92, 0xD6, 0xFF, .. bytes.Concat(new byte[4]).Take(4), .. WriteInteger(random.Next(-900, 900))],
            7 => WriteText(Utf8($"{random.Next(-300, 300)}.{random.Next(300)}")),
            8 => [(byte)(0xA0 + bytes.Length), .. bytes],
            _ => [0xC4, (byte)bytes.Length, .. bytes],
        };
    }

    protected override IEnumerable<byte[]> FormsOf(BigInteger number, Type type)
    {
        foreach (int width in new[] { 1, 2, 4, 8 })
        {
            int code = BitOperations.Log2((uint)width);
            if (number >= 0 && number < BigInteger.One << (8 * width))
                yield return [(byte)(0xCC + code), .. Big(number, width)];
            if (BigInteger.Abs((2 * number) + 1) < BigInteger.One << (8 * width))
                yield return [(byte)(0xD0 + code), .. Big(number, width)];
        }

        yield return WriteScalar((float)number);
        yield return WriteScalar((double)number);
        yield return WriteScalar((double)number + 0.5);
        yield return WriteScalar($"{number}");
        yield return WriteScalar($"{number}e1");
        foreach (byte[] bytes in Padded(number))
        {
            yield return WriteScalar(bytes);
            yield return WriteText(bytes);
        }

        foreach (byte[] time in TimesOf(number))
        {
            yield return time;
            yield return [0x92, .. time, 0];
            yield return [0x92, .. time, .. WriteInteger(840)];
        }

        yield return [0x92, .. WriteTime(DateTime.UnixEpoch), .. number > long.MaxValue || number < long.MinValue ? [0] : WriteInteger(number)];
    }

    protected override bool TryReadNull(Body from)
    {
        bool isNull = from.Peek() == 0xC0;
        from.At += isNull ? 1 : 0;
        return isNull;
    }

    protected override bool IsText(Body from) => from.Peek() is (>= 0xA0 and <= 0xBF) or (>= 0xD9 and <= 0xDB);

    protected override BigInteger ReadHeader(Body from, bool isMap)
    {
        (Kind kind, object count) = Head(from);
        Refuse(kind != (isMap ? Kind.Map : Kind.Array), "no array or map");
        return (BigInteger)count;
    }

    protected override byte[] ReadName(Body from) => from.Take((BigInteger)Head(from).Number);

    protected override object ReadScalar(Body from, Type type)
    {
        if (type == typeof(DateTimeOffset))
        {
            Refuse(ReadHeader(from, isMap: false) != 2, "no pair");
            var clock = (DateTime)ReadScalar(from, typeof(DateTime));
            var offset = TimeSpan.FromMinutes((short)ReadScalar(from, typeof(short)));
            return Make(() => new DateTimeOffset(DateTime.SpecifyKind(clock, DateTimeKind.Unspecified), offset));
        }

        (Kind kind, object value) = Head(from);
        if (type == typeof(bool))
        {
            Refuse(kind != Kind.Bool, "no Boolean");
            return value;
        }

        if (type == typeof(DateTime))
        {
            Refuse(kind != Kind.Extension, "no timestamp");
            return ReadTime(from, (BigInteger)value);
        }

        if (type == typeof(float) || type == typeof(double) || type == typeof(Half))
            return ReadFloat(type, kind, value);
        if (type == typeof(byte[]) || IsBig(type))
        {
            Refuse(kind is not (Kind.Bytes or Kind.Text), "no bytes");
            byte[] bytes = from.Take((BigInteger)value);
            Refuse(type != typeof(byte[]) && type != typeof(BigInteger) && bytes.Length != 16, "not 16 bytes");
            return type == typeof(byte[]) ? bytes : Integer(type, new BigInteger(bytes, isUnsigned: type == typeof(UInt128)));
        }

        if (IsInteger(type) || type == typeof(TimeSpan) || type == typeof(TimeOnly) || type == typeof(DateOnly))
            return OfInteger(type, kind, value);
        Refuse(kind != Kind.Text, "no text");
        string text = Text(from.Take((BigInteger)value));
        Refuse(type == typeof(Guid) && text.Length != 36, "no GUID");
        return type == typeof(string) ? text : type == typeof(Guid) ? Make(() => Guid.ParseExact(text, "D")) : type == typeof(decimal) ? DecimalText(text) : Parsed(type, text);
    }

    protected override void Skip(Body from)
    {
        (Kind kind, object value) = Head(from);
        if (kind is Kind.Text or Kind.Bytes)
            from.Take((BigInteger)value);
        if (kind == Kind.Extension)
            from.Take((BigInteger)value + 1);
        if (kind is Kind.Array or Kind.Map)
        {
            BigInteger left = (BigInteger)value * (kind == Kind.Map ? 2 : 1);
            Refuse(left > from.Left, "more elements than bytes");
            for (; left > 0; left--)
                Skip(from);
        }
    }

    /// <summary>A code for a count in one byte, two or four, with the count.</summary>
    private static byte[] Sized(byte[] codes, int count) =>
        count < 256 && codes[0] != 0 ? [codes[0], (byte)count] : count < 65_536 ? [codes[1], .. Big(count, 2)] : [codes[2], .. Big(count, 4)];

    private static byte[] Big(BigInteger number, int byteCount) =>
        [.. Enumerable.Range(1, byteCount).Select(i => (byte)((number >> (8 * (byteCount - i))) & 0xFF))];

    private static byte[] WriteText(byte[] utf8) => [.. utf8.Length < 32 ? [(byte)(0xA0 + utf8.Length)] : Sized([0xD9, 0xDA, 0xDB], utf8.Length), .. utf8];

    private static byte[] WriteInteger(BigInteger number) => number >= 0
        ? number < 128 ? [(byte)number] : number < 256 ? [0xCC, (byte)number] : number < 65_536 ? [0xCD, .. Big(number, 2)] : number <= uint.MaxValue ? [0xCE, .. Big(number, 4)] : [0xCF, .. Big(number, 8)]
        : number >= -32 ? Big(number, 1) : number >= sbyte.MinValue ? [0xD0, .. Big(number, 1)] : number >= short.MinValue ? [0xD1, .. Big(number, 2)]
        : number >= int.MinValue ? [0xD2, .. Big(number, 4)] : [0xD3, .. Big(number, 8)];

    private static byte[] WriteTime(DateTime time)
    {
        long ticks = time.Ticks - DateTime.UnixEpoch.Ticks;
        BigInteger nanoseconds = ((ticks % TimeSpan.TicksPerSecond) + TimeSpan.TicksPerSecond) % TimeSpan.TicksPerSecond * 100;
        BigInteger seconds = (ticks - (nanoseconds / 100)) / TimeSpan.TicksPerSecond;
        return nanoseconds == 0 && seconds >= 0 && seconds <= uint.MaxValue ? [0xD6, 0xFF, .. Big(seconds, 4)]
            : seconds >= 0 && seconds < BigInteger.One << 34 ? [0xD7, 0xFF, .. Big((nanoseconds << 34) | seconds, 8)]
            : [0xC7, 12, 0xFF, .. Big(nanoseconds, 4), .. Big(seconds, 8)];
    }

    /// <summary>A number as seconds and as nanoseconds, in each form of a timestamp and of an extension.</summary>
    private static IEnumerable<byte[]> TimesOf(BigInteger number) =>
    [
        [0xD6, 0xFF, .. Big(number, 4)], [0xC7, 4, 0xFF, .. Big(number, 4)], [0xC8, 0, 4, 0xFF, .. Big(number, 4)], [0xD6, 0xFE, .. Big(number, 4)],
        [0xD7, 0xFF, .. Big(number, 8)], [0xD7, 0xFF, .. Big((number << 34) | 5, 8)], [0xC7, 8, 0xFF, .. Big(number, 8)], [0xC7, 9, 0xFF, .. Big(number, 9)],
        [0xC7, 12, 0xFF, 0, 0, 0, 0, .. Big(number, 8)], [0xC7, 12, 0xFF, .. Big(number, 4), .. Big(62_135_596_800, 8)], [0xC9, 0, 0, 0, 12, 0xFF, .. Big(number, 12)],
        [0xC7, 12, 0xFF, .. Big(999_999_999, 4), .. Big(number, 8)], [0xC7, 12, 0xFF, .. Big(99, 4), .. Big(-number, 8)],
    ];

    private static (Kind Kind, object Number) Head(Body from)
    {
        byte code = from.Next();
        return code switch
        {
            < 0x80 => (Kind.Integer, (BigInteger)code),
            < 0x90 => (Kind.Map, (BigInteger)(code & 0xF)),
            < 0xA0 => (Kind.Array, (BigInteger)(code & 0xF)),
            < 0xC0 => (Kind.Text, (BigInteger)(code & 0x1F)),
            0xC0 => (Kind.Nil, false),
            0xC2 or 0xC3 => (Kind.Bool, code == 0xC3),
            >= 0xC4 and <= 0xC6 => (Kind.Bytes, from.Big(1 << (code - 0xC4))),
            >= 0xC7 and <= 0xC9 => (Kind.Extension, from.Big(1 << (code - 0xC7))),
            0xCA => (Kind.Float, BitConverter.UInt32BitsToSingle((uint)from.Big(4))),
            0xCB => (Kind.Float, BitConverter.UInt64BitsToDouble((ulong)from.Big(8))),
            >= 0xCC and <= 0xCF => (Kind.Integer, from.Big(1 << (code - 0xCC))),
            >= 0xD0 and <= 0xD3 => (Kind.Integer, new BigInteger(from.Take(1 << (code - 0xD0)), isBigEndian: true)),
            >= 0xD4 and <= 0xD8 => (Kind.Extension, (BigInteger)(1 << (code - 0xD4))),
            >= 0xD9 and <= 0xDB => (Kind.Text, from.Big(1 << (code - 0xD9))),
            0xDC or 0xDD => (Kind.Array, from.Big(2 << (code - 0xDC))),
            0xDE or 0xDF => (Kind.Map, from.Big(2 << (code - 0xDE))),
            >= 0xE0 => (Kind.Integer, (BigInteger)(sbyte)code),
            _ => throw new RefusedException("C1"),
        };
    }

    /// <summary>Reads the type and content of an extension: that of a timestamp is -1.</summary>
    private static object ReadTime(Body from, BigInteger byteCount)
    {
        Refuse(from.Next() != 0xFF, "another extension");
        Refuse(byteCount != 4 && byteCount != 8 && byteCount != 12, "no timestamp");
        BigInteger nanoseconds = byteCount == 12 ? from.Big(4) : 0;
        BigInteger seconds = byteCount == 12 ? new BigInteger(from.Take(8), isBigEndian: true) : from.Big((int)byteCount);
        if (byteCount == 8)
            (nanoseconds, seconds) = (seconds >> 34, seconds & ((BigInteger.One << 34) - 1));
        Refuse(nanoseconds > 999_999_999, "too many nanoseconds");
        BigInteger ticks = (seconds * TimeSpan.TicksPerSecond) + (nanoseconds / 100) + DateTime.UnixEpoch.Ticks;
        Refuse(ticks < 0 || ticks > DateTime.MaxValue.Ticks, "no date");
        return new DateTime((long)ticks, DateTimeKind.Utc);
    }

    private static object ReadFloat(Type type, Kind kind, object value)
    {
        Refuse(kind is not (Kind.Float or Kind.Integer), "no number");
        if (value is float bits && type == typeof(float))
            return bits;
        double wide = value is double number ? number : value is float single ? single : (double)(BigInteger)value;
        double narrow = type == typeof(double) ? wide : type == typeof(float) ? (float)wide : (double)(Half)(float)wide;
        Refuse(double.IsInfinity(narrow) && !double.IsInfinity(wide), "too large");
        Refuse(kind == Kind.Integer && (BigInteger)narrow != (BigInteger)value, "inexact");
        return type == typeof(double) ? wide : type == typeof(float) ? (float)wide : (Half)(float)wide;
    }

    private static object OfInteger(Type type, Kind kind, object value)
    {
        Refuse(kind is not (Kind.Float or Kind.Integer), "no number");
        double? wide = value is double number64 ? number64 : value is float number32 ? number32 : null;
        Refuse(wide is double whole && (!double.IsFinite(whole) || Math.Floor(whole) != whole), "no whole number");
        BigInteger number = wide is double integer ? new BigInteger(integer) : (BigInteger)value;
        Refuse(type == typeof(TimeOnly) && (number < 0 || number >= TimeSpan.TicksPerDay), "out of range");
        return type == typeof(TimeOnly) ? new TimeOnly((long)number) : type == typeof(TimeSpan) ? new TimeSpan((long)Integer(typeof(long), number))
            : type == typeof(DateOnly) ? Make(() => DateOnly.FromDayNumber((int)Integer(typeof(int), number))) : Integer(type, number);
    }
}
