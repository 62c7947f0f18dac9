using System.Collections.Generic;

namespace Formatters;

/// <summary>The result of checking the number of a member.</summary>
internal enum NumberVerdict
{
    Good,

    /// <summary>The member has no number.</summary>
    Missing,

    OutOfRange,

    /// <summary>Another member has the number.</summary>
    Twice,

    /// <summary>A former member had the number.</summary>
    Retired,
}

/// <summary>The numbers that members can have in a format.</summary>
/// <param name="Max">The highest; the lowest is 1.</param>
/// <param name="FirstReserved">The first of the reserved numbers in between; 0 for none.</param>
/// <param name="LastReserved">The last of them.</param>
internal sealed record NumberRange(int Max, int FirstReserved = 0, int LastReserved = 0)
{
    internal static readonly NumberRange Versioned = new(MemberKind.MaxNumber);

    /// <summary>
    /// The range of the array form of MessagePack, CBOR and the compact format: no hand-written contract has more, and its bodies would be full of
    /// nils.
    /// </summary>
    internal static readonly NumberRange Packed = new(10_000);

    // protobuf.dev/programming-guides/proto3/#assigning
    internal static readonly NumberRange Protobuf = new((1 << 29) - 1, 19_000, 19_999);

    internal bool IsReserved(int number) => FirstReserved > 0 && number >= FirstReserved && number <= LastReserved;

    internal bool Contains(int number) => number >= 1 && number <= Max && !IsReserved(number);
}

/// <summary>Collects and checks the numbers of a type's members.</summary>
/// <param name="range">The valid numbers.</param>
/// <param name="retired">The numbers of former members.</param>
internal sealed class MemberNumbers(NumberRange range, HashSet<int> retired)
{
    private readonly Dictionary<int, string> _names = [];

    /// <summary>Adds the number of a member.</summary>
    /// <param name="number">The number; null for none.</param>
    /// <param name="name">The member.</param>
    /// <param name="other">The member that already has the number.</param>
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

    /// <summary>Returns the retired numbers of an attribute.</summary>
    internal static IEnumerable<int> RetiredBy(AttributeView attribute)
    {
        foreach (object? number in attribute.Argument(0) as object?[] ?? [])
        {
            if (number is int value)
                yield return value;
        }
    }
}
