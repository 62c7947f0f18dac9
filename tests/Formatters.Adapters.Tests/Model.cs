using System;
using System.Collections.Generic;
using System.Linq;
using MemoryPack;
using MessagePack;
using ProtoBuf;

#pragma warning disable CA2227, CA1002

namespace Formatters.Adapters.Tests;

/// <summary>A type with the attributes of all three libraries; MessagePackFormatter of the core reads those of MessagePack-CSharp.</summary>
[MemoryPackable]
[MessagePackObject]
[ProtoContract]
public partial class Order
{
    [Key(0)]
    [ProtoMember(1)]
    public int Id { get; set; }

    [Key(1)]
    [ProtoMember(2)]
    public string? Customer { get; set; }

    [Key(3)]
    [ProtoMember(4)]
    public List<Line> Lines { get; set; } = [];

    [Key(4)]
    [ProtoMember(5)]
    public Dictionary<string, double> Rates { get; set; } = [];

    [Key(5)]
    [ProtoMember(6)]
    public byte[]? Signature { get; set; }

    public static Order Sample(int lineCount) => new()
    {
        Id = 300,
        Customer = "Ünal & Söhne",
        Lines = [.. Enumerable.Range(1, lineCount).Select(i => new Line { Name = "line " + i, Price = 1.25 * i, Count = i })],
        Rates = new() { ["EUR"] = 1, ["USD"] = 1.16 },
        Signature = [0, 1, 254, 255],
    };

    public bool ContentEquals(Order other) =>
        (Id, Customer) == (other.Id, other.Customer) && Lines.SequenceEqual(other.Lines) && Rates.OrderBy(rate => rate.Key).SequenceEqual(other.Rates.OrderBy(rate => rate.Key))
            && (Signature ?? []).SequenceEqual(other.Signature ?? []);
}

[MemoryPackable]
[MessagePackObject]
[ProtoContract]
public partial record Line
{
    [Key(0)]
    [ProtoMember(1)]
    public string Name { get; set; } = "";

    [Key(1)]
    [ProtoMember(2)]
    public double Price { get; set; }

    [Key(2)]
    [ProtoMember(3)]
    public int Count { get; set; }
}

[MemoryPackable]
[MessagePackObject]
[ProtoContract]
public partial class Chain
{
    [Key(0)]
    [ProtoMember(1)]
    public Chain? Next { get; set; }

    public static Chain OfDepth(int depth)
    {
        var chain = new Chain();
        for (int i = 1; i < depth; i++)
            chain = new Chain { Next = chain };
        return chain;
    }
}

[MemoryPackable]
[MessagePackObject]
[ProtoContract]
public partial class Picky
{
    private int _percent;

    [Key(0)]
    [ProtoMember(1)]
    public int Percent
    {
        get => _percent;
        set => _percent = value is >= 0 and <= 100 ? value : throw new ArgumentOutOfRangeException(nameof(value));
    }
}

[MemoryPackable]
[MemoryPackUnion(1, typeof(Circle))]
[MemoryPackUnion(2, typeof(Square))]
[Union(1, typeof(Circle))]
[Union(2, typeof(Square))]
[ProtoContract]
[ProtoInclude(1, typeof(Circle))]
[ProtoInclude(2, typeof(Square))]
public abstract partial class Shape;

[MemoryPackable]
[MessagePackObject]
[ProtoContract]
public partial class Circle : Shape
{
    [Key(0)]
    [ProtoMember(3)]
    public double Radius { get; set; }
}

[MemoryPackable]
[MessagePackObject]
[ProtoContract]
public partial class Square : Shape
{
    [Key(0)]
    [ProtoMember(3)]
    public int Side { get; set; }
}

/// <summary>No attribute, no contract.</summary>
public class Plain
{
    public int Number { get; set; }

    public object? Anything { get; set; }
}

/// <summary>Contains itself only through collections.</summary>
[MemoryPackable]
public partial class Tree
{
    public List<Tree>? Children { get; set; }

    public Dictionary<int, Tree>? ByNumber { get; set; }
}
