// Types as users of MessagePack-CSharp write them. The same file has been compiled against MessagePack-CSharp itself: tests/golden/messagepack/README.md.
using System;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Runtime.Serialization;
using MessagePack;

#nullable enable
#pragma warning disable CA1002, CA1019, CA1051, CA1815, CA1819, CA1822, CA2227, SA1649

namespace Formatters.Tests.MessagePack;

[MessagePackObject]
public class Numbered
{
    [Key(0)]
    public int Id { get; set; }

    [Key(1)]
    public string? Name { get; set; }

    [Key(4)]
    public double[]? Values { get; set; }

    [Key(2)]
    public DateTime At;

    [IgnoreMember]
    public int Ignored { get; set; } = 5;
}

[MessagePackObject(true)]
public class Named : NamedBase
{
    public int Field;

    public string? Text { get; set; }

    public Numbered? Inner { get; set; }

    public Dictionary<string, int>? Counts { get; set; }
}

[MessagePackObject(true)]
public class NamedBase
{
    public bool BaseField;

    public byte BaseProperty { get; set; }
}

[MessagePackObject]
public class Keyed
{
    [Key("f")]
    public int Field;

    [Key("text")]
    public string? Text { get; set; }

    [Key("\u00E9t\u00E9")]
    public long Été { get; set; }
}

[DataContract]
public class Contracted
{
    [DataMember(Order = 1)]
    public string? Second { get; set; }

    [DataMember(Order = 0)]
    public int First { get; set; }
}

[MessagePackObject]
public record Positional([property: Key(0)] int X, [property: Key(1)] string Y);

[MessagePackObject]
public struct Pair
{
    [Key(0)]
    public float A;

    [Key(1)]
    public sbyte B;
}

[MessagePackObject]
public class Empty
{
}

[Union(0, typeof(Circle))]
[Union(3, typeof(Square))]
public interface IShape
{
}

[MessagePackObject]
public class Circle : IShape
{
    [Key(0)]
    public double Radius { get; set; }
}

[MessagePackObject]
public class Square : IShape
{
    [Key(0)]
    public int Side { get; set; }

    [Key(1)]
    public IShape? Inner { get; set; }
}

public enum Small : byte
{
    One = 1,
    Last = 255,
}

public enum Big : ulong
{
    Most = ulong.MaxValue,
}

/// <summary>A value, and both directions through our formatter.</summary>
public abstract record PeerCase(string Name, Type Type)
{
    /// <summary>Where our bytes are others on purpose: MessagePack-CSharp writes a decimal zero without its sign, and reads ours with it.</summary>
    public static readonly Dictionary<string, string> Differences = new() { ["decimal 0 0 0 -2147418112"] = "A42D302E30" };

    public abstract object Payload { get; }

    public abstract byte[] Write();

    public abstract byte[] WriteAgain(object value);

    public abstract object ReadBack(byte[] body);

