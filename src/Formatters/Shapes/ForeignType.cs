using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>A class or struct of a hierarchy, with everything that can have attributes of other serializers.</summary>
/// <param name="View">Its declaration.</param>
/// <param name="Name">Its name without the namespace.</param>
/// <param name="Handle">Its symbol or <see cref="Type"/>.</param>
internal sealed record ForeignType(TypeView View, string Name, object Handle)
{
    /// <summary>Gets the attributes of its assembly and module.</summary>
    internal IReadOnlyList<AttributeView> AssemblyAttributes { get; init; } = [];

    /// <summary>Gets the instance fields and properties that it declares, overrides included.</summary>
    internal IReadOnlyList<ForeignMember> Members { get; init; } = [];

    /// <summary>Gets the methods that it declares.</summary>
    internal IReadOnlyList<ForeignMethod> Methods { get; init; } = [];

    /// <summary>Gets its instance constructors, except the implicit one of a struct.</summary>
    internal IReadOnlyList<ForeignConstructor> Constructors { get; init; } = [];

    /// <summary>Gets whether it implements the interface for the callbacks of MessagePack-CSharp.</summary>
    internal bool ReceivesCallbacks { get; init; }

    /// <summary>Gets whether it has <c>[Serializable]</c>.</summary>
    internal bool IsSerializable { get; init; }

    /// <summary>Determines whether a class is a formatter of MessagePack-CSharp for the type.</summary>
    internal Func<object, bool> IsFormattedBy { get; init; } = static _ => false;
}

/// <summary>A field or property, with what its side needs to find it again.</summary>
/// <param name="View">Its declaration.</param>
/// <param name="Handle">Its symbol or <see cref="System.Reflection.MemberInfo"/>.</param>
internal sealed record ForeignMember(MemberView View, object Handle)
{
    /// <summary>Gets whether it overrides a property of a base class.</summary>
    internal bool IsOverride { get; init; }

    /// <summary>Gets whether it is declared nullable.</summary>
    internal bool IsNullable { get; init; }

    /// <summary>Gets whether it is a C# <c>required</c> member.</summary>
    internal bool IsRequired { get; init; }

    /// <summary>Gets whether it is a number, an enum, or another value type that is not a message in protobuf.</summary>
    internal bool IsNumber { get; init; }

    /// <summary>Gets whether it is a dictionary.</summary>
    internal bool IsDictionary { get; init; }

    /// <summary>Gets whether it is a collection whose elements, or whose values, are declared nullable.</summary>
    internal bool HasNullableElements { get; init; }

    /// <summary>Gets whether it is a collection, other than a string.</summary>
    internal bool IsCollection { get; init; }

    /// <summary>Gets whether its elements, or its values, are collections, other than strings and byte arrays.</summary>
    internal bool HasCollectionElements { get; init; }

    /// <summary>Gets whether there is an enum in its type: itself, an element, a type argument.</summary>
    internal bool HasEnums { get; init; }

    /// <summary>Gets whether it is an automatic property whose field has <c>[field: NonSerialized]</c>.</summary>
    internal bool IsFieldNotSerialized { get; init; }

    /// <summary>Gets the full names of the types in its type: of itself, of elements, of type arguments.</summary>
    internal IReadOnlyList<string> TypeNames { get; init; } = [];

    /// <summary>Determines whether values of a type, if they are 0, have no field in protobuf.</summary>
    internal static bool IsNumberType(string fullName, bool isEnum) => isEnum || fullName is "System.Boolean" or "System.Char" or "System.SByte"
        or "System.Byte" or "System.Int16" or "System.UInt16" or "System.Int32" or "System.UInt32" or "System.Int64" or "System.UInt64"
        or "System.Single" or "System.Double" or "System.Decimal" or "System.Guid" or "System.DateOnly" or "System.TimeOnly";

    /// <summary>Determines whether the types in a type are written in its place: it is a collection or another type of the base library.</summary>
    internal static bool IsOpen(string typeNamespace) =>
        typeNamespace == "System" || typeNamespace.StartsWith("System.", StringComparison.Ordinal);
}

/// <summary>A method, with what its side needs to find it again.</summary>
/// <param name="Name">Its name.</param>
/// <param name="View">Its declaration.</param>
/// <param name="Handle">Its symbol or <see cref="System.Reflection.MethodInfo"/>.</param>
internal sealed record ForeignMethod(string Name, DeclarationView View, object Handle);

/// <summary>A constructor, with what its side needs to find it again.</summary>
/// <param name="View">Its declaration.</param>
/// <param name="Handle">Its symbol or <see cref="System.Reflection.ConstructorInfo"/>.</param>
/// <param name="IsPublic">Whether it is public.</param>
/// <param name="Parameters">Its parameters.</param>
internal sealed record ForeignConstructor(DeclarationView View, object Handle, bool IsPublic, IReadOnlyList<ParameterView> Parameters);

/// <summary>An attribute of another serializer that a contract would ignore.</summary>
/// <param name="Text">What is wrong, and what to write instead.</param>
/// <param name="Member">The member; empty for the type.</param>
/// <param name="Handle">The declaration: a symbol, a type or a member.</param>
/// <param name="Attribute">The attribute; null if it is missing, or the declaration itself is wrong.</param>
internal sealed record ForeignFault(string Text, string Member, object Handle, AttributeView? Attribute);
