using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.Serialization;
using System.Xml.Serialization;

namespace Formatters;

/// <summary>
/// Which members a record has, in which order: those of base classes first; of each class first its fields, then its properties, each as they
/// are declared. (How fields and properties are mixed in the source is not in the metadata.)
/// </summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal static class MemberOrder
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    /// <summary>Finds all that can be read, also what can only be set by a constructor.</summary>
    internal static List<(MemberInfo Info, AnnotatedType Type)> Find(AnnotatedType type)
    {
        var levels = new Stack<AnnotatedType>();
        for (AnnotatedType? level = type; level is not null; level = AnnotatedType.OfBase(level))
            levels.Push(level);

        var members = new List<(MemberInfo Info, AnnotatedType Type)>();
        foreach (AnnotatedType level in levels)
        {
            // A public member declared anew takes the name from the inherited one; an override is no new member.
            FieldInfo[] fields = level.Type.GetFields(Declared);
            PropertyInfo[] properties = level.Type.GetProperties(Declared);
            SortByDeclaration(fields);
            SortByDeclaration(properties);
            foreach (FieldInfo field in fields)
                Add(field);
            foreach (PropertyInfo property in properties)
            {
                MethodInfo? getter = property.GetGetMethod();
                if (getter is not null && property.GetIndexParameters().Length == 0 && getter.GetBaseDefinition().DeclaringType == getter.DeclaringType)
                    Add(property);
            }

            void Add(MemberInfo member)
            {
                members.RemoveAll(other => other.Info.Name == member.Name);
                if (!IsLeftOut(member) && RecordMember.TypeOf(member) != typeof(UnknownMembers))
                    members.Add((member, AnnotatedType.OfMember(member, RecordMember.TypeOf(member), level)));
            }
        }

        return members;
    }

    /// <summary>Whether a type holds anything: then a contract without members would lose it.</summary>
    internal static bool HasState(Type type)
    {
        for (Type? level = type; level is not null && level != typeof(object); level = level.BaseType)
        {
            foreach (FieldInfo field in level.GetFields(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly))
            {
                if (!IsLeftOut(field) && field.FieldType != typeof(UnknownMembers))
                    return true;
            }
        }

        return false;
    }

    private static bool IsLeftOut(MemberInfo member) =>
        member.IsDefined(typeof(IgnoreDataMemberAttribute), false)
        || member.IsDefined(typeof(XmlIgnoreAttribute), false)
#pragma warning disable SYSLIB0050 // The flag of [NonSerialized] still says what its author meant.
        || member is FieldInfo { IsNotSerialized: true };
#pragma warning restore SYSLIB0050

    private static void SortByDeclaration<TMember>(TMember[] members)
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
