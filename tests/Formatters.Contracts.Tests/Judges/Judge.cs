using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Numerics;
using System.Text;
using System.Text.RegularExpressions;

namespace Formatters.Contracts.Tests.Judges;

/// <summary>A wire format, written plainly from its page in docs/wire, with no code of the library: what it writes for a tree, and what it reads from a body.</summary>
internal abstract class Judge
{
    private static readonly Encoding s_strict = new UTF8Encoding(false, throwOnInvalidBytes: true);

    private static readonly byte[] s_likely = [0, 1, 2, 3, 0x1F, 0x20, 0x7F, 0x80, 0x81, 0xC2, 0xFE, 0xFF];

    /// <summary>Gets whether a NaN keeps its bits.</summary>
    internal virtual bool KeepsNaN => true;

    internal abstract byte[] Write(Shape shape, object? tree);

    /// <exception cref="RefusedException">The body is to be refused.</exception>
    internal abstract object? Read(Shape shape, byte[] body);

    /// <summary>Bytes that look like a body of a record with one member, to be read or refused.</summary>
    internal abstract byte[] Likely(Shape shape, Random random);

    /// <summary>Bodies of a record with one member: each boundary as a number of each kind, in its own form and in longer ones.</summary>
    internal abstract IEnumerable<byte[]> Forms(Shape shape);

    /// <summary>Up to so many bytes, most of which are at a boundary.</summary>
    protected static byte[] LikelyBytes(Random random, int maxByteCount) =>
        [.. Enumerable.Range(0, random.Next(maxByteCount + 1)).Select(_ => random.Next(3) == 0 ? (byte)random.Next(256) : s_likely[random.Next(s_likely.Length)])];

    /// <summary>A number in the fewest bytes, the lowest first; zero in none.</summary>
    protected static byte[] Little(BigInteger number) => number.IsZero ? [] : number.ToByteArray(isUnsigned: true);

    /// <summary>A number as bytes, the lowest first, without a sign and with one, and with a byte more than it needs.</summary>
    protected static IEnumerable<byte[]> Padded(BigInteger number)
    {
        byte[] signed = number.ToByteArray();
        byte[][] all = number < 0 ? [signed, [.. signed, 0xFF], [.. signed, 0]] : [Little(number), signed, [.. signed, 0]];
        return all;
    }

    protected static byte[] Little(ulong number, int byteCount) => [.. BitConverter.GetBytes(number).Take(byteCount)];

    protected static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

    protected static string Text(byte[] utf8)
    {
        try
        {
            return s_strict.GetString(utf8);
        }
        catch (DecoderFallbackException)
        {
            throw new RefusedException("not UTF-8");
        }
    }

    /// <summary>The digits of a decimal, with its scale, and with the sign of a zero.</summary>
    protected static string TextOf(decimal value) => (decimal.IsNegative(value) ? "-" : "") + Math.Abs(value).ToString(CultureInfo.InvariantCulture);

