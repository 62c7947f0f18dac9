using System;
using System.Collections.Generic;
using System.Globalization;
using Formatters.Generated;

namespace Formatters;

/// <summary>A dictionary, or a member that is declared as an interface of one: a map in the order in which it enumerates; or, where the format is sorted, in the order of the bytes of its keys.</summary>
/// <param name="key">The codec of the keys.</param>
/// <param name="value">The codec of the values.</param>
/// <param name="entryAllocation">About how many bytes an entry takes in memory.</param>
internal sealed class WireDictionaryCodec<TFormat, TDictionary, TKey, TValue>(
    WireCodec<TFormat, TKey> key, WireCodec<TFormat, TValue> value, int entryAllocation)
    : WireCodec<TFormat, TDictionary>
    where TFormat : struct, IWireFormat
    where TDictionary : class, IEnumerable<KeyValuePair<TKey, TValue>>
    where TKey : notnull
{
    internal override void Write(ref WireWriter writer, TDictionary value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.Enter();
        if (default(TFormat).IsSorted)
            WriteSorted(ref writer, value);
        else
            WriteEntries(ref writer, ContractCode.ToDictionary(value));
        writer.Leave();
    }

    internal override TDictionary Read(ref WireReader reader, TDictionary? existing = null)
    {
        int count = default(TFormat).ReadMapHeader(ref reader, entryAllocation);
        reader.Enter();
        Dictionary<TKey, TValue> entries = ContractCode.ReuseDictionary<TKey, TValue>(existing, count);
        int i = 0;
        try
        {
            for (; i < count; i++)
            {
                int byteOffset = reader.ByteOffset;
                TKey k = key.Read(ref reader);
                if (entries.ContainsKey(k))
                    ContractMethods.ThrowDuplicateKey(byteOffset);
                entries.Add(k, value.Read(ref reader));
            }
        }
        catch (MessageFormatException e) when (e.PrependPath(EntryPart(i)))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, EntryPart(i));
        }

        reader.Leave();
        return (TDictionary)(object)entries;
    }

    private void WriteEntries(ref WireWriter writer, Dictionary<TKey, TValue> entries)
    {
        WriteMapHeader(ref writer, entries.Count);
        int i = 0;
        try
        {
            foreach (KeyValuePair<TKey, TValue> entry in entries)
            {
                key.Write(ref writer, entry.Key);
                value.Write(ref writer, entry.Value);
                i++;
            }
        }
        catch (MessageFormatException e) when (e.PrependPath(EntryPart(i)))
        {
            throw;
        }
    }

    private void WriteSorted(ref WireWriter writer, TDictionary dictionary)
    {
        var entries = new List<KeyValuePair<TKey, TValue>>(dictionary);
        WriteMapHeader(ref writer, entries.Count);
        using var keys = new SortedValues(entries.Count);
        foreach (KeyValuePair<TKey, TValue> entry in entries)
            keys.Add(ref writer, key, entry.Key);
        foreach (int index in keys.GetOrder())
        {
            try
            {
                WriteRaw(ref writer, keys.Get(index));
                value.Write(ref writer, entries[index].Value);
            }
            catch (MessageFormatException e) when (e.PrependPath(EntryPart(index)))
            {
                throw;
            }
        }
    }

    private static string EntryPart(int index) => "[" + index.ToString(CultureInfo.InvariantCulture) + "]";
}
