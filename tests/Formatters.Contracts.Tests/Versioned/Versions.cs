namespace Formatters.Contracts.Tests.Versioned;

/// <summary>Formatters of the versioned wire format.</summary>
internal static class Versions
{
    /// <summary>Both ways to write and read it.</summary>
    internal static MessageFormatter<T>[] Formatters<T>(MessageContract<T> contract, FormatterLimits? limits = null) =>
        [new VersionedFormatter<T>(contract, new VersionedOptions { Limits = limits ?? FormatterLimits.Default }), Reflection<T>(limits)];

    internal static VersionedFormatter<T> Reflection<T>(FormatterLimits? limits = null) =>
        new(ByReflection.Versioned with { Limits = limits ?? FormatterLimits.Default });
}
