using System.Collections.Generic;

namespace Formatters;

/// <summary>What an attribute of a union makes of the type that it lists.</summary>
internal enum CaseVerdict
{
    /// <summary>A case with a tag.</summary>
    Case,

    /// <summary>The type that keeps what has an unknown tag.</summary>
    Unknown,

    /// <summary>Nothing: it is not derived from the union, or no object can be made of it.</summary>
    NotInUnion,

    NegativeTag,
    RepeatedTag,
    RepeatedType,

    /// <summary>It is to keep what has an unknown tag, and cannot.</summary>
    CannotKeep,
}

/// <summary>
/// The cases of a union, one attribute after the other: <c>[MessageUnion(1, typeof(Circle))]</c>, or <c>[Union(0, typeof(Circle))]</c> of MessagePack-CSharp.
/// </summary>
/// <param name="types">How types are compared.</param>
internal sealed class UnionCases<TType>(IEqualityComparer<TType> types)
{
    private readonly HashSet<int> _tags = [];
    private readonly HashSet<TType> _types = new(types);

    /// <param name="tag">The tag; null for the type that keeps what has an unknown one.</param>
    /// <param name="type">The type.</param>
    /// <param name="isInUnion">Whether it is derived from the union, and objects can be made of it.</param>
    /// <param name="canKeep">Whether it can keep what has an unknown tag.</param>
    internal CaseVerdict Add(int? tag, TType type, bool isInUnion, bool canKeep) =>
        !isInUnion ? CaseVerdict.NotInUnion
        : tag < 0 ? CaseVerdict.NegativeTag
        : !_tags.Add(tag ?? -1) ? CaseVerdict.RepeatedTag
        : !_types.Add(type) ? CaseVerdict.RepeatedType
        : tag is not null ? CaseVerdict.Case
        : canKeep ? CaseVerdict.Unknown : CaseVerdict.CannotKeep;
}
