using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

// Types that XmlSerializer itself rejects, at run time. The whole contract is searched for them first, because only the first unsupported feature of
// generated code is reported.
internal sealed partial class XmlParser
{
    private readonly List<Refusal> _refused = [];
    private readonly HashSet<ITypeSymbol> _searched = new(SymbolEqualityComparer.Default);

    private string? WhyRefused(ITypeSymbol type) =>
        type.Implements(XmlSpace + "IXmlSerializable")
        ? null
        : type.FullName() == "System.Collections.IDictionary" || type.Implements("System.Collections.IDictionary")
        ? "XmlSerializer does not support types that implement IDictionary"
        : IsOtherInterface(type)
        ? "XmlSerializer does not support interfaces"
        : type is INamedTypeSymbol { TypeKind: TypeKind.Class, IsAbstract: false, IsUnboundGenericType: false } named
        && named.InstanceConstructors.All(c => !c.Parameters.IsEmpty)
            && named.LocationIn(_compilation) is not null
            ? "XmlSerializer needs a constructor without parameters"
        : null;

    /// <summary>Determines whether it is an interface that XmlSerializer does not know as a collection.</summary>
    private static bool IsOtherInterface(ITypeSymbol type) =>
        type.TypeKind == TypeKind.Interface && type.FullName() is not ("System.Collections.IEnumerable" or "System.Collections.ICollection"
            or "System.Collections.IList")
        && !type.Implements("System.Collections.ICollection");

    /// <summary>Returns a type, its items as an array, a list or a nullable struct, and so on.</summary>
    private static List<ITypeSymbol> WithItems(ITypeSymbol type)
    {
        var all = new List<ITypeSymbol>();
        // A list may contain lists of its own kind.
        for (ITypeSymbol? level = type; level is not null && !all.Contains(level, SymbolEqualityComparer.Default)
            && !ShapeParser.IsTooDeep(level); level = ItemOf(level))
            all.Add(level);
        return all;
    }

    /// <summary>
    /// Returns the item type of arrays, nullable structs, the lists and sets of the base library, and classes derived from those; null for others.
    /// </summary>
    private static ITypeSymbol? ItemOf(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => array.ElementType,
        INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable => nullable.TypeArguments[0],
        INamedTypeSymbol { TypeKind: TypeKind.Class } named when IsCollection(named) && !named.Implements(XmlSpace + "IXmlSerializable") =>
            Symbols.Levels(named)
            .FirstOrDefault(l => l.TypeArguments.Length == 1 && l.ContainingNamespace?.ToDisplayString() is "System.Collections.Generic"
                or "System.Collections.ObjectModel")?.TypeArguments[0],
        _ => null,
    };

    /// <summary>Reports the type of a member, of the payload or of <c>[XmlInclude]</c>, if XmlSerializer rejects it.</summary>
    /// <param name="symbol">The symbol to report it at, unless the type has its own contract; null for the payload.</param>
    /// <param name="type">The type.</param>
    /// <param name="path">Its path.</param>
    /// <returns>Whether it is rejected.</returns>
    private bool NoteRefused(ISymbol? symbol, ITypeSymbol type, string path)
    {
        foreach (ITypeSymbol level in WithItems(type))
        {
            if (WhyRefused(level) is not string why)
                continue;
            _refused.Add(new Refusal(ContractParser.FindDeclaration(level, ContractFormats.Xml, _compilation, _cancellation)
                ?? symbol?.LocationIn(_compilation), path, level, why));
            return true;
        }

        return false;
    }

    /// <summary>Reports a member that XmlSerializer rejects.</summary>
    /// <param name="member">The member.</param>
    /// <param name="types">Its type, or those of its attributes.</param>
    /// <returns>Whether it is rejected.</returns>
    private bool NoteRefused(ISymbol member, List<ITypeSymbol> types)
    {
        string path = PathOf(member);
        if (types.Exists(t => NoteRefused(member, t, path)))
            return true;
        if (member is not IPropertySymbol { GetMethod: IMethodSymbol getter, SetMethod: IMethodSymbol setter, Type: ITypeSymbol type }
            || getter.DeclaredAccessibility == Accessibility.Public && (setter.DeclaredAccessibility == Accessibility.Public || IsCollection(type)))
            return false;
        _refused.Add(new Refusal(member.LocationIn(_compilation), path, member.ContainingType,
            "XmlSerializer does not support properties whose getter or setter is not public"));
        return true;
    }

    /// <summary>Reports everything that XmlSerializer rejects among the members of a type, of its base classes, and of their types.</summary>
    private void FindRefused(ITypeSymbol type)
    {
        _cancellation.ThrowIfCancellationRequested();
        if (WithItems(type).LastOrDefault() is not INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct } named
            || IsOfBaseLibrary(named) || IsCollection(named) || named.Implements(XmlSpace + "IXmlSerializable") || !_searched.Add(named))
            return;
        if (named.BaseType is INamedTypeSymbol parent)
            FindRefused(parent);
        // Only some versions of XmlSerializer examine obsolete members.
        foreach (ISymbol member in MembersOf(named).Where(m => !m.HasAttribute("System.ObsoleteAttribute")))
        {
            List<ITypeSymbol> types = [.. XmlMark.Of(member).Select(m => m.Type).OfType<ITypeSymbol>()];
            if (types.Count == 0)
                types.Add(TypeOf(member));
            // A rejected member may be left out, with its content.
            if (!NoteRefused(member, types))
                types.ForEach(FindRefused);
        }

        foreach (ITypeSymbol included in XmlMark.Of(named).Where(m => m.Kind == "XmlInclude").Select(m => m.Type).OfType<ITypeSymbol>())
        {
            if (!NoteRefused(included, included, included.ShortName()))
                FindRefused(included);
        }
    }

    private IEnumerable<Diagnostic> Refusals(Location location) => _refused.Select(r => Report.Diagnose(
        Descriptors.Unsupported,
        r.Place ?? location,
        ImmutableDictionary<string, string?>.Empty.Add(MissingFormat.FormatProperty, nameof(ContractFormats.Xml)),
        r.Path,
        r.Type.ShortName(),
        r.Why));

    private sealed record Refusal(Location? Place, string Path, ITypeSymbol Type, string Why);
}
