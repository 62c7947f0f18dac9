using System.Numerics;

namespace Formatters.TradeEngine.Matching;

/// <summary>The 17 values in which the messages of a trade must agree. Each is in at least two of the seven messages.</summary>
public enum Criterion
{
    /// <summary>All types.</summary>
    TradeReference = 0,

    /// <summary>All types.</summary>
    ExecutingBroker = 1,

    /// <summary>All types.</summary>
    InvestmentManager = 2,

    /// <summary>All types.</summary>
    Security = 3,

    /// <summary>All types.</summary>
    Side = 4,

    /// <summary>All types.</summary>
    TradeDate = 5,

    /// <summary>NOE and ALC.</summary>
    Market = 6,

    /// <summary>NOE, ALC and SET.</summary>
    Quantity = 7,

    /// <summary>NOE and ALC.</summary>
    Price = 8,

    /// <summary>NOE, ALC and NPR.</summary>
    TradeCurrency = 9,

    /// <summary>ALC and SET.</summary>
    Account = 10,

    /// <summary>NPR and SET.</summary>
    SettlementDate = 11,

    /// <summary>NPR and SET.</summary>
    SettlementCurrency = 12,

    /// <summary>NPR and SET.</summary>
    NetAmount = 13,

    /// <summary>Both NPR.</summary>
    Commission = 14,

    /// <summary>Both SET.</summary>
    PlaceOfSettlement = 15,

    /// <summary>Both SET.</summary>
    PaymentDate = 16,
}

/// <summary>Some of the 17 criteria; the lowest bit is the first.</summary>
internal readonly record struct CriterionSet(uint Bits)
{
    internal const int Count = 17;

    internal bool Contains(Criterion criterion) => (Bits >> (int)criterion & 1) != 0;

    internal CriterionSet With(Criterion criterion) => new(Bits | 1u << (int)criterion);

    internal int CountOf() => BitOperations.PopCount(Bits);

    /// <summary>The names, separated by commas.</summary>
    public override string ToString()
    {
        uint bits = Bits;
        return string.Join(", ", Array.FindAll(Enum.GetValues<Criterion>(), criterion => (bits >> (int)criterion & 1) != 0));
    }
}
