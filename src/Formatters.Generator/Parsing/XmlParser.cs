using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Xml;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>
/// Creates the model of the XML of one contract, by the rules of XmlSerializer. Contracts that it does not support are left entirely to
/// XmlSerializer.
/// </summary>
internal sealed partial class XmlParser
{
    private const string XmlSpace = "System.Xml.Serialization.";

    /// <summary>The values that are text, by the names of their types: the reader's method, and the name in XML Schema.</summary>
    private static readonly Dictionary<string, (string Method, string XmlName)> Scalars = new()
    {
        ["System.Boolean"] = ("Boolean", "boolean"),
        ["System.SByte"] = ("SByte", "byte"),
        ["System.Byte"] = ("Byte", "unsignedByte"),
        ["System.Int16"] = ("Int16", "short"),
        ["System.UInt16"] = ("UInt16", "unsignedShort"),
        ["System.Int32"] = ("Int32", "int"),
        ["System.UInt32"] = ("UInt32", "unsignedInt"),
        ["System.Int64"] = ("Int64", "long"),
        ["System.UInt64"] = ("UInt64", "unsignedLong"),
        ["System.Single"] = ("Single", "float"),
        ["System.Double"] = ("Double", "double"),
        ["System.Decimal"] = ("Decimal", "decimal"),
        ["System.DateTime"] = ("DateTime", "dateTime"),
        ["System.Char"] = ("Char", "char"),
        ["System.Guid"] = ("Guid", "guid"),
        ["System.TimeSpan"] = ("TimeSpan", "TimeSpan"),
        ["System.DateTimeOffset"] = ("DateTimeOffset", "dateTimeOffset"),
    };

    private readonly Compilation _compilation;
    private readonly INamedTypeSymbol _owner;
    private readonly CancellationToken _cancellation;
    private readonly List<Shape?> _shapes = [];
    private readonly List<INamedTypeSymbol> _records = [];
    private readonly Dictionary<ITypeSymbol, int> _indexes = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<string, ITypeSymbol> _xmlNames = [];
    private readonly HashSet<string> _methods = [Shape.OwnName];
    private readonly List<(string TypeName, XmlElement Item)> _arrays = [];
    private readonly List<(string TypeName, XmlElement Item)> _namedArrays = [];
    private string _namespace = "";

    private XmlParser(Compilation compilation, INamedTypeSymbol owner, CancellationToken cancellationToken)
    {
        _compilation = compilation;
        _owner = owner;
        _cancellation = cancellationToken;
    }

    /// <summary>Gets or sets why XmlSerializer is needed: the first reason found.</summary>
    private string WhyNot { get; set; } = "";

    /// <summary>Parses the contract of a type in XML.</summary>
    /// <param name="compilation">The compilation.</param>
    /// <param name="type">The type.</param>
    /// <param name="owner">The type that the code is generated into.</param>
    /// <param name="propertyName">The name of its property.</param>
    /// <param name="location">The location of the request.</param>
    /// <param name="diagnostics">Receives everything that XmlSerializer rejects, or otherwise why it is needed.</param>
    /// <param name="cancellationToken">The token.</param>
    internal static PublishedContract Parse(
        Compilation compilation, ITypeSymbol type, INamedTypeSymbol owner, string propertyName, Location location, List<Diagnostic> diagnostics,
            CancellationToken cancellationToken)
    {
        var parser = new XmlParser(compilation, owner, cancellationToken);
        parser.NoteRefused(null, type, type.ShortName());
        parser.FindRefused(type);
        diagnostics.AddRange(parser.Refusals(location));
        List<ITypeSymbol> allowed = parser.AllowedLosses(type);
        if (parser._refused.Count == 0)
            parser.FindLost(type, type.ShortName(), location, allowed);
        diagnostics.AddRange(parser._lost);
        bool isRefused = parser._refused.Count > 0 || parser._lost.Count > 0;
        XmlRoot? root = isRefused ? null : parser.ParseRoot(type, isSharing: allowed.Count == 0);
        if (root is null && !isRefused)
            diagnostics.Add(Report.Diagnose(Descriptors.ByXmlSerializer, location, type.ShortName(), parser.WhyNot));
        var value = new ValueModel(ValueKind.ForeignContract, type.Display(), type.IsValueType, false);
        return new PublishedContract(propertyName, value, Symbols.IsPublic(type)) { Xml = root };
    }

