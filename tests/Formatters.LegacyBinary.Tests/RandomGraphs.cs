using System;
using System.Collections;
using System.Collections.Generic;
using Formatters.Tests.Support;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Graphs from a seed: with shared objects and strings, cycles, nulls, extremes.</summary>
/// <param name="seed">The seed.</param>
/// <param name="withStringComparers">Whether dictionaries have comparers, which .NET Framework and .NET write alike only where types are always said.</param>
/// <param name="withBoxedDecimals">Whether members of type object hold decimals, whose type .NET says and .NET Framework does not.</param>
internal sealed class RandomGraphs(int seed, bool withStringComparers = true, bool withBoxedDecimals = false)
{
    private readonly Random _random = new(seed);
    private readonly List<Graph> _graphs = [];
    private readonly List<Leaf> _leaves = [];
    private readonly List<string> _texts = [];
    private readonly List<object> _objects = [];
    private int _budget;

    public static LegacyBinaryOptions Options { get; } = LegacyBinaryOptions.Default
        .WithType(typeof(Graph)).WithType(typeof(Twig)).WithType(typeof(SmallTwig)).WithType(typeof(Leaf)).WithType(typeof(Point)).WithType(typeof(Holder))
        .WithType(typeof(Dictionary<int, object>)).WithType(typeof(List<object>)).WithType(typeof(Orders.Address)).WithType(typeof(Dictionary<string, string>));

    public Graph Next()
    {
        _graphs.Clear();
        _leaves.Clear();
        _texts.Clear();
        _objects.Clear();
        _budget = _random.Next(1, 12);
        return NextGraph();
    }

    private bool Chance(int percent) => _random.Next(100) < percent;

