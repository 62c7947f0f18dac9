using System;
using System.Collections.Generic;
using System.Text.Json.Serialization;
using Formatters.Binary;
using Formatters.Contracts.Tests;
using Formatters.LegacyBinary;

namespace Formatters.HostileBodies;

public enum Colour : byte
{
    Red = 1,
    Blue = 7,
}

/// <summary>Something of everything that all formats have.</summary>
[Serializable]
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf | ContractFormats.Xml)]
public partial class Parcel
{
    [MessageMember(1)]
    public int Number { get; set; }

    [MessageMember(2)]
    public string Text { get; set; } = "";

    [MessageMember(3)]
    public string? Note { get; set; }

    [MessageMember(4)]
    public bool Flag { get; set; }

    [MessageMember(5)]
    public long Long { get; set; }

    [MessageMember(6)]
    public double Real { get; set; }

    [MessageMember(7)]
    public decimal Amount { get; set; }

    [MessageMember(8)]
    public DateTime Time { get; set; }

    [MessageMember(9)]
    public Guid Id { get; set; }

    [MessageMember(10)]
    public byte[] Bytes { get; set; } = [];

    [MessageMember(11)]
    public Colour Colour { get; set; }

    [MessageMember(12)]
    public int? Maybe { get; set; }

    [MessageMember(13)]
    public List<int> Numbers { get; set; } = [];

    [MessageMember(14)]
    public List<string> Texts { get; set; } = [];

    [MessageMember(15)]
    public List<Part> Parts { get; set; } = [];

    [MessageMember(16)]
    public Parcel? Inner { get; set; }

    [MessageMember(17)]
    public char Sign { get; set; } = 'x';

    internal static Parcel Create(Random random, int levelCount) => new()
    {
        Number = random.Next(),
        Text = Secret.Text(random),
        Note = random.Next(2) == 0 ? null : Secret.Text(random),
        Flag = random.Next(2) == 0,
        Long = random.NextInt64(),
        Real = random.NextDouble(),
        Amount = random.Next() / 100m,
        Time = new DateTime(2026, 11, 20, 9, 0, 0, DateTimeKind.Utc).AddSeconds(random.Next()),
        Id = new Guid(random.Next(), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
        Bytes = [1, 2, 3, (byte)random.Next(256)],
        Colour = Colour.Blue,
        Maybe = random.Next(2) == 0 ? null : random.Next(),
        Numbers = [1, 2, random.Next()],
        Texts = [Secret.Text(random), ""],
        Parts = [new Part { Name = Secret.Text(random), Price = 1.5m }, new Part { Name = "", Count = -1 }],
        Inner = levelCount > 1 ? Create(random, levelCount - 1) : null,
    };
}

[Serializable]
public sealed class Part
{
    [MessageMember(1)]
    public string Name { get; set; } = "";

    [MessageMember(2)]
    public decimal Price { get; set; }

    [MessageMember(3)]
    public int Count { get; set; }
}

/// <summary>Keys, and cases of a union: what XmlSerializer does not write.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public partial class Table
{
    [MessageMember(1)]
    public Dictionary<long, string> ByLong { get; set; } = [];

    [MessageMember(2)]
    public Dictionary<string, int> ByText { get; set; } = [];

    [MessageMember(3)]
    public HashSet<long> Set { get; set; } = [];

    [MessageMember(4)]
    public List<Shape> Shapes { get; set; } = [];

    [MessageMember(5)]
    public Dictionary<Guid, Part> ByGuid { get; set; } = [];

    internal static Table Create(Random random) => new()
    {
        ByLong = { [random.NextInt64()] = Secret.Text(random), [3] = "" },
        ByText = { [Secret.Text(random)] = random.Next(), [""] = 0 },
        Set = [1, random.NextInt64()],
        Shapes = [new Circle { Radius = 1.5 }, new Square { Side = random.Next() }],
        ByGuid = { [new Guid(random.Next(), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)] = new Part { Name = Secret.Text(random) } },
    };
}

[MessageUnion(1, typeof(Circle))]
[MessageUnion(2, typeof(Square))]
[JsonDerivedType(typeof(Circle), "circle")]
[JsonDerivedType(typeof(Square), "square")]
public abstract class Shape;

public sealed class Circle : Shape
{
    [MessageMember(1)]
    public double Radius { get; set; }
}

public sealed class Square : Shape
{
    [MessageMember(1)]
    public int Side { get; set; }
}

/// <summary>Saved and loaded by hand.</summary>
public sealed class HandCodedPart : IBinaryBody
{
    public string Name { get; set; } = "";

    public decimal Price { get; set; }

    public int[] Numbers { get; set; } = [];

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Name);
        writer.Write(Price);
        writer.Write(Numbers.Length);
        foreach (int number in Numbers)
            writer.Write(number);
    }

    public void Load(ref BinaryBodyReader reader)
    {
        Name = reader.ReadString();
        Price = reader.ReadDecimal();
        Numbers = new int[reader.ReadCount(sizeof(int))];
        for (int i = 0; i < Numbers.Length; i++)
            Numbers[i] = reader.ReadInt32();
    }
}

/// <summary>As deep as one likes.</summary>
[Serializable]
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf | ContractFormats.Xml)]
public partial class Node
{
    [MessageMember(1)]
    public Node? Next { get; set; }

    internal static Node Chain(int count)
    {
        Node? first = null;
        for (int i = 0; i < count; i++)
            first = new Node { Next = first };
        return first!;
    }
}

/// <summary>As deep as one likes, by way of a constructor and of a structure.</summary>
public sealed record Chain(Link Link, List<Chain>? Others = null, Dictionary<string, Chain>? Named = null);

public record struct Link(Chain? Next, decimal A, decimal B, Guid C, Int128 D);

[JsonSerializable(typeof(Node))]
[JsonSerializable(typeof(Parcel))]
[JsonSerializable(typeof(Table))]
[JsonSerializable(typeof(Dictionary<long, int>))]
[JsonSourceGenerationOptions(MaxDepth = 1_000_000)]
internal sealed partial class DeepContext : JsonSerializerContext;

[JsonSerializable(typeof(Parcel))]
[JsonSerializable(typeof(Table))]
internal sealed partial class JsonContext : JsonSerializerContext;

[LegacyBinaryContract(typeof(Node), typeof(Parcel), typeof(Part), typeof(Dictionary<long, int>))]
internal static partial class LegacyContracts;

/// <summary>What no text of an error may show: it stands in all good bodies.</summary>
internal static class Secret
{
    internal const string Word = "s3cr3t";

    internal static string Text(Random random) => $"{Word} {random.Next(100)} \u00e4\u20ac";
}
