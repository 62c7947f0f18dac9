using Formatters.TradeEngine.StaticData;

namespace Formatters.TradeEngine.Building;

/// <summary>Makes the messages of a trade from reference data: the trade of a number is always the same.</summary>
internal sealed class TradeBuilder(ReferenceData data, MessageSetOptions options)
{
    /// <summary>The messages of a trade: NOE once, ALC, NPR and SET from each party.</summary>
    internal const int MessagesPerTrade = 7;

    /// <summary>For whom all messages are.</summary>
    internal const string Utility = "CLEARSG1";

    /// <summary>The standing text with which a message is as long as the study's, about 1,500 bytes as XML.</summary>
    private const string Narrative =
        "Executed subject to the rules, customs and usages of the market and of its clearing house, and to the standing agreement between the "
            + "parties. Commission and charges are as agreed. "
        + "Please affirm or reject this message by the end of the business day; what is neither affirmed nor rejected by then is taken as disputed. "
        + "Settlement is by delivery against payment, "
        + "in the depository and through the agents that are named here, on the day that is given.";

    private static readonly DateTime Opening = new(1, 1, 1, 1, 0, 0, DateTimeKind.Utc);

    internal TradePlan PlanOf(int trade)
    {
        var random = new SeededRandom(SeedOf(trade) ^ 0x5EED);
        if (random.Happens(options.IncompleteShare))
            return TradePlan.Incomplete;
        return random.Happens(options.ChangeShare)
            ? (TradePlan)((int)TradePlan.ReplacedBeforeMatch + random.Below(4))
            : TradePlan.Plain;
    }

    /// <summary>The slot whose message is changed or missing: any but NOE, which has only one statement of its facts.</summary>
    internal int ChangedSlotOf(int trade) => 1 + (int)(SeedOf(trade) % (MessagesPerTrade - 1));

    /// <summary>Makes one of the seven messages.</summary>
    /// <param name="slot">0 NOE; 1, 2 ALC; 3, 4 NPR; 5, 6 SET; of two, the first is the executing broker's.</param>
    internal TradeMessage Build(int trade, int slot, MessageVariant variant = MessageVariant.New, int version = 1)
    {
        var random = new SeededRandom(SeedOf(trade));
        Security security = random.From(data.Securities);
        int brokerIndex = random.Below(data.Participants.Length);
        Participant broker = data.Participants[brokerIndex];
        // Another one.
        Participant manager = data.Participants[(brokerIndex + 1 + random.Below(data.Participants.Length - 1)) % data.Participants.Length];
        Participant bank = random.From(data.Participants);
        Participant agent = random.From(data.Participants);
        var side = (TradeSide)(1 + random.Below(2));
        long quantity = 100L * (1 + random.Below(5_000));
        decimal price = new(100 + random.Below(1_000_000), 0, 0, false, 2);
        int settlement = random.From(data.SettlementDates);
        int payment = random.From(data.PaymentDates);
        decimal gross = quantity * price;
        decimal commission = decimal.Round(gross * 0.0025m, 2);
        decimal charges = decimal.Round(gross * 0.0004m, 2);
        decimal net = side == TradeSide.Buy ? gross + commission + charges : gross - commission - charges;
        string account = string.Create(CultureInfo.InvariantCulture, $"AC{random.Below(1_000_000_000):D9}");
        DateTime time = data.BusinessDate.ToDateTime(TimeOnly.FromDateTime(Opening), DateTimeKind.Utc).AddMilliseconds((long)trade * 7 % 28_800_000);

        TradeMessage message = slot switch
        {
            0 => new NoticeOfExecution
            {
                Market = security.Country, Quantity = quantity, Price = price, TradeCurrency = security.Currency, ExecutedAt = time,
                SecurityName = security.Name, BrokerName = broker.Name, ManagerName = manager.Name, Narrative = Narrative,
            },
            1 or 2 => new AllocationMessage
            {
                Market = security.Country, Quantity = quantity, Price = price, TradeCurrency = security.Currency, Account = account,
                AccountName = manager.Name, SecurityName = security.Name, CustodianName = agent.Name, Narrative = Narrative,
            },
            3 or 4 => new NetProceedsMessage
            {
                SettlementDate = settlement, SettlementCurrency = security.Currency, GrossAmount = gross, Commission = commission, Charges = charges,
                    NetAmount = net,
                TradeCurrency = security.Currency, PayingBankName = bank.Name, ReceivingBankName = agent.Name, Narrative = Narrative,
            },
            5 or 6 => new SettlementMessage
            {
                Quantity = quantity, Account = account, SettlementDate = settlement, SettlementCurrency = security.Currency, NetAmount = net,
                PlaceOfSettlement = security.Country, PaymentDate = payment, DeliveringAgentName = agent.Name, ReceivingAgentName = bank.Name,
                    Narrative = Narrative,
            },
            _ => throw new ArgumentOutOfRangeException(nameof(slot), slot, "From 0 to 6."),
        };
        message.Terms = new TradeTerms
        {
            TradeReference =
                ReferenceOf(trade), ExecutingBroker = broker.Code, InvestmentManager = manager.Code, Security = security.Code, Side = side,
            TradeDate = ReferenceData.NumberOf(data.BusinessDate),
        };
        Party party = slot is 0 or 1 or 3 or 5 ? Party.ExecutingBroker : Party.InvestmentManager;
        message.Header = new MessageHeader
        {
            MessageId = string.Create(CultureInfo.InvariantCulture, $"M{trade:D9}S{slot}V{version}"),
            Type = slot == 0 ? MessageType.NoticeOfExecution : (MessageType)(((slot - 1) / 2) + (int)MessageType.Allocation),
            Variant = variant, Version = version, Party = party,
            Sender = party == Party.ExecutingBroker ? broker.Code : manager.Code, Receiver = Utility,
            CreatedAt = time.AddMilliseconds(slot),
        };
        return message;
    }

    /// <summary>The reference of a trade: a letter and eleven digits.</summary>
    internal static string ReferenceOf(int trade) => string.Create(CultureInfo.InvariantCulture, $"T{trade:D11}");

    /// <summary>Makes a message say something else than the other messages of its trade.</summary>
    internal static void Disagree(TradeMessage message)
    {
        switch (message)
        {
            case AllocationMessage allocation:
                allocation.Account = "AC000000000X";
                break;
            case NetProceedsMessage proceeds:
                decimal more = proceeds.Terms.Side == TradeSide.Buy ? 0.01m : -0.01m;
                proceeds.Commission += 0.01m;
                proceeds.NetAmount += more;
                break;
            case SettlementMessage settlement:
                settlement.Account = "AC000000000X";
                break;
            default:
                throw new ArgumentException("A notice of execution has one statement only.", nameof(message));
        }
    }

    private ulong SeedOf(int trade) => new SeededRandom(((ulong)(uint)options.Seed << 32) | (uint)trade).Next();
}
