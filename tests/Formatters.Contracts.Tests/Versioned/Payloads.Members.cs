using System;
using System.Collections;
using System.Collections.Generic;
#if !NETFRAMEWORK
using System.Collections.Immutable;
#endif
using System.Collections.ObjectModel;
using System.Net;
using System.Numerics;
using System.Runtime.Serialization;
using Formatters.Binary;

namespace Formatters.Contracts.Tests.Versioned;

// What may be a member beside public ones of plain types: unions, formatters, private members, callbacks, further values and collections.

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.Protobuf)]
[MessageUnion(1, typeof(Circle)), MessageUnion(2, typeof(Group)), MessageUnion(300, typeof(Square)), MessageUnion(4, typeof(Flushing)), MessageUnion(typeof(UnknownShape))]
public abstract partial class Shape
{
    [MessageMember(1)] public int Id { get; set; }
}

public sealed class Circle : Shape
{
    [MessageMember(2)] public double Radius { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.Protobuf)]
public sealed partial class Group : Shape
{
    [MessageMember(2)] public List<Shape?> Shapes { get; set; } = [];
    public UnknownMembers? Unknown { get; set; }
}

public sealed class Square : Shape
{
    public Square([MessageMember(1)] int id, [MessageMember(2)] string name) => (Id, Name) = (id, name);

    public string Name { get; }
}

public sealed class Flushing : Shape, IBinaryBody
{
    [MessageMember(2)] public int Number { get; set; }

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Number);
        writer.Flush();
    }

    public void Load(ref BinaryBodyReader reader) => Number = reader.ReadInt32();
}

