using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Numerics;
using System.Text;

namespace Formatters.Contracts.Tests.Judges;

/// <summary>docs/wire/compact.md.</summary>
internal sealed class CompactJudge : TraversalJudge
{
    private static readonly BigInteger s_minLong = long.MinValue, s_maxULong = ulong.MaxValue;

    protected override byte[] Null => [0xD0];

    protected override bool IsSorted(bool isRecord) => isRecord;

    protected override byte[] Header(bool isMap, int count) =>
        count < 16 ? [(byte)((isMap ? 0xC0 : 0xB0) + count)] : Counted(isMap ? 0xD7 : 0xD4, count);

    protected override byte[] WriteScalar(object value)
    {
        if (IntegerOf(value) is BigInteger integer)
            return integer < s_minLong || integer > s_maxULong ? Content(integer.ToByteArray()) : WriteInteger(integer);
        return value switch
        {
            bool flag => [(byte)(flag ? 1 : 0)],
            TimeSpan time => WriteInteger(time.Ticks),
            TimeOnly time => WriteInteger(time.Ticks),
            DateOnly date => WriteInteger(date.DayNumber),
            double number => WriteNumber(number, 1L << 53, 1L << 51, static hundredths => hundredths / 100.0, BitConverter.GetBytes(number)),
            float number => WriteSingle(number),
            Half number => WriteSingle((float)number),
            decimal number => number.Scale == 0 && number is >= 0 and <= 127 && !decimal.IsNegative(number) ? [(byte)number]
                : Content([(byte)(number.Scale + (decimal.IsNegative(number) ? 0x80 : 0)), .. Little(DigitsOf(number))]),
            string text => Content(ShortestText(text)),
            Uri address => Content(ShortestText(address.OriginalString)),
            Version or IPAddress => Content(Utf8(value.ToString()!)),
            byte[] bytes => Content(bytes),
            Guid guid => Content(guid.ToByteArray(bigEndian: true)),
            DateTime time => Content(Date(time)),
            DateTimeOffset time => Content([.. Date(time.DateTime), .. BitConverter.GetBytes((short)time.Offset.TotalMinutes)]),
            _ => throw new NotSupportedException(value.GetType().Name),
        };
    }

    protected override byte[] LikelyValue(Random random)
    {
        byte[] bytes = LikelyBytes(random, random.Next(2) == 0 ? 10 : 18);
        return random.Next(8) switch
        {
            0 => [(byte)random.Next(256)],
            1 => [(byte)random.Next(0xDA, 0xE0), (byte)random.Next(256)],
            2 => [(byte)(0xA7 + (bytes.Length & 7)), .. bytes.Take(bytes.Length & 7)],
            3 => bytes,
            4 => [0xD1, (byte)bytes.Length, .. bytes],
            _ => [(byte)(0x80 + bytes.Length), .. bytes],
        };
    }

    protected override IEnumerable<byte[]> FormsOf(BigInteger number, Type type)
    {
        // Dates count in a unit, decimals have a scale, fractions count hundredths.
        byte[] scales = type != typeof(decimal) ? [] : [0, 1, 28, 29, 0x80, 0x9C, 0x9D];
        return [WriteInteger(number), .. Padded(number).SelectMany(bytes => new[] { Content(bytes), [(byte)(0xA7 + Math.Clamp(bytes.Length, 1, 8)), .. bytes.Concat(new byte[1]).Take(8)] }),
            .. scales.Select(scale => Content([scale, .. Little(BigInteger.Abs(number))])), .. Enumerable.Range(0, type == typeof(DateTime) ? 16 : 0).Select(low => Content(Little((BigInteger.Abs(number) << 4) + low)))];
    }

    protected override bool TryReadNull(Body from)
    {
        bool isNull = from.Peek() == 0xD0;
        from.At += isNull ? 1 : 0;
        return isNull;
    }

    protected override bool IsText(Body from) => KindOf(from.Peek()) == 'c';

    protected override BigInteger ReadHeader(Body from, bool isMap)
    {
        (char kind, BigInteger count, _) = Head(from);
        Refuse(kind != (isMap ? 'm' : 'a'), "no array or map");
        return count;
    }

    /// <remarks>Each value has exactly one form: what is read is what would be written for it.</remarks>
    protected override object ReadScalar(Body from, Type type)
    {
        int start = from.At;
        (char kind, BigInteger integer, byte[] content) = Head(from);
        object value = ReadScalar(type, kind, integer, content);
        bool hasForms = value is Uri or Version or IPAddress or DateTime { Kind: DateTimeKind.Local } || value is Half half && Half.IsNaN(half) && content.Length == 4;
        Refuse(!(hasForms ? Content(content) : WriteScalar(value)).SequenceEqual(from.Since(start)), "another form");
        return value;
    }

