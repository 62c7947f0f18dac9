using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Numerics;

namespace Formatters.Contracts.Tests.Judges;

/// <summary>docs/wire/cbor.md, over https://www.rfc-editor.org/rfc/rfc8949.</summary>
internal sealed class CborJudge : TraversalJudge
{
    internal override bool KeepsNaN => false;

    protected override byte[] Null => [0xF6];

    protected override bool IsSorted(bool isRecord) => true;

    protected override byte[] Header(bool isMap, int count) => Head(isMap ? 5 : 4, (ulong)count);

    protected override byte[] WriteScalar(object value)
    {
        if (IntegerOf(value) is BigInteger integer)
            return WriteInteger(integer);
        return value switch
        {
            bool flag => [(byte)(flag ? 0xF5 : 0xF4)],
            TimeSpan time => WriteInteger(time.Ticks),
            TimeOnly time => WriteInteger(time.Ticks),
            double number => WriteFloat(number),
            float number => WriteFloat(number),
            Half number => WriteFloat((double)number),
            string text => [.. Head(3, (ulong)Utf8(text).Length), .. Utf8(text)],
            byte[] bytes => [.. Head(2, (ulong)bytes.Length), .. bytes],
            DateTime { Kind: DateTimeKind.Unspecified } time => WriteScalar(Rfc3339(time)),
            DateTime or DateTimeOffset => [0xC0, .. WriteScalar(Rfc3339(value))],
            DateOnly date => [.. Head(6, 100), .. WriteInteger(date.DayNumber - 719_162)],
            decimal number => number == 0 && decimal.IsNegative(number) ? WriteScalar(TextOf(number))
                : [0xC4, 0x82, .. WriteInteger(-number.Scale), .. WriteInteger(DigitsOf(number) * (decimal.IsNegative(number) ? -1 : 1))],
            Guid guid => [.. Head(6, 37), 0x50, .. guid.ToByteArray(bigEndian: true)],
            Uri address => [.. Head(6, 32), .. WriteScalar(address.OriginalString)],
            Version or IPAddress => WriteScalar(value.ToString()!),
            _ => throw new NotSupportedException(value.GetType().Name),
        };
    }

    protected override byte[] LikelyValue(Random random)
    {
        byte[] bytes = LikelyBytes(random, 20);
        return random.Next(8) switch
        {
            0 => [(byte)random.Next(256)],
            1 => [(byte)random.Next(256), .. bytes.Take(2)],
            2 => [(byte)(0xF9 + random.Next(3)), .. bytes],
            3 => [(byte)(0xC0 + random.Next(5)), .. LikelyValue(random)],
            4 => [0xC4, 0x82, (byte)(random.Next(2) == 0 ? random.Next(0x20, 0x40) : random.Next(0x20)), .. LikelyValue(random)],
            5 => [(byte)(0x18 + random.Next(4) + (random.Next(8) << 5)), .. bytes.Concat(new byte[8]).Take(1 << random.Next(4))],
            _ => [(byte)(0x40 + bytes.Length), .. bytes],
        };
    }

    protected override IEnumerable<byte[]> FormsOf(BigInteger number, Type type)
    {
        BigInteger size = number < 0 ? -1 - number : number;
        byte[] big = size.ToByteArray(isUnsigned: true, isBigEndian: true);
        int major = number < 0 ? 0x20 : 0;
        byte[][] bignums = [[(byte)(number < 0 ? 0xC3 : 0xC2), .. Head(2, (ulong)big.Length), .. big], [(byte)(number < 0 ? 0xC3 : 0xC2), .. Head(2, (ulong)big.Length + 1), 0, .. big]];
        byte[][] integers = big.Length > 8 ? [] : [WriteInteger(number), .. Enumerable.Range(0, 4).Where(width => 1 << width >= big.Length).Select(width => (byte[])[(byte)(major + 24 + width), .. new byte[(1 << width) - big.Length], .. big])];
        return [.. bignums, .. integers, .. integers.Select(static one => (byte[])[0xC1, .. one]), .. bignums.Concat(integers).SelectMany(one => (type == typeof(decimal) ? new[] { -29, -28, -1, 0, 1, 28, 29 } : []).Select(exponent => (byte[])[0xC4, 0x82, .. WriteInteger(exponent), .. one])),
            [0xC1, 0xFB, .. BitConverter.GetBytes((double)number).Reverse()], .. size < 1 << 24 ? new byte[][] { [0xC1, 0xFB, .. BitConverter.GetBytes((double)number + (1 / 3.0)).Reverse()] } : [], [0xFB, .. BitConverter.GetBytes((double)number).Reverse()], [0xFA, .. BitConverter.GetBytes((float)number).Reverse()]];
    }

    /// <remarks>A body may begin with the tag that marks it as CBOR.</remarks>
    protected override void Begin(Body from)
    {
        if (from.Left >= 3 && from.First(3).SequenceEqual(new byte[] { 0xD9, 0xD9, 0xF7 }))
            from.At += 3;
    }