    /// <param name="type">The type.</param>
    /// <param name="isSharing">Whether the code of other contracts may be called.</param>
    private XmlRoot? ParseRoot(ITypeSymbol type, bool isSharing)
    {
        string path = type.ShortName();
        List<XmlMark> marks = XmlMark.Of(type);
        XmlMark? root = marks.FirstOrDefault(m => m.Kind == "XmlRoot");
        _namespace = root?.Namespace ?? "";
        if (_namespace.Any(c => c is < ' ' or > '~' or '<' or '>' or '&' or '"' or '\''))
            return Refuse<XmlRoot>(path, "its namespace has characters that have to be escaped");
        if (root?.OtherArgument is string other)
            return Refuse<XmlRoot>(path, $"it has [XmlRoot({other})]");
        if (ParseValue(type, path, null) is not XmlValue value)
            return null;
        if (value.Kind is not (XmlKind.Record or XmlKind.List))
            return Refuse<XmlRoot>(path, "it is a single value");
        if (!IsNullableAllowed(root?.IsNullable, value))
            return Refuse<XmlRoot>(path, "XmlSerializer has no xsi:nil for it");
        if (!ParseIncluded() || !Complete())
            return null;
        if (isSharing)
            FindShared();
        string name = XmlConvert.EncodeLocalName(root?.Name ?? NameOf(type, value));
        return new XmlRoot(new XmlElement(name, value, root?.IsNullable ?? !value.IsValueType), _namespace, _shapes.Select(s => s!).ToEquatable());
    }

    private T? Refuse<T>(string path, string why)
        where T : class
    {
        if (WhyNot.Length == 0)
            WhyNot = $"{path}: {why}";
        return null;
    }

