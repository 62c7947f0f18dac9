using Formatters.Contracts;

namespace Formatters;

/// <summary>Options for <see cref="CborFormatter{T}"/>.</summary>
/// <remarks>Immutable: create others with <c>CborOptions.Default with { Limits = … }</c>. Bodies are always in the deterministic encoding.</remarks>
public sealed record CborOptions : TraversalOptions
{
    /// <summary>Gets the default options.</summary>
    public static CborOptions Default { get; } = new();

    internal override bool SortsNames => true;
}
