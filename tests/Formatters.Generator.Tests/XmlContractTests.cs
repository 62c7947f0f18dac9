using System;
using System.Globalization;
using System.Linq;
using Microsoft.CodeAnalysis;
using Xunit;

namespace Formatters.Generator.Tests;

/// <summary>Contracts in XML: which types have generated code, and why others are left to XmlSerializer.</summary>
public class XmlContractTests
{
    private const string Usings = "using System.Xml.Serialization; using System.ComponentModel; using Formatters.Xml;\n";

    public static TheoryData<string, string> Covered => new()
    {
        { "fields and properties", "public int A; public string? B { get; set; } public DateTime? C { get; set; }" },
        { "lists", "public List<int>? A; public string[][]? B; [XmlArrayItem(typeof(Inner))] public ArrayList? C; public List<Inner> D { get; } = new(); [XmlElement] public Inner[]? E; } public class Inner {" },
        { "attributes and text", "[XmlAttribute] public int A; [XmlText] public string? B;" },
        { "derived types", "public Base? A; } [XmlInclude(typeof(Derived))] public abstract class Base { public int B; } public class Derived : Base { public Base? C;" },
        { "conditions", "[DefaultValue(1.5)] public double A; public int B; [XmlIgnore] public bool BSpecified; public string? C; public bool ShouldSerializeC() => true;" },
        { "itself", "public Order? Next;" },
        { "enums", "public Kind A; } [Flags] public enum Kind { [XmlEnum(\"x\")] One = 1, Two = 2" },
        { "what is left out", "public int A => 5; [XmlIgnore] public object? B; private int _c; public int D() => _c++; public string this[int i] => \"\"; public static object? E; public readonly int F; "
            + "public IEnumerable<int> G => Array.Empty<int>(); public IDictionary<int, int> H { get; } = null!; public readonly IList<int>? I; public Dictionary<int, int> J { set { } }" },
    };

    public static TheoryData<string, string> LeftToXmlSerializer => new()
    {
        { "public object? A;", "Order.A: 'object' is not a class, struct or enum" },
        { "public ArrayList? A;", "its items may be of any type" },
        { "public System.Xml.XmlElement? A;", "is or has a base class of the base library" },
        { "public List<int> A { get; private set; } = new();", "it cannot be read and set from outside" },
        { "[XmlElement(\"x\", typeof(int))] public IDisposable? A;", "it is declared as another type" },
        { "public IList? A;", "'IList' is not a class" },
        { "public int A { get; init; }", "it can be set only by an initializer" },
        { "public required int A;", "has required members" },
        { "[XmlElement(Order = 1)] public int A;", "it has [XmlElement(Order)]" },
        { "[XmlElement(DataType = \"date\")] public DateTime A;", "it has [XmlElement(DataType)]" },
        { "[XmlElement(\"x\", typeof(int)), XmlElement(\"y\", typeof(string))] public ArrayList? A;", "it may be one of several elements" },
        { "[XmlElement(Namespace = \"urn:x\")] public int A;", "it has another namespace than the root element" },
        { "[XmlAnyElement] public int A;", "it has [XmlAnyElement]" },
        { "[XmlAttribute] public int[]? A;", "it is a list in an attribute or text" },
        { "[XmlAttribute] public int? A;", "its type cannot be an attribute or text" },
        { "[XmlElement(IsNullable = true)] public int A;", "XmlSerializer has no xsi:nil for it" },
        { "[XmlElement(\"b\")] public int A; public int b;", "has two members of one name in XML" },
        { "[XmlText] public int A; public int B;", "has text beside elements or a base class" },
        { "[Obsolete] public int A;", "it is obsolete" },
        { "[Obsolete] public Dictionary<int, int>? A;", "it is obsolete" },
        { "public Inner? A; } public class Inner : Base { private new int B { get; set; } public int C; } public class Base { public int B;", "hides or overrides a member" },
        { "[DefaultValue(5)] public long A;", "its [DefaultValue] is not a constant of its type" },
        { "public int A; public int ASpecified;", "'ASpecified' is not a bool" },
        { "public Inner? A; } public class Inner { private Inner() { } public int B;", "has no public constructor without parameters" },
        { "public Inner? A; } public class Inner : List<int> { public int B;", "is or has a base class of the base library" },
        { "public Inner? A; } [XmlType(Namespace = \"urn:x\")] public class Inner { public int B;", "has another namespace than the root element" },
        { "public Inner? A; } [XmlRoot(Namespace = \"urn:x\")] public class Inner { public int B;", "has another namespace than the root element" },
        { "public Inner? A; public N.Inner? B; } public class Inner { } namespace N { public class Inner { }", "has the name of another type" },
        { "public Base? A; } public class Base { public virtual int B { get; set; } } public class Derived : Base { public override int B { get; set; } } public class More { public Derived? C;", "" },
        { "public int[][]? A; [XmlArrayItem(\"x\")] public int[]? B;", "several lists have the name ArrayOfInt" },
    };

