namespace Formatters.Contracts.Tests;

/// <summary>Options under which the generated contract of a type is not used.</summary>
internal static class ByReflection
{
    internal static readonly BinaryBodyOptions Binary = new() { UseGeneratedContract = false };

    internal static readonly VersionedOptions Versioned = new() { UseGeneratedContract = false };

    internal static readonly MessagePackOptions MessagePack = new() { UseGeneratedContract = false };

    internal static readonly CborOptions Cbor = new() { UseGeneratedContract = false };

    internal static readonly CompactOptions Compact = new() { UseGeneratedContract = false };

    internal static readonly CustomFormatOptions Custom = new() { UseGeneratedContract = false };

    internal static readonly ProtobufOptions Protobuf = new() { UseGeneratedContract = false };

    internal static readonly XmlOptions Xml = new() { UseGeneratedContract = false };

    /// <summary>Returns the options of one format.</summary>
    internal static ContractOptions Of(WireFormat format, FormatterLimits? limits) =>
        (ContractOptions)format.DefaultOptions with { UseGeneratedContract = false, Limits = limits ?? FormatterLimits.Default };
}
