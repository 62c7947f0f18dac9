namespace Formatters.TradeEngine.Matching;

/// <summary>The outcome of a message in the store.</summary>
internal enum ApplyOutcome
{
    /// <summary>It holds now.</summary>
    Applied = 0,

    /// <summary>The store has it already.</summary>
    Duplicate = 1,

    /// <summary>A higher version is there already.</summary>
    Superseded = 2,

    /// <summary>Another statement of the same version is there, and holds.</summary>
    Conflict = 3,

    /// <summary>Another statement of the same version was there, and this one holds now.</summary>
    ConflictReplaced = 4,

    Expired = 5,

    /// <summary>The trade is of a day that has been cleared.</summary>
    Cleared = 6,
}

/// <summary>The change of a trade's matched state by a message.</summary>
internal enum Transition : byte
{
    None = 0,

    /// <summary>All seven agree: a CLS.</summary>
    Matched = 1,

    /// <summary>They do no longer: the CLS is taken back.</summary>
    Unmatched = 2,
}

/// <summary>The messages of a trade and what they add up to: a function of which messages have come, not of their order or number.</summary>
[MessageContract(Formats = ContractFormats.Compact)]
internal sealed partial class TradeState(TradeKey key, long firstSeen)
{
    [MessageMember]
    private Statement[] _statements = [.. Enumerable.Repeat(new Statement(0, StatementStatus.None, default, []), Slots.Count)];

    [MessageMember]
    internal TradeKey Key => key;

    /// <summary>When its first message came, in UTC ticks.</summary>
    [MessageMember]
    internal long FirstSeen => firstSeen;

    /// <summary>Whether a CLS holds.</summary>
    [MessageMember]
    internal bool IsMatched { get; private set; }

    /// <summary>How often the trade was matched.</summary>
    [MessageMember]
    internal int MatchCount { get; private set; }

    /// <summary>Whether it was given up before it was matched.</summary>
    [MessageMember]
    internal bool IsExpired { get; set; }

    internal ApplyOutcome Apply(int slot, in Statement statement, out Transition transition)
    {
        transition = Transition.None;
        if (IsExpired)
            return ApplyOutcome.Expired;
        ref Statement held = ref _statements[slot];
        bool isFirst = held.Status == StatementStatus.None;
        int order = isFirst ? 1 : statement.CompareTo(held);
        bool isConflict = !isFirst && statement.Version == held.Version;
        if (order <= 0)
            return order == 0 ? ApplyOutcome.Duplicate : isConflict ? ApplyOutcome.Conflict : ApplyOutcome.Superseded;
        held = statement;
        bool isMatched = FindDifferences(out bool isComplete).Bits == 0 && isComplete;
        if (isMatched != IsMatched)
        {
            transition = isMatched ? Transition.Matched : Transition.Unmatched;
            IsMatched = isMatched;
            MatchCount += isMatched ? 1 : 0;
        }

        return isConflict ? ApplyOutcome.ConflictReplaced : ApplyOutcome.Applied;
    }

    /// <param name="isComplete">Whether all seven are stated.</param>
    internal CriterionSet FindDifferences(out bool isComplete)
    {
        isComplete = true;
        Span<long> seen = stackalloc long[CriterionSet.Count];
        uint known = 0;
        uint different = 0;
        foreach (ref readonly Statement statement in _statements.AsSpan())
        {
            if (statement.Status != StatementStatus.Stated)
            {
                isComplete = false;
                continue;
            }

            int next = 0;
            for (uint rest = statement.Present.Bits; rest != 0; rest &= rest - 1)
            {
                int criterion = System.Numerics.BitOperations.TrailingZeroCount(rest);
                long value = statement.Values[next++];
                if ((known >> criterion & 1) == 0)
                    (seen[criterion], known) = (value, known | 1u << criterion);
                else if (seen[criterion] != value)
                    different |= 1u << criterion;
            }
        }

        return new CriterionSet(different);
    }

    /// <summary>Why the trade is not matched, for people.</summary>
    internal string Explain()
    {
        var reasons = new List<string>();
        for (int slot = 0; slot < Slots.Count; slot++)
        {
            if (_statements[slot].Status != StatementStatus.Stated)
            {
                string status = _statements[slot].Status switch
                {
                    StatementStatus.None => "missing",
                    StatementStatus.Cancelled => "cancelled",
                    _ => "rejected",
                };
                reasons.Add($"{Slots.NameOf(slot)} {status}");
            }
        }

        CriterionSet different = FindDifferences(out _);
        if (different.Bits != 0)
            reasons.Add($"different: {different}");
        return string.Join("; ", reasons);
    }

    /// <summary>A value that all statements have that have one; for a trade with statements.</summary>
    internal long ValueOf(Criterion criterion)
    {
        foreach (ref readonly Statement statement in _statements.AsSpan())
        {
            if (statement.Status == StatementStatus.Stated && statement.Present.Contains(criterion))
                return statement[criterion];
        }

        return 0;
    }
}
