using System.Linq;

namespace Formatters.Generator;

/// <summary>
/// One generated file: a type with <c>[MessageContract]</c>, or a class with <c>[MessageContractFor]</c>. Strings and numbers only.
/// </summary>
/// <param name="HintName">The name of the file.</param>
/// <param name="Namespace">The namespace; empty for none.</param>
/// <param name="Containers">The declarations to open, the outermost first: <c>partial class Order</c>.</param>
/// <param name="IsCSharp8">Whether the language of the project has directives for nullable types.</param>
/// <param name="IsCSharp11">Whether the language of the project has UTF-8 literals.</param>
/// <param name="IsContext">Whether it is a class with <c>[MessageContractFor]</c>.</param>
/// <param name="Hidden">The members of the type that a derived class in another assembly cannot see.</param>
/// <param name="Alias">The type that the file names by an alias; empty for none.</param>
/// <param name="Wires">The generated code of each wire format.</param>
internal sealed record ContractModel(
    string HintName,
    string Namespace,
    EquatableArray<string> Containers,
    bool IsCSharp8,
    bool IsCSharp11,
    bool IsContext,
    HiddenMembers Hidden,
    string Alias,
    EquatableArray<WireModel> Wires);

/// <summary>Defines which members of a type other assemblies cannot see.</summary>
internal enum HiddenMembers
{
    /// <summary>None that belongs to its contract.</summary>
    None,

    /// <summary>Internal members or callbacks, which <c>InternalsVisibleTo</c> shows.</summary>
    Internal,

    /// <summary>Private ones, with or without internal ones.</summary>
    Private,
}

/// <summary>The generated code of one wire format; all that its emitter needs.</summary>
/// <param name="Format">The format.</param>
/// <param name="Contracts">The published contracts: one for a type, several for a context.</param>
/// <param name="Shapes">The records and collections that need methods of their own.</param>
/// <param name="Accessors">The members of the type that contracts of derived classes need and cannot reach; in its first format.</param>
internal sealed record WireModel(
    ContractFormats Format, EquatableArray<PublishedContract> Contracts, EquatableArray<Shape> Shapes, EquatableArray<AccessorModel> Accessors);

/// <summary>A contract that is visible to users.</summary>
/// <param name="PropertyName">The name of the static property.</param>
/// <param name="Value">The value.</param>
/// <param name="IsPublic">Whether the property can be public: the type may not be.</param>
internal sealed record PublishedContract(string PropertyName, ValueModel Value, bool IsPublic)
{
    /// <summary>Gets, for a contract in XML, its code; null if XmlSerializer writes and reads it.</summary>
    internal XmlRoot? Xml { get; init; }

    /// <summary>Gets whether the contract has errors, so that the code is that of a record without members, or of a union without types.</summary>
    internal bool IsPlaceholder { get; init; }
}

/// <summary>A type that is written and read by its own method. A value refers to it by its index, so that records may contain themselves.</summary>
/// <param name="Name">The name of its methods, unique in the file.</param>
/// <param name="Type">The type as declared.</param>
internal abstract record Shape(string Name, string Type)
{
    /// <summary>The name of the type for which the file is generated.</summary>
    internal const string OwnName = "Self";

    /// <summary>Gets whether it represents a type whose contract has errors: it is empty, and may have no constructor.</summary>
    internal bool IsPlaceholder { get; init; }
}

