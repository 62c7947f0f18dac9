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

    [Theory]
    [MemberData(nameof(TwiceOnOneMember))]
    [MemberData(nameof(InParts))]
    public async Task Fix_OfAll_IsWhatTheCompilerTakes(string id, string before, string after)
    {
        using var harness = new FixHarness(before.Split('~'));
        await harness.FixAllAsync(id);
        Assert.Equal(after, string.Join('~', Enumerable.Range(0, before.Split('~').Length).Select(harness.Text)));
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Id == id || d.Severity == DiagnosticSeverity.Error);
    }
}
