using System;
using System.Collections.Generic;
using Formatters.Binary;

namespace Formatters;

/// <summary>
/// The unknown members of a versioned, MessagePack or CBOR record, or the unknown fields of a protobuf message: stored unchanged, and written back
/// with the object.
/// </summary>
/// <remarks>
/// A type stores them in a settable member of this type, declared nullable, which is not a member of its contract: <c>public UnknownMembers? Unknown
/// { get; set; }</c>. It is null if the body had none. An intermediate program that was built with an older version of a type thus passes on what
/// newer versions added. Writing them in another wire format, or in the array form what was read in the map form or the reverse, fails with <see
/// cref="MessageFormatErrorCode.ForeignBytes"/>: write the object as it was read, set the member to null, or drop such members knowingly (<see
/// cref="FormatterLimits.DropForeignMembers"/>). Immutable; equal to another with the same format, numbers, names and bytes.
/// </remarks>
public sealed partial class UnknownMembers : IEquatable<UnknownMembers>
{
    // The approximate size of an entry in memory, in addition to its bytes.
    private const int EntryAllocation = 64;

    private readonly List<(byte Number, byte Kind, byte[] Bytes)> _members = [];
    private readonly int _bodyType;
    private readonly bool _isMap;

    /// <summary>Creates an object without members.</summary>
    public UnknownMembers()
    {
    }

    /// <param name="bodyType">The wire format of the members.</param>
    /// <param name="isMap">Whether they are entries of the map form.</param>
    internal UnknownMembers(int bodyType, bool isMap)
    {
        _bodyType = bodyType;
        _isMap = isMap;
    }

    /// <summary>Gets the number of unknown members.</summary>
    public int Count => _members.Count + _fields.Count + _traversed.Count;

    /// <summary>Determines whether a number is among them.</summary>
    /// <param name="number">The number of a member, from 1.</param>
    /// <returns><see langword="true"/> if the body had a member of that number, which the type does not.</returns>
    public bool Contains(int number) => _members.Exists(m => m.Number == number) || _fields.Exists(f => f.Number == number)
        || _traversed.Exists(t => t.Index == number - 1);

    /// <inheritdoc/>
    public bool Equals(UnknownMembers? other)
    {
        if (other is null || (other._bodyType, other._isMap, other._members.Count) != (_bodyType, _isMap, _members.Count)
            || !HasFieldsOf(other) || !HasTraversedOf(other))
            return false;
        for (int i = 0; i < _members.Count; i++)
        {
            (byte number, byte kind, byte[] bytes) = _members[i];
            if (other._members[i].Number != number || other._members[i].Kind != kind || !bytes.AsSpan().SequenceEqual(other._members[i].Bytes))
                return false;
        }

        return true;
    }

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as UnknownMembers);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        int hash = 17;
        foreach ((byte number, byte kind, byte[] bytes) in _members)
            hash = unchecked((hash * 31) + (number << 12) + (kind << 8) + bytes.Length);
        foreach ((int index, byte[] key, byte[] value) in _traversed)
            hash = unchecked((hash * 31) + (index << 12) + (key.Length << 8) + value.Length);
        foreach ((int number, byte[] bytes) in _fields)
            hash = unchecked((hash * 31) + (number << 12) + bytes.Length);
        return hash;
    }

    /// <summary>Returns the members to write with an object.</summary>
    /// <param name="unknown">The stored members; null for none.</param>
    /// <param name="bodyType">The wire format in which the object is written.</param>
    /// <param name="isMap">Whether it is written in the map form.</param>
    /// <param name="limits">Whether other members are dropped.</param>
    /// <returns>Null if there are none to write.</returns>
    /// <exception cref="MessageFormatException">The members are of another format or form.</exception>
    internal static UnknownMembers? Take(UnknownMembers? unknown, int bodyType, bool isMap, FormatterLimits limits)
    {
        if (unknown is null || unknown.Count == 0)
            return null;
        if (unknown._bodyType == bodyType && unknown._isMap == isMap)
            return unknown;
        if (limits.DropForeignMembers)
            return null;
        throw new MessageFormatException(
            MessageFormatErrorCode.ForeignBytes,
            "The object holds unknown members that were read in "
            + (unknown._bodyType == bodyType ? "the other form of records" : "another wire format")
            + ". Write it as it was read, set the member that holds them to null, or drop them: FormatterLimits.DropForeignMembers.");
    }

    /// <summary>Stores the next member of a body; members are in the order of their numbers.</summary>
    internal void Add(ref BinaryBodyReader reader, int number, int kind)
    {
        int start = reader.ByteOffset;
        reader.SkipMember(kind);
        int byteCount = reader.ByteOffset - start;
        reader.ChargeAllocation(start, 1, byteCount + EntryAllocation);
        _members.Add(((byte)number, (byte)kind, reader.ReadAgain(start, byteCount).ToArray()));
    }

    /// <summary>Merges the kinds of the unknown members into the table of the known ones.</summary>
    /// <param name="known">The table of the known ones: the highest number, then a half byte for each.</param>
    /// <param name="table">Receives the table of both.</param>
    /// <returns>The number of bytes of the new table.</returns>
    internal int MergeTable(ReadOnlySpan<byte> known, Span<byte> table)
    {
        table.Clear();
        known.CopyTo(table);
        foreach ((byte number, byte kind, _) in _members)
        {
            if (IsKnown(known, number))
                continue;
            table[0] = Math.Max(table[0], number);
            table[1 + ((number - 1) / 2)] |= (byte)(number % 2 == 0 ? kind << 4 : kind);
        }

        return MemberKind.TableByteCount(table[0]);
    }

    /// <summary>Writes the members between two adjacent known ones; a known member takes precedence over a stored one.</summary>
    internal void Write(ref BinaryBodyWriter writer, int after, int before)
    {
        foreach ((byte number, _, byte[] bytes) in _members)
        {
            if (number > after && number < before)
                writer.Write(bytes.AsSpan());
        }
    }

    private static bool IsKnown(ReadOnlySpan<byte> known, int number) =>
        number <= known[0] && ((known[1 + ((number - 1) / 2)] >> (number % 2 == 0 ? 4 : 0)) & 15) != MemberKind.Absent;
}