    [Theory]
    [InlineData("", "", true)]
    [InlineData("", " : Base", true)]
    [InlineData("", ", XmlRoot(Namespace = \"urn:x\")", false)]
    [InlineData("public Base? A;", " : Base", false)]
    [InlineData("public Sub? A; } public class Sub : Line {", "", false)]
    public void ContractInContract_IsCalled_WhereItsCodeIsTheSame(string members, string line, bool isCalled)
    {
        string attributes = line.StartsWith(',') ? line : "";
        string parent = line.StartsWith(',') ? "" : line;
        string text = string.Concat(Compilations.Run(Usings
            + "[MessageContract(Formats = ContractFormats.Xml)] public partial class Order { public Line? First; public List<Line>? Lines; "
            + members
            + $" }} [MessageContract(Formats = ContractFormats.Xml){attributes}] public partial class Line{parent} {{ public int Id; public Order? Order; }} public class Base {{ public int Size; }}")
            .GeneratedTrees);
        Assert.Equal(isCalled, text.Contains("global::Line.GeneratedXmlContract.MessageContractCode.WriteSelf(", StringComparison.Ordinal));
        Assert.Equal(isCalled, text.Contains("global::Line.GeneratedXmlContract.MessageContractCode.ReadSelf(", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Covered))]
    public void Covered_HasGeneratedCode(string what, string members)
    {
        GeneratorDriverRunResult result = Run(members);
        Assert.True(result.Diagnostics.IsEmpty, $"{what}: {string.Join(" ", result.Diagnostics)}");
        string code = Assert.Single(result.GeneratedTrees).ToString();
        Assert.Contains("GeneratedXmlContract<__T>", code, StringComparison.Ordinal);
        Assert.Contains("ContractFormats.Xml ? Xml()", code, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(LeftToXmlSerializer))]
    public void LeftToXmlSerializer_SaysWhy(string members, string reason)
    {
        GeneratorDriverRunResult result = Run(members);
        if (reason.Length == 0)
        {
            Assert.Empty(result.Diagnostics);
            return;
        }

        Diagnostic diagnostic = Assert.Single(result.Diagnostics);
        Assert.Equal(("FMT140", DiagnosticSeverity.Info), (diagnostic.Id, diagnostic.Severity));
        Assert.Contains(reason, diagnostic.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
        Assert.Equal("Order", diagnostic.Location.SourceTree!.ToString().Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length));
        Assert.Equal(Compilations.HelpPages + "FMT140.md", diagnostic.Descriptor.HelpLinkUri);
        string code = Assert.Single(result.GeneratedTrees).ToString();
        Assert.Contains("MessageContract<__T> MessageContract", code, StringComparison.Ordinal);
        Assert.DoesNotContain("ContractFormats.Xml", code, StringComparison.Ordinal);
    }