/// <summary>A class or struct with its members.</summary>
/// <param name="Name">The name of its methods.</param>
/// <param name="Type">The type.</param>
/// <param name="IsValueType">Whether it is a struct.</param>
/// <param name="IsSealed">Whether an object of it can have no other type.</param>
/// <param name="IsMadeAtOnce">Whether all members are read before it is created: a constructor takes some, or an object initializer must set
/// some.</param>
/// <param name="Members">The members in the order of the contract.</param>
/// <param name="ConstructorMembers">For every parameter of the constructor the index of the member.</param>
internal sealed record RecordShape(
    string Name, string Type, bool IsValueType, bool IsSealed, bool IsMadeAtOnce, EquatableArray<MemberModel> Members,
        EquatableArray<int> ConstructorMembers)
    : Shape(Name, Type)
{
    /// <summary>Gets the methods that are called before and after the members.</summary>
    internal EquatableArray<CallbackModel> Callbacks { get; init; }

    /// <summary>Gets the type with the nullable annotations of its type arguments, which distinguish layouts.</summary>
    internal string Key { get; init; } = "";

    /// <summary>Gets whether an object of a derived class is rejected, because the members that it adds would be lost.</summary>
    internal bool ChecksDerived { get; init; }

    /// <summary>Gets whether it is a struct without references.</summary>
    internal bool IsUnmanaged { get; init; }

    /// <summary>Gets whether it is a pair, a tuple or a vector, whose members never change.</summary>
    internal bool IsOfBaseLibrary { get; init; }

    /// <summary>
    /// Gets whether members are identified by their numbers, and ordered by them. False for tuples and pairs, whose members never change.
    /// </summary>
    internal bool IsNumbered { get; init; }

    /// <summary>
    /// Gets whether it is written as stored numbers, so that the runtime may hold it as a binary body does: generated code checks whether it does.
    /// </summary>
    internal bool IsBlock => IsUnmanaged && (!IsMadeAtOnce || IsOfBaseLibrary) && Members.Count > 0 && Callbacks.Count == 0
        && UnknownAccess.Length == 0 && Members.All(static m => m.IsStored && m.Value is { Kind: ValueKind.Scalar, IsNullable: false }
            && m.HiddenIn.Length == 0 && m.Accessor.Length == 0 && ScalarTypes.Get(m.Value.Name).Is(ScalarTraits.InRuns))
        && ByteCount <= byte.MaxValue;

    /// <summary>Gets the number of bytes of its members, if all have a fixed length.</summary>
    internal int ByteCount => Members.Sum(static m => ScalarTypes.Get(m.Value.Name).MinByteCount);

    /// <summary>Gets its form in MessagePack; the numbers of its members are then their positions in the array form, from 1.</summary>
    internal RecordForm Form { get; init; }

    /// <summary>Gets the identifier of the member that stores unknown members; empty if there is none.</summary>
    internal string UnknownAccess { get; init; } = "";

    /// <summary>Gets the identifier of such a member in a format that writes no unknown members; empty if there is none.</summary>
    internal string RefusedUnknown { get; init; } = "";

    /// <summary>Gets whether that member is set during construction.</summary>
    internal bool IsUnknownInitOnly { get; init; }
}

/// <summary>Defines the form of a record in MessagePack.</summary>
internal enum RecordForm
{
    /// <summary>It is not for MessagePack.</summary>
    None,

    /// <summary>An array, in which members are at their numbers.</summary>
    Array,

    /// <summary>An array of exactly its members.</summary>
    Tuple,

    /// <summary>A map of names to values.</summary>
    Map,
}

/// <summary>A member of a record.</summary>
/// <param name="Name">Its name, for the member path.</param>
/// <param name="Access">Its name as an identifier.</param>
/// <param name="Value">The value.</param>
/// <param name="Setter">How it is set.</param>
internal sealed record MemberModel(string Name, string Access, ValueModel Value, MemberSetter Setter)
{
    /// <summary>Gets the base class that declares it, if a derived one hides its name; otherwise empty.</summary>
    internal string HiddenIn { get; init; } = "";

    /// <summary>Gets whether it is a field or an automatic property that can be assigned.</summary>
    internal bool IsStored { get; init; }

    /// <summary>Its name in wire formats that name members.</summary>
    internal string WireName { get; init; } = Name;

    /// <summary>Gets the generated class of the base class that declares it, if only that can access it; otherwise empty.</summary>
    internal string Accessor { get; init; } = "";

    /// <summary>Gets whether it is a property that only such a class can set.</summary>
    internal bool IsSetByAccessor { get; init; }

    /// <summary>Gets the number, in a numbered record, in the array form of MessagePack, or in protobuf.</summary>
    internal int Number { get; init; }

    /// <summary>Gets the encoding of its integers in protobuf.</summary>
    internal MemberEncoding Encoding { get; init; }

    /// <summary>Gets whether protobuf writes one field per element, although they could be packed.</summary>
    internal bool IsUnpacked { get; init; }

    /// <summary>Gets the name of the protobuf oneof that it is a case of; empty for none.</summary>
    internal string Oneof { get; init; } = "";

    /// <summary>Gets whether it is <c>required</c>.</summary>
    internal bool IsRequired { get; init; }

    /// <summary>Gets the default value of its constructor parameter as an expression; empty for none.</summary>
    internal string Default { get; init; } = "";

    /// <summary>Gets whether its constructor parameter has a default value, including null.</summary>
    internal bool HasDefault { get; init; }

    /// <summary>Gets whether a MessagePack body must have it: it is required, or the constructor takes it without a default.</summary>
    internal bool IsNeeded => IsRequired || this is { Setter: MemberSetter.Constructor, HasDefault: false, Value.IsNullable: false };
}

