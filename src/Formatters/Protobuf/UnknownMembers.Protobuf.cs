using System;
using System.Collections.Generic;
using Formatters.Protobuf;

namespace Formatters;

public sealed partial class UnknownMembers
{
    private readonly List<(int Number, byte[] Bytes)> _fields = [];

    /// <summary>Stores a skipped protobuf field with its tag.</summary>
    internal void AddField(ref ProtobufBodyReader reader, int number, int tagOffset)
    {
        ReadOnlySpan<byte> field = reader.ReadAgain(tagOffset);
        reader.Charge(tagOffset, 1, field.Length + EntryAllocation);
        _fields.Add((number, field.ToArray()));
    }

    /// <summary>Writes the protobuf fields in their original order.</summary>
    internal void WriteFields(ref ProtobufBodyWriter writer)
    {
        foreach ((_, byte[] bytes) in _fields)
            writer.WriteRaw(bytes);
    }

    /// <summary>Joins the protobuf fields of two parts of a message.</summary>
    internal UnknownMembers Join(UnknownMembers second)
    {
        var both = new UnknownMembers(BodyTypes.Protobuf, isMap: false);
        both._fields.AddRange(_fields);
        both._fields.AddRange(second._fields);
        return both;
    }

    private bool HasFieldsOf(UnknownMembers other)
    {
        if (other._fields.Count != _fields.Count)
            return false;
        for (int i = 0; i < _fields.Count; i++)
        {
            (int number, byte[] bytes) = _fields[i];
            if (other._fields[i].Number != number || !bytes.AsSpan().SequenceEqual(other._fields[i].Bytes))
                return false;
        }

        return true;
    }
}
