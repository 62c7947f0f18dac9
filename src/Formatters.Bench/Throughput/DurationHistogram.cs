using System.Numerics;

namespace Formatters.Bench.Throughput;

/// <summary>Durations, counted in classes that are 1.6 % wide, from a nanosecond up: any percentile, whatever the number of durations, in 32
/// KiB.</summary>
/// <remarks>Mean, deviation, least and greatest are exact. Not thread-safe.</remarks>
internal sealed class DurationHistogram
{
    private const int SubBits = 6;
    private const int SubCount = 1 << SubBits;

    private readonly long[] _counts = new long[(64 - SubBits + 1) * SubCount];
    private double _sum;
    private double _sumOfSquares;

    internal long Count { get; private set; }

    /// <summary>The least, in nanoseconds; 0 of none.</summary>
    internal long Min { get; private set; }

    internal long Max { get; private set; }
    internal double Mean => Count == 0 ? 0 : _sum / Count;

    /// <summary>The sample standard deviation; 0 of fewer than two.</summary>
    internal double StandardDeviation => Count < 2 ? 0 : Math.Sqrt(Math.Max(0, (_sumOfSquares - (_sum * _sum / Count)) / (Count - 1)));

    internal void Add(long nanoseconds)
    {
        long value = Math.Max(0, nanoseconds);
        _counts[IndexOf(value)]++;
        Min = Count == 0 ? value : Math.Min(Min, value);
        Max = Math.Max(Max, value);
        Count++;
        _sum += value;
        _sumOfSquares += (double)value * value;
    }

    /// <summary>Adds all durations of another histogram.</summary>
    internal void Add(DurationHistogram other)
    {
        if (other.Count == 0)
            return;
        for (int i = 0; i < _counts.Length; i++)
            _counts[i] += other._counts[i];
        Min = Count == 0 ? other.Min : Math.Min(Min, other.Min);
        Max = Math.Max(Max, other.Max);
        Count += other.Count;
        _sum += other._sum;
        _sumOfSquares += other._sumOfSquares;
    }

    /// <summary>The duration that a part of all do not exceed: the middle of its class, but no less than the least and no more than the
    /// greatest.</summary>
    /// <param name="fraction">0.5 for the median.</param>
    internal double Percentile(double fraction)
    {
        long rank = Math.Max(1, (long)Math.Ceiling(fraction * Count));
        long seen = 0;
        for (int i = 0; i < _counts.Length; i++)
        {
            seen += _counts[i];
            if (seen >= rank && seen > 0)
                return Math.Clamp(MiddleOf(i), Min, Max);
        }

        return 0;
    }

    private static int IndexOf(long value)
    {
        // Below 2^(SubBits+1) each value has a class of its own; above, the highest bits decide.
        int shift = Math.Max(0, BitOperations.Log2((ulong)value | 1) - SubBits);
        return (shift * SubCount) + (int)(value >> shift);
    }

    private static double MiddleOf(int index)
    {
        int shift = Math.Max(0, (index / SubCount) - 1);
        long low = (long)(index - (shift * SubCount)) << shift;
        return low + (((1L << shift) - 1) / 2.0);
    }
}
