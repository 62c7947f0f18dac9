using System;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Linq;
using System.Reflection;
using Formatters.Contracts.Tests;

namespace Formatters.HostileBodies;

/// <summary>The time and memory per byte of every collection in every format: in order, in reverse order, and in protobuf also in many parts.</summary>
internal static class CollectionCases
{
    private const int Count = 20_000;
    private const int SortedCount = 40_000;
    private const int PartCount = 20_000;

    private static readonly PropertyInfo[] Collections = [.. typeof(Shelf).GetProperties(BindingFlags.Public | BindingFlags.Instance)
        .Where(property => property.PropertyType != typeof(Shelf) && property.PropertyType != typeof(UnknownMembers))];

    internal static IEnumerable<(string, Func<Action>)> Create()
    {
        foreach ((string format, Func<MessageFormatter<Shelf>> create) in ShelfFormatters())
        {
            foreach (PropertyInfo property in Collections)
            {
                yield return ($"collections: {format} reads {property.Name}", () =>
                {
                    MessageFormatter<Shelf> formatter = create();
                    byte[] body = formatter.Write(Fill(property, Enumerable.Range(0, SortedCount)));
                    byte[] reversed = formatter.Write(Fill(property, Enumerable.Range(0, SortedCount).Reverse()));
                    return () => Measured.NotSlower(body.Length, () => formatter.Read(body), () => formatter.Read(reversed));
                });
            }
        }

        foreach ((string format, Func<MessageFormatter<Parcel>> create) in new (string, Func<MessageFormatter<Parcel>>)[]
        {
            ("xml, generated", () => new XmlFormatter<Parcel>(Parcel.MessageContract)),
            ("xml, by reflection", () => new XmlFormatter<Parcel>(ByReflection.Xml)),
            ("legacy binary", () => new LegacyBinaryFormatter<Parcel>()),
        })
        {
            yield return ($"collections: {format} reads lists", () =>
            {
                MessageFormatter<Parcel> formatter = create();
                var texts = Enumerable.Range(0, Count).Select(i => "x" + i).ToList();
                byte[] body = formatter.Write(new Parcel { Colour = Colour.Red, Numbers = [.. Enumerable.Range(0, Count)], Texts = texts, Parts = [.. texts.Select(text => new Part { Name = text })] });
                return () => Measured.Within(body.Length, () => formatter.Read(body), Measured.Factor, Measured.LegacyAllowance);
            });
        }

        foreach ((string name, Func<Func<IEnumerable<int>, byte[]>> write, Func<Func<byte[], object?>> read) in LegacyCollections())
        {
            yield return ($"collections: legacy binary reads {name}", () =>
            {
                byte[] body = write()(Enumerable.Range(0, Count)), reversed = write()(Enumerable.Range(0, Count).Reverse());
                Func<byte[], object?> reader = read();
                return () =>
                {
                    Measured.Within(body.Length, () => reader(body), Measured.Factor, Measured.LegacyAllowance);
                    Measured.Within(reversed.Length, () => reader(reversed), Measured.Factor, Measured.LegacyAllowance);
                };
            });
        }

        foreach ((string format, Func<MessageFormatter<Shelf>> create) in ShelfFormatters().Where(row => row.Item1.StartsWith("protobuf", StringComparison.Ordinal)))
        {
            foreach (PropertyInfo property in Collections)
            {
                yield return ($"parts: {format} reads {property.Name} in {PartCount} fields", () =>
                {
                    MessageFormatter<Shelf> formatter = create();
                    byte[] body = Join(property, formatter, static shelf => shelf);
                    return () => Measured.Within(body.Length, () => formatter.Read(body));
                });
                yield return ($"parts: {format} reads {property.Name} in {PartCount} messages", () =>
                {
                    MessageFormatter<Shelf> formatter = create();
                    byte[] body = Join(property, formatter, static shelf => new Shelf { Inner = shelf });
                    return () => Measured.Within(body.Length, () => formatter.Read(body));
                });
                yield return ($"parts: {format} reads {property.Name} in {PartCount} messages of messages", () =>
                {
                    MessageFormatter<Shelf> formatter = create();
                    byte[] body = Join(property, formatter, static shelf => new Shelf { Inner = new Shelf { Inner = shelf } });
                    return () => Measured.Within(body.Length, () => formatter.Read(body));
                });
            }

            yield return ($"parts: {format} reads unknown fields in {PartCount} messages", () =>
            {
                MessageFormatter<Shelf> formatter = create();
                // Field 99 of the message in field 90.
                byte[] part = [0xD2, 0x05, 4, 0x98, 0x06, 0x81, 0x01];
                byte[] body = [.. Enumerable.Repeat(part, PartCount).SelectMany(static bytes => bytes)];
                return () => Measured.Within(body.Length, () => formatter.Read(body));
            });
            yield return ($"parts: {format} reads a tower of {PartCount} parts at each level", () =>
            {
                MessageFormatter<Shelf> formatter = create();
                byte[] body = formatter.Write(Fill(Collections[0], Enumerable.Range(0, PartCount)));
                // Each level has the message before it, and two further parts without fields.
                for (int level = 0; level < 16; level++)
                    body = [0xD2, 0x05, .. Length(body.Length), .. body, 0xD2, 0x05, 0, 0xD2, 0x05, 0];
                return () => Measured.Within(body.Length, () => formatter.Read(body));
            });
        }
    }