    /// <param name="type">The type.</param>
    /// <param name="path">The member, for the reason.</param>
    /// <param name="item">Of a collection, the element of an item, as attributes give it.</param>
    private XmlValue? ParseValue(ITypeSymbol type, string path, XmlItem? item)
    {
        _cancellation.ThrowIfCancellationRequested();
        string display = type.Display();
        if (type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
            return ParseValue(((INamedTypeSymbol)type).TypeArguments[0], path, null) is XmlValue inner ? inner with { IsOptional = true } : null;
        if (type.SpecialType == SpecialType.System_String)
            return new XmlValue(XmlKind.Text, display, false);
        if (Scalars.TryGetValue(type.FullName(), out (string Method, string) scalar))
            return new XmlValue(XmlKind.Scalar, display, true, Scalar: scalar.Method);
        if (type is IArrayTypeSymbol { IsSZArray: true, ElementType.SpecialType: SpecialType.System_Byte })
            return new XmlValue(XmlKind.Bytes, display, false);
        if (type is IErrorTypeSymbol || !_compilation.IsNameable(type, _owner))
            return Refuse<XmlValue>(path, $"generated code cannot name '{type.ShortName()}'");
        if (ListOf(type) is XmlListKind kind)
            return ParseList(type, kind, path, item ?? new XmlItem());
        if (type is not INamedTypeSymbol { IsGenericType: false, SpecialType: not (SpecialType.System_Object or SpecialType.System_ValueType
            or SpecialType.System_Enum) } named || named.TypeKind is not (TypeKind.Class or TypeKind.Struct or TypeKind.Enum))
            return Refuse<XmlValue>(path, $"'{type.ShortName()}' is not a class, struct or enum without type parameters, nor a list");
        if (named.TypeKind == TypeKind.Enum)
            return ParseEnum(named, path) is int index ? new XmlValue(XmlKind.Enum, display, true, Shape: index) : null;
        return ParseRecord(named, path) is int record ? new XmlValue(XmlKind.Record, display, type.IsValueType, Shape: record) : null;
    }

    private static XmlListKind? ListOf(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol { IsSZArray: true } => XmlListKind.Array,
        _ => type.FullName() switch
        {
            "System.Collections.Generic.List`1" or "System.Collections.ObjectModel.Collection`1"
                or "System.Collections.ObjectModel.ObservableCollection`1" => XmlListKind.List,
            "System.Collections.ArrayList" => XmlListKind.ObjectList,
            _ => null,
        },
    };

    private XmlValue? ParseList(ITypeSymbol type, XmlListKind kind, string path, XmlItem item)
    {
        ITypeSymbol? itemType = type is IArrayTypeSymbol array ? array.ElementType : kind == XmlListKind.List
            ? ((INamedTypeSymbol)type).TypeArguments[0] : null;
        if (item.Type is ITypeSymbol given && itemType is not null && !SymbolEqualityComparer.Default.Equals(given, itemType))
            return Refuse<XmlValue>(path, "its items are declared as another type");
        itemType ??= item.Type;
        if (itemType is null || itemType.SpecialType == SpecialType.System_Object)
            return Refuse<XmlValue>(path, "its items may be of any type");
        if (ParseValue(itemType, path, null) is not XmlValue value)
            return null;
        if (item.IsFlat && value.Kind == XmlKind.List)
            return Refuse<XmlValue>(path, "its items are lists without an element around them");
        if (!IsNullableAllowed(item.IsNullable, value))
            return Refuse<XmlValue>(path, "XmlSerializer has no xsi:nil for it");
        var element = new XmlElement(XmlConvert.EncodeLocalName(item.Name ?? NameOf(itemType, value)), value,
            value.IsOptional || (item.IsNullable ?? (!value.IsValueType && !item.IsFlat)));
        // A list in a list has the name of its type, which XmlSerializer numbers if there are several.
        if (item.Name is null && value.Kind == XmlKind.List && _shapes[value.Shape] is XmlListShape inner)
            _namedArrays.Add((element.Name, inner.Item));
        if (!item.IsFlat)
            _arrays.Add((ArrayName(NameOf(itemType, value)), element));
        string display = type.Display();
        for (int i = 0; i < _shapes.Count; i++)
        {
            if (_shapes[i] is XmlListShape known && known.Type == display && known.Item == element)
                return new XmlValue(XmlKind.List, display, false, Shape: i);
        }

        _shapes.Add(new XmlListShape(MethodName("ListOf" + itemType.Name), display, kind, element));
        return new XmlValue(XmlKind.List, display, false, Shape: _shapes.Count - 1);
    }

    /// <summary>Determines whether XmlSerializer allows an element to be declared nullable, or not nullable.</summary>
    private static bool IsNullableAllowed(bool? isNullable, XmlValue value) =>
        isNullable is null || (value.IsOptional ? isNullable.Value : !value.IsValueType || !isNullable.Value);

    private int? ParseEnum(INamedTypeSymbol type, string path)
    {
        if (_indexes.TryGetValue(type, out int index))
            return index;
        if (OtherMark(type, "XmlType", "XmlRoot") is string mark)
        {
            Refuse<XmlValue>(path, $"'{type.ShortName()}' has {mark}");
            return null;
        }

        if (!TakeName(type, path))
            return null;
        var values = new List<XmlEnumValue>();
        foreach (IFieldSymbol field in type.GetMembers().OfType<IFieldSymbol>().Where(f => f.IsConst && f.HasConstantValue))
        {
            List<XmlMark> marks = XmlMark.Of(field);
            if (marks.Any(m => m.Kind == "XmlIgnore"))
                continue;
            object value = field.ConstantValue!;
            long number = value is ulong big
                ? unchecked((long)big)
                : System.Convert.ToInt64(value, System.Globalization.CultureInfo.InvariantCulture);
            values.Add(new XmlEnumValue(marks.FirstOrDefault(m => m.Kind == "XmlEnum")?.NameOrEmpty ?? field.Name, number));
        }

        bool isFlags = type.HasAttribute("System.FlagsAttribute");
        if (type.EnumUnderlyingType!.SpecialType == SpecialType.System_UInt64 && values.Any(v => v.Number < 0))
        {
            Refuse<XmlValue>(path, $"'{type.ShortName()}' has values above those of a long, which XmlSerializer does not know");
            return null;
        }

        if (values.Select(v => v.Name).Distinct().Count() < values.Count || (isFlags && values.Any(v => v.Name.Any(char.IsWhiteSpace)))
            || type.GetMembers().Any(m => m.HasAttribute("System.ObsoleteAttribute")))
        {
            Refuse<XmlValue>(path, $"the names of '{type.ShortName()}' cannot be told apart");
            return null;
        }

        _indexes.Add(type, _shapes.Count);
        _shapes.Add(new XmlEnumShape(MethodName(type.Name), type.Display(), isFlags, values.ToEquatable()));
        return _shapes.Count - 1;
    }

    /// <summary>Returns the default name of an element for a type.</summary>
    private string NameOf(ITypeSymbol type, XmlValue value)
    {
        if (type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T)
            type = ((INamedTypeSymbol)type).TypeArguments[0];
        switch (value.Kind)
        {
            case XmlKind.Text:
                return "string";
            case XmlKind.Bytes:
                return "base64Binary";
            case XmlKind.Scalar:
                return Scalars[type.FullName()].XmlName;
            case XmlKind.List:
                return ArrayName(TypeNameOfItem((XmlListShape)_shapes[value.Shape]!, type));
            default:
                return XmlNameOf(type);
        }
    }

    private static string ArrayName(string item) => "ArrayOf" + char.ToUpperInvariant(item[0]) + item.Substring(1);

    private string TypeNameOfItem(XmlListShape list, ITypeSymbol type) =>
        type is IArrayTypeSymbol array
        ? NameOf(array.ElementType, list.Item.Value)
        : type is INamedTypeSymbol { TypeArguments.Length: 1 } generic
        ? NameOf(generic.TypeArguments[0], list.Item.Value)
        : list.Item.Name;

    private static string XmlNameOf(ITypeSymbol type) => XmlMark.Of(type).FirstOrDefault(m => m.Kind == "XmlType")?.Name ?? type.Name;

    /// <summary>Ensures that the name of a type is unique, as XmlSerializer does.</summary>
    private bool TakeName(ITypeSymbol type, string path)
    {
        string name = XmlNameOf(type);
        if (XmlConvert.EncodeLocalName(name) != name)
            return Refuse<object>(path, $"the name of '{type.ShortName()}' is not valid in XML") is not null;
        if (_xmlNames.TryGetValue(name, out ITypeSymbol other) && !SymbolEqualityComparer.Default.Equals(other, type))
            return Refuse<object>(path, $"'{type.ShortName()}' has the name of another type") is not null;
        _xmlNames[name] = type;
        return true;
    }

    private string MethodName(string name)
    {
        string unique = name;
        for (int i = 2; !_methods.Add(unique); i++)
            unique = name + i.ToString(System.Globalization.CultureInfo.InvariantCulture);
        return unique;
    }

    /// <summary>Returns an attribute that generated code does not support; null if there is none.</summary>
    private static string? OtherMark(ISymbol symbol, params string[] known)
    {
        foreach (XmlMark mark in XmlMark.Of(symbol))
        {
            if (!known.Contains(mark.Kind))
                return $"[{mark.Kind}]";
            if (mark.Kind != "XmlRoot" && mark.OtherArgument is string argument)
                return $"[{mark.Kind}({argument})]";
        }

        return null;
    }

    /// <summary>The attributes of a collection's items.</summary>
    private sealed record XmlItem
    {
        internal string? Name { get; init; }

        internal ITypeSymbol? Type { get; init; }

        internal bool? IsNullable { get; init; }

        internal bool IsFlat { get; init; }
    }
}
