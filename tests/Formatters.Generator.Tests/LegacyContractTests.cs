using System;
using System.Linq;
using Formatters.LegacyBinary;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Formatters.Generator.Tests;

/// <summary>The generator of legacy contracts: what it reports, and when it runs.</summary>
public class LegacyContractTests
{
    private const string Source = """
        namespace N;
        [LegacyBinaryContract] public partial class Order { private int _id; public int Id => _id; public Address? Address { get; set; } public List<Line> Lines = new(); public Kind Kind; }
        public class Address : Named { private string? _city = "x"; public string? City => _city; }
        public abstract class Named { public readonly string? Name; public event Action? Changed; public void Raise() => Changed?.Invoke(); }
        public struct Line { public decimal Price { get; init; } public int? Count; public (int, string) Pair; public int[,] Grid; public Box<int>[] Boxes; }
        public enum Kind : byte { Small }
        public class Box<T> { private T? _value = default; public T? Value => _value; }
        [LegacyBinaryContract(typeof(Order), typeof(Dictionary<string, HashSet<Kind>>), typeof(Exception))] internal static partial class Bodies { }
        """;

    public static TheoryData<string, string> Mistakes => new()
    {
        { "FMT130", "[LegacyBinaryContract] public class $Order$ { public int Id; }" },
        { "FMT130", "[LegacyBinaryContract] file partial class $Order$ { public int Id; }" },
        { "FMT130", "[LegacyBinaryContract] public partial class $Order$<T> { public int Id; }" },
        { "FMT130", "[LegacyBinaryContract] public partial class $Order$ { public int LegacyBinaryContract; }" },
        { "FMT130", "[LegacyBinaryContract] public static partial class $Order$ { }" },
        { "FMT131", "[LegacyBinaryContract] public partial class Order { public unsafe int* $Id$; }" },
        { "FMT131", "[LegacyBinaryContract(typeof(List<>))] public static partial class $Bodies$ { }" },
        { "FMT131", "[LegacyBinaryContract] public partial class Order { public Outer? Outer; } public class Outer { private Inner? $_inner$; private class Inner { public int Id; } public bool Has => _inner is null; }" },
        { "FMT131", "[LegacyBinaryContract] public partial class $Order$ : List<int> { }" },
        { "FMT131", "[LegacyBinaryContract] public partial class Order { public Lines? $Lines$; } public class Lines : System.Collections.ObjectModel.Collection<int> { }" },
    };

    [Theory]
    [MemberData(nameof(Mistakes))]
    public void Mistake_IsReportedAtItsPlace(string id, string marked)
    {
        string[] parts = marked.Split('$');
        GeneratorDriverRunResult result = Compilations.Run(string.Concat(parts), new LegacyContractGenerator());

        Diagnostic diagnostic = Assert.Single(result.Diagnostics);

        Assert.Equal((id, parts[1], DiagnosticSeverity.Error), (diagnostic.Id, diagnostic.Location.SourceTree!.GetText().ToString(diagnostic.Location.SourceSpan), diagnostic.Severity));
        Assert.Equal($"{Compilations.HelpPages}{id}.md", diagnostic.Descriptor.HelpLinkUri);
        Assert.Equal(id == "FMT130" ? 0 : 1, result.GeneratedTrees.Length);
    }

    [Fact]
    public void Mistakes_OfOnePlace_AreAllReported()
    {
        GeneratorDriverRunResult result = Compilations.Run("[LegacyBinaryContract(typeof(List<>), typeof(Dictionary<,>))] public static partial class Bodies { }", new LegacyContractGenerator());
        Assert.Equal(2, result.Diagnostics.Select(d => d.GetMessage(System.Globalization.CultureInfo.InvariantCulture)).Distinct().Count());
    }

