using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

// Whether a body of a record can end. One does if all of its members do that cannot be null; a union does if one of its cases does.
internal sealed partial class ShapeParser
{
    private readonly Dictionary<INamedTypeSymbol, Inside[]> _inside = new(SymbolEqualityComparer.Default);
    private readonly HashSet<INamedTypeSymbol> _ending = new(SymbolEqualityComparer.Default);

    /// <summary>Refuses a record that lies in itself with neither a nullable member nor a collection between: no body of it could end.</summary>
    private void CheckEnd(INamedTypeSymbol type, string path, ISymbol? via)
    {
        FindEnding(type);
        var seen = new HashSet<INamedTypeSymbol>(SymbolEqualityComparer.Default);
        if (!_ending.Contains(type) && FindWayBack(type) is Member member)
            Report(Descriptors.Endless, member.Symbol.Locations.Any(l => l.IsInSource) ? member.Symbol : via, path + "." + member.Name, type.ShortName());

        // The first member of the type that leads back to it.
        Member? FindWayBack(INamedTypeSymbol from) => InsideOf(from).Where(i => LeadsBack(i.Type)).Select(i => i.Via).FirstOrDefault();

        bool LeadsBack(INamedTypeSymbol inner) => !_ending.Contains(inner)
            && (SymbolEqualityComparer.Default.Equals(inner, type) || seen.Add(inner) && InsideOf(inner).Any(i => LeadsBack(i.Type)));
    }

    /// <summary>Adds the types that come to an end, of those in a type and itself: from the innermost outwards, until no more is found.</summary>
    private void FindEnding(INamedTypeSymbol type)
    {
        var open = new List<INamedTypeSymbol>();
        Collect(type);
        while (open.RemoveAll(t => Ends(t) && _ending.Add(t)) > 0)
        {
        }

        // A union without anything inside has a case for unknown tags, which ends; or is wrong for another reason.
        bool Ends(INamedTypeSymbol t) => IsUnion(t) && InsideOf(t).Length > 0 ? InsideOf(t).Any(i => _ending.Contains(i.Type)) : InsideOf(t).All(i => _ending.Contains(i.Type));

        void Collect(INamedTypeSymbol from)
        {
            if (_ending.Contains(from) || open.Contains(from, SymbolEqualityComparer.Default))
                return;
            open.Add(from);
            foreach (Inside inside in InsideOf(from))
                Collect(inside.Type);
        }
    }

    /// <summary>What is in every body of a record; what may be in one of a union, or nothing if it has a case for unknown tags.</summary>
    private Inside[] InsideOf(INamedTypeSymbol type)
    {
        if (!_inside.TryGetValue(type, out Inside[]? inside))
            _inside.Add(type, inside = [.. IsUnion(type) ? Cases(type) : Members(type)]);
        return inside;

        IEnumerable<Inside> Members(INamedTypeSymbol record) => HasOwnBody(record) || Symbols.FormatterOf(record) is not null ? []
            : Member.FindAll(record).Where(m => Symbols.FormatterOf(m.Symbol) is null && m.Type is INamedTypeSymbol { NullableAnnotation: not NullableAnnotation.Annotated } inner && IsRecordOrUnion(inner))
                .Select(m => new Inside((INamedTypeSymbol)m.Type, m));

        IEnumerable<Inside> Cases(INamedTypeSymbol union)
        {
            INamedTypeSymbol[] cases = union.GetAttributes().Where(IsUnionAttribute).Select(a => a.ConstructorArguments.Length == 2 ? a.ConstructorArguments[1].Value : null).OfType<INamedTypeSymbol>().ToArray();
            return cases.Length < union.GetAttributes().Count(IsUnionAttribute) ? [] : cases.Select(c => new Inside(c, null));
        }
    }

    private bool IsRecordOrUnion(INamedTypeSymbol type) =>
        type.TypeKind != TypeKind.Enum && type.SpecialType == SpecialType.None && type.OriginalDefinition.SpecialType == SpecialType.None && Symbols.FormatterOf(type) is null
        && (IsUnion(type) || IsOfBaseLibrary(type) || WhyUnsupported(type) is null && !(type.ContainingNamespace?.ToDisplayString().StartsWith("System", StringComparison.Ordinal) ?? false));

    /// <summary>A record or a union in another.</summary>
    private readonly record struct Inside(INamedTypeSymbol Type, Member? Via);
}
