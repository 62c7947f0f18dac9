using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters;

internal static partial class WireWalk<TFormat>
{
    /// <summary>Writes the members together with the stored unknown ones.</summary>
    internal static void WriteMembers(ref WireWriter writer, TraversedRecord record, object value, UnknownMembers? unknown)
    {
        int current = -1;
        try
        {
            if (!record.IsMap)
            {
                WriteElements(ref writer, record, value, unknown, ref current);
                return;
            }

            if (WireCode.EntryCount<TFormat>(unknown, record.Keys) == 0 || !default(TFormat).IsSorted)
            {
                WriteNamed(ref writer, record, value, unknown, ref current);
                return;
            }

            long start = BeginSorted(ref writer);
            WriteNamed(ref writer, record, value, unknown, ref current);
            EndSorted(ref writer, start, isMap: true);
        }
        catch (MessageFormatException e) when (current >= 0 && e.PrependPath(record.Members[current].Name))
        {
            throw;
        }
    }

    private static void WriteRecord(ref WireWriter writer, TraversedRecord record, object? value)
    {
        if (value is null || record.ChecksDerived && value.GetType() != record.Type)
            DerivedObjects.Throw(value, record.Type);
        record.OnSerializing?.Call(value);
        writer.Enter();
        WriteMembers(
            ref writer, record, value, WireCode.TakeUnknown<TFormat>(ref writer, record.Unknown?.Get(value) as UnknownMembers, record.IsMap));
        writer.Leave();
        record.OnSerialized?.Call(value);
    }

    private static void WriteElements(ref WireWriter writer, TraversedRecord record, object value, UnknownMembers? unknown, ref int current)
    {
        int[] memberAt = record.MemberAt;
        int count = WireCode.ElementCount<TFormat>(unknown, memberAt.Length);
        WriteArrayHeader(ref writer, count);
        for (int i = 0; i < count; i++)
        {
            current = i < memberAt.Length ? memberAt[i] : -1;
            if (current < 0)
                writer.End(ref WireCode.WriteElements<TFormat>(ref writer, ref writer.Output.Position, unknown, i, i + 1));
            else
                Write(ref writer, record.Members[current].Contract, record.Members[current].Get(value));
        }
    }

    private static void WriteNamed(ref WireWriter writer, TraversedRecord record, object value, UnknownMembers? unknown, ref int current)
    {
        WriteMapHeader(ref writer, record.Members.Count + WireCode.EntryCount<TFormat>(unknown, record.Keys));
        for (current = 0; current < record.Members.Count; current++)
        {
            byte[] name = record.Keys[current];
            writer.End(ref WireCode.WriteKey<TFormat>(ref writer, ref writer.Begin(WireCode.MaxValueByteCount + name.Length), name));
            Write(ref writer, record.Members[current].Contract, record.Members[current].Get(value));
        }

        current = -1;
        if (unknown is not null)
            writer.End(ref WireCode.WriteEntries<TFormat>(ref writer, ref writer.Output.Position, unknown, record.Keys));
    }