    /// <summary>Digits of a decimal: more of them than it has are rounded.</summary>
    protected static decimal DecimalText(string text, bool allowsExponent = true)
    {
        Refuse(!allowsExponent && text.Contains('e', StringComparison.OrdinalIgnoreCase), "an exponent");
        Refuse(!Regex.IsMatch(text, @"\A[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\z"), "no decimal");
        return Make(() => decimal.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture));
    }

    /// <summary>An integer as a value of its type, or of its enum.</summary>
    protected static object Integer(Type type, BigInteger value)
    {
        try
        {
            return type.IsEnum ? Enum.ToObject(type, Integer(type.GetEnumUnderlyingType(), value)) : type == typeof(char) ? (char)(ushort)value
                : type == typeof(Int128) ? (Int128)value : type == typeof(UInt128) ? (UInt128)value : type == typeof(BigInteger) ? (object)value
                : Convert.ChangeType((decimal)value, type, null);
        }
        catch (OverflowException)
        {
            throw new RefusedException($"{value} is no {type.Name}");
        }
    }

    /// <summary>The integer of a value of a type of integers, or of an enum; null for a value of another type.</summary>
    protected static BigInteger? IntegerOf(object value) => value switch
    {
        Enum number => IntegerOf(Convert.ChangeType(number, Enum.GetUnderlyingType(number.GetType()), null)),
        byte number => number,
        sbyte number => number,
        short number => number,
        ushort number => number,
        int number => number,
        uint number => number,
        long number => number,
        ulong number => number,
        char number => number,
        Int128 number => number,
        UInt128 number => number,
        BigInteger number => number,
        _ => null,
    };

    protected static bool IsInteger(Type type) => type.IsEnum || type.IsPrimitive && type != typeof(bool) && type != typeof(float) && type != typeof(double) || IsBig(type);

    protected static bool IsBig(Type type) => type == typeof(Int128) || type == typeof(UInt128) || type == typeof(BigInteger);

    protected static decimal Decimal(BigInteger digits, bool isNegative, int scale)
    {
        Refuse(digits >= BigInteger.One << 96 || scale is < 0 or > 28, "no decimal");
        uint mask = uint.MaxValue;
        return new decimal((int)(uint)(digits & mask), (int)(uint)((digits >> 32) & mask), (int)(uint)(digits >> 64), isNegative, (byte)scale);
    }

    protected static BigInteger DigitsOf(decimal value)
    {
        int[] bits = decimal.GetBits(value);
        return ((BigInteger)(uint)bits[2] << 64) | ((BigInteger)(uint)bits[1] << 32) | (uint)bits[0];
    }

    /// <summary>Values that are text in every format. An IPv4 address has one form, four decimal numbers; an IPv6 address has no brackets and no port.</summary>
    protected static object Parsed(Type type, string text)
    {
        object value = Make<object>(() => type == typeof(Uri) ? new Uri(text, UriKind.RelativeOrAbsolute) : type == typeof(Version) ? Version.Parse(text) : IPAddress.Parse(text));
        Refuse(value is IPAddress address && (address.AddressFamily == AddressFamily.InterNetwork ? address.ToString() != text : text[0] == '['), "another form of address");
        return value;
    }

    /// <summary>The text of RFC 3339, with up to seven digits behind the point, without zeros at the end.</summary>
    protected static string Rfc3339(DateTime clock, string offset) => clock.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture) + offset;

    protected static string Rfc3339(object time) => time is DateTimeOffset both
        ? Rfc3339(both.DateTime, (both.Offset < TimeSpan.Zero ? "-" : "+") + both.Offset.ToString("hh\\:mm", CultureInfo.InvariantCulture))
        : Rfc3339((DateTime)time, ((DateTime)time).Kind switch { DateTimeKind.Utc => "Z", DateTimeKind.Unspecified => "", _ => throw new NotSupportedException("local") });

    /// <summary>Reads the text of RFC 3339: upper and lower case; more than seven digits are cut off; offsets up to 14 hours, no leap seconds.</summary>
    /// <returns>A <see cref="DateTime"/>, local if the text has an offset; or a <see cref="DateTimeOffset"/>.</returns>
    protected static object Rfc3339(string text, Type type)
    {
        Match match = Regex.Match(text, @"\A([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-5][0-9])?\z");
        Refuse(!match.Success, "no date");
        DateTime clock = Make(() => DateTime.ParseExact(match.Groups[1].Value + match.Groups[2].Value, "yyyy-MM-ddHH:mm:ss", CultureInfo.InvariantCulture));
        clock = clock.AddTicks(long.Parse((match.Groups[3].Value + "00000000").AsSpan(1, 7), CultureInfo.InvariantCulture) * (match.Groups[3].Length > 0 ? 1 : 0));
        string zone = match.Groups[4].Value;
        bool isUtc = zone is "Z" or "z";
        var offset = TimeSpan.FromMinutes(zone.Length < 6 ? 0 : (int.Parse(zone[1..3], CultureInfo.InvariantCulture) * 60 + int.Parse(zone[4..], CultureInfo.InvariantCulture)) * (zone[0] == '-' ? -1 : 1));
        Refuse(offset.Duration() > TimeSpan.FromHours(14), "no offset");
        Refuse(type == typeof(DateTimeOffset) && zone.Length == 0, "no offset");
        if (type == typeof(DateTimeOffset))
            return Make(() => new DateTimeOffset(clock, offset));
        if (isUtc || zone.Length == 0)
            return DateTime.SpecifyKind(clock, isUtc ? DateTimeKind.Utc : DateTimeKind.Unspecified);
        BigInteger utc = (BigInteger)clock.Ticks - offset.Ticks;
        return utc < 0 || utc > DateTime.MaxValue.Ticks ? DateTime.SpecifyKind(clock, DateTimeKind.Local) : new DateTime((long)utc, DateTimeKind.Utc).ToLocalTime();
    }

    /// <summary>What the base library makes of a value of its own, where the page says that a reader does so.</summary>
    protected static T Make<T>(Func<T> make)
    {
        try
        {
            return make();
        }
        catch (Exception e) when (e is ArgumentException or FormatException or OverflowException)
        {
            throw new RefusedException(e.Message);
        }
    }

    protected static void Refuse(bool isWrong, string why)
    {
        if (isWrong)
            throw new RefusedException(why);
    }

    internal sealed class RefusedException(string why) : Exception(why);

    /// <summary>A body, and how much of it has been read.</summary>
    protected sealed class Body(byte[] bytes)
    {
        internal int At { get; set; }

        internal int Left => bytes.Length - At;

        internal byte Peek() => Left > 0 ? bytes[At] : throw new RefusedException("truncated");

        internal byte Next() => Take(1)[0];

        internal byte[] Take(BigInteger byteCount)
        {
            Refuse(byteCount < 0 || byteCount > Left, "truncated");
            byte[] taken = bytes.AsSpan(At, (int)byteCount).ToArray();
            At += taken.Length;
            return taken;
        }

        internal byte[] First(int byteCount) => bytes[..byteCount];

        internal byte[] Since(int start) => bytes[start..At];

        internal BigInteger Little(int byteCount) => new(Take(byteCount), isUnsigned: true);

        internal BigInteger Big(int byteCount) => new(Take(byteCount), isUnsigned: true, isBigEndian: true);

        internal void End() => Refuse(Left > 0, "bytes behind the value");
    }
}

