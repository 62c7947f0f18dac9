using System;
using System.Collections;
using System.Collections.Generic;
using System.Runtime.Serialization;
using Formatters.Binary;

namespace Formatters.Contracts.Tests.Versioned;

// Types with numbers, which generator and reflection both know: VersionedDifferentialTests holds one against the other.

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class Scalars
{
    [MessageMember(1)] public bool Bool;
    [MessageMember(2)] public byte Byte;
    [MessageMember(3)] public sbyte SByte;
    [MessageMember(4)] public short Int16;
    [MessageMember(5)] public ushort UInt16;
    [MessageMember(6)] public int Int32;
    [MessageMember(7)] public uint UInt32;
    [MessageMember(8)] public long Int64;
    [MessageMember(9)] public ulong UInt64;
    [MessageMember(10)] public float Single;
    [MessageMember(11)] public double Double;
    [MessageMember(12)] public decimal Decimal;
    [MessageMember(13)] public char Char;
    [MessageMember(14)] public string Text = "";
    [MessageMember(15)] public DateTime DateTime;
    [MessageMember(16)] public DateTimeOffset DateTimeOffset;
    [MessageMember(17)] public TimeSpan TimeSpan { get; set; }
    [MessageMember(18)] public Guid Guid { get; set; }
    [MessageMember(19)] public Colour Colour { get; set; }
    [MessageMember(20)] public Far Far { get; set; }
    [MessageMember(21)] public byte[] Bytes { get; set; } = [];
}

