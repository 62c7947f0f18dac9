using System;
using System.Collections.Concurrent;
#if !FORMATTERS_NETSTANDARD
using System.Collections.Frozen;
#endif
using System.Collections.Generic;
using System.Collections.Immutable;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Comparers that the declaration of a member sets: a collection that is read has them, and a set that no reader would accept is not written.</summary>
public class ComparerTests
{
    public static TheoryData<string> Formats => SetterTests.Formats;

    [Theory]
    [MemberData(nameof(Formats))]
    public void Comparers_OfTheDeclaration_AreKept(string format)
    {
        MessageFormatter<Compared> formatter = Formatter(format);
        byte[] body = formatter.Write(Compared.Create());
        Compared read = formatter.Read(body);
        Compared existing = formatter.Read(body);
        formatter.Read(body, ref existing);
        foreach (Compared value in new[] { read, existing })
        {
            Assert.Equal(1, value.Map["A"]);
            Assert.Equal(1, value.Interface["A"]);
            Assert.Contains("A", value.Set);
            Assert.Contains("A", value.SetInterface);
            Assert.Equal(["b", "a"], value.Sorted.Keys);
            Assert.Equal(["b", "a"], value.SortedList.Keys);
            Assert.Equal(["b", "a"], value.SortedSet);
            Assert.Equal(1, value.WithCode["A"]);
#if !FORMATTERS_NETSTANDARD
            // The build for netstandard2.0 cannot ask for the comparers of these, so their order may be another.
            Assert.Equal(1, value.Concurrent["A"]);
            Assert.Equal(1, value.Immutable["A"]);
            Assert.Contains("A", value.ImmutableSet);
            Assert.Equal(["b", "a"], value.ImmutableSorted.Keys);
            Assert.Equal(["b", "a"], value.ImmutableSortedSet);
            Assert.Equal(body, formatter.Write(value));
#endif
        }
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void KeysThatAreEqualByTheComparer_AreRefused(string format)
    {
        byte[] body = OrdinalFormatter(format).Write(new Ordinal { Map = new() { ["a"] = 1, ["A"] = 2 } });
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => Formatter(format).Read(body));
        Assert.Equal(MessageFormatErrorCode.DuplicateKey, error.Code);
        Assert.Equal("Compared.Map", error.MemberPath);
        Assert.True(error.IsPoison);
        Assert.Equal(body.Length, error.ByteOffset);
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void KeysThatDifferOnlyByTheComparer_AreNotWritten(string format)
    {
        foreach (Finer value in new[]
        {
            new Finer { Map = { [1.0m] = 1, [1.00m] = 2 } },
            new Finer { Set = { 1.0m, 1.00m } },
            new Finer { Sorted = { 1.0m, 1.00m } },
            new Finer { SortedMap = { [1.0m] = 1, [1.00m] = 2 } },
            new Finer { Interface = { [1.0m] = 1, [1.00m] = 2 } },
        })
        {
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => FinerFormatter(format).Write(value));
            Assert.Equal(MessageFormatErrorCode.DuplicateKey, error.Code);
            Assert.Equal("Finer." + (value.Map.Count > 0 ? "Map" : value.Set.Count > 0 ? "Set" : value.Sorted.Count > 0 ? "Sorted" : value.SortedMap.Count > 0 ? "SortedMap" : "Interface"), error.MemberPath);
        }

        var distinct = new Finer { Map = { [1.0m] = 1, [2.0m] = 2 }, Set = { 1.0m, 2m }, Sorted = { 3, 1 }, SortedMap = { [1] = 1, [0] = 2 }, Interface = { [4] = 1 } };
        Finer read = FinerFormatter(format).Read(FinerFormatter(format).Write(distinct));
        Assert.Same(ByScale.Instance, read.Map.Comparer);
        Assert.Equal(distinct.Sorted, read.Sorted);
        Assert.DoesNotContain(1m, (ISet<decimal>)read.Set);
    }

