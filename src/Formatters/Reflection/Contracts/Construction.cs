using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;

namespace Formatters;

/// <summary>The construction of a type's objects, as <see cref="ConstructorChoice"/> determines.</summary>
/// <param name="Constructor">The constructor; null for a struct's default value.</param>
/// <param name="MemberIndexes">For every parameter the index of its member.</param>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal sealed record Construction(ConstructorInfo? Constructor, int[] MemberIndexes)
{
    /// <param name="type">The type.</param>
    /// <param name="members">The readable members; those that can neither be set nor passed to the constructor are removed.</param>
    /// <param name="path">The path for an error.</param>
    /// <exception cref="ArgumentException">There is no suitable constructor, or a required member is left out.</exception>
    internal static Construction Find(Type type, List<ReflectedMember> members, string path)
    {
        ConstructorInfo[] constructors = type.GetConstructors();
        ConstructorVerdict verdict = ConstructorChoice.Find(
            Array.ConvertAll(constructors, static c => (IReadOnlyList<ParameterView>)[.. c.GetParameters()
                .Select(static p => new ReflectedParameter(p))]), type.IsValueType, members, out int index, out int[] memberIndexes);
        if (verdict == ConstructorVerdict.Tied)
            throw new ArgumentException(
                $"{path}: {TypeNames.Of(type)} has several constructors whose parameters are members, and none has more parameters than the others.");
        if (verdict == ConstructorVerdict.None)
            throw new ArgumentException(
                $"{path}: {TypeNames.Of(type)} has no public constructor without parameters, nor one whose parameters are all members.");
        ConstructorInfo? constructor = index < 0 ? null : constructors[index];
        ConstructorChoice.KeepMembers(members, memberIndexes);
        CheckRequired(type, constructor, members, path);
        return new Construction(constructor, memberIndexes);
    }

    /// <summary>Returns the parameter for a member; null if there is none.</summary>
    internal ReflectedParameter? ParameterOf(int memberIndex) =>
        memberIndex >= 0 && Array.IndexOf(MemberIndexes, memberIndex) is int argument and >= 0
        ? new ReflectedParameter(Constructor!.GetParameters()[argument]) : null;

    /// <summary>Rejects a required member that is left out of the contract, as the compiler rejects it in generated code.</summary>
    private static void CheckRequired(Type type, ConstructorInfo? constructor, List<ReflectedMember> members, string path)
    {
        if (constructor is not null && RecordMember.HasAttribute(constructor, "System.Diagnostics.CodeAnalysis.SetsRequiredMembersAttribute"))
            return;
        foreach (MemberInfo member in type.GetMembers(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance))
        {
            if (member is FieldInfo or PropertyInfo && RecordMember.IsRequired(member) && !members.Exists(m => m.Name == member.Name))
                throw new ArgumentException(
                    $"{path}.{member.Name}: {TypeNames.Of(type)} has the required member '{member.Name}', which is not in the contract, and no "
                    + "constructor with [SetsRequiredMembers].");
        }
    }
}
