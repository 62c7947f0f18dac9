using System;
using System.Collections.Generic;
using System.Runtime.Serialization;
using System.Xml.Serialization;

namespace Formatters.Contracts.Tests;

[DataContract, MessageContract(Formats = ContractFormats.Binary)]
public partial class OptIn
{
    [DataMember(Order = 2)]
    private int _second;

    [DataMember(Name = "first", Order = 1)]
    private string _first = "";

    public OptIn()
    {
    }

    public OptIn(int none, string first, long alsoFirst, int second) => (NoOrder, _first, AlsoFirst, _second) = (none, first, alsoFirst, second);

    public int NotAMember { get; set; }

    [DataMember(Order = 1)]
    protected internal long AlsoFirst { get; private set; }

    public virtual string Text => FormattableString.Invariant($"{NoOrder} {_first} {AlsoFirst} {_second}");

    [DataMember]
    private int NoOrder { get; set; }
}

[DataContract, MessageContract(Formats = ContractFormats.Binary)]
public partial class OptInDerived : OptIn
{
    [DataMember]
    private int _second = 6;

    [DataMember(Order = 7)]
    private List<Place?>? _places;

    public OptInDerived()
    {
    }

    public OptInDerived(int none, string first, long alsoFirst, int second)
        : base(none, first, alsoFirst, second)
    {
    }

    [DataMember]
    public int Own
    {
        get => _own;
        set => _own = value;
    }

    public override string Text => FormattableString.Invariant($"{base.Text} {_second + (_places?.Count ?? 0)}");

    [IgnoreDataMember]
    private int _own;
}

[DataContract, MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial record OptInRecord([property: DataMember(Order = 3)] int Late, [MessageMember(1)] string Early)
{
    public int NotAMember { get; set; }

    [DataMember(Order = 2)]
    internal DateTime? Middle { get; init; }
}

[MessageContract(Formats = ContractFormats.Binary)]
public partial class Marked
{
    [MessageMember(3)]
    private readonly int _number;

    public Marked(int _number) => this._number = _number;

    [MessageMember]
    internal Point? Point { get; private set; } = new Point { X = 1, Y = 2 };

    public string Name { get; set; } = "";

    internal int Other { get; set; }

    public int Number => _number;
}

#pragma warning disable CA1708 // Members that differ in case only are what these are for.
[MessageContract(Formats = ContractFormats.Binary)]
public partial record CaseRecord(int X)
{
    public int x;
}

[MessageContract(Formats = ContractFormats.Binary)]
public partial class CaseClass(int Id)
{
    public int id { get; set; }

    public int Id { get; } = Id;
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public partial record CasePair([MessageMember(1)] int X, [MessageMember(2)] int x);
#pragma warning restore CA1708

public record PositionalBase([MessageMember(1)] int Id, [MessageMember(3)] string Name);

/// <summary>Its first two parameters set members of the base record, whose parameters carry the numbers.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public partial record PositionalDerived(int Id, string Name, [MessageMember(2)] double Price) : PositionalBase(Id, Name);

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed)]
public partial struct Part
{
    [MessageMember(1)]
    public int Number { get; set; }

    [MessageMember(2)]
    public string? Text { get; set; }
}

/// <summary>Made anew, of values alone: only the struct, which has a contract of its own, can hold what is reused.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed)]
public sealed partial class HasPart
{
    [MessageMember(1)]
    public int Id { get; init; }

    [MessageMember(2)]
    public Part Part { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary)]
public partial class MarkedSetter
{
    public MarkedSetter()
    {
    }

    internal MarkedSetter(int id) => Id = id;

    [MessageMember(1)]
    public int Id { get; private set; }
}