#if !FORMATTERS_NETSTANDARD
[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class NetScalars
{
    [MessageMember(1)] public Half Half;
    [MessageMember(2)] public DateOnly Date;
    [MessageMember(3)] public TimeOnly Time;
    [MessageMember(4)] public Int128 Big;
    [MessageMember(5)] public UInt128? Bigger;
    [MessageMember(6)] public Dictionary<DateOnly, Half> Days { get; set; } = [];
}
#endif

/// <summary>Numbers that are not in the order of the declaration, with gaps.</summary>
[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
[RetiredMembers(4, 5)]
public partial class Nullables
{
    [MessageMember(12)] public int? Number;
    [MessageMember(11)] public string? Text;
    [MessageMember(10)] public string Name { get; set; } = "";
    [MessageMember(9)] public Colour? Colour { get; set; }
    [MessageMember(8)] public DateTime? Time;
    [MessageMember(7)] public Point? Point { get; set; }
    [MessageMember(6)] public Place? Place { get; set; }
    [MessageMember(3)] public byte[]? Bytes { get; set; }
    [MessageMember(2)] public List<string?>? Texts { get; set; }
    [MessageMember(1)] public decimal? Amount { get; set; }
    [MessageMember(40)] public char? Sign { get; set; }
    [MessageMember(200)] public int Last;
    [DataMember(Order = 255)] public DateTimeOffset? Offset;
    [MessageMember(100)] public (int, string?)? Pair;
}

public struct Point
{
    [MessageMember(1)] public int X;
    [MessageMember(2)] public int Y { get; set; }
}

public sealed class Place
{
    [MessageMember(1)] public string Name { get; set; } = "";
    [MessageMember(2)] public double Latitude { get; set; }
    [MessageMember(3)] public double Longitude { get; set; }
    [MessageMember(4)] public Colour Colour { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)]
public partial class Collections
{
    [MessageMember(1)] public int[] Array = [];
    [MessageMember(2)] public int[][] Jagged = [];
    [MessageMember(3)] public List<string> List = [];
    [MessageMember(4)] public List<string?> NullableElements { get; set; } = [];
    [MessageMember(5)] public Point[] Structs { get; set; } = [];
    [MessageMember(6)] public List<Place> Objects { get; set; } = [];
    [MessageMember(7)] public List<Place?> MaybeObjects { get; set; } = [];
    [MessageMember(8)] public IList<int> Interface { get; set; } = [];
    [MessageMember(9)] public IReadOnlyList<long> ReadOnly { get; set; } = [];
    [MessageMember(10)] public IEnumerable<DateTime> Times { get; set; } = [];
    [MessageMember(11)] public Dictionary<string, int> Counts { get; set; } = [];
    [MessageMember(12)] public Dictionary<Colour, string?> Map { get; set; } = [];
    [MessageMember(13)] public IDictionary<int, Place> MapInterface { get; set; } = new Dictionary<int, Place>();
    [MessageMember(14)] public List<int?> MaybeNumbers { get; set; } = [];
    [MessageMember(15)] public KeyValuePair<int, string>[] Pairs { get; set; } = [];
    [MessageMember(16)] public (int Id, string Name, Place? Place) Tuple { get; set; } = (0, "", null);
    [MessageMember(17)] public Tuple<int, string> Classic { get; set; } = new(0, "");
    [MessageMember(18)] public Far[] Enums { get; set; } = [];
    [MessageMember(19), ElementType(typeof(Place))] public ArrayList Places { get; set; } = [];
    [MessageMember(20), ElementType(typeof(int))] public ArrayList Numbers { get; set; } = [];
}

public class Base
{
    [MessageMember(2)] public int BaseField;
    [MessageMember(4)] public virtual int Virtual { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class Derived : Base
{
    [MessageMember(1)] public int Property { get; set; }
    [MessageMember(3)] public string Field = "";
    public override int Virtual { get; set; }
    [IgnoreDataMember] public int Ignored { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial record Positional([MessageMember(3)] int Id, [MessageMember(1)] string Name, [MessageMember(4)] int[] Numbers, [MessageMember(6)] Colour Colour = Colour.Blue)
{
    [MessageMember(2)] public int Extra { get; init; } = 7;
    [MessageMember(5)] public string? Optional { get; set; }
    public UnknownMembers? Unknown { get; init; }
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial record struct RecordStruct([property: MessageMember(1)] int Number, [property: MessageMember(2)] string Text);

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public readonly partial struct ReadOnlyPoint
{
    public ReadOnlyPoint(int x, int y) => (X, Y) = (x, y);

    [MessageMember(1)] public int X { get; }
    [MessageMember(2)] public int Y { get; }
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public sealed partial class Required
{
    [MessageMember(1)] public required string Name { get; init; }
    [MessageMember(2)] public required int Number;
    [MessageMember(3)] public Point Point { get; set; }
    [MessageMember(4)] public List<int> Numbers { get; init; } = [];
    [MessageMember(5)] public Place? Place { get; init; }
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class Empty;

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class Node
{
    [MessageMember(1)] public int Value { get; set; }
    [MessageMember(2)] public Node? Next { get; set; }
    [MessageMember(3)] public List<Node> Children { get; set; } = [];
    public UnknownMembers? Unknown { get; set; }
}

public class Box<T>
{
    [MessageMember(1)] public T Value { get; set; } = default!;
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class HasBoxes
{
    [MessageMember(1)] public Box<string> Text { get; set; } = new() { Value = "" };
    [MessageMember(2)] public Box<string?> Maybe { get; set; } = new();
    [MessageMember(3)] public Box<List<Box<int>>> Deep { get; set; } = new() { Value = [] };
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class PickySetter
{
    private int _set;

    [MessageMember(1)] public int Before { get; set; }

    [MessageMember(2)] public int Set
    {
        get => _set;
        set => _set = value >= 0 ? value : throw new InvalidOperationException("Negative.");
    }

    [MessageMember(3)] public int After { get; set; }
}

/// <summary>Brings its own Save and Load, in which it calls a generated contract.</summary>
public sealed class OwnBody : IBinaryBody
{
    [MessageMember(1)] public int Number { get; set; }
    [MessageMember(2)] public Node Node { get; set; } = new();

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Number);
        Node.MessageContract.Versioned.Write(ref writer, Node);
    }

    public void Load(ref BinaryBodyReader reader)
    {
        Number = reader.ReadInt32();
        Node = Node.MessageContract.Versioned.Read(ref reader, Node);
    }
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class HasOwn
{
    [MessageMember(1)] public OwnBody Body { get; set; } = new();
    [MessageMember(2)] public OwnBody? Maybe { get; set; }
    [MessageMember(3)] public List<OwnBody> Bodies { get; set; } = [];
    [MessageMember(4)] public Scalars Scalars { get; set; } = new();
}

[MessageContractFor(typeof(Box<string>), Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
[MessageContractFor(typeof(List<Place>), Name = "Places", Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.Protobuf)]
[MessageContractFor(typeof(Dictionary<string, Point?>), Name = "PointsByName", Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
[MessageContractFor(typeof(int[][]), Name = "Jagged", Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
[MessageContractFor(typeof(OwnBody), Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
[MessageContractFor(typeof(Node), Name = "NodeAgain", Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
[MessageContractFor(typeof((int, Point)), Name = "Pair", Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
[MessageContractFor(typeof(string), Name = "Text", Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
internal static partial class ContextContracts;
