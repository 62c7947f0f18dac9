// [MS-NRBF], in the order in which BinaryFormatter writes: breadth first, with ids assigned when an object is first met. Each check whether an object
// has an id consumes one, unless it is the same object as in the previous check.
using System;
using System.Buffers;
using Formatters.Binary;
using Formatters.LegacyBinary;

namespace Formatters;

/// <summary>Writes the records of a body for objects of the types of a map: the bytes of BinaryFormatter.</summary>
internal ref partial struct LegacyWriter
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

    /// <summary>Writes a string where a record is expected: the string itself the first time, then its id; a null as a record of its own.</summary>
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
            // A struct is written in place. Its id is one to which nothing refers.
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

    /// <summary>Writes the record of a type's assembly, unless it has been written, or is that of the base types.</summary>
    private void WriteLibrary(LegacyType type)
    {
        if (type.AssemblyName is not string name || _state.Libraries.ContainsKey(name))
            return;
        // A library takes an id like an unshared object.
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

    /// <summary>Returns the entry of a value's own type, which is usually the declared one.</summary>
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

    /// <summary>Finds the entry of an array type, which need not be in the set.</summary>
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
        Body.Write(id);
        Body.Write(text);
    }

    private void WriteReference(int id)
    {
        WriteRecordType(NrbfRecordType.MemberReference);
        Body.Write(id);
    }

    private void WriteRecordType(NrbfRecordType type) => Body.Write((byte)type);
}
