using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>An attribute of System.Xml.Serialization on a member, with its arguments.</summary>
internal sealed class XmlMark
{
    private const string Prefix = "System.Xml.Serialization.";

    private readonly AttributeData _attribute;

    private XmlMark(AttributeData attribute)
    {
        _attribute = attribute;
        string name = attribute.AttributeClass!.Name;
        Kind = name.Substring(0, name.Length - "Attribute".Length);
    }

    /// <summary>Its name without "Attribute".</summary>
    internal string Kind { get; }

    /// <summary>Gets the name that it sets, or null.</summary>
    internal string? Name => string.IsNullOrEmpty(NameOrEmpty) ? null : NameOrEmpty;

    /// <summary>Gets the name that it sets, which may be empty, as an enum's can be.</summary>
    internal string? NameOrEmpty => (_attribute.ConstructorArguments.FirstOrDefault(a => a.Value is string).Value
        ?? _attribute.NamedArguments.FirstOrDefault(a => a.Key is "ElementName" or "AttributeName" or "TypeName" or "Name").Value.Value) as string;

    /// <summary>Gets the type that it sets, or null.</summary>
    internal ITypeSymbol? Type =>
        (_attribute.ConstructorArguments.FirstOrDefault(a => a.Kind == TypedConstantKind.Type).Value ?? _attribute.NamedArgument("Type"))
        as ITypeSymbol;

    internal string? Namespace => _attribute.NamedArgument("Namespace") as string;

    internal bool? IsNullable => _attribute.NamedArgument("IsNullable") as bool?;

    /// <summary>Gets an argument that generated code does not support; null if there is none.</summary>
    internal string? OtherArgument => _attribute.NamedArguments
        .Where(a => a.Key is not ("ElementName" or "AttributeName" or "TypeName" or "Name" or "Type" or "Namespace" or "IsNullable"
            or "IncludeInSchema")
            && a.Value.Value is not (null or false or "" or 0 or -1))
        .Select(a => a.Key).FirstOrDefault();

    internal static List<XmlMark> Of(ISymbol symbol) =>
        [.. symbol.GetAttributes().Where(a => a.AttributeClass?.FullName().StartsWith(Prefix, System.StringComparison.Ordinal) ?? false)
            .Select(a => new XmlMark(a))];
}
