using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Xunit;

namespace Formatters.CodeFixes.Tests;

/// <summary>Every fix: what it makes of a mistake, alone and in bulk; the diagnostic is gone then, and the source compiles.</summary>
public partial class CodeFixTests
{
    private const string Usings = "using System;\nusing System.Collections;\nusing System.Collections.Generic;\nusing System.Runtime.Serialization;\nusing Formatters;\nusing Formatters.Contracts;\nusing Formatters.LegacyBinary;\n\n";

    internal const string Peers = """
        namespace MessagePack
        {
            public sealed class MessagePackObjectAttribute : System.Attribute { }
            public sealed class KeyAttribute(int number) : System.Attribute { public int Number => number; }
            public sealed class IgnoreMemberAttribute : System.Attribute { }
        }

        namespace ProtoBuf
        {
            public sealed class ProtoContractAttribute : System.Attribute { }
            public enum DataFormat { Default, ZigZag, TwosComplement, FixedSize, Group }
            public sealed class ProtoMemberAttribute(int tag) : System.Attribute { public int Tag => tag; public DataFormat DataFormat { get; set; } public bool IsPacked { get; set; } }
            public sealed class ProtoIgnoreAttribute : System.Attribute { }
        }

        namespace MemoryPack
        {
            public sealed class MemoryPackableAttribute : System.Attribute { }
            public sealed class MemoryPackOrderAttribute(int order) : System.Attribute { public int Order => order; }
            public sealed class MemoryPackIgnoreAttribute : System.Attribute { }
        }
        """;

