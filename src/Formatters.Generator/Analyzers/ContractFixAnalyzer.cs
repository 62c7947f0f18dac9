using System;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Formatters.Generator;

/// <summary>
/// Reports the problems of contracts that have fixes to <c>dotnet format analyzers</c>, which does not see the diagnostics of generators.
/// </summary>
/// <remarks>
/// Elsewhere it reports nothing, since the generator does: build/Formatters.targets sets the property FormattersFixes.
/// </remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ContractFixAnalyzer : DiagnosticAnalyzer
{
    private const string BuildProperty = "build_property.FormattersFixes";

    private static readonly ParseCache<ParseResult> Types = new(Symbols.ContractAttribute, ContractParser.ParseType);
    private static readonly ParseCache<ParseResult> Contexts = new(Symbols.ContractForAttribute, ContractParser.ParseContext);

    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(
        Descriptors.BadCallback, Descriptors.CannotSet, Descriptors.Derived, Descriptors.ElementType, Descriptors.Encoding, Descriptors.Endless,
        Descriptors.FormatMissing, Descriptors.KeyType, Descriptors.LeftOut, Descriptors.MemberTaken, Descriptors.NameTaken, Descriptors.NameTwice,
        Descriptors.NoConstructor, Descriptors.NoFormat, Descriptors.NoUnion, Descriptors.NotAnnotated, Descriptors.NotInUnion,
        Descriptors.NotPartial,
        Descriptors.NumberMissing, Descriptors.NumberOutOfRange, Descriptors.NumberRetired, Descriptors.NumberTwice, Descriptors.OutOfReach,
        Descriptors.StateLost, Descriptors.UnionTag, Descriptors.UnknownCase, Descriptors.UnknownMembers, Descriptors.Unsupported);

    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationAction(static c =>
        {
            if (!c.Options.AnalyzerConfigOptionsProvider.GlobalOptions.TryGetValue(BuildProperty, out string? value)
                || !string.Equals(value, "true", StringComparison.OrdinalIgnoreCase)
                || c.Compilation.GetTypeByMetadataName(Symbols.ContractAttribute) is null)
                return;
            // What the generator sees: without the code that it has added.
            Compilation compilation = c.Compilation.RemoveSyntaxTrees(
                c.Compilation.SyntaxTrees.Where(static t => t.FilePath.Contains(typeof(ContractGenerator).FullName!)));
            ImmutableArray<Report> reports = Types.Parse(compilation, c.CancellationToken)
                .Concat(Contexts.Parse(compilation, c.CancellationToken)).Select(static r => r.Report).ToImmutableArray();
            foreach (Diagnostic diagnostic in Report.Once(reports))
                c.ReportDiagnostic(diagnostic);
        });
    }
}
