using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.Serialization;
using Formatters.Generated;

namespace Formatters;

// What some types have beside members: callbacks, and a member that keeps what is unknown.
internal sealed partial class WireRecordCodec<TFormat, T>
{
    private RecordCallbacks? _onSerializing;
    private RecordCallbacks? _onSerialized;
    private RecordCallbacks? _onDeserializing;
    private RecordCallbacks? _onDeserialized;
    private RecordMember? _unknown;

    /// <summary>Finds the callbacks, and the member that keeps unknown ones.</summary>
    /// <exception cref="ArgumentException">A callback cannot be called, or the member cannot be set.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal void Extend(string path)
    {
        _onSerializing = OrNull(RecordCallbacks.Find<OnSerializingAttribute>(typeof(T), path));
        _onSerialized = OrNull(RecordCallbacks.Find<OnSerializedAttribute>(typeof(T), path));
        _onDeserializing = OrNull(RecordCallbacks.Find<OnDeserializingAttribute>(typeof(T), path));
        _onDeserialized = OrNull(RecordCallbacks.Find<OnDeserializedAttribute>(typeof(T), path));
        _unknown = NumberedMembers.FindUnknown(typeof(T), path);
    }

    private static RecordCallbacks? OrNull(RecordCallbacks callbacks) => callbacks.Methods.Count == 0 ? null : callbacks;

    private static T Call(RecordCallbacks? callbacks, T value)
    {
        if (callbacks is null)
            return value;
        object boxed = value!;
        callbacks.Call(boxed);
        return (T)boxed;
    }

    private static T Call(ref WireReader reader, RecordCallbacks? callbacks, T value)
    {
        try
        {
            return Call(callbacks, value);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e);
        }
    }

    /// <returns>Null if there is nothing to write.</returns>
    private UnknownMembers? GetUnknown(T value) => _unknown?.Get(value!) is UnknownMembers { Count: > 0 } unknown ? unknown : null;

    private void SetUnknown(ref T value, UnknownMembers? unknown)
    {
        if (_unknown is null)
            return;
        object boxed = value!;
        _unknown.Set(boxed, unknown);
        value = (T)boxed;
    }

    /// <summary>Keeps a value that no member stands for, or skips it.</summary>
    private void PassOver(ref WireReader reader, ref UnknownMembers? unknown, int keyOffset, int index)
    {
        if (_unknown is null)
            default(TFormat).Skip(ref reader);
        else if (isMap)
            WireCode.KeepEntry<TFormat>(ref reader, ref unknown, keyOffset);
        else
            WireCode.KeepElement<TFormat>(ref reader, ref unknown, index, isGap: index < _memberAt.Length);
    }

    /// <summary>Writes the members together with those that the reader did not know.</summary>
    private void WriteWith(ref WireWriter writer, ref T value, UnknownMembers unknown, ref int current)
    {
        if (!isMap)
        {
            int count = WireCode.ElementCount<TFormat>(unknown, _memberAt.Length);
            WriteArrayHeader(ref writer, count);
            for (int i = 0; i < count; i++)
            {
                current = i < _memberAt.Length ? _memberAt[i] : -1;
                if (current < 0)
                    writer.End(ref WireCode.WriteElements<TFormat>(ref writer, ref writer.Output.Position, unknown, i, i + 1));
                else
                    _members[current].Write(ref writer, ref value);
            }

            return;
        }

        WireWriter aside = WireCode.BeginAside(ref writer, out PooledBufferWriter buffer);
        WriteMapHeader(ref aside, _members.Length + WireCode.EntryCount<TFormat>(unknown, _keys));
        for (current = 0; current < _members.Length; current++)
        {
            WriteRaw(ref aside, _members[current].EncodedKey);
            _members[current].Write(ref aside, ref value);
        }

        current = -1;
        aside.End(ref WireCode.WriteEntries<TFormat>(ref aside, ref aside.Output.Position, unknown, _keys));
        WireCode.EndAside(ref aside);
        if (default(TFormat).IsSorted)
        {
            writer.End(ref WireCode.WriteSorted<TFormat>(ref writer, ref writer.Output.Position, buffer, isMap: true));
            return;
        }

        WriteRaw(ref writer, buffer.WrittenSpan);
        buffer.Dispose();
    }
}