/// <summary>What MessagePack, CBOR, the compact format and formats of the application share: records as arrays or maps of their members.</summary>
internal abstract class TraversalJudge : Judge
{
    internal override byte[] Write(Shape shape, object? tree)
    {
        if (tree is null)
            return Null;
        switch (shape.Kind)
        {
            case ShapeKind.Scalar:
                return WriteScalar(tree);
            case ShapeKind.List:
                object?[] items = (object?[])tree;
                return [.. Header(false, items.Length), .. items.SelectMany(item => Write(shape.Element!, item))];
            case ShapeKind.Map:
                return WriteMap([.. ((KeyValuePair<object, object?>[])tree).Select(entry => (Write(shape.Key!, entry.Key), Write(shape.Element!, entry.Value)))], isRecord: false);
            case ShapeKind.Union:
                var one = (KeyValuePair<object, object?>)tree;
                return [.. Header(false, 2), .. WriteScalar(one.Key), .. Write(CaseOf(shape, (int)one.Key), one.Value)];
            default:
                object?[] members = (object?[])tree;
                if (!HasNumbers(shape))
                    return WriteMap([.. shape.Members.Select((member, i) => (WriteScalar(member.Name), Write(member.Shape, members[i])))], isRecord: true);
                byte[][] array = [.. Enumerable.Repeat(Null, shape.Members.Max(static member => member.Number))];
                for (int i = 0; i < members.Length; i++)
                    array[shape.Members[i].Number - 1] = Write(shape.Members[i].Shape, members[i]);
                return [.. Header(false, array.Length), .. array.SelectMany(static bytes => bytes)];
        }
    }

    internal override object? Read(Shape shape, byte[] body)
    {
        var from = new Body(body);
        Begin(from);
        object? value = Read(shape, from);
        from.End();
        return value;
    }

    /// <remarks>Half of them with a further member, which is skipped: what is not the last in a body may be read otherwise.</remarks>
    internal override byte[] Likely(Shape shape, Random random) =>
        random.Next(2) == 0 ? [.. Header(false, 1), .. LikelyValue(random)] : [.. Header(false, 2), .. LikelyValue(random), .. WriteScalar(new byte[10])];

    internal override IEnumerable<byte[]> Forms(Shape shape) => !HasNumbers(shape) ? OtherKeys() : (shape.Members[0].Shape is { Kind: ShapeKind.Union } union ? UnionsOf(union) : Boundaries.FewIntegers.SelectMany(number => FormsOf(number, shape.Members[0].Shape.Type)))
        .SelectMany(value => new[] { [.. Header(false, 1), .. value], (byte[])[.. Header(false, 2), .. value], [.. Header(false, 2), .. value, .. WriteScalar(new byte[10])] });

    /// <summary>Keys that are no names are skipped, with their values.</summary>
    private IEnumerable<byte[]> OtherKeys() => new[] { Null, WriteScalar(5), WriteScalar(true), WriteScalar(1.5), Header(false, 0), [.. Header(true, 1), .. WriteScalar(1), .. WriteScalar(2)] }.Concat(FurtherKeys)
        .Select(key => (byte[])[.. Header(true, 2), .. key, .. WriteScalar("x"), .. WriteScalar("Zebra"), .. WriteScalar(7)]);

