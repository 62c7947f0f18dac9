using Formatters.Contracts;

namespace Formatters;

/// <summary>Options for <see cref="CompactFormatter{T}"/>.</summary>
/// <remarks>Immutable: create others with <c>CompactOptions.Default with { Limits = … }</c>. Equal objects always have equal bodies.</remarks>
public sealed record CompactOptions : TraversalOptions
{
    /// <summary>Gets the default options.</summary>
    public static CompactOptions Default { get; } = new();

    internal override bool SortsNames => true;
}
