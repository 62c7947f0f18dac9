namespace Formatters.TradeEngine.Messages;

/// <summary>The two sides of a trade.</summary>
public enum Party
{
    /// <summary>Neither: the engine itself.</summary>
    None = 0,

    ExecutingBroker = 1,

    InvestmentManager = 2,
}

/// <summary>The direction of a trade, as the investment manager sees it.</summary>
public enum TradeSide
{
    /// <summary>The investment manager gets securities and pays.</summary>
    Buy = 1,

    /// <summary>The investment manager delivers securities and is paid.</summary>
    Sell = 2,
}
