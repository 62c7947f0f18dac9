using System.Runtime.CompilerServices;

namespace Formatters.TradeEngine.Matching;

/// <summary>The criteria that a message has, each as a 64-bit number that stands for exactly one value.</summary>
internal sealed class CriterionValues
{
    private Numbers _numbers;

    internal CriterionSet Present { get; private set; }
    internal long this[Criterion criterion] => _numbers[(int)criterion];

    internal void Clear() => Present = default;

    internal void Set(Criterion criterion, long value)
    {
        _numbers[(int)criterion] = value;
        Present = Present.With(criterion);
    }

    /// <exception cref="InvalidCriterionException">The string is not a code.</exception>
    internal void SetCode(Criterion criterion, string code)
    {
        if (!PackedCode.TryPack(code, out long value))
            throw new InvalidCriterionException(criterion, "is not 1 to 12 characters of 0 to 9 and A to Z");
        Set(criterion, value);
    }

    /// <exception cref="InvalidCriterionException">The amount has more than four decimals or is too large.</exception>
    internal void SetAmount(Criterion criterion, decimal amount)
    {
        decimal scaled = amount is > -900_000_000_000_000m and < 900_000_000_000_000m ? amount * 10_000 : 0.5m;
        if (scaled != decimal.Truncate(scaled))
            throw new InvalidCriterionException(criterion, "has more than four decimals, or is beyond 900,000,000,000,000");
        Set(criterion, (long)scaled);
    }

    /// <summary>Copies the values that are present, in the order of the criteria.</summary>
    internal long[] ToArray()
    {
        var values = new long[Present.CountOf()];
        int next = 0;
        for (int i = 0; i < CriterionSet.Count; i++)
        {
            if (Present.Contains((Criterion)i))
                values[next++] = _numbers[i];
        }

        return values;
    }

    [InlineArray(CriterionSet.Count)]
    private struct Numbers
    {
        private long _first;
    }
}

/// <summary>A value that no criterion can have.</summary>
internal sealed class InvalidCriterionException(Criterion criterion, string what) : Exception($"{criterion} {what}.")
{
    internal Criterion Criterion => criterion;
}
