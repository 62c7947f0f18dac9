namespace Formatters.Contracts.Tests.Versioned;

/// <summary>Formatters of the versioned wire format.</summary>
internal static class Versions
{
    internal static VersionedFormatter<T> Reflection<T>(FormatterLimits? limits = null) =>
        new(ByReflection.Versioned with { Limits = limits ?? FormatterLimits.Default });
}
