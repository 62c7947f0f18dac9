using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>What was found while one contract was parsed.</summary>
/// <param name="Parts">Where the type that the contract is generated into is declared.</param>
/// <param name="Diagnostics">What is to be reported.</param>
internal sealed record Report(ImmutableArray<SyntaxReference> Parts, ImmutableArray<Diagnostic> Diagnostics)
{
    private static readonly Report None = new(ImmutableArray<SyntaxReference>.Empty, ImmutableArray<Diagnostic>.Empty);

    /// <summary>What was found in the contract of a type. Where that is nothing, no tree is kept and all reports are equal, so that an edit has none made anew.</summary>
    internal static Report Of(INamedTypeSymbol type, ImmutableArray<Diagnostic> diagnostics) => diagnostics.IsEmpty ? None : new Report(type.DeclaringSyntaxReferences, diagnostics);

    /// <summary>Has each mistake reported once: it is found by every contract that holds or derives from what it lies in. The contract of that itself knows best what to say.</summary>
    internal static void Register(IncrementalGeneratorInitializationContext context, IncrementalValueProvider<ImmutableArray<Report>> reports) => context.RegisterSourceOutput(reports, static (c, all) =>
    {
        foreach (Diagnostic diagnostic in Once(all))
            c.ReportDiagnostic(diagnostic);
    });

    private static IEnumerable<Diagnostic> Once(ImmutableArray<Report> all) => all.SelectMany(r => r.Diagnostics.Select(d => (Report: r, Diagnostic: d)))
        .GroupBy(f => (f.Diagnostic.Id, f.Diagnostic.Location, MissingFormat.KeyOf(f.Diagnostic))).Select(g => g.FirstOrDefault(f => f.Report.Declares(f.Diagnostic.Location)).Diagnostic ?? g.First().Diagnostic);

    private bool Declares(Location location) => Parts.Any(p => p.SyntaxTree == location.SourceTree && p.Span.Contains(location.SourceSpan));
}
