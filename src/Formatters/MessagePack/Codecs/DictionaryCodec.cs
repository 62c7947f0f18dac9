using System;
using System.Collections.Generic;
using System.Globalization;

namespace Formatters;

/// <summary>A dictionary: a map in the order in which it enumerates; in canonical mode in the order of the bytes of its keys.</summary>
/// <param name="key">The codec of the keys.</param>
/// <param name="value">The codec of the values.</param>
/// <param name="entryAllocation">About how many bytes an entry takes in memory.</param>
/// <param name="make">Makes an empty dictionary with room for a number of entries.</param>
internal sealed class DictionaryCodec<TDictionary, TKey, TValue>(
    MessagePackCodec<TKey> key, MessagePackCodec<TValue> value, int entryAllocation, Func<int, IDictionary<TKey, TValue>> make)
    : MessagePackCodec<TDictionary>
    where TDictionary : class, IEnumerable<KeyValuePair<TKey, TValue>>
    where TKey : notnull
{
    public override void Write(ref MessagePackBodyWriter writer, TDictionary value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.Enter();
        if (writer.IsCanonical)
            WriteSorted(ref writer, value);
        else if (value is Dictionary<TKey, TValue> dictionary)
            WriteEntries(ref writer, dictionary);
        else
            WriteEntries(ref writer, new List<KeyValuePair<TKey, TValue>>(value));
        writer.Leave();
    }

    public override TDictionary Read(ref MessagePackBodyReader reader, TDictionary? existing = null)
    {
        int count = reader.ReadMapHeader(entryAllocation);
        reader.Enter();
        IDictionary<TKey, TValue> entries = Reusable(existing) ?? make(count);
        entries.Clear();
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

        reader.Leave();
        return (TDictionary)entries;
    }

    private static Dictionary<TKey, TValue>? Reusable(TDictionary? existing) =>
        existing is Dictionary<TKey, TValue> dictionary
        && dictionary.GetType() == typeof(Dictionary<TKey, TValue>)
        && Equals(dictionary.Comparer, typeof(TKey) == typeof(string) ? EqualityComparer<TKey>.Default : KeyedComparer<TKey>.Instance)
            ? dictionary
            : null;

    private void WriteEntries(ref MessagePackBodyWriter writer, Dictionary<TKey, TValue> entries)
    {
        writer.WriteMapHeader(entries.Count);
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

    private void WriteEntries(ref MessagePackBodyWriter writer, List<KeyValuePair<TKey, TValue>> entries)
    {
        writer.WriteMapHeader(entries.Count);
        int i = 0;
        try
        {
            for (; i < entries.Count; i++)
            {
                key.Write(ref writer, entries[i].Key);
                value.Write(ref writer, entries[i].Value);
            }
        }
        catch (MessageFormatException e) when (e.PrependPath(EntryPart(i)))
        {
            throw;
        }
    }

    private void WriteSorted(ref MessagePackBodyWriter writer, TDictionary dictionary)
    {
        var entries = new List<KeyValuePair<TKey, TValue>>(dictionary);
        writer.WriteMapHeader(entries.Count);
        using var keys = new SortedValues(entries.Count);
        foreach (KeyValuePair<TKey, TValue> entry in entries)
            keys.Add(ref writer, key, entry.Key);
        foreach (int index in keys.GetOrder())
        {
            try
            {
                writer.WriteRaw(keys.Get(index));
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

/// <summary>How dictionaries are made.</summary>
internal static class DictionaryMakers
{
    /// <summary>The maker of a generic dictionary: the name of a method below.</summary>
    internal static string? Find(Type definition) =>
        definition == typeof(Dictionary<,>) || definition == typeof(IDictionary<,>) || definition == typeof(IReadOnlyDictionary<,>) ? nameof(MakeDictionary)
        : definition == typeof(SortedDictionary<,>) ? nameof(MakeSortedDictionary)
        : definition == typeof(SortedList<,>) ? nameof(MakeSortedList)
        : null;

    private static Dictionary<TKey, TValue> MakeDictionary<TKey, TValue>(int capacity)
        where TKey : notnull => new(capacity, typeof(TKey) == typeof(string) ? null : KeyedComparer<TKey>.Instance);

    private static SortedDictionary<TKey, TValue> MakeSortedDictionary<TKey, TValue>(int capacity)
        where TKey : notnull => [];

    private static SortedList<TKey, TValue> MakeSortedList<TKey, TValue>(int capacity)
        where TKey : notnull => new(capacity);
}
