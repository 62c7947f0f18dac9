using System;

namespace Formatters;

/// <summary>How <see cref="CompactFormatter{T}"/> makes the contract of a type.</summary>
/// <remarks>Immutable: create others with <c>CompactOptions.Default with { UnannotatedAllowsNull = true }</c>. A generated contract is used only with the
/// default options.</remarks>
public sealed record CompactOptions
{
    /// <summary>The default options.</summary>
    public static CompactOptions Default { get; } = new();

    /// <summary>Whether a member may be null if its reference type is declared without nullable annotations, as in types of .NET Framework.</summary>
    /// <value>
    /// Default <see langword="false"/>: such a member is never null. With true, it counts as declared with <c>?</c>: null is a null, and the other
    /// bytes stay as they are. Elements of collections, keys and values are not affected.
    /// </value>
    public bool UnannotatedAllowsNull
    {
        get => Rules.UnannotatedAllowsNull;
        init => Rules = Rules with { UnannotatedAllowsNull = value };
    }

    /// <summary>The rules for members, which are those of MessagePack; names in the order of their bytes.</summary>
    internal MessagePackOptions Rules { get; private init; } = MessagePackOptions.Default with { IsCanonical = true };

    /// <inheritdoc cref="MessagePackOptions.WithDerived"/>
    public CompactOptions WithDerived(Type type) => this with { Rules = Rules.WithDerived(type) };
}
