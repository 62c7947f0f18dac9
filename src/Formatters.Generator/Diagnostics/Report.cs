using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>The diagnostics of parsing one contract.</summary>
/// <param name="Parts">The declarations of the type into which the contract is generated.</param>
/// <param name="Diagnostics">The diagnostics to report.</param>
/// <param name="DependsOnAll">Whether any file of the compilation may change them.</param>
internal sealed record Report(ImmutableArray<SyntaxReference> Parts, ImmutableArray<Diagnostic> Diagnostics, bool DependsOnAll)
{
    /// <summary>The property of every diagnostic with the problem without its path, which may differ between contracts.</summary>
    private const string ReasonProperty = "Reason";

    /// <summary>
    /// Creates the report for the contract of a type. Without diagnostics no tree is kept and all reports are equal, so that an edit invalidates
    /// none.
    /// </summary>
    internal static Report Of(INamedTypeSymbol type, ImmutableArray<Diagnostic> diagnostics, bool dependsOnAll = false) =>
        new(diagnostics.IsEmpty ? ImmutableArray<SyntaxReference>.Empty : type.DeclaringSyntaxReferences, diagnostics, dependsOnAll);

    /// <summary>Determines whether the files that the diagnostics refer to are files of a compilation.</summary>
    internal bool IsIn(Compilation compilation) =>
        Diagnostics.SelectMany(d => d.AdditionalLocations.Append(d.Location))
            .All(l => l.SourceTree is not SyntaxTree tree || compilation.ContainsSyntaxTree(tree));

    /// <summary>Creates a diagnostic.</summary>
    /// <param name="descriptor">The descriptor.</param>
    /// <param name="location">The location.</param>
    /// <param name="arguments">The message arguments: first the type or the path to the member, then the problem.</param>
    internal static Diagnostic Diagnose(DiagnosticDescriptor descriptor, Location location, params object[] arguments) =>
        Diagnose(descriptor, location, ImmutableDictionary<string, string?>.Empty, arguments);

    /// <summary>Creates a diagnostic with properties for its fix.</summary>
    internal static Diagnostic Diagnose(DiagnosticDescriptor descriptor, Location location, ImmutableDictionary<string, string?> properties,
        params object[] arguments) =>
        Diagnostic.Create(descriptor, location, properties.Add(ReasonProperty, string.Join("|", arguments.Skip(1))), arguments);

    /// <summary>
    /// Reports each problem once, although every contract that contains or derives from the type finds it. The type's own contract has the most
    /// specific message.
    /// </summary>
    internal static void Register(IncrementalGeneratorInitializationContext context, IncrementalValueProvider<ImmutableArray<Report>> reports) =>
        context.RegisterSourceOutput(reports, static (c, all) =>
    {
        foreach (Diagnostic diagnostic in Once(all))
            c.ReportDiagnostic(diagnostic);
    });

    /// <summary>Returns each problem of several contracts once.</summary>
    // Types that XmlSerializer does not accept have a fix of their own.
    internal static IEnumerable<Diagnostic> Once(ImmutableArray<Report> all) =>
        all.SelectMany(r => r.Diagnostics.Select(d => (Diagnostic: d, IsOwn: r.Declares(d.Location))))
        .GroupBy(f => (f.Diagnostic.Id, f.Diagnostic.Location, f.Diagnostic.Properties.ContainsKey(MissingFormat.FormatProperty)))
        .SelectMany(g => g.Where(f => f.IsOwn || g.All(o => !o.IsOwn)).GroupBy(f => f.Diagnostic.Properties[ReasonProperty])
            .Select(r => r.First().Diagnostic));

    private bool Declares(Location location) => Parts.Any(p => p.SyntaxTree == location.SourceTree && p.Span.Contains(location.SourceSpan));
}
