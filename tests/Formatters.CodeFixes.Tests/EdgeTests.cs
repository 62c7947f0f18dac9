using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Xunit;

namespace Formatters.CodeFixes.Tests;

/// <summary>Fixes of several files, and of what is written otherwise than most: parts of a file are separated by a tilde.</summary>
public class EdgeTests
{
    private const string Head = "using System; using System.Collections; using System.Collections.Generic; using System.Runtime.Serialization; using Formatters;\n";

    /// <summary>A member that is asked to be left out of two wire formats.</summary>
    public static TheoryData<string, string, string> TwiceOnOneMember => new()
    {
        { "FMT101", Head + "using System.Xml.Serialization;\n[MessageContract]\npublic partial class Order\n{\n    public int Id;\n    /// <summary>A.</summary>\n    public IDisposable? Tag { get; set; }\n}\n\n[MessageContractFor(typeof(Order), Formats = ContractFormats.Xml)]\npublic static partial class Contracts;\n", Head + "using System.Xml.Serialization;\n[MessageContract]\npublic partial class Order\n{\n    public int Id;\n    /// <summary>A.</summary>\n    [IgnoreDataMember]\n    [XmlIgnore]\n    public IDisposable? Tag { get; set; }\n}\n\n[MessageContractFor(typeof(Order), Formats = ContractFormats.Xml)]\npublic static partial class Contracts;\n" },
        { "FMT101", Head + "using System.Xml.Serialization;\n[MessageContract]\npublic partial class Order { public int Id; public IDisposable? Tag { get; set; } }\n\n[MessageContractFor(typeof(Order), Formats = ContractFormats.Xml)]\npublic static partial class Contracts;\n", Head + "using System.Xml.Serialization;\n[MessageContract]\npublic partial class Order { public int Id; [IgnoreDataMember][XmlIgnore] public IDisposable? Tag { get; set; } }\n\n[MessageContractFor(typeof(Order), Formats = ContractFormats.Xml)]\npublic static partial class Contracts;\n" },
    };

    /// <summary>A type of several parts has one state for all of them.</summary>
    public static TheoryData<string, string, string> InParts => new()
    {
        { "FMT301", Head + "[Serializable] public class Order { public int Id; }\npublic static partial class Sender\n{\n    public static void A(System.IO.Stream s, Order o) => new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize(s, o);\n}\n~public static partial class Sender\n{\n    public static void B(System.IO.Stream s, Order o) => new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize(s, o);\n}\n", Head + "[Serializable] public class Order { public int Id; }\npublic static partial class Sender\n{\n    private static readonly LegacyBinaryFormatter<Order> LegacyOrderFormatter = new LegacyBinaryFormatter<Order>();\n\n    public static void A(System.IO.Stream s, Order o) => LegacyOrderFormatter.Write(s, o);\n}\n~public static partial class Sender\n{\n    public static void B(System.IO.Stream s, Order o) => LegacyOrderFormatter.Write(s, o);\n}\n" },
        { "FMT122", Head + "[MessageContract, MessageUnion(1, typeof(A)), MessageUnion(1, typeof(B))]\npublic abstract partial class Shape;\npublic class A : Shape;\npublic class B : Shape;\npublic class C : Shape;\n~using Formatters;\n[MessageUnion(1, typeof(C))]\npublic abstract partial class Shape;\n", Head + "[MessageContract, MessageUnion(1, typeof(A)), MessageUnion(2, typeof(B))]\npublic abstract partial class Shape;\npublic class A : Shape;\npublic class B : Shape;\npublic class C : Shape;\n~using Formatters;\n[MessageUnion(3, typeof(C))]\npublic abstract partial class Shape;\n" },
        { "FMT004", "namespace Crm { public class Address { public int Id; } }\nnamespace Web.Crm { public class Address { public int Id; } }\nnamespace Old.Crm { public class Address { public int Id; } }\n[Formatters.MessageContractFor(typeof(Crm.Address)), Formatters.MessageContractFor(typeof(Web.Crm.Address))]\ninternal static partial class Contracts;\n~[Formatters.MessageContractFor(typeof(Old.Crm.Address))]\ninternal static partial class Contracts;\n", "namespace Crm { public class Address { public int Id; } }\nnamespace Web.Crm { public class Address { public int Id; } }\nnamespace Old.Crm { public class Address { public int Id; } }\n[Formatters.MessageContractFor(typeof(Crm.Address)), Formatters.MessageContractFor(typeof(Web.Crm.Address), Name = \"CrmAddress\")]\ninternal static partial class Contracts;\n~[Formatters.MessageContractFor(typeof(Old.Crm.Address), Name = \"CrmAddress2\")]\ninternal static partial class Contracts;\n" },
        { "FMT118", Head + "[MessageContract(Formats = ContractFormats.MessagePack)]\npublic partial class Order { public int A; [MessageMember(Name = \"B\")] public int X; [MessageMember(Name = \"A\")] public int B; }\n~using Formatters;\npublic partial class Order { [MessageMember(Name = \"A\")] public int B2; }\n", Head + "[MessageContract(Formats = ContractFormats.MessagePack)]\npublic partial class Order { public int A; [MessageMember(Name = \"B\")] public int X; [MessageMember(Name = \"B2\")] public int B; }\n~using Formatters;\npublic partial class Order { [MessageMember(Name = \"B22\")] public int B2; }\n" },
    };