    protected override bool TryReadNull(Body from)
    {
        bool isNull = from.Peek() is 0xF6 or 0xF7;
        from.At += isNull ? 1 : 0;
        return isNull;
    }

    /// <remarks>Text of an indefinite length is in a value that is skipped.</remarks>
    protected override bool IsText(Body from) => from.Peek() >> 5 == 3 && from.Peek() != 0x7F;

    protected override IEnumerable<byte[]> FurtherKeys => [[0x7F, 0xFF], [0x7F, 0x65, .. Utf8("Zebra"), 0xFF]];

    protected override BigInteger ReadHeader(Body from, bool isMap)
    {
        (int major, BigInteger count, int info) = Head(from);
        Refuse(major != (isMap ? 5 : 4) || info == 31, "no array or map");
        return count;
    }

    protected override byte[] ReadName(Body from)
    {
        (_, BigInteger byteCount, int info) = Head(from);
        Refuse(info == 31, "an indefinite length");
        return from.Take(byteCount);
    }

    protected override object ReadScalar(Body from, Type type)
    {
        (int major, BigInteger argument, int info) = Head(from);
        Refuse(info == 31, "an indefinite length");
        if (major == 6)
            return ReadTagged(from, type, (ulong)argument);
        if (type == typeof(bool))
        {
            Refuse(major != 7 || info is not (20 or 21), "no Boolean");
            return info == 21;
        }

        if (type == typeof(double) || type == typeof(float) || type == typeof(Half))
            return ReadFloat(from, type, major, argument, info);
        if (major < 2)
            return OfInteger(type, major == 0 ? argument : -1 - argument);
        Refuse(major is not (2 or 3), "no scalar");
        byte[] content = from.Take(argument);
        bool isText = major == 3;
        bool isOfBytes = type == typeof(byte[]) || type == typeof(Guid);
        bool isOfText = type == typeof(string) || type == typeof(decimal) || type == typeof(DateTime) || type == typeof(DateTimeOffset) || type == typeof(Uri) || type == typeof(Version) || type == typeof(IPAddress);
        Refuse(isText ? !isOfText : !isOfBytes, "of another kind");
        if (!isText)
        {
            Refuse(type == typeof(Guid) && content.Length != 16, "no GUID");
            return type == typeof(Guid) ? new Guid(content, bigEndian: true) : content;
        }

        string text = Text(content);
        if (type == typeof(DateTime) || type == typeof(DateTimeOffset))
            return Rfc3339(text, type);
        return type == typeof(string) ? text : type == typeof(decimal) ? DecimalText(text, allowsExponent: false) : Parsed(type, text);
    }

    protected override void Skip(Body from) => Skip(from, isBreakAllowed: false);

    private static byte[] Head(int major, ulong argument) => argument switch
    {
        < 24 => [(byte)((major << 5) + (int)argument)],
        < 1 << 8 => [(byte)((major << 5) + 24), (byte)argument],
        < 1 << 16 => [(byte)((major << 5) + 25), .. Little(argument, 2).Reverse()],
        < 1UL << 32 => [(byte)((major << 5) + 26), .. Little(argument, 4).Reverse()],
        _ => [(byte)((major << 5) + 27), .. Little(argument, 8).Reverse()],
    };

    private static byte[] WriteInteger(BigInteger value)
    {
        BigInteger size = value < 0 ? -1 - value : value;
        if (size <= ulong.MaxValue)
            return Head(value < 0 ? 1 : 0, (ulong)size);
        byte[] big = size.ToByteArray(isUnsigned: true, isBigEndian: true);
        return [(byte)(value < 0 ? 0xC3 : 0xC2), .. Head(2, (ulong)big.Length), .. big];
    }

    private static byte[] WriteFloat(double value) =>
        double.IsNaN(value) ? [0xF9, 0x7E, 0]
        : (double)(Half)value == value ? [0xF9, .. BitConverter.GetBytes((Half)value).Reverse()]
        : (float)value == value ? [0xFA, .. BitConverter.GetBytes((float)value).Reverse()]
        : [0xFB, .. BitConverter.GetBytes(value).Reverse()];

    /// <summary>A first byte, and the argument that it announces.</summary>
    private static (int Major, BigInteger Argument, int Info) Head(Body from)
    {
        int first = from.Next(), info = first & 31, major = first >> 5;
        Refuse(info is > 27 and < 31 || info == 31 && major is 0 or 1 or 6, "no first byte");
        BigInteger argument = info is < 24 or 31 ? info : from.Big(1 << (info - 24));
        Refuse(first == 0xF8 && argument < 32, "a simple value in two bytes that has one");
        return (major, argument, info);
    }

