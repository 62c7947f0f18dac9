using Formatters.TradeEngine.StaticData;

namespace Formatters.TradeEngine.Building;

/// <summary>A set of messages, made one after the other as they are asked for: memory does not depend on how many there are.</summary>
internal sealed class MessageSet
{
    private static readonly Defect[] Defects = Enum.GetValues<Defect>()[1..];

    private readonly TradeBuilder _builder;

    /// <param name="data">Of which the trades are made; the same for the engine.</param>
    internal MessageSet(ReferenceData data, MessageSetOptions options)
    {
        Data = data;
        Options = options;
        _builder = new TradeBuilder(data, options);
    }

    internal ReferenceData Data { get; }
    internal MessageSetOptions Options { get; }

    /// <summary>Makes the reference data and the set of these options.</summary>
    internal static MessageSet Create(MessageSetOptions options) => new(new ReferenceData(options.Seed, options.BusinessDate), options);

    internal TradePlan PlanOf(int trade) => _builder.PlanOf(trade);

    /// <summary>How many trades have a CLS that holds when all messages are processed.</summary>
    internal int CountClearings() => CountClearings(0, Options.TradeCount);

    internal int CountClearings(int firstTrade, int tradeCount) => Enumerable.Range(firstTrade, tradeCount)
        .Count(trade => PlanOf(trade) is not (TradePlan.Cancelled or TradePlan.Incomplete));

    internal IEnumerable<SetMessage> GetMessages() => GetMessages(0, Options.TradeCount);

    /// <summary>The messages of some trades, mixed within windows.</summary>
    internal IEnumerable<SetMessage> GetMessages(int firstTrade, int tradeCount)
    {
        var window = new List<SetMessage>();
        for (int first = firstTrade; first < firstTrade + tradeCount; first += Options.Window)
        {
            window.Clear();
            for (int trade = first; trade < Math.Min(first + Options.Window, firstTrade + tradeCount); trade++)
                AddTrade(window, trade);
            Shuffle(window, first);
            foreach (SetMessage message in window)
                yield return message;
        }
    }

    private void AddTrade(List<SetMessage> window, int trade)
    {
        TradePlan plan = PlanOf(trade);
        int changed = _builder.ChangedSlotOf(trade);
        var random = new SeededRandom((((ulong)(uint)Options.Seed << 32) | (uint)trade) ^ 0xDEFEC7);
        for (int slot = 0; slot < TradeBuilder.MessagesPerTrade; slot++)
        {
            if (slot != changed || plan == TradePlan.Plain)
                Add(_builder.Build(trade, slot));
            else
                AddChanged(slot);
        }

        void AddChanged(int slot)
        {
            if (plan == TradePlan.Incomplete)
                return;
            TradeMessage first = _builder.Build(trade, slot);
            if (plan == TradePlan.ReplacedBeforeMatch)
                TradeBuilder.Disagree(first);
            Add(first);
            switch (plan)
            {
                case TradePlan.ReplacedBeforeMatch:
                    Add(_builder.Build(trade, slot, MessageVariant.Replace, 2));
                    break;
                case TradePlan.CancelledAndReplaced:
                    Add(_builder.Build(trade, slot, MessageVariant.Cancel, 2));
                    Add(_builder.Build(trade, slot, MessageVariant.Replace, 3));
                    break;
                case TradePlan.RejectedAndAffirmed:
                    Add(_builder.Build(trade, slot, MessageVariant.Reject, 2));
                    Add(_builder.Build(trade, slot, MessageVariant.Affirm, 3));
                    break;
                default:
                    Add(_builder.Build(trade, slot, MessageVariant.Cancel, 2));
                    break;
            }
        }

        void Add(TradeMessage message)
        {
            var good = new SetMessage(MessageTypes.CodeOf(message.Header.Type), message.Header.MessageId, message);
            window.Add(good);
            if (random.Happens(Options.DuplicateShare))
                window.Add(good);
            if (random.Happens(Options.BadShare))
                window.Add(Spoil(trade, random.Below(TradeBuilder.MessagesPerTrade), random.From(Defects), window.Count));
        }
    }

