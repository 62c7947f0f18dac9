using System.Text;

namespace Formatters.TradeEngine.Extraction;

/// <summary>The names of the elements that a component needs: four of the header, then the criteria.</summary>
internal static class FieldNames
{
    internal const int Variant = 0;
    internal const int Version = 1;
    internal const int Party = 2;
    internal const int Sender = 3;
    internal const int FirstCriterion = 4;

    private static readonly byte[][] Names =
        [.. new[] { "Variant", "Version", "Party", "Sender" }.Concat(Enum.GetNames<Criterion>()).Select(Encoding.ASCII.GetBytes)];

    private static readonly int[] ByHash = CreateIndex();

    private static readonly int[][] ByType = [.. Enum.GetValues<MessageType>().Select(FieldsOf)];

    /// <summary>All names, as ASCII.</summary>
    internal static ReadOnlySpan<byte[]> All => Names;

    /// <summary>Which fields the messages of a type have, in the order of <see cref="All"/>.</summary>
    internal static ReadOnlySpan<int> Of(MessageType type) => ByType[Array.IndexOf(Enum.GetValues<MessageType>(), type)];

    /// <returns>-1 if no component needs the element.</returns>
    internal static int IndexOf(ReadOnlySpan<byte> name)
    {
        if (name.Length < 4)
            return -1;
        for (int slot = HashOf(name); ByHash[slot] >= 0; slot = (slot + 1) & (ByHash.Length - 1))
        {
            if (name.SequenceEqual(Names[ByHash[slot]]))
                return ByHash[slot];
        }

        return -1;
    }

    private static int HashOf(ReadOnlySpan<byte> name) => ((name.Length * 31) + (name[0] * 7) + (name[^2] * 3) + name[2]) & 127;

    private static int[] CreateIndex()
    {
        int[] index = new int[128];
        Array.Fill(index, -1);
        for (int i = 0; i < Names.Length; i++)
        {
            int slot = HashOf(Names[i]);
            while (index[slot] >= 0)
                slot = (slot + 1) & (index.Length - 1);
            index[slot] = i;
        }

        return index;
    }

    private static int[] FieldsOf(MessageType type)
    {
        if (!MessageTypes.Inbound.Contains(type))
            return [];
        var values = new CriterionValues();
        TradeMessage message = type switch
        {
            MessageType.NoticeOfExecution => new NoticeOfExecution { Market = "X", TradeCurrency = "X" },
            MessageType.Allocation => new AllocationMessage { Market = "X", TradeCurrency = "X", Account = "X" },
            MessageType.NetProceeds => new NetProceedsMessage { SettlementCurrency = "X", TradeCurrency = "X" },
            _ => new SettlementMessage { Account = "X", SettlementCurrency = "X", PlaceOfSettlement = "X" },
        };
        message.Terms = new TradeTerms { TradeReference = "X", ExecutingBroker = "X", InvestmentManager = "X", Security = "X" };
        message.CollectCriteria(values);
        return [.. Enumerable.Range(0, FirstCriterion)
            .Concat(Enumerable.Range(0, CriterionSet.Count).Where(i => values.Present.Contains((Criterion)i))
            .Select(i => i + FirstCriterion))];
    }
}
