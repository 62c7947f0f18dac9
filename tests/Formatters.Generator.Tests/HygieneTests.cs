using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Generator.Tests;

public class HygieneTests(ITestOutputHelper output)
{
    private const string Source = """
        namespace N;
        [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int Id; public Address Address = null!; public List<Line> Lines = new(); public Plain Plain = null!; public IShape? Shape; }
        [MessageContract(Formats = ContractFormats.Binary)] public partial record Address(string Street, string? City);
        [MessageContract(Formats = ContractFormats.Binary)] public partial struct Line { public double Price { get; set; } public Dictionary<int, string?> Texts; public int[,] Grid; }
        [MessageUnion(1, typeof(Circle)), MessageUnion(typeof(Unknown))] public interface IShape { }
        public class Circle : IShape { public double Radius; }
        public class Unknown : IShape, IUnknownCase { public int Tag { get; set; } public ReadOnlyMemory<byte> Body { get; set; } public int BodyType { get; set; } }
        public class Plain { public required string Text { get; init; } public SortedSet<int> Set { get; set; } = new(); }
        [MessageContractFor(typeof(List<Plain>), Formats = ContractFormats.Binary)] internal static partial class Context { }
        [MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned), RetiredMembers(2)]
        public partial record Numbered([MessageMember(1)] int Id, [MessageMember(3)] string Name = "x") { public UnknownMembers? Unknown { get; init; } }
        [MessageContract(Formats = ContractFormats.Xml), System.Xml.Serialization.XmlInclude(typeof(Call))]
        public partial class Message { [System.Xml.Serialization.XmlAttribute] public Kind Kind { get; set; } public List<Message>? Parts; [System.ComponentModel.DefaultValue(5)] public int Rank = 5; }
        public class Call : Message { public DateTime? Time; }
        public enum Kind { One, Two }
        [MessageContract(Formats = ContractFormats.Binary)] public partial class Box<T> { public T Value = default!; [MessageMember] private int _id = 1; public int Id() => _id; }
        """;

    [Fact]
    public void Edit_ElsewhereInTheFile_LeavesTheModelsUnchanged()
    {
        CSharpCompilation compilation = Compilations.Create(Source);
        GeneratorDriver driver = Compilations.Driver().RunGenerators(compilation);
        driver = driver.RunGenerators(compilation.AddSource("class Other { void M() { } }"));
        AssertReasons(driver, IncrementalStepRunReason.Cached, IncrementalStepRunReason.Unchanged);
        driver = driver.RunGenerators(compilation.ReplaceSource(0, "// A comment, so that everything moves.\n" + Source + "\nclass Another { }"));
        AssertReasons(driver, IncrementalStepRunReason.Cached, IncrementalStepRunReason.Unchanged);
        Assert.Equal(7, driver.GetRunResult().GeneratedTrees.Length);
    }

    /// <summary>Mistakes of all contracts are reported together, each once, and anew where they have moved to; no model has to be made for that.</summary>
    [Fact]
    public void Edit_ElsewhereInTheFile_MovesMistakes()
    {
        const string Mistakes = "[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public Line Line = null!; } [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { public object Id = 1; } [MessageContractFor(typeof(Line), Formats = ContractFormats.Binary)] static partial class Context { }";
        const string Comment = "/* A comment. */ ";
        CSharpCompilation compilation = Compilations.Create(Mistakes);
        GeneratorDriver driver = Compilations.Driver().RunGenerators(compilation);
        Location before = Assert.Single(driver.GetRunResult().Diagnostics).Location;
        driver = driver.RunGenerators(compilation.ReplaceSource(0, Comment + Mistakes));
        AssertReasons(driver, IncrementalStepRunReason.Cached, IncrementalStepRunReason.Unchanged);
        Assert.Equal(before.SourceSpan.Start + Comment.Length, Assert.Single(driver.GetRunResult().Diagnostics).Location.SourceSpan.Start);
        driver = driver.RunGenerators(compilation.ReplaceSource(0, Mistakes.Replace("object Id", "int Id", StringComparison.Ordinal)));
        Assert.Empty(driver.GetRunResult().Diagnostics);
    }

    /// <summary>Of right contracts nothing is kept to report, so that an edit has nothing compared or reported anew.</summary>
    [Fact]
    public void Edit_OfRightContracts_LeavesTheReports()
    {
        CSharpCompilation compilation = Compilations.Create(Source);
        GeneratorDriver driver = Compilations.Driver().RunGenerators(compilation);
        driver = driver.RunGenerators(compilation.ReplaceSource(0, "/* A comment. */ " + Source));
        ImmutableArray<IncrementalGeneratorRunStep> steps = driver.GetRunResult().Results[0].TrackedSteps[ContractGenerator.ReportStep];
        Assert.Equal(IncrementalStepRunReason.Cached, Assert.Single(Assert.Single(steps).Outputs).Reason);
        driver = driver.RunGenerators(compilation.AddSource("[MessageContract(Formats = ContractFormats.Binary)] public partial class Wrong { public object Id = 1; }"));
        steps = driver.GetRunResult().Results[0].TrackedSteps[ContractGenerator.ReportStep];
        Assert.Equal(IncrementalStepRunReason.Modified, Assert.Single(Assert.Single(steps).Outputs).Reason);
    }