    private Graph NextGraph()
    {
        var graph = new Graph();
        _graphs.Add(graph);
        _budget--;
        // Most members of a graph stay empty, others in each.
        int fill = _random.Next(5, 60);
        graph.Id = _random.Next();
        graph.Code = Chance(fill) ? Text() : null;
        graph.Tag = Chance(fill) ? Anything() : null;
        graph.Bool = Chance(50);
        graph.Byte = (byte)_random.Next(256);
        graph.SByte = (sbyte)_random.Next(256);
        graph.Char = (char)_random.Next(0xD800);
        graph.Int16 = (short)_random.Next();
        graph.UInt16 = (ushort)_random.Next();
        graph.Int32 = _random.Next(int.MinValue, int.MaxValue);
        graph.UInt32 = (uint)_random.Next();
        graph.Int64 = _random.NextInt64();
        graph.UInt64 = (ulong)_random.NextInt64();
        graph.Single = Chance(10) ? float.NaN : _random.NextSingle();
        graph.Double = Chance(10) ? -0.0 : _random.NextDouble();
        graph.Decimal = Number();
        graph.Date = Date();
        graph.Span = new TimeSpan(_random.NextInt64());
        graph.Guid = new Guid(Bytes(16));
        graph.Offset = new DateTimeOffset(_random.NextInt64(DateTime.MaxValue.Ticks / 4, DateTime.MaxValue.Ticks / 2), TimeSpan.FromMinutes(_random.Next(-840, 841)));
        graph.Text = Chance(80) ? Text() : null;
        graph.Name = Text();
        graph.Level = Level();
        graph.Wide = Chance(50) ? WideLevel.All : WideLevel.None;
        graph.Point = Point();
        graph.Holder = Holder();
        graph.MaybeInt = Chance(fill) ? _random.Next() : null;
        graph.MaybeDate = Chance(fill) ? Date() : null;
        graph.MaybePoint = Chance(fill) ? Point() : null;
        graph.MaybeLevel = Chance(fill) ? Level() : null;
        graph.Anything = Chance(fill) ? Anything() : null;
        graph.Part = Chance(fill) ? Part() : null;
        graph.Base = Chance(fill) ? Base() : null;
        graph.Next = Chance(fill) ? SomeGraph() : null;
        graph.Leaf = Chance(fill) ? Leaf() : null;
        graph.Address = Chance(fill) ? Address() : null;
        graph.Pair = new KeyValuePair<string, Leaf?>(Text(), Chance(fill) ? Leaf() : null);
        graph.Tuple = Chance(fill) ? Tuple.Create(_random.Next(), (string?)Text()) : null;
        graph.ValueTuple = (_random.Next(), Chance(fill) ? Text() : null);
        graph.GenericItem = Chance(fill) ? GenericItem() : null;
        graph.Ints = Chance(fill) ? Array(_random.Next) : null;
        graph.Bools = Chance(fill) ? Array(() => Chance(50)) : null;
        graph.Chars = Chance(fill) ? RandomText.Next(_random, _random.Next(20), validOnly: true).ToCharArray() : null;
        graph.Decimals = Chance(fill) ? Array(Number) : null;
        graph.Dates = Chance(fill) ? Array(Date) : null;
        graph.Texts = Chance(fill) ? Array(Maybe(Text)) : null;
        graph.Objects = Chance(fill) ? Array(Maybe(Anything)) : null;
        graph.Points = Chance(fill) ? Array(Point) : null;
        graph.MaybeInts = Chance(fill) ? Array<int?>(() => Chance(50) ? _random.Next() : null) : null;
        graph.MaybeHolders = Chance(fill) ? Array<Holder?>(() => Chance(50) ? Holder() : null) : null;
        graph.Leaves = Chance(fill) ? Array(Maybe(Leaf)) : null;
        graph.Parts = Chance(fill) ? Array(Maybe(Part)) : null;
        graph.Jagged = Chance(fill) ? Array(Maybe(() => Array(_random.Next))) : null;
        graph.JaggedLeaves = Chance(fill) ? Array(Maybe(() => Array(Maybe(Leaf)))) : null;
        graph.Grid = Chance(fill) ? (double[,])Rectangular(typeof(double), () => _random.NextDouble(), 2) : null;
        graph.TextGrid = Chance(fill) ? (string?[,])Rectangular(typeof(string), Maybe<object>(Text), 2) : null;
        graph.PointGrid = Chance(fill) ? (Point[,,])Rectangular(typeof(Point), () => Point(), 3) : null;
        graph.Levels = Chance(fill) ? Array(Level) : null;
        graph.List = Chance(fill) ? new ArrayList(Array(Maybe(Anything))) : null;
        graph.IntList = Chance(fill) ? [.. Array(_random.Next)] : null;
        graph.TextList = Chance(fill) ? Grown(Maybe(Text)) : null;
        graph.PointList = Chance(fill) ? Grown(Point) : null;
        graph.GraphList = Chance(fill) ? Grown(Maybe(SomeGraph)) : null;
        graph.ByText = Chance(fill) ? Map(Text, Maybe(Anything), Chance(70) || !withStringComparers ? null : Chance(50) ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase) : null;
        graph.ByNumber = Chance(fill) ? Map(_random.Next, Maybe(Leaf), null) : null;
        graph.ByLevel = Chance(fill) ? Map(Level, _random.Next, null) : null;
        graph.ByGuid = Chance(fill) ? Map(() => new Guid(Bytes(16)), Maybe(Text), null) : null;
        graph.AnyMap = Chance(fill) ? Map(_random.Next, Maybe(Anything), null) : null;
        graph.AnyList = Chance(fill) ? (Chance(50) ? Array(Maybe(Anything)) : Grown(Maybe(Anything))) : null;
        return graph;
    }

    private object Anything()
    {
        if (_objects.Count > 0 && Chance(25))
            return _objects[_random.Next(_objects.Count)];
        object value = _random.Next(26) switch
        {
            0 => Chance(50),
            1 => (byte)7,
            2 => (sbyte)-7,
            3 => 'x',
            4 => (short)-3,
            5 => (ushort)3,
            6 => _random.Next(),
            7 => 4000000000u,
            8 => _random.NextInt64(),
            9 => ulong.MaxValue,
            10 => 1.5f,
            11 => _random.NextDouble(),
            12 => withBoxedDecimals ? (object)Number() : 12,
            13 => Date(),
            14 => TimeSpan.MinValue,
            15 => new Guid(Bytes(16)),
            16 => DBNull.Value,
            17 => Text(),
            18 => Point(),
            19 => Level(),
            20 => Leaf(),
            21 => SomeGraph(),
            22 => Array(_random.Next),
            23 => Bytes(_random.Next(40)),
            24 => new DateTimeOffset(2004, 11, 20, 13, 14, 15, TimeSpan.FromHours(-3)),
            _ => Holder(),
        };
        _objects.Add(value);
        return value;
    }

