using System;

namespace Formatters;

/// <summary>A type of the closed set: its name in bodies, and the reader and writer of its values, if any.</summary>
internal sealed class LegacyType
{
    internal LegacyType(Type type, string name, string? assemblyName)
    {
        Type = type;
        ValueType = Nullable.GetUnderlyingType(type) ?? type;
        IsNullable = !type.IsValueType || ValueType != type;
        Primitive = NrbfPrimitive.Find(type);
        EncodedName = LegacyName.Encode(name);
        Name = name;
        AssemblyName = assemblyName;
        Type? element = type.IsArray && type.GetArrayRank() == 1 ? type.GetElementType() : null;
        // Decimals, dates and spans are primitive, but their arrays do not count as primitive in the types of members.
        ElementPrimitive = element is { IsPrimitive: true } ? NrbfPrimitive.Find(element) : null;
        BinaryType = type == typeof(string)
            ? NrbfBinaryType.String
            : type == typeof(object)
            ? NrbfBinaryType.Object
            : type == typeof(string[])
            ? NrbfBinaryType.StringArray
            : type == typeof(object[])
            ? NrbfBinaryType.ObjectArray
            : ElementPrimitive is not null
            ? NrbfBinaryType.PrimitiveArray
            : Primitive is not null
            ? NrbfBinaryType.Primitive
            : ClassBinaryType;
    }

    internal Type Type { get; }

    /// <summary>Gets the type without its <see cref="Nullable{T}"/>, as for a boxed value.</summary>
    internal Type ValueType { get; }

    /// <summary>Gets whether null is a value: for references and nullable values.</summary>
    internal bool IsNullable { get; }

    internal string Name { get; }

    /// <summary>Gets the length-prefixed name, as in a body.</summary>
    internal byte[] EncodedName { get; }

    /// <summary>Gets the assembly in bodies; null for the core.</summary>
    internal string? AssemblyName { get; }

    /// <summary>Gets the primitive type; null for all except the fifteen primitive types.</summary>
    internal NrbfPrimitive? Primitive { get; }

    /// <summary>Gets the primitive element type; null for all except vectors of the runtime's primitive types.</summary>
    internal NrbfPrimitive? ElementPrimitive { get; }

    /// <summary>Gets the description of a member or element of the type.</summary>
    internal NrbfBinaryType BinaryType { get; }

    /// <summary>Gets the description of a value of the type in a member of another type.</summary>
    internal NrbfBinaryType ClassBinaryType => AssemblyName is null ? NrbfBinaryType.SystemClass : NrbfBinaryType.Class;

    /// <summary>Gets whether a member of the type is described by the name of a class.</summary>
    internal bool IsOfClass => BinaryType is NrbfBinaryType.Class or NrbfBinaryType.SystemClass;

    /// <summary>
    /// Gets or sets the contract for objects of exactly this type; null for arrays and strings, and for types that are only declared: interfaces,
    /// delegates.
    /// </summary>
    internal LegacyClassContract? Contract { get; set; }

    /// <summary>Gets or sets why there is no contract, if there could be one.</summary>
    internal string? WhyNot { get; set; }

    /// <summary>Gets or sets the shape from which the type's code is created; null for types that no member can have: pointers.</summary>
    internal LegacyShape? Shape { get; set; }

    /// <summary>Gets or sets the elements of an array type.</summary>
    internal LegacyElements? Elements { get; set; }

    /// <summary>Gets the reader and writer of arrays of this type.</summary>
    internal LegacyElements ArrayElements => _arrayElements ?? throw new InvalidOperationException();

    /// <summary>Gets whether <see cref="ArrayElements"/> were set.</summary>
    internal bool HasArrayElements => _arrayElements is not null;

    private LegacyElements? _arrayElements;

    internal void SetArrayElements(LegacyElements elements) => _arrayElements = elements;
}
