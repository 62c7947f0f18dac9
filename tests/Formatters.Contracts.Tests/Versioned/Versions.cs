namespace Formatters.Contracts.Tests.Versioned;

/// <summary>Formatters of the versioned wire format.</summary>
internal static class Versions
{
    internal static readonly ReflectionOptions ReflectionOptions = ReflectionOptions.Default with { Format = ContractFormats.Versioned };

    internal static ReflectionFormatter<T> Reflection<T>(FormatterLimits? limits = null) => new(limits, ReflectionOptions);
}
