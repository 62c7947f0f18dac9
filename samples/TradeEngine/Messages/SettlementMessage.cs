using System.Xml.Serialization;

namespace Formatters.TradeEngine.Messages;

/// <summary>SET: where and when securities and money change hands.</summary>
[MessageContract(Formats = Contracts.AllFormats)]
[XmlRoot("SET")]
public sealed partial class SettlementMessage : TradeMessage
{
    /// <summary>How many units are delivered.</summary>
    [MessageMember(3)]
    public long Quantity { get; set; }

    /// <summary>The account: up to 12 characters of 0 to 9 and A to Z.</summary>
    [MessageMember(4)]
    public string Account { get; set; } = "";

    /// <summary>The day on which the securities are delivered, as a number: 20261126.</summary>
    [MessageMember(5)]
    public int SettlementDate { get; set; }

    /// <summary>The currency of the payment.</summary>
    [MessageMember(6)]
    public string SettlementCurrency { get; set; } = "";

    /// <summary>The amount to pay.</summary>
    [MessageMember(7)]
    public decimal NetAmount { get; set; }

    /// <summary>The code of the country in whose depository the securities are delivered.</summary>
    [MessageMember(8)]
    public string PlaceOfSettlement { get; set; } = "";

    /// <summary>The day on which the money is paid, as a number: 20261126.</summary>
    [MessageMember(9)]
    public int PaymentDate { get; set; }

    /// <summary>The name and address of the delivering agent, for people.</summary>
    [MessageMember(10)]
    public string DeliveringAgentName { get; set; } = "";

    /// <summary>The name and address of the receiving agent, for people.</summary>
    [MessageMember(11)]
    public string ReceivingAgentName { get; set; } = "";

    /// <summary>A free-text remark.</summary>
    [MessageMember(12)]
    public string Narrative { get; set; } = "";

    private protected override void CollectOwnCriteria(CriterionValues values)
    {
        values.Set(Criterion.Quantity, Quantity);
        values.SetCode(Criterion.Account, Account);
        values.Set(Criterion.SettlementDate, SettlementDate);
        values.SetCode(Criterion.SettlementCurrency, SettlementCurrency);
        values.SetAmount(Criterion.NetAmount, NetAmount);
        values.SetCode(Criterion.PlaceOfSettlement, PlaceOfSettlement);
        values.Set(Criterion.PaymentDate, PaymentDate);
    }
}
