using System;
using Formatters.Generated;

namespace Formatters;

// MessagePack: elements by their places in the array form, entries by their keys in the map form.
public sealed partial class UnknownMembers
{
    /// <summary>The length that the array form needs for what is kept.</summary>
    internal int ElementCount
    {
        get
        {
            int count = 0;
            foreach ((int bodyType, int index, _, _) in _traversed)
                count = bodyType == BodyTypes.MessagePack ? Math.Max(count, index + 1) : count;
            return count;
        }
    }

    /// <summary>Keeps the value that comes next: an element of the array form.</summary>
    internal void AddElement(ref MessagePackBodyReader reader, int index) => Add(ref reader, index, []);

    /// <summary>Keeps the value that comes next: that of an entry of the map form.</summary>
    internal void AddEntry(ref MessagePackBodyReader reader, ReadOnlySpan<byte> key) => Add(ref reader, -1, key.ToArray());

    /// <summary>Writes the elements of some places, nil where there is none.</summary>
    internal void WriteElements(ref MessagePackBodyWriter writer, int from, int to)
    {
        for (int i = from; i < to; i++)
        {
            int at = _traversed.FindIndex(v => v.BodyType == BodyTypes.MessagePack && v.Index == i);
            if (at < 0)
                writer.WriteNil();
            else
                writer.WriteRaw(_traversed[at].Value);
        }
    }

    /// <summary>How many entries there are, without those that the type knows.</summary>
    internal int CountEntries(ReadOnlySpan<byte> knownKeys)
    {
        int count = 0;
        foreach ((int bodyType, int index, byte[] key, _) in _traversed)
            count += bodyType == BodyTypes.MessagePack && index < 0 && !MessagePackKeys.Contains(knownKeys, key) ? 1 : 0;
        return count;
    }

    /// <summary>Writes the entries that the type does not know, in the order in which they came.</summary>
    internal void WriteEntries(ref MessagePackBodyWriter writer, ReadOnlySpan<byte> knownKeys)
    {
        foreach ((int bodyType, int index, byte[] key, byte[] value) in _traversed)
        {
            if (bodyType != BodyTypes.MessagePack || index >= 0 || MessagePackKeys.Contains(knownKeys, key))
                continue;
            writer.WriteRaw(key);
            writer.WriteRaw(value);
        }
    }

    private void Add(ref MessagePackBodyReader reader, int index, byte[] key)
    {
        int byteOffset = reader.ByteOffset;
        ReadOnlySpan<byte> value = reader.ReadRaw();
        reader.ChargeAllocation(byteOffset, key.Length + value.Length + EntryAllocation);
        _traversed.Add((BodyTypes.MessagePack, index, key, value.ToArray()));
    }
}
