using System;
using System.Linq;
using Formatters.Contracts;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Formatters.Generator.Tests;

/// <summary>Classes with <c>[MessageContractMap]</c>.</summary>
public class MapTests
{
    private const string Map = "[MessageContractMap] public static partial class Contracts { }";

    private static string[] ListedIn(GeneratorDriverRunResult result) =>
        [.. SourceOf(result).Split('\n').Where(static line => line.Contains("NamedContract<", StringComparison.Ordinal)).Select(static line => line.Trim())];

    private static string SourceOf(GeneratorDriverRunResult result) =>
        result.GeneratedTrees.Single(static tree => tree.FilePath.EndsWith(".Map.g.cs", StringComparison.Ordinal)).ToString();

    [Fact]
    public void Contracts_AreListed_InTheOrderOfTheirNames()
    {
        GeneratorDriverRunResult result = Compilations.Run(
            "namespace N { public partial class Outer { [MessageContractMap] internal static partial class Contracts { } "
            + "[MessageContract(Formats = ContractFormats.Binary)] internal partial struct Inner { public int Id; } [MessageContract(Formats = ContractFormats.Binary)] private partial class Hidden { public int Id; } } "
            + "[MessageContract(Name = \"a \\\"name\\\"\", Formats = ContractFormats.Binary)] public partial record Order(int Id); [MessageContract(Formats = ContractFormats.Binary)] public partial class Box<T> { public T? Value; } } "
            + "[MessageContract(Formats = ContractFormats.Protobuf)] public partial class @event { [MessageMember(1)] public int Id; } "
            + "[MessageUnion(1, typeof(Circle))] [MessageContract(Formats = ContractFormats.Binary)] public abstract partial class Shape { } public class Circle : Shape { public int Radius; }");
        Assert.Equal(
            [
                "new global::Formatters.Contracts.NamedContract<global::N.Outer.Inner>(\"Inner\", global::N.Outer.Inner.MessageContract),",
                "new global::Formatters.Contracts.NamedContract<global::Shape>(\"Shape\", global::Shape.MessageContract),",
                "new global::Formatters.Contracts.NamedContract<global::N.Order>(\"a \\\"name\\\"\", global::N.Order.MessageContract),",
                "new global::Formatters.Contracts.NamedContract<global::@event>(\"event\", global::@event.MessageContract),",
            ],
            ListedIn(result));
    }

    [Theory]
    [InlineData("namespace A { [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; } } namespace B { [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; } }", "'A.Order' and 'B.Order'")]
    [InlineData("[MessageContract(Name = \" \", Formats = ContractFormats.Binary)] public partial class Order { public int Id; }", "'Order' is empty")]
    public void BadNames_AreReportedAtTheMap(string contracts, string problem)
    {
        Diagnostic diagnostic = Assert.Single(Compilations.Run(Map + contracts).Diagnostics);
        Assert.Equal("FMT006", diagnostic.Id);
        Assert.Contains(problem, diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
        Assert.Equal("Contracts", diagnostic.Location.SourceTree!.ToString().Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length));
    }

    [Fact]
    public void MapWithoutContracts_IsEmpty() => Assert.Empty(ListedIn(Compilations.Run(Map)));

    /// <summary>The map is generated again if a contract comes, goes or is renamed, and not if one changes its members.</summary>
    [Fact]
    public void Edits_ChangeTheMap_IfTheyChangeAName()
    {
        CSharpCompilation compilation = Compilations.Create(Map, "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; }", "public class Other { }");
        GeneratorDriver driver = Compilations.Driver().RunGenerators(compilation);
        Assert.Equal("Order", Names());

        Edit(compilation.ReplaceSource(1, "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public string Note = \"\"; }"), "Order", isUnchanged: true);
        Edit(compilation.ReplaceSource(2, "public class Other { public void M() { } }"), "Order", isUnchanged: true);
        Edit(compilation.ReplaceSource(1, "[MessageContract(Name = \"o\", Formats = ContractFormats.Binary)] public partial class Order { public int Id; }"), "o", isUnchanged: false);
        Edit(compilation.ReplaceSource(2, "[MessageContract(Formats = ContractFormats.Binary)] public partial class Other { public int Id; }"), "Order,Other", isUnchanged: false);
        Edit(compilation.ReplaceSource(1, "public partial class Order { public int Id; }"), "", isUnchanged: false);

        void Edit(CSharpCompilation edited, string names, bool isUnchanged)
        {
            driver = driver.RunGenerators(compilation).RunGenerators(edited);
            Assert.Equal(names, Names());
            IncrementalStepRunReason reason = driver.GetRunResult().Results[0].TrackedSteps[ContractGenerator.MapStep].Single().Outputs.Single().Reason;
            Assert.Equal(isUnchanged, reason is IncrementalStepRunReason.Unchanged or IncrementalStepRunReason.Cached);
        }

        string Names() => string.Join(",", ListedIn(driver.GetRunResult()).Select(static line => line.Split('"')[1]));
    }
}