    /// <summary>However the object is made: a sibling is required, or init, or a parameter of the constructor; or the collection itself is init.</summary>
    [Theory]
    [MemberData(nameof(Formats))]
    public void Comparers_OfTheDeclaration_AreKept_HoweverTheObjectIsMade(string format)
    {
        Check(AllFormats.Of<BesideRequired>(format), new BesideRequired { Id = 1 });
        Check(AllFormats.Of<BesideInit>(format), new BesideInit { Id = 1 });
        Check(AllFormats.Of<BesideParameter>(format), new BesideParameter(1));
        Check(AllFormats.Of<InitItself>(format), new InitItself());

        // What is required is always given by whoever makes the object, so that its initializer says nothing.
        RequiredItself required = AllFormats.Of<RequiredItself>(format).Read(AllFormats.Of<RequiredItself>(format).Write(new RequiredItself { Map = new() { ["a"] = 1 } }));
        Assert.False(required.Map.ContainsKey("A"));

        void Check<T>(MessageFormatter<T> formatter, T value)
            where T : IHeld
        {
            value.Map["a"] = 1;
            value.Set.Add("a");
            value.Sorted["a"] = value.Sorted["b"] = 1;
            value.Concurrent["a"] = 1;
            byte[] body = formatter.Write(value);
            T existing = formatter.Read(body);
            formatter.Read(body, ref existing);
            foreach (T read in new[] { formatter.Read(body), existing })
            {
                Assert.Equal((typeof(T), true, 1), (typeof(T), read.Map.ContainsKey("A"), read.Map.Count));
                Assert.Contains("A", read.Set);
                Assert.Equal(["b", "a"], read.Sorted.Keys);
#if !FORMATTERS_NETSTANDARD
                Assert.True(read.Concurrent.ContainsKey("A"));
                Assert.True(read.Frozen.Comparer.Equals("a", "A"));
                Assert.Same(StringComparer.OrdinalIgnoreCase, read.Ordered.Comparer);
                Assert.Equal(body, formatter.Write(read));
#endif
            }

            byte[] both = AllFormats.Of<Splitting>(format).Write(new Splitting { Id = 1, Map = new() { ["a"] = 1, ["A"] = 2 } });
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(both));
            Assert.Equal((MessageFormatErrorCode.DuplicateKey, typeof(T).Name + ".Map"), (error.Code, error.MemberPath));
        }
    }

    private static MessageFormatter<Compared> Formatter(string format) => AllFormats.Of<Compared>(format);

    private static MessageFormatter<Ordinal> OrdinalFormatter(string format) => AllFormats.Of<Ordinal>(format.Split(',')[0]);

    private static MessageFormatter<Finer> FinerFormatter(string format) => AllFormats.Of<Finer>(format);
}

/// <summary>Orders strings from the last to the first.</summary>
public sealed class Descending : IComparer<string>
{
    internal static readonly Descending Instance = new();

    public int Compare(string? x, string? y) => string.CompareOrdinal(y, x);
}

/// <summary>Tells 1.0 from 1.00.</summary>
public sealed class ByScale : IEqualityComparer<decimal>, IComparer<decimal>
{
    internal static readonly ByScale Instance = new();

    public bool Equals(decimal x, decimal y) => Compare(x, y) == 0;

    public int GetHashCode(decimal value) => value.GetHashCode();

    public int Compare(decimal x, decimal y) => x != y ? x.CompareTo(y) : ScaleOf(x) - ScaleOf(y);

