namespace Formatters.Generator;

/// <summary>The model of a legacy contract's file.</summary>
/// <param name="HintName">The name of the file.</param>
/// <param name="Namespace">The namespace; empty for the global one.</param>
/// <param name="Containers">The declarations around, the outermost first; the last is that of the type itself.</param>
/// <param name="Types">The types of the set.</param>
internal sealed record LegacyModel(string HintName, string Namespace, EquatableArray<string> Containers, EquatableArray<LegacyTypeModel> Types);

/// <summary>A type of the set.</summary>
/// <param name="Method">The method that adds it, with its type arguments: <c>AddList&lt;int&gt;</c>.</param>
/// <param name="Argument">The argument of the method; null for none.</param>
/// <param name="HasFields">Whether the method is given the fields.</param>
/// <param name="Fields">The fields of a class or struct, in the order of reflection.</param>
internal sealed record LegacyTypeModel(string Method, string? Argument, bool HasFields, EquatableArray<LegacyFieldModel> Fields);

/// <summary>A serialized field of a class.</summary>
/// <param name="Type">Its type.</param>
/// <param name="DeclaringType">The type that declares it.</param>
/// <param name="IsOfStruct">Whether that is a struct.</param>
/// <param name="Name">Its name in metadata.</param>
/// <param name="PrefixOf">The base class whose name is its prefix in bodies; null for none.</param>
/// <param name="IsPrefixFull">Whether it is the full name, because two base classes share a name.</param>
/// <param name="MemberName">Its name in bodies by attribute, or null.</param>
/// <param name="IsOptional">Whether it has <c>[OptionalField]</c>.</param>
/// <param name="Access">How generated code reaches it.</param>
internal sealed record LegacyFieldModel(
    string Type, string DeclaringType, bool IsOfStruct, string Name, string? PrefixOf, bool IsPrefixFull, string? MemberName, bool IsOptional,
        LegacyAccess Access);

/// <summary>Defines how generated code accesses a field.</summary>
internal enum LegacyAccess
{
    /// <summary>By its name.</summary>
    Direct,

    /// <summary>With an UnsafeAccessor.</summary>
    Accessor,

    /// <summary>By reflection in the library: fields of generic types, and all private ones on runtimes without UnsafeAccessor.</summary>
    Reflection,
}
