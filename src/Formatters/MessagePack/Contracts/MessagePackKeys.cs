using System;

namespace Formatters.Generated;

/// <summary>Names of the map form, one behind the other, each as a whole value.</summary>
internal static class MessagePackKeys
{
    /// <summary>Finds a name by its UTF-8.</summary>
    /// <returns>Its place, from 0; -1 if there is none.</returns>
    internal static int IndexOf(ReadOnlySpan<byte> keys, ReadOnlySpan<byte> name)
    {
        for (int i = 0; !keys.IsEmpty; i++)
        {
            ReadOnlySpan<byte> key = TakeFirst(ref keys);
            if (key.Length > name.Length && key.Slice(key.Length - name.Length).SequenceEqual(name)
                && key.Length == name.Length + MessagePackBytes.GetStringHeaderByteCount(name.Length))
                return i;
        }

        return -1;
    }

    /// <summary>Finds a name by its whole value in the shortest form; what is no text is never found.</summary>
    internal static bool Contains(ReadOnlySpan<byte> keys, ReadOnlySpan<byte> key)
    {
        var reader = new MessagePackBodyReader(key);
        return reader.NextType == MessagePackType.String && IndexOf(keys, reader.ReadUtf8()) >= 0;
    }

    private static ReadOnlySpan<byte> TakeFirst(ref ReadOnlySpan<byte> keys)
    {
        MessagePackEncoding.TryReadHeader(keys, out MessagePackHeader header, out _);
        int byteCount = header.HeaderByteCount + (int)header.Count;
        ReadOnlySpan<byte> first = keys.Slice(0, byteCount);
        keys = keys.Slice(byteCount);
        return first;
    }
}
