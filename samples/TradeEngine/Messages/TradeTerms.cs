namespace Formatters.TradeEngine.Messages;

/// <summary>Which trade a message is about; the first six of the <see cref="Matching.Criterion"/> values, in every message.</summary>
public sealed class TradeTerms
{
    /// <summary>The reference that the executing broker has given the trade: up to 12 characters of 0 to 9 and A to Z.</summary>
    [MessageMember(1)]
    public string TradeReference { get; set; } = "";

    /// <summary>The code of the participant that executed the trade.</summary>
    [MessageMember(2)]
    public string ExecutingBroker { get; set; } = "";

    /// <summary>The code of the participant for which it was executed.</summary>
    [MessageMember(3)]
    public string InvestmentManager { get; set; } = "";

    /// <summary>The code of the security: an ISIN of 12 characters.</summary>
    [MessageMember(4)]
    public string Security { get; set; } = "";

    /// <summary>Whether the investment manager buys or sells.</summary>
    [MessageMember(5)]
    public TradeSide Side { get; set; }

    /// <summary>The day of the trade as a number: 20261124 is 24 November 2026.</summary>
    [MessageMember(6)]
    public int TradeDate { get; set; }
}
