using System;

namespace Formatters;

/// <summary>Puts the entries of a map, or the elements of an array that is a set, into the order of their bytes.</summary>
/// <remarks>The order is that of CBOR's core deterministic encoding (https://www.rfc-editor.org/rfc/rfc8949#section-4.2.1): bytewise, of the encoded keys.</remarks>
internal static class SortedMap
{
    /// <summary>Writes a map or an array that has been written elsewhere, in order.</summary>
    internal static void Write(ref MessagePackBodyWriter writer, ReadOnlySpan<byte> unordered)
    {
        var reader = new MessagePackBodyReader(unordered, writer.Limits);
        bool isMap = reader.NextType == MessagePackType.Map;
        int count = isMap ? reader.ReadMapHeader() : reader.ReadArrayHeader();
        writer.WriteRaw(unordered.Slice(0, reader.ByteOffset));
        var items = new (int Start, int KeyByteCount, int ByteCount)[count];
        for (int i = 0; i < count; i++)
        {
            int start = reader.ByteOffset;
            reader.Skip();
            int keyEnd = reader.ByteOffset;
            if (isMap)
                reader.Skip();
            items[i] = (start, keyEnd - start, reader.ByteOffset - start);
        }

        byte[] bytes = unordered.ToArray();
        Array.Sort(items, (x, y) => bytes.AsSpan(x.Start, x.KeyByteCount).SequenceCompareTo(bytes.AsSpan(y.Start, y.KeyByteCount)));
        foreach ((int start, _, int byteCount) in items)
            writer.WriteRaw(bytes.AsSpan(start, byteCount));
    }
}
