using System.Collections.Generic;

namespace Formatters;

/// <summary>The result of checking a type that a union lists.</summary>
internal enum CaseVerdict
{
    /// <summary>A case with a tag.</summary>
    Case,

    /// <summary>A case that the other attribute lists, too, with the same tag.</summary>
    Listed,

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
    private readonly Dictionary<int, (TType Type, string Attribute)> _tags = [];
    private readonly HashSet<TType> _types = new(types);

    /// <param name="attribute">The name of the attribute.</param>
    /// <param name="tag">The tag; null for the type that stores cases with unknown tags.</param>
    /// <param name="type">The type.</param>
    /// <param name="isInUnion">Whether it is derived from the union, and objects can be created.</param>
    /// <param name="canKeep">Whether it can store cases with unknown tags.</param>
    internal CaseVerdict Add(string attribute, int? tag, TType type, bool isInUnion, bool canKeep)
    {
        if (!isInUnion)
            return CaseVerdict.NotInUnion;
        if (tag < 0)
            return CaseVerdict.NegativeTag;
        if (_tags.TryGetValue(tag ?? -1, out (TType Type, string Attribute) same))
            return attribute != same.Attribute && types.Equals(type, same.Type) ? CaseVerdict.Listed : CaseVerdict.RepeatedTag;
        _tags.Add(tag ?? -1, (type, attribute));
        if (!_types.Add(type))
            return CaseVerdict.RepeatedType;
        if (tag is not null)
            return CaseVerdict.Case;
        return canKeep ? CaseVerdict.Unknown : CaseVerdict.CannotKeep;
    }
}
