using System;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Linq.Expressions;
using System.Runtime.Serialization;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>The codec of a class or struct with members: a message of their fields, in the order of the numbers.</summary>
internal sealed class ProtobufRecord<T> : ProtobufCodec<T>, ISchemaMessage
{
    private const int MaxStackMemberCount = 128;

    private ProtobufMember<T>[] _members = [];
    private Func<T>? _makeNew;
    private ObjectMaker? _maker;
    private int[][] _oneofs = [];
    private int[]?[] _oneofOf = [];
    private RecordMember? _unknown;
    private bool _gathersItems;
    private bool _holds;
    private RecordCallbacks? _onSerializing;
    private RecordCallbacks? _onSerialized;
    private RecordCallbacks? _onDeserializing;
    private RecordCallbacks? _onDeserialized;

    /// <summary>Gets whether objects of derived classes are rejected.</summary>
    internal bool ChecksDerived { get; init; }

    /// <summary>Sets the members: after the constructor, because they may be of this same type.</summary>
    /// <param name="members">The members in the order of their numbers.</param>
    /// <param name="plan">Of which they are.</param>
    /// <param name="path">The path for an error.</param>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal void Complete(ProtobufMember<T>[] members, ProtobufPlan plan, string path)
    {
        _members = members;
        _gathersItems = Array.Exists(members, static member => member.GathersItems);
        _holds = Array.Exists(members, static member => member.IsHeld);
        _oneofs =
        [
            .. members.Select(static (member, index) => (member, index)).Where(static place => place.member.OneofOfMembers is not null)
                .GroupBy(static place => place.member.OneofOfMembers, static place => place.index).Select(static group => group.ToArray()),
        ];
        _oneofOf = Array.ConvertAll(members, member => Array.Find(_oneofs, cases => members[cases[0]].OneofOfMembers == member.OneofOfMembers));
        _unknown = plan.Unknown;
        if (!ContractBuilder.IsOfBaseLibrary(typeof(T)))
        {
            _onSerializing = RecordCallbacks.FindAny<OnSerializingAttribute>(typeof(T), path);
            _onSerialized = RecordCallbacks.FindAny<OnSerializedAttribute>(typeof(T), path);
            _onDeserializing = RecordCallbacks.FindAny<OnDeserializingAttribute>(typeof(T), path);
            _onDeserialized = RecordCallbacks.FindAny<OnDeserializedAttribute>(typeof(T), path);
        }

        ObjectMaker maker = plan.Maker;
        if (maker.MemberIndexes.Count > 0)
            _maker = maker;
        else
            _makeNew = Expression.Lambda<Func<T>>(maker.Constructor is null ? Expression.Default(typeof(T)) : Expression.New(maker.Constructor))
                .Compile();
    }

    internal override bool ReadsParts => true;

    public override string SchemaType => SchemaNames.OfType(typeof(T));

    public override void Write(ref ProtobufBodyWriter writer, T value)
    {
        if (value is null || ChecksDerived && value.GetType() != typeof(T))
            DerivedObjects.Throw(value, typeof(T));
        value = Call(_onSerializing, value);
        CheckOneofs(ref value);
        int current = 0;
        try
        {
            for (; current < _members.Length; current++)
                _members[current].Write(ref writer, ref value);
        }
        catch (MessageFormatException e) when (e.PrependPath(_members[current].Name))
        {
            throw;
        }

        UnknownMembers.Take(_unknown?.Get(value!) as UnknownMembers, BodyTypes.Protobuf, isMap: false, writer.Limits)?.WriteFields(ref writer);
        Call(_onSerialized, value);
    }

