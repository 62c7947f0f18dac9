using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;

namespace Formatters;

/// <summary>The numbers of members, for wire formats that go by them.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal static class MemberNumbers
{
    private const BindingFlags Constructors = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance;

    /// <exception cref="ArgumentException">A member has no number, one out of range, one of another member, or a retired one.</exception>
    internal static int[] Find(Type type, RecordMember[] members, string path)
    {
        HashSet<int> retired = FindRetired(type, path, MemberKind.MaxNumber);
        int[] numbers = new int[members.Length];
        for (int i = 0; i < numbers.Length; i++)
        {
            MemberInfo member = members[i].Info;
            string name = path + "." + member.Name;
            int number = Find(member) ?? throw new ArgumentException($"{name} has no number: give it one, [MessageMember(n)], or leave it out.");
            if (number is < 1 or > MemberKind.MaxNumber)
                throw new ArgumentException($"{name} has the number {number}; numbers are 1 to {MemberKind.MaxNumber}.");
            int other = Array.IndexOf(numbers, number, 0, i);
            if (other >= 0)
                throw new ArgumentException($"{name} has the number {number}, which {members[other].Name} has, too.");
            if (retired.Contains(number))
                throw new ArgumentException($"{name} has the number {number}, which is retired: bodies that hold the former member may still wait.");
            numbers[i] = number;
        }

        return numbers;
    }

    /// <summary>Finds the member that keeps the unknown ones.</summary>
    /// <exception cref="ArgumentException">There are several, or it cannot be set.</exception>
    internal static RecordMember? FindUnknown(Type type, string path)
    {
        RecordMember? unknown = null;
        foreach (MemberInfo member in type.GetMembers(BindingFlags.Public | BindingFlags.Instance))
        {
            if (member is not (FieldInfo or PropertyInfo) || RecordMember.TypeOf(member) != typeof(UnknownMembers))
                continue;
            if (unknown is not null)
                throw new ArgumentException($"{path}.{member.Name} keeps the unknown members: there is another already.");
            if (!RecordMember.CanSet(member))
                throw new ArgumentException($"{path}.{member.Name} keeps the unknown members: it needs a public setter, or init.");
            // It is no member of the contract: its own contract is not asked for.
            unknown = new RecordMember(member as FieldInfo, member as PropertyInfo, new BytesContract());
        }

        if (unknown is null && FindHidden(type) is MemberInfo hidden)
            throw new ArgumentException($"{path}.{hidden.Name} keeps the unknown members: it is not public.");
        return unknown;
    }

    /// <summary>A member that would keep the unknown ones if it were public, and is not left out by name.</summary>
    private static MemberInfo? FindHidden(Type type)
    {
        for (Type? level = type; level is not null; level = level.BaseType)
        {
            MemberInfo? hidden = Array.Find(
                level.GetMembers(BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly),
                m => m is FieldInfo or PropertyInfo && RecordMember.TypeOf(m) == typeof(UnknownMembers) && !MemberOrder.IsLeftOut(m) && !m.IsDefined(typeof(CompilerGeneratedAttribute), false));
            if (hidden is not null)
                return hidden;
        }

        return null;
    }

    private static int? Find(MemberInfo member)
    {
        if (NumberOf(member.GetCustomAttribute<MessageMemberAttribute>()) is int number)
            return number;
        foreach (ParameterInfo parameter in Parameters(member))
        {
            if (NumberOf(parameter.GetCustomAttribute<MessageMemberAttribute>()) is int fromParameter)
                return fromParameter;
        }

        return member.GetCustomAttribute<DataMemberAttribute>() is { Order: >= 0 } data ? data.Order : null;
    }

    /// <summary>The parameter that has <c>[MessageMember]</c>: the one that sets the member, or one of its own type's constructors, of a positional record struct or base record.</summary>
    internal static ParameterInfo? MarkedParameter(MemberInfo member, ParameterInfo? setting) =>
        Parameters(member).Prepend(setting).FirstOrDefault(static parameter => parameter?.IsDefined(typeof(MessageMemberAttribute), false) == true);

    /// <summary>The constructor parameters of a property's name, the exact one first.</summary>
    private static IEnumerable<ParameterInfo> Parameters(MemberInfo member) => member is not PropertyInfo ? []
        : member.DeclaringType!.GetConstructors(Constructors).SelectMany(constructor => constructor.GetParameters())
            .Where(parameter => string.Equals(parameter.Name, member.Name, StringComparison.OrdinalIgnoreCase))
            .OrderBy(parameter => parameter.Name == member.Name ? 0 : 1);

    /// <summary>The fields of a oneof: the attributes of the member, or of the constructor parameter of a positional record that carries them.</summary>
    internal static IReadOnlyList<MessageOneofAttribute> OneofCases(MemberInfo member)
    {
        IEnumerable<MessageOneofAttribute> cases = member.GetCustomAttributes<MessageOneofAttribute>(inherit: false);
        return [.. Parameters(member).Aggregate(cases, static (found, parameter) => found.Any() ? found : parameter.GetCustomAttributes<MessageOneofAttribute>())];
    }

    private static int? NumberOf(MessageMemberAttribute? attribute) => attribute is null or { Number: 0 } ? null : attribute.Number;

    /// <summary>The retired numbers of a type and its base classes.</summary>
    /// <exception cref="ArgumentException">One that no member can have had: another is meant.</exception>
    internal static HashSet<int> FindRetired(Type type, string path, int maxNumber, Predicate<int>? isReserved = null)
    {
        var numbers = new HashSet<int>();
        for (Type? level = type; level is not null; level = level.BaseType)
        {
            foreach (RetiredMembersAttribute attribute in level.GetCustomAttributes<RetiredMembersAttribute>(inherit: false))
                numbers.UnionWith(attribute.Numbers);
        }

        foreach (int number in numbers)
        {
            if (number < 1 || number > maxNumber || isReserved is not null && isReserved(number))
                throw new ArgumentException($"{path}: [RetiredMembers] has the number {number}, which no member can have.");
        }

        return numbers;
    }
}
