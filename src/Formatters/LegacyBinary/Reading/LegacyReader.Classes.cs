// [MS-NRBF] 2.3: class records. A class is described once, with its first object; further objects refer to that description.
using System;
using System.Runtime.CompilerServices;
using System.Text;
using Formatters.Binary;

namespace Formatters;

internal ref partial struct LegacyReader
{
    private object ReadObject(NrbfRecordType type, int offset)
    {
        int id;
        LegacyClass description;
        if (type == NrbfRecordType.ClassWithId)
        {
            ref byte ids = ref Body.Take(4 + 4);
            id = LittleEndian.ReadInt32(ref ids);
            description = FindClass(LittleEndian.ReadInt32(ref Unsafe.Add(ref ids, 4)), offset);
        }
        else
        {
            id = Body.ReadInt32();
            description = ReadClass(type, offset);
            if (!_state.Classes.TryAdd(id, description))
                NrbfThrow.Malformed(offset, "Two classes have the same id.");
        }

        LegacyClassContract? contract = description.Contract;
        if (contract is null)
        {
            // The object is skipped, but other records may refer to its contents, or to itself if they are skipped as well.
            Register(id, description.Undeclared, offset);
            ReadMembers(description.Members, description.Undeclared);
            return description.Undeclared;
        }

        Body.Charge(offset, 1, contract.AllocationByteCount);
        object target = contract.Begin(description.Members);
        if (contract.BeginsWithObject)
        {
            Register(id, target, offset);
            ReadMembers(description.Members, target);
        }
        else
        {
            ReadMembers(description.Members, target);
            target = contract.End(target, description.Members, offset);
            Register(id, target, offset);
            if (target is LegacyPlaceholder { Contract: not null } placeholder)
                _state.AddPlaceholder(placeholder);
        }

        if (contract.NeedsCompletion)
            _state.AddCompletion(contract, target, offset);
        return target;
    }

    private void ReadMembers(LegacyMember[] members, object target)
    {
        Body.EnterRecord();
        int i = 0;
        try
        {
            for (; i < members.Length; i++)
                members[i].Read(ref this, target);
        }
        catch (MessageFormatException e) when (e.MemberPath is null && e.PrependPath(members[i].Path))
        {
        }

        Body.LeaveRecord();
    }

    private readonly LegacyClass FindClass(int id, int offset)
    {
        if (_state.LastClassId == id && _state.LastClass is not null)
            return _state.LastClass;
        if (!_state.Classes.TryGet(id, out LegacyClass? description))
            NrbfThrow.Malformed(offset, "The body has no class of this id before the record.");
        _state.LastClass = description;
        _state.LastClassId = id;
        return description;
    }

    /// <summary>Reads the description of a class in two passes, because the name of its class is at the end.</summary>
    private LegacyClass ReadClass(NrbfRecordType type, int offset)
    {
        bool isTyped = type is NrbfRecordType.SystemClassWithMembersAndTypes or NrbfRecordType.ClassWithMembersAndTypes;
        bool hasLibrary = type is NrbfRecordType.ClassWithMembers or NrbfRecordType.ClassWithMembersAndTypes;
        ReadOnlySpan<byte> name = Body.ReadTextSpan();
        int memberCount = Body.ReadInt32();
        if (memberCount < 0)
            ThrowHelper.ThrowBadLength(Body.ByteOffset - 4, "The number of members is negative.");
        Body.RequireBytes((long)memberCount * (isTyped ? 2 : 1));
        BinaryBodyReader names = Body;
        BinaryBodyReader start = Body;
        for (int i = 0; i < memberCount; i++)
            Body.ReadTextSpan();
        int namesByteCount = Body.ByteOffset - names.ByteOffset;
        ReadOnlySpan<byte> types = isTyped ? Body.ReadSpan(memberCount) : default;
        BinaryBodyReader details = Body;
        foreach (byte binaryType in types)
            PassOverTypeDetail((NrbfBinaryType)binaryType);
        int libraryOffset = Body.ByteOffset;
        LegacyLibrary? library = hasLibrary ? FindLibrary(Body.ReadInt32(), libraryOffset) : null;

        LegacyClassContract? contract = _map.Find(name, library)?.Contract;
        if (contract is { IsOpen: true })
            return OpenMembers(contract, memberCount, names, isTyped, types, details, offset);
        if (contract is not null && HasOwnMembers(contract, memberCount, start.ReadSpan(namesByteCount), types, details))
            return new LegacyClass(contract, contract.Members);
        LegacyClass bound = BindMembers(contract, memberCount, names, isTyped, types, details, offset);
        return contract is null ? bound with { Undeclared = NewUndeclared(name, library, offset) } : bound;
    }

    /// <summary>Creates the placeholder for the objects of an undeclared class, with the class's name for an error where one is used.</summary>
    private LegacyPlaceholder NewUndeclared(ReadOnlySpan<byte> name, LegacyLibrary? library, int offset)
    {
        var placeholder = new LegacyPlaceholder { TypeName = LegacyName.ForPeople(name, library) };
        Body.Charge(offset, 1, 128 + (2 * placeholder.TypeName.Length));
        return placeholder;
    }

    /// <summary>Determines whether a body describes a class as this library does: the same members in the same order.</summary>
    private static bool HasOwnMembers(
        LegacyClassContract contract, int memberCount, ReadOnlySpan<byte> names, ReadOnlySpan<byte> types, BinaryBodyReader details)
    {
        LegacyMember[] members = contract.Members;
        if (memberCount != members.Length || !names.SequenceEqual(contract.EncodedMemberNames))
            return false;
        for (int i = 0; i < types.Length; i++)
        {
            if (ReadTypeDetail(ref details, (NrbfBinaryType)types[i]) != members[i].Type.Primitive)
                return false;
        }

        return true;
    }

    /// <summary>Maps each member of the body to that of the class, if it has one.</summary>
    private LegacyClass BindMembers(
        LegacyClassContract? contract, int memberCount, BinaryBodyReader names, bool isTyped, ReadOnlySpan<byte> types, BinaryBodyReader details,
            int offset)
    {
        Body.Charge(offset, memberCount, 8);
        var members = new LegacyMember[memberCount];
        for (int i = 0; i < memberCount; i++)
        {
            int memberOffset = names.ByteOffset;
            LegacyMember? member = FindMember(contract, i, names.ReadTextSpan());
            NrbfPrimitive? primitive = member?.Type.Primitive;
            if (isTyped)
                primitive = ReadTypeDetail(ref details, (NrbfBinaryType)types[i]);
            else if (member is null)
                NrbfThrow.Malformed(memberOffset, "Neither the body nor a declared class gives the types of some members of the class.");
            if (member is not null && primitive == member.Type.Primitive)
            {
                members[i] = member;
                continue;
            }

            if (member is null)
            {
                members[i] = _map.GetIgnored(primitive);
                continue;
            }

            Body.Charge(offset, 1, 320);
            members[i] = new LegacyForeignMember(member, primitive, _map.Object);
        }

        if (contract is not null)
            CheckMembers(contract, members, offset);
        return new LegacyClass(contract, members);
    }

    /// <summary>Creates the members of a class whose members vary by body.</summary>
    private LegacyClass OpenMembers(
        LegacyClassContract contract, int memberCount, BinaryBodyReader names, bool isTyped, ReadOnlySpan<byte> types, BinaryBodyReader details,
            int offset)
    {
        if (!isTyped && memberCount > 0)
            NrbfThrow.Malformed(offset, "Neither the body nor a declared class gives the types of some members of the class.");
        var members = new LegacyMember[memberCount];
        for (int i = 0; i < memberCount; i++)
        {
            string name = names.ReadString();
            NrbfPrimitive? primitive = ReadTypeDetail(ref details, (NrbfBinaryType)types[i]);
            Body.Charge(offset, 1, 320);
            members[i] = new LegacyOpenMember(TypeNames.Of(contract.Type.Type), name, primitive is null ? _map.Object : _map.Find(primitive.Type)!,
                i);
        }

        return new LegacyClass(contract, members);
    }

    private static LegacyMember? FindMember(LegacyClassContract? contract, int index, ReadOnlySpan<byte> name)
    {
        if (contract is null)
            return null;
        LegacyMember[] members = contract.Members;
        if (index < members.Length && name.SequenceEqual(members[index].Utf8Name))
            return members[index];
        // Not in the contract's order. A name that is not valid UTF-8 matches no member.
        return contract.FindMember(Encoding.UTF8.GetString(name.ToArray()));
    }

    private readonly void CheckMembers(LegacyClassContract contract, LegacyMember[] members, int offset)
    {
        bool[] found = new bool[contract.Members.Length];
        foreach (LegacyMember member in members)
        {
            LegacyMember? own = member is LegacyForeignMember foreign ? foreign.Member : member;
            if (own is null)
                continue;
            if (found[own.Index])
                throw new MessageFormatException(MessageFormatErrorCode.DuplicateKey, "A member occurs twice.", offset, own.Path, isPoison: true);
            found[own.Index] = true;
        }

        if (!_map.Options.RequireAllMembers || contract is LegacyBagContract)
            return;
        int missing = Array.FindIndex(contract.Members, member => !found[member.Index] && !member.IsOptional);
        if (missing >= 0)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.Malformed, "The body lacks a member (LegacyBinaryOptions.RequireAllMembers).", offset,
                    contract.Members[missing].Path);
        }
    }

    private static NrbfPrimitive? ReadTypeDetail(ref BinaryBodyReader details, NrbfBinaryType type)
    {
        switch (type)
        {
            case NrbfBinaryType.Primitive:
                return NrbfPrimitive.ReadCode(ref details);
            case NrbfBinaryType.PrimitiveArray:
                details.ReadByte();
                break;
            case NrbfBinaryType.SystemClass:
                details.ReadTextSpan();
                break;
            case NrbfBinaryType.Class:
                details.ReadTextSpan();
                details.ReadInt32();
                break;
        }

        return null;
    }

    private void PassOverTypeDetail(NrbfBinaryType type)
    {
        if (type > NrbfBinaryType.PrimitiveArray)
            NrbfThrow.Malformed(Body.ByteOffset, "A member has an unknown type.");
        ReadTypeDetail(ref Body, type);
    }
}