    /// <summary>What XmlSerializer refuses at run time: found by trying each with it.</summary>
    [Theory]
    [InlineData("public Dictionary<int, int>? $A$;", "Order.A: 'Dictionary<int, int>' has no contract: XmlSerializer does not support types that implement IDictionary")]
    [InlineData("public object? Other; [XmlElement(\"b\")] public Hashtable $A$ { get; } = new();", "Order.A: 'Hashtable' has no contract: XmlSerializer does not support types that implement IDictionary")]
    [InlineData("public List<SortedList[]>? $A$;", "Order.A: 'SortedList' has no contract: XmlSerializer does not support types that implement IDictionary")]
    [InlineData("public IList<int>? $A$;", "Order.A: 'IList<int>' has no contract: XmlSerializer does not support interfaces")]
    [InlineData("public int $A$ { get; private set; }", "Order.A: 'Order' has no contract: XmlSerializer does not support properties whose getter or setter is not public")]
    [InlineData("[XmlAttribute] public int $A$ { get; internal set; }", "Order.A: 'Order' has no contract: XmlSerializer does not support properties whose getter or setter is not public")]
    [InlineData("public int $A$ { internal get; set; }", "Order.A: 'Order' has no contract: XmlSerializer does not support properties whose getter or setter is not public")]
    [InlineData("public Inner? B; } public class Inner { public int[] $A$ { get; protected set; } = new int[1];", "Inner.A: 'Inner' has no contract: XmlSerializer does not support properties whose getter or setter is not public")]
    [InlineData("public Inner? $A$; } public class Inner { public Inner(int a) { } public int B;", "Order.A: 'Inner' has no contract: XmlSerializer needs a constructor without parameters")]
    [InlineData("public Inner[]? $A$; } public record Inner(Hashtable B) { public object? C; public IDisposable? D; ", "Order.A: 'Inner' has no contract: XmlSerializer needs a constructor without parameters")]
    [InlineData("public List<int> $A$ { internal get; set; } = new();", "Order.A: 'Order' has no contract: XmlSerializer does not support properties whose getter or setter is not public")]
    [InlineData("public IList<int>? $A$ { get; private set; }", "Order.A: 'IList<int>' has no contract: XmlSerializer does not support interfaces")]
    [InlineData("[XmlArrayItem(typeof(Inner))] public ArrayList? $A$; } public class Inner { public Inner(int a) { } public int B;", "Order.A: 'Inner' has no contract: XmlSerializer needs a constructor without parameters")]
    [InlineData("public HashSet<IDisposable?[]>? $A$;", "Order.A: 'IDisposable' has no contract: XmlSerializer does not support interfaces")]
    [InlineData("public Inner? $A$; } public class Inner : List<Hashtable> { public object? B;", "Order.A: 'Hashtable' has no contract: XmlSerializer does not support types that implement IDictionary")]
    [InlineData("public Inner? A; } [XmlInclude(typeof(Derived))] public class Inner { } public class $Derived$ : Inner { public Derived(int a) { }", "Derived: 'Derived' has no contract: XmlSerializer needs a constructor without parameters")]
    public void RefusedByXmlSerializer_IsAnError(string marked, string message)
    {
        string[] parts = marked.Split('$');
        GeneratorDriverRunResult result = Run(string.Concat(parts));
        Diagnostic diagnostic = Assert.Single(result.Diagnostics);
        Assert.Equal(("FMT101", message), (diagnostic.Id, diagnostic.GetMessage(CultureInfo.InvariantCulture)));
        Assert.Equal(parts[1], diagnostic.Location.SourceTree!.ToString().Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length));
        Assert.NotEmpty(result.Contracts());
        Assert.All(result.Contracts(), c => Assert.True(c.IsPlaceholder));
    }

    /// <summary>All members that XmlSerializer refuses are reported, whatever else leaves the contract to it, and none twice. What it refuses was found by trying it.</summary>
    [Theory]
    [InlineData("public Hashtable? A; public object? B; public IList<int>? C; public int D { get; private set; } public Hashtable? E { get; set; }", "A C E D")]
    [InlineData("public Inner? A { get; init; } public IDisposable? B; } public class Inner { public required int C; public Hashtable? D; [XmlElement(Order = 1)] public IDisposable? E;", "B D E")]
    [InlineData("public Inner? A; public Inner? B; } [XmlType(AnonymousType = true)] public class Inner : Base { public Hashtable? C; } public abstract class Base { public IDisposable? D; public Base? E;", "D C")]
    [InlineData("public First? A; public Second? B; } public class First : Base { } public class Second : Base { } public class Base { public virtual Hashtable? C { get; set; }", "C")]
    [InlineData("public Inner? A; } public class Inner : Base { public override Hashtable? C { get; set; } } public class Base { public virtual Hashtable? C { get; set; }", "C C")]
    [InlineData("public HashSet<Inner>? A; } public class Inner { public Hashtable? B; public Inners? C; } public class Inners : List<Last?> { public Hashtable? D; } public struct Last { public Hashtable? E; public Inners F;", "B E")]
    [InlineData("public Box<Box<Hashtable>>? A; public Box<IDisposable>? C; } public class Box<T> { public T? B; public IList<T>? D;", "B D")]
    [InlineData("public Outer<int>.Inner? A; } public class Outer<T> { public class Inner { public Hashtable? B; public Outer<Inner>.Inner? C; }", "B")]
    [InlineData("[XmlElement(\"a\", typeof(Inner)), XmlElement(\"b\", typeof(int))] public object? A; [XmlElement(Type = typeof(Other))] public Inner? B; } public class Inner { public IDisposable? C; } public class Other : Inner { public Hashtable? D;", "C D")]
    [InlineData("public Inner? A; } [XmlInclude(typeof(Derived)), XmlInclude(typeof(List<Item>))] public class Inner { public required int B; } public class Derived : Inner { public Hashtable? C; } public class Item { public IDisposable? D;", "C D")]
    [InlineData("public Hashtable? A; public N.Inner? B; public Inner? C; } public class Inner { public Hashtable? D; } namespace N { public class Inner { public Hashtable? E; } public class None { public Hashtable? F; }", "A E D")]
    [InlineData("public Inner? A { get; private set; } public Inner? B; } public class Inner { public Hashtable? C; public Inner2? D; } public class Inner2 { public Inner2(int a) { } public Hashtable? E;", "A D C")]
    [InlineData("public Inner? A; } public class Inner : EventArgs, IBody { public Hashtable? B; } public interface IBody { ", "B")]
    [InlineData("public Order(int a) { } public Hashtable? A; public object? B; public IDisposable? C;", "Order A C")]
    [InlineData("public Hashtable? A; public Inner? B; } [XmlInclude(typeof(Box<>)), XmlInclude(typeof(int[])), XmlInclude(null!)] public class Inner { public Inner? C; public Nest? D; public IDisposable? E; } public class Nest : List<Nest> { } public class Box<T> { public T? F;", "A E")]
    [InlineData("public Inner? A; [Obsolete] public Inner2? B; [XmlIgnore] public Inner3? C; } public class Inner : IXmlSerializable { public Hashtable? D; public System.Xml.Schema.XmlSchema? GetSchema() => null; public void ReadXml(System.Xml.XmlReader r) { } public void WriteXml(System.Xml.XmlWriter w) { } } "
        + "public class Inner2 { public Hashtable? E; } public class Inner3 { public Hashtable? F;", "")]
    public void AllRefusedMembers_AreReportedAtOnce(string members, string places)
    {
        GeneratorDriverRunResult result = Run(members);
        Diagnostic[] errors = [.. result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error)];
        Assert.All(errors, d => Assert.Equal("FMT101", d.Id));
        Assert.Equal(places.Split(' ', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal), errors.Select(TextAt).Order(StringComparer.Ordinal));
        Assert.Equal(errors.Length, errors.Select(d => d.Location).Distinct().Count());
        Assert.Equal(places.Length == 0 ? ["FMT140"] : [], result.Diagnostics.Except(errors).Select(d => d.Id));
    }

    /// <summary>In a context, and in several wire formats, one report for each member; the other contracts stay.</summary>
    [Fact]
    public void AllRefusedMembers_OfAContext_AreReportedOnce()
    {
        GeneratorDriverRunResult result = Compilations.Run(
            Usings + "[MessageContractFor(typeof(Order), Formats = ContractFormats.Xml), MessageContractFor(typeof(List<Order>), Formats = ContractFormats.Binary | ContractFormats.Xml), MessageContractFor(typeof(Good), Formats = ContractFormats.Xml)] public static partial class Context { }"
            + "public class Order { public required int Id; public IDisposable? A; public Inner? B; } public class Inner { public int C { get; private set; } public int D; public SortedList? E; } public class Good { public int Id; }");
        Assert.Equal(["A", "C", "C", "E"], result.Diagnostics.Select(TextAt).Order(StringComparer.Ordinal));
        Assert.Equal(["FMT101 A", "FMT101 C", "FMT101 E", "FMT108 C"], result.Diagnostics.Select(d => $"{d.Id} {TextAt(d)}").Order(StringComparer.Ordinal));
        Assert.Contains("GoodCode", Assert.Single(result.GeneratedTrees).ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void SeveralFormats_StandSideBySide()
    {
        GeneratorDriverRunResult result = Compilations.Run(
            "[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Xml)] public abstract partial class Base { [MessageMember] protected int A; }"
            + "[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Xml)] public partial class Order : Base { public int B; }"
            + "[MessageContractFor(typeof(List<Order>), Name = \"Orders\", Formats = ContractFormats.Binary | ContractFormats.Xml)] public static partial class Context { }");
        Assert.Empty(result.Diagnostics);
        Assert.Equal(3, result.GeneratedTrees.Length);
        Assert.Contains("MessageContract<__G::List<global::Order>> Orders", string.Concat(result.GeneratedTrees.Select(t => t.ToString())), StringComparison.Ordinal);
    }

    [Fact]
    public void Namespaces_ThatDiffer_AreLeftToXmlSerializer()
    {
        const string Order = "[MessageContract(Formats = ContractFormats.Xml)] public partial class Order { public Base? A; }";
        const string Types = "[XmlInclude(typeof(Derived))] public class Base { } public class Derived : Base { }";
        Assert.Empty(Compilations.Run(Usings + Types + Order).Diagnostics);
        Assert.Single(Compilations.Run(Usings + Types + "[XmlRoot(Namespace = \"urn:o\")] " + Order).Diagnostics);
        Assert.Single(Compilations.Run(Usings + "public class Base { } [XmlRoot(Namespace = \"a&b\")] " + Order).Diagnostics);
        Assert.Single(Compilations.Run(Usings + "[MessageContract(Formats = ContractFormats.Xml), XmlRoot(IsNullable = true)] public partial struct Point { public int X; }").Diagnostics);
        Assert.Empty(Compilations.Run(Usings + "[MessageContract(Formats = ContractFormats.Xml), XmlRoot(IsNullable = false)] public partial struct Point { public int X; }").Diagnostics);
        Assert.Single(Compilations.Run(Usings + "public class Base { } [XmlType(Namespace = \"urn:o\")] " + Order).Diagnostics);
        Assert.Empty(Compilations.Run(Usings + "public class Base { } [XmlRoot(Namespace = \"urn:o\"), XmlType(Namespace = \"urn:o\")] " + Order).Diagnostics);
    }

    /// <summary>What XmlSerializer writes and does not read, as XmlLossTests finds it at run time.</summary>
    [Theory]
    [InlineData("FMT141", "public Version? $A$;", "Order.A: XmlSerializer does not write the value of a 'Version'")]
    [InlineData("FMT141", "public System.Numerics.BigInteger $A$ { get; set; }", "'BigInteger'")]
    [InlineData("FMT141", "public Half? $A$;", "'Half'")]
    [InlineData("FMT141", "public Int128 $A$;", "'Int128'")]
    [InlineData("FMT141", "public UInt128 $A$;", "'UInt128'")]
    [InlineData("FMT141", "public Memory<byte> $A$;", "'Memory<byte>'")]
    [InlineData("FMT141", "public ReadOnlyMemory<byte> $A$;", "'ReadOnlyMemory<byte>'")]
    [InlineData("FMT141", "public List<KeyValuePair<int, string>>? $A$;", "'KeyValuePair<int, string>'")]
    [InlineData("FMT141", "public System.Numerics.Complex $A$;", "'Complex'")]
    [InlineData("FMT141", "public System.Text.Json.JsonElement $A$;", "'JsonElement'")]
    [InlineData("FMT141", "public System.Text.Rune[]? $A$;", "'Rune'")]
    [InlineData("FMT141", "public Index $A$;", "'Index'")]
    [InlineData("FMT141", "public Range $A$;", "'Range'")]
    [InlineData("FMT141", "public System.Drawing.Color $A$;", "'Color'")]
    [InlineData("FMT141", "public System.Text.StringBuilder? $A$;", "'StringBuilder'")]
    [InlineData("FMT141", "public (int, Version) $A$; public int B;", "'Version'")]
    [InlineData("FMT141", "public Inner? B; } public class Inner { public Money $A$; } public readonly struct Money { public Money(decimal a) => Amount = a; public decimal Amount { get; }", "Inner.A: XmlSerializer does not write the value of a 'Money'")]
    [InlineData("FMT141", "public Inner? $A$; } public class Inner { private int _b; public int C() => _b++;", "'Inner'")]
    [InlineData("FMT142", "public System.Collections.Immutable.ImmutableArray<int> $A$;", "Order.A: XmlSerializer writes a 'ImmutableArray<int>' and cannot read it back")]
    [InlineData("FMT142", "public System.Collections.Immutable.ImmutableList<int>? $A$;", "'ImmutableList<int>'")]
    [InlineData("FMT142", "public ArraySegment<byte> $A$;", "'ArraySegment<byte>'")]
    public void WhatXmlLoses_IsAnError(string id, string marked, string message)
    {
        string[] parts = marked.Split('$');
        GeneratorDriverRunResult result = Run(string.Concat(parts));
        Diagnostic diagnostic = Assert.Single(result.Diagnostics);
        Assert.Equal((id, DiagnosticSeverity.Error), (diagnostic.Id, diagnostic.Severity));
        Assert.Contains(message, diagnostic.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
        Assert.Equal(parts[1], TextAt(diagnostic));
    }

    [Theory]
    [InlineData("[XmlIgnore] public Version? A; public int B;")]
    [InlineData("public Empty? A; } public class Empty { ")]
    [InlineData("public Ignored? A; } public class Ignored { [XmlIgnore] public int B { get; set; } ")]
    [InlineData("public List<int>? A; public HashSet<int>? B; public (int, string) C; public DateOnly D; public TimeOnly E; public System.Xml.XmlElement? F; public System.Drawing.Point G; public object? H;")]
    [InlineData("public Version? A => null; public int B;")]
    [InlineData("public Bag A; } public struct Bag : IEnumerable<int> { public void Add(int i) { } public IEnumerator<int> GetEnumerator() => null!; IEnumerator IEnumerable.GetEnumerator() => null!;")]
    public void WhatXmlKeepsOrIsToldToLeaveOut_IsNoError(string members) =>
        Assert.DoesNotContain(Run(members).Diagnostics, d => d.Id is "FMT141" or "FMT142");

    [Fact]
    public void ALossAllowedByName_IsNoError()
    {
        const string Members = "public Version? A; public List<KeyValuePair<int, int>>? B; public System.Collections.Immutable.ImmutableArray<int> C;";
        Assert.Equal(3, Run(Members).Diagnostics.Length);
        GeneratorDriverRunResult result = Compilations.Run(
            Usings + "[MessageContract(Formats = ContractFormats.Xml), AllowXmlLoss(typeof(Version)), AllowXmlLoss(typeof(KeyValuePair<,>)), AllowXmlLoss(typeof(System.Collections.Immutable.ImmutableArray<int>))] public partial class Order { " + Members + " }");
        Assert.Equal("FMT140", Assert.Single(result.Diagnostics).Id);
    }

    private static string TextAt(Diagnostic diagnostic) => diagnostic.Location.SourceTree!.ToString().Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length);

    private static GeneratorDriverRunResult Run(string members) => Compilations.Run(Usings + "[MessageContract(Formats = ContractFormats.Xml)] public partial class Order { " + members + " }");
}
