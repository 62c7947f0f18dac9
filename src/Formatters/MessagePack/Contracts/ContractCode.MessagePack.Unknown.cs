using System;

namespace Formatters.Generated;

// MessagePack: members that their reader does not know, kept by a member of type UnknownMembers.
public static partial class ContractCode
{
    /// <summary>Keeps an element of the array form that no member stands for; in a gap only if it is not nil.</summary>
    /// <param name="reader">The reader, at the element.</param>
    /// <param name="unknown">Receives it; made where it is the first.</param>
    /// <param name="index">Its place.</param>
    /// <param name="isGap">Whether there are members behind it.</param>
    /// <exception cref="MessageFormatException">The value is bad.</exception>
    public static void KeepElement(ref MessagePackBodyReader reader, ref UnknownMembers? unknown, int index, bool isGap)
    {
        if (isGap && reader.TryReadNil())
            return;
        unknown ??= new UnknownMembers();
        unknown.AddElement(ref reader, index);
    }

    /// <summary>Keeps an entry of the map form that no member stands for.</summary>
    /// <param name="reader">The reader, at the value.</param>
    /// <param name="unknown">Receives it; made where it is the first.</param>
    /// <param name="key">The key, as a whole value.</param>
    /// <exception cref="MessageFormatException">The value is bad.</exception>
    public static void KeepEntry(ref MessagePackBodyReader reader, ref UnknownMembers? unknown, ReadOnlySpan<byte> key)
    {
        unknown ??= new UnknownMembers();
        unknown.AddEntry(ref reader, key);
    }

    /// <summary>The length of the array form together with what is kept.</summary>
    /// <param name="unknown">What is kept.</param>
    /// <param name="elementCount">The length without.</param>
    /// <returns>The greater of both.</returns>
    public static int ElementCount(UnknownMembers unknown, int elementCount) => Math.Max(unknown.ElementCount, elementCount);

    /// <summary>Writes what is kept for some places of the array form, or nil.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="unknown">What is kept.</param>
    /// <param name="from">The first place.</param>
    /// <param name="to">The place behind the last.</param>
    /// <returns>The position behind it.</returns>
    public static ref byte PackElements(ref MessagePackBodyWriter writer, ref byte position, UnknownMembers unknown, int from, int to)
    {
        writer.End(ref position);
        unknown.WriteElements(ref writer, from, to);
        return ref writer.Begin();
    }

    /// <summary>The number of entries of the map form together with what is kept.</summary>
    /// <param name="unknown">What is kept.</param>
    /// <param name="entryCount">The number without.</param>
    /// <param name="keys">The keys of all members, one behind the other.</param>
    /// <returns>The sum.</returns>
    public static int EntryCount(UnknownMembers unknown, int entryCount, ReadOnlySpan<byte> keys) => entryCount + unknown.CountEntries(keys);

    /// <summary>Writes the entries that are kept.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="unknown">What is kept.</param>
    /// <param name="keys">The keys of all members, one behind the other.</param>
    /// <returns>The position behind it.</returns>
    public static ref byte PackEntries(ref MessagePackBodyWriter writer, ref byte position, UnknownMembers unknown, ReadOnlySpan<byte> keys)
    {
        writer.End(ref position);
        unknown.WriteEntries(ref writer, keys);
        return ref writer.Begin();
    }
}
