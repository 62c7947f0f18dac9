using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Serialization;
using System.Xml.Serialization;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Members that attributes choose and order: docs/wire/binary.md, "Contracts". Random values are in <see cref="DifferentialTests"/>.</summary>
public class OptInTests
{
    [Fact]
    public void DataContract_TakesItsDataMembersByOrder()
    {
        OptInDerived value = new(1, "é", 3, 4) { NotAMember = 9, Own = 5 };
        byte[] expected = Bytes(w =>
        {
            w.Write(1);
            w.Write("é");
            w.Write(3L);
            w.Write(4);
            w.Write(6);
            w.Write(5);
            w.Write(false);
        });
        OptInDerived read = AssertBytes(OptInDerived.MessageContract, value, expected);
        Assert.Equal((0, 5, "1 é 3 4 6"), (read.NotAMember, read.Own, read.Text));
    }

    [Fact]
    public void MessageMember_MakesAMemberOfWhatIsNotPublic()
    {
        Marked value = new(7) { Name = "n", Other = 1 };
        Marked read = AssertBytes(Marked.MessageContract, value, Bytes(w =>
        {
            w.Write(7);
            w.Write(true);
            w.Write(1);
            w.Write(2);
            w.Write("n");
        }));
        Assert.Equal((7, "n", 0), (read.Number, read.Name, read.Other));
    }

    [Fact]
    public void XmlOrder_IsTheOrder() => AssertBytes(XmlOrdered.MessageContract, new XmlOrdered { A = [1], B = 2, C = "c", D = 4 }, Bytes(w =>
    {
        w.Write(4);
        w.Write(1);
        w.Write(1);
        w.Write("c");
        w.Write(2);
    }));

    [Fact]
    public void Reflection_RefusesAMemberThatCannotBeSet()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => new ReflectionFormatter<CannotSet>());
        Assert.StartsWith("CannotSet.Id has an attribute that makes it a member", e.Message, StringComparison.Ordinal);
    }

    private static T AssertBytes<T>(MessageContract<T> contract, T value, byte[] expected)
    {
        var formatter = new ContractFormatter<T>(contract);
        Assert.Equal(expected, formatter.Write(value));
        foreach (bool isCompiled in new[] { false, true })
        {
            var reflection = new ReflectionFormatter<T>(options: ReflectionOptions.Default with { UseCompiledCode = isCompiled });
            Assert.Equal(expected, reflection.Write(value));
            Assert.Equal(expected, formatter.Write(reflection.Read(expected)));
        }

        return formatter.Read(expected);
    }

    private static byte[] Bytes(Action<BinaryWriter> write)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        write(writer);
        return stream.ToArray();
    }

    [DataContract]
    private sealed class CannotSet
    {
        [DataMember]
        public int Id { get; } = 1;
    }
}

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

[DataContract, MessageContract]
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

[MessageContract]
public partial struct MarkedStruct
{
    [MessageMember]
    private string? _text;

    public int Id { get; set; }

    public readonly string? Text => _text;
}

[MessageContract]
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
