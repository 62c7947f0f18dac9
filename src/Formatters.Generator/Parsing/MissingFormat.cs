using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>A contract that is held in a wire format that it is not generated for: FMT114.</summary>
/// <param name="Location">The member that holds it, or where else it is asked for.</param>
/// <param name="Path">The member, for the message.</param>
/// <param name="Type">The type of the contract.</param>
/// <param name="Format">The wire format.</param>
internal sealed record MissingFormat(Location Location, string Path, ITypeSymbol Type, WireFormat Format)
{
    /// <summary>Properties of the diagnostic, for its fix: the type, and the formats that it lacks.</summary>
    internal const string TypeProperty = "Type";

    /// <inheritdoc cref="TypeProperty"/>
    internal const string FormatProperty = "Format";

    /// <summary>The diagnostics, each with all formats that a contract lacks at its place: every format is parsed by itself.</summary>
    internal static IEnumerable<Diagnostic> Report(IEnumerable<MissingFormat> all) => all.GroupBy(m => (m.Location, m.Type.FullName())).Select(g =>
    {
        string[] names = g.Aggregate((WireFormat)0, (formats, m) => formats | m.Format).Each().Select(f => f.ToString()).ToArray();
        MissingFormat first = g.First();
        return Formatters.Generator.Report.Diagnose(
            Descriptors.FormatMissing,
            first.Location,
            ImmutableDictionary<string, string?>.Empty.Add(TypeProperty, first.Type.FullName()).Add(FormatProperty, string.Join("|", names)),
            first.Path,
            first.Type.ShortName(),
            names.Length == 1 ? names[0] : string.Join(", ", names.Take(names.Length - 1)) + " and " + names[names.Length - 1],
            string.Join(" | ", names.Select(n => "ContractFormats." + n)));
    });
}
