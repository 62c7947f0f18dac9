using System.Xml.Serialization;

namespace Formatters.TradeEngine.Messages;

/// <summary>NPR: what is to be paid.</summary>
[MessageContract(Formats = Contracts.AllFormats)]
[XmlRoot("NPR")]
public sealed partial class NetProceedsMessage : TradeMessage
{
    /// <summary>The day on which the trade settles, as a number: 20261126.</summary>
    [MessageMember(3)]
    public int SettlementDate { get; set; }

    /// <summary>The currency of the amounts.</summary>
    [MessageMember(4)]
    public string SettlementCurrency { get; set; } = "";

    /// <summary>Quantity times price.</summary>
    [MessageMember(5)]
    public decimal GrossAmount { get; set; }

    /// <summary>The broker's commission.</summary>
    [MessageMember(6)]
    public decimal Commission { get; set; }

    /// <summary>Taxes and fees.</summary>
    [MessageMember(7)]
    public decimal Charges { get; set; }

    /// <summary>Of a purchase the gross amount and commission and charges; of a sale the gross amount without them.</summary>
    [MessageMember(8)]
    public decimal NetAmount { get; set; }

    /// <summary>The currency of the price.</summary>
    [MessageMember(9)]
    public string TradeCurrency { get; set; } = "";

    /// <summary>The name and address of the paying bank, for people.</summary>
    [MessageMember(10)]
    public string PayingBankName { get; set; } = "";

    /// <summary>The name and address of the receiving bank, for people.</summary>
    [MessageMember(11)]
    public string ReceivingBankName { get; set; } = "";

    /// <summary>A free-text remark.</summary>
    [MessageMember(12)]
    public string Narrative { get; set; } = "";

    private protected override void CollectOwnCriteria(CriterionValues values)
    {
        values.SetCode(Criterion.TradeCurrency, TradeCurrency);
        values.Set(Criterion.SettlementDate, SettlementDate);
        values.SetCode(Criterion.SettlementCurrency, SettlementCurrency);
        values.SetAmount(Criterion.NetAmount, NetAmount);
        values.SetAmount(Criterion.Commission, Commission);
    }
}
