using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Formatters.Adapters.Tests;

/// <summary>The generator and reflection reject the same attributes, with the same sentence.</summary>
public class RejectedAttributeTests
{
    // One compilation for all, since it takes long to bind its references.
    private static readonly Lazy<(IReadOnlyList<Diagnostic> Diagnostics, Assembly Assembly)> Compiled = new(Compile);

    public static TheoryData<int> Samples => [.. Enumerable.Range(0, RejectedAttributes.All.Length)];

    [Theory]
    [MemberData(nameof(Samples))]
    public void IsRejected_WithTheSameSentence(int index)
    {
        RejectedAttribute sample = RejectedAttributes.All[index];
        (IReadOnlyList<Diagnostic> diagnostics, Assembly assembly) = Compiled.Value;
        Diagnostic[] found = [.. diagnostics.Where(d => d.Id == "FMT133" && d.Location.SourceTree!.FilePath == $"S{index}.cs")];
        Assert.True(found.Length > 0, $"{sample}: {string.Join("; ", diagnostics.Where(d => d.Location.SourceTree?.FilePath == $"S{index}.cs"))}");

        Type type = assembly.GetType($"S{index}.Sample")!;
        var thrown = Assert.Throws<ArgumentException>(() => Create(type, sample.Format));
        string byReflection = SentenceOf(thrown.Message);
        Assert.Contains(byReflection + ".", found.Select(d => SentenceOf(d.GetMessage()) + "."));
        string expected = ForeignAttributes.All.FirstOrDefault(r => r.Attribute + "." + r.Argument == sample.Row) is not ForeignAttribute row
            ? sample.Row
            : row.Text;
        Assert.Contains(expected, byReflection, StringComparison.Ordinal);
    }

    [Fact]
    public void EveryRejectedRow_HasASample()
    {
        IEnumerable<string> rows = ForeignAttributes.All.Where(r => r.Status == ForeignStatus.Rejected)
            .Where(r => !r.Text.StartsWith("is rejected with its attribute", StringComparison.Ordinal)
                && !r.Text.Contains("error of the compiler", StringComparison.Ordinal))
            // Only in version 3 of MessagePack-CSharp.
            .Select(r => r.Attribute + "." + r.Argument).Where(r => !r.Contains("KnownFormatter", StringComparison.Ordinal));
        Assert.Empty(rows.Except(RejectedAttributes.All.Select(s => s.Row)));
    }

    private static string SentenceOf(string message) => message[(message.IndexOf(": ", StringComparison.Ordinal) + 2)..].TrimEnd('.');

    private static object Create(Type type, string format)
    {
        Type formatter = typeof(MessageContractAttribute).Assembly.GetType(
            format == "Binary" ? "Formatters.BinaryBodyFormatter`1" : $"Formatters.{format}Formatter`1")!.MakeGenericType(type);
        ConstructorInfo constructor = formatter.GetConstructors().First(
            c => c.GetParameters() is [{ } only] && only.ParameterType.Name.EndsWith("Options", StringComparison.Ordinal));
        return constructor.Invoke(BindingFlags.DoNotWrapExceptions, null, [null], null);
    }

    private static (IReadOnlyList<Diagnostic>, Assembly) Compile()
    {
        const string Usings = "using System; using System.Collections.Generic; using System.Runtime.Serialization; using Formatters; using MessagePack; using ProtoBuf; "
            + "using MemoryPack;\n";
        var options = new CSharpParseOptions(LanguageVersion.CSharp12);
        IEnumerable<SyntaxTree> trees = RejectedAttributes.All.Select((sample, i) =>
        {
            string source = sample.Source.Replace("{0}", sample.Format, StringComparison.Ordinal).Replace("NAMESPACE", "S" + i, StringComparison.Ordinal);
            int types = source.StartsWith("[assembly", StringComparison.Ordinal) ? source.IndexOf(']', StringComparison.Ordinal) + 1 : 0;
            return CSharpSyntaxTree.ParseText($"{Usings}{source[..types]} namespace S{i} {{ {source[types..]} }}", options, $"S{i}.cs");
        });
        CSharpCompilation compilation = CSharpCompilation.Create(
            "Rejected",
            trees,
            ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Where(p => !p.Contains("xunit", StringComparison.Ordinal))
                .Select(p => MetadataReference.CreateFromFile(p)),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable,
                specificDiagnosticOptions: [new("PBN9001", ReportDiagnostic.Suppress)]));
        using var image = new MemoryStream();
        Assert.Empty(compilation.Emit(image).Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error));
        var generator = (IIncrementalGenerator)Activator.CreateInstance(
            Assembly.Load("Formatters.Generator").GetType("Formatters.Generator.ContractGenerator")!, nonPublic: true)!;
        GeneratorDriver driver = CSharpGeneratorDriver.Create([generator.AsSourceGenerator()], parseOptions: options).RunGenerators(compilation);
        return (driver.GetRunResult().Diagnostics, Assembly.Load(image.ToArray()));
    }
}
