using System.Collections.Generic;

namespace Formatters;

/// <summary>The result of checking a type that a union lists.</summary>
internal enum CaseVerdict
{
    /// <summary>A case with a tag.</summary>
    Case,

    /// <summary>The type that stores cases with unknown tags.</summary>
    Unknown,

    /// <summary>The type is not derived from the union, or cannot be created.</summary>
    NotInUnion,

    NegativeTag,
    RepeatedTag,
    RepeatedType,

    /// <summary>The type is declared for unknown tags, but cannot store them.</summary>
    CannotKeep,
}

/// <summary>
/// Collects the cases of a union from its attributes: <c>[MessageUnion(1, typeof(Circle))]</c>, or <c>[Union(0, typeof(Circle))]</c> of
/// MessagePack-CSharp.
/// </summary>
/// <param name="types">How types are compared.</param>
internal sealed class UnionCases<TType>(IEqualityComparer<TType> types)
{
    private readonly HashSet<int> _tags = [];
    private readonly HashSet<TType> _types = new(types);

    /// <param name="tag">The tag; null for the type that stores cases with unknown tags.</param>
    /// <param name="type">The type.</param>
    /// <param name="isInUnion">Whether it is derived from the union, and objects can be created.</param>
    /// <param name="canKeep">Whether it can store cases with unknown tags.</param>
    internal CaseVerdict Add(int? tag, TType type, bool isInUnion, bool canKeep) =>
        !isInUnion
        ? CaseVerdict.NotInUnion
        : tag < 0
        ? CaseVerdict.NegativeTag
        : !_tags.Add(tag ?? -1)
        ? CaseVerdict.RepeatedTag
        : !_types.Add(type)
        ? CaseVerdict.RepeatedType
        : tag is not null
        ? CaseVerdict.Case
        : canKeep ? CaseVerdict.Unknown : CaseVerdict.CannotKeep;
}
