using System;

namespace Formatters.Contracts;

/// <summary>The common options of all formatters.</summary>
/// <remarks>Immutable: create others with <c>CborOptions.Default with { Limits = … }</c>.</remarks>
public abstract record FormatterOptions
{
    private protected FormatterOptions()
    {
    }

    /// <summary>Gets the limits for reading and writing bodies.</summary>
    /// <value>Default <see cref="FormatterLimits.Default"/>.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public FormatterLimits Limits
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(Limits));
    }
        = FormatterLimits.Default;
}