    protected override byte[] ReadName(Body from) => Head(from).Content;

    protected override void Skip(Body from)
    {
        (char kind, BigInteger count, _) = Head(from);
        Refuse(kind is 'a' or 'm' && count * (kind == 'm' ? 2 : 1) > from.Left, "more elements than bytes");
        for (BigInteger left = kind == 'a' ? count : kind == 'm' ? count * 2 : 0; left > 0; left--)
            Skip(from);
    }

    private static byte[] Content(byte[] bytes) => [.. bytes.Length < 40 ? [(byte)(0x80 + bytes.Length)] : Counted(0xD1, bytes.Length), .. bytes];

    private static byte[] Counted(int first, int count) =>
        count < 256 ? [(byte)first, (byte)count] : count < 65536 ? [(byte)(first + 1), .. Little((ulong)count, 2)] : [(byte)(first + 2), .. Little((ulong)count, 4)];

    private static byte[] WriteInteger(BigInteger value)
    {
        if (value >= -32 && value < 128)
            return [(byte)(int)(value & 0xFF)];
        if (value >= 128 && value < 1664)
            return [(byte)(0xDA + (int)(value - 128) / 256), (byte)((int)(value - 128) % 256)];
        if (value > 0)
            return Content(Little(value));
        byte[] complement = Little(-1 - value);
        return [(byte)(0xA7 + Math.Min(complement.Length, 8)), .. complement];
    }

    private static byte[] WriteSingle(float number) =>
        WriteNumber(number, (1L << 22) / 100.0, 1L << 22, static hundredths => (float)(hundredths / 100.0), BitConverter.GetBytes(number));

    private static byte[] WriteNumber(double number, double wholeEnd, long hundredthsEnd, Func<double, double> divide, byte[] bits)
    {
        bool isNegative = double.IsNegative(number), isWhole = Math.Floor(number) == number && double.IsFinite(number);
        double size = Math.Abs(number);
        if (isWhole && number is >= -32 and < 1664 && !(number == 0 && isNegative))
            return WriteInteger((BigInteger)number);
        int sign = isNegative ? 2 : 0;
        if (isWhole && size < wholeEnd && size > 0)
            return Content(Little(((BigInteger)size << 2) + sign));
        for (double n = Math.Floor(size * 100); !isWhole && n <= Math.Ceiling(size * 100) && n < hundredthsEnd; n++)
        {
            if (divide(n) == size)
                return Content(Little(((BigInteger)n << 2) + sign + 1));
        }

        return Content(bits);
    }

    /// <summary>The count is in the first unit in which it is whole: days, seconds, milliseconds, ticks.</summary>
    private static byte[] Date(DateTime time)
    {
        long ticks = time.Kind == DateTimeKind.Local ? time.ToBinary() & 0x3FFF_FFFF_FFFF_FFFF : time.Ticks;
        long[] units = [TimeSpan.TicksPerDay, TimeSpan.TicksPerSecond, TimeSpan.TicksPerMillisecond, 1];
        int unit = Array.FindIndex(units, one => ticks % one == 0);
        return Little(((BigInteger)(ticks / units[unit]) << 4) + (4 * (int)time.Kind) + unit);
    }

    private static DateTime ReadDate(byte[] content)
    {
        var number = new BigInteger(content, isUnsigned: true);
        long[] units = [TimeSpan.TicksPerDay, TimeSpan.TicksPerSecond, TimeSpan.TicksPerMillisecond, 1];
        BigInteger ticks = (number >> 4) * units[(int)(number & 3)];
        int kind = (int)((number >> 2) & 3);
        Refuse(Array.FindIndex(units, one => ticks % one == 0) != (int)(number & 3) || content.Length > 0 && content[^1] == 0, "another form");
        Refuse(kind == 3 || ticks > (kind == 2 ? 0x3FFF_FFFF_FFFF_FFFF : DateTime.MaxValue.Ticks), "no date");
        return kind == 2 ? Make(() => DateTime.FromBinary((long)ticks | long.MinValue)) : new DateTime((long)ticks, (DateTimeKind)kind);
    }

    private static object ReadScalar(Type type, char kind, BigInteger integer, byte[] content)
    {
        bool isContent = kind == 'c', isNumber = kind == 'i';
        Refuse(!isContent && !isNumber, "no scalar");
        if (type == typeof(double) || type == typeof(float) || type == typeof(Half))
        {
            bool isDouble = type == typeof(double);
            double number = isNumber ? (double)integer : isDouble && content.Length == 8 ? BitConverter.ToDouble(content)
                : !isDouble && content.Length == 4 ? BitConverter.ToSingle(content) : Whole(content, isDouble ? 7 : 3, isDouble);
            if (isDouble)
                return number;
            float single = content.Length == 4 ? BitConverter.ToSingle(content) : (float)number;
            Refuse(type == typeof(Half) && (float)(Half)single != single && !float.IsNaN(single), "no Half");
            return type == typeof(Half) ? (Half)single : single;
        }

