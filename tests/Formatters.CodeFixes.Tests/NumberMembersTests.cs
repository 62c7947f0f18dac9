using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Xunit;

namespace Formatters.CodeFixes.Tests;

/// <summary>Numbers are given in the order of the contract, and none that is taken or retired.</summary>
public class NumberMembersTests
{
    private const string Contract = "[MessageContract(Formats = ContractFormats.Versioned)]\npublic partial ";

    internal static IEnumerable<string> TestedIds => Fixes.Select(f => (string)f[0]).Append("FMT113");

    public static TheoryData<string, string, string> Fixes => new()
    {
        { "FMT110", "class Order\n{\n    public int Id;\n    public string Name { get; set; } = \"\";\n}", "class Order\n{\n    [MessageMember(1)]\n    public int Id;\n    [MessageMember(2)]\n    public string Name { get; set; } = \"\";\n}" },
        { "FMT110", "class Order\n{\n    public int A, B;\n    [MessageMember(2)]\n    public int C;\n    [MessageMember(Name = \"d\")]\n    public int D;\n}", "class Order\n{\n    [MessageMember(1)]\n    public int A;\n    [MessageMember(3)]\n    public int B;\n    [MessageMember(2)]\n    public int C;\n    [MessageMember(4, Name = \"d\")]\n    public int D;\n}" },
        { "FMT110", "record Order(int Id, [MessageMember(1)] string Name);", "record Order([MessageMember(2)] int Id, [MessageMember(1)] string Name);" },
        { "FMT111", "class Order\n{\n    [MessageMember(1)]\n    public int A;\n    [MessageMember(1)]\n    public int B;\n    [MessageMember(1)]\n    public int C;\n}", "class Order\n{\n    [MessageMember(1)]\n    public int A;\n    [MessageMember(2)]\n    public int B;\n    [MessageMember(3)]\n    public int C;\n}" },
        { "FMT112", "class Order\n{\n    [MessageMember(300)]\n    public int A;\n}", "class Order\n{\n    [MessageMember(1)]\n    public int A;\n}" },
    };

    [Theory]
    [MemberData(nameof(Fixes))]
    public async Task Fix_NumbersAlikeAloneAndInBulk(string id, string before, string after)
    {
        using var single = new FixHarness(File(0, before));
        while ((await single.DiagnosticsAsync()).Any(d => d.Id == id))
            await single.FixFirstAsync(id);
        Assert.Equal(File(0, after), single.Text(0));
        using var all = new FixHarness(File(0, before), File(1, before));
        await all.FixAllAsync(id);
        Assert.Equal(File(0, after), all.Text(0));
        Assert.Equal(File(1, after), all.Text(1));
        Assert.DoesNotContain(await all.DiagnosticsAsync(), d => d.Severity == DiagnosticSeverity.Error);
    }

    [Theory]
    [InlineData("FMT113", "[MessageMember(2)]\n    ")]
    [InlineData("FMT110", "")]
    public async Task Fix_LeavesRetiredNumbersAlone(string id, string before)
    {
        const string Start = "using Formatters;\n[RetiredMembers(1, 2), MessageContract(Formats = ContractFormats.Versioned)]\npublic partial class Order\n{\n    ";
        const string End = "public int A;\n    [MessageMember(3)]\n    public int D;\n}\n";
        using var harness = new FixHarness(Start + before + End);
        await harness.FixAllAsync(id);
        Assert.Equal(Start + "[MessageMember(4)]\n    " + End, harness.Text(0));
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Severity == DiagnosticSeverity.Error);
    }

    [Theory]
    [InlineData("class D : Base { public int Own; }", "public class Base { public int Bq; }", "D.Own = 1, Base.Bq = 2")]
    [InlineData("class D : Base { public int Own; }", "[RetiredMembers(2)] public class Base { [MessageMember(1)] public int Bq; public int Zq; }", "D.Own = 3, Base.Zq = 4")]
    [InlineData("class D : Middle { public int Own; }", "public class Base<T> { public int Bq; } public class Middle : Base<int> { public int Mq; }", "D.Own = 1, Base.Bq = 2, Middle.Mq = 3")]
    [InlineData("class D : Base { public int Own; }", "public class Base { public int Bq; } [MessageContract(Formats = ContractFormats.Versioned)] public partial class E : Base { [MessageMember(2)] public int Own; }", "D.Own = 1, Base.Bq = 3")]
    public async Task Fix_InSeveralFiles_GivesNoNumberTwiceInAChainOfBases(string derived, string others, string numbers)
    {
        using var harness = new FixHarness($"using Formatters;\n{Contract}{derived}\n", $"using Formatters;\n{others}\n");
        await harness.FixAllAsync("FMT110");
        string all = harness.Text(0) + harness.Text(1);
        Assert.All(numbers.Split(", "), n => Assert.Matches($@"class {n.Split('.')[0]}\b.*\[MessageMember\({n.Split(" = ")[1]}\)\]\s+public int {n.Split('.', ' ')[1]};", all.ReplaceLineEndings(" ")));
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Severity == DiagnosticSeverity.Error);
    }

    [Fact]
    public async Task Fix_OfPartsInSeveralFiles_GivesNoNumberTwice()
    {
        using var harness = new FixHarness($"using Formatters;\n{Contract}class D {{ public int A; }}\n", "public partial class D { public int B, C; }\n", "public partial class D { public int E; }\n");
        await harness.FixAllAsync("FMT110");
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Severity == DiagnosticSeverity.Error);
        Assert.Contains("[MessageMember(4)]", harness.Text(2), System.StringComparison.Ordinal);
    }

    internal static string File(int number, string source) => $"using Formatters;\n\nnamespace N{number};\n\n{Contract}{source}\n";
}
