using System;
using System.Collections.Generic;
using System.Text;
using Formatters.Binary;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Reads the records of a body without any type, and prints them.</summary>
internal ref partial struct NrbfPrinter
{
    private const int MaxRank = 32;

    private readonly InspectionWriter _writer;
    private readonly HashSet<int> _references;
    private readonly Dictionary<int, ClassDescription> _classes;
    private BinaryBodyReader _body;

    /// <param name="body">The body.</param>
    /// <param name="writer">Receives the output.</param>
    /// <param name="references">The ids to which records refer: those found before are printed, those found now are added.</param>
    /// <param name="limits">The limits.</param>
    internal NrbfPrinter(ReadOnlySpan<byte> body, InspectionWriter writer, HashSet<int> references, FormatterLimits limits)
    {
        _body = new BinaryBodyReader(body, limits) { RefusesUtf16 = true };
        _writer = writer;
        _references = references;
        _classes = new Dictionary<int, ClassDescription>(KeyedComparer<int>.Instance);
    }

    internal void Print()
    {
        _writer.At(0);
        if (_body.ReadByte() != (byte)NrbfRecordType.SerializedStreamHeader)
            NrbfThrow.Malformed(0, "The body does not begin with a header.");
        int rootId = _body.ReadInt32();
        _body.ReadInt32();
        if (_body.ReadInt32() != 1 || _body.ReadInt32() != 0)
            NrbfThrow.Malformed(9, "The body is not of version 1.0.");
        _references.Add(rootId);
        _writer.BeginObject();
        _writer.At(1);
        _writer.WriteName("$root");
        _writer.Write(rootId);
        _writer.WriteName("$records");
        _writer.BeginArray();
        while (!_body.IsNext((byte)NrbfRecordType.MessageEnd))
            PrintRecord();
        _body.ReadByte();
        _writer.EndArray();
        _writer.EndObject();
        _body.EnsureEnd();
    }

    private void PrintRecord()
    {
        int offset = _body.ByteOffset;
        _writer.At(offset);
        var type = (NrbfRecordType)_body.ReadByte();
        switch (type)
        {
            case NrbfRecordType.BinaryLibrary:
                PrintLibrary();
                break;
            case NrbfRecordType.BinaryObjectString:
                PrintString();
                break;
            case NrbfRecordType.MemberReference:
                int id = _body.ReadInt32();
                _references.Add(id);
                _writer.WriteTagged("$ref", id);
                break;
            case NrbfRecordType.ObjectNull:
                _writer.WriteNull();
                break;
            case NrbfRecordType.ObjectNullMultiple:
                _writer.WriteTagged("$nulls", _body.ReadInt32());
                break;
            case NrbfRecordType.ObjectNullMultiple256:
                _writer.WriteTagged("$nulls", _body.ReadByte());
                break;
            case NrbfRecordType.MemberPrimitiveTyped:
                _writer.WriteValue(NrbfPrimitive.ReadCode(ref _body).ReadBoxed(ref _body));
                break;
            case NrbfRecordType.ClassWithId:
            case NrbfRecordType.SystemClassWithMembers:
            case NrbfRecordType.ClassWithMembers:
            case NrbfRecordType.SystemClassWithMembersAndTypes:
            case NrbfRecordType.ClassWithMembersAndTypes:
                PrintObject(type, offset);
                break;
            case NrbfRecordType.ArraySinglePrimitive:
            case NrbfRecordType.ArraySingleObject:
            case NrbfRecordType.ArraySingleString:
                PrintVector(type, offset);
                break;
            case NrbfRecordType.BinaryArray:
                PrintArray(offset);
                break;
            default:
                NrbfThrow.Malformed(offset, "The byte is not a type of record that is allowed here.");
                break;
        }
    }

    private void PrintLibrary()
    {
        int id = _body.ReadInt32();
        _writer.BeginObject();
        WriteEntry("$library", id);
        _writer.WriteName("$name");
        _writer.Write(ReadText());
        _writer.EndObject();
    }

    private void PrintString()
    {
        int id = _body.ReadInt32();
        string text = ReadText();
        if (!_references.Contains(id))
        {
            _writer.Write(text);
            return;
        }

        _writer.BeginObject();
        WriteEntry("$id", id);
        _writer.WriteName("$string");
        _writer.Write(text);
        _writer.EndObject();
    }

    private void PrintObject(NrbfRecordType type, int offset)
    {
        int id = _body.ReadInt32();
        ClassDescription description;
        if (type == NrbfRecordType.ClassWithId)
        {
            if (!_classes.TryGetValue(_body.ReadInt32(), out description!))
                NrbfThrow.Malformed(offset, "The body has no class of this id before the record.");
        }
        else
        {
            description = ReadClass(type);
            _classes[id] = description;
        }

        // The output for an object of nine bytes may contain any number of names.
        _body.Charge(offset, 1, description.CharCount);
        _body.EnterRecord();
        _writer.BeginObject();
        if (_references.Contains(id))
            WriteEntry("$id", id);
        _writer.WriteName("$class");
        _writer.Write(description.Name);
        if (description.LibraryId is int library)
            WriteEntry("$library", library);
        foreach ((string name, NrbfPrimitive? primitive) in description.Members)
        {
            _writer.At(_body.ByteOffset);
            _writer.WriteName(name);
            PrintMember(primitive, description.HasTypes);
        }

        _writer.EndObject();
        _body.LeaveRecord();
    }

    private void PrintMember(NrbfPrimitive? primitive, bool hasTypes)
    {
        if (!hasTypes)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.UnknownFormat,
                "The members of the class are written without their types (FormatterTypeStyle.TypesWhenNeeded): only a reader that has the class can "
                + "read on from here.",
                _body.ByteOffset);
        }

        if (primitive is not null)
        {
            _writer.WriteValue(primitive.ReadBoxed(ref _body));
            return;
        }

        // A library record may be between the name of a member and its value.
        while (_body.IsNext((byte)NrbfRecordType.BinaryLibrary))
        {
            _body.ReadByte();
            _body.ReadInt32();
            _body.ReadTextSpan();
        }

        PrintRecord();
    }

    private ClassDescription ReadClass(NrbfRecordType type)
    {
        bool hasTypes = type is NrbfRecordType.SystemClassWithMembersAndTypes or NrbfRecordType.ClassWithMembersAndTypes;
        bool hasLibrary = type is NrbfRecordType.ClassWithMembers or NrbfRecordType.ClassWithMembersAndTypes;
        string name = ReadText();
        int memberCount = _body.ReadInt32();
        if (memberCount < 0)
            ThrowHelper.ThrowBadLength(_body.ByteOffset - 4, "The number of members is negative.");
        _body.RequireBytes((long)memberCount * (hasTypes ? 2 : 1));
        _body.Charge(_body.ByteOffset, memberCount, 16);
        var members = new (string Name, NrbfPrimitive? Primitive)[memberCount];
        int charCount = name.Length;
        for (int i = 0; i < memberCount; i++)
        {
            members[i].Name = ReadText();
            charCount += members[i].Name.Length;
        }

        if (hasTypes)
        {
            ReadOnlySpan<byte> types = _body.ReadSpan(memberCount);
            for (int i = 0; i < memberCount; i++)
                members[i].Primitive = ReadElementType((NrbfBinaryType)types[i], out _);
        }

        return new ClassDescription(name, hasLibrary ? _body.ReadInt32() : null, members, hasTypes, charCount);
    }

    /// <summary>Reads the additional information after a BinaryTypeEnumeration.</summary>
    /// <returns>The primitive type; null for a value in a record.</returns>
    private NrbfPrimitive? ReadElementType(NrbfBinaryType type, out string name)
    {
        name = type.ToString();
        switch (type)
        {
            case NrbfBinaryType.Primitive:
                var primitive = NrbfPrimitive.ReadCode(ref _body);
                name = primitive.Type.Name;
                return primitive;
            case NrbfBinaryType.PrimitiveArray:
                name = NrbfPrimitive.ReadCode(ref _body).Type.Name + "[]";
                break;
            case NrbfBinaryType.SystemClass:
                name = ReadText();
                break;
            case NrbfBinaryType.Class:
                name = ReadText();
                _body.ReadInt32();
                break;
            case NrbfBinaryType.String or NrbfBinaryType.Object or NrbfBinaryType.ObjectArray or NrbfBinaryType.StringArray:
                break;
            default:
                NrbfThrow.Malformed(_body.ByteOffset - 1, "A member or element has an unknown type.");
                break;
        }

        return null;
    }

    private void WriteEntry(string name, int value)
    {
        _writer.WriteName(name);
        _writer.Write(value);
    }

    private string ReadText()
    {
        ReadOnlySpan<byte> text = _body.ReadTextSpan();
        try
        {
            return Utf8Text.Strict.GetString(text.ToArray());
        }
        catch (DecoderFallbackException)
        {
            ThrowHelper.ThrowBadText(_body.ByteOffset - text.Length);
            return "";
        }
    }

    /// <summary>A class as described by the body.</summary>
    private sealed record ClassDescription(string Name, int? LibraryId, (string Name, NrbfPrimitive? Primitive)[] Members, bool HasTypes,
        int CharCount);
}
