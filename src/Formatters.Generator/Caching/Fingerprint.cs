namespace Formatters.Generator;

/// <summary>A 128-bit hash; equal hashes are taken as equal contents.</summary>
internal readonly record struct Fingerprint(ulong First, ulong Second)
{
    private const ulong Seed = 14695981039346656037;
    private const ulong Factor = 1099511628211;
    private const ulong MixFactor = 0x9E3779B97F4A7C15;

    internal static Fingerprint Empty { get; } = new(Seed, 0);

    /// <summary>Adds two hashes; unlike that of <see cref="Append(Fingerprint)"/>, the result does not depend on their order.</summary>
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
