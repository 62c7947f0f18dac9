using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using Formatters.Protobuf;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Contracts.Tests.Protobuf;

/// <summary>
/// Maps of strings and numbers, and arrays of messages, are read and written in loops, with the bytes, values and errors of one field at a time.
/// </summary>
public class ProtobufMapTests
{
    private static readonly ProtobufFormatter<MapRow>[] Formatters = [new(MapRow.MessageContract), new(ByReflection.Protobuf)];

    private static readonly IMap[] Maps =
    [
        new Map<string, int>(1, static (ref r) => r.ReadString(), 2, "", static (ref r) => r.ReadInt32(), 0, 0, static row => row.Counts),
        new Map<int, string>(2, static (ref r) => r.ReadInt32(), 0, 0, static (ref r) => r.ReadString(), 2, "", static row => row.Names),
        new Map<string, string>(3, static (ref r) => r.ReadString(), 2, "", static (ref r) => r.ReadString(), 2, "", static row => row.Texts),
        new Map<long, double>(4, static (ref r) => r.ReadInt64(), 0, 0, static (ref r) => r.ReadDouble(), 1, 0, static row => row.Doubles),
        new Map<int, long>(5, static (ref r) => r.ReadSInt32(), 0, 0, static (ref r) => r.ReadSInt64(), 0, 0, static row => row.ZigZags),
        new Map<ulong, int>(6, static (ref r) => r.ReadFixed64(), 1, 0, static (ref r) => r.ReadSFixed32(), 5, 0, static row => row.Fixed),
        new Map<bool, float>(7, static (ref r) => r.ReadBool(), 0, false, static (ref r) => r.ReadFloat(), 5, 0, static row => row.Floats),
        new Map<uint, int>(5000, static (ref r) => r.ReadUInt32(), 0, 0, static (ref r) => r.ReadInt32(), 0, 0, static row => row.Far),
    ];

    private static readonly string[] Strings =
        ["", "a", "é", "ab", "seven77", "eight888", "日本語", .. new[] { 31, 32, 33, 64, 65, 118, 119, 127, 128, 129, 16383, 16384 }.Select(static n => new string('x', n)),
            new string('é', 63), new string('é', 64), new string('日', 42), new string('日', 43)];

    private delegate T ReadOne<T>(ref ProtobufBodyReader reader);

    private interface IMap
    {
        void Check(byte[] body);

        int Number { get; }
    }

    [Fact]
    public void Entries_OfAnyCountAndValue_AreWrittenAndRead()
    {
        long[] bounds = [.. Enumerable.Range(0, 64).SelectMany(static i => new[] { (1L << i) - 1, 1L << i, -(1L << i), -(1L << i) - 1 }), 0];
        for (int count = 0; count <= 70; count++)
            Check(Row([.. bounds.Skip(count).Take(count)], Strings));
        Check(Row(bounds, Strings));
        Check(Row([0], [""]));

        static MapRow Row(long[] numbers, string[] strings)
        {
            var row = new MapRow();
            for (int i = 0; i < numbers.Length; i++)
            {
                long n = numbers[i];
                string s = strings[i % strings.Length];
                row.Counts[s + (i < strings.Length ? "" : i)] = (int)n;
                row.Names[(int)n] = s;
                row.Texts[s + (i < strings.Length ? "" : i)] = strings[(i + 5) % strings.Length];
                row.Doubles[n] = i % 5 == 0 ? -0d : n / 3d;
                row.ZigZags[(int)n] = n;
                row.Fixed[(ulong)n] = (int)n;
                row.Floats[n % 2 == 0] = i % 3 == 0 ? float.NaN : n;
                row.Far[(uint)n] = (int)n;
                row.Shorts[(short)n] = (byte)n;
                row.Chars[(char)n] = (sbyte)n;
            }

            row.Times = [.. numbers.Select(static n => new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddTicks(n % (1L << 58)))];
            row.Spans = [.. numbers.Select(static n => new TimeSpan(n))];
            row.Strings = [.. numbers.Select((_, i) => strings[i % strings.Length])];
            row.Points = [.. numbers.Select(static n => new MapPoint { X = n % 7, Y = n % 5 == 0 ? -0f : n, Z = n % 3 })];
            row.Items = [.. numbers.Select((n, i) => new MapItem { Text = strings[i % strings.Length], Number = n, Inner = i % 4 == 0 ? null : new MapItem { Number = i } })];
            return row;
        }
    }

