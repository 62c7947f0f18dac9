using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Determines the numbers of members and the member for unknown ones; throws exceptions for errors.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal static class NumberedMembers
{
    /// <summary>Takes the number of a member.</summary>
    /// <exception cref="ArgumentException">It has no number, one out of range, one of another member, or a retired one.</exception>
    internal static int Take(MemberNumbers numbers, int? number, string member, string path, NumberRange range) =>
        numbers.Add(number, member, out string other) switch
    {
        NumberVerdict.Missing => throw new ArgumentException(
            $"{path} has no number: give it one, [MessageMember(n)], or leave it out; [Key] is a number in MessagePack, CBOR and compact only."),
        NumberVerdict.OutOfRange when range.IsReserved(number!.Value) =>
            throw new ArgumentException($"{path} has the number {number}; {range.FirstReserved} to {range.LastReserved} are reserved by protobuf."),
        NumberVerdict.OutOfRange => throw new ArgumentException($"{path} has the number {number}; numbers are 1 to {range.Max}."),
        NumberVerdict.Twice => throw new ArgumentException($"{path} has the number {number}, which {other} also has."),
        NumberVerdict.Retired => throw new ArgumentException(
            $"{path} has the number {number}, which is retired: bodies with the former member may still be in a queue."),
        _ => number!.Value,
    };

    /// <summary>Finds the member that stores unknown members.</summary>
    /// <exception cref="ArgumentException">There are several, or it cannot be set.</exception>
    internal static RecordMember? FindUnknown(Type type, string path)
    {
        RecordMember? unknown = null;
        foreach (MemberInfo member in type.GetMembers(BindingFlags.Public | BindingFlags.Instance))
        {
            if (member is not (FieldInfo or PropertyInfo) || ReflectedMember.TypeOf(member) != typeof(UnknownMembers))
                continue;
            if (unknown is not null)
                throw new ArgumentException($"{path}.{member.Name} keeps the unknown members: there is already another such member.");
            if (!RecordMember.CanSet(member))
                throw new ArgumentException($"{path}.{member.Name} keeps the unknown members: it needs a public setter, or init.");
            // It is not a member of the contract, so its own contract is not needed.
            unknown = new RecordMember(member as FieldInfo, member as PropertyInfo, new BytesContract());
        }

        if (unknown is null && FindHidden(type) is MemberInfo hidden)
            throw new ArgumentException($"{path}.{hidden.Name} keeps the unknown members: it is not public.");
        return unknown;
    }

    /// <summary>Finds a member that would store unknown members if it were public, and is not excluded by name.</summary>
    private static MemberInfo? FindHidden(Type type)
    {
        for (Type? level = type; level is not null; level = level.BaseType)
        {
            MemberInfo? hidden = Array.Find(
                level.GetMembers(BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly),
                m => m is FieldInfo or PropertyInfo && ReflectedMember.TypeOf(m) == typeof(UnknownMembers) && !ReflectedMember.Of(m).IsLeftOut
                    && !m.IsDefined(typeof(CompilerGeneratedAttribute), false));
            if (hidden is not null)
                return hidden;
        }

        return null;
    }

    /// <summary>Returns the retired numbers of a type and its base classes.</summary>
    /// <exception cref="ArgumentException">A retired number is out of range, so it is probably a mistake.</exception>
    internal static HashSet<int> FindRetired(Type type, string path, NumberRange range)
    {
        var numbers = new HashSet<int>();
        for (Type? level = type; level is not null; level = level.BaseType)
            numbers.UnionWith(new ReflectedType(level).Attributes.Where(static a => a.Name == AttributeNames.RetiredMembers)
                .SelectMany(MemberNumbers.RetiredBy));
        foreach (int number in numbers)
        {
            if (!range.Contains(number))
                throw new ArgumentException($"{path}: [RetiredMembers] has the number {number}, which no member can have.");
        }

        return numbers;
    }
}