    public static TheoryData<string, string, string> Fixes => new()
    {
        { "FMT001", "[MessageContract(Formats = ContractFormats.Binary)]\npublic class Order { public int Id; }", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order { public int Id; }" },
        { "FMT001", "public class Outer<T>\n{\n    [MessageContract(Formats = ContractFormats.Binary)] public class Inner { [MessageMember] private int _id = 1; public int Id() => _id; }\n}", "public partial class Outer<T>\n{\n    [MessageContract(Formats = ContractFormats.Binary)] public partial class Inner { [MessageMember] private int _id = 1; public int Id() => _id; }\n}" },
        { "FMT001", "/// <summary>A.</summary>\nclass Outer\n{\n    [MessageContract(Formats = ContractFormats.Binary)] record struct Inner(int Id);\n    [MessageContract(Formats = ContractFormats.Binary)] struct Other { public int Id; }\n}", "/// <summary>A.</summary>\npartial class Outer\n{\n    [MessageContract(Formats = ContractFormats.Binary)] partial record struct Inner(int Id);\n    [MessageContract(Formats = ContractFormats.Binary)] partial struct Other { public int Id; }\n}" },
        { "FMT006", "[MessageContractMap]\ninternal static class Contracts { }", "[MessageContractMap]\ninternal static partial class Contracts { }" },
        { "FMT003", "[MessageContractFor(typeof(int), Formats = ContractFormats.Binary)]\ninternal static class Contracts { }", "[MessageContractFor(typeof(int), Formats = ContractFormats.Binary)]\ninternal static partial class Contracts { }" },
        { "FMT005", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order { public int MessageContract; public int OwnMessageContract; int Get() => MessageContract; }", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order { public int OwnMessageContract2; public int OwnMessageContract; int Get() => OwnMessageContract2; }" },
        { "FMT101", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    /// <summary>A.</summary>\n    public object Tag = 1;\n}", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    /// <summary>A.</summary>\n    [IgnoreDataMember]\n    public object Tag = 1;\n}" },
        { "FMT102", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    public Line Line { get; set; } = new(1);\n}\n\npublic class Line\n{\n    public Line(int other) => Id = other;\n    public int Id;\n}", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    [IgnoreDataMember]\n    public Line Line { get; set; } = new(1);\n}\n\npublic class Line\n{\n    public Line(int other) => Id = other;\n    public int Id;\n}" },
        { "FMT108", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    public List<int> Lines { get; } = [];\n    public int Number { get; private set; }\n}", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    [IgnoreDataMember]\n    public List<int> Lines { get; } = [];\n    [IgnoreDataMember]\n    public int Number { get; private set; }\n}" },
        { "FMT104", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    public Line Line = new();\n}\n\npublic class Line { public int Id { get; private set; } }", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    [IgnoreDataMember]\n    public Line Line = new();\n}\n\npublic class Line { public int Id { get; private set; } }" },
        { "FMT106", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    public HashSet<(int, int)> Set = new();\n}", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    [IgnoreDataMember]\n    public HashSet<(int, int)> Set = new();\n}" },
        { "FMT105", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public ArrayList Lines = new();\n    public void Add(Line line) => Lines.Add(line);\n    public Line First => (Line)Lines[0]!;\n}\n\npublic class Line { public int Id; }", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    [ElementType(typeof(Line))]\n    public ArrayList Lines = new();\n    public void Add(Line line) => Lines.Add(line);\n    public Line First => (Line)Lines[0]!;\n}\n\npublic class Line { public int Id; }" },
        { "FMT105", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    [ElementType(typeof(int))]\n    public List<int> Lines = new();\n}", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public List<int> Lines = new();\n}" },
        { "FMT107", "#nullable disable\n[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order { public string Name = \"\"; }", "#nullable enable\n[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order { public string Name = \"\"; }" },
        { "FMT119", "[MessageContract(Formats = ContractFormats.Protobuf)]\npublic partial class Order\n{\n    [MessageMember(1, Encoding = MemberEncoding.ZigZag)] public uint Id;\n    [MessageMember(2, Encoding = MemberEncoding.Fixed, Name = \"No\")] public string Number { get; set; } = \"\";\n    [MessageMember(3, Encoding = MemberEncoding.Fixed)] public int Count;\n}", "[MessageContract(Formats = ContractFormats.Protobuf)]\npublic partial class Order\n{\n    [MessageMember(1)] public uint Id;\n    [MessageMember(2, Name = \"No\")] public string Number { get; set; } = \"\";\n    [MessageMember(3, Encoding = MemberEncoding.Fixed)] public int Count;\n}" },
        { "FMT111", "[MessageContract(Formats = ContractFormats.Protobuf)]\npublic partial class Order\n{\n    [MessageMember(1)] public int Id;\n    [MessageOneof(2, typeof(Card)), MessageOneof(1, typeof(Cash), Name = \"cash\")] public IPay? Pay;\n}\n\n[MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))]\npublic interface IPay;\n\npublic class Card : IPay;\n\npublic class Cash : IPay;", "[MessageContract(Formats = ContractFormats.Protobuf)]\npublic partial class Order\n{\n    [MessageMember(1)] public int Id;\n    [MessageOneof(2, typeof(Card)), MessageOneof(3, typeof(Cash), Name = \"cash\")] public IPay? Pay;\n}\n\n[MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))]\npublic interface IPay;\n\npublic class Card : IPay;\n\npublic class Cash : IPay;" },
        { "FMT110", "[MessageContract(Formats = ContractFormats.Protobuf)]\npublic partial class Order\n{\n    public int Id;\n    [MessageOneof(1, typeof(Card)), MessageOneof(2, typeof(Cash))] public IPay? Pay;\n}\n\n[MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))]\npublic interface IPay;\n\npublic class Card : IPay;\n\npublic class Cash : IPay;", "[MessageContract(Formats = ContractFormats.Protobuf)]\npublic partial class Order\n{\n    [MessageMember(3)]\n    public int Id;\n    [MessageOneof(1, typeof(Card)), MessageOneof(2, typeof(Cash))] public IPay? Pay;\n}\n\n[MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Cash))]\npublic interface IPay;\n\npublic class Card : IPay;\n\npublic class Cash : IPay;" },
        { "FMT119", "[MessageContract(Formats = ContractFormats.Protobuf)]\npublic partial class Order\n{\n    [MessageMember(1, IsPacked = false)] public uint Id;\n}", "[MessageContract(Formats = ContractFormats.Protobuf)]\npublic partial class Order\n{\n    [MessageMember(1)] public uint Id;\n}" },
        { "FMT128", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    public Line Line = new();\n    public List<Line> Lines = [];\n}\n\n/// <summary>A.</summary>\npublic class Line { public int Id; }\n\npublic class Special : Line { public int Extra; }", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    public Line Line = new();\n    public List<Line> Lines = [];\n}\n\n/// <summary>A.</summary>\n[AllowDerived]\npublic class Line { public int Id; }\n\npublic class Special : Line { public int Extra; }" },
        { "FMT301", "[Serializable] public class Order { public int Id; }\n\npublic static class Sender\n{\n    public static void Send(System.IO.Stream stream, Order order) =>\n        new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize(stream, order);\n\n    public static void SendBoth(System.IO.Stream stream, Order a, Order b)\n    {\n        new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize(stream, a); // first\n        new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize(stream, b);\n    }\n}", "[Serializable] public class Order { public int Id; }\n\npublic static class Sender\n{\n    private static readonly LegacyBinaryFormatter<Order> LegacyOrderFormatter = new LegacyBinaryFormatter<Order>();\n\n    public static void Send(System.IO.Stream stream, Order order) =>\n        LegacyOrderFormatter.Write(stream, order);\n\n    public static void SendBoth(System.IO.Stream stream, Order a, Order b)\n    {\n        LegacyOrderFormatter.Write(stream, a); // first\n        LegacyOrderFormatter.Write(stream, b);\n    }\n}" },
        { "FMT302", "[DataContract]\npublic class Order\n{\n    [DataMember(Order = 0)]\n    public int Id;\n    [DataMember(Order = 3)] public string Name { get; set; } = \"\";\n    public int Out;\n}", "[DataContract]\n[MessageContract]\npublic partial class Order\n{\n    [DataMember(Order = 0)]\n    [MessageMember(1)]\n    public int Id;\n    [DataMember(Order = 3)][MessageMember(4)] public string Name { get; set; } = \"\";\n    [IgnoreDataMember]\n    public int Out;\n}" },
        { "FMT303", "[MessagePack.MessagePackObject]\npublic record Order([MessagePack.Key(0)] int Id, [property: MessagePack.Key(1)] string Name)\n{\n    [MessagePack.IgnoreMember]\n    public int Out { get; set; }\n}", "[MessagePack.MessagePackObject]\n[MessageContract]\npublic partial record Order([MessagePack.Key(0)][MessageMember(1)] int Id, [property: MessagePack.Key(1)][MessageMember(2)] string Name)\n{\n    [MessagePack.IgnoreMember]\n    [IgnoreDataMember]\n    public int Out { get; set; }\n}" },
        { "FMT304", "[ProtoBuf.ProtoContract]\npublic class Order\n{\n    [ProtoBuf.ProtoMember(1, DataFormat = ProtoBuf.DataFormat.ZigZag)]\n    public int Id;\n    [ProtoBuf.ProtoMember(2, DataFormat = ProtoBuf.DataFormat.FixedSize, IsPacked = false)]\n    public long[] Numbers = [];\n}", "[ProtoBuf.ProtoContract]\n[MessageContract]\npublic partial class Order\n{\n    [ProtoBuf.ProtoMember(1, DataFormat = ProtoBuf.DataFormat.ZigZag)]\n    [MessageMember(1, Encoding = MemberEncoding.ZigZag)]\n    public int Id;\n    [ProtoBuf.ProtoMember(2, DataFormat = ProtoBuf.DataFormat.FixedSize, IsPacked = false)]\n    [MessageMember(2, Encoding = MemberEncoding.Fixed, IsPacked = false)]\n    public long[] Numbers = [];\n}" },
        { "FMT305", "[MemoryPack.MemoryPackable]\npublic partial struct Order\n{\n    [MemoryPack.MemoryPackOrder(0)]\n    public int Id { get; set; }\n}", "[MemoryPack.MemoryPackable]\n[MessageContract]\npublic partial struct Order\n{\n    [MemoryPack.MemoryPackOrder(0)]\n    [MessageMember(1)]\n    public int Id { get; set; }\n}" },
    };

    [Theory]
    [MemberData(nameof(Fixes))]
    [MemberData(nameof(ContractFixes))]
    public async Task Fix_OfOne_ChangesItAlone(string id, string before, string after)
    {
        using var harness = new FixHarness(File(0, before), Peers);
        for (int count = (await harness.DiagnosticsAsync()).Count(d => d.Id == id); count > 0 && (await harness.DiagnosticsAsync()).Any(d => d.Id == id); count--)
            await harness.FixFirstAsync(id);
        Assert.Equal(File(0, after), harness.Text(0));
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Severity == DiagnosticSeverity.Error);
    }

    [Theory]
    [MemberData(nameof(Fixes))]
    [MemberData(nameof(ContractFixes))]
    public async Task Fix_OfAll_ChangesEveryFileAtOnce(string id, string before, string after)
    {
        using var harness = new FixHarness(File(0, before), Peers, File(2, before), File(3, before));
        await harness.FixAllAsync(id);
        foreach (int file in new[] { 0, 2, 3 })
            Assert.Equal(File(file, after), harness.Text(file));
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Id == id || d.Severity == DiagnosticSeverity.Error);
    }

    [Theory]
    [InlineData("FMT003", "[MessageContractFor(typeof(int), Formats = ContractFormats.Binary)] public partial class Context<T> { }")]
    [InlineData("FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial record Order(object Tag);")]
    [InlineData("FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public object A = 1, B = 2; }")]
    [InlineData("FMT102", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Order(int other) { } public int Id; }")]
    [InlineData("FMT105", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public ArrayList Lines = new(); void Add() { Lines.Add(1); Lines.Add(\"\"); } }")]
    [InlineData("FMT105", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public ArrayList Lines = new(); }")]
    [InlineData("FMT103", "#nullable disable\n[MessageContract(Formats = ContractFormats.Binary)] public partial class Node { public Node Next; }")]
    [InlineData("FMT115", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; public UnknownMembers? A; public UnknownMembers? B; }")]
    [InlineData("FMT115", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; private UnknownMembers? Unknown { get; set; } public bool Has() => Unknown is not null; }")]
    [InlineData("FMT115", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public int Id; internal UnknownMembers? Unknown; }")]
    [InlineData("FMT105", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [ElementType(typeof(int))] public Hashtable Lines = new(); }")]
    [InlineData("FMT105", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [ElementType(typeof(int))] public List<ArrayList> Lines = new(); }")]
    [InlineData("FMT105", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [ElementType(typeof(int))] public ArrayList[] Lines = []; }")]
    [InlineData("FMT123", "[MessageContract(Formats = ContractFormats.Binary), MessageUnion(typeof(Unknown))] public abstract partial class Shape { } public class Unknown : Shape { public required int Id; }")]
    [InlineData("FMT118", "[MessageContract(Formats = ContractFormats.MessagePack)] public partial class Order { public int Id; [MessageMember(Name = \"Id\")] public int A, B; }")]
    [InlineData("FMT130", "[LegacyBinaryContract] public partial class Order<T> { public int Id; }")]
    [InlineData("FMT120", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Animal Animal = new(); } [MessageUnion(1, typeof(Dog))] public class Animal { } public class Dog : Animal { }")]
    [InlineData("FMT121", "[MessageContract(Formats = ContractFormats.Binary), MessageUnion(1, typeof(string))] public abstract partial class Shape { }")]
    [InlineData("FMT121", "[MessageContract(Formats = ContractFormats.Binary), MessageUnion(1, typeof(Circle))] public abstract partial class Shape { } public class Round { } public class Circle : Round { }")]
    [InlineData("FMT123", "[MessageContract(Formats = ContractFormats.Binary), MessageUnion(typeof(Unknown))] public abstract partial class Shape { } public class Unknown : Shape { public Unknown(int id) { } }")]
    [InlineData("FMT124", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : IId { [MessageMember] int IId.Id { get; set; } } public interface IId { int Id { get; set; } }")]
    [InlineData("FMT124", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order : Base<int> { } public class Base<T> { [MessageMember] private int _id = 1; public int Id() => _id; }")]
    [InlineData("FMT125", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MessageMember] internal int Id => 1; }")]
    [InlineData("FMT125", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [MessageMember] public static int Count { get; } }")]
    [InlineData("FMT125", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [MessageMember] public static readonly int Count; }")]
    [InlineData("FMT125", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [MessageMember] public int this[int index] { get => index; } }")]
    [InlineData("FMT127", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [OnDeserialized] public int Done() => 1; }")]
    [InlineData("FMT127", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; [OnDeserialized] public virtual void Done() { } } public class Other : Order { public override void Done() { } }")]
    [InlineData("FMT301", "public static class Sender { public static void Send(System.IO.Stream stream, object order) => new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize(stream, order); }")]
    [InlineData("FMT301", "public static class Sender { public static void Send<T>(System.IO.Stream stream, List<T> all) => new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize(stream, all); }")]
    [InlineData("FMT301", "public static class Sender { public static void Send(System.IO.Stream stream, Exception error) => new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize(stream, error); }")]
    [InlineData("FMT301", "public class Order { public void Send(System.IO.Stream stream, System.Runtime.Serialization.Formatters.Binary.BinaryFormatter formatter) => formatter.Serialize(stream, this); }")]
    [InlineData("FMT001", "[MessageContract(Formats = ContractFormats.Binary)] file class Order { public int Id; }")]
    [InlineData("FMT001", "file class Outer { [MessageContract(Formats = ContractFormats.Binary)] public class Order { public int Id; } }")]
    [InlineData("FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order(object tag, int id) { public object Tag { get; } = tag; public int Id { get; } = id; }")]
    [InlineData("FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order(object tag, int id) : Base(tag) { public int Id { get; } = id; } public abstract class Base(object tag) { public object Tag { get; } = tag; }")]
    [InlineData("FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial struct Order(object tag, int id) { public object Tag { get; } = tag; public int Id { get; } = id; }")]
    [InlineData("FMT101", "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public required IDisposable Tag { get; init; } public int Id; }")]
    [InlineData("FMT101", "[MessageContract(Formats = ContractFormats.Binary), DataContract] public partial class Order { [DataMember] public object? Tag; [DataMember] public int Id; }")]
    [InlineData("FMT301", "file class Order { } public static class Sender { public static void Send(System.IO.Stream stream) => %.Serialize(stream, new Order()); }")]
    [InlineData("FMT301", "file class Order { } public static class Sender { public static void Send(System.IO.Stream stream) => %.Serialize(stream, new List<Order[]>()); }")]
    [InlineData("FMT302", "[DataContract] file class Order { [DataMember(Order = 1)] public int Id; }")]
    public async Task Fix_ThatWouldNotHelp_IsNotOffered(string id, string source)
    {
        using var harness = new FixHarness(File(0, source.Replace("%", "new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter()", StringComparison.Ordinal)));
        Diagnostic diagnostic = (await harness.DiagnosticsAsync()).First(d => d.Id == id);
        Assert.Empty(await harness.OffersAsync(diagnostic));
    }

    [Theory]
    [InlineData("FMT114", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { [MessageMember(1)] public Far Far = new(); }", "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Far { [MessageMember(1)] public int Id; }", "[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned)]\npublic partial class Far { [MessageMember(1)] public int Id; }")]
    [InlineData("FMT121", "[MessageContract(Formats = ContractFormats.Binary), MessageUnion(1, typeof(Far))] public abstract partial class Shape;", "public class Far { public int Id; }", "public class Far : Shape { public int Id; }")]
    [InlineData("FMT123", "[MessageContract(Formats = ContractFormats.Binary), MessageUnion(typeof(Far))] public abstract partial class Shape;", "public class Far : Shape { }", "public class Far : Shape, IUnknownCase { public int Tag { get; set; } public ReadOnlyMemory<byte> Body { get; set; } public int BodyType { get; set; } }")]
    public async Task Fix_OfATypeInAnotherFile_ChangesThatFile(string id, string source, string before, string after)
    {
        using var harness = new FixHarness(File(0, source), File(0, before));
        await harness.FixAllAsync(id);
        Assert.Equal(File(0, source), harness.Text(0));
        Assert.Equal(File(0, after).ReplaceLineEndings(" ").Replace(" ", "", StringComparison.Ordinal), harness.Text(1).ReplaceLineEndings(" ").Replace(" ", "", StringComparison.Ordinal));
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Severity == DiagnosticSeverity.Error);
    }

    [Fact]
    public async Task Fix_OfAClassThatOthersDeriveFrom_MakesAUnionOfThem()
    {
        const string Source = "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    public Payment? Payment;\n    public List<Payment> Payments = [];\n}\n\n%public @class Payment { public int Amount; }\n\npublic class Transfer : Payment { public string Iban = \"\"; }\n\npublic class Card : Payment { public string Number = \"\"; }";
        string before = Source.Replace("%", "", StringComparison.Ordinal).Replace("@", "", StringComparison.Ordinal);
        string after = Source.Replace("%", "[MessageUnion(1, typeof(Card))]\n[MessageUnion(2, typeof(Transfer))]\n", StringComparison.Ordinal).Replace("@", "abstract ", StringComparison.Ordinal);
        using var harness = new FixHarness(File(0, before));
        Assert.Equal(2, (await harness.OffersAsync((await harness.DiagnosticsAsync()).First(d => d.Id == "FMT128"))).Count);
        await harness.FixAllAsync("FMT128", by: typeof(DerivedUnionFix));
        Assert.Equal(File(0, after), harness.Text(0));
        Assert.Empty(await harness.DiagnosticsAsync());
    }

    [Fact]
    public async Task Fix_OfPayloadsOfOneName_MakesAFormatterForEach()
    {
        const string Write = "new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize";
        using var harness = new FixHarness($"namespace Crm {{ public class Order {{ public int Id; }} }}\nnamespace Shop\n{{\n    public class Order\n    {{\n        public int Id;\n        public void Send(System.IO.Stream stream, Crm.Order other)\n        {{\n            {Write}(stream, other);\n            {Write}(stream, this);\n        }}\n    }}\n}}\n");
        await harness.FixAllAsync("FMT301");
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Id == "FMT301" || d.Severity == DiagnosticSeverity.Error);
        Assert.Contains("LegacyOrderFormatter.Write(stream, other)", harness.Text(0), StringComparison.Ordinal);
        Assert.Contains("LegacyOrderFormatter2.Write(stream, this)", harness.Text(0), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Fix_BesideAFormatterWithOptions_MakesOneWithout()
    {
        using var harness = new FixHarness("using System.IO;\nusing Formatters;\nusing Formatters.LegacyBinary;\npublic class Order\n{\n    private static readonly LegacyBinaryFormatter<Order> LegacyOrderFormatter = new(options: LegacyBinaryOptions.Default.WithType(typeof(int), \"Number\"));\n\n    public void Send(Stream stream) => new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize(stream, this);\n}\n");
        await harness.FixAllAsync("FMT301");
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Id == "FMT301" || d.Severity == DiagnosticSeverity.Error);
        Assert.Contains("LegacyBinaryFormatter<Order> LegacyOrderFormatter2 = new LegacyBinaryFormatter<Order>();", harness.Text(0), StringComparison.Ordinal);
        Assert.Contains("LegacyOrderFormatter2.Write(stream, this)", harness.Text(0), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("public class Order { public void Send(Stream stream, int LegacyOrderFormatter) => %.Serialize(stream, this); }", "Order.LegacyOrderFormatter.Write(stream, this)")]
    [InlineData("public class Order { public void Send(Stream stream) { foreach (int LegacyOrderFormatter in new[] { 1 }) %.Serialize(stream, this); } }", "Order.LegacyOrderFormatter.Write(stream, this)")]
    [InlineData("public class Order { private static readonly LegacyBinaryFormatter<Order> Own = new(); public void Send(Stream stream) { var Own = this; %.Serialize(stream, Own); } }", "Order.Own.Write(stream, Own)")]
    [InlineData("public class Order<T> { public int Id; } public class Sender<T> { public void Send(Stream stream, Order<int> order) { int LegacyOrderFormatter = 1; %.Serialize(stream, order); } }", "Sender<T>.LegacyOrderFormatter.Write(stream, order)")]
    [InlineData("file class Order { public void Send(Stream stream) => %.Serialize(stream, this); }", " LegacyOrderFormatter.Write(stream, this)")]
    [InlineData("public class Order { public Order Send(Stream stream, System.Func<System.Action, Order> order) { %.Serialize(stream, order(() => %.Serialize(stream, this))); return this; } }", " LegacyOrderFormatter.Write(stream, order(() => LegacyOrderFormatter.Write(stream, this)))")]
    public async Task Fix_ByAFieldOfTheType_ReachesIt(string source, string written)
    {
        using var harness = new FixHarness("using System.IO;\nusing Formatters;\n" + source.Replace("%", "new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter()", StringComparison.Ordinal));
        await harness.FixAllAsync("FMT301");
        Assert.Contains(written, harness.Text(0), StringComparison.Ordinal);
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Id == "FMT301" || d.Severity == DiagnosticSeverity.Error);
    }

    [Fact]
    public async Task Fix_OfAMemberThatOneOfTwoConstructorsNeeds_LeavesTheOther()
    {
        using var harness = new FixHarness(File(0, "[MessageContract(Formats = ContractFormats.Binary)]\npublic partial class Order(object tag, int id)\n{\n    public Order(int id) : this(1, id) { }\n    public object Tag { get; } = tag;\n    public int Id { get; } = id;\n}"));
        await harness.FixFirstAsync("FMT101");
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Severity == DiagnosticSeverity.Error);
    }

    [Fact]
    public async Task Fix_OfANameThatIsTaken_PutsTheNamespaceBeforeIt()
    {
        using var harness = new FixHarness("namespace Crm { public class Address { public int Id; } }\nnamespace Shop\n{\n    public class Address { public int Id; }\n    [Formatters.MessageContractFor(typeof(Address), Formats = Formatters.ContractFormats.Binary), Formatters.MessageContractFor(typeof(Crm.Address), Formats = Formatters.ContractFormats.Binary)]\n    internal static partial class Contracts;\n}\n");
        await harness.FixAllAsync("FMT004");
        Assert.Contains("MessageContractFor(typeof(Crm.Address), Formats = Formatters.ContractFormats.Binary, Name = \"CrmAddress\")", harness.Text(0), StringComparison.Ordinal);
        Assert.Empty(await harness.DiagnosticsAsync());
    }

    [Fact]
    public async Task Fix_OfWhatXmlSerializerRefuses_LeavesItOutOfXml()
    {
        using var harness = new FixHarness("[Formatters.MessageContract(Formats = Formatters.ContractFormats.Xml)]\npublic partial class Order\n{\n    public int Id;\n    public int No { get; private set; }\n}\n");
        await harness.FixFirstAsync("FMT101");
        Assert.Equal(
            "using System.Xml.Serialization;\n[Formatters.MessageContract(Formats = Formatters.ContractFormats.Xml)]\npublic partial class Order\n{\n    public int Id;\n    [XmlIgnore]\n    public int No { get; private set; }\n}\n",
            harness.Text(0));
        Assert.Empty(await harness.DiagnosticsAsync());
    }

    [Fact]
    public async Task Fix_OfAllThatXmlSerializerRefuses_LeavesNothingForTheNextBuild()
    {
        const string Source = "using System;\nusing System.Collections;\nusing System.Collections.Generic;\nusing System.Xml.Serialization;\n[Formatters.MessageContract(Formats = Formatters.ContractFormats.Xml)]\npublic partial class Order\n{\n    public required int Id;\n    % public Hashtable? Table;\n    public HashSet<Line>? Lines;\n}\n\n"
            + "public class Line\n{\n    % public int No { get; private set; }\n    public object? Value;\n    % public IDisposable? Owner;\n}\n";
        using var harness = new FixHarness(Source.Replace("% ", "", StringComparison.Ordinal));
        await harness.FixAllAsync("FMT101");
        Assert.Equal(Source.Replace("% ", "[XmlIgnore]\n    ", StringComparison.Ordinal), harness.Text(0));
        Assert.Equal(["FMT140"], (await harness.DiagnosticsAsync()).Select(d => d.Id));
    }

    [Fact]
    public async Task Fix_AddsTheUsingDirectiveThatItNeeds()
    {
        using var harness = new FixHarness("[Formatters.MessageContract(Formats = Formatters.ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    public object Tag = 1;\n}\n");
        await harness.FixFirstAsync("FMT101");
        Assert.Equal(
            "using System.Runtime.Serialization;\n[Formatters.MessageContract(Formats = Formatters.ContractFormats.Binary)]\npublic partial class Order\n{\n    public int Id;\n    [IgnoreDataMember]\n    public object Tag = 1;\n}\n",
            harness.Text(0));
    }

    [Fact]
    public void Providers_WorkInBulkAndAreTested()
    {
        string[] tested = [.. Fixes.Concat(ContractFixes).Select(f => (string)f[0]), .. NumberMembersTests.TestedIds, .. UpdateSchemaTests.TestedIds];
        Assert.NotEmpty(FixHarness.Providers);
        foreach (CodeFixProvider provider in FixHarness.Providers)
        {
            Assert.Contains(FixAllScope.Solution, provider.GetFixAllProvider()!.GetSupportedFixAllScopes());
            Assert.Subset(tested.ToHashSet(), provider.FixableDiagnosticIds.ToHashSet());
        }
    }

    // Each file in a namespace of its own, behind the directives of its source.
    internal static string File(int number, string source)
    {
        string[] lines = source.Split('\n', 2);
        (string directive, string rest) = lines[0].StartsWith('#') ? (lines[0] + "\n", lines[1]) : ("", source);
        return $"{Usings}{directive}namespace N{number};\n\n{rest}\n";
    }
}
