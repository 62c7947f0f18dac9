using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Numerics;
using System.Text;
using System.Text.RegularExpressions;

namespace Formatters.Contracts.Tests.Judges;

/// <summary>docs/wire/custom.md over RESP3: https://github.com/redis/redis-specifications/blob/master/protocol/RESP3.md.</summary>
internal sealed class Resp3Judge : TraversalJudge
{
    internal override bool KeepsNaN => false;

    protected override byte[] Null => Utf8("_\r\n");

    protected override bool IsSorted(bool isRecord) => false;

    protected override byte[] Header(bool isMap, int count) => Line(isMap ? '%' : '*', count);

    protected override byte[] WriteScalar(object value) => value switch
    {
        Int128 or UInt128 or BigInteger => Blob(BigBytes(value)),
        TimeSpan time => Line(':', time.Ticks),
        TimeOnly time => Line(':', time.Ticks),
        bool flag => Line('#', flag ? "t" : "f"),
        double or float or Half => WriteDouble(Convert.ToDouble(value is Half half ? (double)half : value, CultureInfo.InvariantCulture)),
        string text => Blob(Utf8(text)),
        byte[] bytes => Blob(bytes),
        DateTime or DateTimeOffset => Blob(Utf8(Rfc3339(value))),
        DateOnly date => Blob(Utf8(date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture))),
        decimal number => Blob(Utf8(TextOf(number))),
        Guid guid => Blob(Utf8(guid.ToString())),
        Uri address => Blob(Utf8(address.OriginalString)),
        Version or IPAddress => Blob(Utf8(value.ToString()!)),
        _ => Line(IntegerOf(value) > long.MaxValue ? '(' : ':', IntegerOf(value)!),
    };

    protected override byte[] LikelyValue(Random random)
    {
        byte[] bytes = LikelyBytes(random, 18);
        string digits = random.Next(3) == 0 ? $"{(1UL << random.Next(64)) - (ulong)random.Next(3)}" : $"{random.Next(-3, 300)}";
        return random.Next(6) switch
        {
            0 => Blob(bytes),
            1 => Blob(Utf8(digits)),
            2 => Line(":(,#*%_$+"[random.Next(9)], digits),
            3 => Line(',', new[] { "nan", "inf", "-inf", "1e5", "1.5", "-0", ".5", "1e400", "0x1" }[random.Next(9)]),
            _ => Line(":(,"[random.Next(3)], (random.Next(2) == 0 ? "-" : "") + digits),
        };
    }

    protected override IEnumerable<byte[]> FormsOf(BigInteger number, Type type) =>
        [Line(':', number), Line('(', number), Line(',', number), Line(':', $"0{number}"), Blob(Utf8($"{number}")), .. Padded(number).Select(Blob)];

    protected override bool TryReadNull(Body from)
    {
        if (Kind(from) != '_')
            return false;
        Refuse(ReadLine(from).Length > 0, "a null with content");
        return true;
    }

    protected override bool IsText(Body from) => Kind(from) == '$';

    protected override byte[] ReadName(Body from) => ReadBlob(from);

    protected override BigInteger ReadHeader(Body from, bool isMap)
    {
        Refuse(Kind(from) != (isMap ? '%' : '*'), "no array or map");
        return Int64(ReadLine(from));
    }

    protected override object ReadScalar(Body from, Type type)
    {
        char kind = Kind(from);
        if (type == typeof(bool))
        {
            Refuse(kind != '#', "no Boolean");
            string flag = ReadLine(from);
            Refuse(flag is not ("t" or "f"), "no Boolean");
            return flag == "t";
        }

        if (type == typeof(double) || type == typeof(float) || type == typeof(Half))
        {
            Refuse(kind is not (',' or ':' or '('), "no number");
            double value = kind == ',' ? Double(ReadLine(from)) : (double)Int64(ReadLine(from));
            object narrow = type == typeof(double) ? value : type == typeof(float) ? (object)(float)value : (Half)value;
            Refuse(double.IsFinite(value) && (narrow is float.PositiveInfinity or float.NegativeInfinity || narrow is Half half && Half.IsInfinity(half)), "too large");
            return narrow;
        }

        if (type == typeof(TimeSpan) || type == typeof(TimeOnly) || IsInteger(type) && !IsBig(type))
        {
            Refuse(kind is not (':' or '('), "no integer");
            string digits = ReadLine(from);
            if (type == typeof(ulong))
            {
                Refuse(!Regex.IsMatch(digits, @"\A[0-9]+\z"), "no number");
                return Integer(type, BigInteger.Parse(digits, CultureInfo.InvariantCulture));
            }

            long integer = Int64(digits);
            return type == typeof(TimeSpan) ? new TimeSpan(integer) : type == typeof(TimeOnly) ? Make(() => new TimeOnly(integer)) : Integer(type, integer);
        }

        Refuse(kind != '$', "no string");
        byte[] content = ReadBlob(from);
        if (type == typeof(byte[]))
            return content;
        if (IsBig(type))
        {
            Refuse(type != typeof(BigInteger) && content.Length != 16, "no 16 bytes");
            return Integer(type, new BigInteger(content, isUnsigned: type == typeof(UInt128)));
        }

        string text = Text(content);
        if (type == typeof(Guid))
            return Make(() => Guid.ParseExact(text, "D"));
        if (type == typeof(DateOnly))
        {
            Refuse(text.Length != 10, "no date");
            return DateOnly.FromDateTime((DateTime)Rfc3339(text + "T00:00:00", typeof(DateTime)));
        }

        return type == typeof(string) ? text : type == typeof(decimal) ? DecimalText(text) : type == typeof(DateTime) || type == typeof(DateTimeOffset) ? Rfc3339(text, type) : Parsed(type, text);
    }

    protected override void Skip(Body from)
    {
        char kind = Kind(from);
        if (kind is '*' or '%')
        {
            BigInteger count = ReadHeader(from, kind == '%') * (kind == '%' ? 2 : 1);
            Refuse(count < 0 || count > from.Left, "more elements than bytes");
            for (; count > 0; count--)
                Skip(from);
        }
        else if (kind is '$' or '!' or '=')
        {
            ReadBlob(from);
        }
        else
        {
            ReadLine(from);
        }
    }

    private static byte[] Line(char kind, object content) => Utf8(string.Create(CultureInfo.InvariantCulture, $"{kind}{content}\r\n"));

    private static byte[] Blob(byte[] content) => [.. Line('$', content.Length), .. content, .. Utf8("\r\n")];

    private static byte[] BigBytes(object value)
    {
        BigInteger integer = IntegerOf(value)!.Value;
        return value is BigInteger ? integer.ToByteArray() : [.. Enumerable.Range(0, 16).Select(i => (byte)(int)((integer >> (8 * i)) & 0xFF))];
    }

    private static byte[] WriteDouble(double value) =>
        Line(',', double.IsNaN(value) ? "nan" : double.IsInfinity(value) ? value > 0 ? "inf" : "-inf" : value.ToString("R", CultureInfo.InvariantCulture));

    private static char Kind(Body from)
    {
        char kind = (char)from.Peek();
        Refuse(!"_#:(,$*%+-!=".Contains(kind, StringComparison.Ordinal), "no value begins here");
        return kind;
    }

    private static string ReadLine(Body from)
    {
        var line = new StringBuilder();
        from.Next();
        for (char next = (char)from.Next(); next != '\r'; next = (char)from.Next())
        {
            Refuse(next == '\n', "a line without CR");
            line.Append(next);
        }

        Refuse(from.Next() != '\n', "a line without LF");
        return line.ToString();
    }

    private static byte[] ReadBlob(Body from)
    {
        byte[] content = from.Take(Int64(ReadLine(from)));
        Refuse(from.Next() != '\r' || from.Next() != '\n', "no end of a string");
        return content;
    }

    private static long Int64(string digits)
    {
        Refuse(!Regex.IsMatch(digits, @"\A-?[0-9]+\z"), "no number");
        return (long)Integer(typeof(long), BigInteger.Parse(digits, CultureInfo.InvariantCulture));
    }

    private static double Double(string digits)
    {
        if (digits is "nan" or "inf" or "-inf")
            return digits == "nan" ? double.NaN : digits == "inf" ? double.PositiveInfinity : double.NegativeInfinity;
        Refuse(!Regex.IsMatch(digits, @"\A[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\z") || digits[^1] is < '0' or > '9', "no number");
        double value = Make(() => double.Parse(digits, CultureInfo.InvariantCulture));
        Refuse(double.IsInfinity(value), "too large");
        return value;
    }
}
