using System;
using System.Collections.Generic;
using System.Runtime.Serialization;
using System.Xml.Serialization;

namespace Formatters.Contracts.Tests;

[DataContract, MessageContract]
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

[DataContract, MessageContract]
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

[DataContract, MessageContract(Formats = ContractFormats.Binary | ContractFormats.MessagePack)]
public partial record OptInRecord([property: DataMember(Order = 3)] int Late, [MessageMember(1)] string Early)
{
    public int NotAMember { get; set; }

    [DataMember(Order = 2)]
    internal DateTime? Middle { get; init; }
}

[MessageContract]
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
[MessageContract]
public partial record CaseRecord(int X)
{
    public int x;
}

[MessageContract]
public partial class CaseClass(int Id)
{
    public int id { get; set; }

    public int Id { get; } = Id;
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf)]
public partial record CasePair([MessageMember(1)] int X, [MessageMember(2)] int x);
#pragma warning restore CA1708

[MessageContract]
public partial class MarkedSetter
{
    public MarkedSetter()
    {
    }

    internal MarkedSetter(int id) => Id = id;

    [MessageMember(1)]
    public int Id { get; private set; }
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.MessagePack)]
public partial struct MarkedStruct
{
    [MessageMember]
    private string? _text;

    public int Id { get; set; }

    public readonly string? Text => _text;
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.MessagePack)]
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
