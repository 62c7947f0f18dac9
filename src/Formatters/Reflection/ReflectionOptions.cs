using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Formatters;

/// <summary>Options for <see cref="ReflectionFormatter{T}"/>.</summary>
/// <remarks>Immutable: create others with <c>ReflectionOptions.Default with { UseCompiledCode = false }</c>.</remarks>
public sealed record ReflectionOptions
{
    /// <summary>The default options.</summary>
    public static ReflectionOptions Default { get; } = new();

    /// <summary>Whether code is emitted for the type where the runtime can do so; otherwise every member is read and set by reflection, which is
    /// slower.</summary>
    /// <value>
    /// Default <see langword="true"/>. Without effect on netstandard2.0 and where <c>RuntimeFeature.IsDynamicCodeCompiled</c> is false: plain reflection
    /// there.
    /// </value>
    public bool UseCompiledCode { get; init; } = true;

    /// <summary>Whether a type that brings its own <c>Save</c> and <c>Load</c> (<see cref="IBinaryBody"/>) is written by them, or member by member like any
    /// other.</summary>
    /// <value>Default <see langword="true"/>. With false, a test can compare a hand-written <c>Save</c> with the contract of its type.</value>
    public bool UseOwnBodies { get; init; } = true;

    /// <summary>The wire format: <see cref="ContractFormats.Binary"/> or <see cref="ContractFormats.Versioned"/>, for which members need numbers.</summary>
    /// <value>Default <see cref="ContractFormats.Binary"/>. The versioned one is always read and written by plain reflection, without emitted code.</value>
    /// <exception cref="ArgumentOutOfRangeException">None or several formats.</exception>
    public ContractFormats Format
    {
        get;
        init => field = value is ContractFormats.Binary or ContractFormats.Versioned
            ? value : throw new ArgumentOutOfRangeException(nameof(Format), value, "One of the formats.");
    }
        = ContractFormats.Binary;

    /// <summary>Whether a member may be null if its reference type is declared without nullable annotations, as in types of .NET Framework.</summary>
    /// <value>
    /// Default <see langword="false"/>: such a member is never null. With true, the member has a presence byte, as if it were declared with <c>?</c>. In the
    /// binary wire format, both ends need the same value. In the versioned format, each end can read the other's bodies, if they contain no null there.
    /// Elements of collections, keys and values are not affected.
    /// </value>
    public bool UnannotatedAllowsNull { get; init; }

    /// <summary>Whether the contract of a type is not the one that its declarations alone give in the binary wire format.</summary>
    internal bool ChangesContract => ElementTypes.Count > 0 || UnannotatedAllowsNull || Derived is not null || !UseOwnBodies || Format != ContractFormats.Binary;

    private Dictionary<(Type DeclaringType, string MemberName), Type> ElementTypes { get; init; } = [];

    private HashSet<Type>? Derived { get; init; }

    /// <summary>Allows objects of classes derived from a class where that is declared: they are written as the declared class, <b>without what they add</b>.
    /// For classes that cannot carry <see cref="AllowDerivedAttribute"/>.</summary>
    /// <param name="type">The class, exactly: not those derived from it.</param>
    /// <returns>New options; these are not changed.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="type"/> is not a class that others can derive from.</exception>
    public ReflectionOptions WithDerived(Type type) => this with { Derived = DerivedObjects.Allow(Derived, type) };

    /// <summary>Whether an object may be of another class than the declared one and is rejected then.</summary>
    internal bool ChecksDerived(Type declared) => DerivedObjects.AreChecked(declared, Derived);

    /// <summary>Sets the element type of an <see cref="System.Collections.ArrayList"/> member, for types that cannot have <see cref="ElementTypeAttribute"/>.</summary>
    /// <param name="declaringType">The class or struct that declares the member, or inherits it: the element type applies to the member itself, in every
    /// class.</param>
    /// <param name="memberName">The name of the public field or property.</param>
    /// <param name="elementType">The type of every element.</param>
    /// <returns>
    /// New options; these are not changed. An earlier type of the same member is replaced, and <see cref="ElementTypeAttribute"/> or <c>[XmlArrayItem]</c> on
    /// it does not count.
    /// </returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="declaringType"/> has no such member, or it is not an
    /// <see cref="System.Collections.ArrayList"/>.</exception>
    public ReflectionOptions WithElementType(
#if NET
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
#endif
        Type declaringType,
        string memberName,
        Type elementType)
    {
        if (declaringType is null)
            throw new ArgumentNullException(nameof(declaringType));
        if (memberName is null)
            throw new ArgumentNullException(nameof(memberName));
        if (elementType is null)
            throw new ArgumentNullException(nameof(elementType));
        const BindingFlags PublicInstance = BindingFlags.Public | BindingFlags.Instance;
        MemberInfo member = (MemberInfo?)declaringType.GetField(memberName, PublicInstance) ?? declaringType.GetProperty(memberName, PublicInstance)
            ?? throw new ArgumentException($"{TypeNames.Of(declaringType)} has no public field or property {memberName}.", nameof(memberName));
        if ((member is FieldInfo field ? field.FieldType : ((PropertyInfo)member).PropertyType) != typeof(ArrayList))
            throw new ArgumentException($"{TypeNames.Of(declaringType)}.{memberName} is not an ArrayList.", nameof(memberName));
        return this with
        {
            ElementTypes = new Dictionary<(Type, string), Type>(ElementTypes) { [(member.DeclaringType!, memberName)] = elementType },
        };
    }

    internal Type? FindElementType(Type declaringType, string memberName) =>
        ElementTypes.TryGetValue((declaringType, memberName), out Type? elementType) ? elementType : null;
}
