#pragma warning disable CS8714 // Keys that are Nullable<T>: the compiler warns, BinaryFormatter wrote them.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Linq;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>The collections and small classes of the runtime, as BinaryFormatter writes them (tests/golden/legacy-collections).</summary>
public class CollectionTests
{
    private static readonly Dictionary<string, Func<object>> Values = new()
    {
        ["hashset-string"] = static () => new HashSet<string> { "a", "b", "c" },
        ["hashset-int"] = static () => new HashSet<int> { 3, 1, 2 },
        ["hashset-empty"] = static () => new HashSet<int>(),
        ["hashset-ordinalignorecase"] = static () => new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "a" },
        ["hashset-enum"] = static () => new HashSet<DayOfWeek> { DayOfWeek.Friday },
        ["sortedset-int"] = static () => new SortedSet<int> { 3, 1, 2 },
        ["sortedset-empty"] = static () => new SortedSet<int>(),
        ["sortedset-string"] = static () => new SortedSet<string>(StringComparer.Ordinal) { "b", "a" },
        ["queue-int"] = QueueOfInt,
        ["stack-string"] = static () => new Stack<string>(["a", "b"]),
        ["linkedlist-int"] = static () => new LinkedList<int>([1, 2, 3]),
        ["linkedlist-empty"] = static () => new LinkedList<int>(),
        ["sorteddictionary"] = static () => new SortedDictionary<string, int>(StringComparer.Ordinal) { ["b"] = 2, ["a"] = 1 },
        ["sorteddictionary-int"] = static () => new SortedDictionary<int, string> { [2] = "b", [1] = "a" },
        ["sortedlist"] = static () => new SortedList<int, string> { [2] = "b", [1] = "a" },
        ["sortedlist-string"] = static () => new SortedList<string, int>(StringComparer.Ordinal) { ["b"] = 2, ["a"] = 1 },
        ["queue"] = static () => new Queue(new object[] { 1, "x" }),
        ["stack"] = static () => new Stack(new object[] { 1, "x" }),
        ["bitarray"] = static () => new BitArray(new[] { true, false, true }),
        ["bitarray-40"] = static () => new BitArray(40) { [39] = true },
        ["version"] = static () => new Version(1, 2, 3, 4),
        ["version-2"] = static () => new Version(1, 2),
        ["uri"] = static () => new Uri("http://example.org/a b?q=1#f"),
        ["uri-relative"] = static () => new Uri("a/b", UriKind.Relative),
        ["kvp"] = static () => new KeyValuePair<int, string>(1, "x"),
        ["tuple"] = static () => Tuple.Create(1, "x"),
        ["valuetuple"] = static () => (1, "x"),
        ["stringcollection"] = static () => new StringCollection { "a", "b" },
        ["stringdictionary"] = static () => new StringDictionary { ["a"] = "1" },
        ["collection"] = static () => new Collection<int> { 1 },
        ["dictionary-nullable"] = static () => new Dictionary<int?, string> { [1] = "a", [2] = "b" },
        ["dictionary-nullable-enum"] = static () => new Dictionary<DayOfWeek?, int> { [DayOfWeek.Friday] = 1 },
        ["hashset-nullable"] = static () => new HashSet<int?> { 1, 2 },
        ["sortedset-nullable"] = static () => new SortedSet<int?> { 2, 1 },
        ["sorteddictionary-nullable"] = static () => new SortedDictionary<int?, string> { [2] = "b", [1] = "a" },
        ["readonlycollection"] = static () => new ReadOnlyCollection<int>([1]),
    };

    /// <summary>Those that the compatibility package writes otherwise: under names of assemblies that .NET Framework does not have, or not at all.</summary>
    private static readonly HashSet<string> OtherOnNet = ["hashset-enum", "sorteddictionary", "sorteddictionary-int", "sortedlist", "sortedlist-string", "dictionary-nullable-enum", "sorteddictionary-nullable"];

    private static readonly LegacyBinaryOptions Options = AddTypes(LegacyBinaryOptions.Default);

    private static readonly LegacyBinaryFormatter<object> Formatter = new(options: Options);

    private static readonly LegacyBinaryFormatter<object> Generated = new(CollectionContracts.LegacyBinaryContract, options: Options);

    public static TheoryData<string> Names => new(Values.Keys);

    [Theory]
    [MemberData(nameof(Names))]
    public void GoldenBodies_AreReadAndWrittenAgain(string name)
    {
        byte[] body = ReadGolden(name + ".bin");
        object expected = Values[name]();

        object read = Formatter.Read(body);

        Assert.Equal(expected.GetType(), read.GetType());
        Assert.Equal(Describe(expected), Describe(read));
        Bodies.AssertEqual(body, Formatter.Write(read), name);
        Bodies.AssertEqual(body, Generated.Write(Generated.Read(body)), name + ", by generated code");
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Values_AreExchangedWithThePeer(string name)
    {
        object value = Values[name]();
        byte[] ours = Formatter.Write(value);
        byte[] theirs = Peer.Write(value);

        if (!OtherOnNet.Contains(name))
            Bodies.AssertEqual(theirs, ours, name);
        Assert.Equal(Describe(value), Describe(Peer.Read(ours)));
        Assert.Equal(Describe(value), Describe(Formatter.Read(theirs)));
    }

    [Fact]
    public void CollectionsOfTypesOfTheApplication_HaveTheBytesOfThePeer_AlsoEmpty()
    {
        var member = new Member { Name = "m" };
        Check(new HashSet<Point>(), new HashSet<Point> { new() { X = 1 } });
        Check(new HashSet<Member>(), new HashSet<Member> { member });
        Check(new HashSet<Level>(), new HashSet<Point?>(), new HashSet<Point[]>(), new HashSet<List<Point>>());
        Check(new SortedSet<Point>(), new SortedSet<Point> { new() { X = 1 } });
        Check(new SortedSet<Member>(), new SortedSet<Member> { member });
        Check(new LinkedList<Point>(), new LinkedList<Point>([default]));
        Check(new LinkedList<Member>(), new LinkedList<Member>([member, member]));
        Check(new Dictionary<Point, Member>(), new Dictionary<Point, Member> { [default] = member });
        Check(new Dictionary<string, Point>(), new Dictionary<int, Point> { [1] = default });
        Check(new List<Point>(), new List<Member> { member });
        Check(new Queue<Point>(), new Queue<Member>([member]));
        Check(new Stack<Point>(), new Stack<Member>([member]));
        Check(new Collection<Point>(), new Collection<Member> { member });

        static void Check(params object[] values)
        {
            foreach (object value in values)
            {
                LegacyBinaryOptions options = LegacyBinaryOptions.Default.WithType(value.GetType()).WithType(typeof(Point)).WithType(typeof(Member)).WithType(typeof(Level));
                var formatter = new LegacyBinaryFormatter<object>(options);
                byte[] theirs = Peer.Write(value);
                Bodies.AssertEqual(theirs, formatter.Write(value), value.GetType().ToString());
                Bodies.AssertEqual(theirs, formatter.Write(formatter.Read(theirs)), value.GetType() + ", read");
                object[] both = [new Point(), value];
                var pair = new LegacyBinaryFormatter<object[]>(options);
                Bodies.AssertEqual(Peer.Write(both), pair.Write(both), value.GetType() + ", after a point");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void CollectionsThatWereRead_Work(string name)
    {
        switch (Formatter.Read(ReadGolden(name + ".bin")))
        {
            case HashSet<int> set:
                Assert.True(set.Add(9));
                Assert.Contains(9, set);
                break;
            case HashSet<string> set:
                Assert.Contains("a", set);
                Assert.Equal(name == "hashset-ordinalignorecase", set.Contains("A"));
                break;
            case SortedSet<int> set:
                Assert.True(set.Add(0));
                Assert.Equal(0, set.Min);
                break;
            case Queue<int> queue:
                queue.Enqueue(7);
                Assert.Equal([1, 2, 3, 4, 9, 7], queue);
                break;
            case Stack<string> stack:
                Assert.Equal("b", stack.Pop());
                break;
            case LinkedList<int> list:
                Assert.Equal(5, list.AddFirst(5).Value);
                break;
            case SortedDictionary<string, int> map:
                map["aa"] = 3;
                Assert.Equal(["a", "aa", "b"], map.Keys);
                break;
            case SortedList<int, string> list:
                list[0] = "z";
                Assert.Equal([0, 1, 2], list.Keys);
                break;
            case Queue queue:
                Assert.Equal([1, "x"], queue.ToArray());
                break;
        }
    }

    [Theory]
    [InlineData("queue-int")]
    [InlineData("queue")]
    [InlineData("stack-string")]
    [InlineData("stack")]
    [InlineData("sortedlist")]
    [InlineData("bitarray")]
    [InlineData("stringcollection")]
    [InlineData("version")]
    [InlineData("uri")]
    [InlineData("sorteddictionary")]
    [InlineData("hashset-string")]
    [InlineData("linkedlist-int")]
    public void ACollectionWhoseNumbersDoNotFit_IsRefusedOrWorks(string name)
    {
        byte[] golden = ReadGolden(name + ".bin");
        int refused = 0;
        for (int at = 17; at + 4 <= golden.Length; at++)
        {
            foreach (int value in new[] { -1, 1000, int.MaxValue, int.MinValue, 0 })
            {
                byte[] body = [.. golden];
                System.Buffers.Binary.BinaryPrimitives.WriteInt32LittleEndian(body.AsSpan(at), value);
                try
                {
                    object read = Formatter.Read(body);
                    Describe(read); // Enumerates: an index out of range would be thrown here.
                    Formatter.Write(read);
                }
                catch (MessageFormatException)
                {
                    refused++;
                }
            }
        }

        Assert.True(refused > 50);
    }

    [Fact]
    public void ASetInACycle_IsFilledWithTheObjectsThemselves()
    {
        var a = new Member { Name = "a" };
        a.Others = [a, new Member { Name = "b", Sorted = new() { [2] = a } }];
        var formatter = new LegacyBinaryFormatter<Member>();

        Member read = formatter.Read(formatter.Write(a));

        Assert.Contains(read, read.Others!);
        Assert.Same(read, read.Others!.Single(static m => m.Name == "b").Sorted![2]);
        Bodies.AssertEqual(formatter.Write(a), formatter.Write(read), "the cycle");
    }

    [Fact]
    public void AStandIn_ReadsWhatHasNoContract()
    {
        // A SortedList without arguments sorts by a culture, whose data are the sender's runtime's: its arrays can be read into a type of one's own.
        var formatter = new LegacyBinaryFormatter<Pairs>(LegacyBinaryOptions.Default
            .WithType(typeof(Pairs), "System.Collections.SortedList", "mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089"));

        Pairs pairs = formatter.Read(ReadGolden("sortedlist-ng.bin"));

        Assert.Equal([0, 1], pairs.keys!.Take(pairs._size));
        Assert.Equal(["y", "x"], pairs.values!.Take(pairs._size));
    }

    /// <summary>Adds the types of these bodies.</summary>
    internal static LegacyBinaryOptions AddTypes(LegacyBinaryOptions options) =>
        Values.Values.Aggregate(options, static (options, make) => options.WithType(make().GetType()));

    private static byte[] ReadGolden(string file) => Formatters.Tests.Support.Golden.Read("legacy-collections", file);

    private static Queue<int> QueueOfInt()
    {
        var queue = new Queue<int>([]);
        for (int i = 0; i < 5; i++)
            queue.Enqueue(i);
        queue.Dequeue();
        queue.Enqueue(9);
        return queue;
    }

    private static string Describe(object? value) => value switch
    {
        null => "null",
        BitArray bits => string.Concat(bits.Cast<bool>().Select(static bit => bit ? '1' : '0')),
        StringDictionary map => string.Join(",", map.Cast<DictionaryEntry>().Select(static pair => pair.Key + "=" + pair.Value)),
        DictionaryEntry pair => Describe(pair.Key) + "=" + Describe(pair.Value),
        string text => text,
        IEnumerable items => "[" + string.Join(",", items.Cast<object?>().Select(Describe)) + "]",
        _ => FormattableString.Invariant($"{value}"),
    };

    [Serializable]
    private sealed class Member
    {
        public string? Name;
        public HashSet<Member>? Others;
        public SortedDictionary<int, Member>? Sorted;
    }

    [Serializable]
    private sealed class Pairs
    {
#pragma warning disable SA1307, IDE1006 // The names are those of the fields of SortedList.
        public object?[]? keys;
        public object?[]? values;
        public int _size;
#pragma warning restore SA1307, IDE1006
    }
}
