using System;

namespace Formatters;

/// <summary>The options that all formatters with options share.</summary>
/// <remarks>Immutable: create others with <c>CborOptions.Default with { Limits = … }</c>.</remarks>
public abstract record FormatterOptions
{
    private protected FormatterOptions()
    {
    }

    /// <summary>The limits under which bodies are read and written.</summary>
    /// <value>Default <see cref="FormatterLimits.Default"/>.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public FormatterLimits Limits
    {
        get;
        init => field = value ?? throw new ArgumentNullException(nameof(Limits));
    }
        = FormatterLimits.Default;
}
