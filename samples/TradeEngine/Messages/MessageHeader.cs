namespace Formatters.TradeEngine.Messages;

public sealed class MessageHeader
{
    /// <summary>The sender's own number of the message, up to 20 characters.</summary>
    [MessageMember(1)]
    public string MessageId { get; set; } = "";

    /// <summary>The type, the same as the label of the message.</summary>
    [MessageMember(2)]
    public MessageType Type { get; set; }

    [MessageMember(3)]
    public MessageVariant Variant { get; set; }

    /// <summary>1 for the first statement of this type and party, one more for each later one.</summary>
    [MessageMember(4)]
    public int Version { get; set; } = 1;

    /// <summary>On which side of the trade the sender is.</summary>
    [MessageMember(5)]
    public Party Party { get; set; }

    /// <summary>The code of the participant that sends the message.</summary>
    [MessageMember(6)]
    public string Sender { get; set; } = "";

    /// <summary>The code of the participant or utility for which it is.</summary>
    [MessageMember(7)]
    public string Receiver { get; set; } = "";

    /// <summary>When the sender made it, in UTC.</summary>
    [MessageMember(8)]
    public DateTime CreatedAt { get; set; }
}
