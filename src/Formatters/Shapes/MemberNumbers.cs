using System.Collections.Generic;

namespace Formatters;

/// <summary>What is wrong with the number of a member.</summary>
internal enum NumberVerdict
{
    Good,

    /// <summary>It has none.</summary>
    Missing,

    OutOfRange,

    /// <summary>Another member has it.</summary>
    Twice,

    /// <summary>A former member had it.</summary>
    Retired,
}

/// <summary>The numbers that members can have in a format.</summary>
/// <param name="Max">The highest; the lowest is 1.</param>
/// <param name="FirstReserved">The first of those between that are not to be used; 0 for none.</param>
/// <param name="LastReserved">The last of them.</param>
internal sealed record NumberRange(int Max, int FirstReserved = 0, int LastReserved = 0)
{
    internal static readonly NumberRange Versioned = new(MemberKind.MaxNumber);

    /// <summary>
    /// Of the array form of MessagePack, CBOR and the compact format: no contract that anybody wrote by hand has more, and each body of it would be full of
    /// nils.
    /// </summary>
    internal static readonly NumberRange Packed = new(10_000);

    // protobuf.dev/programming-guides/proto3/#assigning
    internal static readonly NumberRange Protobuf = new((1 << 29) - 1, 19_000, 19_999);

    internal bool IsReserved(int number) => FirstReserved > 0 && number >= FirstReserved && number <= LastReserved;

    internal bool Contains(int number) => number >= 1 && number <= Max && !IsReserved(number);
}

/// <summary>The numbers of a type's members, one after the other.</summary>
/// <param name="range">What numbers there are.</param>
/// <param name="retired">Those of former members.</param>
internal sealed class MemberNumbers(NumberRange range, HashSet<int> retired)
{
    private readonly Dictionary<int, string> _names = [];

    /// <summary>Takes the number of a member.</summary>
    /// <param name="number">The number; null for none.</param>
    /// <param name="name">The member.</param>
    /// <param name="other">The member that has the number already.</param>
    internal NumberVerdict Add(int? number, string name, out string other)
    {
        other = "";
        if (number is not int value)
            return NumberVerdict.Missing;
        if (!range.Contains(value))
            return NumberVerdict.OutOfRange;
        if (_names.TryGetValue(value, out string? taken))
        {
            other = taken;
            return NumberVerdict.Twice;
        }

        if (retired.Contains(value))
            return NumberVerdict.Retired;
        _names.Add(value, name);
        return NumberVerdict.Good;
    }

    /// <summary>The retired numbers that an attribute gives.</summary>
    internal static IEnumerable<int> RetiredBy(AttributeView attribute)
    {
        foreach (object? number in attribute.Argument(0) as object?[] ?? [])
        {
            if (number is int value)
                yield return value;
        }
    }
}