    public override T Read(ref ProtobufBodyReader reader, T? existing = default, bool merges = false)
    {
        bool isSame = existing is not null && (typeof(T).IsValueType ? merges : existing.GetType() == typeof(T));
        FieldMode mode = !isSame || _maker is not null && !merges ? FieldMode.New : merges ? FieldMode.Merge : FieldMode.Reuse;
        Span<int> counts = _members.Length <= MaxStackMemberCount ? stackalloc int[_members.Length] : new int[_members.Length];
        counts.Fill(-1);
        object?[]? values = _maker is null ? null : new object?[_members.Length];
        object?[]? held = _holds && _maker is null ? new object?[_members.Length] : null;
        object?[]? gathered = _gathersItems ? new object?[_members.Length] : null;
        object? none = null;
        T value = mode != FieldMode.New ? existing! : _maker is null ? MakeNew(ref reader) : default!;
        UnknownMembers? unknown = null;
        int current = -1;
        try
        {
            if (values is null)
                value = Call(_onDeserializing, value);
            for (int i = 0; values is not null && mode == FieldMode.Merge && i < values.Length; i++)
                values[i] = _members[i].GetBoxed(ref value);

            int next = 0;
            for (; !reader.IsAtEnd(); current = -1)
            {
                int tagOffset = reader.ByteOffset;
                uint tag = reader.ReadTag();
                current = FindMember(tag, next);
                if (current < 0)
                {
                    ReadUnknown(ref reader, tag, tagOffset, ref unknown);
                    continue;
                }

                next = current;
                if (_oneofOf[current] is { } cases)
                    ClearOtherCases(cases, current, ref value, values, counts, gathered, mode);
                int owner = _members[current].Owner;
                ref object? items = ref none;
                if (gathered is not null)
                    items = ref gathered[owner];
                if (held is not null && _members[current].IsHeld)
                    _members[current].ReadHeld(ref reader, (ProtobufWireType)(tag & 7), ref value, ref held[owner], ref counts[owner], ref items,
                        mode);
                else if (values is null)
                    _members[current].Read(ref reader, (ProtobufWireType)(tag & 7), ref value, ref counts[owner], ref items, mode);
                else
                    _members[current].ReadBoxed(ref reader, (ProtobufWireType)(tag & 7), ref values[owner], ref counts[owner], ref items, mode);
            }

            for (current = 0; current < counts.Length; current++)
            {
                bool isHeld = held is not null && _members[current].IsHeld;
                if (counts[current] >= 0 && !isHeld && !_members[current].FinishesItems || _members[current].Owner != current)
                    continue;
                bool isFinished = isHeld
                    ? _members[current].FinishHeld(ref reader, ref value, held![current], counts[current], gathered?[current], mode)
                    : values is null
                    ? _members[current].Finish(ref reader, ref value, counts[current], gathered?[current], mode)
                    : _members[current].FinishBoxed(ref reader, ref values[current], counts[current], gathered?[current], mode);
                if (!isFinished)
                    SetMissing(ref reader, ref value, values, current, mode);
            }

            current = -1;
            if (values is not null)
                value = Make(ref reader, values, out current);
            value = SetUnknown(value, mode == FieldMode.Merge ? existing : default, unknown, mode);
            value = Call(_onDeserialized, value);
        }
        catch (MessageFormatException e) when (current >= 0 && e.PrependPath(_members[current].Name))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, current >= 0 ? _members[current].Name : null);
        }

        return value;
    }

    public void Describe(SchemaBuilder schema, SchemaMessage message)
    {
        for (int i = 0; i < _members.Length; i++)
        {
            if (_members[i].Oneof is not string oneof)
            {
                _members[i].Describe(schema, message);
                continue;
            }

            // At the position of its first case: members between them in the order of the numbers come after it.
            int[]? cases = _oneofOf[i];
            if ((cases?[0] ?? _members[i].Owner) != i)
                continue;
            message.BeginOneof(oneof);
            for (int other = i; other < _members.Length; other++)
            {
                if (cases is null ? _members[other].Owner == i : Array.IndexOf(cases, other) >= 0)
                    _members[other].Describe(schema, message);
            }

            message.EndOneof();
        }
    }

    private void CheckOneofs(ref T value)
    {
        foreach (int[] cases in _oneofs)
        {
            int count = 0;
            foreach (int index in cases)
                count += _members[index].HasValue(ref value) ? 1 : 0;
            if (count <= 1)
                continue;
            string names = "";
            foreach (int index in cases)
                names += _members[index].HasValue(ref value) ? " " + _members[index].Name : "";
            ThrowHelper.ThrowSecondCase(_members[cases[0]].OneofOfMembers!, names);
        }
    }

    /// <summary>Removes what has been read of the other cases of a oneof.</summary>
    private void ClearOtherCases(int[] cases, int index, ref T value, object?[]? values, Span<int> counts, object?[]? gathered, FieldMode mode)
    {
        foreach (int other in cases)
        {
            if (other == index)
                continue;
            counts[other] = -1;
            if (gathered is not null)
                gathered[other] = null;
            if (values is not null)
                values[other] = null;
            else if (mode == FieldMode.Merge)
                _members[other].SetBoxed(ref value, null);
        }
    }

    /// <summary>Finds the member of a tag, starting at the one of the last tag.</summary>
    /// <returns>-1 if there is none, or it has another wire type.</returns>
    private int FindMember(uint tag, int first)
    {
        int number = (int)(tag >> 3);
        for (int i = first; i < _members.Length && _members[i].Number <= number; i++)
        {
            if (_members[i].Number == number)
                return _members[i].Accepts((ProtobufWireType)(tag & 7)) ? i : -1;
        }

        for (int i = 0; i < first && _members[i].Number <= number; i++)
        {
            if (_members[i].Number == number)
                return _members[i].Accepts((ProtobufWireType)(tag & 7)) ? i : -1;
        }

        return -1;
    }

    private void ReadUnknown(ref ProtobufBodyReader reader, uint tag, int tagOffset, ref UnknownMembers? unknown)
    {
        reader.Skip((int)(tag >> 3), (ProtobufWireType)(tag & 7));
        if (_unknown is not null)
            (unknown ??= new UnknownMembers(BodyTypes.Protobuf, isMap: false)).AddField(ref reader, (int)(tag >> 3), tagOffset);
    }

    private T SetUnknown(T value, T? first, UnknownMembers? unknown, FieldMode mode)
    {
        if (_unknown is null)
            return value;
        object box = value!;
        _unknown.Set(box, mode == FieldMode.Merge ? ProtobufCode.JoinUnknown(_unknown.Get(first!) as UnknownMembers, unknown) : unknown);
        return (T)box;
    }

    /// <summary>Gives a member whose message is missing in the body the value that a new object has; if it has none, the body is rejected.</summary>
    private void SetMissing(ref ProtobufBodyReader reader, ref T value, object?[]? values, int index, FieldMode mode)
    {
        if (values is not null)
        {
            if (values[index] is null)
                ThrowHelper.ThrowMissingMember(reader.ByteOffset);
            return;
        }

        T fresh = mode == FieldMode.New ? value : MakeNew(ref reader);
        if (!_members[index].Copy(ref fresh, ref value))
            ThrowHelper.ThrowMissingMember(reader.ByteOffset);
    }

    private T MakeNew(ref ProtobufBodyReader reader)
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

    /// <summary>Creates an object from members that have been read.</summary>
    private T Make(ref ProtobufBodyReader reader, object?[] values, out int current)
    {
        current = -1;
        object?[] arguments = new object?[_maker!.MemberIndexes.Count];
        for (int i = 0; i < arguments.Length; i++)
            arguments[i] = values[_maker.MemberIndexes[i]];
        T value = Call(_onDeserializing, (T)_maker.Make(arguments));
        for (int i = 0; i < values.Length; i++)
        {
            if (_maker.TakesMember(i) || _members[i].Owner != i)
                continue;
            current = i;
            _members[i].SetMade(ref value, values[i], reader.ByteOffset);
        }

        current = -1;
        return value;
    }

    /// <summary>Calls callbacks on an object, or on a struct, which they may change.</summary>
    private static T Call(RecordCallbacks? callbacks, T value)
    {
        if (callbacks is null)
            return value;
        object box = value!;
        callbacks.Call(box);
        return (T)box;
    }
}
