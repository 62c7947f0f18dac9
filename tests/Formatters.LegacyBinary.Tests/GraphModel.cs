using System;
using System.Collections;
using System.Collections.Generic;

namespace Formatters.LegacyBinary.Tests;

/// <summary>What random graphs are made of: every kind of member that travels.</summary>
[Serializable]
public class Graph : GraphBase, IGraphPart
{
    public bool Bool;
    public byte Byte;
    public sbyte SByte;
    public char Char;
    public short Int16;
    public ushort UInt16;
    public int Int32;
    public uint UInt32;
    public long Int64;
    public ulong UInt64;
    public float Single;
    public double Double;
    public decimal Decimal;
    public DateTime Date;
    public TimeSpan Span;
    public Guid Guid;
    public DateTimeOffset Offset;
    public string? Text;
    public Level Level;
    public WideLevel Wide;
    public int? MaybeInt;
    public DateTime? MaybeDate;
    public Point? MaybePoint;
    public Level? MaybeLevel;
    public Point Point;
    public Holder Holder;
    public object? Anything;
    public IGraphPart? Part;
    public GraphBase? Base;
    public Graph? Next;
    public Leaf? Leaf;
    public Orders.Address? Address;
    public string Name { get; set; } = "";
    public KeyValuePair<string, Leaf?> Pair;
    public Tuple<int, string?>? Tuple;
    public (int, string?) ValueTuple;
    public Generic<Orders.LineItem>? GenericItem;
    public int[]? Ints;
    public bool[]? Bools;
    public char[]? Chars;
    public decimal[]? Decimals;
    public DateTime[]? Dates;
    public string?[]? Texts;
    public object?[]? Objects;
    public Point[]? Points;
    public int?[]? MaybeInts;
    public Holder?[]? MaybeHolders;
    public Leaf?[]? Leaves;
    public IGraphPart?[]? Parts;
    public int[]?[]? Jagged;
    public Leaf?[]?[]? JaggedLeaves;
    public double[,]? Grid;
    public string?[,]? TextGrid;
    public Point[,,]? PointGrid;
    public Level[]? Levels;
    public ArrayList? List;
    public List<int>? IntList;
    public List<string?>? TextList;
    public List<Point>? PointList;
    public List<Graph?>? GraphList;
    public Dictionary<string, object?>? ByText;
    public Dictionary<int, Leaf?>? ByNumber;
    public Dictionary<Level, int>? ByLevel;
    public Dictionary<Guid, string?>? ByGuid;
    public IDictionary? AnyMap;
    public IList? AnyList;

    [NonSerialized]
    public int Left;
}

public interface IGraphPart;

/// <summary>Private, protected and internal fields: a protected field travels twice.</summary>
[Serializable]
public abstract class GraphBase
{
    private int _id;
    protected string? _code;
    internal object? Tag;

    public int Id
    {
        get => _id;
        set => _id = value;
    }

    public string? Code
    {
        get => _code;
        set => _code = value;
    }
}

[Serializable]
public sealed class Leaf : IGraphPart
{
    private readonly string? _name;

    public Leaf(string? name, Leaf? other)
    {
        _name = name;
        Other = other;
    }

    public string? Name => _name;

    public Leaf? Other { get; set; }
}

[Serializable]
public class Twig : GraphBase, IGraphPart
{
    public Graph? Graph;
    private int _id = 5;

    public int OwnId => _id;
}

[Serializable]
public sealed class SmallTwig : Twig
{
    public byte Size;
}

[Serializable]
public struct Point : IGraphPart
{
    public int X;
    public int Y;
}

/// <summary>A struct with a struct and references in it.</summary>
[Serializable]
public struct Holder
{
    public Point Point;
    public string? Text;
    public Leaf? Leaf;
    public object? Anything;
    public Level Level;
}

[Serializable]
public sealed class Generic<T>
{
    public T? Value;
    public List<T?>? Values;
}

[Serializable]
public enum Level
{
    Low,
    High = 70000,
}

[Serializable]
public enum WideLevel : ulong
{
    None,
    All = ulong.MaxValue,
}
