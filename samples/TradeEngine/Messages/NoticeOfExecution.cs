using System.Xml.Serialization;

namespace Formatters.TradeEngine.Messages;

/// <summary>NOE: the executing broker says what was traded.</summary>
[MessageContract(Formats = Contracts.AllFormats)]
[XmlRoot("NOE")]
public sealed partial class NoticeOfExecution : TradeMessage
{
    /// <summary>The code of the country whose market it was.</summary>
    [MessageMember(3)]
    public string Market { get; set; } = "";

    /// <summary>How many units.</summary>
    [MessageMember(4)]
    public long Quantity { get; set; }

    /// <summary>The price of one, with up to four decimals.</summary>
    [MessageMember(5)]
    public decimal Price { get; set; }

    /// <summary>The currency of the price.</summary>
    [MessageMember(6)]
    public string TradeCurrency { get; set; } = "";

    /// <summary>When it was executed, in UTC.</summary>
    [MessageMember(7)]
    public DateTime ExecutedAt { get; set; }

    /// <summary>The name of the security, for people.</summary>
    [MessageMember(8)]
    public string SecurityName { get; set; } = "";

    /// <summary>The name and address of the executing broker, for people.</summary>
    [MessageMember(9)]
    public string BrokerName { get; set; } = "";

    /// <summary>The name and address of the investment manager, for people.</summary>
    [MessageMember(10)]
    public string ManagerName { get; set; } = "";

    /// <summary>A free-text remark.</summary>
    [MessageMember(11)]
    public string Narrative { get; set; } = "";

    private protected override void CollectOwnCriteria(CriterionValues values)
    {
        values.SetCode(Criterion.Market, Market);
        values.Set(Criterion.Quantity, Quantity);
        values.SetAmount(Criterion.Price, Price);
        values.SetCode(Criterion.TradeCurrency, TradeCurrency);
    }
}
