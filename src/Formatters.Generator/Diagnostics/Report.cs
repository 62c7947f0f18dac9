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
    /// <summary>What is wrong, without the path that leads there, which may be another one in each contract: a property of every diagnostic.</summary>
    private const string ReasonProperty = "Reason";

    private static readonly Report None = new(ImmutableArray<SyntaxReference>.Empty, ImmutableArray<Diagnostic>.Empty);

    /// <summary>What was found in the contract of a type. Where that is nothing, no tree is kept and all reports are equal, so that an edit has none made
    /// anew.</summary>
    internal static Report Of(INamedTypeSymbol type, ImmutableArray<Diagnostic> diagnostics) => diagnostics.IsEmpty ? None : new Report(type.DeclaringSyntaxReferences, diagnostics);

    /// <summary>Makes a diagnostic.</summary>
    /// <param name="descriptor">What it is.</param>
    /// <param name="location">Where it is.</param>
    /// <param name="arguments">Of the message: first the type or the path that leads there, then what is wrong.</param>
    internal static Diagnostic Diagnose(DiagnosticDescriptor descriptor, Location location, params object[] arguments) => Diagnose(descriptor, location, ImmutableDictionary<string, string?>.Empty, arguments);

    /// <summary>Makes a diagnostic that has properties for its fix.</summary>
    internal static Diagnostic Diagnose(DiagnosticDescriptor descriptor, Location location, ImmutableDictionary<string, string?> properties, params object[] arguments) =>
        Diagnostic.Create(descriptor, location, properties.Add(ReasonProperty, string.Join("|", arguments.Skip(1))), arguments);

    /// <summary>Has each mistake reported once: it is found by every contract that holds or derives from what it lies in. The contract of that itself knows
    /// best what to say.</summary>
    internal static void Register(IncrementalGeneratorInitializationContext context, IncrementalValueProvider<ImmutableArray<Report>> reports) => context.RegisterSourceOutput(reports, static (c, all) =>
    {
        foreach (Diagnostic diagnostic in Once(all))
            c.ReportDiagnostic(diagnostic);
    });

    // What XmlSerializer does not take has a fix of its own.
    private static IEnumerable<Diagnostic> Once(ImmutableArray<Report> all) => all.SelectMany(r => r.Diagnostics.Select(d => (Diagnostic: d, IsOwn: r.Declares(d.Location))))
        .GroupBy(f => (f.Diagnostic.Id, f.Diagnostic.Location, f.Diagnostic.Properties.ContainsKey(MissingFormat.FormatProperty)))
        .SelectMany(g => g.Where(f => f.IsOwn || g.All(o => !o.IsOwn)).GroupBy(f => f.Diagnostic.Properties[ReasonProperty]).Select(r => r.First().Diagnostic));

    private bool Declares(Location location) => Parts.Any(p => p.SyntaxTree == location.SourceTree && p.Span.Contains(location.SourceSpan));
}
