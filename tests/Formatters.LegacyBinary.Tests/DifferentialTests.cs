using System;
using System.Collections;
using System.Collections.Generic;
using System.Formats.Nrbf;
using System.IO;
using System.Linq;
using Formatters.TestSupport;
using Golden;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Random graphs, against BinaryFormatter's compatibility package and System.Formats.Nrbf.</summary>
public class DifferentialTests(ITestOutputHelper output)
{
    /// <summary>Environment variables <c>FORMATTERS_GRAPHS</c> (how many) and <c>FORMATTERS_SEED</c> make another run, or one again.</summary>
    private static readonly int Count = TestScale.Number("FORMATTERS_GRAPHS") ?? TestScale.Values(10_000);

    private static readonly int Seed = TestScale.Seed(20041120);

    [Theory]
    [InlineData(LegacyBinaryTypeFormat.TypesAlways)]
    [InlineData(LegacyBinaryTypeFormat.TypesWhenNeeded)]
    [InlineData(LegacyBinaryTypeFormat.XsdString)]
    public void RandomGraphs_AreWrittenAndReadAsByThePeer(LegacyBinaryTypeFormat format)
    {
        var formatter = new LegacyBinaryFormatter<Graph>(RandomGraphs.Options with { TypeFormat = format });
        int count = format == LegacyBinaryTypeFormat.TypesAlways ? Count : Count / 10;
        var generated = new LegacyBinaryFormatter<Graph>(GraphContracts.LegacyBinaryContract, RandomGraphs.Options with { TypeFormat = format });
        long byteCount = 0;
        int changed = 0;
        output.WriteLine($"seeds {Seed} to {Seed + count - 1}, {format}");
        for (int seed = Seed; seed < Seed + count; seed++)
        {
            Graph graph = new RandomGraphs(seed, withStringComparers: format == LegacyBinaryTypeFormat.TypesAlways).Next();

            byte[] theirs = Framework(Peer.Write(graph, format), format);
            byte[] ours = formatter.Write(graph);

            Bodies.AssertEqual(theirs, ours, $"Seed {seed}: written otherwise");
            // What we write of a graph is what the peer writes: so a graph of which we write the same is the same.
            Bodies.AssertEqual(theirs, formatter.Write(formatter.Read(theirs)), $"Seed {seed}: read otherwise");
            Bodies.AssertEqual(theirs, generated.Write(graph), $"Seed {seed}: written otherwise by generated code");
            Bodies.AssertEqual(theirs, formatter.Write(generated.Read(theirs)), $"Seed {seed}: read otherwise by generated code");
            // What the peer read from ours is what it would have read from its own; a few graphs it reads as others, with objects shared that were not.
            var fromPeer = (Graph)Peer.Read(ours);
            byte[] fromPeerAgain = Framework(Peer.Write(fromPeer, format), format);
            Bodies.AssertEqual(fromPeerAgain, formatter.Write(fromPeer), $"Seed {seed}: written otherwise after the peer has read it");
            changed += fromPeerAgain.AsSpan().SequenceEqual(theirs) ? 0 : 1;
            byteCount += ours.Length;
        }

        output.WriteLine($"{count} graphs, {byteCount} bytes, equal in both directions; {changed} of them changed by the peer's reading.");
        Assert.InRange(changed, 0, count / 100);
    }

    [Fact]
    public void RandomGraphs_AreDecodedByNrbfDecoder()
    {
        var formatter = new LegacyBinaryFormatter<Graph>(RandomGraphs.Options);
        int decoded = 0;
        for (int seed = 1; seed <= 1000; seed++)
        {
            Graph graph = new RandomGraphs(seed).Next();
            SerializationRecord record;
            try
            {
                record = NrbfDecoder.Decode(new MemoryStream(formatter.Write(graph)));
            }
            catch (NotSupportedException)
            {
                continue; // Arrays with lower bounds.
            }

            var root = Assert.IsAssignableFrom<ClassRecord>(record);
            Assert.True(root.TypeNameMatches(typeof(Graph)));
            Assert.Equal(graph.Int32, root.GetInt32(nameof(Graph.Int32)));
            Assert.Equal(graph.Text, root.GetString(nameof(Graph.Text)));
            Assert.Equal(graph.Decimal, root.GetDecimal(nameof(Graph.Decimal)));
            Assert.Equal(graph.Id, root.GetInt32("GraphBase+_id"));
            Assert.Equal(graph.Date, root.GetDateTime(nameof(Graph.Date)));
            if (graph.Ints is not null)
                Assert.Equal(graph.Ints, ((SZArrayRecord<int>)root.GetArrayRecord(nameof(Graph.Ints))!).GetArray());
            if (graph.Address is not null)
                Assert.Equal(graph.Address.City, root.GetClassRecord(nameof(Graph.Address))!.GetString(nameof(Orders.Address.City)));
            decoded++;
        }

        Assert.InRange(decoded, 500, 1000);
    }