    private static IEnumerable<(string, Func<MessageFormatter<Shelf>>)> ShelfFormatters() =>
    [
        .. AllFormats.Rows<Shelf>(),
        // System.Text.Json does not read them.
        ("json", () => new JsonFormatter<Shelf>(new JsonOptions { AllowedLosses = [typeof(FrozenDictionary<,>), typeof(FrozenSet<>)] })),
    ];

    private static IEnumerable<(string, Func<Func<IEnumerable<int>, byte[]>>, Func<Func<byte[], object?>>)> LegacyCollections() =>
    [
        Legacy(static items => items.ToArray()),
        Legacy(static items => items.ToList()),
        Legacy(static items => new HashSet<int>(items)),
        Legacy(static items => new SortedSet<int>(items)),
        Legacy(static items => new LinkedList<int>(items)),
        Legacy(static items => new Queue<int>(items)),
        Legacy(static items => new Stack<int>(items)),
        Legacy(static items => items.ToDictionary(static i => i)),
        Legacy(static items => new SortedDictionary<int, int>(items.ToDictionary(static i => i))),
        Legacy(static items => new SortedList<int, int>(items.ToDictionary(static i => i))),
        Legacy(static items => new System.Collections.Hashtable(items.ToDictionary(static i => i))),
        Legacy(static items => new System.Collections.ArrayList(items.ToArray())),
    ];

    private static (string, Func<Func<IEnumerable<int>, byte[]>>, Func<Func<byte[], object?>>) Legacy<T>(Func<IEnumerable<int>, T> make)
        where T : class =>
        (typeof(T).Name, () => items => new LegacyBinaryFormatter<T>().Write(make(items)), () => new LegacyBinaryFormatter<T>().Read);