    /// <summary>An entry with key and value in the other order, twice, with unknown fields, long lengths, or empty.</summary>
    [Fact]
    public void Entries_InUnusualForms_AreThoseOfTheirFields()
    {
        byte[][] entries =
        [
            [], [8, 1], [16, 2], [16, 2, 8, 1], [8, 1, 8, 3, 16, 2], [8, 1, 16, 2, 16, 4], [8, 1, 24, 9, 16, 2], [24, 9], [8, 0, 16, 0], [8],
            [8, 1, 16], [8, 0x81, 0x00, 16, 0x82, 0x80, 0x00], [0x88, 0x00, 1, 16, 2], [13, 1, 0, 0, 0], [0], [10, 0], [10, 1, 65], [10, 1, 65, 18, 1, 66],
            [18, 1, 66, 10, 1, 65], [10, 1, 0xC0, 18, 0], [10, 2, 65], [8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 16, 0x80],
            [8, 1, 18, 1, 66], [9, 1, 0, 0, 0, 0, 0, 0, 0, 21, 2, 0, 0, 0], [26, 0, 10, 1, 65, 26, 1, 1], [11, 12],
        ];
        foreach (IMap map in Maps)
        {
            foreach (byte[] entry in entries)
            {
                byte[] tag = Varint(((ulong)map.Number << 3) | 2);
                byte[] usual = [.. tag, 0];
                byte[] field = [.. tag, (byte)entry.Length, .. entry];
                byte[] longer = [.. tag, (byte)(entry.Length | 0x80), 0, .. entry];
                map.Check(field);
                map.Check(longer);
                map.Check([.. usual, .. field, .. longer, .. usual]);
                map.Check([.. field, 0xF8, 0x07, 0x01, .. field, .. tag]);
                for (int length = 0; length < field.Length; length++)
                    map.Check([.. usual, .. field[..length]]);
            }
        }
    }

    [Fact]
    public void Entries_OfBodiesCutOrDamaged_HaveTheErrorsOfOneAtATime()
    {
        var random = new Random(TestScale.Seed(20261130));
        foreach (IMap map in Maps)
        {
            foreach (int count in new[] { 1, 3, 8 })
            {
                byte[] body = Formatters[0].Write(Random(map.Number, count, random));
                for (int length = 0; length <= body.Length; length++)
                    map.Check(body[..length]);
                for (int i = 0; i < 200; i++)
                {
                    byte[] damaged = (byte[])body.Clone();
                    for (int j = random.Next(4); j >= 0; j--)
                        damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
                    map.Check(damaged);
                }
            }
        }
    }

    [Fact]
    public void Elements_OfBodiesCutOrDamaged_HaveTheSameErrorsByReflection()
    {
        var random = new Random(TestScale.Seed(20261201));
        foreach (int number in new[] { 10, 11, 12, 13, 14 })
        {
            byte[] body = Formatters[0].Write(Random(number, 5, random));
            for (int length = 0; length <= body.Length; length++)
                Compare(body[..length]);
            for (int i = 0; i < 500; i++)
            {
                byte[] damaged = (byte[])body.Clone();
                for (int j = random.Next(4); j >= 0; j--)
                    damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
                Compare(damaged);
            }
        }

        static void Compare(byte[] body)
        {
            string[] outcomes = [.. Formatters.Select(formatter => Outcome(formatter, body))];
            Assert.True(outcomes[0] == outcomes[1], $"{outcomes[0]} {outcomes[1]} {Convert.ToBase64String(body)}");
        }
    }

