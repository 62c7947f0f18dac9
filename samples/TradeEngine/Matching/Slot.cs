namespace Formatters.TradeEngine.Matching;

/// <summary>The places of a trade's seven messages.</summary>
internal static class Slots
{
    internal const int Count = 7;

    /// <summary>The place of a message.</summary>
    /// <returns>-1 if a trade has none for this type and party.</returns>
    internal static int IndexOf(MessageType type, Party party) => (type, party) switch
    {
        (MessageType.NoticeOfExecution, Party.ExecutingBroker) => 0,
        (MessageType.Allocation, Party.ExecutingBroker) => 1,
        (MessageType.Allocation, Party.InvestmentManager) => 2,
        (MessageType.NetProceeds, Party.ExecutingBroker) => 3,
        (MessageType.NetProceeds, Party.InvestmentManager) => 4,
        (MessageType.Settlement, Party.ExecutingBroker) => 5,
        (MessageType.Settlement, Party.InvestmentManager) => 6,
        _ => -1,
    };

    internal static string NameOf(int slot) => slot switch
    {
        0 => "NOE",
        1 => "ALC of the broker",
        2 => "ALC of the manager",
        3 => "NPR of the broker",
        4 => "NPR of the manager",
        5 => "SET of the broker",
        _ => "SET of the manager",
    };
}

/// <summary>The status of a party's last statement.</summary>
internal enum StatementStatus : byte
{
    None = 0,

    /// <summary>It has taken back what it said.</summary>
    Cancelled = 1,

    /// <summary>It does not agree.</summary>
    Rejected = 2,

    /// <summary>It has stated values.</summary>
    Stated = 3,
}

/// <summary>A statement: what a message means for its trade.</summary>
/// <param name="Version">1 or more.</param>
/// <param name="Values">The values in the order of the criteria; empty unless stated.</param>
internal readonly record struct Statement(int Version, StatementStatus Status, CriterionSet Present, long[] Values)
{
    internal long this[Criterion criterion] => Values[new CriterionSet(Present.Bits & ((1u << (int)criterion) - 1)).CountOf()];

    /// <summary>
    /// Which of two statements holds, whatever the order in which they arrive: the higher version; of equal ones a fixed order of what they say.
    /// </summary>
    internal int CompareTo(in Statement other)
    {
        if (Version != other.Version)
            return Version.CompareTo(other.Version);
        if (Status != other.Status)
            return Status.CompareTo(other.Status);
        if (Status != StatementStatus.Stated)
            return 0;
        return Present.Bits != other.Present.Bits ? Present.Bits.CompareTo(other.Present.Bits)
            : System.MemoryExtensions.SequenceCompareTo<long>(Values, other.Values);
    }
}