    private static int ScaleOf(decimal value) => decimal.GetBits(value)[3] >> 16 & 0xFF;
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Compared
{
    private readonly Dictionary<string, int> _withCode = new(StringComparer.OrdinalIgnoreCase);

    [MessageMember(1)] public Dictionary<string, int> Map { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(2)] public IDictionary<string, int> Interface { get; set; } = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase);
    [MessageMember(3)] public HashSet<string> Set { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(4)] public ISet<string> SetInterface { get; set; } = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
    [MessageMember(5)] public SortedDictionary<string, int> Sorted { get; set; } = new(Descending.Instance);
    [MessageMember(6)] public SortedList<string, int> SortedList { get; set; } = new(Descending.Instance);
    [MessageMember(7)] public SortedSet<string> SortedSet { get; set; } = new(Descending.Instance);
    [MessageMember(8)] public ConcurrentDictionary<string, int> Concurrent { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(9)] public ImmutableDictionary<string, int> Immutable { get; set; } = ImmutableDictionary.Create<string, int>(StringComparer.OrdinalIgnoreCase);
    [MessageMember(10)] public ImmutableHashSet<string> ImmutableSet { get; set; } = ImmutableHashSet.Create<string>(StringComparer.OrdinalIgnoreCase);
    [MessageMember(11)] public ImmutableSortedDictionary<string, int> ImmutableSorted { get; set; } = ImmutableSortedDictionary.Create<string, int>(Descending.Instance);
    [MessageMember(12)] public ImmutableSortedSet<string> ImmutableSortedSet { get; set; } = System.Collections.Immutable.ImmutableSortedSet.Create<string>(Descending.Instance);

    [MessageMember(13)]
    public Dictionary<string, int> WithCode
    {
        get => _withCode;
        set
        {
            _withCode.Clear();
            foreach (KeyValuePair<string, int> entry in value)
                _withCode.Add(entry.Key, entry.Value);
        }
    }

