using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>The result of choosing a constructor.</summary>
internal enum ConstructorVerdict
{
    Found,

    /// <summary>No constructor is parameterless, or has only members as parameters.</summary>
    None,

    /// <summary>Several constructors tie for the most parameters.</summary>
    Tied,
}

/// <summary>
/// Chooses the constructor of an object: the public parameterless one; otherwise the public one with the most parameters of those whose every
/// parameter is a member by name (ignoring case) and type. A struct without a constructor of its own starts as its default value, unless a
/// constructor is the only way to set one of its members. docs/wire/binary.md, "Contracts", rule 7.
/// </summary>
internal static class ConstructorChoice
{
    /// <param name="constructors">The parameters of each public constructor, without the implicit one of structs.</param>
    /// <param name="isValueType">Whether it is a struct.</param>
    /// <param name="members">The readable members.</param>
    /// <param name="index">The index of the constructor; -1 for a struct's default value.</param>
    /// <param name="memberIndexes">For every parameter the index of its member.</param>
    internal static ConstructorVerdict Find(
        IReadOnlyList<IReadOnlyList<ParameterView>> constructors, bool isValueType, IReadOnlyList<MemberView> members, out int index,
            out int[] memberIndexes)
    {
        index = -1;
        int[]? best = null;
        bool isTied = false;
        for (int i = 0; i < constructors.Count; i++)
        {
            if (constructors[i].Count == 0)
            {
                (index, memberIndexes) = (i, []);
                return ConstructorVerdict.Found;
            }

            int[]? indexes = Match(constructors[i], members);
            if (indexes is null || isValueType && Array.TrueForAll(indexes, k => members[k].CanSet))
                continue;
            int more = indexes.Length.CompareTo(best?.Length ?? 0);
            if (more < 0)
                continue;
            isTied = more == 0;
            best = indexes;
            index = i;
        }

        memberIndexes = best ?? [];
        return isTied ? ConstructorVerdict.Tied : best is null && !isValueType ? ConstructorVerdict.None : ConstructorVerdict.Found;
    }

    /// <summary>Removes the members that can neither be set nor are taken by the constructor.</summary>
    internal static void KeepMembers<TMember>(List<TMember> members, int[] memberIndexes)
        where TMember : MemberView => KeepMembers(members, memberIndexes, static member => member.CanSet);

    /// <summary>Removes members except given ones and those that the constructor takes, and adjusts the indexes of its parameters.</summary>
    internal static void KeepMembers<TMember>(List<TMember> members, int[] memberIndexes, Func<TMember, bool> isKept)
        where TMember : MemberView
    {
        for (int i = members.Count - 1; i >= 0; i--)
        {
            if (isKept(members[i]) || Array.IndexOf(memberIndexes, i) >= 0)
                continue;
            members.RemoveAt(i);
            for (int k = 0; k < memberIndexes.Length; k++)
                memberIndexes[k] -= memberIndexes[k] > i ? 1 : 0;
        }
    }

    private static int[]? Match(IReadOnlyList<ParameterView> parameters, IReadOnlyList<MemberView> members)
    {
        int[] indexes = new int[parameters.Count];
        for (int i = 0; i < indexes.Length; i++)
        {
            int index = FindMember(parameters, parameters[i].Name, members);
            if (index < 0 || !parameters[i].Takes(members[index]) || Array.IndexOf(indexes, index, 0, i) >= 0)
                return null;
            indexes[i] = index;
        }

        return indexes;
    }

    /// <summary>
    /// Finds the member with the parameter's name; otherwise one whose name differs only in case, and is not that of another parameter.
    /// </summary>
    private static int FindMember(IReadOnlyList<ParameterView> parameters, string name, IReadOnlyList<MemberView> members)
    {
        int similar = -1;
        for (int i = 0; i < members.Count; i++)
        {
            if (members[i].Name == name)
                return i;
            if (similar < 0 && string.Equals(members[i].Name, name, StringComparison.OrdinalIgnoreCase) && !HasParameter(members[i].Name))
                similar = i;
        }

        return similar;

        bool HasParameter(string memberName)
        {
            foreach (ParameterView parameter in parameters)
            {
                if (parameter.Name == memberName)
                    return true;
            }

            return false;
        }
    }
}
