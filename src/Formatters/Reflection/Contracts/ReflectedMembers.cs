using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;

namespace Formatters;

/// <summary>
/// Finds the fields and properties of a type in the order of their declaration; metadata does not contain how the two are mixed in the source.
/// </summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal static class ReflectedMembers
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    /// <summary>Finds all readable members, including those that only a constructor can set.</summary>
    internal static List<ReflectedMember> Find(AnnotatedType type)
    {
        if (PlainStructs.MembersOf(type.Type.FullName ?? "") is string[] names)
            return [.. names.Select(n => ReflectedMember.Of(type.Type.GetMember(n, BindingFlags.Public | BindingFlags.Instance)[0]))];
        var levels = new Stack<ReflectedMember[]>();
        for (AnnotatedType? level = type; level is not null; level = AnnotatedType.OfBase(level))
            levels.Push(FieldsAndProperties(level));
        RefuseHidden(levels);
        return MemberView.All(levels);
    }

    private static ReflectedMember[] FieldsAndProperties(AnnotatedType level)
    {
        FieldInfo[] fields = level.Type.GetFields(Declared);
        PropertyInfo[] properties = Array.FindAll(level.Type.GetProperties(Declared), p => p.GetIndexParameters().Length == 0 && !IsOverride(p));
        SortByDeclaration(fields);
        SortByDeclaration(properties);
        var declaringType = new ReflectedType(level.Type);
        MemberInfo[] declared = [.. fields, .. properties];
        return Array.ConvertAll(declared, m => new ReflectedMember(
            m, () => AnnotatedType.OfMember(m, ReflectedMember.TypeOf(m), level), declaringType));
    }

    /// <summary>
    /// Rejects a member of a base class that a derived class hides with a member holding something else: one of the two values would be lost.
    /// </summary>
    /// <exception cref="ArgumentException">There is such a member, and neither is left out.</exception>
    private static void RefuseHidden(IEnumerable<ReflectedMember[]> levels)
    {
        var seen = new List<ReflectedMember>();
        foreach (ReflectedMember[] level in levels)
        {
            foreach (ReflectedMember member in level)
            {
                if (!member.IsPublic || !member.HasStorage || member.IsLeftOut)
                    continue;
                ReflectedMember? hidden = seen.Find(other => other.Name == member.Name);
                if (hidden is not null)
                {
                    throw new ArgumentException(
                        $"{TypeNames.Of(member.Info.DeclaringType!)}.{member.Name} hides the member of {TypeNames.Of(hidden.Info.DeclaringType!)}, "
                        + "whose value would be lost: rename it, or exclude one of the two with [IgnoreDataMember].");
                }
            }

            seen.AddRange(MemberView.Declared(level).Where(static member => member.CanSet && member.HasStorage));
        }
    }

    internal static bool IsOverride(PropertyInfo property) =>
        (property.GetMethod ?? property.SetMethod) is MethodInfo accessor && accessor.GetBaseDefinition().DeclaringType != accessor.DeclaringType;

    /// <summary>Rejects a member that would be written and not read: it cannot be set, and stores a value instead of computing it.</summary>
    /// <exception cref="ArgumentException">It is a field, an automatic property or a collection.</exception>
    internal static void RefuseUnread(ReflectedMember member, string path)
    {
        if (member.Holds)
            throw new ArgumentException(
                $"{path} has an attribute that makes it a member, but cannot be set, so its value would be written, but not read: "
                + "give it a setter; it may be private.");
    }

    /// <summary>Determines whether a type has state, which a contract without members would lose.</summary>
    internal static bool HasState(Type type)
    {
        if (new ReflectedType(type).IsOptIn)
            return false;
        for (Type? level = type; level is not null && level != typeof(object); level = level.BaseType)
        {
            foreach (FieldInfo field in level.GetFields(
                BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly))
            {
                if (!ReflectedMember.Of(field).IsLeftOut && field.FieldType != typeof(UnknownMembers) && !IsOfLeftOut(field))
                    return true;
            }
        }

        return false;
    }

    /// <summary>Determines whether a field is the compiler's for an automatic property that is left out, or for an event.</summary>
    private static bool IsOfLeftOut(FieldInfo field)
    {
        int end = field.Name[0] == '<' ? field.Name.IndexOf('>') : -1;
        return end > 0
            ? field.DeclaringType!.GetProperty(field.Name.Substring(1, end - 1), Declared) is PropertyInfo property
            && ReflectedMember.Of(property).IsLeftOut
            : field.DeclaringType!.GetEvent(field.Name, Declared) is not null;
    }

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