    public static Compared Create() => new()
    {
        Map = { ["a"] = 1, ["b"] = 2 },
        Interface = { ["a"] = 1 },
        Set = { "a", "b" },
        SetInterface = { "a" },
        Sorted = { ["a"] = 1, ["b"] = 2 },
        SortedList = { ["a"] = 1, ["b"] = 2 },
        SortedSet = { "a", "b" },
        Concurrent = { ["a"] = 1 },
        Immutable = ImmutableDictionary.Create<string, int>(StringComparer.OrdinalIgnoreCase).Add("a", 1),
        ImmutableSet = ImmutableHashSet.Create(StringComparer.OrdinalIgnoreCase, "a"),
        ImmutableSorted = ImmutableSortedDictionary.Create<string, int>(Descending.Instance).Add("a", 1).Add("b", 2),
        ImmutableSortedSet = System.Collections.Immutable.ImmutableSortedSet.Create(Descending.Instance, "a", "b"),
        WithCode = new() { ["a"] = 1 },
    };
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Ordinal
{
    [MessageMember(1)] public Dictionary<string, int> Map { get; set; } = [];
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Finer
{
    [MessageMember(1)] public Dictionary<decimal, int> Map { get; set; } = new(ByScale.Instance);
    [MessageMember(2)] public HashSet<decimal> Set { get; set; } = new(ByScale.Instance);
    [MessageMember(3)] public SortedSet<decimal> Sorted { get; set; } = new(ByScale.Instance);
    [MessageMember(4)] public SortedDictionary<decimal, int> SortedMap { get; set; } = new(ByScale.Instance);
    [MessageMember(5)] public IDictionary<decimal, int> Interface { get; set; } = new Dictionary<decimal, int>(ByScale.Instance);
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class BesideRequired : IHeld
{
    [MessageMember(1)] public required int Id { get; set; }
    [MessageMember(2)] public Dictionary<string, int> Map { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(3)] public HashSet<string> Set { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(4)] public SortedDictionary<string, int> Sorted { get; set; } = new(Descending.Instance);
    [MessageMember(5)] public ConcurrentDictionary<string, int> Concurrent { get; set; } = new(StringComparer.OrdinalIgnoreCase);
#if !FORMATTERS_NETSTANDARD
    [MessageMember(6)] public FrozenSet<string> Frozen { get; set; } = FrozenSet.ToFrozenSet<string>([], StringComparer.OrdinalIgnoreCase);
    [MessageMember(7)] public OrderedDictionary<string, int> Ordered { get; set; } = new(StringComparer.OrdinalIgnoreCase);
#endif
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class BesideInit : IHeld
{
    [MessageMember(1)] public int Id { get; init; }
    [MessageMember(2)] public Dictionary<string, int> Map { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(3)] public HashSet<string> Set { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(4)] public SortedDictionary<string, int> Sorted { get; set; } = new(Descending.Instance);
    [MessageMember(5)] public ConcurrentDictionary<string, int> Concurrent { get; set; } = new(StringComparer.OrdinalIgnoreCase);
#if !FORMATTERS_NETSTANDARD
    [MessageMember(6)] public FrozenSet<string> Frozen { get; set; } = FrozenSet.ToFrozenSet<string>([], StringComparer.OrdinalIgnoreCase);
    [MessageMember(7)] public OrderedDictionary<string, int> Ordered { get; set; } = new(StringComparer.OrdinalIgnoreCase);
#endif
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class BesideParameter(int id) : IHeld
{
    [MessageMember(1)] public int Id { get; } = id;
    [MessageMember(2)] public Dictionary<string, int> Map { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(3)] public HashSet<string> Set { get; set; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(4)] public SortedDictionary<string, int> Sorted { get; set; } = new(Descending.Instance);
    [MessageMember(5)] public ConcurrentDictionary<string, int> Concurrent { get; set; } = new(StringComparer.OrdinalIgnoreCase);
#if !FORMATTERS_NETSTANDARD
    [MessageMember(6)] public FrozenSet<string> Frozen { get; set; } = FrozenSet.ToFrozenSet<string>([], StringComparer.OrdinalIgnoreCase);
    [MessageMember(7)] public OrderedDictionary<string, int> Ordered { get; set; } = new(StringComparer.OrdinalIgnoreCase);
#endif
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class InitItself : IHeld
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public Dictionary<string, int> Map { get; init; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(3)] public HashSet<string> Set { get; init; } = new(StringComparer.OrdinalIgnoreCase);
    [MessageMember(4)] public SortedDictionary<string, int> Sorted { get; init; } = new(Descending.Instance);
    [MessageMember(5)] public ConcurrentDictionary<string, int> Concurrent { get; init; } = new(StringComparer.OrdinalIgnoreCase);
#if !FORMATTERS_NETSTANDARD
    [MessageMember(6)] public FrozenSet<string> Frozen { get; init; } = FrozenSet.ToFrozenSet<string>([], StringComparer.OrdinalIgnoreCase);
    [MessageMember(7)] public OrderedDictionary<string, int> Ordered { get; init; } = new(StringComparer.OrdinalIgnoreCase);
#endif
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class RequiredItself
{
    [MessageMember(1)] public required Dictionary<string, int> Map { get; set; } = new(StringComparer.OrdinalIgnoreCase);
}

/// <summary>Collections whose comparers the declarations set.</summary>
public interface IHeld
{
    Dictionary<string, int> Map { get; }
    HashSet<string> Set { get; }
    SortedDictionary<string, int> Sorted { get; }
    ConcurrentDictionary<string, int> Concurrent { get; }
#if !FORMATTERS_NETSTANDARD
    FrozenSet<string> Frozen { get; }
    OrderedDictionary<string, int> Ordered { get; }
#endif
}

[MessageContract(Formats = KeptAll.Every)]
public sealed partial class Splitting
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public Dictionary<string, int> Map { get; set; } = new(StringComparer.Ordinal);
    [MessageMember(3)] public HashSet<string> Set { get; set; } = new(StringComparer.Ordinal);
    [MessageMember(4)] public SortedDictionary<string, int> Sorted { get; set; } = new(StringComparer.Ordinal);
    [MessageMember(5)] public ConcurrentDictionary<string, int> Concurrent { get; set; } = new(StringComparer.Ordinal);
#if !FORMATTERS_NETSTANDARD
    [MessageMember(6)] public FrozenSet<string> Frozen { get; set; } = FrozenSet.ToFrozenSet<string>([], StringComparer.Ordinal);
    [MessageMember(7)] public OrderedDictionary<string, int> Ordered { get; set; } = new(StringComparer.Ordinal);
#endif
}
