namespace Formatters.TradeEngine.Messages;

/// <summary>What the contracts of the messages have in common.</summary>
internal static class Contracts
{
    /// <summary>Every format that the generator writes.</summary>
    internal const ContractFormats AllFormats =
        ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact
        | ContractFormats.Protobuf | ContractFormats.Xml;
}