    /// <summary>Makes a message of a trade again, with an id of its own and something wrong.</summary>
    private SetMessage Spoil(int trade, int slot, Defect defect, int number)
    {
        TradeMessage message = _builder.Build(trade, slot, MessageVariant.Replace, 9);
        message.Header.MessageId = string.Create(CultureInfo.InvariantCulture, $"B{trade:D9}{(int)defect:D2}N{number}");
        string label = MessageTypes.CodeOf(message.Header.Type);
        defect = Apply(message, defect);
        if (defect == Defect.Label)
            label = "XYZ";
        else if (defect == Defect.Misrouted)
            label =
                MessageTypes.CodeOf(message.Header.Type == MessageType.NoticeOfExecution ? MessageType.Settlement : MessageType.NoticeOfExecution);
        return new SetMessage(label, message.Header.MessageId, message, defect);
    }

    /// <summary>Spoils what the message says.</summary>
    /// <returns>The defect, or another one where the type has no such value.</returns>
    private static Defect Apply(TradeMessage message, Defect defect)
    {
        switch (defect)
        {
            case Defect.UnknownParticipant:
                message.Terms.InvestmentManager = "NOBODYXX";
                break;
            case Defect.UnknownSecurity:
                message.Terms.Security = "XX0000000000";
                break;
            case Defect.Sender:
                message.Header.Sender = TradeBuilder.Utility;
                break;
            case Defect.Code:
                message.Terms.TradeReference = "no code";
                break;
            case Defect.UnknownCurrency:
                SetCurrency(message, "XXX");
                break;
            case Defect.UnknownCountry when message is NoticeOfExecution notice:
                notice.Market = "XX";
                break;
            case Defect.UnknownCountry when message is AllocationMessage allocation:
                allocation.Market = "XX";
                break;
            case Defect.UnknownCountry when message is SettlementMessage settlement:
                settlement.PlaceOfSettlement = "XX";
                break;
            case Defect.SettlementDate when message is NetProceedsMessage proceeds:
                proceeds.SettlementDate = 20261332;
                break;
            case Defect.SettlementDate when message is SettlementMessage settlement:
                settlement.SettlementDate = 20261332;
                break;
            case Defect.PaymentDate when message is SettlementMessage settlement:
                settlement.PaymentDate = 19990101;
                break;
            case Defect.Amount when message is NetProceedsMessage proceeds:
                proceeds.NetAmount += 100;
                break;
            case Defect.Quantity when message is NoticeOfExecution notice:
                notice.Quantity = 0;
                break;
            case Defect.Quantity when message is AllocationMessage allocation:
                allocation.Quantity = -1;
                break;
            case Defect.Quantity when message is SettlementMessage settlement:
                settlement.Quantity = 0;
                break;
            case Defect.Truncated or Defect.Label or Defect.Misrouted or Defect.Signature:
                break;
            default:
                message.Terms.Security = "XX0000000000";
                return Defect.UnknownSecurity;
        }

        return defect;
    }

    private static void SetCurrency(TradeMessage message, string currency)
    {
        switch (message)
        {
            case NoticeOfExecution notice:
                notice.TradeCurrency = currency;
                break;
            case AllocationMessage allocation:
                allocation.TradeCurrency = currency;
                break;
            case NetProceedsMessage proceeds:
                proceeds.SettlementCurrency = currency;
                break;
            case SettlementMessage settlement:
                settlement.SettlementCurrency = currency;
                break;
        }
    }

    private void Shuffle(List<SetMessage> window, int number)
    {
        var random = new SeededRandom((((ulong)(uint)Options.Seed << 32) | (uint)number) ^ 0x0BDE12);
        for (int i = window.Count - 1; i > 0; i--)
        {
            int other = random.Below(i + 1);
            (window[i], window[other]) = (window[other], window[i]);
        }
    }
}
