using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

// Whether a body of a record can end. It does if all of its members do that cannot be null; a union does if one of its cases does.
internal sealed partial class ShapeParser
{
    // Shared by the contracts of a compilation, because each would otherwise examine all its content again.
    private static readonly ConditionalWeakTable<Compilation, Endings> EndingsOfBinary = new();
    private static readonly ConditionalWeakTable<Compilation, Endings> EndingsOfOthers = new();

    /// <summary>
    /// Rejects a record that contains itself with neither a nullable member nor a collection in between: none of its bodies could end.
    /// </summary>
    private void CheckEnd(INamedTypeSymbol type, string path, ISymbol? via)
    {
        // Own bodies belong to the binary formats.
        Endings endings = (IsPacked || IsProtobuf ? EndingsOfOthers : EndingsOfBinary).GetValue(compilation, static _ => new Endings());
        var seen = new HashSet<INamedTypeSymbol>(SymbolEqualityComparer.Default);
        Member? wayBack;
        lock (endings)
        {
            FindEnding(endings, type);
            wayBack = endings.Ending.Contains(type) ? null : FindWayBack(type);
        }

        if (wayBack is Member member)
            Report(Descriptors.Endless, member.Symbol.LocationIn(compilation) is not null ? member.Symbol : via, path + "." + member.Name,
                type.ShortName());

        // Finds the first member of the type that leads back to it.
        Member? FindWayBack(INamedTypeSymbol from) => InsideOf(endings, from).Where(i => LeadsBack(i.Type)).Select(i => i.Via).FirstOrDefault();

        bool LeadsBack(INamedTypeSymbol inner) => !endings.Ending.Contains(inner)
            && (SymbolEqualityComparer.Default.Equals(inner, type) || seen.Add(inner) && InsideOf(endings, inner).Any(i => LeadsBack(i.Type)));
    }

    /// <summary>Adds the types that end, among those in a type and itself: from the innermost outwards, until no more are found.</summary>
    private void FindEnding(Endings endings, INamedTypeSymbol type)
    {
        var seen = new HashSet<INamedTypeSymbol>(SymbolEqualityComparer.Default);
        // Innermost first, so that one round suffices except for cycles.
        var open = new List<INamedTypeSymbol>();
        Collect(type);
        while (open.RemoveAll(t => Ends(t) && endings.Ending.Add(t)) > 0)
        {
        }

        // A union without nested types has a case for unknown tags, which ends; or is invalid for another reason.
        bool Ends(INamedTypeSymbol t) => IsUnion(t) && InsideOf(endings, t).Length > 0
            ? InsideOf(endings, t).Any(i => endings.Ending.Contains(i.Type)) : InsideOf(endings, t).All(i => endings.Ending.Contains(i.Type));

        void Collect(INamedTypeSymbol from)
        {
            if (endings.Ending.Contains(from) || !seen.Add(from))
                return;
            foreach (Inside inside in InsideOf(endings, from))
                Collect(inside.Type);
            open.Add(from);
        }
    }

    /// <summary>
    /// Returns the content of every body of a record; the possible content of a union's, or nothing if it has a case for unknown tags.
    /// </summary>
    private Inside[] InsideOf(Endings endings, INamedTypeSymbol type)
    {
        if (!endings.Inside.TryGetValue(type, out Inside[]? inside))
            endings.Inside.Add(type, inside = [.. IsUnion(type) ? Cases(type) : Members(type)]);
        return inside;

        IEnumerable<Inside> Members(INamedTypeSymbol record) => HasOwnBody(record) || Symbols.FormatterOf(record) is not null
            ? []
            : Member.FindAll(record).Where(m => Symbols.FormatterOf(m.Symbol) is null
                && m.Type is INamedTypeSymbol { NullableAnnotation: not NullableAnnotation.Annotated } inner && IsRecordOrUnion(inner))
                .Select(m => new Inside((INamedTypeSymbol)m.Type, m));

        IEnumerable<Inside> Cases(INamedTypeSymbol union)
        {
            INamedTypeSymbol[] cases = union.GetAttributes().Where(IsUnionAttribute)
                .Select(a => a.ConstructorArguments.Length == 2 ? a.ConstructorArguments[1].Value : null).OfType<INamedTypeSymbol>().ToArray();
            return cases.Length < union.GetAttributes().Count(IsUnionAttribute) ? [] : cases.Select(c => new Inside(c, null));
        }
    }

    private bool IsRecordOrUnion(INamedTypeSymbol type) =>
        type.TypeKind != TypeKind.Enum && type.SpecialType == SpecialType.None && type.OriginalDefinition.SpecialType == SpecialType.None
        && Symbols.FormatterOf(type) is null
        && (IsUnion(type) || IsOfBaseLibrary(type) || WhyUnsupported(type) is null && !Symbols.IsOfNet(type));

    /// <summary>A record or a union in another.</summary>
    private readonly record struct Inside(INamedTypeSymbol Type, Member? Via);

    /// <summary>The cached results for the records and unions of a compilation.</summary>
    private sealed class Endings
    {
        internal Dictionary<INamedTypeSymbol, Inside[]> Inside { get; } = new(SymbolEqualityComparer.Default);

        internal HashSet<INamedTypeSymbol> Ending { get; } = new(SymbolEqualityComparer.Default);
    }
}
