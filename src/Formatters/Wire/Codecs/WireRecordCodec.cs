using System;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Formatters.Generated;

namespace Formatters;

/// <summary>A class or struct with members: an array in which each stands at its number, or a map of their names.</summary>
/// <param name="isMap">Whether it has the map form.</param>
/// <param name="isExact">Whether a body with fewer or more members is refused: tuples and pairs.</param>
internal sealed partial class WireRecordCodec<TFormat, T>(bool isMap, bool isExact) : WireCodec<TFormat, T>
    where TFormat : struct, IWireFormat
{
    private const int MaxStackMemberCount = 256;

    private WireMemberCodec<TFormat, T>[] _members = [];
    private int[] _memberAt = [];
    private WireKeys _keys = new();
    private Func<T>? _makeNew;
    private ObjectMaker? _maker;
    private object?[] _missingArguments = [];
    private bool[]? _isNeeded;

    /// <summary>Whether an object of a derived class is refused.</summary>
    internal bool ChecksDerived { get; init; }

    /// <summary>Sets the members: later than the constructor, since they may be of this same type.</summary>
    /// <param name="members">The members in the order in which they are written.</param>
    /// <param name="maker">By what constructor an object is made; its indexes are those of <paramref name="members"/>.</param>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal void Complete(WireMemberCodec<TFormat, T>[] members, ObjectMaker maker)
    {
        _members = members;
        _keys = new WireKeys(Array.ConvertAll(members, static member => member.Key));
        if (!isMap)
        {
            int length = 0;
            foreach (WireMemberCodec<TFormat, T> member in members)
                length = Math.Max(length, member.Index + 1);
            _memberAt = new int[length];
            _memberAt.AsSpan().Fill(-1);
            for (int i = 0; i < members.Length; i++)
                _memberAt[members[i].Index] = i;
        }

        // Nothing stands for a member that the body lacks where it is required, or the constructor takes it and declares no default.
        bool[] isNeeded = Array.ConvertAll(members, static member => member.IsRequired);
        for (int i = 0; i < maker.MemberIndexes.Count; i++)
            isNeeded[maker.MemberIndexes[i]] |= !maker.Constructor!.GetParameters()[i].HasDefaultValue && !members[maker.MemberIndexes[i]].IsNullable;
        _isNeeded = Array.IndexOf(isNeeded, true) >= 0 ? isNeeded : null;
        if (maker.MemberIndexes.Count == 0)
        {
            _makeNew = Expression.Lambda<Func<T>>(maker.Constructor is null ? Expression.Default(typeof(T)) : Expression.New(maker.Constructor)).Compile();
            return;
        }

        _maker = maker;
        _missingArguments = new object?[maker.MemberIndexes.Count];
        for (int i = 0; i < _missingArguments.Length; i++)
        {
            var parameter = maker.Constructor!.GetParameters()[i];
            Type type = ReflectedParameter.TypeOf(parameter);
            _missingArguments[i] = parameter.HasDefaultValue && parameter.DefaultValue is not null ? parameter.DefaultValue
                : type.IsValueType ? Expression.Lambda<Func<object>>(
                    Expression.Convert(Expression.Default(type), typeof(object))).Compile()()
                : null;
        }
    }

    internal override void Write(ref WireWriter writer, T value)
    {
        if (value is null || ChecksDerived && value.GetType() != typeof(T))
            DerivedObjects.Throw(value, typeof(T));
        value = Call(_onSerializing, value);
        writer.Enter();
        UnknownMembers? unknown = GetUnknown(value);
        int current = -1;
        try
        {
            if (unknown is not null)
            {
                WriteWith(ref writer, ref value, unknown, ref current);
            }
            else if (isMap)
            {
                WriteMapHeader(ref writer, _members.Length);
                for (current = 0; current < _members.Length; current++)
                {
                    WriteRaw(ref writer, _members[current].EncodedKey);
                    _members[current].Write(ref writer, ref value);
                }
            }
            else
            {
                WriteArrayHeader(ref writer, _memberAt.Length);
                foreach (int index in _memberAt)
                {
                    current = index;
                    if (index < 0)
                        WriteNull(ref writer);
                    else
                        _members[index].Write(ref writer, ref value);
                }
            }
        }
        catch (MessageFormatException e) when (current >= 0 && e.PrependPath(_members[current].Name))
        {
            throw;
        }

        writer.Leave();
        Call(_onSerialized, value);
    }

    internal override T Read(ref WireReader reader, T? existing = default)
    {
        int byteOffset = reader.ByteOffset;
        reader.Enter();
        int count = isMap ? default(TFormat).ReadMapHeader(ref reader, 0) : default(TFormat).ReadArrayHeader(ref reader, 0);
        if (isExact && count != _members.Length)
            ThrowHelper.ThrowBadValue(byteOffset, typeof(T).Name);
        Span<bool> isRead = _members.Length <= MaxStackMemberCount ? stackalloc bool[_members.Length] : new bool[_members.Length];
        bool reuses = _maker is null && existing is not null && !typeof(T).IsValueType && existing.GetType() == typeof(T);
        object?[]? values = _maker is null ? null : new object?[_members.Length];
        T value = reuses ? existing! : _maker is null ? MakeNew(ref reader) : default!;
        if (values is null)
            value = Call(ref reader, _onDeserializing, value);
        UnknownMembers? unknown = null;
        int current = -1;
        try
        {
            int next = 0;
            for (int i = 0; i < count; i++)
            {
                int keyOffset = reader.ByteOffset;
                current = -1;
                current = isMap ? _keys.Read<TFormat>(ref reader, next) : i < _memberAt.Length ? _memberAt[i] : -1;
                if (current < 0)
                {
                    PassOver(ref reader, ref unknown, keyOffset, i);
                    continue;
                }

                if (isRead[current])
                    ContractMethods.ThrowDuplicateKey(keyOffset);
                isRead[current] = true;
                next = current + 1;
                if (values is null)
                    _members[current].Read(ref reader, ref value, reuses);
                else
                    values[current] = _members[current].ReadBoxed(ref reader);
            }

            for (current = 0; _isNeeded is not null && current < _isNeeded.Length; current++)
            {
                if (_isNeeded[current] && !isRead[current])
                    ThrowHelper.ThrowMissingMember(reader.ByteOffset);
            }

            current = -1;
            if (values is not null)
                value = Make(values, isRead, out current);
        }
        catch (MessageFormatException e) when (current >= 0 && e.PrependPath(_members[current].Name))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, current >= 0 ? _members[current].Name : null);
        }

        if (reuses && isRead.IndexOf(false) >= 0)
            Renew(ref reader, ref value, isRead);
        SetUnknown(ref value, unknown);
        reader.Leave();
        return Call(ref reader, _onDeserialized, value);
    }

    private T MakeNew(ref WireReader reader)
    {
        try
        {
            return _makeNew!();
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e);
        }
    }

    /// <summary>Makes an object of members that have been read.</summary>
    private T Make(object?[] values, scoped ReadOnlySpan<bool> isRead, out int current)
    {
        current = -1;
        object?[] arguments = (object?[])_missingArguments.Clone();
        for (int i = 0; i < arguments.Length; i++)
        {
            int index = _maker!.MemberIndexes[i];
            if (isRead[index])
                arguments[i] = values[index];
        }

        T value = Call(_onDeserializing, (T)_maker!.Make(arguments));
        for (int i = 0; i < values.Length; i++)
        {
            if (!isRead[i] || _maker.TakesMember(i))
                continue;
            current = i;
            _members[i].SetBoxed(ref value, values[i]);
        }

        return value;
    }

    /// <summary>Gives an object that is reused, where the body has nothing for a member, what a new object has there.</summary>
    private void Renew(ref WireReader reader, ref T value, scoped ReadOnlySpan<bool> isRead)
    {
        T fresh = Call(ref reader, _onDeserializing, MakeNew(ref reader));
        for (int i = 0; i < isRead.Length; i++)
        {
            if (!isRead[i])
                _members[i].Copy(ref fresh, ref value);
        }
    }
}
