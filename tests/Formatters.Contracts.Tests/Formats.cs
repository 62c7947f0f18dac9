namespace Formatters.Contracts.Tests;

/// <summary>Sets of formats, for attributes.</summary>
internal static class Formats
{
    /// <summary>The formats that share the traversal.</summary>
    internal const ContractFormats Traversed = ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact;
}
