// [MS-NRBF] 2.4: array records.
using System;
using Formatters.Binary;

namespace Formatters;

internal ref partial struct NrbfPrinter
{
    private void PrintVector(NrbfRecordType type, int offset)
    {
        int id = _body.ReadInt32();
        int elementCount = ReadLength();
        NrbfPrimitive? primitive = type == NrbfRecordType.ArraySinglePrimitive ? NrbfPrimitive.ReadCode(ref _body) : null;
        bool isReferredTo = _references.Contains(id);
        if (isReferredTo)
        {
            _writer.BeginObject();
            WriteEntry("$id", id);
            _writer.WriteName("$items");
        }

        PrintElements(primitive, elementCount, offset);
        if (isReferredTo)
            _writer.EndObject();
    }

    private void PrintArray(int offset)
    {
        int id = _body.ReadInt32();
        var kind = (NrbfArrayType)_body.ReadByte();
        int rank = _body.ReadInt32();
        bool isRectangular = kind is NrbfArrayType.Rectangular or NrbfArrayType.RectangularOffset;
        if (kind > NrbfArrayType.RectangularOffset || rank < 1 || rank > (isRectangular ? MaxRank : 1))
            ThrowHelper.ThrowBadLength(offset, "The array has an unknown kind, or a rank that its kind does not allow.");
        _writer.BeginObject();
        if (_references.Contains(id))
            WriteEntry("$id", id);
        long elementCount = 1;
        _writer.WriteName("$lengths");
        _writer.BeginArray();
        for (int i = 0; i < rank; i++)
        {
            int length = ReadLength();
            elementCount = Math.Min(elementCount * length, int.MaxValue + 1L);
            _writer.Write(length);
        }

        _writer.EndArray();
        if (kind >= NrbfArrayType.SingleOffset)
        {
            _writer.WriteName("$lowerBounds");
            _writer.BeginArray();
            for (int i = 0; i < rank; i++)
                _writer.Write(_body.ReadInt32());
            _writer.EndArray();
        }

        NrbfPrimitive? primitive = ReadElementType((NrbfBinaryType)_body.ReadByte(), out string elementType);
        _writer.WriteName("$elements");
        _writer.Write(elementType);
        _writer.WriteName("$items");
        PrintElements(primitive, elementCount, offset);
        _writer.EndObject();
    }

    private void PrintElements(NrbfPrimitive? primitive, long elementCount, int offset)
    {
        if (primitive is not null)
            _body.RequireBytes(elementCount * primitive.MinByteCount);
        if (primitive?.Code == NrbfPrimitiveType.Byte)
        {
            _writer.WriteBytes(_body.ReadSpan((int)elementCount));
            return;
        }

        if (elementCount > _body.Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(offset, elementCount, _body.Limits.MaxElementCount);
        _body.EnterRecord();
        _writer.BeginArray();
        for (long i = 0; i < elementCount; i++)
        {
            if (primitive is null)
            {
                i += PrintElement(elementCount - i) - 1;
                continue;
            }

            _writer.At(_body.ByteOffset);
            _writer.WriteValue(primitive.ReadBoxed(ref _body));
        }

        _writer.EndArray();
        _body.LeaveRecord();
    }

    /// <summary>Prints a record of an array.</summary>
    /// <returns>How many elements it represents.</returns>
    private int PrintElement(long elementCount)
    {
        int offset = _body.ByteOffset;
        BinaryBodyReader record = _body;
        int count = (NrbfRecordType)record.ReadByte() switch
        {
            NrbfRecordType.ObjectNullMultiple => record.ReadInt32(),
            NrbfRecordType.ObjectNullMultiple256 => record.ReadByte(),
            NrbfRecordType.BinaryLibrary => 0,
            _ => 1,
        };
        if (count < 0 || count > elementCount)
            ThrowHelper.ThrowBadLength(offset, "The run of nulls does not fit into the array.");
        PrintRecord();
        return count;
    }

    private int ReadLength()
    {
        int length = _body.ReadInt32();
        if (length < 0)
            ThrowHelper.ThrowBadLength(_body.ByteOffset - 4, "The number of elements is negative.");
        return length;
    }
}
