namespace Formatters;

/// <summary>Options for <see cref="ErlangFormatter{T}"/>.</summary>
/// <remarks>Immutable: create others with <c>ErlangOptions.Default with { Limits = … }</c>.</remarks>
public sealed record ErlangOptions : TraversalOptions
{
    /// <summary>Gets the default options.</summary>
    public static ErlangOptions Default { get; } = new();

    internal override bool SortsNames => true;
}