    [Fact]
    public void EverySingleValue_IsWrittenAsByThePeer()
    {
        object[] values =
        [
            true, (byte)1, (sbyte)-1, 'x', (short)-2, (ushort)2, -3, 3u, -4L, 4UL, 1.5f, -2.5, 12.340m, decimal.MinValue, DateTime.MaxValue,
            new DateTime(2004, 11, 20, 1, 2, 3, DateTimeKind.Local), TimeSpan.MaxValue, Guid.NewGuid(), DateTimeOffset.MinValue, DBNull.Value, "text", "",
            Level.High, WideLevel.All, new Point { X = 1 }, new int[] { 1 }, new object?[] { null, 1, null, null }, new string?[300], Array.Empty<int>(), new byte[,] { { 1, 2 } },
            Array.CreateInstance(typeof(int), [3], [1]), Array.CreateInstance(typeof(byte), [2], [-1]), new int[][] { [1], [] }, new decimal[] { 1.10m }, new char[] { 'a', 'ß', '\u20AC' },
            "\U0001F600".ToCharArray(), new bool[] { true, false }, new DateTime[1], new TimeSpan[1], new Guid[2], new DateTimeOffset[1], new object(), new Everything(), new Derived(),
            new OrderP { Date = DateTime.MaxValue, LineItems = { Make.Item(1), Make.Item(2) } }, Make.Order(3), new Node { Tag = new object() },
            new Dictionary<string, int> { ["a"] = 1 }, new Dictionary<byte, string>(), new Money[,] { { new Money { Amount = 1.50m } } }, new ArrayList { 1, null },
            new DictionaryEntry("k", 1), Tuple.Create(1, "x", 2.5), DayOfWeek.Friday,
        ];
        var formatter = new LegacyBinaryFormatter<object>(RandomGraphs.Options
            .WithType(typeof(WideLevel)).WithType(typeof(Everything)).WithType(typeof(Derived)).WithType(typeof(OrderP)).WithType(typeof(Golden.Order)).WithType(typeof(Node))
            .WithType(typeof(LineItem)).WithType(typeof(Dictionary<string, int>)).WithType(typeof(Dictionary<byte, string>)).WithType(typeof(Money))
            .WithType(typeof(DictionaryEntry)).WithType(typeof(Tuple<int, string, double>)).WithType(typeof(DayOfWeek)));

        foreach (object value in values)
        {
            byte[] theirs = Peer.Write(value);
            Bodies.AssertEqual(theirs, formatter.Write(value), value.GetType().ToString());
            object read = formatter.Read(theirs);
            Assert.Equal(value.GetType(), read.GetType());
            Bodies.AssertEqual(theirs, formatter.Write(read), value.GetType() + ", read");
            if (value is ValueType or string or Array or DBNull)
                Assert.Equal(value, read);
        }
    }

    /// <summary>
    /// The default comparer of strings is a plain class on .NET Framework, and one that writes itself on .NET: so its record says there that it has no
    /// members of no types, even where types are not said. We write what .NET Framework does.
    /// </summary>
    private static byte[] Framework(byte[] body, LegacyBinaryTypeFormat format)
    {
        if (format == LegacyBinaryTypeFormat.TypesAlways)
            return body;
        // The name also stands in the members of dictionaries; in the record it is behind the record's byte, an id and two bytes of length.
        ReadOnlySpan<byte> name = "System.Collections.Generic.GenericEqualityComparer`1[[System.String"u8;
        const int Before = 1 + 4 + 2;
        for (int at = Before; at < body.Length; at++)
        {
            if (body.AsSpan(at).StartsWith(name) && body[at - Before] == 4 && body[at - 3] == 0)
                body[at - Before] = 2;
        }

        return body;
    }
}
