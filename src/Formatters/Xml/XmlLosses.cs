using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Xml;
using System.Xml.Serialization;

namespace Formatters;

/// <summary>A type that XmlSerializer accepts but whose values it loses.</summary>
/// <param name="Path">The path at which it occurs.</param>
/// <param name="Type">The type.</param>
/// <param name="Why">What happens to its values.</param>
internal sealed record XmlLoss(string Path, Type Type, string Why);

/// <summary>
/// Finds types that XmlSerializer writes without an error and does not read back: as an empty element, or as a collection to which nothing can be
/// added.
/// </summary>
[RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
[RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
internal sealed class XmlLosses
{
    internal const string IsEmpty = "it has state, but nothing that XmlSerializer writes: it becomes an empty element, and is read as its default";
    internal const string IsPartial = "XmlSerializer writes only settings of it, not what it holds";
    internal const string CannotBeRead = "XmlSerializer writes it and cannot read it back: nothing can be added to it";

    internal const BindingFlags Public = BindingFlags.Instance | BindingFlags.Public;

    private const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    /// <summary>Base library classes that are written without their content. Found by trying all that XmlSerializer accepts.</summary>
    private static readonly HashSet<string> Partial =
        ["System.Text.StringBuilder", "System.IO.MemoryStream", "System.IO.StringWriter", "System.Net.CookieContainer"];

    private readonly HashSet<Type> _visited = [];
    private readonly HashSet<Type> _notFilled = [];
    private readonly List<XmlLoss> _found = [];

    private XmlLosses()
    {
    }

    /// <summary>Finds all losses in a type that XmlSerializer accepts.</summary>
    internal static IReadOnlyList<XmlLoss> Of(Type type)
    {
        var search = new XmlLosses();
        search.Visit(type, TypeNames.Of(type), isSet: true);
        return search._found;
    }

    /// <summary>Finds the types that XmlSerializer writes as elements with members.</summary>
    internal static IReadOnlyCollection<Type> TypesIn(Type type)
    {
        var search = new XmlLosses();
        search.Visit(type, TypeNames.Of(type), isSet: true);
        return search._visited;
    }

    /// <param name="type">The type of a value.</param>
    /// <param name="path">The path at which it occurs.</param>
    /// <param name="isSet">Whether reading creates a collection instead of filling the existing one.</param>
    private void Visit(Type type, string path, bool isSet)
    {
        while (type.IsArray)
        {
            type = type.GetElementType()!;
            isSet = true;
        }

        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(object) || type.IsInterface || IsText(type) || IsXml(type))
            return;
        bool isCollection = typeof(IEnumerable).IsAssignableFrom(type);
        if (isCollection && !IsFilled(type, isSet) && _notFilled.Add(type))
            _found.Add(new XmlLoss(path, type, CannotBeRead));
        if (!_visited.Add(type))
            return;
        if (isCollection)
        {
            if (ItemOf(type) is Type item)
                Visit(item, path, isSet: true);
            return;
        }

        bool isWritten = false;
        bool isIgnored = false;
        foreach (MemberInfo member in type.GetMembers(Public))
        {
            if (!IsMember(member, out Type memberType, out bool isMemberSet))
                continue;
            if (member.IsDefined(typeof(XmlIgnoreAttribute), inherit: true))
            {
                isIgnored = true;
                continue;
            }

            isWritten = true;
            string memberPath = TypeNames.Of(type) + "." + member.Name;
            foreach (Type held in TypesOf(member, memberType))
                Visit(held, memberPath, isMemberSet);
        }

        if (Partial.Contains(type.FullName ?? "") || RecordMember.HasAttribute(type, BaseLibrary.InlineArrayAttribute)
            || RecordMember.HasAttribute(type, BaseLibrary.FixedBufferAttribute))
            _found.Add(new XmlLoss(path, type, IsPartial));
        else if (!isWritten && !isIgnored && !type.IsAbstract && HasState(type))
            _found.Add(new XmlLoss(path, type, IsEmpty));
        foreach (XmlIncludeAttribute include in type.GetCustomAttributes<XmlIncludeAttribute>(inherit: false))
        {
            if (include.Type is Type included)
                Visit(included, TypeNames.Of(included), isSet: true);
        }
    }

    /// <summary>
    /// Determines whether the values of a type are text, which depends on the runtime: <see cref="TimeSpan"/> is not on .NET Framework.
    /// </summary>
    private static bool IsText(Type type)
    {
        if (type.IsEnum || Type.GetTypeCode(type) != TypeCode.Object)
            return true;
        if (type.Assembly != typeof(object).Assembly)
            return type == typeof(XmlQualifiedName);
        try
        {
            string? space = new XmlReflectionImporter().ImportTypeMapping(type).XsdTypeNamespace;
            return space is "http://www.w3.org/2001/XMLSchema" or "http://microsoft.com/wsdl/types/";
        }
        catch (Exception e) when (e is InvalidOperationException or NotSupportedException)
        {
            return false;
        }
    }

    private static bool IsXml(Type type) => typeof(IXmlSerializable).IsAssignableFrom(type) || typeof(XmlNode).IsAssignableFrom(type);

    /// <summary>
    /// Determines whether a collection is filled when it is read. Structures of the base library cannot be, and an immutable collection returns
    /// another one.
    /// </summary>
    private static bool IsFilled(Type type, bool isSet)
    {
        if (type.IsAbstract)
            return true;
        if (type.IsValueType)
            return !ContractBuilder.IsOfNet(type);
        return (type.Namespace != "System.Collections.Immutable" || type.IsNested) && (!isSet || type.GetConstructor(Type.EmptyTypes) is not null);
    }

    private static Type? ItemOf(Type type) =>
        type.GetInterfaces().FirstOrDefault(static i => i.IsGenericType
            && i.GetGenericTypeDefinition() == typeof(IEnumerable<>))?.GetGenericArguments()[0];

    /// <summary>
    /// Determines whether XmlSerializer writes and reads a member: it skips members without a getter, and members without a setter except
    /// collections, which it fills.
    /// </summary>
    private static bool IsMember(MemberInfo member, out Type type, out bool canSet)
    {
        switch (member)
        {
            case FieldInfo field:
                type = field.FieldType;
                canSet = !field.IsInitOnly;
                return canSet;
            case PropertyInfo property:
                type = property.PropertyType;
                canSet = property.SetMethod is { IsPublic: true };
                return property.GetMethod is { IsPublic: true } && property.GetIndexParameters().Length == 0
                    && (canSet || (typeof(IEnumerable).IsAssignableFrom(type) && type != typeof(string) && !type.IsArray));
            default:
                type = typeof(object);
                canSet = false;
                return false;
        }
    }

    /// <summary>Returns the possible types of a member's value: its type, or those of its attributes.</summary>
    private static Type[] TypesOf(MemberInfo member, Type type)
    {
        Type[] given =
        [
            .. member.GetCustomAttributes<XmlElementAttribute>().Select(static a => a.Type).OfType<Type>(),
            .. member.GetCustomAttributes<XmlArrayItemAttribute>().Select(static a => a.Type).OfType<Type>(),
            .. member.GetCustomAttributes<XmlAttributeAttribute>().Select(static a => a.Type).OfType<Type>(),
            .. member.GetCustomAttributes<XmlTextAttribute>().Select(static a => a.Type).OfType<Type>(),
        ];
        return member.IsDefined(typeof(XmlAnyElementAttribute)) || member.IsDefined(typeof(XmlAnyAttributeAttribute)) ? [] : given.Length > 0
            ? given
            : [type];
    }

    private static bool HasState(Type type)
    {
        for (Type? level = type; level is not null && level != typeof(object) && level != typeof(ValueType); level = level.BaseType)
        {
            if (level.GetFields(Declared).Length > 0)
                return true;
        }

        return false;
    }
}
