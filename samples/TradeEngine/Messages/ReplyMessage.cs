using System.Xml.Serialization;

namespace Formatters.TradeEngine.Messages;

/// <summary>
/// What the engine answers a participant: <see cref="MessageVariant.Acknowledge"/>, <see cref="MessageVariant.Confirm"/>, <see
/// cref="MessageVariant.Cancel"/>
/// or <see cref="MessageVariant.Reject"/>.
/// </summary>
[MessageContract(Formats = Contracts.AllFormats)]
[XmlRoot("Reply")]
public sealed partial class ReplyMessage
{
    /// <summary>The type of the message that is answered, and what is answered.</summary>
    [MessageMember(1)]
    public MessageHeader Header { get; set; } = new();

    /// <summary>The <see cref="MessageHeader.MessageId"/> of the message that is answered; empty where it could not be read.</summary>
    [MessageMember(2)]
    public string AnsweredMessageId { get; set; } = "";

    /// <summary>The trade; empty where the message could not be read.</summary>
    [MessageMember(3)]
    public string TradeReference { get; set; } = "";

    /// <summary>Why a message is rejected, else empty.</summary>
    [MessageMember(4)]
    public string Reason { get; set; } = "";
}
