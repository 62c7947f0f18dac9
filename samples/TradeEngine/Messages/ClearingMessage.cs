using System.Xml.Serialization;

namespace Formatters.TradeEngine.Messages;

/// <summary>CLS: all seven messages of a trade match, or, with <see cref="MessageVariant.Cancel"/>, do not any more.</summary>
[MessageContract(Formats = Contracts.AllFormats)]
[XmlRoot("CLS")]
public sealed partial class ClearingMessage
{
    /// <summary>
    /// What the message says of itself: <see cref="MessageVariant.New"/> or <see cref="MessageVariant.Cancel"/>, and as version how often that has
    /// happened to the trade.
    /// </summary>
    [MessageMember(1)]
    public MessageHeader Header { get; set; } = new();

    /// <summary>Which trade it is about.</summary>
    [MessageMember(2)]
    public TradeTerms Terms { get; set; } = new();
}