    [Theory]
    [InlineData("[LegacyBinaryContract] public partial class Order { public int Id; } [LegacyBinaryContract] public partial class Order { }", 1)]
    [InlineData("[LegacyBinaryContract] public partial interface IOrder { }", 0)]
    public void Declaration_ThatTheCompilerRefuses_GivesNoFurtherErrors(string source, int treeCount)
    {
        GeneratorDriverRunResult result = Compilations.Driver(new LegacyContractGenerator()).RunGenerators(Compilations.Create(source)).GetRunResult();
        Assert.Null(result.Results[0].Exception);
        Assert.Equal(treeCount, result.GeneratedTrees.Length);
    }

    /// <summary>What lies in several contracts is reported once, and what uses them has no errors of its own.</summary>
    [Theory]
    [InlineData("[LegacyBinaryContract] public partial class Order { public Outer? Outer; } [LegacyBinaryContract] public partial class Other : Order { public Outer? Further; } public class Outer { private Inner? $_inner$; private class Inner { public int Id; } public bool Has => _inner is null; }", "Outer._inner", "Order", "Other")]
    [InlineData("[LegacyBinaryContract(typeof(Order), typeof(List<Order>))] public static partial class Bodies { } [LegacyBinaryContract] public partial class Order { public unsafe int* $Id$; }", "Order.Id", "Order", "Bodies")]
    public void Mistake_InSeveralContracts_IsReportedOnce(string marked, string path, params string[] used)
    {
        string[] parts = marked.Split('$');
        string uses = $"public static class Use {{ public static object[] All => new object[] {{ {string.Join(", ", used.Select(u => u + ".LegacyBinaryContract"))} }}; }}";
        Compilations.Driver(new LegacyContractGenerator()).RunGeneratorsAndUpdateCompilation(Compilations.Create(string.Concat(parts) + uses), out Compilation output, out System.Collections.Immutable.ImmutableArray<Diagnostic> diagnostics);
        Diagnostic diagnostic = Assert.Single(diagnostics);
        Assert.Equal(("FMT131", parts[1]), (diagnostic.Id, diagnostic.Location.SourceTree!.GetText().ToString(diagnostic.Location.SourceSpan)));
        Assert.StartsWith(path + ":", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
        Assert.Empty(output.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error));
    }

    [Fact]
    public void Code_CompilesAndIsTheSameOnEveryRun()
    {
        string[] first = [.. Compilations.Run(Source, new LegacyContractGenerator()).GeneratedTrees.Select(t => t.ToString())];
        string[] second = [.. Compilations.Run(Source, new LegacyContractGenerator()).GeneratedTrees.Select(t => t.ToString())];

        Assert.Equal(2, first.Length);
        Assert.Equal(first, second);
        Assert.DoesNotContain(first, text => text.Contains('\r', StringComparison.Ordinal));
    }

    [Fact]
    public void Edits_ChangeOnlyTheModelsTheyConcern()
    {
        CSharpCompilation compilation = Compilations.Create(Source);
        GeneratorDriver driver = Compilations.Driver(new LegacyContractGenerator()).RunGenerators(compilation);
        driver = driver.RunGenerators(compilation.ReplaceSource(0, "// A comment, so that everything moves.\n" + Source + "\nclass Another { }"));
        Assert.All(Reasons(driver), r => Assert.True(r is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged));

        driver = driver.RunGenerators(compilation.ReplaceSource(0, Source.Replace("private string? _city =", "private string? _town; private string? _city =", StringComparison.Ordinal)));
        Assert.All(Reasons(driver), r => Assert.Equal(IncrementalStepRunReason.Modified, r));
    }

    private static IncrementalStepRunReason[] Reasons(GeneratorDriver driver)
    {
        IncrementalStepRunReason[] reasons = [.. driver.GetRunResult().Results[0].TrackedSteps[LegacyContractGenerator.ModelStep].SelectMany(s => s.Outputs).Select(o => o.Reason)];
        Assert.Equal(2, reasons.Length);
        return reasons;
    }
}
