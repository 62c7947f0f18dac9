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

    [Theory]
    [MemberData(nameof(TwiceOnOneMember))]
    public async Task Fix_OfAll_IsWhatTheCompilerTakes(string id, string before, string after)
    {
        using var harness = new FixHarness(before.Split('~'));
        await harness.FixAllAsync(id);
        Assert.Equal(after, string.Join('~', Enumerable.Range(0, before.Split('~').Length).Select(harness.Text)));
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Id == id || d.Severity == DiagnosticSeverity.Error);
    }
}
