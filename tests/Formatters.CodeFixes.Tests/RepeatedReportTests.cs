using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Xunit;

namespace Formatters.CodeFixes.Tests;

/// <summary>A declaration that is part of several contracts, or of several projects, may be reported for each of them.</summary>
public class RepeatedReportTests
{
    private const string Usings = "using System;\nusing System.Collections;\nusing System.Runtime.Serialization;\nusing Formatters;\n\n";

    // A type without a contract of its own, in two that have one.
    private static string InTwo(string format) => string.Concat(new[] { "O", "O2" }.Select(type => $" [MessageContract(Formats = ContractFormats.{format})] public partial class {type} {{ [MessageMember(1)] public S? A; }}"));

    public static TheoryData<string, string, string, string> Shared => new()
    {
        { "FMT101", "Binary", "public class S { public int Id; public object X = 1; }", "public class S { public int Id; [IgnoreDataMember] public object X = 1; }" },
        { "FMT103", "Binary", "public class S { public S Id = null!; }", "public class S { public S? Id = null!; }" },
        { "FMT105", "Binary", "public class S { public ArrayList L = new(); public void A(int x) => L.Add(x); }", "public class S { [ElementType(typeof(int))] public ArrayList L = new(); public void A(int x) => L.Add(x); }" },
        { "FMT105", "Binary", "public class S { [ElementType(typeof(int))] public int[] A = [], B = []; }", "public class S { public int[] A = [], B = []; }" },
        { "FMT110", "Versioned", "public class S { public int Id, X; }", "public class S { [MessageMember(1)] public int Id; [MessageMember(2)] public int X; }" },
        { "FMT111", "Versioned", "public class S { [MessageMember(1)] public int Id; [MessageMember(1)] public int X; }", "public class S { [MessageMember(1)] public int Id; [MessageMember(2)] public int X; }" },
        { "FMT111", "Versioned", "public class S { [MessageMember(1)] public int X; [MessageMember(1)] public int Z, W; }", "public class S { [MessageMember(1)] public int X; [MessageMember(2)] public int Z; [MessageMember(3)] public int W; }" },
        { "FMT111", "Versioned", "public class S { [MessageMember(1, Name = \"z\")] public int Z, W; }", "public class S { [MessageMember(1, Name = \"z\")] public int Z; [MessageMember(2, Name = \"z\")] public int W; }" },
        { "FMT112", "Versioned", "public class S { [MessageMember(1000)] public int Id; [MessageMember(1)] public int X; }", "public class S { [MessageMember(2)] public int Id; [MessageMember(1)] public int X; }" },
        { "FMT113", "Versioned", "[RetiredMembers(1)] public class S { [MessageMember(1)] public uint Id; }", "[RetiredMembers(1)] public class S { [MessageMember(2)] public uint Id; }" },
        { "FMT115", "Versioned", "public class S { [MessageMember(1)] public uint Id; public UnknownMembers U { get; } = null!; }", "public class S { [MessageMember(1)] public uint Id; public UnknownMembers? U { get; set; } }" },
        { "FMT118", "MessagePack", "public class S { public uint Id; [MessageMember(Name = \"Id\")] public int B; }", "public class S { public uint Id; [MessageMember(Name = \"B\")] public int B; }" },
        { "FMT119", "Protobuf", "public class S { [MessageMember(1, Encoding = MemberEncoding.ZigZag)] public uint Id; }", "public class S { [MessageMember(1)] public uint Id; }" },
        { "FMT122", "Binary", "[MessageUnion(1, typeof(A)), MessageUnion(1, typeof(B))] public abstract class S; public class A : S; public class B : S;", "[MessageUnion(1, typeof(A)), MessageUnion(2, typeof(B))] public abstract class S; public class A : S; public class B : S;" },
        { "FMT124", "Versioned", "public class S { [MessageMember(1)] private int _x = 1; public int X() => _x; }", "[MessageContract] public partial class S { [MessageMember(1)] private int _x = 1; public int X() => _x; }" },
        { "FMT125", "Binary", "[DataContract] public class S { [DataMember] public uint Id { get; } }", "[DataContract] public class S { [DataMember] public uint Id { get; private set; } }" },
        { "FMT127", "Binary", "public class S { public int Id; [OnSerializing] public static void X() { } }", "public class S { public int Id; [OnSerializing] public void X() { } }" },
    };

    /// <summary>What the tests of the single fixes have, every diagnostic reported for a second contract.</summary>
    public static IEnumerable<object[]> All => CodeFixTests.Fixes.Concat(CodeFixTests.ContractFixes).Select(f => f.ToArray())
        .Select(f => new[] { f[0], CodeFixTests.File(0, (string)f[1]), CodeFixTests.File(0, (string)f[2]) })
        .Concat(NumberMembersTests.Fixes.Select(f => new object[] { f[0], NumberMembersTests.File(0, (string)f[1]), NumberMembersTests.File(0, (string)f[2]) }));

    [Theory]
    [MemberData(nameof(Shared))]
    public async Task Fix_OfATypeInTwoContracts_ChangesItOnce(string id, string format, string before, string after)
    {
        string contracts = InTwo(format);
        using var harness = new FixHarness(Usings + before + contracts);
        await harness.FixAllAsync(id);
        Assert.Equal(WithoutSpace(Usings + after + contracts), WithoutSpace(harness.Text(0)));
        Assert.DoesNotContain(await harness.DiagnosticsAsync(), d => d.Id == id);
    }

    [Fact]
    public async Task Fix_OfACallbackOfBaseAndDerivedContract_ChangesItOnce()
    {
        using var harness = new FixHarness(Usings + "[MessageContract(Formats = ContractFormats.Binary)] public partial class O { public int Id; [OnSerializing] private static void S() { } } [MessageContract(Formats = ContractFormats.Binary)] public partial class P : O { }");
        Assert.Single(await harness.DiagnosticsAsync(), d => d.Id == "FMT127");
        await harness.FixAllAsync("FMT127");
        Assert.Empty(await harness.DiagnosticsAsync());
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task Fix_OfWhatIsReportedTwice_IsThatOfOneReport(string id, string before, string after)
    {
        using var harness = new FixHarness(before, CodeFixTests.Peers);
        await harness.FixAllAsync(id, isReportedTwice: true);
        Assert.Equal(after, harness.Text(0));
    }

    private static string WithoutSpace(string text) => string.Concat(text.Where(c => !char.IsWhiteSpace(c)));
}