    private string Text()
    {
        if (_texts.Count > 0 && Chance(30))
            return _texts[_random.Next(_texts.Count)];
        string text = RandomText.Next(_random, Chance(5) ? _random.Next(300) : _random.Next(12), validOnly: true);
        _texts.Add(text);
        return text;
    }

    private Leaf Leaf()
    {
        if (_leaves.Count > 0 && Chance(40))
            return _leaves[_random.Next(_leaves.Count)];
        var leaf = new Leaf(Chance(70) ? Text() : null, _leaves.Count > 0 && Chance(50) ? _leaves[_random.Next(_leaves.Count)] : null);
        _leaves.Add(leaf);
        if (leaf.Other is null && Chance(20))
            leaf.Other = leaf;
        return leaf;
    }

    private Graph SomeGraph() => _budget > 0 && Chance(60) ? NextGraph() : _graphs[_random.Next(_graphs.Count)];

    private IGraphPart Part() => _random.Next(4) switch
    {
        0 => Leaf(),
        1 => Point(),
        2 => SomeGraph(),
        _ => Twig(),
    };

    private GraphBase Base() => Chance(50) ? SomeGraph() : Twig();

    private Twig Twig()
    {
        Twig twig = Chance(50) ? new Twig() : new SmallTwig { Size = 3 };
        twig.Graph = Chance(50) ? SomeGraph() : null;
        twig.Code = Text();
        twig.Id = _random.Next();
        return twig;
    }

    private Orders.Address Address() => new() { City = Text(), Country = Text() };

    private Generic<Orders.LineItem> GenericItem()
    {
        var item = new Orders.LineItem { ArticleID = _random.Next(), Name = Text(), Price = 1.25 };
        return new Generic<Orders.LineItem> { Value = item, Values = Chance(50) ? [item, null] : null };
    }

    private Point Point() => new() { X = _random.Next(), Y = _random.Next() };

    private Holder Holder() => new()
    {
        Point = Point(),
        Text = Chance(50) ? Text() : null,
        Leaf = Chance(50) ? Leaf() : null,
        Anything = Chance(20) ? Anything() : null,
        Level = Level(),
    };

    private Level Level() => Chance(50) ? Tests.Level.High : (Level)_random.Next(5);

    private decimal Number() => new(_random.Next(), _random.Next(), Chance(30) ? _random.Next() : 0, Chance(50), (byte)_random.Next(29));

    private DateTime Date() => Chance(5) ? DateTime.MaxValue : new DateTime(_random.NextInt64(DateTime.MaxValue.Ticks), (DateTimeKind)_random.Next(3));

    private byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        _random.NextBytes(bytes);
        return bytes;
    }

    private Func<T?> Maybe<T>(Func<T> make)
        where T : class => () => Chance(60) ? make() : null;

    private T[] Array<T>(Func<T> make)
    {
        var array = new T[Chance(3) ? _random.Next(300) : _random.Next(6)];
        int made = _random.Next(array.Length + 1);
        for (int i = 0; i < Math.Min(made, 12); i++)
            array[_random.Next(array.Length)] = make();
        return array;
    }

    private List<T> Grown<T>(Func<T> make)
    {
        var list = new List<T>();
        for (int count = _random.Next(10); count > 0; count--)
            list.Add(make());
        return list;
    }

    private Dictionary<TKey, TValue> Map<TKey, TValue>(Func<TKey> makeKey, Func<TValue> makeValue, IEqualityComparer<TKey>? comparer)
        where TKey : notnull
    {
        var map = new Dictionary<TKey, TValue>(comparer);
        for (int count = _random.Next(8); count > 0; count--)
            map[makeKey()] = makeValue();
        return map;
    }

    private Array Rectangular(Type type, Func<object?> make, int rank)
    {
        int[] lengths = new int[rank];
        int[] lowerBounds = new int[rank];
        for (int i = 0; i < rank; i++)
        {
            lengths[i] = _random.Next(4);
            lowerBounds[i] = Chance(15) ? _random.Next(-3, 4) : 0;
        }

        Array array = System.Array.CreateInstance(type, lengths, lowerBounds);
        int[] indexes = new int[rank];
        for (int n = 0; n < array.Length; n++)
        {
            int rest = n;
            for (int i = rank - 1; i >= 0; i--)
            {
                indexes[i] = lowerBounds[i] + (rest % lengths[i]);
                rest /= lengths[i];
            }

            array.SetValue(make(), indexes);
        }

        return array;
    }
}
