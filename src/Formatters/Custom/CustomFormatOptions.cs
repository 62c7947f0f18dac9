using Formatters.Contracts;

namespace Formatters;

/// <summary>Options for <see cref="CustomFormatter{T, TFormat}"/>.</summary>
/// <remarks>Immutable: create others with <c>CustomFormatOptions.Default with { Limits = … }</c>.</remarks>
public sealed record CustomFormatOptions : TraversalOptions
{
    /// <summary>Gets the default options.</summary>
    public static CustomFormatOptions Default { get; } = new();

    internal override bool SortsNames => false;
}
