using System;
using System.Linq;
using System.Reflection;

namespace Formatters.Tools.Migrate;

/// <summary>The name of a type, without and with its namespace.</summary>
internal readonly record struct TypeText(string Namespace, string Name)
{
    internal static TypeText Of(Type type) => new(type.Namespace ?? "", MemberTexts.NameOf(type));

    /// <summary>From the name that a body has for a class.</summary>
    internal static TypeText OfClass(string name)
    {
        string text = MemberTexts.Printable(name);
        int end = text.IndexOfAny(['`', '[', ',']);
        string head = end < 0 ? text : text[..end];
        int dot = head.LastIndexOf('.');
        return new TypeText(head[..Math.Max(dot, 0)], head[(dot + 1)..]);
    }
}

/// <summary>The names of types and members in reports.</summary>
internal static class MemberTexts
{
    private const string BackingFieldEnd = ">k__BackingField";

    internal static string NameOf(Type type)
    {
        if (type.IsArray)
            return NameOf(type.GetElementType()!) + "[" + new string(',', type.GetArrayRank() - 1) + "]";
        if (Nullable.GetUnderlyingType(type) is Type underlying)
            return NameOf(underlying) + "?";
        int tick = type.Name.IndexOf('`', StringComparison.Ordinal);
        return tick < 0 ? type.Name : $"{type.Name[..tick]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>";
    }

    /// <summary>Returns the name of a field: that of its property, if there is one of the same type and name.</summary>
    internal static string NameOf(FieldInfo field)
    {
        if (NameOfProperty(field.Name) is string property)
            return property;
        string name = field.Name.StartsWith("m_", StringComparison.Ordinal) ? field.Name[2..] : field.Name.TrimStart('_');
        const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        return field.DeclaringType!.GetProperties(Declared).FirstOrDefault(p => p.PropertyType == field.FieldType && p.Name.Equals(name, StringComparison.OrdinalIgnoreCase))?.Name ?? field.Name;
    }

    /// <summary>The property that an automatic one's field belongs to.</summary>
    internal static string? NameOfProperty(string fieldName) =>
        fieldName.StartsWith('<') && fieldName.EndsWith(BackingFieldEnd, StringComparison.Ordinal) ? fieldName[1..^BackingFieldEnd.Length] : null;

    /// <summary>Returns text from a body in printable form: shortened, and without control characters.</summary>
    internal static string Printable(string text) => string.Concat(text.Take(200).Select(static character => character is >= ' ' and <= '~' ? character : '?'));
}
