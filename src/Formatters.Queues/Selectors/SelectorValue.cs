using System;

namespace Formatters.Queues;

/// <summary>
/// The value of an operand for one message: missing, a boolean, a number, a string, or a type that selectors do not support (bytes).
/// </summary>
internal readonly struct SelectorValue
{
    private readonly long _exact;
    private readonly double _approximate;

    private SelectorValue(SelectorValueKind kind, long exact = 0, double approximate = 0, string? text = null)
    {
        Kind = kind;
        _exact = exact;
        _approximate = approximate;
        Text = text;
    }

    internal SelectorValueKind Kind { get; }

    internal string? Text { get; }

    internal bool IsNull => Kind == SelectorValueKind.Null;

    internal bool IsNumber => Kind is SelectorValueKind.Exact or SelectorValueKind.Approximate;

    internal bool IsTrue => Kind == SelectorValueKind.Boolean && _exact != 0;

    internal double Approximate => Kind == SelectorValueKind.Exact ? _exact : _approximate;

    internal static SelectorValue From(bool value) => new(SelectorValueKind.Boolean, value ? 1 : 0);

    internal static SelectorValue From(long value) => new(SelectorValueKind.Exact, value);

    /// <summary>Creates a number. Infinity and NaN count as missing, because no other queue could store them for a comparison.</summary>
    internal static SelectorValue From(double value) => double.IsFinite(value) ? new(SelectorValueKind.Approximate, approximate: value) : default;

    internal static SelectorValue From(string? value) => value is null ? default : new(SelectorValueKind.Text, text: value);

    internal static SelectorValue From(object? value) => value switch
    {
        null => default,
        string text => From(text),
        bool boolean => From(boolean),
        int number => From((long)number),
        long number => From(number),
        double number => From(number),
        sbyte number => From((long)number),
        byte number => From((long)number),
        short number => From((long)number),
        ushort number => From((long)number),
        uint number => From((long)number),
        float number => From((double)number),
        decimal number => From((double)number),
        _ => new(SelectorValueKind.Other),
    };

    internal object ToObject() => Kind switch
    {
        SelectorValueKind.Boolean => _exact != 0,
        SelectorValueKind.Exact => _exact,
        SelectorValueKind.Approximate => _approximate,
        SelectorValueKind.Text => Text!,
        _ => throw new InvalidOperationException("Only literals are objects."),
    };

    internal SelectorValue Negated() => Kind switch
    {
        SelectorValueKind.Exact when _exact != long.MinValue => From(-_exact),
        SelectorValueKind.Exact or SelectorValueKind.Approximate => From(-Approximate),
        _ => default,
    };

    /// <summary>Computes a result. Exact numbers stay exact while they fit into 64 bits, except in a division.</summary>
    internal static SelectorValue Compute(SelectorArithmetic operation, SelectorValue left, SelectorValue right)
    {
        if (!left.IsNumber || !right.IsNumber)
            return default;
        if (left.Kind == SelectorValueKind.Exact && right.Kind == SelectorValueKind.Exact && operation != SelectorArithmetic.Divide)
        {
            Int128 exact = operation switch
            {
                SelectorArithmetic.Add => (Int128)left._exact + right._exact,
                SelectorArithmetic.Subtract => (Int128)left._exact - right._exact,
                _ => (Int128)left._exact * right._exact,
            };
            return exact >= long.MinValue && exact <= long.MaxValue ? From((long)exact) : From((double)exact);
        }

        return From(operation switch
        {
            SelectorArithmetic.Add => left.Approximate + right.Approximate,
            SelectorArithmetic.Subtract => left.Approximate - right.Approximate,
            SelectorArithmetic.Multiply => left.Approximate * right.Approximate,
            _ => left.Approximate / right.Approximate,
        });
    }

    /// <summary>Compares two values; null if the result is unknown.</summary>
    internal static bool? Compare(SelectorComparison comparison, SelectorValue left, SelectorValue right)
    {
        if (left.IsNull || right.IsNull)
            return null;
        if (left.IsNumber && right.IsNumber)
        {
            int order = CompareNumbers(left, right);
            return comparison switch
            {
                SelectorComparison.Equal => order == 0,
                SelectorComparison.NotEqual => order != 0,
                SelectorComparison.LessThan => order < 0,
                SelectorComparison.LessThanOrEqual => order <= 0,
                SelectorComparison.GreaterThan => order > 0,
                _ => order >= 0,
            };
        }

        // Values of different types compare as false, whatever the comparison; strings and booleans are only equal or not.
        if (left.Kind != right.Kind || left.Kind == SelectorValueKind.Other || comparison > SelectorComparison.NotEqual)
            return false;
        bool isEqual = left._exact == right._exact && string.Equals(left.Text, right.Text, StringComparison.Ordinal);
        return isEqual == (comparison == SelectorComparison.Equal);
    }

    private static int CompareNumbers(SelectorValue left, SelectorValue right)
    {
        if (left.Kind == right.Kind)
            return left.Kind == SelectorValueKind.Exact ? left._exact.CompareTo(right._exact) : left._approximate.CompareTo(right._approximate);
        return left.Kind == SelectorValueKind.Exact ? CompareExact(left._exact, right._approximate) : -CompareExact(right._exact, left._approximate);
    }

    // Without rounding the exact one: two numbers beyond 2^53 may be equal as doubles.
    private static int CompareExact(long exact, double approximate)
    {
        if (approximate >= 9223372036854775808.0)
            return -1;
        if (approximate < -9223372036854775808.0)
            return 1;
        double whole = Math.Truncate(approximate);
        int order = exact.CompareTo((long)whole);
        return order != 0 ? order : whole.CompareTo(approximate);
    }
}

/// <summary>Defines the types of selector values.</summary>
internal enum SelectorValueKind : byte
{
    /// <summary>The message has no such property, or a computation has no result.</summary>
    Null,

    Boolean,

    Exact,

    Approximate,

    Text,

    /// <summary>Bytes, or a type of a single broker: present, but not equal to anything.</summary>
    Other,
}
