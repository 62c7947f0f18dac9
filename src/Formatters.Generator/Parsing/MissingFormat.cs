using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>A contract that is used in a wire format for which it is not generated: FMT114.</summary>
/// <param name="Location">The member that contains it, or the location where it is requested.</param>
/// <param name="Path">The member, for the message.</param>
/// <param name="Type">The type of the contract.</param>
/// <param name="Format">The wire format.</param>
internal sealed record MissingFormat(Location Location, string Path, ITypeSymbol Type, ContractFormats Format)
{
    /// <summary>The property of the diagnostic with the type, for its fix.</summary>
    internal const string TypeProperty = "Type";

    /// <inheritdoc cref="TypeProperty"/>
    internal const string FormatProperty = "Format";

    /// <summary>
    /// Creates the diagnostics, each with all formats that a contract lacks at its location, because every format is parsed separately.
    /// </summary>
    internal static IEnumerable<Diagnostic> Report(IEnumerable<MissingFormat> all) => all.GroupBy(m => (m.Location, m.Type.FullName())).Select(g =>
    {
        string[] names = g.Aggregate((ContractFormats)0, (formats, m) => formats | m.Format).Each().Select(f => f.ToString()).ToArray();
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
