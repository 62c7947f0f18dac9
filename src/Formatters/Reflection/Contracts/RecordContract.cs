using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.Serialization;
using Formatters.Binary;

namespace Formatters;

/// <summary>The contract of a class or struct: its members in order, without framing.</summary>
internal class RecordContract(Type type) : ValueContract(type)
{
    private RecordMember[] _members = [];
    private ObjectMaker? _maker;
    private int _minByteCount;

    internal IReadOnlyList<RecordMember> Members => _members;

    internal ObjectMaker Maker => _maker ?? throw new InvalidOperationException("The contract is not complete.");

    internal override int MinByteCount => _minByteCount;

    /// <summary>Gets whether objects of derived classes are rejected.</summary>
    internal bool ChecksDerived { get; init; }

    /// <summary>Gets the member that stores unknown members; null if there is none.</summary>
    internal RecordMember? Unknown { get; private set; }

    internal RecordCallbacks? OnSerializing { get; private set; }

    internal RecordCallbacks? OnSerialized { get; private set; }

    internal RecordCallbacks? OnDeserializing { get; private set; }

    internal RecordCallbacks? OnDeserialized { get; private set; }

    /// <summary>Sets the members: after the constructor, because they may be of this same type.</summary>
    internal virtual void Complete(RecordMember[] members, ObjectMaker maker)
    {
        _members = members;
        _maker = maker;
    }

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal void FindCallbacksAndUnknown(string path)
    {
        Unknown = NumberedMembers.FindUnknown(Type, path);
        OnSerializing = RecordCallbacks.FindAny<OnSerializingAttribute>(Type, path);
        OnSerialized = RecordCallbacks.FindAny<OnSerializedAttribute>(Type, path);
        OnDeserializing = RecordCallbacks.FindAny<OnDeserializingAttribute>(Type, path);
        OnDeserialized = RecordCallbacks.FindAny<OnDeserializedAttribute>(Type, path);
    }

    internal void SetMinByteCount(int minByteCount) => _minByteCount = minByteCount;

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        if (value is null || ChecksDerived && value.GetType() != Type)
            DerivedObjects.Throw(value, Type);
        writer.EnterRecord();
        OnSerializing?.Call(value);
        if (Unknown is not null)
            ContractMethods.RefuseUnknown(ref writer, (UnknownMembers?)Unknown.Get(value));
        foreach (RecordMember member in _members)
        {
            object? memberValue = member.Get(value);
            try
            {
                member.Contract.Write(ref writer, memberValue);
            }
            catch (MessageFormatException e) when (NotePath(e, member.Name))
            {
                throw;
            }
        }

        OnSerialized?.Call(value);
        writer.LeaveRecord();
    }

    internal override object? Read(ref BinaryBodyReader reader, object? existing)
    {
        reader.EnterRecord();
        object value = Maker.MemberIndexes.Count > 0
            ? ReadThenMake(ref reader)
            : existing is not null && existing.GetType() == Type && !Type.IsValueType
            ? Fill(ref reader, existing, isNew: false)
            : Fill(ref reader, Make(ref reader, null), isNew: true);
        Call(ref reader, OnDeserialized, value);
        reader.LeaveRecord();
        return value;
    }

    // Values set by a new object's constructor are not reused, because they may be shared.
    private object Fill(ref BinaryBodyReader reader, object value, bool isNew)
    {
        Call(ref reader, OnDeserializing, value);
        foreach (RecordMember member in _members)
        {
            try
            {
                object? read = member.Contract.Read(ref reader, isNew ? null : member.GetReusable(value));
                member.SetRead(value, read, !isNew, reader.ByteOffset);
            }
            catch (MessageFormatException e) when (NotePath(e, member.Name))
            {
                throw;
            }
            catch (Exception e) when (BodyFault.Is(e))
            {
                throw BodyFault.Refused(reader.ByteOffset, e, member.Name);
            }
        }

        return value;
    }

    private object ReadThenMake(ref BinaryBodyReader reader)
    {
        object?[] values = new object?[_members.Length];
        for (int i = 0; i < values.Length; i++)
        {
            try
            {
                values[i] = _members[i].Contract.Read(ref reader, null);
            }
            catch (MessageFormatException e) when (NotePath(e, _members[i].Name))
            {
                throw;
            }
            catch (Exception e) when (BodyFault.Is(e))
            {
                throw BodyFault.Refused(reader.ByteOffset, e, _members[i].Name);
            }
        }

        object?[] arguments = new object?[Maker.MemberIndexes.Count];
        for (int i = 0; i < arguments.Length; i++)
            arguments[i] = values[Maker.MemberIndexes[i]];
        object value = Make(ref reader, arguments);
        Call(ref reader, OnDeserializing, value);
        for (int i = 0; i < values.Length; i++)
        {
            if (!Maker.TakesMember(i))
                Set(ref reader, value, _members[i], values[i]);
        }

        return value;
    }

    private protected object Make(ref BinaryBodyReader reader, object?[]? arguments)
    {
        try
        {
            return Maker.Make(arguments);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e);
        }
    }

    private protected static void Call(ref BinaryBodyReader reader, RecordCallbacks? callbacks, object value)
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

    /// <summary>Gives a member of an existing object the value of a new one.</summary>
    private protected static void Renew(ref BinaryBodyReader reader, object owner, RecordMember member, object initial)
    {
        if (member.Setting is { IsReplaced: true, IsCollection: true })
            MemberSetting.Empty(member.Get(owner));
        Set(ref reader, owner, member, member.Get(initial));
    }

    private protected static void Set(ref BinaryBodyReader reader, object owner, RecordMember member, object? value)
    {
        try
        {
            member.SetRead(owner, value, isReused: false, reader.ByteOffset);
        }
        catch (MessageFormatException e) when (NotePath(e, member.Name))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, member.Name);
        }
    }
}
