using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Formatters.Generator.Tests;

/// <summary>Compilations against this runtime and the library, and the generator run over them.</summary>
internal static class Compilations
{
    /// <summary>Where an IDE finds the page of a diagnostic.</summary>
    internal const string HelpPages = "https://github.com/formatters-dotnet/formatters/blob/main/docs/diagnostics/";

    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.CSharp12);

    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(p => Path.GetFileName(p).StartsWith("System.", StringComparison.Ordinal) || Path.GetFileName(p) is "netstandard.dll" or "mscorlib.dll")
            .Select(p => MetadataReference.CreateFromFile(p)),
        MetadataReference.CreateFromFile(typeof(MessageContractAttribute).Assembly.Location),
    ];

    /// <summary>Has the references bound: what is made of it shares them.</summary>
    private static readonly CSharpCompilation Empty = CSharpCompilation.Create(
        "Test",
        references: References,
        options: new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable));

    internal static CSharpCompilation Create(params string[] sources) =>
        Empty.AddSyntaxTrees(sources.Select((s, i) => CSharpSyntaxTree.ParseText(Usings + s, ParseOptions, path: $"File{i}.cs")));

    internal static CSharpCompilation AddSource(this CSharpCompilation compilation, string source) =>
        compilation.AddSyntaxTrees(CSharpSyntaxTree.ParseText(Usings + source, ParseOptions, path: "Added.cs"));

    internal static CSharpCompilation ReplaceSource(this CSharpCompilation compilation, int index, string source)
    {
        SyntaxTree old = compilation.SyntaxTrees[index];
        return compilation.ReplaceSyntaxTree(old, CSharpSyntaxTree.ParseText(Usings + source, ParseOptions, path: old.FilePath));
    }

    internal static GeneratorDriver Driver(IIncrementalGenerator? generator = null) => CSharpGeneratorDriver.Create(
        [(generator ?? new ContractGenerator()).AsSourceGenerator()],
        parseOptions: ParseOptions,
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));

    /// <summary>Runs the generator; what it generates must compile, whatever it reports.</summary>
    internal static GeneratorDriverRunResult Run(string source, IIncrementalGenerator? generator = null) => Run(Create(source), generator);

    internal static GeneratorDriverRunResult Run(CSharpCompilation compilation, IIncrementalGenerator? generator = null)
    {
        GeneratorDriver driver = Driver(generator).RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out _);
        GeneratorDriverRunResult result = driver.GetRunResult();
        if (result.Results[0].Exception is Exception e)
            throw new InvalidOperationException("The generator has failed.", e);
        if (result.Diagnostics.All(d => d.Severity != DiagnosticSeverity.Error))
            Xunit.Assert.Empty(output.GetDiagnostics().Where(d => d.Severity >= DiagnosticSeverity.Warning));
        else if (Errors(output).ToArray() is { Length: > 0 } errors)
            Xunit.Assert.All(errors.Except(Errors(compilation)), Xunit.Assert.Fail);
        return result;
    }

    /// <summary>The models of what was generated.</summary>
    internal static IEnumerable<ContractModel> Models(this GeneratorDriverRunResult result) =>
        result.Results[0].TrackedSteps.TryGetValue(ContractGenerator.ModelStep, out ImmutableArray<IncrementalGeneratorRunStep> steps) ? steps.SelectMany(s => s.Outputs).Select(o => (ContractModel)o.Value) : [];

    /// <summary>The contracts that were generated, placeholders among them.</summary>
    internal static IEnumerable<PublishedContract> Contracts(this GeneratorDriverRunResult result) => result.Models().SelectMany(m => m.Wires).SelectMany(w => w.Contracts);

    private static IEnumerable<string> Errors(Compilation compilation) =>
        compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error).Select(d => d.ToString());

    private static string Usings => "using System; using System.Collections; using System.Collections.Generic; using Formatters; using Formatters.Binary; using Formatters.Contracts; using Formatters.LegacyBinary; using Formatters.MessagePack; using Formatters.Protobuf;\n";
}
