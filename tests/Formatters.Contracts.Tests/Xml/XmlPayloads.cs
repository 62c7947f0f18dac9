using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.ComponentModel;
using System.Xml.Serialization;
using Formatters.Orders;

#pragma warning disable CS8618, CA1069 // members as message types of twenty years have them: without annotations

namespace Formatters.Contracts.Tests.Xml;

public enum Grade
{
    None,
    [XmlEnum("very good")]
    VeryGood = 5,
    Good = 7,
    [XmlEnum("")]
    Empty = -1,
    AlsoGood = 7,
}

[Flags]
public enum Rights : ulong
{
    Nothing = 0,
    Read = 1,
    [XmlEnum("w")]
    Write = 2,
    All = 3,
    Owner = 1UL << 62,
}

public enum Small : byte
{
    One = 1,
    Two = 2,
    [XmlIgnore]
    Hidden = 3,
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial class XmlScalars
{
    [XmlAttribute]
    public int IntAttribute;
    [XmlAttribute("text")]
    public string? TextAttribute;
    [XmlAttribute]
    public double DoubleAttribute { get; set; }
    [XmlAttribute]
    public DateTime TimeAttribute { get; set; }
    [XmlAttribute]
    public byte[]? BytesAttribute { get; set; }
    [XmlAttribute]
    public Grade GradeAttribute { get; set; }
    [XmlAttribute]
    public Rights RightsAttribute { get; set; }
    [XmlAttribute]
    public char CharAttribute { get; set; }
    public bool Bool { get; set; }
    public byte Byte { get; set; }
    public sbyte SByte { get; set; }
    public short Short { get; set; }
    public ushort UShort { get; set; }
    public int Int { get; set; }
    public uint UInt { get; set; }
    public long Long { get; set; }
    public ulong ULong { get; set; }
    public float Float { get; set; }
    public double Double { get; set; }
    public decimal Decimal { get; set; }
    public char Char { get; set; }
    public DateTime Time { get; set; }
    public Guid Guid { get; set; }
#if !NETFRAMEWORK
    public TimeSpan Span { get; set; }
    public DateTimeOffset Offset { get; set; }
#endif
    public string? Text { get; set; }
    public byte[]? Bytes { get; set; }
    public Grade Grade { get; set; }
    public Rights Rights { get; set; }
    public Small Small;
    public string? Größe;
    public string? @class;

    [XmlIgnore]
    public string? Ignored;

    public int Computed => _hidden;
    public ISet<int> ComputedSet => new SortedSet<int> { _hidden };
    public readonly ISet<int> OnlyReadSet = new SortedSet<int> { 1 };
    public IDictionary<string, int> OnlyReadMap { get; } = new Dictionary<string, int> { ["a"] = 1 };
    public int[] OnlySet { set => _hidden = value is null ? 0 : value.Length; }
    public static string? Static { get; set; }
    public const int Constant = 5;
    private int _hidden;

    public int Hidden() => _hidden++;
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial class XmlNullables
{
    public int? Int { get; set; }
    public DateTime? Time { get; set; }
    public double? Double;
    public Grade? Grade { get; set; }
    public Guid? Guid { get; set; }
    public XmlPoint? Point { get; set; }
    [XmlElement(IsNullable = true)]
    public string? Text { get; set; }
    [XmlElement(IsNullable = true)]
    public byte[]? Bytes { get; set; }
    [XmlElement("place", IsNullable = true)]
    public XmlPlace? Place { get; set; }
    [XmlArray(IsNullable = true), XmlArrayItem("n", IsNullable = false)]
    public List<string>? Names { get; set; }
    [XmlArray("numbers", IsNullable = true)]
    public int[]? Numbers { get; set; }
}

public struct XmlPoint
{
    public int X;
    public double Y { get; set; }
    [XmlAttribute]
    public string? Name { get; set; }
}

[XmlType("plaza")]
public class XmlPlace
{
    public string? City { get; set; }
    public XmlPoint Point { get; set; }
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial class XmlLists
{
    public int[]? Ints { get; set; }
    public List<XmlPlace>? Places { get; set; }
    public List<string>? Names = ["before"];
    public List<double?>? Optional { get; set; }
    public List<byte[]>? Chunks { get; set; }
    public Collection<Grade>? Grades { get; set; }
    public ObservableCollection<XmlPoint>? Points { get; set; }
    [XmlElement("Flat")]
    public List<XmlPlace>? FlatPlaces { get; set; }
    [XmlElement]
    public int[]? FlatInts { get; set; }
    [XmlElement(IsNullable = true)]
    public List<string>? FlatNames { get; set; }
    [XmlElement("opt")]
    public int?[]? FlatOptional { get; set; }
    [XmlArrayItem(typeof(XmlPlace))]
    public ArrayList? Objects { get; set; }
    [XmlArrayItem("o", typeof(short))]
    public ArrayList? ObjectInts;
    [XmlElement("flatObject", typeof(XmlPlace))]
    public ArrayList? FlatObjects { get; set; }
    public int[][]? Jagged { get; set; }
    public List<List<string>>? Nested { get; set; }
    [XmlArray("wrap"), XmlArrayItem("item", IsNullable = false)]
    public XmlPlace[]? Wrapped { get; set; }
    public List<DateTime> OnlyRead { get; } = [];
    public List<DateTime> None { get; } = null!;
    [XmlElement("only")]
    public List<string> OnlyReadFlat { get; } = [];
}

[MessageContract(Formats = ContractFormats.Xml)]
[XmlInclude(typeof(XmlCircle)), XmlInclude(typeof(XmlSquare))]
public abstract partial class XmlShape
{
    [XmlAttribute]
    public string? Id { get; set; }
    public int Layer;
}

public class XmlCircle : XmlShape
{
    public double Radius { get; set; }
    [XmlAttribute("r")]
    public int Rank { get; set; }
}

[XmlType("sq")]
public sealed class XmlSquare : XmlCircle
{
    public double Side;
}

[MessageContract(Formats = ContractFormats.Xml)]
[XmlRoot("drawing", IsNullable = false)]
public partial class XmlDrawing
{
    public List<XmlShape>? Shapes { get; set; }
    public XmlShape? Top { get; set; }
    public XmlCircle? Circle { get; set; }
    [XmlElement("s")]
    public XmlShape[]? Flat { get; set; }
}

/// <summary>A price: text with attributes.</summary>
public class XmlPrice
{
    [XmlAttribute("currency")]
    public string? Currency { get; set; }
    [XmlText]
    public decimal Amount { get; set; }
}

public class XmlNote
{
    [XmlAttribute]
    public int Line { get; set; }
    [XmlText]
    public string? Text { get; set; }
}

[MessageContract(Formats = ContractFormats.Xml)]
[XmlRoot("Invoice", Namespace = "urn:example:invoices")]
public partial class XmlInvoice
{
    [XmlAttribute("number")]
    public int Number { get; set; }
    public XmlPrice? Total { get; set; }
    public List<XmlNote>? Notes { get; set; }
    [XmlElement("note")]
    public XmlNote[]? Flat { get; set; }
    public XmlInvoice? Former { get; set; }
    public XmlPoint Point { get; set; }
    public int? Days { get; set; }
    public XmlVip? Vip { get; set; }
    public XmlCustomer? Customer { get; set; }
}

public class XmlCustomer
{
    public string? Name { get; set; }
}

public class XmlVip : XmlCustomer
{
    public int Level { get; set; }
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial class XmlConditions
{
    [DefaultValue(5)]
    public int Five { get; set; } = 5;
    [DefaultValue("x")]
    public string? X { get; set; } = "x";
    [DefaultValue(Grade.Good)]
    public Grade Grade { get; set; } = Grade.Good;
    [DefaultValue(1.5)]
    public double Half { get; set; } = 1.5;
    [DefaultValue('m')]
    public char Sign { get; set; }
    [DefaultValue('a'), XmlAttribute]
    public char Mark { get; set; } = 'a';
    [DefaultValue(true), XmlAttribute]
    public bool Yes { get; set; } = true;
    public int Maybe { get; set; }
    [XmlIgnore]
    public bool MaybeSpecified { get; set; }
    [XmlAttribute]
    public int Also;
    [XmlIgnore]
    public bool AlsoSpecified;
    public List<int>? List { get; set; }
    [XmlIgnore]
    public bool ListSpecified { get; set; }
    public string? Text { get; set; }
    public bool ShouldSerializeText() => Text != "no";
    public XmlPoint Counted { get; set; }
    public bool CountedSpecified => Counted.X > 0;
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial class XmlNode
{
    public string? Name { get; set; }
    public XmlNode? Next { get; set; }
    public List<XmlNode>? Children { get; set; }
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial struct XmlPair
{
    public int Left;
    public string? Right { get; set; }
    public List<int>? Items { get; set; }
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial class XmlEmpty;

[MessageContractFor(typeof(Order), Name = "Order", Formats = ContractFormats.Xml)]
[MessageContractFor(typeof(OrderWithList), Name = "OrderWithList", Formats = ContractFormats.Xml)]
[MessageContractFor(typeof(List<XmlPlace>), Name = "Places", Formats = ContractFormats.Xml)]
[MessageContractFor(typeof(string[][]), Name = "Jagged", Formats = ContractFormats.Xml)]
[MessageContractFor(typeof(XmlDated), Name = "Dated", Formats = ContractFormats.Xml)]
internal static partial class XmlContracts;

/// <summary>Left to XmlSerializer.</summary>
public class XmlDated
{
    [XmlElement(DataType = "date")]
    public DateTime Day { get; set; }
}
