using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Xml;
using System.Xml.Schema;
using System.Xml.Serialization;

namespace Formatters;

/// <summary>Defines the kinds of floating-point numbers in the text of an XML body.</summary>
internal enum XmlNumberKind
{
    None,
    Single,
    Double,
}

/// <summary>The elements and attributes of an XML type that contain numbers.</summary>
internal sealed class XmlNumberMap
{
    internal static readonly XmlNumberMap Empty = new();

    /// <summary>Gets or sets the kind of its own text.</summary>
    internal XmlNumberKind Text { get; set; }

    internal Dictionary<XmlQualifiedName, XmlNumberMap> Elements { get; } = [];

    internal Dictionary<XmlQualifiedName, XmlNumberKind> Attributes { get; } = [];
}

/// <summary>
/// The locations of floating-point numbers in the bodies of a type, from the XML schema that XmlSerializer derives from the type: there the digits of
/// .NET Framework replace those of this runtime.
/// </summary>
internal sealed class XmlNumberMaps
{
    /// <summary>Whether this runtime writes other digits than .NET Framework.</summary>
    internal static readonly bool AreNeeded = XmlConvert.ToString(1.0 / 3) != "0.33333333333333331";

    private readonly Dictionary<XmlQualifiedName, XmlNumberMap> _types = new()
    {
        [new XmlQualifiedName("double", XmlSchema.Namespace)] = new XmlNumberMap { Text = XmlNumberKind.Double },
        [new XmlQualifiedName("float", XmlSchema.Namespace)] = new XmlNumberMap { Text = XmlNumberKind.Single },
    };

    private readonly XmlSchemas _schemas = [];
    private bool _hasNumbers;

    private XmlNumberMaps()
    {
    }

    /// <summary>Gets the map of the root element.</summary>
    internal XmlNumberMap Root { get; private set; } = XmlNumberMap.Empty;

    /// <summary>Finds the numbers of a type.</summary>
    /// <returns>Null if its bodies contain none, or if XmlSerializer has no schema for it.</returns>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    internal static XmlNumberMaps? Of(Type type)
    {
        var maps = new XmlNumberMaps();
        try
        {
            XmlTypeMapping mapping = new XmlReflectionImporter(WithoutDefaults(type)).ImportTypeMapping(type);
            new XmlSchemaExporter(maps._schemas).ExportTypeMapping(mapping);
            foreach (XmlSchema schema in maps._schemas)
            {
                foreach (XmlSchemaType named in schema.Items.OfType<XmlSchemaType>())
                    maps.Find(new XmlQualifiedName(named.Name, schema.TargetNamespace));
            }

            if (maps.FindItem<XmlSchemaElement>(mapping.XsdElementName, mapping.Namespace, static e => e.Name) is XmlSchemaElement root)
                maps.Root = maps.Of(root, mapping.Namespace ?? "");
        }
        catch (InvalidOperationException)
        {
            return null;
        }

        return maps._hasNumbers ? maps : null;
    }

    /// <summary>
    /// Overrides each <c>[DefaultValue]</c>, which may have another type than its member: XmlSerializer allows this and its schema does not.
    /// </summary>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    private static XmlAttributeOverrides WithoutDefaults(Type type)
    {
        var overrides = new XmlAttributeOverrides();
        foreach (MemberInfo member in XmlLosses.TypesIn(type).SelectMany(static t => t.GetMembers(XmlLosses.Public))
            .Where(static m => m.IsDefined(typeof(DefaultValueAttribute), inherit: true)))
        {
            if (overrides[member.DeclaringType!, member.Name] is null)
                overrides.Add(member.DeclaringType!, member.Name, new XmlAttributes(member) { XmlDefaultValue = null });
        }

        return overrides;
    }

    /// <summary>Returns the map of the type that an <c>xsi:type</c> declares.</summary>
    /// <param name="name">The name, with a prefix or without.</param>
    /// <param name="lookupPrefix">Gives the prefix of a namespace.</param>
    internal XmlNumberMap Named(string name, Func<string, string?> lookupPrefix)
    {
        int colon = name.IndexOf(':');
        string prefix = name.Substring(0, Math.Max(colon, 0));
        string localName = name.Substring(colon + 1);
        foreach (KeyValuePair<XmlQualifiedName, XmlNumberMap> type in _types)
        {
            if (type.Key.Name == localName && (type.Key.Namespace.Length == 0 ? "" : lookupPrefix(type.Key.Namespace)) == prefix)
                return type.Value;
        }

        return XmlNumberMap.Empty;
    }

