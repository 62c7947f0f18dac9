namespace Formatters.Generator;

/// <summary>A hash of 128 bits: what has the same is the same.</summary>
internal readonly record struct Fingerprint(ulong First, ulong Second)
{
    private const ulong Seed = 14695981039346656037;
    private const ulong Factor = 1099511628211;
    private const ulong MixFactor = 0x9E3779B97F4A7C15;

    internal static Fingerprint Empty { get; } = new(Seed, 0);

    /// <summary>Adds the sums of two hashes, which do not depend on the order of what is added.</summary>
    public static Fingerprint operator +(Fingerprint left, Fingerprint right) => new(left.First + right.First, left.Second + right.Second);

    /// <summary>Appends a number.</summary>
    internal Fingerprint Append(ulong value) => new(
        ((First ^ value) * Factor) ^ (First >> 47), (((Second << 5) | (Second >> 59)) + value + 1) * MixFactor);

    /// <summary>Appends another hash.</summary>
    internal Fingerprint Append(Fingerprint other) => Append(other.First).Append(other.Second);

    /// <summary>Appends a string and its end.</summary>
    internal Fingerprint Append(string text)
    {
        Fingerprint result = this;
        foreach (char c in text)
            result = result.Append(c);
        return result.Append(ulong.MaxValue);
    }
}