/// <summary>Structs that contracts by reflection read and write in place, and more of them than in one method.</summary>
[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public sealed partial class SmallStructs
{
    public List<ReadOnlyPoint> Made { get; set; } = [];

    public InitializedStruct[] Initialized { get; set; } = [];

    public List<TimedStruct> Timed { get; set; } = [];

    public Dictionary<byte, Point> ByKey { get; set; } = [];

    public List<(float, int)> Pairs { get; set; } = [];

    public KeyValuePair<short, double>[] Entries { get; set; } = [];

    public InitializedStruct One { get; set; } = new();

    public TimedStruct? Two { get; set; }

    public ReadOnlyPoint Three { get; set; }

    public Point Four { get; set; }

    public Point? Five { get; set; }

    public (long, float) Six { get; set; }
}

public struct InitializedStruct
{
    public InitializedStruct()
    {
    }

    public float A { get; set; } = 1.5f;

    public int? B { get; set; } = 7;

    public readonly float C => A;

    public float D { get; set; } = 3;
}

public struct TimedStruct
{
    public DateTimeOffset Time { get; set; }

    public float Value { get; set; }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial struct MarkedStruct
{
    [MessageMember]
    private string? _text;

    public int Id { get; set; }

    public readonly string? Text => _text;
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class XmlOrdered
{
    [XmlElement(Order = 2)]
    public int B;

    [XmlElement("c", Order = 1)]
    public string C { get; set; } = "";

    [XmlArray(Order = 0)]
    public int[] A { get; set; } = [];

    [XmlAttribute("d")]
    public int D { get; set; }
}

/// <summary>Members of types that nothing outside can name, by themselves and in other types; and of one with the name that generated code gives to the contract's own.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public partial class PrivateTypes
{
    [MessageMember(1)]
    private Part _part = new();

    [MessageMember(2)]
    private List<Part> _parts = [];

    [MessageMember(3)]
    private Dictionary<string, Level> _levels = [];

    [MessageMember(4)]
    private protected Pair Both { get; set; }

    [MessageMember(5)]
    private Own? _own;

    [MessageMember(6)]
    private List<Own> _owns = [];

    [MessageMember(7)]
    public Self? Self { get; set; }

    public string Text => $"{_part.Number} {_parts.Count} {_levels.Count} {Both.First} {_own?.Number} {_owns.Count}";

    public static PrivateTypes Create() => new()
    {
        _part = new Part { Number = 1 },
        _parts = [new Part()],
        _levels = new() { ["a"] = Level.High },
        Both = new Pair { First = 2 },
        _own = new Own { Number = 3 },
        _owns = [new Own(), new Own()],
        Self = new Self { Number = 4 },
    };

    private enum Level : byte
    {
        Low,
        High,
    }

    protected private struct Pair
    {
        [MessageMember(1)]
        public int First { get; set; }
    }

    private sealed class Part
    {
        [MessageMember(1)]
        public int Number { get; set; }
    }

    [MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
    private sealed partial class Own
    {
        [MessageMember(1)]
        public int Number { get; set; }
    }
}

public class Self
{
    [MessageMember(1)]
    public int Number { get; set; }
}

public class HiddenBase
{
    [MessageMember(1)]
    public int Private { get; set; }

    [MessageMember(2)]
    public int Static { get; set; }

    [MessageMember(3)]
    public string Method { get; set; } = "";

    [MessageMember(4)]
    public int Type;

    [IgnoreDataMember]
    public int Replaced { get; set; }
}

/// <summary>Gives the names of its base's members to other things, which take the place of none but the last, which is left out by name.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public partial class Hiding : HiddenBase
{
    [MessageMember(6)]
    public int Own { get; set; }

    [MessageMember(7)]
    public new long Replaced { get; set; }

    public static new int Static { get; set; } = 77;

    private new int Private { get; set; } = 77;

    public int GetPrivate() => Private;

    public new int Method() => Own;

    public new class Type;
}

public class CalledTwiceBase
{
    public int Id { get; set; }

    [System.Runtime.Serialization.IgnoreDataMember]
    public string Calls { get; set; } = "";

    [OnDeserialized]
    public void Done() => Calls += "base ";
}

/// <summary>Has a callback of the name of its base's: each is called.</summary>
[MessageContract(Formats = ContractFormats.Binary)]
public partial class CalledTwice : CalledTwiceBase
{
    [OnDeserialized]
    public new void Done() => Calls += "derived ";
}

[MessageContract(Formats = ContractFormats.Protobuf | ContractFormats.Versioned | Formats.Traversed)]
public readonly partial record struct PositionalPoint([MessageMember(2)] int X, [MessageMember(1)] int Y);
