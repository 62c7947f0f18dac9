namespace Formatters.TradeEngine.StaticData;

/// <summary>SplitMix64: the same numbers from the same seed on every runtime, which <see cref="System.Random"/> does not promise.</summary>
internal struct SeededRandom(ulong seed)
{
    private ulong _state = seed;

    internal ulong Next()
    {
        _state += 0x9E3779B97F4A7C15;
        ulong z = _state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

    /// <summary>A number from zero to below <paramref name="end"/>.</summary>
    internal int Below(int end) => (int)Math.BigMul(Next(), (ulong)end, out _);

    internal T From<T>(T[] items) => items[Below(items.Length)];

    /// <summary>The time to the next event of a Poisson process of rate 1.</summary>
    internal double Exponential() => -Math.Log(((Next() >> 11) + 1) * (1.0 / (1UL << 53)));

    /// <summary>Whether something happens that happens with this probability.</summary>
    internal bool Happens(double probability) => Next() >> 11 < probability * (1UL << 53);
}
