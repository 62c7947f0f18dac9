// https://protobuf.dev/programming-guides/encoding/#maps
using System;
using System.Collections.Generic;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>
/// A dictionary field: a message of key and value for every entry, in the order in which it enumerates or, in canonical mode, in the order of their
/// bytes.
/// </summary>
/// <param name="number">The number of the field.</param>
/// <param name="key">The keys.</param>
/// <param name="content">The values.</param>
/// <param name="entryAllocation">The approximate size of an entry in memory.</param>
/// <param name="isNullable">Whether it may be null.</param>
/// <param name="toDictionary">Returns the entries; null if the collection is a dictionary, or an interface of one.</param>
/// <param name="make">Creates the collection from a dictionary; null if it is one.</param>
internal sealed class MapField<TDictionary, TKey, TValue>(
    int number,
    ProtobufValue<TKey> key,
    ProtobufValue<TValue> content,
    int entryAllocation,
    bool isNullable,
    Func<TDictionary, Dictionary<TKey, TValue>>? toDictionary,
    Func<Dictionary<TKey, TValue>, TDictionary>? make)
    : ProtobufField<TDictionary>(number)
    where TDictionary : class
    where TKey : notnull
{
    private const int KeyNumber = 1;
    private const int ValueNumber = 2;

    private readonly uint _tag = ProtobufBytes.Tag(number, ProtobufWireType.LengthDelimited);
    private readonly uint _keyTag = ProtobufBytes.Tag(KeyNumber, key.WireType);
    private readonly uint _valueTag = ProtobufBytes.Tag(ValueNumber, content.WireType);
#if NET
    private readonly MapEntries<TKey, TValue>? _usual = MapEntries<TKey, TValue>.Find(
        ProtobufBytes.Tag(number, ProtobufWireType.LengthDelimited), key, content);
#endif

    internal override bool GathersItems => make is not null;

    internal override TDictionary Copy(TDictionary value) =>
        make is not null || value is null ? value! : (TDictionary)(object)ContractCode.CopyDictionary(
            (IEnumerable<KeyValuePair<TKey, TValue>>)value)!;

    private static IEqualityComparer<TKey> Comparer => typeof(TKey) == typeof(string) ? EqualityComparer<TKey>.Default : KeyedComparer<TKey>.Instance;

    internal override void Write(ref ProtobufBodyWriter writer, TDictionary value)
    {
        if (value is null)
        {
            if (!isNullable)
                ContractMethods.ThrowUnexpectedNull();
            return;
        }

        if (toDictionary is null)
            ContractCode.CheckKeys((IEnumerable<KeyValuePair<TKey, TValue>>)value);
        if (toDictionary is null && value is Dictionary<TKey, TValue> dictionary && !writer.IsCanonical)
            WriteEntries(ref writer, dictionary);
        else
            WriteEntries(ref writer, toDictionary is null ? (IEnumerable<KeyValuePair<TKey, TValue>>)value : toDictionary(value));
    }

    internal override bool Accepts(ProtobufWireType wireType) => wireType == ProtobufWireType.LengthDelimited;

    internal override void Read(ref ProtobufBodyReader reader, ProtobufWireType wireType, ref TDictionary value, ref int count, ref object? items,
        FieldMode mode)
    {
        if (count < 0)
        {
            Dictionary<TKey, TValue> started = Start(
                value, mode, ProtobufCode.CountFields<KeyValuePair<TKey, TValue>>(ref reader, _tag));
            if (make is null)
                value = (TDictionary)(object)started;
            else
                items = started;
            count = started.Count;
        }

        var entries = (Dictionary<TKey, TValue>)(make is null ? value : items!);
        do
        {
#if NET
            if (_usual is not null && reader.Path is null && !_usual.Read(ref reader, entries, entryAllocation, ref count))
                return;
#endif
            if (count >= reader.Limits.MaxElementCount)
                ThrowHelper.ThrowTooManyElements(reader.ByteOffset, count + 1L, reader.Limits.MaxElementCount);
            reader.ChargeElement(entryAllocation);
            int level = ItemPath.Enter(reader.Path, count);
            ReadEntry(ref reader, entries);
            ItemPath.Leave(reader.Path, level);
            count++;
        }
        while (reader.TryReadTag(_tag));
    }

    internal override bool Finish(ref ProtobufBodyReader reader, ref TDictionary value, int count, object? items, FieldMode mode)
    {
        if (count >= 0)
        {
            if (make is not null)
                value = make((Dictionary<TKey, TValue>)items!);
        }
        else if (mode != FieldMode.Merge)
        {
            value = isNullable ? null! : make is null ? (TDictionary)(object)Start(value, FieldMode.Reuse, 0) : make(Start(null, FieldMode.New, 0));
        }

        return true;
    }

    internal override string GetSchemaType(SchemaBuilder schema, string name)
    {
        string keyType = key.GetSchemaType(schema);
        string valueType = content.GetSchemaType(schema);
        if (keyType is "string" or "bool" or "int32" or "int64" or "uint32" or "uint64" or "sint32" or "sint64" or "fixed32" or "fixed64"
            or "sfixed32" or "sfixed64")
            return "map<" + keyType + ", " + valueType + ">";
        return "repeated " + schema.AddEntry(name, keyType, valueType);
    }

    private static Dictionary<TKey, TValue> Start(TDictionary? value, FieldMode mode, int capacity)
    {
        if (mode == FieldMode.Merge && value is not null && (value is not Dictionary<TKey, TValue> former || !Equals(former.Comparer, Comparer)))
        {
            var merged = new Dictionary<TKey, TValue>(Comparer);
            foreach (KeyValuePair<TKey, TValue> entry in (IEnumerable<KeyValuePair<TKey, TValue>>)value)
                merged[entry.Key] = entry.Value;
            return merged;
        }

        if (mode == FieldMode.New || value is not Dictionary<TKey, TValue> dictionary
            || dictionary.GetType() != typeof(Dictionary<TKey, TValue>) || !Equals(dictionary.Comparer, Comparer))
            return new Dictionary<TKey, TValue>(capacity, typeof(TKey) == typeof(string) ? null : KeyedComparer<TKey>.Instance);
        if (mode == FieldMode.Reuse)
            dictionary.Clear();
        return dictionary;
    }

    private void WriteEntries(ref ProtobufBodyWriter writer, Dictionary<TKey, TValue> entries)
    {
        Dictionary<TKey, TValue>.Enumerator rest = entries.GetEnumerator();
        for (int i = 0; ; i++)
        {
#if NET
            if (_usual is not null && writer.Path is null ? !_usual.Write(ref writer, ref rest, ref i) : !rest.MoveNext())
                break;
#else
            if (!rest.MoveNext())
                break;
#endif
            WriteEntry(ref writer, rest.Current, i);
        }
    }

    private void WriteEntries(ref ProtobufBodyWriter writer, IEnumerable<KeyValuePair<TKey, TValue>> entries)
    {
        KeyValuePair<TKey, TValue>[] array = [.. entries];
        using SortedValues? sorted = writer.IsCanonical ? new SortedValues(array.Length) : null;
        for (int i = 0; i < array.Length; i++)
        {
            if (sorted is null)
            {
                WriteEntry(ref writer, array[i], i);
                continue;
            }

            var aside = new ProtobufBodyWriter(sorted.Buffer, writer.Limits, writer.IsCanonical) { Path = writer.Path };
            aside.SetDepthOf(writer);
            WriteEntry(ref aside, array[i], i);
            aside.Flush();
            sorted.EndValue();
        }

        foreach (int index in sorted?.GetOrder() ?? [])
            writer.WriteRaw(sorted!.Get(index));
    }

    private void WriteEntry(ref ProtobufBodyWriter writer, KeyValuePair<TKey, TValue> entry, int index)
    {
        int level = ItemPath.Enter(writer.Path, index);
        writer.WriteTag(_tag);
        long start = writer.BeginMessage();
        if (!key.IsDefault(entry.Key))
        {
            writer.WriteTag(_keyTag);
            key.Write(ref writer, entry.Key);
        }

        if (entry.Value is null || !content.IsDefault(entry.Value))
        {
            writer.WriteTag(_valueTag);
            content.Write(ref writer, entry.Value);
        }

        writer.EndMessage(start);
        ItemPath.Leave(writer.Path, level);
    }

    /// <summary>Reads an entry. The last of two keys, of two values that are not messages, and of two entries with one key counts.</summary>
    private void ReadEntry(ref ProtobufBodyReader reader, Dictionary<TKey, TValue> entries)
    {
        int bytesBehind = reader.BeginMessage();
        TKey k = default!;
        TValue v = default!;
        bool hasKey = false, hasValue = false;
        uint tag;
        while ((tag = reader.ReadTag()) != 0)
        {
            if (tag == _keyTag)
            {
                k = key.Read(ref reader, default, mergedTag: 0);
                hasKey = true;
            }
            else if (tag == _valueTag)
            {
                v = content.Read(ref reader, v, mergedTag: hasValue ? _valueTag : 0);
                hasValue = true;
            }
            else
            {
                reader.Skip((int)(tag >> 3), (ProtobufWireType)(tag & 7));
            }
        }

        if (!hasKey)
            k = key.ReadDefault(ref reader);
        if (!hasValue)
            v = content.ReadDefault(ref reader);
        reader.EndMessage(bytesBehind);
        entries[k] = v;
    }
}
