using Formatters.TradeEngine.StaticData;

namespace Formatters.TradeEngine.Components;

/// <summary>Finds what is wrong with a message by itself, against the reference data. Not for several threads.</summary>
internal sealed class MessageValidator(ReferenceData data)
{
    /// <summary>The values of the last message that was valid.</summary>
    internal CriterionValues Values { get; } = new();

    /// <summary>Validates a message, and collects its values.</summary>
    /// <param name="type">The type that its label named.</param>
    /// <param name="text">What is wrong, for people.</param>
    internal ExceptionReason Validate(TradeMessage message, MessageType type, out string text)
    {
        MessageHeader header = message.Header;
        text = "";
        if (header.Type != type)
            return Wrong(ExceptionReason.WrongType, $"The header says {MessageTypes.CodeOf(header.Type)}, the label {MessageTypes.CodeOf(type)}.",
                out text);
        if (header.Variant is not (MessageVariant.New or MessageVariant.Replace or MessageVariant.Cancel or MessageVariant.Affirm
            or MessageVariant.Reject))
            return Wrong(ExceptionReason.WrongType, $"The variant {header.Variant} is not one that participants send.", out text);
        if (Slots.IndexOf(type, header.Party) < 0)
            return Wrong(ExceptionReason.WrongType, $"The party {header.Party} has no {MessageTypes.CodeOf(type)}.", out text);
        if (header.Version < 1)
            return Wrong(ExceptionReason.InvalidVersion, $"The version is {header.Version}.", out text);
        try
        {
            message.CollectCriteria(Values);
        }
        catch (InvalidCriterionException e)
        {
            return Wrong(ExceptionReason.InvalidValue, e.Message, out text);
        }

        ExceptionReason reason = ValidateTerms(message, out text);
        return reason != ExceptionReason.None ? reason : message switch
        {
            NoticeOfExecution notice => ValidateExecution(notice.Quantity, notice.Price, out text),
            AllocationMessage allocation => ValidateExecution(allocation.Quantity, allocation.Price, out text),
            NetProceedsMessage proceeds => ValidateProceeds(proceeds, out text),
            SettlementMessage settlement => ValidateSettlement(settlement, out text),
            _ => throw new ArgumentException($"{message.GetType().Name} is not a message that the engine takes in.", nameof(message)),
        };
    }

    private static ExceptionReason Wrong(ExceptionReason reason, string what, out string text)
    {
        text = what;
        return reason;
    }

    private ExceptionReason ValidateTerms(TradeMessage message, out string text)
    {
        TradeTerms terms = message.Terms;
        if (!data.IsParticipant(Values[Criterion.ExecutingBroker]))
            return Wrong(ExceptionReason.UnknownParticipant, $"The executing broker '{terms.ExecutingBroker}' is not a participant.", out text);
        if (!data.IsParticipant(Values[Criterion.InvestmentManager]))
            return Wrong(ExceptionReason.UnknownParticipant, $"The investment manager '{terms.InvestmentManager}' is not a participant.", out text);
        string party = message.Header.Party == Party.ExecutingBroker ? terms.ExecutingBroker : terms.InvestmentManager;
        if (message.Header.Sender != party)
            return Wrong(ExceptionReason.SenderNotParty, $"The sender '{message.Header.Sender}' is not the party '{party}' for which it speaks.",
                out text);
        if (!data.IsSecurity(Values[Criterion.Security]))
            return Wrong(ExceptionReason.UnknownSecurity, $"The security '{terms.Security}' is not known.", out text);
        if (!data.IsTradeDate(Values[Criterion.TradeDate]))
            return Wrong(ExceptionReason.InvalidTradeDate, $"The trade date {terms.TradeDate} is not a day of trade.", out text);
        if (terms.Side is not (TradeSide.Buy or TradeSide.Sell))
            return Wrong(ExceptionReason.InvalidValue, "The side is neither Buy nor Sell.", out text);
        if (IsUnknown(Criterion.Market) || IsUnknown(Criterion.PlaceOfSettlement))
            return Wrong(ExceptionReason.UnknownCountry, "The country of the market or of the settlement is not known.", out text);
        if (IsUnknownCurrency(Criterion.TradeCurrency) || IsUnknownCurrency(Criterion.SettlementCurrency))
            return Wrong(ExceptionReason.UnknownCurrency, "The currency is not known.", out text);
        text = "";
        return ExceptionReason.None;
    }

    private bool IsUnknown(Criterion country) => Values.Present.Contains(country) && !data.IsCountry(Values[country]);

    private bool IsUnknownCurrency(Criterion currency) => Values.Present.Contains(currency) && !data.IsCurrency(Values[currency]);

    private static ExceptionReason ValidateExecution(long quantity, decimal price, out string text)
    {
        if (quantity <= 0)
            return Wrong(ExceptionReason.InvalidQuantity, $"The quantity is {quantity}.", out text);
        if (price <= 0)
            return Wrong(ExceptionReason.InvalidAmount, "The price is not more than zero.", out text);
        text = "";
        return ExceptionReason.None;
    }

    private ExceptionReason ValidateProceeds(NetProceedsMessage message, out string text)
    {
        if (!data.IsSettlementDate(message.SettlementDate))
            return Wrong(ExceptionReason.InvalidSettlementDate, $"{message.SettlementDate} is not a day on which trades settle.", out text);
        decimal deductions = message.Commission + message.Charges;
        decimal net = message.Terms.Side == TradeSide.Buy ? message.GrossAmount + deductions : message.GrossAmount - deductions;
        if (message.GrossAmount <= 0 || message.NetAmount <= 0 || message.Commission < 0 || message.Charges < 0 || net != message.NetAmount)
            return Wrong(ExceptionReason.InvalidAmount, "The net amount is not what gross amount, commission and charges make.", out text);
        text = "";
        return ExceptionReason.None;
    }

    private ExceptionReason ValidateSettlement(SettlementMessage message, out string text)
    {
        if (message.Quantity <= 0)
            return Wrong(ExceptionReason.InvalidQuantity, $"The quantity is {message.Quantity}.", out text);
        if (message.NetAmount <= 0)
            return Wrong(ExceptionReason.InvalidAmount, "The net amount is not more than zero.", out text);
        if (!data.IsSettlementDate(message.SettlementDate))
            return Wrong(ExceptionReason.InvalidSettlementDate, $"{message.SettlementDate} is not a day on which trades settle.", out text);
        if (!data.IsPaymentDate(message.PaymentDate))
            return Wrong(ExceptionReason.InvalidPaymentDate, $"{message.PaymentDate} is not a day on which money is paid.", out text);
        text = "";
        return ExceptionReason.None;
    }
}
