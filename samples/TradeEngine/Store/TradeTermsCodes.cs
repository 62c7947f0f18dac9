namespace Formatters.TradeEngine.Store;

/// <summary>The terms of a trade as the store holds them, for the messages about it.</summary>
/// <param name="Manager">The investment manager, packed.</param>
/// <param name="Security">The security, packed.</param>
internal readonly record struct TradeTermsCodes(TradeKey Key, long Manager, long Security, int Side)
{
    /// <summary>The terms of a trade's own statements.</summary>
    internal static TradeTermsCodes Of(TradeState state) =>
        new(state.Key, state.ValueOf(Criterion.InvestmentManager), state.ValueOf(Criterion.Security), (int)state.ValueOf(Criterion.Side));

    /// <summary>The terms as in a message.</summary>
    internal TradeTerms ToTerms() => new()
    {
        TradeReference = PackedCode.Unpack(Key.Reference),
        ExecutingBroker = PackedCode.Unpack(Key.Broker),
        InvestmentManager = PackedCode.Unpack(Manager),
        Security = PackedCode.Unpack(Security),
        Side = (TradeSide)Side,
        TradeDate = Key.TradeDate,
    };
}
