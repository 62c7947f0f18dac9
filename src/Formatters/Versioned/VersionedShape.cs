// docs/wire/versioned.md: the forms that can be recognized without the contract.
using System;
using System.Buffers.Binary;

namespace Formatters;

/// <summary>Determines whether bytes have the form of a record, a union or elements.</summary>
internal static class VersionedShape
{
    /// <summary>Determines whether bytes are exactly a number of records or strings.</summary>
    internal static bool AreElements(ReadOnlySpan<byte> elements, int count, bool isText)
    {
        if (count < 0 || count > elements.Length)
            return false;
        for (; count > 0; count--)
        {
            int byteCount = ElementByteCount(elements, isText, out _);
            if (byteCount == 0)
                return false;
            elements = elements.Slice(byteCount);
        }

        return elements.IsEmpty;
    }

    /// <summary>Returns the length of an element; 0 if it does not have this form.</summary>
    internal static int ElementByteCount(ReadOnlySpan<byte> rest, bool isText, out string text)
    {
        text = "";
        if (isText)
            return BinaryInspector.TryReadText(rest, out text, out int byteCount) ? byteCount : 0;
        if (rest.Length < sizeof(int) + 1)
            return 0;
        int length = BinaryPrimitives.ReadInt32LittleEndian(rest);
        return length > 0 && length <= rest.Length - sizeof(int) && IsRecord(rest.Slice(0, sizeof(int) + length)) ? sizeof(int) + length : 0;
    }

    /// <summary>Determines whether bytes are exactly one record, as far as this is visible without examining its members.</summary>
    internal static bool IsRecord(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < sizeof(int) + 1 || BinaryPrimitives.ReadInt32LittleEndian(bytes) != bytes.Length - sizeof(int))
            return false;
        int highest = bytes[sizeof(int)];
        int tableEnd = sizeof(int) + MemberKind.TableByteCount(highest);
        if (tableEnd > bytes.Length)
            return false;
        ReadOnlySpan<byte> kinds = bytes.Slice(sizeof(int) + 1, tableEnd - sizeof(int) - 1);
        if (IndexOfBadKind(kinds, highest) >= 0)
            return false;
        int at = tableEnd;
        for (int number = 1; number <= highest && at >= 0; number++)
            at = Skip(bytes, at, GetKind(kinds, number));
        return at == bytes.Length;
    }

    /// <summary>Determines whether bytes are a byte count, a tag and a record.</summary>
    internal static bool IsUnion(ReadOnlySpan<byte> bytes, out int tagByteCount)
    {
        tagByteCount = 0;
        if (bytes.Length < sizeof(int) + 1 || BinaryPrimitives.ReadInt32LittleEndian(bytes) != bytes.Length - sizeof(int))
            return false;
        int i = sizeof(int);
        while (i < bytes.Length && bytes[i] >= 0x80 && i < sizeof(int) + 4)
            i++;
        tagByteCount = i + 1 - sizeof(int);
        return i + 1 < bytes.Length && bytes[i] < 0x80 && IsRecord(bytes.Slice(i + 1));
    }

    /// <summary>Returns the end of a member; -1 if the bytes end before it.</summary>
    private static int Skip(ReadOnlySpan<byte> bytes, int at, int kind)
    {
        if (kind >= MemberKind.Nullable)
        {
            if (at >= bytes.Length || bytes[at] > 1)
                return -1;
            if (bytes[at++] == 0)
                return at;
            kind -= MemberKind.Nullable;
        }

        long end = at;
        if (kind == MemberKind.Long)
        {
            if (bytes.Length - at < sizeof(int))
                return -1;
            int byteCount = BinaryPrimitives.ReadInt32LittleEndian(bytes.Slice(at));
            end = byteCount < 0 ? -1 : (long)at + sizeof(int) + byteCount;
        }
        else if (kind == MemberKind.Short)
        {
            int length = 0;
            for (int i = 0; ; i++, at++)
            {
                if (at >= bytes.Length || i > 4)
                    return -1;
                length |= (bytes[at] & 0x7F) << (7 * i);
                if (bytes[at] < 0x80)
                    break;
            }

            end = length < 0 ? -1 : at + 1L + length;
        }
        else if (kind != MemberKind.Absent)
        {
            end += MemberKind.FixedByteCount(kind);
        }

        return end > bytes.Length ? -1 : (int)end;
    }

    /// <summary>Returns the kind of a number in the half bytes of a table.</summary>
    internal static int GetKind(ReadOnlySpan<byte> kinds, int number) => (kinds[(number - 1) / 2] >> (4 * ((number - 1) & 1))) & 0xF;

    /// <summary>Throws for a table with an undefined kind.</summary>
    internal static void CheckTable(ReadOnlySpan<byte> kinds, int highest, int offset)
    {
        int index = IndexOfBadKind(kinds, highest);
        if (index >= 0)
            ThrowHelper.ThrowBadKind(offset + index);
    }

    private static int IndexOfBadKind(ReadOnlySpan<byte> kinds, int highest)
    {
        for (int number = 1; number <= highest; number++)
        {
            if (GetKind(kinds, number) == MemberKind.Nullable)
                return (number - 1) / 2;
        }

        return highest == 0 || (GetKind(kinds, highest) != 0 && ((highest & 1) == 0 || kinds[kinds.Length - 1] < 0x10)) ? -1 : kinds.Length - 1;
    }
}