    /// <summary>A union has two elements, not one or three.</summary>
    private IEnumerable<byte[]> UnionsOf(Shape union) => Enumerable.Range(1, 3).SelectMany(count => union.Cases.Select(one => (byte[])
        [.. Header(false, count), .. WriteScalar(one.Tag), .. count > 1 ? Write(one.Shape, one.Shape.New()) : [], .. count > 2 ? Null : []]));

    /// <summary>Gets keys of this format alone that are no names.</summary>
    protected virtual IEnumerable<byte[]> FurtherKeys => [];

    protected abstract IEnumerable<byte[]> FormsOf(BigInteger number, Type type);

    protected abstract byte[] Null { get; }

    /// <summary>Gets whether records with numbers are maps, too.</summary>
    protected virtual bool AllMaps => false;

    /// <summary>Whether names, and for some formats keys, are in the order of their bytes.</summary>
    protected abstract bool IsSorted(bool isRecord);

    protected abstract byte[] Header(bool isMap, int count);

    protected abstract byte[] WriteScalar(object value);

    protected abstract byte[] LikelyValue(Random random);

    protected virtual void Begin(Body from)
    {
    }

    /// <summary>Reads a null, if there is one.</summary>
    protected abstract bool TryReadNull(Body from);

    protected abstract BigInteger ReadHeader(Body from, bool isMap);

    protected abstract object ReadScalar(Body from, Type type);

    /// <summary>Reads the bytes of a name: those of an unknown one need not be UTF-8.</summary>
    protected abstract byte[] ReadName(Body from);

    protected abstract void Skip(Body from);

    /// <summary>Whether the next value can be a name; others are skipped as unknown.</summary>
    protected abstract bool IsText(Body from);

    private static Shape CaseOf(Shape shape, int tag)
    {
        Refuse(shape.Cases.All(one => one.Tag != tag), "unknown case");
        return shape.Cases.Single(one => one.Tag == tag).Shape;
    }

    private bool HasNumbers(Shape shape) => !AllMaps && shape.Members.Any(static member => member.Number > 0);

    private object? Read(Shape shape, Body from)
    {
        if (TryReadNull(from))
        {
            Refuse(!shape.IsNullable, "null");
            return null;
        }

        switch (shape.Kind)
        {
            case ShapeKind.Scalar:
                return ReadScalar(from, shape.Type);
            case ShapeKind.List:
                return Enumerable.Range(0, Count(from, isMap: false)).Select(_ => Read(shape.Element!, from)).ToArray();
            case ShapeKind.Map:
                KeyValuePair<object, object?>[] entries = [.. Enumerable.Range(0, Count(from, isMap: true)).Select(_ => new KeyValuePair<object, object?>(Read(shape.Key!, from)!, Read(shape.Element!, from)))];
                Refuse(entries.Select(static entry => entry.Key).Distinct().Count() < entries.Length, "a key twice");
                return entries;
            case ShapeKind.Union:
                Refuse(Count(from, isMap: false) != 2, "no union");
                int tag = (int)ReadScalar(from, typeof(int));
                Shape one = CaseOf(shape, tag);
                return new KeyValuePair<object, object?>(tag, Read(one, from));
            default:
                return ReadRecord(shape, from);
        }
    }

    private object?[] ReadRecord(Shape shape, Body from)
    {
        object?[] members = shape.New();
        bool isMap = !HasNumbers(shape);
        var seen = new HashSet<string>();
        int count = Count(from, isMap);
        for (int i = 0; i < count; i++)
        {
            string? name = null;
            if (isMap && IsText(from))
            {
                name = Encoding.Latin1.GetString(ReadName(from)); // The names of members are ASCII.
                Refuse(!seen.Add(name), "a name twice");
            }
            else if (isMap)
            {
                Skip(from);
            }

            int at = Array.FindIndex(shape.Members, member => isMap ? member.Name == name : member.Number == i + 1);
            if (at < 0)
                Skip(from);
            else
                members[at] = Read(shape.Members[at].Shape, from);
        }

        return members;
    }

    private int Count(Body from, bool isMap)
    {
        BigInteger count = ReadHeader(from, isMap);
        Refuse(count < 0 || count * (isMap ? 2 : 1) > from.Left, "more elements than bytes");
        return (int)count;
    }

    private byte[] WriteMap((byte[] Key, byte[] Value)[] entries, bool isRecord)
    {
        if (IsSorted(isRecord))
            Array.Sort(entries, static (x, y) => x.Key.AsSpan().SequenceCompareTo(y.Key));
        return [.. Header(true, entries.Length), .. entries.SelectMany(static entry => entry.Key.Concat(entry.Value))];
    }
}