public sealed class UnknownShape : Shape, IUnknownCase
{
    public int Tag { get; set; }
    public ReadOnlyMemory<byte> Body { get; set; }
    public int BodyType { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class Drawing
{
    [MessageMember(1)] public Shape First { get; set; } = new Circle();
    [MessageMember(2)] public List<Shape> Shapes { get; set; } = [];
    [MessageMember(3)] public Shape? Maybe { get; set; }
    [MessageMember(4)] public int Last { get; set; }
    [MessageMember(5)] public Dictionary<int, Shape> ByNumber { get; set; } = [];
}

/// <summary>What <see cref="Shape"/> was before there were squares, and circles had an id.</summary>
[MessageUnion(1, typeof(OldCircle)), MessageUnion(typeof(UnknownOldShape))]
public interface IOldShape;

public sealed class OldCircle : IOldShape
{
    [MessageMember(2)] public double Radius { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

public sealed class UnknownOldShape : IOldShape, IUnknownCase
{
    public int Tag { get; set; }
    public ReadOnlyMemory<byte> Body { get; set; }
    public int BodyType { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class OldDrawing
{
    [MessageMember(1)] public IOldShape First { get; set; } = new OldCircle();
    [MessageMember(2)] public List<IOldShape> Shapes { get; set; } = [];
    [MessageMember(4)] public int Last { get; set; }
    public UnknownMembers? Unknown { get; set; }
}

[MessageUnion(0, typeof(Cat)), MessageUnion(127, typeof(Fish))]
public interface IPet;

public sealed class Cat : IPet
{
    [MessageMember(1)] public string Name { get; set; } = "";
    [MessageMember(2)] public IPet? Prey { get; set; }
}

public struct Fish : IPet
{
    [MessageMember(1)] public int Length;
}

[MessageContract(Formats = ContractFormats.Versioned)]
public partial class HasPet
{
    [MessageMember(1)] public int Id;
    [MessageMember(2)] public IPet Pet { get; set; } = new Cat();
    [MessageMember(3)] public IPet?[] Pets { get; set; } = [];
}

[MessageContract(Formats = ContractFormats.Versioned)]
public partial class HasFormatted
{
    [MessageMember(1), MemberCodec(typeof(CentsFormatter))] public decimal Cents { get; set; }
    [MessageMember(2), MemberCodec(typeof(CentsFormatter))] public decimal? MaybeCents { get; set; }
    [MessageMember(3)] public Money Money { get; set; } = new(0, "");
    [MessageMember(4)] public Money? MaybeMoney { get; set; }
    [MessageMember(5)] public List<Money> Monies { get; set; } = [];
    [MessageMember(6), MemberCodec(typeof(IPAddressFormatter))] public IPAddress Address { get; set; } = IPAddress.Any;
    [MessageMember(7), MemberCodec(typeof(ShortBufferFormatter))] public List<byte> Buffer { get; set; } = [];
    [MessageMember(8)] public Level Level { get; set; }
    [MessageMember(9)] public int Last { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned)]
public partial class HasMoney
{
    [MessageMember(1)] public Money Money { get; set; }
    [MessageMember(2)] public Money? Maybe { get; set; }
    [MessageMember(3)] public List<Money?> Monies { get; set; } = [];
}

[DataContract, MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class OptIn
{
    [DataMember(Order = 2)]
    private int _second;

    [DataMember(Name = "first", Order = 1)]
    private string _first = "";

    public OptIn()
    {
    }

    public OptIn(int third, string first, long fourth, int second) => (Third, _first, Fourth, _second) = (third, first, fourth, second);

    public int NotAMember { get; set; }

    [DataMember(Order = 4)]
    protected internal long Fourth { get; private set; } = 4;

    public virtual string Text => FormattableString.Invariant($"{Third} {_first} {Fourth} {_second}");

    [DataMember(Order = 9), MessageMember(3)]
    private int Third { get; set; } = 3;
}

[DataContract, MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class OptInDerived : OptIn
{
    [DataMember(Order = 5)]
    private List<Place?>? _places = [];

    public OptInDerived()
    {
    }

    public OptInDerived(int third, string first, long fourth, int second)
        : base(third, first, fourth, second)
    {
    }

    public UnknownMembers? Unknown { get; set; }

    public override string Text => FormattableString.Invariant($"{base.Text} {_places?.Count}");
}

/// <summary>Its code is in one format, and has the accessors for <see cref="VersionedOfBinary"/> in another.</summary>
[DataContract, MessageContract(Formats = ContractFormats.Binary)]
public partial class BinaryBase
{
    [DataMember(Order = 1)]
    private int _id;

    public void SetId(int id) => _id = id;

    public int GetId() => _id;
}

[DataContract, MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class VersionedOfBinary : BinaryBase
{
    [DataMember(Order = 2)]
    public string Name { get; set; } = "";
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class Marked
{
    [MessageMember(3)]
    private readonly int _number;

    public Marked([MessageMember(3)] int _number) => this._number = _number;

    [MessageMember(1)]
    internal Point? Point { get; private set; } = new Point { X = 1, Y = 2 };

    [MessageMember(2)]
    public string Name { get; set; } = "";

    internal int Other { get; set; }

    public int Number() => _number;
}

/// <summary>A part of what <see cref="OptInDerived"/> has: another table for it.</summary>
[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class OptInPart
{
    [MessageMember(1)] public string First { get; set; } = "";
    [MessageMember(30)] public int Further { get; set; }
}

[MessageContract(Formats = ContractFormats.Versioned)]
public partial class Further
{
    [MessageMember(1)] public Uri Uri { get; set; } = new("a", UriKind.Relative);
    [MessageMember(2)] public Version? Version { get; set; }
    [MessageMember(3)] public BigInteger Big { get; set; }
    [MessageMember(4)] public ReadOnlyMemory<byte> Memory { get; set; }
    [MessageMember(5)] public HashSet<int> Set { get; set; } = [];
    [MessageMember(6)] public Queue<Place> Queue { get; set; } = [];
    [MessageMember(7)] public Stack<string> Stack { get; set; } = [];
#if !NETFRAMEWORK
    [MessageMember(8)] public ImmutableArray<int> Immutable { get; set; } = [];
    [MessageMember(9)] public ImmutableDictionary<string, Place>? Map { get; set; }
#endif
    [MessageMember(10)] public SortedDictionary<string, int> Sorted { get; set; } = [];
    [MessageMember(11)] public int[,] Grid { get; set; } = new int[0, 0];
    [MessageMember(12), ElementType(typeof(int), KeyType = typeof(string))] public Hashtable Table { get; set; } = [];
    [MessageMember(13), ElementType(typeof(Place))] public IList Objects { get; set; } = new ArrayList();
    [MessageMember(14)] public ReadOnlyCollection<int> ReadOnly { get; set; } = new([]);
}

/// <summary>An older <see cref="Further"/>: a new object of that has null in what is missing here.</summary>
[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class FurtherOld
{
    [MessageMember(1)] public Uri Uri { get; set; } = new("a", UriKind.Relative);
}

[MessageContract(Formats = ContractFormats.Versioned)]
public partial class FurtherNulls
{
    [MessageMember(1)] public Uri Uri { get; set; } = new("a", UriKind.Relative);
    [MessageMember(5)] public HashSet<int> Set { get; set; } = null!;
    [MessageMember(6)] public Queue<Place> Queue { get; set; } = null!;
#if !NETFRAMEWORK
    [MessageMember(8)] public ImmutableArray<int> Immutable { get; set; }
#endif
    [MessageMember(10)] public SortedDictionary<string, int> Sorted { get; set; } = null!;
    [MessageMember(11)] public int[,] Grid { get; set; } = null!;
    [MessageMember(12), ElementType(typeof(int), KeyType = typeof(string))] public Hashtable Table { get; set; } = null!;
    [MessageMember(13), ElementType(typeof(Place))] public IList Objects { get; set; } = null!;
    [MessageMember(3)] public BigInteger Big { get; set; }
}

#if !NETFRAMEWORK
[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial record FurtherRecord([MessageMember(1)] Uri Uri, [MessageMember(8)] ImmutableArray<int> Immutable, [MessageMember(5)] HashSet<int> Set);
#endif

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class NeedsVersion
{
    [MessageMember(1)] public Uri Uri { get; set; } = new("a", UriKind.Relative);
    [MessageMember(2)] public Version Version { get; set; } = null!;
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class CalledBase
{
    private readonly List<string> _calls = [];

    [MessageMember(1)] public int Id { get; set; }

    [IgnoreDataMember]
    public List<string> Calls => _calls;

    [OnSerializing]
    private void BaseSerializing() => _calls.Add("base serializing");

    [OnDeserialized]
    private void BaseDeserialized() => _calls.Add(FormattableString.Invariant($"base deserialized {Id}"));
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class Called : CalledBase
{
    [MessageMember(2)] public string Text { get; set; } = "";
    [MessageMember(3)] public CalledStruct Struct { get; set; }
    public UnknownMembers? Unknown { get; set; }

    [OnSerializing]
    internal void Serializing(StreamingContext context) => Calls.Add(FormattableString.Invariant($"serializing {Id}"));

    [OnSerialized]
    internal void Serialized() => Calls.Add("serialized");

    [OnDeserializing]
    private void Deserializing() => Calls.Add("deserializing");

    [OnDeserialized]
    private void Deserialized(StreamingContext context) => Calls.Add($"deserialized {Text}");
}

/// <summary>A newer <see cref="Called"/>.</summary>
[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class CalledNew
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(4)] public int Further { get; set; }
}

/// <summary>Is written as the double of what it holds.</summary>
[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial struct CalledStruct
{
    [MessageMember(1)] public int Twice { get; set; }

    [OnSerializing]
    public void Double() => Twice = unchecked(Twice * 2);

    [OnDeserialized]
    public void Halve(StreamingContext context) => Twice /= 2;
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial record CalledRecord([MessageMember(1)] int Id)
{
    private string _log = "";

    [MessageMember(2)] public int Set { get; set; }

    public string Log() => _log;

    [OnDeserializing]
    private void Deserializing() => _log = FormattableString.Invariant($"deserializing {Id} {Set}");

    [OnDeserialized]
    private void Deserialized() => _log += FormattableString.Invariant($", deserialized {Id} {Set}");
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class Refusing
{
    [MessageMember(1)] public int Number { get; set; }

    [OnDeserialized]
    public void Check()
    {
        if (Number < 0)
            throw new ArgumentException("Negative.");
    }
}

[MessageContract(Formats = ContractFormats.Versioned | ContractFormats.Protobuf)]
public partial class HasRefusing
{
    [MessageMember(1)] public List<Refusing> List { get; set; } = [];
    [MessageMember(2)] public int Last { get; set; }
}
