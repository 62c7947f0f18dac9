namespace Formatters.TradeEngine.Messages;

/// <summary>The constants that the contracts of the messages share.</summary>
internal static class Contracts
{
    /// <summary>Every format that the generator writes.</summary>
    internal const ContractFormats AllFormats =
        ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact
        | ContractFormats.Protobuf | ContractFormats.Xml;
}
