using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>
/// Members declared as a class with derived classes: writing an object of one of those is an error. docs/wire/binary.md, "Contracts", rule 9.
/// </summary>
internal sealed partial class ShapeParser
{
    /// <summary>The property of FMT128 with the metadata name of the base class, for its fixes.</summary>
    internal const string ClassProperty = "Class";

    private static readonly ConditionalWeakTable<Compilation, Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>>> DerivedClasses = new();

    /// <summary>
    /// Determines whether an object may be of a derived class, which nothing allows, so that each object is checked when it is written.
    /// </summary>
    private bool ChecksDerived(INamedTypeSymbol type) =>
        !type.IsValueType && !type.IsSealed && !type.HasAttribute(Symbols.AllowDerivedAttribute)
        && !compilation.Assembly.GetAttributes().Any(a => a.AttributeClass?.FullName() == Symbols.AllowDerivedAttribute
            && a.ConstructorArguments.FirstOrDefault().Value is ITypeSymbol allowed && SymbolEqualityComparer.Default.Equals(allowed, type));

    /// <summary>Warns of a member whose class has derived ones in the source.</summary>
    private void CheckDerived(INamedTypeSymbol type, string path, ISymbol? member)
    {
        if (member is not (IFieldSymbol or IPropertySymbol) || type.TypeKind != TypeKind.Class || type.IsAbstract
            || member.LocationIn(compilation) is null || !ChecksDerived(type))
            return;
        DependsOnAll |= !SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly);
        List<INamedTypeSymbol> derived = DerivedFrom(type, compilation);
        Location at = PlaceOf(member);
        if (derived.Count == 0 || Diagnostics.Any(d => d.Descriptor.Id == Descriptors.Derived.Id && d.Location == at))
            return;
        string names = derived[0].ShortName() + (derived.Count == 1 ? "" : $" and {derived.Count - 1} more");
        Diagnostics.Add(Formatters.Generator.Report.Diagnose(
            Descriptors.Derived, at, ImmutableDictionary<string, string?>.Empty.Add(ClassProperty, type.FullName()), path, type.ShortName(), names));
    }

    /// <summary>Returns the derived classes of a class in the source that have objects, by name.</summary>
    internal static List<INamedTypeSymbol> DerivedFrom(INamedTypeSymbol type, Compilation compilation)
    {
        if (!DerivedClasses.GetValue(compilation, FindDerived).TryGetValue(type.OriginalDefinition, out List<INamedTypeSymbol>? all))
            return [];
        return [.. all.Where(d => d.IsGenericType || Symbols.Levels(d).Contains(type, SymbolEqualityComparer.Default))
            .OrderBy(d => d.ToDisplayString(), System.StringComparer.Ordinal)];
    }

    private static Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>> FindDerived(Compilation compilation)
    {
        var found = new Dictionary<INamedTypeSymbol, List<INamedTypeSymbol>>(SymbolEqualityComparer.Default);
        var open = new Stack<INamespaceOrTypeSymbol>();
        open.Push(compilation.Assembly.GlobalNamespace);
        while (open.Count > 0)
        {
            foreach (INamespaceOrTypeSymbol symbol in open.Pop().GetMembers().OfType<INamespaceOrTypeSymbol>())
            {
                open.Push(symbol);
                if (symbol is not INamedTypeSymbol { TypeKind: TypeKind.Class, IsAbstract: false, IsStatic: false } type)
                    continue;
                for (INamedTypeSymbol? level = type.BaseType; level is { SpecialType: not SpecialType.System_Object }; level = level.BaseType)
                {
                    if (!found.TryGetValue(level.OriginalDefinition, out List<INamedTypeSymbol>? derived))
                        found.Add(level.OriginalDefinition, derived = []);
                    derived.Add(type);
                }
            }
        }

        return found;
    }
}
