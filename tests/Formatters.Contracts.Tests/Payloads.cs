using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.Serialization;
using System.Xml.Serialization;
using Formatters.Binary;

namespace Formatters.Contracts.Tests;

// Types that generator and reflection both know: DifferentialTests holds one against the other.

public enum Colour : byte
{
    Red = 1,
    Blue = 7,
}

public enum Far : long
{
    Near = 0,
    Away = long.MaxValue,
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Scalars
{
    public bool Bool;
    public byte Byte;
    public sbyte SByte;
    public short Int16;
    public ushort UInt16;
    public int Int32;
    public uint UInt32;
    public long Int64;
    public ulong UInt64;
    public float Single;
    public double Double;
    public decimal Decimal;
    public char Char;
    public string Text = "";
    public DateTime DateTime;
    public DateTimeOffset DateTimeOffset;
    public TimeSpan TimeSpan { get; set; }
    public Guid Guid { get; set; }
    public Colour Colour { get; set; }
    public Far Far { get; set; }
    public byte[] Bytes { get; set; } = [];
}

#if !FORMATTERS_NETSTANDARD
[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class NetScalars
{
    public Half Half;
    public DateOnly Date;
    public TimeOnly Time;
    public Int128 Big;
    public UInt128? Bigger;
    public Dictionary<DateOnly, Half> Days { get; set; } = [];
}
#endif

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Nullables
{
    public int? Number;
    public string? Text;
    public string Name { get; set; } = "";
    public Colour? Colour { get; set; }
    public DateTime? Time;
    public Point? Point { get; set; }
    public Place? Place { get; set; }
    public byte[]? Bytes { get; set; }
    public List<string?>? Texts { get; set; }
    public decimal? Amount { get; set; }
    public char? Sign { get; set; }
    public int Last;
}

// Not annotated: part of the contract of what holds them.
public struct Point
{
    public int X;
    public int Y { get; set; }
}

public sealed class Place
{
    public string Name { get; set; } = "";
    public double Latitude { get; set; }
    public double Longitude { get; set; }
    public Colour Colour { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Collections
{
    public int[] Array = [];
    public int[][] Jagged = [];
    public List<string> List = [];
    public List<string?> NullableElements { get; set; } = [];
    public Point[] Structs { get; set; } = [];
    public List<Place> Objects { get; set; } = [];
    public List<Place?> MaybeObjects { get; set; } = [];
    public IList<int> Interface { get; set; } = [];
    public IReadOnlyList<long> ReadOnly { get; set; } = [];
    public IEnumerable<DateTime> Times { get; set; } = [];
    public Dictionary<string, int> Counts { get; set; } = [];
    public Dictionary<Colour, string?> Map { get; set; } = [];
    public IDictionary<int, Place> MapInterface { get; set; } = new Dictionary<int, Place>();
    public List<int?> MaybeNumbers { get; set; } = [];
    public KeyValuePair<int, string>[] Pairs { get; set; } = [];
    public (int Id, string Name, Place? Place) Tuple { get; set; } = (0, "", null);
    public Tuple<int, string> Classic { get; set; } = new(0, "");
    public Far[] Enums { get; set; } = [];

    [ElementType(typeof(Place))]
    public ArrayList Places { get; set; } = [];

    [XmlArrayItem(typeof(int))]
    public ArrayList Numbers { get; set; } = [];
}

public class Base
{
    public int BaseField;
    public int BaseProperty { get; set; }
    public virtual int Virtual { get; set; }
#pragma warning disable FMT108 // It is not in the contract, and that is the point.
    public int PrivateSet { get; private set; }
#pragma warning restore FMT108
    public string GetOnly => BaseField.ToString(CultureInfo.InvariantCulture);
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Derived : Base
{
    public int Property { get; set; }
    public int Field;
    public override int Virtual { get; set; }
    [IgnoreDataMember]
    public int Ignored { get; set; }
    [XmlIgnore]
    public int XmlIgnored;
    internal int Internal { get; set; }
    public static int Static { get; set; }
    public int this[int index] => index;
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial record Positional(int Id, string Name, int[] Numbers)
{
    public int Extra { get; init; }
    public string? Optional { get; set; }
    public int Computed => Id * 2;
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial record struct RecordStruct(int Number, string Text);

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public readonly partial struct ReadOnlyPoint
{
    public ReadOnlyPoint(int x, int y) => (X, Y) = (x, y);

    public int X { get; }
    public int Y { get; }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public sealed partial class Required
{
    public required string Name { get; init; }
    public required int Number;
    public Point Point { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public sealed partial class ReadOnlyFields(int number, string text)
{
    public readonly int Number = number;
    public readonly string Text = text;
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Empty;

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed), AllowDerived]
public partial class Node
{
    public int Value { get; set; }
    public Node? Next { get; set; }
    public List<Node> Children { get; set; } = [];
}

public class Box<T>
{
    public T Value { get; set; } = default!;
}

public sealed class MaybeBox<T>
{
    public T? Value { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class HasBoxes
{
    public Box<string> Text { get; set; } = new() { Value = "" };
    public Box<string?> Maybe { get; set; } = new();
    public MaybeBox<string> Always { get; set; } = new();
    public Box<List<Box<int>>> Deep { get; set; } = new() { Value = [] };
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Picky
{
    private int _set;

    public Picky(int made) => Made = made >= 0 ? made : throw new ArgumentOutOfRangeException(nameof(made));

    public int Made { get; }

    public int Set
    {
        get => _set;
        set => _set = value >= 0 ? value : throw new InvalidOperationException("Negative.");
    }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class PickySetter
{
    private int _set;

    public int Before { get; set; }

    public int Set
    {
        get => _set;
        set => _set = value >= 0 ? value : throw new InvalidOperationException("Negative.");
    }

    public int After { get; set; }
    public int Last { get; set; }
}

/// <summary>Brings its own Save and Load, in which it calls a generated contract.</summary>
public sealed class OwnBody : IBinaryBody
{
    public int Number { get; set; }
    public Node Node { get; set; } = new();

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Number);
        Node.MessageContract.Binary.Write(ref writer, Node);
    }

    public void Load(ref BinaryBodyReader reader)
    {
        Number = reader.ReadInt32();
        Node = Node.MessageContract.Binary.Read(ref reader, Node);
    }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class HasOwn
{
    public OwnBody Own { get; set; } = new();
    public List<OwnBody> Owns { get; set; } = [];
    public OwnBody? Maybe { get; set; }
    public int Last { get; set; }
}

public static partial class Outer
{
    [MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
    internal sealed partial class Inner
    {
        public int @class;
        public Colour Colour { get; set; }
        public List<Inner>? Inners { get; set; }
    }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Wide
{
    public string A { get; set; } = "";
    public int B { get; set; }
    public int C { get; set; }
    public string? D { get; set; }
    public int? E { get; set; }
    public long F { get; set; }
    public byte[] G { get; set; } = [];
    public double H { get; set; }
    public bool I { get; set; }
    public short J { get; set; }
    public string K { get; set; } = "";
}

[MessageContractFor(typeof(Box<string>), Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(List<Place>), Name = "Places", Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(Dictionary<string, Point?>), Name = "PointsByName", Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(int[][]), Name = "Jagged", Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(OwnBody), Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(Node), Name = "NodeAgain", Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof((int, string)), Name = "Pair", Formats = ContractFormats.Binary | Formats.Traversed)]
[MessageContractFor(typeof(string), Name = "Text", Formats = ContractFormats.Binary | Formats.Traversed)]
internal static partial class ContextContracts;