    /// <summary>Creates a shelf with one collection: its elements, or its keys and values.</summary>
    private static Shelf Fill(PropertyInfo property, IEnumerable<int> items)
    {
        var shelf = new Shelf();
        MethodInfo set = typeof(CollectionCases).GetMethod(nameof(Set), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(property.PropertyType);
        set.Invoke(null, [shelf, property, items]);
        return shelf;
    }

    /// <summary>Sets the collection: all of a kind have the same bytes, whatever their type.</summary>
    private static void Set<T>(Shelf shelf, PropertyInfo property, IEnumerable<int> items)
    {
        bool isDictionary = typeof(T).GetInterfaces().Append(typeof(T)).Any(type => type.Name is "IDictionary`2" or "IReadOnlyDictionary`2");
        byte[] body = isDictionary
            ? new BinaryBodyFormatter<Dictionary<int, int>>(ByReflection.Binary).Write(items.ToDictionary(static i => i))
            : new BinaryBodyFormatter<int[]>(ByReflection.Binary).Write([.. items]);
        property.SetValue(shelf, new BinaryBodyFormatter<T>(ByReflection.Binary).Read(body));
    }

    private static byte[] Join(PropertyInfo property, MessageFormatter<Shelf> formatter, Func<Shelf, Shelf> wrap)
    {
        byte[][] parts = [.. Enumerable.Range(0, PartCount).Select(i => formatter.Write(wrap(Fill(property, [i]))))];
        return [.. parts.SelectMany(static part => part)];
    }

    private static byte[] Length(int byteCount)
    {
        var bytes = new List<byte>();
        for (; byteCount >= 0x80; byteCount >>= 7)
            bytes.Add((byte)(byteCount | 0x80));
        bytes.Add((byte)byteCount);
        return [.. bytes];
    }
}

/// <summary>Every collection that has a contract.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Shelf
{
    [MessageMember(1)]
    public int[]? Array { get; set; }

    [MessageMember(2)]
    public List<int>? List { get; set; }

    [MessageMember(3)]
    public IReadOnlyList<int>? ReadOnlyList { get; set; }

    [MessageMember(4)]
    public Queue<int>? Queue { get; set; }

    [MessageMember(5)]
    public Stack<int>? Stack { get; set; }

    [MessageMember(6)]
    public LinkedList<int>? LinkedList { get; set; }

    [MessageMember(7)]
    public Collection<int>? Collection { get; set; }

    [MessageMember(8)]
    public ObservableCollection<int>? ObservableCollection { get; set; }

    [MessageMember(9)]
    public ConcurrentQueue<int>? ConcurrentQueue { get; set; }

    [MessageMember(10)]
    public ConcurrentStack<int>? ConcurrentStack { get; set; }

    [MessageMember(11)]
    public ImmutableArray<int> ImmutableArray { get; set; } = [];

    [MessageMember(12)]
    public ImmutableList<int>? ImmutableList { get; set; }

    [MessageMember(13)]
    public ImmutableQueue<int>? ImmutableQueue { get; set; }

    [MessageMember(14)]
    public ImmutableStack<int>? ImmutableStack { get; set; }

    [MessageMember(15)]
    public HashSet<int>? HashSet { get; set; }

    [MessageMember(16)]
    public SortedSet<int>? SortedSet { get; set; }

    [MessageMember(17)]
    public ISet<int>? Set { get; set; }

    [MessageMember(18)]
    public ImmutableHashSet<int>? ImmutableHashSet { get; set; }

    [MessageMember(19)]
    public ImmutableSortedSet<int>? ImmutableSortedSet { get; set; }

    [MessageMember(20)]
    public FrozenSet<int>? FrozenSet { get; set; }

    [MessageMember(21)]
    public Dictionary<int, int>? Dictionary { get; set; }

    [MessageMember(22)]
    public SortedDictionary<int, int>? SortedDictionary { get; set; }

    [MessageMember(23)]
    public SortedList<int, int>? SortedList { get; set; }

    [MessageMember(24)]
    public ConcurrentDictionary<int, int>? ConcurrentDictionary { get; set; }

    [MessageMember(25)]
    public ImmutableDictionary<int, int>? ImmutableDictionary { get; set; }

    [MessageMember(26)]
    public ImmutableSortedDictionary<int, int>? ImmutableSortedDictionary { get; set; }

    [MessageMember(27)]
    public FrozenDictionary<int, int>? FrozenDictionary { get; set; }

    [MessageMember(90)]
    public Shelf? Inner { get; set; }

    [System.Text.Json.Serialization.JsonIgnore]
    public UnknownMembers? Unknown { get; set; }
}