    [Fact]
    public void Edit_OfAContract_ModifiesItsModel()
    {
        CSharpCompilation compilation = Compilations.Create(Source);
        GeneratorDriver driver = Compilations.Driver().RunGenerators(compilation);
        driver = driver.RunGenerators(compilation.ReplaceSource(0, Source.Replace("public int Id;", "public long Id;", StringComparison.Ordinal)));
        Assert.Equal(1, Outputs(driver).Count(o => o.Reason == IncrementalStepRunReason.Modified));

        // Plain has no contract of its own: it is part of those of Order and of the context.
        driver = driver.RunGenerators(compilation.ReplaceSource(0, Source.Replace("public required string Text", "public required long Text", StringComparison.Ordinal)));
        Assert.Equal(2, Outputs(driver).Count(o => o.Reason == IncrementalStepRunReason.Modified));
    }

    [Fact]
    public void Output_IsTheSameOnEveryRun()
    {
        string[] first = [.. Compilations.Run(Source).GeneratedTrees.Select(t => t.ToString())];
        string[] second = [.. Compilations.Run(Source).GeneratedTrees.Select(t => t.ToString())];
        Assert.Equal(first, second);
        Assert.All(first, text => Assert.DoesNotContain("\r", text, StringComparison.Ordinal));
    }

    [Fact]
    public void Models_HoldNothingOfRoslyn()
    {
        GeneratorDriver driver = Compilations.Driver().RunGenerators(Compilations.Create(Source));
        object[] models = [.. Outputs(driver).Select(o => o.Value)];
        Assert.Equal(7, models.Length);
        var seen = new HashSet<object>(ReferenceEqualityComparer.Instance);
        foreach (object model in models)
            Visit(model, seen);
        Assert.True(seen.Count > 50, $"Only {seen.Count} objects were visited.");
    }

    [Fact]
    public void Models_KeepTheNamesForFormatsWithNames()
    {
        const string Named = """
            using System.Runtime.Serialization; using System.Xml.Serialization;
            [MessageContract(Formats = ContractFormats.MessagePack)]
            public partial class A { [MessageMember(Name = "a")] public int X; [XmlElement("no")] public int Y { get; set; } [DataMember(Name = "no")] public int V; }
            [MessageContract(Formats = ContractFormats.MessagePack), DataContract]
            public partial class B { [DataMember(Name = "e"), XmlElement("no")] public int X; [DataMember(Name = "no"), MessageMember(Name = "f")] public int Y { get; set; } }
            """;
        GeneratorDriver driver = Compilations.Driver().RunGenerators(Compilations.Create(Named));
        IEnumerable<string> names = Outputs(driver).Select(o => (ContractModel)o.Value)
            .Select(m => string.Join(" ", m.Wires[0].Shapes.OfType<RecordShape>().Single().Members.Select(member => member.WireName)));
        Assert.Equal(["Y a V", "f e"], names);
    }

    [Theory]
    [InlineData("one after the other", "public List<C{1}> D = new(); public C{2}? E;", 1000)]
    [InlineData("each in all before it", "public C{1} D = new(); public C{2} E = new();", 992)]
    public void AThousandContracts_AreGeneratedOnce(string how, string members, int linkedCount)
    {
        var source = new StringBuilder();
        for (int i = 0; i < 1000; i++)
        {
            source.Append("[MessageContract(Formats = ContractFormats.Binary)] public partial class C").Append(i).Append(" { public int A; public string? B; public DateTime C; ")
                .Append(i < linkedCount ? string.Format(CultureInfo.InvariantCulture, members, i, (i + 1) % 1000, (i + 7) % 1000) : "").AppendLine(" }");
        }

        CSharpCompilation compilation = Compilations.Create(source.ToString());
        GeneratorDriver driver = Compilations.Driver();
        var watch = Stopwatch.StartNew();
        driver = driver.RunGenerators(compilation);
        output.WriteLine($"1,000 contracts, {how}: {watch.ElapsedMilliseconds} ms");
        Assert.Equal(1000, driver.GetRunResult().GeneratedTrees.Length);
        watch.Restart();
        driver = driver.RunGenerators(compilation.AddSource("class Other { }"));
        output.WriteLine($"and after an edit elsewhere: {watch.ElapsedMilliseconds} ms");
        AssertReasons(driver, IncrementalStepRunReason.Cached, IncrementalStepRunReason.Unchanged);
    }

    private static (object Value, IncrementalStepRunReason Reason)[] Outputs(GeneratorDriver driver) =>
        [.. driver.GetRunResult().Results[0].TrackedSteps[ContractGenerator.ModelStep].SelectMany(s => s.Outputs)];

    private static void AssertReasons(GeneratorDriver driver, params IncrementalStepRunReason[] reasons)
    {
        (object, IncrementalStepRunReason Reason)[] outputs = Outputs(driver);
        Assert.NotEmpty(outputs);
        Assert.All(outputs, o => Assert.Contains(o.Reason, reasons));
        // The source outputs too: nothing is printed again.
        IEnumerable<IncrementalStepRunReason> sources = driver.GetRunResult().Results[0].TrackedOutputSteps
            .SelectMany(s => s.Value).Where(s => s.Inputs.All(i => i.Source.Name == ContractGenerator.ModelStep)).SelectMany(s => s.Outputs).Select(o => o.Reason);
        Assert.All(sources, reason => Assert.Equal(IncrementalStepRunReason.Cached, reason));
        Assert.NotEmpty(sources);
    }

    private static void Visit(object? value, HashSet<object> seen)
    {
        if (value is null or string || value.GetType().IsPrimitive || value.GetType().IsEnum || !seen.Add(value))
            return;
        Type type = value.GetType();
        Assert.False(
            type.Assembly.GetName().Name!.StartsWith("Microsoft.CodeAnalysis", StringComparison.Ordinal), $"{type} is reachable from the model.");
        if (value is IEnumerable items)
        {
            foreach (object? item in items)
                Visit(item, seen);
        }

        foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
            Visit(field.GetValue(value), seen);
    }
}
