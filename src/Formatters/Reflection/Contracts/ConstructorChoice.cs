using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Formatters;

/// <summary>
/// By which constructor an object is made: the public one without parameters; else the public one with the most parameters of those whose every
/// parameter is a member by name (case aside) and type. A struct without a constructor of its own starts as its default value, unless
/// a constructor is the only way to set one of its members.
/// </summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal static class ConstructorChoice
{
    /// <returns>Null for a struct's default value.</returns>
    internal static ConstructorInfo? Find(
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type type,
        List<(MemberInfo Info, AnnotatedType Type)> members,
        string path)
    {
        ConstructorInfo? parameterless = type.GetConstructor(Type.EmptyTypes);
        if (parameterless is not null)
            return parameterless;
        ConstructorInfo? best = null;
        bool isTied = false;
        foreach (ConstructorInfo constructor in type.GetConstructors())
        {
            int[]? indexes = Match(constructor, members);
            if (indexes is null || type.IsValueType && Array.TrueForAll(indexes, i => RecordMember.CanSet(members[i].Info)))
                continue;
            int more = indexes.Length.CompareTo(best?.GetParameters().Length ?? 0);
            if (more < 0)
                continue;
            isTied = more == 0;
            best = constructor;
        }

        if (isTied)
            throw new ArgumentException($"{path}: {TypeNames.Of(type)} has several constructors whose parameters are members, and no longest one.");
        if (best is null && !type.IsValueType)
            throw new ArgumentException($"{path}: {TypeNames.Of(type)} has no public constructor without parameters, nor one whose parameters are all members.");
        return best;
    }

    /// <summary>Leaves the members that can be set, or that the constructor takes; and says which those are for its parameters.</summary>
    /// <exception cref="ArgumentException">A required member is left out.</exception>
    internal static int[] KeepMembers(Type type, ConstructorInfo? constructor, List<(MemberInfo Info, AnnotatedType Type)> members, string path)
    {
        int[] indexes = constructor is null ? [] : Match(constructor, members)!;
        for (int i = members.Count - 1; i >= 0; i--)
        {
            if (RecordMember.CanSet(members[i].Info) || Array.IndexOf(indexes, i) >= 0)
                continue;
            members.RemoveAt(i);
            for (int k = 0; k < indexes.Length; k++)
                indexes[k] -= indexes[k] > i ? 1 : 0;
        }

        CheckRequired(type, constructor, members, path);
        return indexes;
    }

    /// <summary>The type of the value that a parameter takes: also of one passed by <c>in</c>.</summary>
    internal static Type TypeOf(ParameterInfo parameter) =>
        parameter.ParameterType.IsByRef && parameter.IsIn && !parameter.IsOut ? parameter.ParameterType.GetElementType()! : parameter.ParameterType;

    /// <summary>Refuses a required member that is left out of the contract, as the compiler refuses it in generated code.</summary>
    private static void CheckRequired(Type type, ConstructorInfo? constructor, List<(MemberInfo Info, AnnotatedType Type)> members, string path)
    {
        if (constructor is not null && RecordMember.HasAttribute(constructor, "System.Diagnostics.CodeAnalysis.SetsRequiredMembersAttribute"))
            return;
        foreach (MemberInfo member in type.GetMembers(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance))
        {
            if (member is FieldInfo or PropertyInfo && RecordMember.IsRequired(member) && !members.Exists(m => m.Info.Name == member.Name))
                throw new ArgumentException($"{path}.{member.Name}: {TypeNames.Of(type)} has the required member '{member.Name}', which is not in the contract, and no constructor with [SetsRequiredMembers].");
        }
    }

    private static int[]? Match(ConstructorInfo constructor, List<(MemberInfo Info, AnnotatedType Type)> members)
    {
        ParameterInfo[] parameters = constructor.GetParameters();
        int[] indexes = new int[parameters.Length];
        for (int i = 0; i < indexes.Length; i++)
        {
            ParameterInfo parameter = parameters[i];
            int index = FindMember(parameters, parameter, members);
            if (index < 0 || members[index].Type.Type != TypeOf(parameter) || Array.IndexOf(indexes, index, 0, i) >= 0)
                return null;
            indexes[i] = index;
        }

        return indexes;
    }

    /// <summary>The member of the parameter's name; else the one whose name differs in case only, and is not that of another parameter.</summary>
    private static int FindMember(ParameterInfo[] parameters, ParameterInfo parameter, List<(MemberInfo Info, AnnotatedType Type)> members)
    {
        int exact = members.FindIndex(member => member.Info.Name == parameter.Name);
        return exact >= 0 ? exact
            : members.FindIndex(member => string.Equals(member.Info.Name, parameter.Name, StringComparison.OrdinalIgnoreCase)
                && !Array.Exists(parameters, other => other.Name == member.Info.Name));
    }
}