    /// <summary>Converts numbers to the digits of .NET Framework.</summary>
    /// <param name="text">A number as formatted by this runtime, several separated by spaces, or another text.</param>
    /// <param name="kind">Which numbers.</param>
    internal static string ToFramework(string text, XmlNumberKind kind)
    {
        if (kind == XmlNumberKind.None)
            return text;
        if (text.AsSpan().IndexOf(' ') >= 0)
            return string.Join(" ", text.Split(' ').Select(t => ToFramework(t, kind)));
        Span<byte> bytes = stackalloc byte[XmlNumbers.MaxByteCount];
        int byteCount;
        if (kind == XmlNumberKind.Double && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double d))
            byteCount = XmlNumbers.Write(bytes, d, isFramework: true);
        else if (kind == XmlNumberKind.Single && float.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out float f))
            byteCount = XmlNumbers.Write(bytes, f, isFramework: true);
        else
            return text;
        return Encoding.ASCII.GetString(bytes.Slice(0, byteCount).ToArray());
    }

    /// <summary>Finds a global item, which XmlSchemas itself does not before it is compiled.</summary>
    private T? FindItem<T>(string name, string? space, Func<T, string?> nameOf)
        where T : XmlSchemaObject =>
        _schemas.Where(s => (s.TargetNamespace ?? "") == (space ?? "")).SelectMany(static s => s.Items.OfType<T>())
        .FirstOrDefault(i => nameOf(i) == name);

    private XmlNumberMap Find(XmlQualifiedName? name)
    {
        // A value declared without a type can be a number by its xsi:type.
        _hasNumbers |= name is null || name.IsEmpty || (name.Namespace == XmlSchema.Namespace && name.Name is "double" or "float" or "anyType");
        if (name is null || name.IsEmpty)
            return XmlNumberMap.Empty;
        if (_types.TryGetValue(name, out XmlNumberMap? known))
            return known;
        if (FindItem<XmlSchemaType>(name.Name, name.Namespace, static t => t.Name) is not XmlSchemaType type)
            return XmlNumberMap.Empty;
        var map = new XmlNumberMap();
        _types.Add(name, map);
        Fill(map, type, name.Namespace);
        return map;
    }

    private XmlNumberMap Of(XmlSchemaElement element, string space)
    {
        if (!element.RefName.IsEmpty)
            return FindItem<XmlSchemaElement>(element.RefName.Name, element.RefName.Namespace, static e => e.Name) is XmlSchemaElement global
                ? Of(global, element.RefName.Namespace) : XmlNumberMap.Empty;
        if (element.SchemaType is null)
            return Find(element.SchemaTypeName);
        var map = new XmlNumberMap();
        Fill(map, element.SchemaType, space);
        return map;
    }

    /// <param name="map">Receives the locations in the type.</param>
    /// <param name="type">The type.</param>
    /// <param name="space">The namespace of its schema.</param>
    private void Fill(XmlNumberMap map, XmlSchemaType type, string space)
    {
        switch (type)
        {
            case XmlSchemaSimpleType { Content: XmlSchemaSimpleTypeList list }:
                map.Text = list.ItemType is null ? Find(list.ItemTypeName).Text : KindOf(list.ItemType, space);
                break;
            case XmlSchemaSimpleType { Content: XmlSchemaSimpleTypeRestriction restriction }:
                map.Text = Find(restriction.BaseTypeName).Text;
                break;
            case XmlSchemaComplexType { ContentModel.Content: XmlSchemaComplexContentExtension extension }:
                Inherit(map, Find(extension.BaseTypeName));
                AddParticle(map, extension.Particle, space);
                AddAttributes(map, extension.Attributes, space);
                break;
            case XmlSchemaComplexType { ContentModel.Content: XmlSchemaComplexContentRestriction restriction }:
                AddParticle(map, restriction.Particle, space);
                AddAttributes(map, restriction.Attributes, space);
                break;
            case XmlSchemaComplexType { ContentModel.Content: XmlSchemaSimpleContentExtension extension }:
                Inherit(map, Find(extension.BaseTypeName));
                AddAttributes(map, extension.Attributes, space);
                break;
            case XmlSchemaComplexType complex:
                AddParticle(map, complex.Particle, space);
                AddAttributes(map, complex.Attributes, space);
                break;
        }
    }

    private XmlNumberKind KindOf(XmlSchemaSimpleType type, string space)
    {
        var map = new XmlNumberMap();
        Fill(map, type, space);
        return map.Text;
    }

    private static void Inherit(XmlNumberMap map, XmlNumberMap from)
    {
        map.Text = from.Text;
        foreach (KeyValuePair<XmlQualifiedName, XmlNumberMap> element in from.Elements)
            map.Elements[element.Key] = element.Value;
        foreach (KeyValuePair<XmlQualifiedName, XmlNumberKind> attribute in from.Attributes)
            map.Attributes[attribute.Key] = attribute.Value;
    }

    private void AddParticle(XmlNumberMap map, XmlSchemaParticle? particle, string space)
    {
        switch (particle)
        {
            case XmlSchemaGroupBase group:
                foreach (XmlSchemaParticle item in group.Items.OfType<XmlSchemaParticle>())
                    AddParticle(map, item, space);
                break;
            case XmlSchemaElement { RefName.IsEmpty: false } reference:
                map.Elements[reference.RefName] = Of(reference, space);
                break;
            case XmlSchemaElement element:
                map.Elements[new XmlQualifiedName(element.Name, element.Form == XmlSchemaForm.Unqualified ? "" : space)] = Of(element, space);
                break;
        }
    }

    private void AddAttributes(XmlNumberMap map, XmlSchemaObjectCollection attributes, string space)
    {
        foreach (XmlSchemaAttribute attribute in attributes.OfType<XmlSchemaAttribute>())
        {
            XmlNumberKind kind = attribute.SchemaType is null ? Find(attribute.SchemaTypeName).Text : KindOf(attribute.SchemaType, space);
            XmlQualifiedName name = !attribute.RefName.IsEmpty
                ? attribute.RefName
                : new XmlQualifiedName(attribute.Name, attribute.Form == XmlSchemaForm.Qualified ? space : "");
            if (kind == XmlNumberKind.None && !attribute.RefName.IsEmpty
                && FindItem<XmlSchemaAttribute>(attribute.RefName.Name, attribute.RefName.Namespace, static a => a.Name) is XmlSchemaAttribute global)
                kind = Find(global.SchemaTypeName).Text;
            if (kind != XmlNumberKind.None)
                map.Attributes[name] = kind;
        }
    }
}
