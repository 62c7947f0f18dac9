using System.Linq;
using Formatters.TradeEngine.Matching;

namespace Formatters.TradeEngine.Store.Embedded;

/// <summary>The kinds of records in the log of a database.</summary>
internal enum RecordKind : byte
{
    /// <summary>A message was applied.</summary>
    Applied = 1,

    /// <summary>What a delivery has led to is in its queue.</summary>
    Settled = 2,

    /// <summary>A trade as it is.</summary>
    Snapshot = 3,

    /// <summary>A trade was given up.</summary>
    Expired = 4,

    /// <summary>Trades of earlier days are gone.</summary>
    Cleared = 5,

    /// <summary>What a delivery has led to, and is not yet settled; after a compaction.</summary>
    Unsettled = 6,
}

/// <summary>How states and statements are written into records.</summary>
internal static class StoreRecords
{
    /// <summary>The longest key: two numbers of 8 bytes, and a day.</summary>
    internal const int MaxKeyByteCount = 8 + 5 + 8;

    internal static void Write(RecordBuffer buffer, in TradeKey key)
    {
        buffer.WriteInt64(key.Broker);
        buffer.WriteUnsigned((ulong)key.TradeDate);
        buffer.WriteInt64(key.Reference);
    }

    internal static TradeKey ReadKey(ref RecordReader reader)
    {
        long broker = reader.ReadInt64();
        int date = reader.ReadCount();
        return new TradeKey(broker, date, reader.ReadInt64());
    }

    internal static void Write(RecordBuffer buffer, in Statement statement)
    {
        buffer.WriteByte((byte)statement.Status);
        if (statement.Status == StatementStatus.None)
            return;
        buffer.WriteUnsigned((ulong)statement.Version);
        if (statement.Status != StatementStatus.Stated)
            return;
        buffer.WriteUnsigned(statement.Present.Bits);
        foreach (long value in statement.Values)
            buffer.WriteSigned(value);
    }

    internal static Statement ReadStatement(ref RecordReader reader)
    {
        var status = (StatementStatus)reader.ReadByte();
        if (status == StatementStatus.None)
            return default;
        int version = reader.ReadCount();
        if (status != StatementStatus.Stated)
            return new Statement(version, status, default, []);
        var present = new CriterionSet((uint)reader.ReadUnsigned());
        long[] values = new long[present.CountOf()];
        for (int i = 0; i < values.Length; i++)
            values[i] = reader.ReadSigned();
        return new Statement(version, status, present, values);
    }

    /// <summary>Writes a trade. A matched one has each of its 17 values once.</summary>
    internal static void Write(RecordBuffer buffer, TradeState state)
    {
        Write(buffer, state.Key);
        buffer.WriteInt64(state.FirstSeen);
        buffer.WriteByte((byte)((state.IsMatched ? 1 : 0) | (state.IsExpired ? 2 : 0)));
        buffer.WriteUnsigned((ulong)state.MatchCount);
        if (!state.IsMatched)
        {
            foreach (ref readonly Statement statement in state.Statements)
                Write(buffer, statement);
            return;
        }

        for (int criterion = 0; criterion < CriterionSet.Count; criterion++)
            buffer.WriteSigned(state.ValueOf((Criterion)criterion));
        foreach (ref readonly Statement statement in state.Statements)
        {
            buffer.WriteUnsigned((ulong)statement.Version);
            buffer.WriteUnsigned(statement.Present.Bits);
        }
    }

    internal static TradeState ReadState(ref RecordReader reader)
    {
        TradeKey key = ReadKey(ref reader);
        var state = new TradeState(key, reader.ReadInt64());
        byte flags = reader.ReadByte();
        int matchCount = reader.ReadCount();
        bool isMatched = (flags & 1) != 0;
        state.Restore(isMatched, matchCount, (flags & 2) != 0);
        if (!isMatched)
        {
            for (int slot = 0; slot < Slots.Count; slot++)
                state.Restore(slot, ReadStatement(ref reader));
            return state;
        }

        long[] values = new long[CriterionSet.Count];
        for (int i = 0; i < values.Length; i++)
            values[i] = reader.ReadSigned();
        for (int slot = 0; slot < Slots.Count; slot++)
        {
            int version = reader.ReadCount();
            var present = new CriterionSet((uint)reader.ReadUnsigned());
            long[] own = [.. values.Where((_, criterion) => present.Contains((Criterion)criterion))];
            state.Restore(slot, new Statement(version, StatementStatus.Stated, present, own));
        }

        return state;
    }

    internal static void Write(RecordBuffer buffer, Emission emission)
    {
        buffer.WriteByte((byte)emission.Transition);
        buffer.WriteUnsigned((ulong)emission.Number);
        Write(buffer, emission.Terms.Key);
        buffer.WriteInt64(emission.Terms.Manager);
        buffer.WriteInt64(emission.Terms.Security);
        buffer.WriteByte((byte)emission.Terms.Side);
    }

    internal static Emission ReadEmission(ref RecordReader reader)
    {
        var transition = (Transition)reader.ReadByte();
        int number = reader.ReadCount();
        TradeKey key = ReadKey(ref reader);
        long manager = reader.ReadInt64();
        long security = reader.ReadInt64();
        return new Emission(transition, number, new TradeTermsCodes(key, manager, security, reader.ReadByte()));
    }
}
