// [MS-NRBF] 2.7: the grammar of a body. Records refer to each other by ids, forward and backward; most objects follow each other and are not nested.
using System;
using System.Collections;
using System.Runtime.CompilerServices;
using Formatters.Binary;

namespace Formatters;

/// <summary>Reads the records of a body into objects of the types of a map.</summary>
/// <remarks>
/// An object is created when its record begins, so that records within it can refer to it. A member whose value comes later is recorded, and set at
/// the end: chains of references take no stack. Nested records do, and are counted (<see cref="FormatterLimits.MaxDepth"/>).
/// </remarks>
internal ref partial struct LegacyReader
{
    internal BinaryBodyReader Body;

    private readonly LegacyTypeMap _map;
    private readonly LegacyReadState _state;
    private readonly bool _isSecondRun;

    /// <param name="body">The body.</param>
    /// <param name="map">The types.</param>
    /// <param name="state">The state of the body while it is read; empty.</param>
    /// <param name="limits">The limits.</param>
    /// <param name="isSecondRun">Whether the body has been read once, and rejected because of an object of an undeclared class. Then no object is
    /// stored in its location until the reachable ones are known: an object that is only referenced by a member that the type does not have is not an
    /// error.</param>
    internal LegacyReader(ReadOnlySpan<byte> body, LegacyTypeMap map, LegacyReadState state, FormatterLimits limits, bool isSecondRun)
    {
        Body = new BinaryBodyReader(body, limits) { RefusesUtf16 = true };
        _map = map;
        _state = state;
        _isSecondRun = isSecondRun;
    }

    /// <summary>Reads a whole body.</summary>
    internal object ReadBody()
    {
        int rootId = ReadHeader();
        while (true)
        {
            int offset = Body.ByteOffset;
            NrbfRecordType type = ReadRecordType();
            if (type == NrbfRecordType.MessageEnd)
                break;
            if (type is NrbfRecordType.MemberReference or NrbfRecordType.ObjectNull or NrbfRecordType.MemberPrimitiveTyped)
                NrbfThrow.Malformed(offset, "The record is allowed only inside other records.");
            if (type == NrbfRecordType.BinaryLibrary)
                ReadLibrary();
            else
                TryReadValue(type, offset, out _, out _);
        }

        Body.EnsureEnd();
        if (_isSecondRun && _state.Find(rootId) is object start)
            _state.DropUnreachable(start);
        _state.Finish(ref Body);
        object? root = _state.Find(rootId);
        if (root is null)
            NrbfThrow.Malformed(Body.ByteOffset, "The body does not have the root object that its header names.");
        if (root is ArrayList list && _map.Root.Contract?.ListMaker is LegacyListMaker maker)
            return _state.ToList(maker, list, TypeNames.Of(_map.Root.Type), ref Body);
        if (root is not LegacyPlaceholder placeholder)
            return root;
        if (placeholder.Value is null)
            NrbfThrow.TypeNotAllowed(0, TypeNames.Of(_map.Root.Type), placeholder.TypeName);
        return placeholder.Value;
    }

    /// <summary>Reads a value that is a record, and stores it in its location, or records that it must be stored there.</summary>
    internal void ReadInto(LegacySlot slot, object target, int index)
    {
        int offset = Body.ByteOffset;
        ReadInto(slot, target, index, ReadRecordType(), offset);
    }

    internal void ReadInto(LegacySlot slot, object target, int index, NrbfRecordType type, int offset)
    {
        int fixupCount = _state.FixupCount;
        bool isHere = TryReadValue(type, offset, out object? value, out int reference);
        bool isIncomplete = false;
        if (slot.IsValue)
        {
            if (reference != 0)
                NrbfThrow.Malformed(offset, "A value type must be in its place; it cannot be a reference.");
            // A struct is copied into its location only after it is complete.
            isIncomplete = _state.FixupCount != fixupCount;
        }

        if (isHere && !isIncomplete && !(_isSecondRun && IsObject(value)) && !LegacyReadState.IsOtherList(slot, value))
            slot.Set(target, index, value, offset);
        else
            _state.AddFixup(slot, target, index, reference, value, offset);
    }

    /// <summary>Determines whether a value is an object that may refer to others, or that is undeclared.</summary>
    private static bool IsObject(object? value) => value is not (null or string) && NrbfPrimitive.Find(value.GetType()) is null;

    /// <summary>Reads a string, if the next record is one.</summary>
    internal string? TryReadString()
    {
        if (!Body.IsNext((byte)NrbfRecordType.BinaryObjectString))
            return null;
        int offset = Body.ByteOffset;
        int id = LittleEndian.ReadInt32(ref Unsafe.Add(ref Body.Take(1 + 4), 1));
        string text = ReadText();
        Register(id, text, offset);
        return text;
    }

    /// <summary>Reads a value that is a record, for an unknown member.</summary>
    internal void PassOver()
    {
        int offset = Body.ByteOffset;
        TryReadValue(ReadRecordType(), offset, out _, out _);
    }

    /// <summary>Reads the elements of an array that are records; one record may represent many nulls.</summary>
    /// <param name="slot">The elements; null if they are passed over.</param>
    /// <param name="array">The array.</param>
    /// <param name="elementCount">Its length.</param>
    internal void ReadElements(LegacyElements? slot, Array? array, int elementCount)
    {
        for (int i = 0; i < elementCount;)
        {
            int offset = Body.ByteOffset;
            NrbfRecordType type = ReadRecordType();
            if (type is NrbfRecordType.ObjectNull or NrbfRecordType.ObjectNullMultiple or NrbfRecordType.ObjectNullMultiple256)
            {
                int nullCount = type == NrbfRecordType.ObjectNull ? 1 : type == NrbfRecordType.ObjectNullMultiple
                    ? Body.ReadInt32()
                    : Body.ReadByte();
                if (nullCount < 1 || nullCount > elementCount - i)
                    ThrowHelper.ThrowBadLength(offset, "The run of nulls does not fit into the array.");
                if (slot is { Element.IsNullable: false })
                    throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "A value type cannot be null.", offset, slot.Path,
                        isPoison: true);
                i += nullCount;
                continue;
            }

            if (slot is not null)
                ReadInto(slot, array!, i, type, offset);
            else
                TryReadValue(type, offset, out _, out _);
            i++;
        }
    }

    private int ReadHeader()
    {
        if (ReadRecordType() != NrbfRecordType.SerializedStreamHeader)
            NrbfThrow.Malformed(0, "The body does not begin with a header.");
        int rootId = Body.ReadInt32();
        Body.ReadInt32();
        int major = Body.ReadInt32();
        int minor = Body.ReadInt32();
        if (major != 1 || minor != 0)
            NrbfThrow.Malformed(9, "The body is not of version 1.0.");
        return rootId;
    }

    private NrbfRecordType ReadRecordType() => (NrbfRecordType)Body.ReadByte();

    /// <summary>Reads a record that is a value.</summary>
    /// <param name="type">Its first byte, which has been read.</param>
    /// <param name="offset">The offset of the record.</param>
    /// <param name="value">The value; a placeholder for one that is created later.</param>
    /// <param name="reference">The id by which the record refers to a value elsewhere; 0 if the value is here.</param>
    /// <returns><see langword="false"/> if the value is made later.</returns>
    private bool TryReadValue(NrbfRecordType type, int offset, out object? value, out int reference)
    {
        reference = 0;
        while (type == NrbfRecordType.BinaryLibrary)
        {
            ReadLibrary();
            offset = Body.ByteOffset;
            type = ReadRecordType();
        }

        switch (type)
        {
            case NrbfRecordType.BinaryObjectString:
                value = ReadString(offset);
                return true;
            case NrbfRecordType.MemberReference:
                reference = Body.ReadInt32();
                if (reference == 0)
                    NrbfThrow.Malformed(offset, "No object has the id 0.");
                value = _state.Find(reference);
                return value is not null && value is not LegacyPlaceholder { Contract: not null };
            case NrbfRecordType.ObjectNull:
                value = null;
                return true;
            case NrbfRecordType.MemberPrimitiveTyped:
                Body.Charge(offset, 1, 32);
                value = NrbfPrimitive.ReadCode(ref Body).ReadBoxed(ref Body);
                return true;
            case NrbfRecordType.ClassWithId:
            case NrbfRecordType.SystemClassWithMembers:
            case NrbfRecordType.ClassWithMembers:
            case NrbfRecordType.SystemClassWithMembersAndTypes:
            case NrbfRecordType.ClassWithMembersAndTypes:
                value = ReadObject(type, offset);
                return value is not LegacyPlaceholder { Contract: not null };
            case NrbfRecordType.ArraySinglePrimitive:
            case NrbfRecordType.ArraySingleObject:
            case NrbfRecordType.ArraySingleString:
            case NrbfRecordType.BinaryArray:
                value = ReadArray(type, offset);
                return true;
            default:
                NrbfThrow.Malformed(offset, "The byte is not a type of record that is allowed here.");
                value = null;
                return false;
        }
    }

    private string ReadString(int offset)
    {
        int id = Body.ReadInt32();
        string text = ReadText();
        Register(id, text, offset);
        return text;
    }

    // A separate string object for each id: a shared object would be written as one with references to it.
    private string ReadText()
    {
        string text = Body.ReadString();
        return text.Length == 1 ? new string(text[0], 1) : text;
    }

    private void ReadLibrary()
    {
        int offset = Body.ByteOffset;
        int id = Body.ReadInt32();
        if (!_state.Libraries.TryAdd(id, _map.GetLibrary(Body.ReadTextSpan())))
            NrbfThrow.Malformed(offset, "Two libraries have the same id.");
    }

    private readonly LegacyLibrary FindLibrary(int id, int offset)
    {
        if (!_state.Libraries.TryGet(id, out LegacyLibrary? library))
            NrbfThrow.Malformed(offset, "The body has no library of this id before the record.");
        return library;
    }

    /// <summary>
    /// Registers an object, so that other records can refer to it. Ids that are not positive belong to nested values, and to strings that are not
    /// shared.
    /// </summary>
    private readonly void Register(int id, object value, int offset)
    {
        if (id <= 0)
            _state.Objects.Skip();
        else if (!_state.Objects.TryAdd(id, value))
            NrbfThrow.Malformed(offset, "Two objects have the same id.");
    }
}