        if (IsInteger(type) || type == typeof(bool) || type == typeof(TimeSpan) || type == typeof(TimeOnly) || type == typeof(DateOnly))
        {
            if (isContent)
                integer = new BigInteger(content, isUnsigned: content.Length < 9);
            Refuse(content.Length > 8 && !IsBig(type), "too long");
            Refuse(type == typeof(bool) && integer > 1 || type == typeof(TimeOnly) && integer >= TimeSpan.TicksPerDay || integer < 0 && type == typeof(TimeOnly), "out of range");
            return type == typeof(bool) ? integer == 1 : type == typeof(TimeSpan) ? new TimeSpan((long)Integer(typeof(long), integer))
                : type == typeof(TimeOnly) ? new TimeOnly((long)integer) : type == typeof(DateOnly) ? Make(() => DateOnly.FromDayNumber((int)Integer(typeof(int), integer))) : Integer(type, integer);
        }

        if (type == typeof(decimal))
        {
            Refuse(isContent && content.Length == 0, "no decimal");
            return isNumber ? Decimal(BigInteger.Max(integer, 0), false, 0) : Decimal(new BigInteger(content.AsSpan(1), isUnsigned: true), content[0] >= 0x80, content[0] & 0x7F);
        }

        Refuse(!isContent, "no content");
        if (type == typeof(DateTimeOffset))
        {
            Refuse(content.Length < 2, "no offset");
            DateTime clock = ReadDate(content[..^2]);
            Refuse(clock.Kind != DateTimeKind.Unspecified, "a kind");
            return Make(() => new DateTimeOffset(clock, TimeSpan.FromMinutes(BitConverter.ToInt16(content, content.Length - 2))));
        }

        Refuse(type == typeof(Guid) && content.Length != 16, "no GUID");
        return type == typeof(byte[]) ? content : type == typeof(Guid) ? new Guid(content, bigEndian: true) : type == typeof(DateTime) ? ReadDate(content)
            : type == typeof(string) ? ReadText(content) : Parsed(type, ReadText(content));
    }

    private static double Whole(byte[] content, int maxByteCount, bool isDouble)
    {
        Refuse(content.Length == 0 || content.Length > maxByteCount, "no number");
        var m = new BigInteger(content, isUnsigned: true);
        double size = (double)(m >> 2);
        size = (m & 1) == 0 ? size : isDouble ? size / 100 : (float)(size / 100);
        return (m & 2) == 0 ? size : -size;
    }

    private static char KindOf(int first) => first switch
    {
        < 0x80 or >= 0xDA => 'i',
        < 0xA8 => 'c',
        < 0xB0 => 'i',
        < 0xC0 => 'a',
        < 0xD0 => 'm',
        0xD0 => 'n',
        < 0xD4 => 'c',
        < 0xD7 => 'a',
        _ => 'm',
    };

    /// <summary>The first byte and what it announces: an integer, content, or the count of an array or a map.</summary>
    private static (char Kind, BigInteger Number, byte[] Content) Head(Body from)
    {
        int first = from.Next();
        char kind = KindOf(first);
        if (kind == 'i')
        {
            BigInteger integer = first < 0x80 ? first : first < 0xB0 ? -1 - from.Little(first - 0xA7) : first < 0xE0 ? 128 + (256 * (first - 0xDA)) + from.Next() : first - 0x100;
            return (kind, integer, []);
        }

        BigInteger count = first switch
        {
            < 0xB0 => first - 0x80,
            < 0xD0 => first & 15,
            0xD0 => 0,
            _ => Shortest(from, first),
        };
        return (kind, count, kind == 'c' ? from.Take(count) : []);
    }

    /// <summary>UTF-8, or FF and UTF-16 if that is shorter.</summary>
    private static byte[] ShortestText(string text)
    {
        byte[] utf16 = [0xFF, .. Encoding.Unicode.GetBytes(text)];
        return Utf8(text).Length > utf16.Length ? utf16 : Utf8(text);
    }

    private static string ReadText(byte[] content)
    {
        bool isUtf16 = content.Length > 0 && content[0] == 0xFF;
        string text = isUtf16 ? Encoding.Unicode.GetString(content, 1, content.Length - 1) : Text(content);
        Refuse(!ShortestText(text).SequenceEqual(content), "another form of a string");
        return text;
    }

    private static BigInteger Shortest(Body from, int first)
    {
        int width = (first - 0xD1) % 3;
        BigInteger count = from.Little(1 << width);
        Refuse(count < (width == 0 ? first < 0xD4 ? 40 : 16 : width == 1 ? 256 : 65536), "a longer form");
        return count;
    }
}
