using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.Serialization;
using System.Xml.Serialization;

namespace Formatters;

/// <summary>
/// Which members a record has, in which order: those of base classes first; of each class first its fields, then its properties, each as they
/// are declared, unless an attribute gives an order. (How fields and properties are mixed in the source is not in the metadata.)
/// </summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal static class MemberOrder
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    /// <summary>Finds all that can be read, also what can only be set by a constructor.</summary>
    internal static List<(MemberInfo Info, AnnotatedType Type)> Find(AnnotatedType type)
    {
        if (PlainStructs.MembersOf(type.Type.FullName ?? "") is string[] names)
            return [.. names.Select(n => type.Type.GetMember(n, BindingFlags.Public | BindingFlags.Instance)[0]).Select(m => (m, AnnotatedType.Unannotated(RecordMember.TypeOf(m))))];

        var levels = new Stack<AnnotatedType>();
        for (AnnotatedType? level = type; level is not null; level = AnnotatedType.OfBase(level))
            levels.Push(level);

        var members = new List<(MemberInfo Info, AnnotatedType Type)>();
        foreach (AnnotatedType level in levels)
        {
            // A public member declared anew takes the name from the inherited one, also if it is left out itself; an override is no new member.
            FieldInfo[] fields = level.Type.GetFields(Declared);
            PropertyInfo[] properties = Array.FindAll(level.Type.GetProperties(Declared), p => p.GetIndexParameters().Length == 0 && !IsOverride(p));
            SortByDeclaration(fields);
            SortByDeclaration(properties);
            bool isOptIn = IsOptIn(level.Type);
            MemberInfo[] declared = [.. fields, .. properties];
            foreach (MemberInfo member in declared)
            {
                if (IsPublic(member))
                    members.RemoveAll(other => other.Info.Name == member.Name);
            }

            members.AddRange(declared.Where(m => IsOptedIn(m) || !isOptIn && IsTaken(m)).OrderBy(m => OrderOf(m, isOptIn))
                .Select(m => (m, AnnotatedType.OfMember(m, RecordMember.TypeOf(m), level))));
        }

        return members;
    }

    /// <summary>
    /// Whether an attribute makes it a member, whatever its accessibility: <see cref="MessageMemberAttribute"/>, <see cref="MessageOneofAttribute"/>, or <c>[DataMember]</c> in a type with <c>[DataContract]</c> or on what is public.
    /// </summary>
    internal static bool IsOptedIn(MemberInfo member)
    {
        bool isMarked = member.IsDefined(typeof(MessageMemberAttribute), false) || member.IsDefined(typeof(MessageOneofAttribute), false);
        bool isDataMember = member.IsDefined(typeof(DataMemberAttribute), false);
        if (!IsOptIn(member.DeclaringType!))
            return IsPublic(member) ? (isMarked || isDataMember) && !IsLeftOut(member) && RecordMember.TypeOf(member) != typeof(UnknownMembers) : isMarked;
        return isMarked || isDataMember
            || member is PropertyInfo && member.DeclaringType!.GetConstructors(Declared)
                .Any(c => c.GetParameters().Any(p => p.Name == member.Name && (p.IsDefined(typeof(MessageMemberAttribute), false) || p.IsDefined(typeof(MessageOneofAttribute), false))));
    }

    /// <summary>Whether only those members take part that an attribute makes members.</summary>
    internal static bool IsOptIn(Type type) => type.IsDefined(typeof(DataContractAttribute), false);

    private static bool IsTaken(MemberInfo member) => member switch
    {
        FieldInfo { IsPublic: true } or PropertyInfo { GetMethod.IsPublic: true } => !IsLeftOut(member) && RecordMember.TypeOf(member) != typeof(UnknownMembers),
        _ => false,
    };

    private static bool IsPublic(MemberInfo member) =>
        member is FieldInfo { IsPublic: true } or PropertyInfo { GetMethod.IsPublic: true } or PropertyInfo { SetMethod.IsPublic: true };

    private static bool IsOverride(PropertyInfo property) =>
        (property.GetMethod ?? property.SetMethod) is MethodInfo accessor && accessor.GetBaseDefinition().DeclaringType != accessor.DeclaringType;

    private static int OrderOf(MemberInfo member, bool isOptIn)
    {
        IEnumerable<int> orders = isOptIn
            ? member.GetCustomAttributes<DataMemberAttribute>().Select(a => a.Order)
            : member.GetCustomAttributes<XmlElementAttribute>().Select(a => a.Order).Concat(member.GetCustomAttributes<XmlArrayAttribute>().Select(a => a.Order));
        return orders.Where(order => order >= 0).DefaultIfEmpty(-1).First();
    }

    /// <summary>Refuses a member that would be written and not read: it cannot be set, and holds something instead of computing it each time.</summary>
    /// <exception cref="ArgumentException">It is a field, an automatic property or a collection.</exception>
    internal static void RefuseUnread(MemberInfo member, string path)
    {
        if (member is PropertyInfo property && property.DeclaringType!.GetField($"<{property.Name}>k__BackingField", Declared) is null
            && (property.PropertyType == typeof(string) || !typeof(IEnumerable).IsAssignableFrom(property.PropertyType)))
            return;
        throw new ArgumentException($"{path} has an attribute that makes it a member, but cannot be set, so that what it holds would be written and not read: give it a setter.");
    }

    /// <summary>Whether a type holds anything: then a contract without members would lose it.</summary>
    internal static bool HasState(Type type)
    {
        if (IsOptIn(type))
            return false;
        for (Type? level = type; level is not null && level != typeof(object); level = level.BaseType)
        {
            foreach (FieldInfo field in level.GetFields(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly))
            {
                if (!IsLeftOut(field) && field.FieldType != typeof(UnknownMembers) && !IsOfLeftOut(field))
                    return true;
            }
        }

        return false;
    }

    /// <summary>Whether the compiler has made the field for an automatic property that is left out, or for an event.</summary>
    private static bool IsOfLeftOut(FieldInfo field)
    {
        int end = field.Name[0] == '<' ? field.Name.IndexOf('>') : -1;
        return end > 0
            ? field.DeclaringType!.GetProperty(field.Name.Substring(1, end - 1), Declared) is PropertyInfo property && IsLeftOut(property)
            : field.DeclaringType!.GetEvent(field.Name, Declared) is not null;
    }

    internal static bool IsLeftOut(MemberInfo member) =>
        member.IsDefined(typeof(IgnoreDataMemberAttribute), false)
        || member.IsDefined(typeof(XmlIgnoreAttribute), false)
#pragma warning disable SYSLIB0050 // The flag of [NonSerialized] still says what its author meant.
        || member is FieldInfo { IsNotSerialized: true };
#pragma warning restore SYSLIB0050

    internal static void SortByDeclaration<TMember>(TMember[] members)
        where TMember : MemberInfo
    {
#if NET
        // Ahead-of-time compiled code has no tokens; its reflection keeps the order of the declaration.
        if (Array.Exists(members, member => !member.HasMetadataToken()))
            return;
#endif
        Array.Sort(members, (x, y) => x.MetadataToken.CompareTo(y.MetadataToken));
    }
}