    /// <summary>Formats are named in a way that the file can read.</summary>
    public static TheoryData<string, string, string> OfFormats => new()
    {
        { "FMT114", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~[Formatters.MessageContract]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~[Formatters.MessageContract(Formats = Formatters.ContractFormats.Binary | Formatters.ContractFormats.Protobuf)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n" },
        { "FMT114", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~[Formatters.MessageContract(Formats = Formatters.ContractFormats.Versioned)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~[Formatters.MessageContract(Formats = Formatters.ContractFormats.Versioned | Formatters.ContractFormats.Protobuf)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n" },
        { "FMT114", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\npublic static class Wire { public const Formatters.ContractFormats All = Formatters.ContractFormats.Binary | Formatters.ContractFormats.Versioned; }\n~using Formatters;\n[MessageContract(Formats = Wire.All)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\npublic static class Wire { public const Formatters.ContractFormats All = Formatters.ContractFormats.Binary | Formatters.ContractFormats.Versioned; }\n~using Formatters;\n[MessageContract(Formats = Wire.All | ContractFormats.Protobuf)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n" },
        { "FMT114", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~using Formatters;\n[MessageContract(Formats = (ContractFormats)1)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~using Formatters;\n[MessageContract(Formats = (ContractFormats)1 | ContractFormats.Protobuf)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n" },
        { "FMT114", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~using Formatters;\n[MessageContract(Formats = true ? ContractFormats.Binary : ContractFormats.Xml)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~using Formatters;\n[MessageContract(Formats = (true ? ContractFormats.Binary : ContractFormats.Xml) | ContractFormats.Protobuf)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n" },
        { "FMT114", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~using Formatters;\nusing static Formatters.ContractFormats;\n[MessageContract(Formats = Binary)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~using Formatters;\nusing static Formatters.ContractFormats;\n[MessageContract(Formats = Binary | Protobuf)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n" },
        { "FMT114", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~using Formatters;\nusing Wire = Formatters.ContractFormats;\n[MessageContract(Formats = Wire.Binary)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n", "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Protobuf)]\npublic partial class Order { [Formatters.MessageMember(1)] public Address Address = new(); }\n~using Formatters;\nusing Wire = Formatters.ContractFormats;\n[MessageContract(Formats = Wire.Binary | Wire.Protobuf)]\npublic partial class Address { [Formatters.MessageMember(1)] public int Id; }\n" },
    };

    /// <summary>Comments and directives stay.</summary>
    public static TheoryData<string, string, string> BesideTrivia => new()
    {
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    /// <summary>A.</summary>\n    [ElementType(typeof(int))]\n    public int[] A = [];\n}\n", Head + "[MessageContract]\npublic partial class Order\n{\n    /// <summary>A.</summary>\n    public int[] A = [];\n}\n" },
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    // a\n    [ElementType(typeof(int))] // b\n    // c\n    [MessageMember]\n    public int[] A = [];\n}\n", Head + "[MessageContract]\npublic partial class Order\n{\n    // a\n    // b\n    // c\n    [MessageMember]\n    public int[] A = [];\n}\n" },
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    // a\n    [ElementType(typeof(int))] public int[] A = [];\n}\n", Head + "[MessageContract]\npublic partial class Order\n{\n    // a\n    public int[] A = [];\n}\n" },
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n#pragma warning disable CS0169\n    [MessageMember] [ElementType(typeof(int))] public int[] A = [];\n#pragma warning restore CS0169\n}\n", Head + "[MessageContract]\npublic partial class Order\n{\n#pragma warning disable CS0169\n    [MessageMember] public int[] A = [];\n#pragma warning restore CS0169\n}\n" },
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n#nullable enable\n    [ElementType(typeof(int))]\n    public int[] A = [];\n}\n", Head + "[MessageContract]\npublic partial class Order\n{\n#nullable enable\n    public int[] A = [];\n}\n" },
        { "FMT122", Head + "/// <summary>A.</summary>\n#pragma warning disable CS0169\n[MessageUnion(1, typeof(A))]\n[MessageUnion(2, typeof(A)), MessageUnion(3, typeof(A))]\n[MessageContract]\npublic abstract partial class Shape;\npublic class A : Shape;\n", Head + "/// <summary>A.</summary>\n#pragma warning disable CS0169\n[MessageUnion(1, typeof(A))]\n[MessageContract]\npublic abstract partial class Shape;\npublic class A : Shape;\n" },
        { "FMT122", Head + "// a\n[MessageUnion(1, typeof(A))]\n// b\n[MessageUnion(1, typeof(A))]\n[MessageContract]\npublic abstract partial class Shape;\npublic class A : Shape;\n", Head + "// a\n[MessageUnion(1, typeof(A))]\n// b\n[MessageContract]\npublic abstract partial class Shape;\npublic class A : Shape;\n" },
        { "FMT122", Head + "[\n    MessageContract, // a\n    MessageUnion(1, typeof(A)), // b\n    MessageUnion(2, typeof(A)) // c\n]\npublic abstract partial class Shape;\npublic class A : Shape;\n", Head + "[\n    MessageContract, // a\n    MessageUnion(1, typeof(A)) // b\n     // c\n]\npublic abstract partial class Shape;\npublic class A : Shape;\n" },
        { "FMT125", Head + "[MessageContract]\npublic partial class Order\n{\n    /// <summary>A.</summary>\n    [MessageMember] readonly int _x;\n    [MessageMember] /* b */ readonly /* c */ int _y;\n    public int Sum() => _x + _y;\n}\n", Head + "[MessageContract]\npublic partial class Order\n{\n    /// <summary>A.</summary>\n    [MessageMember] int _x;\n    [MessageMember] /* b */ /* c */ int _y;\n    public int Sum() => _x + _y;\n}\n" },
        { "FMT127", Head + "[MessageContract]\npublic partial class Order\n{\n    public int Id;\n    // a\n    [OnDeserialized]\n    // b\n    virtual public void Done() { }\n}\n", Head + "[MessageContract]\npublic partial class Order\n{\n    public int Id;\n    // a\n    [OnDeserialized]\n    // b\n    public void Done() { }\n}\n" },
        { "FMT110", Head + "[MessageContract(Formats = ContractFormats.Versioned)]\npublic partial class Order\n{\n    public int A, // first\n        B, /* b */ C, // third\n        // before\n        D; // fourth\n}\n", Head + "[MessageContract(Formats = ContractFormats.Versioned)]\npublic partial class Order\n{\n    [MessageMember(1)]\n    public int A; // first\n    [MessageMember(2)]\n    public int B; /* b */\n    [MessageMember(3)]\n    public int C; // third\n    // before\n    [MessageMember(4)]\n    public int D; // fourth\n}\n" },
    };

    /// <summary>Tags are found where they stand, and end.</summary>
    public static TheoryData<string, string, string> OfTags => new()
    {
        { "FMT122", Head + "[MessageContract, MessageUnion(1, typeof(A)), MessageUnion(type: typeof(B), tag: 1)]\npublic abstract partial class Shape;\npublic class A : Shape;\npublic class B : Shape;\n", Head + "[MessageContract, MessageUnion(1, typeof(A)), MessageUnion(type: typeof(B), tag: 2)]\npublic abstract partial class Shape;\npublic class A : Shape;\npublic class B : Shape;\n" },
        { "FMT122", Head + "[MessageContract, MessageUnion(1, typeof(A)), MessageUnion(int.MaxValue, typeof(B)), MessageUnion(1, typeof(C)), MessageUnion(1, typeof(D))]\npublic abstract partial class Shape;\npublic class A : Shape;\npublic class B : Shape;\npublic class C : Shape;\npublic class D : Shape;\n", Head + "[MessageContract, MessageUnion(1, typeof(A)), MessageUnion(int.MaxValue, typeof(B)), MessageUnion(2, typeof(C)), MessageUnion(3, typeof(D))]\npublic abstract partial class Shape;\npublic class A : Shape;\npublic class B : Shape;\npublic class C : Shape;\npublic class D : Shape;\n" },
    };

    /// <summary>What a file needs is imported.</summary>
    public static TheoryData<string, string, string> OfUnknownCases => new()
    {
        { "FMT123", Head + "[MessageContract, MessageUnion(typeof(Unknown))]\npublic abstract partial class Shape;\n~public class Unknown : Shape\n{\n}\n", Head + "[MessageContract, MessageUnion(typeof(Unknown))]\npublic abstract partial class Shape;\n~using Formatters;\npublic class Unknown : Shape, IUnknownCase\n{\n    public int Tag { get; set; }\n    public System.ReadOnlyMemory<byte> Body { get; set; }\n}\n" },
    };

    /// <summary>Setters where they can be.</summary>
    public static TheoryData<string, string, string> OfReadOnly => new()
    {
        { "FMT125", Head + "[MessageContract]\npublic partial struct Order\n{\n    // a\n    [MessageMember] public readonly int X { get; }\n}\n", Head + "[MessageContract]\npublic partial struct Order\n{\n    // a\n    [MessageMember] public int X { get; private set; }\n}\n" },
    };

    /// <summary>Bases that a listed type can have.</summary>
    public static TheoryData<string, string, string> OfUnions => new()
    {
        { "FMT121", Head + "[MessageContract, MessageUnion(1, typeof(Circle))]\npublic abstract partial record Shape;\npublic record Circle(int Radius);\n", Head + "[MessageContract, MessageUnion(1, typeof(Circle))]\npublic abstract partial record Shape;\npublic record Circle(int Radius) : Shape;\n" },
        { "FMT121", Head + "[MessageContract]\npublic partial class Order { public IA? A; public IB? B; public IA? C; }\n[MessageUnion(1, typeof(Circle))]\npublic interface IA;\n[MessageUnion(1, typeof(Circle))]\npublic interface IB;\npublic class Circle;\n", Head + "[MessageContract]\npublic partial class Order { public IA? A; public IB? B; public IA? C; }\n[MessageUnion(1, typeof(Circle))]\npublic interface IA;\n[MessageUnion(1, typeof(Circle))]\npublic interface IB;\npublic class Circle : IA, IB;\n" },
    };

    /// <summary>All that is put into a list counts.</summary>
    public static TheoryData<string, string, string> OfElementTypes => new()
    {
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) => Lines.Insert(0, line);\n}\npublic class Line { public int Id; }\n", Head + "[MessageContract]\npublic partial class Order\n{\n    [ElementType(typeof(Line))]\n    public ArrayList Lines = new();\n    void Add(Line line) => Lines.Insert(0, line);\n}\npublic class Line { public int Id; }\n" },
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) => Lines[0] = line;\n}\npublic class Line { public int Id; }\n", Head + "[MessageContract]\npublic partial class Order\n{\n    [ElementType(typeof(Line))]\n    public ArrayList Lines = new();\n    void Add(Line line) => Lines[0] = line;\n}\npublic class Line { public int Id; }\n" },
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) => Lines?.Add(line);\n}\npublic class Line { public int Id; }\n", Head + "[MessageContract]\npublic partial class Order\n{\n    [ElementType(typeof(Line))]\n    public ArrayList Lines = new();\n    void Add(Line line) => Lines?.Add(line);\n}\npublic class Line { public int Id; }\n" },
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(List<Line> lines) => Lines.AddRange(lines);\n}\npublic class Line { public int Id; }\n", Head + "[MessageContract]\npublic partial class Order\n{\n    [ElementType(typeof(Line))]\n    public ArrayList Lines = new();\n    void Add(List<Line> lines) => Lines.AddRange(lines);\n}\npublic class Line { public int Id; }\n" },
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line[] lines) => this.Lines.InsertRange(0, lines);\n}\npublic class Line { public int Id; }\n", Head + "[MessageContract]\npublic partial class Order\n{\n    [ElementType(typeof(Line))]\n    public ArrayList Lines = new();\n    void Add(Line[] lines) => this.Lines.InsertRange(0, lines);\n}\npublic class Line { public int Id; }\n" },
        { "FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) => Lines = new ArrayList { line, line };\n}\npublic class Line { public int Id; }\n", Head + "[MessageContract]\npublic partial class Order\n{\n    [ElementType(typeof(Line))]\n    public ArrayList Lines = new();\n    void Add(Line line) => Lines = new ArrayList { line, line };\n}\npublic class Line { public int Id; }\n" },
    };

    [Theory]
    [MemberData(nameof(TwiceOnOneMember))]
    [MemberData(nameof(InParts))]
    [MemberData(nameof(OfFormats))]
    [MemberData(nameof(BesideTrivia))]
    [MemberData(nameof(OfTags))]
    [MemberData(nameof(OfUnknownCases))]
    [MemberData(nameof(OfReadOnly))]
    [MemberData(nameof(OfUnions))]
    [MemberData(nameof(OfElementTypes))]
    public async Task Fix_OfAll_IsWhatTheCompilerTakes(string id, string before, string after)
    {
        using var harness = new FixHarness(before.Split('~'));
        await harness.FixAllAsync(id);
        Assert.Equal(after, string.Join('~', Enumerable.Range(0, before.Split('~').Length).Select(harness.Text)));
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Id == id || d.Severity == DiagnosticSeverity.Error);
    }

    [Theory]
    [InlineData("FMT125", Head + "[MessageContract] public readonly partial struct Order { [MessageMember] public readonly int X; }")]
    [InlineData("FMT125", Head + "[MessageContract] public readonly partial struct Order { [MessageMember] public int X { get; } }")]
    [InlineData("FMT121", Head + "public class Circle { public int Radius; } [MessageContract, MessageUnion(1, typeof(Circle)), MessageUnion(2, typeof(Own))] public abstract partial class Shape : Circle { } public class Own : Shape { }")]
    [InlineData("FMT121", Head + "[MessageContract, MessageUnion(1, typeof(Circle))] public abstract partial record Shape { public abstract int Sides { get; } } public record Circle { public int Radius; }")]
    [InlineData("FMT127", Head + "[MessageContract] public partial class Order { public int Id; [OnDeserialized] public virtual void Done(in StreamingContext context) { } }")]
    [InlineData("FMT127", Head + "[MessageContract] public partial class Order { public int Id; [OnDeserialized] public static void Done(ref StreamingContext context) { } }")]
    [InlineData("FMT127", Head + "[MessageContract] public partial class Order { public int Id; [OnDeserialized] public static void Done() { } } public static class Other { public static void Run() => Order.Done(); }")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add<T>(T line) => Lines.Add(line);\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add<T>(List<T> line) => Lines.Add(line);\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(dynamic line) => Lines.Add(line);\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add() => Lines.Add(new { Id = 1 });\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) { Lines.Add(line); Lines.Insert(0, 1); }\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) { Lines.Add(line); Lines[0] = 1; }\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) { Lines.Add(line); Lines?.Add(1); }\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) { Lines.Add(line); Lines.AddRange(new[] { 1 }); }\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line, ICollection all) { Lines.Add(line); Lines.AddRange(all); }\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) { Lines.Add(line); Lines = new ArrayList { 1 }; }\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) { Lines.Add(line); _ = new Order { Lines = { 1 } }; }\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    void Add(Line line) { Lines.Add(line); _ = new Order { Lines = new() { 1 } }; }\n}\npublic class Line { public int Id; }\n")]
    [InlineData("FMT105", Head + "[MessageContract] public partial class Order { public ArrayList Lines = new() { 1 }; void Add(string line) => Lines.Add(line); }")]
    [InlineData("FMT120", Head + "[MessageContract] public partial class Order { public Animal? Animal; } [MessageUnion(1, typeof(Dog))] public class Animal { } public class Dog : Animal { } public static class Maker { public static T Make<T>() where T : new() => new T(); public static Animal Other() => Make<Animal>(); }")]
    [InlineData("FMT120", Head + "[MessageContract] public partial class Order { public Animal? Animal; } [MessageUnion(1, typeof(Dog))] public class Animal { } public class Dog : Animal { } public static class Maker { public static T Make<T>(T like) where T : new() => new T(); public static Animal Other(Animal a) => Make(a); }")]
    [InlineData("FMT120", Head + "[MessageContract] public partial class Order { public Animal? Animal; } [MessageUnion(1, typeof(Dog))] public class Animal { } public class Dog : Animal { } public class Maker<T> where T : new() { } public class Animals : Maker<Animal> { }")]
    public async Task Fix_ThatWouldBreakTheBuild_IsNotOffered(string id, string source)
    {
        using var harness = new FixHarness(source);
        Diagnostic[] diagnostics = [.. (await harness.DiagnosticsAsync()).Where(d => d.Severity == DiagnosticSeverity.Error)];
        Assert.All(diagnostics, d => Assert.Equal(id, d.Id));
        Assert.Empty(await harness.OffersAsync(diagnostics[0]));
    }
}