    private static object ReadFloat(Body from, Type type, int major, BigInteger argument, int info)
    {
        Refuse(major is not (0 or 1) && !(major == 7 && info is >= 25 and <= 27), "no number");
        BigInteger integer = major == 1 ? -1 - argument : argument;
        double value = major < 2 ? double.Parse(integer.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture) : info == 25 ? (double)BitConverter.UInt16BitsToHalf((ushort)argument)
            : info == 26 ? BitConverter.UInt32BitsToSingle((uint)argument) : BitConverter.UInt64BitsToDouble((ulong)argument);
        if (type == typeof(double))
            return value;
        bool isExact = double.IsNaN(value) || (type == typeof(float) ? (float)value : (double)(Half)value) == value && (major == 7 || (BigInteger)value == integer);
        Refuse(!isExact, "inexact");
        return type == typeof(float) ? (float)value : (Half)value;
    }

    private static object OfInteger(Type type, BigInteger value)
    {
        if (type == typeof(decimal))
            return Decimal(BigInteger.Abs(value), value < 0, 0);
        if (type == typeof(DateOnly))
            return Make(() => DateOnly.FromDayNumber((int)Integer(typeof(int), value + 719_162)));
        Refuse(type == typeof(TimeOnly) && (value < 0 || value >= TimeSpan.TicksPerDay), "out of range");
        Refuse(!IsInteger(type) && type != typeof(TimeSpan) && type != typeof(TimeOnly), "no integer");
        return type == typeof(TimeOnly) ? new TimeOnly((long)value) : type == typeof(TimeSpan) ? new TimeSpan((long)Integer(typeof(long), value)) : Integer(type, value);
    }

    private object ReadTagged(Body from, Type type, ulong tag)
    {
        if (tag is 2 or 3 && (IsBig(type) || type == typeof(decimal)))
        {
            BigInteger size = new((byte[])ReadScalar(from, typeof(byte[])), isUnsigned: true, isBigEndian: true);
            return OfInteger(type, tag == 2 ? size : -1 - size);
        }

        if (tag == 0 && (type == typeof(DateTime) || type == typeof(DateTimeOffset)))
        {
            return Rfc3339((string)ReadScalar(from, typeof(string)), type);
        }

        if (tag == 1 && (type == typeof(DateTime) || type == typeof(DateTimeOffset)))
        {
            bool isFloat = from.Peek() >= 0xF9;
            Refuse(!isFloat && from.Peek() >= 0x40, "no number");
            DateTime time = isFloat ? Seconds((double)ReadScalar(from, typeof(double)))
                : Make(() => new DateTime((long)Integer(typeof(long), ((BigInteger)ReadScalar(from, typeof(BigInteger)) * TimeSpan.TicksPerSecond) + DateTime.UnixEpoch.Ticks), DateTimeKind.Utc));
            return type == typeof(DateTime) ? (object)time : new DateTimeOffset(time);
        }

        if (tag == 4 && type == typeof(decimal))
        {
            Refuse(ReadHeader(from, isMap: false) != 2, "no pair");
            var exponent = (BigInteger)ReadScalar(from, typeof(BigInteger));
            var digits = (BigInteger)ReadScalar(from, typeof(BigInteger));
            Refuse(BigInteger.Abs(exponent) > 28, "no exponent");
            return exponent <= 0 ? Decimal(BigInteger.Abs(digits), digits < 0, -(int)exponent) : Decimal(BigInteger.Abs(digits) * BigInteger.Pow(10, (int)exponent), digits < 0, 0);
        }

        bool isOwn = tag == 100 && type == typeof(DateOnly) || tag == 37 && type == typeof(Guid) || tag == 32 && type == typeof(Uri);
        Refuse(!isOwn || from.Peek() >> 5 == 6, "a tag of something else");
        return ReadScalar(from, type);
    }

    /// <summary>The seconds since 1970, to the tick before.</summary>
    private static DateTime Seconds(double seconds)
    {
        Refuse(!double.IsFinite(seconds), "no time");
        double ticks = Math.Floor(seconds * TimeSpan.TicksPerSecond);
        return Make(() => new DateTime((long)Integer(typeof(long), (BigInteger)ticks + DateTime.UnixEpoch.Ticks), DateTimeKind.Utc));
    }

    private static bool Skip(Body from, bool isBreakAllowed, int? chunksOf = null)
    {
        (int major, BigInteger argument, int info) = Head(from);
        bool isBreak = major == 7 && info == 31;
        Refuse(isBreak && !isBreakAllowed, "a break outside");
        Refuse(chunksOf is int kind && !isBreak && (major != kind || info == 31), "no chunk");
        if (isBreak)
            return true;
        if (major is 2 or 3 && info < 31)
            from.Take(argument);
        else if (major is 2 or 3)
            while (!Skip(from, isBreakAllowed: true, major)) { }
        else if (major is 4 or 5 && info == 31)
            for (int i = 0; !Skip(from, isBreakAllowed: major == 4 || i % 2 == 0); i++) { }
        else if (major == 6)
            Skip(from, isBreakAllowed: false);
        else if (major is 4 or 5)
            for (BigInteger left = argument * (major - 3), _ = Room(left, from); left > 0; left--)
                Skip(from, isBreakAllowed: false);
        return false;
    }

    private static BigInteger Room(BigInteger count, Body from)
    {
        Refuse(count > from.Left, "more elements than bytes");
        return count;
    }
}
