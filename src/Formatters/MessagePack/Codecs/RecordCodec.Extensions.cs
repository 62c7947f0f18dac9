using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.Serialization;

namespace Formatters;

// What some types have beside members: callbacks, and a member that keeps what is unknown.
internal sealed partial class RecordCodec<T>
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
        _unknown = MemberNumbers.FindUnknown(typeof(T), path);
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

    private static T Call(ref MessagePackBodyReader reader, RecordCallbacks? callbacks, T value)
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

    /// <summary>Keeps a value that no member stands for, or passes over it.</summary>
    private void PassOver(ref MessagePackBodyReader reader, ref UnknownMembers? unknown, ReadOnlySpan<byte> key, int index)
    {
        bool isGap = index < _memberAt.Length;
        if (_unknown is null || !isMap && isGap && reader.NextType == MessagePackType.Nil)
        {
            reader.Skip();
            return;
        }

        unknown ??= new UnknownMembers();
        if (isMap)
            unknown.AddEntry(ref reader, key);
        else
            unknown.AddElement(ref reader, index);
    }

    /// <summary>Writes the members together with those that the reader did not know.</summary>
    private void WriteWith(ref MessagePackBodyWriter writer, ref T value, UnknownMembers unknown, ref int current)
    {
        if (!isMap)
        {
            int count = Math.Max(_memberAt.Length, unknown.ElementCount);
            writer.WriteArrayHeader(count);
            for (int i = 0; i < count; i++)
            {
                current = i < _memberAt.Length ? _memberAt[i] : -1;
                if (current < 0)
                    unknown.WriteElements(ref writer, i, i + 1);
                else
                    _members[current].Write(ref writer, ref value);
            }

            return;
        }

        byte[] keys = [];
        foreach (MemberCodec<T> member in _members)
            keys = [.. keys, .. member.EncodedKey];
        using var buffer = new PooledBufferWriter();
        var aside = new MessagePackBodyWriter(buffer, writer.Limits, writer.IsCanonical);
        aside.SetDepthOf(writer);
        aside.WriteMapHeader(_members.Length + unknown.CountEntries(keys));
        for (current = 0; current < _members.Length; current++)
        {
            aside.WriteRaw(_members[current].EncodedKey);
            _members[current].Write(ref aside, ref value);
        }

        current = -1;
        unknown.WriteEntries(ref aside, keys);
        aside.Flush();
        if (writer.IsCanonical)
            CanonicalOrder.Write(ref writer, buffer.WrittenSpan);
        else
            writer.WriteRaw(buffer.WrittenSpan);
    }
}
