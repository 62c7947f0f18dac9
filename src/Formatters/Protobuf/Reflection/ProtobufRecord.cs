using System;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>The codec of a class or struct with members: a message of their fields, in the order of the numbers.</summary>
/// <remarks>
/// On .NET, <c>ProtobufCompiler</c> emits its code on first use. The plain engine here tracks the member path: it runs after an error, and where
/// no code can be emitted.
/// </remarks>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class ProtobufRecord<T> : ProtobufCodec<T>, ISchemaMessage
{
    private const int MaxStackMemberCount = 128;

    private ProtobufMember<T>[] _members = [];
    private ProtobufLayout _layout = null!;
    private Func<T>? _makeNew;
    private ObjectMaker? _maker;
    private bool _gathersItems;
    private bool _holds;
#if NET
    private WriteFields? _write;
    private ReadFields? _read;
    private ReadShortFields? _readShort;
    private int _lengthByteCount = 1;

    private delegate ref byte WriteFields(ref ProtobufBodyWriter writer, T value, ref byte position);

    private delegate T ReadFields(ref ProtobufBodyReader reader, T? existing, bool merges);

    private delegate bool ReadShortFields(ref byte start, int byteCount, ref T? value);
#endif

    /// <summary>Gets whether objects of derived classes are rejected.</summary>
    internal bool ChecksDerived { get; init; }

    /// <summary>Sets the members: after the constructor, because they may be of this same type.</summary>
    /// <param name="members">The members in the order of their numbers.</param>
    /// <param name="plan">Of which they are.</param>
    /// <param name="path">The path for an error.</param>
    internal void Complete(ProtobufMember<T>[] members, ProtobufPlan plan, string path)
    {
        _members = members;
        _layout = new ProtobufLayout(typeof(T), members, plan, ChecksDerived, path);
        _gathersItems = Array.Exists(members, static member => member.GathersItems);
        _holds = Array.Exists(members, static member => member.IsHeld);
        _maker = _layout.IsMadeAtOnce ? plan.Maker : null;
    }

    internal override bool ReadsParts => true;

    public override string SchemaType => SchemaNames.OfType(typeof(T));

    public override void Write(ref ProtobufBodyWriter writer, T value)
    {
#if NET
        if (RuntimeFeature.IsDynamicCodeCompiled && writer.Path is null)
        {
            writer.End(ref GetWrite()(ref writer, value, ref writer.Begin()));
            return;
        }
#endif
        if (value is null || ChecksDerived && value.GetType() != typeof(T))
            DerivedObjects.Throw(value, typeof(T));
        value = Call(_layout.OnSerializing, value);
        CheckOneofs(ref value);
        int level = writer.Path?.Depth ?? 0;
        foreach (ProtobufMember<T> member in _members)
        {
            writer.Path?.Set(level, member.Name);
            member.Write(ref writer, ref value);
        }

        writer.Path?.Set(level);
        UnknownMembers.Take(_layout.Unknown?.Get(value!) as UnknownMembers, BodyTypes.Protobuf, isMap: false, writer.Limits)?.WriteFields(ref writer);
        Call(_layout.OnSerialized, value);
    }

    public override T Read(ref ProtobufBodyReader reader, T? existing = default, bool merges = false)
    {
#if NET
        if (RuntimeFeature.IsDynamicCodeCompiled && reader.Path is null)
            return GetRead()(ref reader, existing, merges);
#endif
        bool isSame = existing is not null && (typeof(T).IsValueType ? merges : existing.GetType() == typeof(T));
        FieldMode mode = !isSame || _maker is not null && !merges ? FieldMode.New : merges ? FieldMode.Merge : FieldMode.Reuse;
        Span<int> counts = _members.Length <= MaxStackMemberCount ? stackalloc int[_members.Length] : new int[_members.Length];
        counts.Fill(-1);
        object?[]? values = _maker is null ? null : new object?[_members.Length];
        object?[]? held = _holds && _maker is null ? new object?[_members.Length] : null;
        object?[]? gathered = _gathersItems ? new object?[_members.Length] : null;
        object? none = null;
        int level = reader.Path?.Depth ?? 0;
        T value = mode != FieldMode.New ? existing! : _maker is null ? MakeNew() : default!;
        UnknownMembers? unknown = null;
        if (values is null)
            value = Call(_layout.OnDeserializing, value);
        for (int i = 0; values is not null && mode == FieldMode.Merge && i < values.Length; i++)
            values[i] = _members[i].GetBoxed(ref value);

        int next = 0;
        for (; !reader.IsAtEnd(); reader.Path?.Set(level))
        {
            int tagOffset = reader.ByteOffset;
            uint tag = reader.ReadTag();
            int current = FindMember(tag, next);
            if (current < 0)
            {
                ReadUnknown(ref reader, tag, tagOffset, ref unknown);
                continue;
            }

            next = current;
            reader.Path?.Set(level, _members[current].Name);
            if (_layout.OneofOf[current] is { } cases)
                ClearOtherCases(cases, current, ref value, values, counts, gathered, mode);
            int owner = _members[current].Owner;
            ref object? items = ref none;
            if (gathered is not null)
                items = ref gathered[owner];
            if (held is not null && _members[current].IsHeld)
                _members[current].ReadHeld(ref reader, (ProtobufWireType)(tag & 7), ref value, ref held[owner], ref counts[owner], ref items, mode);
            else if (values is null)
                _members[current].Read(ref reader, (ProtobufWireType)(tag & 7), ref value, ref counts[owner], ref items, mode);
            else
                _members[current].ReadBoxed(ref reader, (ProtobufWireType)(tag & 7), ref values[owner], ref counts[owner], ref items, mode);
        }

        for (int i = 0; i < counts.Length; i++)
        {
            bool isHeld = held is not null && _members[i].IsHeld;
            if (counts[i] >= 0 && !isHeld && !_members[i].FinishesItems || _members[i].Owner != i)
                continue;
            reader.Path?.Set(level, _members[i].Name);
            bool isFinished = isHeld
                ? _members[i].FinishHeld(ref reader, ref value, held![i], counts[i], gathered?[i], mode)
                : values is null
                ? _members[i].Finish(ref reader, ref value, counts[i], gathered?[i], mode)
                : _members[i].FinishBoxed(ref reader, ref values[i], counts[i], gathered?[i], mode);
            if (isFinished)
                continue;
            if (values is null)
                SetMissing(ref reader, ref value, i, mode);
            else if (values[i] is null)
                ThrowHelper.ThrowMissingMember(reader.ByteOffset);
        }

        reader.Path?.Set(level);
        if (values is not null)
            value = Make(ref reader, values, level);
        value = SetUnknown(value, mode == FieldMode.Merge ? existing : default, unknown, mode);
        return Call(_layout.OnDeserialized, value);
    }

#if NET
    internal override void WriteItems(ref ProtobufBodyWriter writer, uint tag, ReadOnlySpan<T> items, ref int index)
    {
        if (RuntimeFeature.IsDynamicCodeCompiled)
            writer.End(ref WriteItems(ref writer, ref writer.Begin(), GetWrite(), tag, items, ref index));
    }

    private ref byte WriteItems(
        ref ProtobufBodyWriter writer, ref byte position, WriteFields write, uint tag, ReadOnlySpan<T> items, ref int index)
    {
        int tagByteCount = ProtobufBytes.GetByteCount(tag);
        for (; index < items.Length && _lengthByteCount == 1; index++)
        {
            // A struct goes straight from the span to the call: a local is stored member by member and then loaded as a whole, which stalls.
            if (!typeof(T).IsValueType && items[index] is null || writer.RoomAt(ref position) <= tagByteCount)
                break;
            position = ref ProtobufCode.PutTag(ref position, tag, tagByteCount);
            long offset = writer.EnterShortMessage(ref position);
            position = ref writer.LeaveShortMessage(
                ref write(ref writer, items[index], ref Unsafe.Add(ref position, 1)), offset, ref _lengthByteCount);
        }

        return ref position;
    }

    internal override bool TryReadShort(ref byte start, int byteCount, ref T? value) =>
        RuntimeFeature.IsDynamicCodeCompiled && GetReadShort()(ref start, byteCount, ref value);

    internal override bool ReadItems(ref ProtobufBodyReader reader, uint tag, Span<T> items, ReadOnlySpan<T> existing, int allocation,
        ref int index)
    {
        if (!RuntimeFeature.IsDynamicCodeCompiled)
            return true;
        ReadShortFields readShort = GetReadShort();
        while (index < Math.Min(items.Length, reader.Limits.MaxElementCount) && reader.BytesRemaining > 0)
        {
            T? item = default;
            if (index < existing.Length)
                item = existing[index];
            else if (!reader.TryCharge(allocation))
                break;
            ref byte p = ref reader.Begin();
            int byteCount = p;
            if (byteCount < 0x80 && byteCount < reader.BytesRemaining && !reader.IsAtMaxDepth
                && readShort(ref Unsafe.Add(ref p, 1), byteCount, ref item))
            {
                reader.End(ref Unsafe.Add(ref p, 1 + byteCount));
            }
            else
            {
                int bytesAfter = reader.BeginMessage();
                item = GetRead()(ref reader, item, false);
                reader.EndMessage(bytesAfter);
            }

            items[index++] = item!;
            if (index == items.Length || !reader.TryReadTag(tag))
                return false;
        }

        return true;
    }
#endif

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
            int[]? cases = _layout.OneofOf[i];
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

    internal void CheckOneofs(ref T value)
    {
        foreach (int[] cases in _layout.Oneofs)
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
        if (_layout.Unknown is not null)
            (unknown ??= new UnknownMembers(BodyTypes.Protobuf, isMap: false)).AddField(ref reader, (int)(tag >> 3), tagOffset);
    }

    private T SetUnknown(T value, T? first, UnknownMembers? unknown, FieldMode mode)
    {
        if (_layout.Unknown is not RecordMember member)
            return value;
        object box = value!;
        member.Set(box, mode == FieldMode.Merge ? ProtobufCode.JoinUnknown(member.Get(first!) as UnknownMembers, unknown) : unknown);
        return (T)box;
    }

    /// <summary>Gives a member whose message is missing in the body the value that a new object has; if it has none, the body is rejected.</summary>
    internal void SetMissing(ref ProtobufBodyReader reader, ref T value, int index, FieldMode mode)
    {
        T fresh = mode == FieldMode.New ? value : MakeNew();
        if (!_members[index].Copy(ref fresh, ref value))
            ThrowHelper.ThrowMissingMember(reader.ByteOffset);
    }

    private T MakeNew()
    {
        _makeNew ??= Expression.Lambda<Func<T>>(
            _layout.Maker.Constructor is ConstructorInfo constructor ? Expression.New(constructor) : Expression.Default(typeof(T))).Compile();
        return _makeNew();
    }

#if NET
    private WriteFields GetWrite() => _write ??= ProtobufCompiler.CompileWrite<WriteFields>(this, _layout);

    private ReadShortFields GetReadShort() => _readShort ??= ProtobufCompiler.CompileReadShort<ReadShortFields>(this, _layout);

    private ReadFields GetRead() => _read ??= ProtobufCompiler.CompileRead<ReadFields>(this, _layout);
#endif

    /// <summary>Creates an object from members that have been read.</summary>
    private T Make(ref ProtobufBodyReader reader, object?[] values, int level)
    {
        object?[] arguments = new object?[_maker!.MemberIndexes.Count];
        for (int i = 0; i < arguments.Length; i++)
            arguments[i] = values[_maker.MemberIndexes[i]];
        T value = Call(_layout.OnDeserializing, (T)_maker.Make(arguments));
        for (int i = 0; i < values.Length; i++)
        {
            if (_maker.TakesMember(i) || _members[i].Owner != i)
                continue;
            reader.Path?.Set(level, _members[i].Name);
            _members[i].SetMade(ref value, values[i], reader.ByteOffset);
        }

        reader.Path?.Set(level);
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