/// <summary>A member that contracts of derived classes cannot access: the generated class has methods for it.</summary>
/// <param name="Owner">The type that declares it.</param>
/// <param name="Name">Its name as an identifier.</param>
/// <param name="Type">Its type.</param>
/// <param name="Kind">The kind of access.</param>
/// <param name="HasMore">Of a property, whether it can be set; of a callback, whether it takes a <c>StreamingContext</c>.</param>
internal sealed record AccessorModel(string Owner, string Name, string Type, AccessorKind Kind, bool HasMore);

internal enum AccessorKind
{
    Field,
    ReadOnlyField,
    Property,
    Callback,
}

/// <summary>A method that is called before or after the members.</summary>
/// <param name="Kind">When.</param>
/// <param name="Name">Its name as an identifier.</param>
/// <param name="TakesContext">Whether it takes a <c>StreamingContext</c>.</param>
/// <param name="Accessor">The generated class of the base class that declares it, if only that can access it; otherwise empty.</param>
/// <param name="HiddenIn">The base class that declares it, if a derived one hides its name; otherwise empty.</param>
internal sealed record CallbackModel(CallbackKind Kind, string Name, bool TakesContext, string Accessor, string HiddenIn);

internal enum CallbackKind
{
    Serializing,
    Serialized,
    Deserializing,
    Deserialized,
}

/// <summary>Defines how a member is set.</summary>
internal enum MemberSetter
{
    /// <summary>A field or an automatic property: setting it cannot fail.</summary>
    Plain,

    /// <summary>A property with code of its own.</summary>
    Code,

    /// <summary>Only during construction: <c>init</c> or <c>required</c>.</summary>
    Initializer,

    /// <summary>By the constructor.</summary>
    Constructor,

    /// <summary>It is written, but never set: MessagePack has such members.</summary>
    None,
}

/// <summary>An array or a list.</summary>
/// <param name="Name">The name of its methods.</param>
/// <param name="Type">The type as declared.</param>
/// <param name="Kind">Which.</param>
/// <param name="Element">The elements.</param>
internal sealed record ListShape(string Name, string Type, ListKind Kind, ValueModel Element) : Shape(Name, Type)
{
    /// <summary>Gets whether the runtime exposes a list as a span.</summary>
    internal bool HasSpan { get; init; }

    /// <summary>Gets whether memory holds the elements as a binary body does, so that all are copied at once.</summary>
    internal bool IsBlock => HasSpan && Kind != ListKind.ArrayList && Element is { Kind: ValueKind.Scalar, IsNullable: false }
        && ScalarTypes.Get(Element.Name).Is(ScalarTraits.InBlocks);

    /// <summary>Gets whether the traversal writes and reads many elements by one call.</summary>
    internal bool IsSeries => IsBlock && Element.CastType.Length == 0 && ScalarTypes.Get(Element.Name).Is(ScalarTraits.InSeries);

    /// <summary>Gets whether it is declared as <c>IList</c> or the like, and read as an <c>ArrayList</c>.</summary>
    internal bool IsObjectInterface => Kind == ListKind.ArrayList && Type != "global::System.Collections.ArrayList";
}

internal enum ListKind
{
    Array,
    List,
    Interface,
    ArrayList,
}

/// <summary>A collection that is created from all its elements at once.</summary>
/// <param name="Name">The name of its methods.</param>
/// <param name="Type">The type as declared.</param>
/// <param name="IsValueType">Whether it is a struct, whose default value has no elements and counts as null.</param>
/// <param name="Recipe">How it is counted and created.</param>
/// <param name="Element">The elements.</param>
internal sealed record SequenceShape(string Name, string Type, bool IsValueType, CollectionRecipe Recipe, ValueModel Element) : Shape(Name, Type);

/// <summary>A dictionary.</summary>
/// <param name="Name">The name of its methods.</param>
/// <param name="Type">The type as declared.</param>
/// <param name="Recipe">How it is created from a <c>Dictionary&lt;TKey, TValue&gt;</c>; null if it is one, or an interface of it.</param>
/// <param name="Source">The method that returns the <c>Dictionary&lt;TKey, TValue&gt;</c> to write; empty if the member itself is written.</param>
/// <param name="Key">The keys.</param>
/// <param name="Value">The values.</param>
internal sealed record DictionaryShape(string Name, string Type, CollectionRecipe? Recipe, string Source, ValueModel Key, ValueModel Value)
    : Shape(Name, Type)
{
    /// <summary>Gets whether it is a <c>Hashtable</c>, or declared as <c>IDictionary</c>.</summary>
    internal bool IsOfObjects => Source == "FromHashtable";
}

/// <summary>A multidimensional array: its lengths, then the elements, the last index fastest.</summary>
/// <param name="Name">The name of its methods.</param>
/// <param name="Type">The type.</param>
/// <param name="Rank">The number of dimensions.</param>
/// <param name="Element">The elements.</param>
internal sealed record MultidimensionalArrayShape(string Name, string Type, int Rank, ValueModel Element) : Shape(Name, Type);

