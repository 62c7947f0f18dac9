namespace Formatters.Generator;

/// <summary>The XML of one contract, with its types: the root determines which types an element may contain, as in XmlSerializer.</summary>
/// <param name="Element">The root element.</param>
/// <param name="Namespace">The namespace of all elements; empty for none.</param>
/// <param name="Shapes">The classes, enums and collections.</param>
internal sealed record XmlRoot(XmlElement Element, string Namespace, EquatableArray<Shape> Shapes);

/// <summary>An element or attribute.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">The value.</param>
/// <param name="IsNullable">Whether a null is written, as xsi:nil; otherwise it is omitted.</param>
internal sealed record XmlElement(string Name, XmlValue Value, bool IsNullable);

/// <summary>The value of an element or attribute.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Type">Its type, without the <c>?</c> of a nullable value.</param>
/// <param name="IsValueType">Whether it is a value type.</param>
/// <param name="IsOptional">Whether it is a <c>Nullable&lt;T&gt;</c>.</param>
/// <param name="Scalar">Of a scalar, the name of the reader's method.</param>
/// <param name="Shape">Of a record, an enum or a list, its index.</param>
internal sealed record XmlValue(XmlKind Kind, string Type, bool IsValueType, bool IsOptional = false, string Scalar = "", int Shape = -1);

internal enum XmlKind
{
    Scalar,
    Text,
    Bytes,
    Enum,
    Record,
    List,
}

/// <summary>A class or struct.</summary>
/// <param name="Name">The name of its methods.</param>
/// <param name="Type">The type.</param>
/// <param name="XmlName">Its name in xsi:type.</param>
/// <param name="IsValueType">Whether it is a struct.</param>
/// <param name="IsSealed">Whether an object of it can have no other type.</param>
/// <param name="IsAbstract">Whether an element must name another type.</param>
/// <param name="Members">The members, those of base classes first.</param>
/// <param name="Derived">The indexes of the classes that may replace it.</param>
internal sealed record XmlRecordShape(
    string Name, string Type, string XmlName, bool IsValueType, bool IsSealed, bool IsAbstract, EquatableArray<XmlMember> Members,
        EquatableArray<int> Derived)
    : Shape(Name, Type)
{
    /// <summary>Gets whether the contract of the type itself has the code.</summary>
    internal bool IsShared { get; init; }
}

/// <summary>An enum.</summary>
/// <param name="Name">The name of its methods.</param>
/// <param name="Type">The type.</param>
/// <param name="IsFlags">Whether several names may be combined.</param>
/// <param name="Values">Its names.</param>
internal sealed record XmlEnumShape(string Name, string Type, bool IsFlags, EquatableArray<XmlEnumValue> Values) : Shape(Name, Type);

/// <summary>A name of an enum.</summary>
/// <param name="Name">The name.</param>
/// <param name="Number">The value as 64 bits.</param>
internal sealed record XmlEnumValue(string Name, long Number);

/// <summary>An array or a list.</summary>
/// <param name="Name">The name of its methods.</param>
/// <param name="Type">The type.</param>
/// <param name="Kind">Which.</param>
/// <param name="Item">The element of an item.</param>
internal sealed record XmlListShape(string Name, string Type, XmlListKind Kind, XmlElement Item) : Shape(Name, Type)
{
    /// <summary>Gets whether the library has the code: lists of strings are in most contracts.</summary>
    internal bool IsOfTexts => Kind == XmlListKind.List
        && Type.StartsWith("global::System.Collections.Generic.List<", System.StringComparison.Ordinal)
        && Item is { IsNullable: true, Value.Kind: XmlKind.Text };
}

internal enum XmlListKind
{
    Array,

    /// <summary>Its own type is a <c>List&lt;T&gt;</c> of its items.</summary>
    List,

    /// <summary>An <c>ArrayList</c>, whose items must be checked.</summary>
    ObjectList,
}

/// <summary>A member of a class.</summary>
/// <param name="Access">Its name as an identifier.</param>
/// <param name="Form">Where it is written.</param>
/// <param name="Element">The element or attribute; of a flat list, that of an item, with the list as its value.</param>
/// <param name="CanSet">Whether it can be set; a list need not.</param>
internal sealed record XmlMember(string Access, XmlForm Form, XmlElement Element, bool CanSet)
{
    /// <summary>Gets the name, for member paths.</summary>
    internal string Name => Access.TrimStart('@');

    /// <summary>Gets the value that is not written, as an expression; empty for none.</summary>
    internal string Default { get; init; } = "";

    /// <summary>Gets the member that determines whether this is written; empty for none.</summary>
    internal string Specified { get; init; } = "";

    /// <summary>Gets whether that member is set by reading.</summary>
    internal bool IsSpecifiedSet { get; init; }

    /// <summary>Gets the method that determines whether this is written; empty for none.</summary>
    internal string ShouldSerialize { get; init; } = "";
}

internal enum XmlForm
{
    Element,

    /// <summary>The items of a list, as elements of their own.</summary>
    FlatList,

    Attribute,
    Text,
}