    [Theory]
    [InlineData(1, 5)]
    [InlineData(2, 5)]
    [InlineData(10, 5)]
    [InlineData(12, 5)]
    [InlineData(13, 5)]
    [InlineData(14, 5)]
    public void MoreElementsThanTheLimit_FailAtTheirOffset(int number, int max)
    {
        byte[] body = Formatters[0].Write(Random(number, 12, new Random(1)));
        var limits = FormatterLimits.Default with { MaxElementCount = max };
        foreach (var formatter in new[]
        {
            new ProtobufFormatter<MapRow>(MapRow.MessageContract, new ProtobufOptions { Limits = limits }),
            new ProtobufFormatter<MapRow>(ByReflection.Protobuf with { Limits = limits }),
        })
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, e.Code);
            Assert.Equal(OffsetOf(body, max), e.ByteOffset);
        }

        // The offset after the tag of an element.
        static long OffsetOf(byte[] body, int index)
        {
            var reader = new ProtobufBodyReader(body);
            for (int i = 0; ; i++)
            {
                reader.TryReadTag(out int number, out ProtobufWireType wireType);
                if (i == index)
                    return reader.ByteOffset;
                reader.Skip(number, wireType);
            }
        }
    }

    [Fact]
    public void NullAmongStringsAndMessages_IsAnErrorWithItsPath()
    {
        foreach (ProtobufFormatter<MapRow> formatter in Formatters)
        {
            Assert.Equal("MapRow.Names[2]", Path(new MapRow { Names = { [0] = "a", [1] = "b", [2] = null! } }));
            Assert.Equal("MapRow.Strings[1]", Path(new MapRow { Strings = ["a", null!] }));
            Assert.Equal("MapRow.Items[1]", Path(new MapRow { Items = [new(), null!] }));
            Assert.Equal("MapRow.Items[1].Text", Path(new MapRow { Items = [new(), new() { Text = null! }] }));

            string? Path(MapRow row) => Assert.Throws<MessageFormatException>(() => formatter.Write(row)).MemberPath;
        }
    }

    private static MapRow Random(int number, int count, Random random)
    {
        var row = new MapRow();
        for (int i = 0; i < count; i++)
        {
            long n = random.NextInt64() >> random.Next(64);
            string s = random.Next(5) == 0 ? Strings[random.Next(15)] : new string((char)random.Next('a', 'z'), random.Next(20));
            string key = s + (char)('A' + i);
            switch (number)
            {
                case 1: row.Counts[key] = (int)n; break;
                case 2: row.Names[(int)n + i] = s; break;
                case 3: row.Texts[key] = s; break;
                case 4: row.Doubles[n + i] = n; break;
                case 5: row.ZigZags[(int)n + i] = n; break;
                case 6: row.Fixed[(ulong)(n + i)] = (int)n; break;
                case 7: row.Floats[i % 2 == 0] = n; break;
                case 10: row.Times = [.. row.Times, new DateTime(2026, 11, 28, 0, 0, 0, DateTimeKind.Utc).AddTicks(n >> 10)]; break;
                case 11: row.Spans = [.. row.Spans, new TimeSpan(n)]; break;
                case 12: row.Strings = [.. row.Strings, s]; break;
                case 13: row.Points = [.. row.Points, new MapPoint { X = n, Y = i, Z = random.Next(2) }]; break;
                case 14: row.Items = [.. row.Items, new MapItem { Text = s, Number = n, Inner = i % 2 == 0 ? null : new MapItem { Text = s } }]; break;
                default: row.Far[(uint)n + (uint)i] = (int)n; break;
            }
        }

        return row;
    }

    private static void Check(MapRow row)
    {
        // Spans too small for anything to be reserved ahead.
        var output = new TightWriter();
        Formatters[0].Write(output, row);
        byte[] expected = [.. output.Written];
        foreach (ProtobufFormatter<MapRow> formatter in Formatters)
        {
            Assert.Equal(expected, formatter.Write(row));
            MapRow read = formatter.Read(expected);
            Assert.Equal(expected, formatter.Write(read));
            Assert.Equal(row.Counts, read.Counts);
            Assert.Equal(row.Names, read.Names);
            Assert.Equal(row.Texts, read.Texts);
            Assert.Equal(row.Doubles, read.Doubles);
            Assert.Equal(row.ZigZags, read.ZigZags);
            Assert.Equal(row.Fixed, read.Fixed);
            Assert.Equal(row.Floats, read.Floats);
            Assert.Equal(row.Far, read.Far);
            Assert.Equal(row.Shorts, read.Shorts);
            Assert.Equal(row.Chars, read.Chars);
            Assert.Equal(row.Times, read.Times);
            Assert.Equal(row.Spans, read.Spans);
            Assert.Equal(row.Strings, read.Strings);
            Assert.Equal(row.Points.Select(static p => (p.X, p.Y, p.Z)), read.Points.Select(static p => (p.X, p.Y, p.Z)));
            Assert.Equal(row.Items.Length, read.Items.Length);
            formatter.Read(expected, ref read!);
            Assert.Equal(expected, formatter.Write(read));
            Assert.Equal(formatter.Write(formatter.Read([.. expected, .. expected])), formatter.Write(Twice(row)));
        }

        foreach (IMap map in Maps)
            map.Check(expected);

        static MapRow Twice(MapRow row) => new()
        {
            Counts = row.Counts, Names = row.Names, Texts = row.Texts, Doubles = row.Doubles, ZigZags = row.ZigZags, Fixed = row.Fixed,
            Floats = row.Floats, Far = row.Far, Shorts = row.Shorts, Chars = row.Chars, Times = [.. row.Times, .. row.Times],
            Spans = [.. row.Spans, .. row.Spans], Strings = [.. row.Strings, .. row.Strings], Points = [.. row.Points, .. row.Points],
            Items = [.. row.Items, .. row.Items],
        };
    }

    private static string Outcome(ProtobufFormatter<MapRow> formatter, byte[] body)
    {
        try
        {
            return Convert.ToBase64String(formatter.Write(formatter.Read(body)));
        }
        catch (MessageFormatException e)
        {
            return $"{e.Code} {e.ByteOffset} {e.MemberPath}";
        }
    }

    private static byte[] Varint(ulong value)
    {
        var bytes = new List<byte>();
        for (; value >= 0x80; value >>= 7)
            bytes.Add((byte)(value | 0x80));
        return [.. bytes, (byte)value];
    }

    /// <summary>A map, and its entries as the methods of the reader for one value read them.</summary>
    private sealed class Map<TKey, TValue>(
        int number, ReadOne<TKey> readKey, int keyWireType, TKey defaultKey, ReadOne<TValue> readValue, int valueWireType, TValue defaultValue,
        Func<MapRow, Dictionary<TKey, TValue>> get) : IMap
        where TKey : notnull
    {
        public int Number => number;

        public void Check(byte[] body)
        {
            string expected = Expected(body);
            foreach (ProtobufFormatter<MapRow> formatter in Formatters)
            {
                string actual;
                try
                {
                    actual = Text(get(formatter.Read(body)));
                }
                catch (MessageFormatException e)
                {
                    // Another member may have the error that the body was damaged to.
                    if (e.MemberPath?.StartsWith("MapRow." + Name, StringComparison.Ordinal) == false)
                        continue;
                    actual = $"{e.Code} {e.ByteOffset}";
                }

                Assert.True(expected == actual, $"map {number}: {expected} {actual} {Convert.ToBase64String(body)}");
            }
        }

        private string Name => number switch
        {
            1 => "Counts", 2 => "Names", 3 => "Texts", 4 => "Doubles", 5 => "ZigZags", 6 => "Fixed", 7 => "Floats", _ => "Far",
        };

        private static string Text(Dictionary<TKey, TValue> entries) => string.Join(";", entries.Select(static e => $"{e.Key}={e.Value}"));

        private string Expected(byte[] body)
        {
            var entries = new Dictionary<TKey, TValue>();
            try
            {
                var reader = new ProtobufBodyReader(body);
                while (reader.TryReadTag(out int field, out ProtobufWireType wireType))
                {
                    if (field != number || wireType != ProtobufWireType.LengthDelimited)
                    {
                        reader.Skip(field, wireType);
                        continue;
                    }

                    int bytesBehind = reader.BeginMessage();
                    TKey key = defaultKey;
                    TValue value = defaultValue;
                    while (reader.TryReadTag(out field, out wireType))
                    {
                        if (field == 1 && (int)wireType == keyWireType)
                            key = readKey(ref reader);
                        else if (field == 2 && (int)wireType == valueWireType)
                            value = readValue(ref reader);
                        else
                            reader.Skip(field, wireType);
                    }

                    reader.EndMessage(bytesBehind);
                    entries[key] = value;
                }

                return Text(entries);
            }
            catch (MessageFormatException e)
            {
                return $"{e.Code} {e.ByteOffset}";
            }
        }
    }

    /// <summary>Gives spans of exactly the requested size.</summary>
    private sealed class TightWriter : IBufferWriter<byte>
    {
        private byte[] _span = [];

        internal List<byte> Written { get; } = [];

        public void Advance(int count) => Written.AddRange(_span.Take(count));

        public Memory<byte> GetMemory(int sizeHint = 0) => _span = new byte[Math.Max(sizeHint, 1)];

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class MapRow
{
    [MessageMember(1)] public Dictionary<string, int> Counts { get; set; } = [];
    [MessageMember(2)] public Dictionary<int, string> Names { get; set; } = [];
    [MessageMember(3)] public Dictionary<string, string> Texts { get; set; } = [];
    [MessageMember(4)] public Dictionary<long, double> Doubles { get; set; } = [];
    [MessageMember(5, Encoding = MemberEncoding.ZigZag)] public Dictionary<int, long> ZigZags { get; set; } = [];
    [MessageMember(6, Encoding = MemberEncoding.Fixed)] public Dictionary<ulong, int> Fixed { get; set; } = [];
    [MessageMember(7)] public Dictionary<bool, float> Floats { get; set; } = [];
    [MessageMember(8)] public Dictionary<short, byte> Shorts { get; set; } = [];
    [MessageMember(9)] public Dictionary<char, sbyte> Chars { get; set; } = [];
    [MessageMember(10)] public DateTime[] Times { get; set; } = [];
    [MessageMember(11)] public TimeSpan[] Spans { get; set; } = [];
    [MessageMember(12)] public string[] Strings { get; set; } = [];
    [MessageMember(13)] public MapPoint[] Points { get; set; } = [];
    [MessageMember(14)] public MapItem[] Items { get; set; } = [];
    [MessageMember(5000)] public Dictionary<uint, int> Far { get; set; } = [];
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial struct MapPoint
{
    [MessageMember(1)] public float X { get; set; }
    [MessageMember(2)] public float Y { get; set; }
    [MessageMember(3)] public float Z { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class MapItem
{
    [MessageMember(1)] public string Text { get; set; } = "";
    [MessageMember(2)] public long Number { get; set; }
    [MessageMember(3)] public MapItem? Inner { get; set; }
}
