using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Formatters.Tools.Migrate;
using Xunit;

namespace Formatters.Tools.Tests.Migrate;

public sealed class GraphComparisonTests
{
    private static readonly DateTime Noon = new(2026, 11, 20, 12, 0, 0, DateTimeKind.Utc);

    public static TheoryData<string, object?, object?, string> Values { get; } = new()
    {
        { "kind", Noon, DateTime.SpecifyKind(Noon, DateTimeKind.Unspecified), "kind" },
        { "ticks", Noon.AddTicks(1), Noon, "precision" },
        { "another time", Noon, Noon.AddHours(1), "value" },
        { "offset", new DateTimeOffset(Noon).ToOffset(TimeSpan.FromHours(2)), new DateTimeOffset(Noon), "offset" },
        { "ticks of a moment", new DateTimeOffset(Noon.AddTicks(3)), new DateTimeOffset(Noon), "precision" },
        { "a time span", TimeSpan.FromTicks(10_000_001), TimeSpan.FromTicks(10_000_000), "precision" },
        { "scale", 1.20m, 1.2m, "precision" },
        { "sign of zero", new decimal(0, 0, 0, true, 0), 0m, "precision" },
        { "sign of zero with a scale", new decimal(0, 0, 0, true, 2), 0.00m, "precision" },
        { "decimal digits", 1.2345678901234567890123456789m, 1.23456789012345m, "precision" },
        { "double -0", -0.0, 0.0, "precision" },
        { "double digits", 0.1, (double)0.1f, "precision" },
        { "NaN", BitConverter.Int64BitsToDouble(0x7FF8000000000001), double.NaN, "precision" },
        { "float", 1.5f, 2.5f, "value" },
        { "vector", new System.Numerics.Vector2(-0f, 1), new System.Numerics.Vector2(0f, 1), "precision" },
        { "char", 'a', 'b', "value" },
        { "number to default", 5, 0, "dropped" },
        { "number", 5, 6, "value" },
        { "boxed int to long", 5, 5L, "type" },
        { "line ends", "a\r\nb", "a\nb", "text" },
        { "white space", " a ", "a", "text" },
        { "normalization", "\u00E9", "e\u0301", "value" },
        { "lone surrogate", "a\uD800", "a\uFFFD", "text" },
        { "text", "a", "b", "value" },
        { "text to empty", "a", "", "dropped" },
        { "text to null", "a", null, "dropped" },
        { "null to empty", null, "", "null" },
        { "empty to null", "", null, "null" },
        { "empty list to null", new List<int>(), null, "null" },
        { "null to empty list", null, new List<int>(), "null" },
        { "list to array", new List<int> { 1 }, new[] { 1 }, "type" },
        { "shorter", new List<int> { 1, 2 }, new List<int> { 1 }, "dropped" },
        { "longer", new List<int> { 1 }, new List<int> { 1, 2 }, "value" },
        { "bytes", new byte[] { 1, 2 }, new byte[] { 1, 3 }, "value" },
        { "order", new List<string> { "a", "b" }, new List<string> { "b", "a" }, "value" },
        { "lengths", new int[2, 3], new int[3, 2], "type" },
        { "lower bounds", Array.CreateInstance(typeof(int), [2], [1]), Array.CreateInstance(typeof(int), [2], [5]), "type" },
        { "entry", new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 }, new Dictionary<string, int> { ["b"] = 2, ["a"] = 3 }, "value" },
        { "missing entry", new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 }, new Dictionary<string, int> { ["a"] = 1 }, "dropped" },
        { "missing entry of null", new Dictionary<string, string?> { ["a"] = "1", ["b"] = null }, new Dictionary<string, string?> { ["a"] = "1" }, "dropped" },
        { "missing entry of a hashtable", new Hashtable { ["a"] = 1, ["b"] = 2 }, new Hashtable { ["b"] = 2 }, "dropped" },
        { "missing element of a set", new HashSet<int> { 1, 2 }, new HashSet<int> { 2 }, "dropped" },
        { "one entry more", new Dictionary<string, int> { ["a"] = 1 }, new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 }, "value" },
        { "key kind", new Dictionary<DateTime, int> { [Noon] = 1 }, new Dictionary<DateTime, int> { [DateTime.SpecifyKind(Noon, DateTimeKind.Local)] = 1 }, "kind" },
        { "comparer", new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase), new Dictionary<string, int>(), "comparer" },
        { "comparer of a set", new HashSet<string>(StringComparer.OrdinalIgnoreCase), new HashSet<string>(), "comparer" },
        { "comparer of a sorted one", new SortedDictionary<string, int>(StringComparer.Ordinal), new SortedDictionary<string, int>(), "comparer" },
        { "hashtable", new Hashtable { ["a"] = 1 }, new Hashtable { ["a"] = 2 }, "value" },
        { "derived", new Derived { Id = 1, More = "x" }, new Base { Id = 1 }, "type" },
        { "private field", new WithPrivate(3), new WithPrivate(0), "dropped" },
        { "own field of a list", new NamedList { Name = "n" }, new NamedList(), "dropped" },
        { "uri", new Uri("http://a/%41"), new Uri("http://a/A"), "text" },
        { "nested", new List<Base?> { new() { Id = 1 } }, new List<Base?> { null }, "dropped" },
        { "tuple", (1, "a"), (1, "b"), "value" },
        { "json", System.Text.Json.JsonDocument.Parse("{\"a\":1}").RootElement, System.Text.Json.JsonDocument.Parse("{\"a\":2}").RootElement, "value" },
        { "bits", new BitArray([true]), new BitArray([false]), "dropped" },
    };

    public static TheoryData<string, object?, object?> EqualValues { get; } = new()
    {
        { "null", null, null },
        { "text", "a", new string(['a']) },
        { "decimal", 1.20m, 1.20m },
        { "dictionary in another order", new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 }, new Dictionary<string, int> { ["b"] = 2, ["a"] = 1 } },
        { "set in another order", new HashSet<int> { 1, 2 }, new HashSet<int> { 2, 1 } },
        { "ordinal comparer", new Dictionary<string, int>(StringComparer.Ordinal), new Dictionary<string, int>() },
        { "comparer of its own in equal form", new HashSet<string>(StringComparer.OrdinalIgnoreCase), new HashSet<string>(StringComparer.OrdinalIgnoreCase) },
        { "capacity", new List<int>(100) { 1 }, new List<int> { 1 } },
        { "empty arrays of one object", new[] { Array.Empty<int>(), Array.Empty<int>() }, new[] { (int[])Array.Empty<int>().Clone(), (int[])Array.Empty<int>().Clone() } },
        { "NaN", double.NaN, double.NaN },
        { "default array", default(System.Collections.Immutable.ImmutableArray<int>), default(System.Collections.Immutable.ImmutableArray<int>) },
        { "memory", new ReadOnlyMemory<byte>([1, 2]), new ReadOnlyMemory<byte>([1, 2]) },
        { "culture", CultureInfo.InvariantCulture, (CultureInfo)CultureInfo.InvariantCulture.Clone() },
        { "version", new Version(1, 2), new Version(1, 2) },
        { "object", new Derived { Id = 1, More = "x" }, new Derived { Id = 1, More = "x" } },
    };

    [Theory]
    [MemberData(nameof(Values))]
    public void A_change_is_found_by_its_kind(string name, object? before, object? after, string kind)
    {
        Change change = Assert.Single(Compare(before, after));
        Assert.True(change.Place.ToString().EndsWith(":" + kind, StringComparison.Ordinal), $"{name}: {change}");
    }

    [Theory]
    [MemberData(nameof(EqualValues))]
    public void What_is_equal_is_no_change(string name, object? before, object? after) => Assert.True(Compare(before, after).Count == 0, name);

    [Fact]
    public void Changes_are_counted_by_type_and_member_and_the_first_has_its_position()
    {
        static Holder Make(DateTimeKind kind) => new() { Lines = [.. Enumerable.Range(0, 5).Select(i => new Line { Placed = DateTime.SpecifyKind(Noon, i < 2 ? DateTimeKind.Utc : kind) })] };

        Change change = Assert.Single(Compare(Make(DateTimeKind.Utc), Make(DateTimeKind.Local)));

        Assert.Equal("Line.Placed:kind", change.Place.ToString());
        Assert.Equal("Formatters.Tools.Tests.Migrate.Line.Placed", change.Place.QualifiedName);
        Assert.Equal(3, change.Count);
        Assert.Equal("Utc became Local", change.Detail);
        Assert.Matches(@"^Holder\.Lines\[[234]\]\.Placed$", change.Path);
    }

    [Fact]
    public void One_object_in_two_places_that_becomes_two_is_a_change_and_so_is_the_reverse()
    {
        var shared = new Line();
        var one = new List<Line> { shared, shared };
        var two = new List<Line> { new(), new() };

        Assert.EndsWith(":identity", Assert.Single(Compare(one, two)).Place.ToString(), StringComparison.Ordinal);
        Assert.EndsWith(":identity", Assert.Single(Compare(two, one)).Place.ToString(), StringComparison.Ordinal);
        Assert.Empty(Compare(one, new List<Line> { two[0], two[0] }));
    }

    [Fact]
    public void Cycles_and_long_chains_need_no_stack()
    {
        Node first = Chain(200_000), second = Chain(200_000);
        first.Next!.Next!.Value = 1;

        Assert.Equal("Node.Next", Assert.Single(Compare(Cycle(), new Node { Next = new Node() })).Place.Name);
        Assert.Empty(Compare(Cycle(), Cycle()));
        Change change = Assert.Single(Compare(first, second));
        Assert.Equal(("Node.Value:dropped", "Node.Next.Next.Value"), (change.Place.ToString(), change.Path));

        static Node Cycle()
        {
            var node = new Node();
            node.Next = new Node { Next = node };
            return node;
        }

        static Node Chain(int count)
        {
            Node? last = null;
            for (int i = 0; i < count; i++)
                last = new Node { Next = last };
            return last!;
        }
    }

    [Theory]
    [InlineData("Order.Date:kind", true)]
    [InlineData("Shop.Order.Date:kind", true)]
    [InlineData("Order.*:kind", true)]
    [InlineData("*:kind", true)]
    [InlineData("*.Date:kind", true)]
    [InlineData("Shop.*:*", true)]
    [InlineData("Order.Date:*", true)]
    [InlineData("Order.Date:dropped", false)]
    [InlineData("Order.Dat:kind", false)]
    [InlineData("rder.Date:kind", false)]
    [InlineData("*e*e*e:kind", false)]
    [InlineData("order.date:kind", false)]
    public void A_change_is_allowed_by_its_name(string text, bool isAllowed) =>
        Assert.Equal(isAllowed, new AllowedChanges([text]).Allows(new ChangePlace(new TypeText("Shop", "Order"), "Date", ChangeKind.Kind)));

    [Theory]
    [InlineData("Order.Date")]
    [InlineData(":kind")]
    [InlineData("Order.Date:sort")]
    public void What_names_no_change_is_a_mistake(string text) => Assert.Throws<UsageException>(() => new AllowedChanges([text]));

    private static IReadOnlyCollection<Change> Compare(object? before, object? after)
    {
        var changes = new ChangeList();
        GraphComparison.Compare(before, after, changes);
        return changes.Items;
    }

    private class Base
    {
        public int Id { get; set; }
    }

    private sealed class Derived : Base
    {
        public string? More { get; set; }
    }

    private sealed class WithPrivate(int value)
    {
        public int Twice => value * 2;
    }

    private sealed class NamedList : List<int>
    {
        public string? Name { get; set; }
    }

    private sealed class Node
    {
        public Node? Next { get; set; }

        public int Value { get; set; }
    }
}

internal sealed class Holder
{
    public List<Line> Lines { get; set; } = [];
}

internal sealed class Line
{
    public DateTime Placed { get; set; }
}
