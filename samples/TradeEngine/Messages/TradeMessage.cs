namespace Formatters.TradeEngine.Messages;

/// <summary>One of the messages that the engine takes in.</summary>
public abstract class TradeMessage
{
    [MessageMember(1)]
    public MessageHeader Header { get; set; } = new();

    /// <summary>Which trade it is about.</summary>
    [MessageMember(2)]
    public TradeTerms Terms { get; set; } = new();

    /// <summary>Gives the values that are matched, in the order of <see cref="Criterion"/>.</summary>
    internal void CollectCriteria(CriterionValues values)
    {
        values.Clear();
        values.SetCode(Criterion.TradeReference, Terms.TradeReference);
        values.SetCode(Criterion.ExecutingBroker, Terms.ExecutingBroker);
        values.SetCode(Criterion.InvestmentManager, Terms.InvestmentManager);
        values.SetCode(Criterion.Security, Terms.Security);
        values.Set(Criterion.Side, (int)Terms.Side);
        values.Set(Criterion.TradeDate, Terms.TradeDate);
        CollectOwnCriteria(values);
    }

    private protected abstract void CollectOwnCriteria(CriterionValues values);
}
