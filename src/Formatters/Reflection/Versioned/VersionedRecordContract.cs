using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using Formatters.Binary;
using Formatters.Generated;

namespace Formatters;

/// <summary>
/// The contract of a class or struct in the versioned wire format: its byte count, its member table, its members in the order of their numbers.
/// </summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class VersionedRecordContract(Type type) : RecordContract(type)
{
    private VersionedMember[] _members = [];

    /// <summary>Gets the members in the order of their numbers, as <see cref="RecordContract.Members"/> has them.</summary>
    internal IReadOnlyList<VersionedMember> Numbered => _members;

    /// <summary>Gets the member table of the type.</summary>
    internal byte[] Table { get; private set; } = [0];

    /// <summary>Gets whether an object is created when all members have been read.</summary>
    internal bool IsMadeAtOnce { get; private set; }

    // A byte count and a table without members: another version may have had none of these.
    internal override int MinByteCount => sizeof(int) + 1;

    /// <summary>Sorts the members by their numbers.</summary>
    /// <returns>For every parameter of the constructor the index of its member, now.</returns>
    internal int[] SetNumbers(List<ReflectedMember> declared, RecordMember[] members, Construction construction, string path)
    {
        var taken = new MemberNumbers(NumberRange.Versioned, NumberedMembers.FindRetired(Type, path, NumberRange.Versioned));
        int[] numbers = [.. declared.Select(m => NumberedMembers.Take(taken, m.Number, m.Name, path + "." + m.Name, NumberRange.Versioned))];
        int[] memberIndexes = construction.MemberIndexes;
        ParameterInfo[] parameters = construction.Constructor?.GetParameters() ?? [];
        _members = new VersionedMember[members.Length];
        for (int i = 0; i < members.Length; i++)
        {
            int parameter = Array.IndexOf(memberIndexes, i);
            _members[i] = new VersionedMember(members[i], numbers[i], parameter < 0 ? null : parameters[parameter]);
        }

        VersionedMember[] old = (VersionedMember[])_members.Clone();
        Array.Sort(_members, (x, y) => x.Number.CompareTo(y.Number));
        for (int i = 0; i < members.Length; i++)
            members[i] = _members[i].Member;
        IsMadeAtOnce = memberIndexes.Length > 0 || Array.Exists(_members, m => m.IsRequired || m.IsInitOnly)
            || Unknown is not null && VersionedMember.IsInit(Unknown);
        Table = CreateTable();
        return Array.ConvertAll(memberIndexes, i => Array.IndexOf(_members, old[i]));
    }

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        if (value is null || ChecksDerived && value.GetType() != Type)
            DerivedObjects.Throw(value, Type);
        writer.EnterRecord();
        OnSerializing?.Call(value);
        WriteMembers(ref writer, value, UnknownMembers.Take(Unknown?.Get(value) as UnknownMembers, BodyTypes.Versioned, isMap: false, writer.Limits));
        OnSerialized?.Call(value);
        writer.LeaveRecord();
    }

    /// <summary>Writes the byte count, the table and the members, together with stored unknown ones.</summary>
    internal void WriteMembers(ref BinaryBodyWriter writer, object value, UnknownMembers? unknown)
    {
        long start = writer.BeginLong();
        if (unknown is not null)
        {
            Span<byte> table = new byte[MemberKind.TableByteCount(MemberKind.MaxNumber)];
            writer.Write(table.Slice(0, unknown.MergeTable(Table, table)));
        }
        else
        {
            writer.Write(Table.AsSpan());
        }

        int after = 0;
        foreach (VersionedMember member in _members)
        {
            unknown?.Write(ref writer, after, member.Number);
            after = member.Number;
            object? memberValue = member.Member.Get(value);
            try
            {
                if (member.IsNullable)
                    writer.Write(memberValue is not null);
                if (!member.IsNullable || memberValue is not null)
                    member.Contract.Write(ref writer, memberValue);
            }
            catch (MessageFormatException e) when (NotePath(e, member.Member.Name))
            {
                throw;
            }
        }

        unknown?.Write(ref writer, after, MemberKind.MaxNumber + 1);
        writer.EndLong(start);
    }

    internal override object? Read(ref BinaryBodyReader reader, object? existing)
    {
        reader.EnterRecord();
        bool isReused = !IsMadeAtOnce && !Type.IsValueType && existing is not null && existing.GetType() == Type;
        var table = new MemberTable(ref reader);
        object? target = IsMadeAtOnce ? null : isReused ? existing : Make(ref reader, null);
        if (target is not null)
            Call(ref reader, OnDeserializing, target);
        object?[] values = new object?[_members.Length];
        bool[] isRead = new bool[_members.Length];
        UnknownMembers? unknown = null;
        while (table.Next(ref reader))
        {
            int number = table.Number;
            int index = Array.FindIndex(_members, m => m.Number == number);
            if (index >= 0)
            {
                values[index] = ReadMember(ref reader, table, _members[index], target, isReused);
                isRead[index] = true;
            }
            else if (Unknown is not null)
            {
                table.Keep(ref reader, ref unknown);
            }
            else
            {
                table.Skip(ref reader);
            }
        }

        table.End(ref reader);
        object value;
        if (target is null)
        {
            value = MakeOf(ref reader, values, isRead);
        }
        else
        {
            value = target;
            SetMissing(ref reader, value, isRead, isReused ? MakeInitial(ref reader) : value);
        }

        Unknown?.Set(value, unknown);
        Call(ref reader, OnDeserialized, value);
        reader.LeaveRecord();
        return value;
    }

    /// <summary>Reads a member, and sets it if the object already exists.</summary>
    private static object? ReadMember(ref BinaryBodyReader reader, MemberTable table, VersionedMember member, object? target, bool isReused)
    {
        try
        {
            object? value = table.IsPresent(ref reader, member.Kind)
                ? member.Contract.Read(ref reader, isReused ? member.Member.GetReusable(target!) : null) : null;
            if (target is not null)
                member.Member.SetRead(target, value, isReused, reader.ByteOffset);
            return value;
        }
        catch (MessageFormatException e) when (NotePath(e, member.Member.Name))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, member.Member.Name);
        }
    }

    private object MakeInitial(ref BinaryBodyReader reader)
    {
        object initial = Make(ref reader, null);
        Call(ref reader, OnDeserializing, initial);
        return initial;
    }

    /// <summary>Gives missing members the values of a new object.</summary>
    private void SetMissing(ref BinaryBodyReader reader, object value, bool[] isRead, object initial)
    {
        for (int i = 0; i < _members.Length; i++)
        {
            if (isRead[i])
                continue;
            if (initial != value)
                Renew(ref reader, value, _members[i].Member, initial);
            FillNull(ref reader, value, _members[i]);
        }
    }

    private object MakeOf(ref BinaryBodyReader reader, object?[] values, bool[] isRead)
    {
        for (int i = 0; i < _members.Length; i++)
        {
            VersionedMember member = _members[i];
            if (isRead[i] || !member.IsRequired && !member.IsTaken)
                continue;
            try
            {
                if (member.IsRequired)
                    ThrowHelper.ThrowMissingMember(reader.ByteOffset);
                values[i] = member.GetDefault(ref reader);
            }
            catch (MessageFormatException e) when (NotePath(e, member.Member.Name))
            {
                throw;
            }
        }

        object?[]? arguments = Maker.MemberIndexes.Count == 0 ? null : new object?[Maker.MemberIndexes.Count];
        for (int i = 0; i < Maker.MemberIndexes.Count; i++)
            arguments![i] = values[Maker.MemberIndexes[i]];
        object value = Make(ref reader, arguments);
        SetOthers(ref reader, value, values, isRead, isInitOnly: true);
        Call(ref reader, OnDeserializing, value);
        SetOthers(ref reader, value, values, isRead, isInitOnly: false);
        return value;
    }

    /// <summary>
    /// Sets the members that the constructor does not take: first those that generated code sets in an object initializer, then the rest.
    /// </summary>
    private void SetOthers(ref BinaryBodyReader reader, object value, object?[] values, bool[] isRead, bool isInitOnly)
    {
        for (int i = 0; i < _members.Length; i++)
        {
            VersionedMember member = _members[i];
            if (!member.IsSetAfterwards(isInitOnly))
                continue;
            if (isRead[i])
                Set(ref reader, value, member.Member, values[i]);
            else
                FillNull(ref reader, value, member);
        }
    }

    /// <summary>Sets an empty value if a new object has a null that its contract does not declare.</summary>
    private static void FillNull(ref BinaryBodyReader reader, object value, VersionedMember member)
    {
        if (!member.IsBadNull(member.Member.Get(value)))
            return;
        try
        {
            member.Member.Set(value, member.GetEmpty(ref reader));
        }
        catch (MessageFormatException e) when (NotePath(e, member.Member.Name))
        {
            throw;
        }
    }

    private byte[] CreateTable()
    {
        int maxNumber = _members.Length == 0 ? 0 : _members[_members.Length - 1].Number;
        byte[] table = new byte[MemberKind.TableByteCount(maxNumber)];
        table[0] = (byte)maxNumber;
        foreach (VersionedMember member in _members)
            table[1 + ((member.Number - 1) / 2)] |= (byte)(member.Kind << (member.Number % 2 == 0 ? 4 : 0));
        return table;
    }
}
