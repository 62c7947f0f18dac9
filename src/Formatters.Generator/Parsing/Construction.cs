using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>The construction of a type's objects, as <see cref="ConstructorChoice"/> determines.</summary>
internal static class Construction
{
    /// <param name="type">The type.</param>
    /// <param name="members">The readable members; those that only a constructor that is not chosen could set are removed.</param>
    /// <param name="memberIndexes">For every parameter the index of its member.</param>
    /// <param name="chosen">The constructor, if it has parameters.</param>
    /// <returns>The problem, or null.</returns>
    internal static string? Find(INamedTypeSymbol type, List<Member> members, out int[] memberIndexes, out IMethodSymbol? chosen)
    {
        List<IMethodSymbol> constructors = type.InstanceConstructors
            .Where(c => c.DeclaredAccessibility == Accessibility.Public && !(type.IsValueType && c.IsImplicitlyDeclared && c.Parameters.IsEmpty))
            .ToList();
        if (type.IsTupleType)
            constructors.Clear();
        ConstructorVerdict verdict = ConstructorChoice.Find(
            constructors.ConvertAll(c => (IReadOnlyList<ParameterView>)[.. c.Parameters.Select(p => new SymbolParameter(p))]), type.IsValueType,
                members, out int index, out memberIndexes);
        chosen = memberIndexes.Length > 0 ? constructors[index] : null;
        if (verdict == ConstructorVerdict.Tied)
            return "has several constructors whose parameters are members, and none has more parameters than the others";
        if (verdict == ConstructorVerdict.None)
            return "has no public constructor without parameters, nor one whose parameters are all members";
        ConstructorChoice.KeepMembers(members, memberIndexes);
        return null;
    }

    /// <summary>Determines whether the constructor declares that it sets the required members.</summary>
    /// <param name="type">The type.</param>
    /// <param name="chosen">The constructor, if it has parameters.</param>
    internal static bool SetsRequired(INamedTypeSymbol type, IMethodSymbol? chosen) =>
        (chosen ?? type.InstanceConstructors.FirstOrDefault(c => c.Parameters.IsEmpty))?.HasAttribute(
            "System.Diagnostics.CodeAnalysis.SetsRequiredMembersAttribute") ?? false;

    /// <summary>Determines whether <c>new T()</c> creates an object, even if nothing else is known of the type.</summary>
    internal static bool IsMadeByNew(INamedTypeSymbol type) =>
        (type.IsValueType || type.InstanceConstructors.Any(c => c.Parameters.IsEmpty && c.DeclaredAccessibility == Accessibility.Public))
        && (!Symbols.RequiredMembers(type).Any() || SetsRequired(type, null));
}
