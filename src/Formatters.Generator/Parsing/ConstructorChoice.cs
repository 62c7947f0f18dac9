using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>By which constructor an object is made: docs/wire/binary.md, "Contracts", rule 7.</summary>
internal static class ConstructorChoice
{
    /// <param name="type">The type.</param>
    /// <param name="members">What can be read; what can only be set by a constructor that is not chosen is removed.</param>
    /// <param name="memberIndexes">For every parameter the index of its member.</param>
    /// <param name="chosen">The constructor, if it has parameters.</param>
    /// <returns>What is wrong, or null.</returns>
    internal static string? Find(INamedTypeSymbol type, List<Member> members, out int[] memberIndexes, out IMethodSymbol? chosen)
    {
        memberIndexes = [];
        chosen = null;
        List<IMethodSymbol> constructors = type.InstanceConstructors
            .Where(c => c.DeclaredAccessibility == Accessibility.Public && !(type.IsValueType && c.IsImplicitlyDeclared && c.Parameters.IsEmpty))
            .ToList();
        if (type.IsTupleType)
            constructors.Clear();
        if (!constructors.Any(c => c.Parameters.IsEmpty))
        {
            int[]? best = null;
            bool isTied = false;
            foreach (IMethodSymbol constructor in constructors)
            {
                int[]? indexes = Match(constructor, members);
                if (indexes is null || type.IsValueType && indexes.All(i => members[i].CanSet))
                    continue;
                int more = indexes.Length.CompareTo(best?.Length ?? 0);
                if (more < 0)
                    continue;
                isTied = more == 0;
                best = indexes;
                chosen = constructor;
            }

            if (isTied)
                return "has several constructors whose parameters are members, and no longest one";
            if (best is null && !type.IsValueType)
                return "has no public constructor without parameters, nor one whose parameters are all members";
            memberIndexes = best ?? [];
        }

        for (int i = members.Count - 1; i >= 0; i--)
        {
            if (members[i].CanSet || Array.IndexOf(memberIndexes, i) >= 0)
                continue;
            members.RemoveAt(i);
            for (int k = 0; k < memberIndexes.Length; k++)
                memberIndexes[k] -= memberIndexes[k] > i ? 1 : 0;
        }

        return null;
    }

    /// <summary>Whether the constructor says that it sets the required members.</summary>
    /// <param name="type">The type.</param>
    /// <param name="chosen">The constructor, if it has parameters.</param>
    internal static bool SetsRequired(INamedTypeSymbol type, IMethodSymbol? chosen) =>
        (chosen ?? type.InstanceConstructors.FirstOrDefault(c => c.Parameters.IsEmpty))?.HasAttribute("System.Diagnostics.CodeAnalysis.SetsRequiredMembersAttribute") ?? false;

    /// <summary>Whether <c>new T()</c> makes an object, also where nothing else is known of the type.</summary>
    internal static bool IsMadeByNew(INamedTypeSymbol type) =>
        (type.IsValueType || type.InstanceConstructors.Any(c => c.Parameters.IsEmpty && c.DeclaredAccessibility == Accessibility.Public))
        && (!Symbols.RequiredMembers(type).Any() || SetsRequired(type, null));

    private static int[]? Match(IMethodSymbol constructor, List<Member> members)
    {
        int[] indexes = new int[constructor.Parameters.Length];
        for (int i = 0; i < indexes.Length; i++)
        {
            IParameterSymbol parameter = constructor.Parameters[i];
            int index = FindMember(constructor, parameter, members);
            if (index < 0 || parameter.RefKind is not (RefKind.None or RefKind.In)
                || !SymbolEqualityComparer.Default.Equals(members[index].Type, parameter.Type) || Array.IndexOf(indexes, index, 0, i) >= 0)
                return null;
            indexes[i] = index;
        }

        return indexes;
    }

    /// <summary>The member of the parameter's name; else the one whose name differs in case only, and is not that of another parameter.</summary>
    private static int FindMember(IMethodSymbol constructor, IParameterSymbol parameter, List<Member> members)
    {
        int exact = members.FindIndex(m => m.Name == parameter.Name);
        return exact >= 0 ? exact
            : members.FindIndex(m => string.Equals(m.Name, parameter.Name, StringComparison.OrdinalIgnoreCase) && constructor.Parameters.All(p => p.Name != m.Name));
    }
}