    private static object ReadRecord(ref WireReader reader, TraversedRecord record, object? existing)
    {
        int byteOffset = reader.ByteOffset;
        if (record.IsLeaf)
            reader.Touch();
        else
            reader.Enter();
        int count = record.IsMap ? default(TFormat).ReadMapHeader(ref reader, 0) : default(TFormat).ReadArrayHeader(ref reader, 0);
        if (record.IsExact && count != record.Members.Count)
            ThrowHelper.ThrowBadValue(byteOffset, record.Type.Name);
        bool isMade = record.Maker.MemberIndexes.Count > 0;
        bool reuses = !isMade && existing is not null && !record.Type.IsValueType && existing.GetType() == record.Type;
        object? value = reuses ? existing : isMade ? null : New(ref reader, record);
        if (reuses)
            Call(ref reader, record.OnDeserializing, value!);
        bool[] isRead = new bool[record.Members.Count];
        object?[]? values = isMade ? new object?[isRead.Length] : null;
        UnknownMembers? unknown = null;
        int current = -1;
        try
        {
            for (int i = 0, next = 0; i < count; i++)
            {
                int keyOffset = reader.ByteOffset;
                current = -1;
                current = record.IsMap ? record.Keys.Read<TFormat>(ref reader, next) : i < record.MemberAt.Length ? record.MemberAt[i] : -1;
                if (current < 0)
                {
                    PassOver(ref reader, record, ref unknown, keyOffset, i);
                    continue;
                }

                if (isRead[current])
                    ContractMethods.ThrowDuplicateKey(keyOffset);
                isRead[current] = true;
                next = current + 1;
                if (!record.Places[current].CanSet && !(isMade && record.Maker.TakesMember(current)))
                    default(TFormat).Skip(ref reader);
                else if (values is not null)
                    values[current] = Read(ref reader, record.Members[current].Contract, null);
                else
                    ReadMember(ref reader, record.Members[current], value!, reuses);
            }

            for (current = 0; current < isRead.Length; current++)
            {
                if (!isRead[current] && record.IsNeeded(current))
                    ThrowHelper.ThrowMissingMember(reader.ByteOffset);
            }

            current = -1;
            value ??= Make(ref reader, record, values!, isRead, ref current);
        }
        catch (MessageFormatException e) when (current >= 0 && e.PrependPath(record.Members[current].Name))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, current >= 0 ? record.Members[current].Name : null);
        }

        if (reuses && Array.IndexOf(isRead, false) >= 0)
            Renew(ref reader, record, value, isRead);
        record.Unknown?.Set(value, unknown);
        if (!record.IsLeaf)
            reader.Leave();
        Call(ref reader, record.OnDeserialized, value);
        return value;
    }

    private static void ReadMember(ref WireReader reader, RecordMember member, object owner, bool reuses)
    {
        object? read = Read(ref reader, member.Contract, reuses ? member.GetReusable(owner) : null);
        member.SetRead(owner, read, reuses, reader.ByteOffset);
    }

    /// <summary>Stores or skips a value without a member.</summary>
    private static void PassOver(ref WireReader reader, TraversedRecord record, ref UnknownMembers? unknown, int keyOffset, int index)
    {
        if (record.Unknown is null)
            default(TFormat).Skip(ref reader);
        else if (record.IsMap)
            WireCode.KeepEntry<TFormat>(ref reader, ref unknown, keyOffset);
        else
            WireCode.KeepElement<TFormat>(ref reader, ref unknown, index, isGap: index < record.MemberAt.Length);
    }

    private static object New(ref WireReader reader, TraversedRecord record)
    {
        try
        {
            object value = record.Maker.Make(null);
            record.OnDeserializing?.Call(value);
            return value;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e);
        }
    }

    private static void Call(ref WireReader reader, RecordCallbacks? callbacks, object value)
    {
        try
        {
            callbacks?.Call(value);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e);
        }
    }

    /// <summary>Creates an object from members that have been read.</summary>
    private static object Make(ref WireReader reader, TraversedRecord record, object?[] values, bool[] isRead, ref int current)
    {
        object?[] arguments = (object?[])record.MissingArguments.Clone();
        for (int i = 0; i < arguments.Length; i++)
        {
            int index = record.Maker.MemberIndexes[i];
            if (isRead[index])
                arguments[i] = values[index];
        }

        object value = record.Maker.Make(arguments);
        Call(ref reader, record.OnDeserializing, value);
        for (int i = 0; i < values.Length; i++)
        {
            if (!isRead[i] || record.Maker.TakesMember(i) || !record.Places[i].CanSet)
                continue;
            current = i;
            record.Members[i].SetRead(value, values[i], isReused: false, reader.ByteOffset);
        }

        return value;
    }

    /// <summary>Gives missing members of a reused object the values of a new object.</summary>
    private static void Renew(ref WireReader reader, TraversedRecord record, object value, bool[] isRead)
    {
        object fresh = New(ref reader, record);
        for (int i = 0; i < isRead.Length; i++)
        {
            if (isRead[i] || !record.Places[i].CanSet)
                continue;
            if (record.Members[i].Setting is { IsReplaced: true, IsCollection: true })
                MemberSetting.Empty(record.Members[i].Get(value));
            record.Members[i].Set(value, record.Members[i].Get(fresh));
        }
    }
}