/// <summary>An abstract class or an interface with <c>[MessageUnion]</c>: a tag, then the object as its own type.</summary>
/// <param name="Name">The name of its methods.</param>
/// <param name="Type">The type.</param>
/// <param name="Cases">The types that it lists.</param>
/// <param name="UnknownType">The type that stores cases with unknown tags; empty if there is none.</param>
internal sealed record UnionShape(string Name, string Type, EquatableArray<UnionCase> Cases, string UnknownType) : Shape(Name, Type)
{
    /// <inheritdoc cref="RecordShape.Key"/>
    internal string Key { get; init; } = "";
}

/// <summary>A member of a union type whose cases are fields of the containing message; it has no methods of its own.</summary>
/// <param name="Name">A name that nothing else has.</param>
/// <param name="Type">The type.</param>
/// <param name="Cases">The cases in the order of their numbers, which are their tags here.</param>
internal sealed record OneofShape(string Name, string Type, EquatableArray<UnionCase> Cases) : Shape(Name, Type);

/// <summary>A type of a union, with its tag.</summary>
/// <param name="Tag">Its tag.</param>
/// <param name="Value">The object.</param>
internal sealed record UnionCase(int Tag, ValueModel Value);

/// <summary>The expressions that count and create a collection.</summary>
/// <param name="Count">The member with its count; empty if there is none.</param>
/// <param name="Make">The expression that creates it, with <c>{0}</c> for the elements and <c>{1}</c> for the element type (<c>{2}</c> for that of
/// values).</param>
/// <param name="IsSet">Whether equal elements are an error; they are read into a <c>HashSet&lt;T&gt;</c> then, else into an array.</param>
/// <param name="IsConcurrent">Whether it may change while it is written, so that it is first copied to an array.</param>
internal sealed record CollectionRecipe(string Count, string Make, bool IsSet, bool IsConcurrent = false);

/// <summary>The value of a member, an element, a key or a root.</summary>
/// <param name="Kind">Which kind.</param>
/// <param name="Type">The type as declared: <c>int?</c>, <c>global::N.Address</c>.</param>
/// <param name="IsValueType">Whether it is a struct, nullable or not.</param>
/// <param name="IsNullable">Whether a presence byte comes first.</param>
/// <param name="Name">The name of the scalar, of the type with own methods or of the formatter; else empty.</param>
/// <param name="CastType">For an enum its underlying type; else empty.</param>
/// <param name="Shape">The index of its shape, or -1.</param>
internal sealed record ValueModel(ValueKind Kind, string Type, bool IsValueType, bool IsNullable, string Name = "", string CastType = "",
    int Shape = -1)
{
    /// <summary>Gets, for an element, a key or a value of a dictionary, an expression for its approximate size in memory.</summary>
    internal string Allocation { get; init; } = "";

    /// <summary>Gets whether it is a union: the object in it counts for the depth, not the union.</summary>
    internal bool IsUnion { get; init; }

    /// <summary>Gets, for a type with its own <c>Save</c>, whether an object of a derived class is rejected.</summary>
    internal bool ChecksDerived { get; init; }

    /// <summary>Gets whether its formatter is a <c>MessagePackCodec&lt;T&gt;</c> or a <c>ProtobufCodec&lt;T&gt;</c>.</summary>
    internal bool IsCodec { get; init; }

    /// <summary>Gets the byte count before it, if it is a member of a versioned record.</summary>
    internal Frame Frame { get; init; }
}

/// <summary>Defines the byte count before a value without a size of its own.</summary>
internal enum Frame
{
    None,

    /// <summary>A 7-bit integer.</summary>
    Short,

    /// <summary>An Int32.</summary>
    Long,
}

internal enum ValueKind
{
    /// <summary>A number, a date and the like, or an enum.</summary>
    Scalar,

    /// <summary>A string.</summary>
    Text,

    /// <summary>A <c>byte[]</c>.</summary>
    Bytes,

    /// <summary>A type of the base library for which <c>ContractCode</c> has methods: Uri, Version, BigInteger.</summary>
    Known,

    /// <summary>A type with its own <c>Save</c> and <c>Load</c>.</summary>
    OwnBody,

    /// <summary>A value with a custom codec, which is the name.</summary>
    Formatted,

    /// <summary>A type with a generated contract in this assembly.</summary>
    Contract,

    /// <summary>A type with a generated contract in another assembly.</summary>
    ForeignContract,

    /// <summary>A record or a collection with methods in this file.</summary>
    Shape,
}
