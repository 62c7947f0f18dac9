// [MS-NRBF] 2.3: class records.
namespace Formatters;

internal ref partial struct LegacyWriter
{
    private void WriteObject(object value, LegacyType type, int id)
    {
        LegacyClassContract contract = type.Contract!;
        object target = contract.GetMembers(value, _map, out LegacyMember[] members);
        // The assemblies of all classes in the members, before the record that names them.
        foreach (LegacyMember member in contract.GetClassMembers(members))
        {
            object? memberValue = member.Get(target);
            WriteLibrary(memberValue is null ? member.Type : GetMemberType(memberValue, member));
        }

        int classId = _state.FindClass(contract, members);
        if (classId != 0)
        {
            WriteRecordType(NrbfRecordType.ClassWithId);
            Body.Write(id);
            Body.Write(classId);
        }
        else
        {
            WriteClass(contract, members, target, id);
        }

        int i = 0;
        try
        {
            for (; i < members.Length; i++)
                members[i].Write(ref this, target);
        }
        catch (MessageFormatException e) when (e.PrependPath(members[i].Path))
        {
        }
    }

    private void WriteClass(LegacyClassContract contract, LegacyMember[] members, object target, int id)
    {
        bool saysTypes = _saysTypes || contract.WritesItself;
        int library = FindLibrary(contract.Type);
        WriteRecordType(
            saysTypes
            ? (library == 0 ? NrbfRecordType.SystemClassWithMembersAndTypes : NrbfRecordType.ClassWithMembersAndTypes)
            : library == 0 ? NrbfRecordType.SystemClassWithMembers : NrbfRecordType.ClassWithMembers);
        Body.Write(id);
        Body.Write(contract.EncodedName);
        Body.Write(members.Length);
        if (ReferenceEquals(members, contract.Members))
        {
            Body.Write(contract.EncodedMemberNames);
        }
        else
        {
            foreach (LegacyMember member in members)
                Body.Write(member.EncodedName);
        }

        if (saysTypes)
            WriteMemberTypes(members, target);
        if (library != 0)
            Body.Write(library);
        _state.AddClass(contract, members, id);
    }

    /// <summary>Writes the types of members: for a class, that of the actual value, not the declared one.</summary>
    private void WriteMemberTypes(LegacyMember[] members, object target)
    {
        foreach (LegacyMember member in members)
            Body.Write((byte)(FindWrittenClass(member, target)?.ClassBinaryType ?? member.Type.BinaryType));
        foreach (LegacyMember member in members)
        {
            if (FindWrittenClass(member, target) is LegacyType type)
                WriteClassDetail(type);
            else
                WriteTypeDetail(member.Type);
        }
    }

    /// <summary>Finds the class to write as the type of a member; null if the declared type is sufficient.</summary>
    private readonly LegacyType? FindWrittenClass(LegacyMember member, object target)
    {
        bool isOfClass = member.Type.IsOfClass;
        if (!isOfClass && member.Type.BinaryType != NrbfBinaryType.Object || member.Get(target) is not object value)
            return null;
        LegacyType type = GetType(value, member.Type);
        // An object that writes its own members is named even where any type is allowed.
        return isOfClass || type.Contract is { WritesItself: true } ? type : null;
    }

    private void WriteTypeDetail(LegacyType type)
    {
        if (type.IsOfClass)
            WriteClassDetail(type);
        else if (type.Primitive is not null)
            Body.Write((byte)type.Primitive.Code);
        else if (type.ElementPrimitive is not null)
            Body.Write((byte)type.ElementPrimitive.Code);
    }

    private void WriteClassDetail(LegacyType type)
    {
        Body.Write(type.Contract?.EncodedName ?? type.EncodedName);
        if (type.AssemblyName is not null)
            Body.Write(FindLibrary(type));
    }
}
