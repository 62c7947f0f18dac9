// [MS-NRBF], in the order in which BinaryFormatter writes: breadth first, the ids given when an object is first met, one id spent on each question
// whether an object has one, save where it is the object of the question before.
using System;
using System.Buffers;
using System.Globalization;

namespace Formatters;

/// <summary>Writes the records of a body for objects of the types of a map: the bytes of BinaryFormatter.</summary>
internal ref struct LegacyWriter
{
    internal BinaryBodyWriter Body;

    private readonly LegacyTypeMap _map;
    private readonly LegacyWriteState _state;
    private readonly bool _saysTypes;
    private readonly bool _sharesStrings;
    private int _nextId;
    private object? _previous;
    private int _previousId;

    internal LegacyWriter(IBufferWriter<byte> destination, LegacyTypeMap map, LegacyWriteState state, FormatterLimits limits)
    {
        Body = new BinaryBodyWriter(destination, limits);
        _map = map;
        _state = state;
        _saysTypes = map.Options.TypeFormat == LegacyBinaryTypeFormat.TypesAlways;
        _sharesStrings = map.Options.TypeFormat != LegacyBinaryTypeFormat.XsdString;
        _nextId = 1;
    }

    /// <summary>Writes a whole body.</summary>
    internal void WriteBody(object root)
    {
        int rootId = GetId(root, out _);
        WriteRecordType(NrbfRecordType.SerializedStreamHeader);
        Body.Write(rootId);
        Body.Write(-1);
        Body.Write(1);
        Body.Write(0);
        _state.Open.Enqueue((root, GetType(root, _map.Root), rootId));
        while (_state.Open.Count > 0)
        {
            (object value, LegacyType type, int id) = _state.Open.Dequeue();
            if (value is string text)
            {
                WriteStringRecord(text, id);
                continue;
            }

            WriteLibrary(type);
            if (type.Elements is not null)
                WriteArray((Array)value, type, id);
            else
                WriteObject(value, type, id);
        }

        WriteRecordType(NrbfRecordType.MessageEnd);
    }

    /// <summary>Writes a string where a record is expected: itself the first time, then its id; a null as a record of its own.</summary>
    internal void WriteString(string? text)
    {
        if (text is null)
        {
            WriteRecordType(NrbfRecordType.ObjectNull);
            return;
        }

        if (!_sharesStrings)
        {
            WriteStringRecord(text, -1);
            return;
        }

        int id = GetId(text, out bool isNew);
        if (isNew)
            WriteStringRecord(text, id);
        else
            WriteReference(id);
    }

    /// <summary>Writes the value of a member that is a record.</summary>
    internal void WriteMember(object? value, LegacyType declared)
    {
        if (value is null)
            WriteRecordType(NrbfRecordType.ObjectNull);
        else
            WriteValue(value, GetType(value, declared), isObject: ReferenceEquals(declared, _map.Object));
    }

    /// <summary>Writes the elements of a vector that are records. One record stands for nulls that follow each other, but not between arrays.</summary>
    /// <param name="vector">The vector.</param>
    /// <param name="declared">The element type.</param>
    internal void WriteElements<T>(T[] vector, LegacyType declared)
    {
        CheckElementCount(vector);
        bool inRuns = !declared.Type.IsArray;
        int nullCount = 0;
        int i = 0;
        try
        {
            for (; i < vector.Length; i++)
            {
                object? value = vector[i];
                if (value is null && inRuns)
                {
                    nullCount++;
                    continue;
                }

                if (nullCount > 0)
                    WriteNulls(nullCount);
                nullCount = 0;
                WriteMember(value, declared);
            }
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexText(i)))
        {
        }

        if (nullCount > 0)
            WriteNulls(nullCount);
    }

    /// <summary>Writes the elements of an array of another rank, or with a lower bound. Only of one dimension nulls are written in runs.</summary>
    internal void WriteElements(Array array, LegacyType declared)
    {
        if (array.Rank == 1)
        {
            object?[] vector = new object?[array.Length];
            Array.Copy(array, array.GetLowerBound(0), vector, 0, vector.Length);
            WriteElements(vector, declared);
            return;
        }

        CheckElementCount(array);
        int i = 0;
        try
        {
            foreach (object? value in array)
            {
                WriteMember(value, declared);
                i++;
            }
        }
        catch (MessageFormatException e) when (e.PrependPath(IndexText(i)))
        {
        }
    }

    private static string IndexText(int index) => "[" + index.ToString(CultureInfo.InvariantCulture) + "]";

    private readonly void CheckElementCount(Array array)
    {
        if (array.Length > Body.Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(-1, array.Length, Body.Limits.MaxElementCount);
    }

    private void WriteNulls(int nullCount)
    {
        if (nullCount == 1)
        {
            WriteRecordType(NrbfRecordType.ObjectNull);
        }
        else if (nullCount < 256)
        {
            WriteRecordType(NrbfRecordType.ObjectNullMultiple256);
            Body.Write((byte)nullCount);
        }
        else
        {
            WriteRecordType(NrbfRecordType.ObjectNullMultiple);
            Body.Write(nullCount);
        }
    }

    private void WriteValue(object value, LegacyType type, bool isObject)
    {
        if (type.Primitive is NrbfPrimitive primitive)
        {
            WriteRecordType(NrbfRecordType.MemberPrimitiveTyped);
            Body.Write((byte)primitive.Code);
            primitive.WriteBoxed(ref Body, value);
        }
        else if (value is string text)
        {
            WriteString(text);
        }
        else if (type.Type.IsValueType && !isObject)
        {
            // A struct is in its place. Its id is one that nothing refers to.
            int id = -_nextId++;
            WriteLibrary(type);
            WriteObject(value, type, id);
        }
        else
        {
            int id = GetId(value, out bool isNew);
            if (isNew)
                _state.Open.Enqueue((value, type, id));
            WriteReference(id);
        }
    }

    private void WriteObject(object value, LegacyType type, int id)
    {
        LegacyClassContract contract = type.Contract!;
        object target = contract.GetMembers(value, out LegacyMember[] members);
        // The assemblies of all classes in the members, before the record that names them.
        foreach (LegacyMember member in contract.ClassMembers)
        {
            object? memberValue = member.Get(target);
            WriteLibrary(memberValue is null ? member.Type : GetMemberType(memberValue, member));
        }

        int classId = _state.FindClass(contract, members.Length);
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
            saysTypes ? (library == 0 ? NrbfRecordType.SystemClassWithMembersAndTypes : NrbfRecordType.ClassWithMembersAndTypes)
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
        _state.AddClass(contract, members.Length, id);
    }

    /// <summary>Writes the types of members: of a class, that of the value which is there, not the declared one.</summary>
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

    /// <summary>The class that is written as the type of a member; null where the declared type says all.</summary>
    private readonly LegacyType? FindWrittenClass(LegacyMember member, object target)
    {
        bool isOfClass = member.Type.IsOfClass;
        if (!isOfClass && member.Type.BinaryType != NrbfBinaryType.Object || member.Get(target) is not object value)
            return null;
        LegacyType type = GetType(value, member.Type);
        // An object that writes its own members is named even where anything may stand.
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

    private void WriteArray(Array array, LegacyType type, int id)
    {
        LegacyElements elements = type.Elements!;
        LegacyType element = elements.Element;
        if (!element.Type.IsPrimitive)
            WriteLibrary(element);
        bool isVector = array.Rank == 1 && array.GetLowerBound(0) == 0;
        if (isVector && element.BinaryType <= NrbfBinaryType.Object)
        {
            WriteRecordType(
                element.Primitive is not null ? NrbfRecordType.ArraySinglePrimitive
                : element.BinaryType == NrbfBinaryType.String ? NrbfRecordType.ArraySingleString
                : NrbfRecordType.ArraySingleObject);
            Body.Write(id);
            Body.Write(array.Length);
            if (element.Primitive is not null)
                Body.Write((byte)element.Primitive.Code);
        }
        else
        {
            WriteArrayHeader(array, element, id);
        }

        try
        {
            elements.Write(ref this, array);
        }
        catch (MessageFormatException e) when (e.PrependPath(type.Type.Name))
        {
        }
    }

    private void WriteArrayHeader(Array array, LegacyType element, int id)
    {
        NrbfArrayType kind = array.Rank > 1 ? NrbfArrayType.Rectangular : element.Type.IsArray ? NrbfArrayType.Jagged : NrbfArrayType.Single;
        bool hasLowerBounds = false;
        for (int i = 0; i < array.Rank; i++)
            hasLowerBounds |= array.GetLowerBound(i) != 0;
        if (hasLowerBounds)
            kind += NrbfArrayType.SingleOffset - NrbfArrayType.Single;
        WriteRecordType(NrbfRecordType.BinaryArray);
        Body.Write(id);
        Body.Write((byte)kind);
        Body.Write(array.Rank);
        for (int i = 0; i < array.Rank; i++)
            Body.Write(array.GetLength(i));
        for (int i = 0; hasLowerBounds && i < array.Rank; i++)
            Body.Write(array.GetLowerBound(i));
        Body.Write((byte)element.BinaryType);
        WriteTypeDetail(element);
    }

    /// <summary>Writes the record of a type's assembly, unless it has been written, or is that of the base types.</summary>
    private void WriteLibrary(LegacyType type)
    {
        if (type.AssemblyName is not string name || _state.Libraries.ContainsKey(name))
            return;
        // A library takes an id like an object that nobody else has.
        int id = _nextId++;
        _previous = null;
        _state.Libraries.Add(name, id);
        WriteRecordType(NrbfRecordType.BinaryLibrary);
        Body.Write(id);
        Body.Write(name);
    }

    private readonly int FindLibrary(LegacyType type) => type.AssemblyName is null ? 0 : _state.Libraries[type.AssemblyName];

    private readonly LegacyType GetMemberType(object value, LegacyMember member)
    {
        try
        {
            return GetType(value, member.Type);
        }
        catch (MessageFormatException e) when (e.PrependPath(member.Path))
        {
            throw;
        }
    }

    /// <summary>The entry of a value's own type, which in most cases is the declared one.</summary>
    private readonly LegacyType GetType(object value, LegacyType declared)
    {
        Type own = value.GetType();
        if (own == declared.Type && (declared.Contract is not null || declared.Elements is not null))
            return declared;
        LegacyType? type = _map.Find(own) ?? FindArray(own);
        if (type is null || type.Contract is null && type.Elements is null && own != typeof(string))
            NrbfThrow.TypeNotWritten(own, why: type?.WhyNot);
        return type;
    }

    /// <summary>Arrays of a type of the set need not be in it.</summary>
    private readonly LegacyType? FindArray(Type type) => type.IsArray ? _map.FindArray(type) : null;

    private int GetId(object value, out bool isNew)
    {
        isNew = false;
        if (ReferenceEquals(value, _previous))
            return _previousId;
        int newId = _nextId++;
        int id = _state.Ids.GetOrAdd(value, newId);
        isNew = id == newId;
        _previous = value;
        _previousId = id;
        return id;
    }

    private void WriteStringRecord(string text, int id)
    {
        WriteRecordType(NrbfRecordType.BinaryObjectString);
        Body.Write(id, text);
    }

    private void WriteReference(int id)
    {
        WriteRecordType(NrbfRecordType.MemberReference);
        Body.Write(id);
    }

    private void WriteRecordType(NrbfRecordType type) => Body.Write((byte)type);
}