    public static IEnumerable<PeerCase> All()
    {
        long[] integers =
        [
            0, 1, 127, 128, 255, 256, 65535, 65536, int.MaxValue, (long)int.MaxValue + 1, uint.MaxValue, (long)uint.MaxValue + 1, long.MaxValue,
            -1, -32, -33, -128, -129, -32768, -32769, int.MinValue, (long)int.MinValue - 1, long.MinValue,
        ];
        foreach (long value in integers)
        {
            yield return OfEach($"long {value}", value);
            if (value is >= int.MinValue and <= int.MaxValue)
                yield return OfEach($"int {value}", (int)value);
            if (value is >= 0 and <= uint.MaxValue)
                yield return OfEach($"uint {value}", (uint)value);
            if (value is >= short.MinValue and <= short.MaxValue)
                yield return OfEach($"short {value}", (short)value);
            if (value is >= 0 and <= ushort.MaxValue)
                yield return OfEach($"ushort {value}", (ushort)value);
            if (value is >= sbyte.MinValue and <= sbyte.MaxValue)
                yield return OfEach($"sbyte {value}", (sbyte)value);
            if (value is >= 0 and <= byte.MaxValue)
                yield return OfEach($"byte {value}", (byte)value);
            if (value >= 0)
                yield return OfEach($"ulong {value}", (ulong)value);
        }

        yield return Of("ulong max", ulong.MaxValue);
        yield return Of("bool false", false);
        yield return Of("bool true", true);
        foreach (double value in new[] { 0, -0.0, 1, 1.5, -1e300, double.Epsilon, double.NaN, double.PositiveInfinity })
        {
            yield return OfEach($"double {BitConverter.DoubleToInt64Bits(value):X}", value);
            yield return OfEach($"float of {BitConverter.DoubleToInt64Bits(value):X}", (float)value);
#if !FORMATTERS_NETSTANDARD
            yield return OfEach($"half of {BitConverter.DoubleToInt64Bits(value):X}", (Half)value);
#endif
        }

        foreach (int length in new[] { 0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 85, 86, 127, 128, 255, 256, 21845, 21846, 65535, 65536 })
        {
            yield return OfEach($"ascii {length}", new string('a', length));
            yield return OfEach($"accented {length}", new string('\u00E9', length));
            yield return OfEach($"cjk {length}", new string('\u4E2D', length));
            yield return OfEach($"bytes {length}", new byte[length]);
        }

        foreach (char value in "a\u007F\u0080\u00FF\u0100\u4E2D")
            yield return OfEach($"char {(int)value}", value);
        foreach (long ticks in new[]
        {
            0, DateTime.MaxValue.Ticks, DateTime.UnixEpoch.Ticks, DateTime.UnixEpoch.Ticks - 1, DateTime.UnixEpoch.Ticks + 1,
            DateTime.UnixEpoch.AddSeconds(uint.MaxValue).Ticks, DateTime.UnixEpoch.AddSeconds(uint.MaxValue + 1.0).Ticks,
            DateTime.UnixEpoch.AddSeconds(0x3_FFFF_FFFF).Ticks, DateTime.UnixEpoch.AddSeconds(0x4_0000_0000).Ticks, 638000000001234567,
        })
        {
            yield return OfEach($"time {ticks}", new DateTime(ticks, DateTimeKind.Utc));
            yield return OfEach($"unspecified time {ticks}", new DateTime(ticks));
            yield return OfEach($"span {ticks}", new TimeSpan(-ticks));
        }

        yield return Of("offset time +05:30", new DateTimeOffset(638000000001234567, TimeSpan.FromMinutes(330)));
        yield return Of("offset time -14:00", new DateTimeOffset(638000000000000000, TimeSpan.FromHours(-14)));
        foreach (decimal value in new[] { 0, 1, -1, 1.20m, -0.0m, 0.0000000000000000000000000001m, -0.0000000000000000000000000001m, decimal.MaxValue, decimal.MinValue, 123456.789m })
            yield return OfEach($"decimal {string.Join(' ', decimal.GetBits(value).Select(static part => part.ToString(CultureInfo.InvariantCulture)))}", value);
        yield return Of("guid", new Guid("01234567-89ab-cdef-0123-456789abcdef"));
        yield return Of("guid empty", Guid.Empty);
        foreach (string digits in new[] { "0", "1", "-1", "127", "128", "-128", "-129", "65536", "340282366920938463463374607431768211455", "-170141183460469231731687303715884105728" })
            yield return OfEach($"big integer {digits}", BigInteger.Parse(digits, System.Globalization.CultureInfo.InvariantCulture));
        yield return Of("big integer 3000 bits", BigInteger.One << 3000);
        yield return Of("uri", new Uri("https://example.com/a%20b?c=\u00E9"));
        yield return Of("uri relative", new Uri("a/b", UriKind.Relative));
        yield return Of("version", new Version(1, 2, 3, 4));
        yield return Of("version short", new Version(10, 0));
#if !FORMATTERS_NETSTANDARD
        yield return Of("date", new DateOnly(2026, 11, 21));
        yield return Of("time of day", new TimeOnly(12, 34, 56, 789));
        yield return Of("int128 min", Int128.MinValue);
        yield return Of("uint128 max", UInt128.MaxValue);
#endif
        yield return Of("enum one", Small.One);
        yield return Of("enum last", Small.Last);
        yield return Of("enum big", Big.Most);
        yield return Of("day", DayOfWeek.Saturday);

        yield return Of("ints", new[] { 1, -200, 70000 });
        yield return Of("int list of 16", new List<int> { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 });
        yield return Of("byte list", new List<byte> { 0, 127, 128, 255 });
        yield return Of("sbytes", new sbyte[] { -1, 1 });
        yield return Of("70000 nulls", new int?[70000]);
        yield return Of("nullable ints", new int?[] { 1, null, -1 });
        yield return Of("jagged", new[] { [1], Array.Empty<int>(), new[] { 2, 3 } });
        yield return Of("matrix", new[,] { { 1, 2, 3 }, { 4, 5, 6 } });
        yield return Of("cube", new[, ,] { { { 1 }, { 2 } }, { { 3 }, { 4 } } });
        yield return Of("memory", new ReadOnlyMemory<byte>([1, 2, 3]));
        yield return Of("hash set", new HashSet<string> { "b", "a" });
        yield return Of("sorted set", new SortedSet<int> { 3, 1, 2 });
        yield return Of("queue", new Queue<int>([1, 2, 3]));
        yield return Of("stack", new Stack<int>([1, 2, 3]));
        yield return Of("linked list", new LinkedList<string>(["x", "y"]));
        yield return Of("collection", new Collection<int> { 1, 2 });
        yield return Of("observable collection", new ObservableCollection<int> { 1, 2 });
        yield return Of("read-only collection", new ReadOnlyCollection<int>([1, 2]));
        yield return Of<IList<int>>("list interface", new List<int> { 1 });
        yield return Of<IReadOnlyList<int>>("read-only list interface", new List<int> { 1 });
        yield return Of<IEnumerable<int>>("enumerable", new List<int> { 1 });
        yield return Of("dictionary", new Dictionary<string, int> { ["b"] = 1, ["a"] = 2 });
        yield return Of("dictionary of int", new Dictionary<int, string> { [300] = "x", [-1] = "y" });
        yield return Of("dictionary of enum", new Dictionary<Small, bool> { [Small.Last] = true });
        yield return Of("dictionary of guid", new Dictionary<Guid, int> { [Guid.Empty] = 1 });
        yield return Of("sorted dictionary", new SortedDictionary<string, int> { ["b"] = 1, ["a"] = 2 });
        yield return Of("sorted list", new SortedList<int, int> { [2] = 1, [1] = 2 });
        yield return Of<IDictionary<string, int>>("dictionary interface", new Dictionary<string, int> { ["k"] = 1 });
        yield return Of("key-value pair", new KeyValuePair<int, string>(1, "x"));
        yield return Of("tuple", Tuple.Create(1, "x", 2.5));
        yield return Of("value tuple", (1, "x", 2.5));
        yield return Of("value tuple of 9", (1, 2, 3, 4, 5, 6, 7, 8, 9));

        yield return Of("numbered", new Numbered { Id = 300, Name = "x", At = DateTime.UnixEpoch, Values = [1.5] });
        yield return Of("numbered with nulls", new Numbered { At = DateTime.UnixEpoch });
        yield return Of("named", new Named
        {
            BaseField = true, BaseProperty = 200, Field = -5, Text = "t", Inner = new Numbered { At = DateTime.UnixEpoch }, Counts = new() { ["one"] = 1 },
        });
        yield return Of("keyed", new Keyed { Field = 1, Text = "t", Été = -1 });
        yield return Of("contracted", new Contracted { First = 1, Second = "2" });
        yield return Of("positional", new Positional(7, "y"));
        yield return Of("struct", new Pair { A = 1.5f, B = -2 });
        yield return Of("empty", new Empty());
        yield return Of<IShape>("union", new Circle { Radius = 2 });
        yield return Of<IShape>("union in union", new Square { Side = 3, Inner = new Circle { Radius = 1 } });
    }

    /// <summary>A case whose name has a number in it: the same in every culture.</summary>
    private static Case<T> OfEach<T>(FormattableString name, T value)
        where T : notnull => Of(FormattableString.Invariant(name), value);

    private static Case<T> Of<T>(string name, T value)
        where T : notnull => new(name, value);

    private sealed record Case<T>(string Name, T Value) : PeerCase(Name, typeof(T))
        where T : notnull
    {
        public override object Payload => Value;

        public override byte[] Write() => WriteAgain(Value);

        public override byte[] WriteAgain(object value) => new MessagePackFormatter<T>().Write((T)value);

        public override object ReadBack(byte[] body) => new MessagePackFormatter<T>().Read(body);
    }
}
