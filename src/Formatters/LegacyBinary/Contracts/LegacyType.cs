using System;

namespace Formatters;

/// <summary>A type of the closed set: what it is called in bodies, and how its values are read and written, if they are.</summary>
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
        // Decimals, dates and spans are primitive, but arrays of them do not count as such in the types of members.
        ElementPrimitive = element is { IsPrimitive: true } ? NrbfPrimitive.Find(element) : null;
        BinaryType = type == typeof(string) ? NrbfBinaryType.String
            : type == typeof(object) ? NrbfBinaryType.Object
            : type == typeof(string[]) ? NrbfBinaryType.StringArray
            : type == typeof(object[]) ? NrbfBinaryType.ObjectArray
            : ElementPrimitive is not null ? NrbfBinaryType.PrimitiveArray
            : Primitive is not null ? NrbfBinaryType.Primitive
            : ClassBinaryType;
    }

    internal Type Type { get; }

    /// <summary>The type without its <see cref="Nullable{T}"/>: that of a boxed value.</summary>
    internal Type ValueType { get; }

    /// <summary>Whether there is a null: for references and nullable values.</summary>
    internal bool IsNullable { get; }

    internal string Name { get; }

    /// <summary>The name with its length before it, as it is in a body.</summary>
    internal byte[] EncodedName { get; }

    /// <summary>The assembly in bodies; null for the core.</summary>
    internal string? AssemblyName { get; }

    /// <summary>Not null for the fifteen primitive types.</summary>
    internal NrbfPrimitive? Primitive { get; }

    /// <summary>Not null for a vector of the types that are primitive to the runtime.</summary>
    internal NrbfPrimitive? ElementPrimitive { get; }

    /// <summary>How a member or element of the type is described.</summary>
    internal NrbfBinaryType BinaryType { get; }

    /// <summary>How a value of the type is described in a member of another type.</summary>
    internal NrbfBinaryType ClassBinaryType => AssemblyName is null ? NrbfBinaryType.SystemClass : NrbfBinaryType.Class;

    /// <summary>Whether a member of the type is described by the name of a class.</summary>
    internal bool IsOfClass => BinaryType is NrbfBinaryType.Class or NrbfBinaryType.SystemClass;

    /// <summary>How objects of exactly this type are read and written; null for arrays and strings, and for types that are only declared: interfaces,
    /// delegates.</summary>
    internal LegacyClassContract? Contract { get; set; }

    /// <summary>Why there is no contract, where there could be one.</summary>
    internal string? WhyNot { get; set; }

    /// <summary>What the type's code is made of; null for types that no member can have: pointers.</summary>
    internal LegacyShape? Shape { get; set; }

    /// <summary>The elements of an array type.</summary>
    internal LegacyElements? Elements { get; set; }

    /// <summary>Arrays of this type.</summary>
    internal LegacyElements ArrayElements => _arrayElements ?? throw new InvalidOperationException();

    /// <summary>Whether <see cref="ArrayElements"/> were set.</summary>
    internal bool HasArrayElements => _arrayElements is not null;

    private LegacyElements? _arrayElements;

    internal void SetArrayElements(LegacyElements elements) => _arrayElements = elements;
}
