// https://protobuf.dev/programming-guides/encoding/#maps
#if NET
using Formatters.Protobuf;

using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>
/// Reads and writes the entries of a map in loops without virtual calls, while they have the usual form: short, key before value, each at most once.
/// Others are left to <see cref="MapField{TDictionary, TKey, TValue}"/>, as are all errors.
/// </summary>
/// <remarks>Rows "word counts", "settings", "collections" and "mixed" of protobuf in models.</remarks>
internal abstract class MapEntries<TKey, TValue>
    where TKey : notnull
{
    /// <summary>Returns the loops for a key and a value; null if one of them is neither a string nor a number.</summary>
    internal static MapEntries<TKey, TValue>? Find(uint tag, ProtobufValue<TKey> key, ProtobufValue<TValue> value)
    {
        object? found = ((object)key, (object)value) switch
        {
            (ProtobufScalar<string>, ProtobufScalar<string>) =>
                new MapEntries<string, string, TextPart, TextPart>(tag, new(), key.WireType, new(), value.WireType),
            (ProtobufScalar<string>, _) when NumberPart<TValue>.Fits(value) =>
                new MapEntries<string, TValue, TextPart, NumberPart<TValue>>(tag, new(), key.WireType, new(value), value.WireType),
            (_, ProtobufScalar<string>) when NumberPart<TKey>.Fits(key) =>
                new MapEntries<TKey, string, NumberPart<TKey>, TextPart>(tag, new(key), key.WireType, new(), value.WireType),
            _ when NumberPart<TKey>.Fits(key) && NumberPart<TValue>.Fits(value) =>
                new MapEntries<TKey, TValue, NumberPart<TKey>, NumberPart<TValue>>(tag, new(key), key.WireType, new(value), value.WireType),
            _ => null,
        };
        return (MapEntries<TKey, TValue>?)found;
    }

    /// <summary>Writes entries.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="entries">The entries that remain.</param>
    /// <param name="index">The index of the next one.</param>
    /// <returns><see langword="false"/> at the end; <see langword="true"/> if the current entry has not been written.</returns>
    internal abstract bool Write(ref ProtobufBodyWriter writer, ref Dictionary<TKey, TValue>.Enumerator entries, ref int index);

    /// <summary>Reads consecutive entries.</summary>
    /// <param name="reader">The reader, after the tag of the first.</param>
    /// <param name="entries">Receives them.</param>
    /// <param name="allocation">The approximate size of an entry in memory.</param>
    /// <param name="count">The number of entries read.</param>
    /// <returns><see langword="false"/> if no further entry follows; <see langword="true"/> if the tag of an entry has been read that must be read in
    /// another way.</returns>
    internal abstract bool Read(ref ProtobufBodyReader reader, Dictionary<TKey, TValue> entries, int allocation, ref int count);
}

/// <inheritdoc cref="MapEntries{TKey, TValue}"/>
internal sealed class MapEntries<TKey, TValue, TKeyPart, TValuePart>(
    uint tag, TKeyPart key, ProtobufWireType keyWireType, TValuePart content, ProtobufWireType valueWireType)
    : MapEntries<TKey, TValue>
    where TKey : notnull
    where TKeyPart : struct, IValuePart<TKey>
    where TValuePart : struct, IValuePart<TValue>
{
    // The tag of the entry and its length, and the tags of key and value.
    private const int MaxFrameByteCount = (2 * ProtobufBytes.MaxVarint32ByteCount) + 2;

    private readonly int _tagByteCount = ProtobufBytes.GetByteCount(tag);
    private readonly byte _keyTag = (byte)ProtobufBytes.Tag(1, keyWireType);
    private readonly byte _valueTag = (byte)ProtobufBytes.Tag(2, valueWireType);

    internal override bool Write(ref ProtobufBodyWriter writer, ref Dictionary<TKey, TValue>.Enumerator entries, ref int index)
    {
        if (!entries.MoveNext())
            return false;
        if (writer.Limits.RefuseInvalidText)
            return true;
        writer.CheckLeafDepth();
        Dictionary<TKey, TValue>.Enumerator e = entries;
        int i = index;
        bool isLeft = true;
        ref byte p = ref writer.Begin();
        do
        {
            TKey k = e.Current.Key;
            TValue v = e.Current.Value;
            if (writer.RoomAt(ref p) - MaxFrameByteCount < key.GetMaxByteCount(k) + content.GetMaxByteCount(v))
                break;
            p = ref ProtobufCode.PutTag(ref p, tag, _tagByteCount);
            ref byte start = ref p;
            p = ref Unsafe.Add(ref p, 1);
            if (!key.IsDefault(k))
            {
                p = _keyTag;
                p = ref key.Put(ref Unsafe.Add(ref p, 1), k);
            }

            if (!content.IsDefault(v))
            {
                p = _valueTag;
                p = ref content.Put(ref Unsafe.Add(ref p, 1), v);
            }

            p = ref ProtobufCode.PutLength(ref start, ref p);
            i++;
            isLeft = e.MoveNext();
        }
        while (isLeft);

        writer.End(ref p);
        entries = e;
        index = i;
        return isLeft;
    }

    internal override bool Read(ref ProtobufBodyReader reader, Dictionary<TKey, TValue> entries, int allocation, ref int count)
    {
        if (reader.IsAtMaxDepth)
            return true;
        ref byte p = ref reader.Begin();
        while (true)
        {
            int remaining = reader.RemainingAt(ref p);
            if (remaining == 0 || p >= 0x80 || p >= remaining || count >= reader.Limits.MaxElementCount)
                return true;
            int left = p;
            ref byte q = ref Unsafe.Add(ref p, 1);
            TKey k = key.Default;
            TValue v = content.Default;
            if (left > 1 && q == _keyTag)
            {
                int byteCount = key.Get(ref Unsafe.Add(ref q, 1), left - 1, ref k);
                if (byteCount == 0)
                    return true;
                q = ref Unsafe.Add(ref q, 1 + byteCount);
                left -= 1 + byteCount;
            }

            if (left > 1 && q == _valueTag)
            {
                int byteCount = content.Get(ref Unsafe.Add(ref q, 1), left - 1, ref v);
                if (byteCount == 0)
                    return true;
                q = ref Unsafe.Add(ref q, 1 + byteCount);
                left -= 1 + byteCount;
            }

            if (left != 0)
                return true;
            reader.ChargeElement(allocation);
            entries[k] = v;
            count++;
            reader.End(ref q);
            if (!reader.TryReadTag(tag))
                return false;
            p = ref reader.Begin();
        }
    }
}
#endif
