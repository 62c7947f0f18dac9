using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;
using Formatters.Contracts;

namespace Formatters;

/// <summary>Options for <see cref="VersionedFormatter{T}"/>.</summary>
/// <remarks>Immutable: create others with <c>VersionedOptions.Default with { Limits = … }</c>.</remarks>
public sealed record VersionedOptions : ContractOptions
{
    /// <summary>Gets the default options.</summary>
    public static VersionedOptions Default { get; } = new();

    /// <summary>
    /// Gets whether a type with its own <c>Save</c> and <c>Load</c> (<see cref="IBinaryBody"/>) is written by them, or member by member like any
    /// other.
    /// </summary>
    /// <value>Default <see langword="true"/>. With false, a test can compare a hand-written <c>Save</c> with the contract of its type.</value>
    public bool UseOwnBodies { get; init; } = true;

    /// <summary>
    /// Gets whether strings that are not ASCII are written in UTF-16: faster than UTF-8, and shorter for Chinese, Japanese and Korean, but longer for
    /// accented Latin letters.
    /// </summary>
    /// <value>Default <see langword="false"/>: all strings are in UTF-8. Readers read both, whatever their options.</value>
    public bool UseUtf16 { get; init; }

    internal override bool UsesOwnBodies => UseOwnBodies;

    internal override bool IsVersioned => true;

    internal override bool ChangesContract => base.ChangesContract || !UseOwnBodies;

    /// <summary>
    /// Sets the element type of an <see cref="System.Collections.ArrayList"/> member, for types that cannot have <see cref="ElementTypeAttribute"/>.
    /// </summary>
    /// <param name="declaringType">The class or struct that declares the member, or inherits it: the element type applies to the member itself, in
    /// every class.</param>
    /// <param name="memberName">The name of the public field or property.</param>
    /// <param name="elementType">The type of every element.</param>
    /// <returns> New options; these are not changed. An earlier type of the same member is replaced, and <see cref="ElementTypeAttribute"/> or
    /// <c>[XmlArrayItem]</c> on it does not count. </returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="declaringType"/> has no such member, or it is not an
    /// <see cref="System.Collections.ArrayList"/>.</exception>
    public VersionedOptions WithElementType(
#if NET
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
#endif
        Type declaringType,
        string memberName,
        Type elementType) => this with { ElementTypes = (ElementTypes ?? DeclaredElementTypes.None).With(declaringType, memberName, elementType) };
}
