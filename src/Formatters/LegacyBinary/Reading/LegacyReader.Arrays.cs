// [MS-NRBF] 2.4: array records.
using System;

namespace Formatters;

internal ref partial struct LegacyReader
{
    private const int MaxRank = 32;

    private object ReadArray(NrbfRecordType type, int offset)
    {
        int id = Body.ReadInt32();
        if (type == NrbfRecordType.BinaryArray)
            return ReadBinaryArray(id, offset);
        int elementCount = ReadLength();
        LegacyType element = type switch
        {
            NrbfRecordType.ArraySinglePrimitive => _map.Find(NrbfPrimitive.ReadCode(ref Body).Type)!,
            NrbfRecordType.ArraySingleObject => _map.Object,
            _ => _map.String,
        };
        Charge(element, elementCount, offset);
        Array array = element.ArrayElements.Create(elementCount);
        ReadElements(element.ArrayElements, array, id, offset);
        return array;
    }

    private object ReadBinaryArray(int id, int offset)
    {
        var arrayType = (NrbfArrayType)Body.ReadByte();
        int rank = Body.ReadInt32();
        bool isRectangular = arrayType is NrbfArrayType.Rectangular or NrbfArrayType.RectangularOffset;
        if (arrayType > NrbfArrayType.RectangularOffset || rank < 1 || rank > (isRectangular ? MaxRank : 1))
            ThrowHelper.ThrowBadLength(offset, "The array has an unknown kind, or a rank that its kind does not allow.");
        int[] lengths = new int[rank];
        int[] lowerBounds = new int[rank];
        long elementCount = 1;
        for (int i = 0; i < rank; i++)
        {
            lengths[i] = ReadLength();
            elementCount = Math.Min(elementCount * lengths[i], int.MaxValue + 1L);
        }

        if (arrayType >= NrbfArrayType.SingleOffset)
        {
            for (int i = 0; i < rank; i++)
            {
                lowerBounds[i] = Body.ReadInt32();
                if ((long)lowerBounds[i] + lengths[i] > int.MaxValue)
                    ThrowHelper.ThrowBadLength(Body.ByteOffset - 4, "The upper bound does not fit into 31 bits.");
            }
        }

        LegacyType? element = ReadElementType();
        if (element is not { HasArrayElements: true })
        {
            Register(id, LegacyPlaceholder.Undeclared, offset);
            Body.EnterRecord();
            ReadElements(null, null, CheckCount(elementCount, offset));
            Body.LeaveRecord();
            return LegacyPlaceholder.Undeclared;
        }

        Charge(element, elementCount, offset);
        bool isVector = rank == 1 && lowerBounds[0] == 0;
        Array array = isVector ? element.ArrayElements.Create(lengths[0]) : CreateArray(element.Type, lengths, lowerBounds, offset);
        ReadElements(element.ArrayElements, array, id, offset);
        return array;
    }

    private void ReadElements(LegacyElements elements, Array array, int id, int offset)
    {
        Register(id, array, offset);
        Body.EnterRecord();
        try
        {
            elements.Read(ref this, array);
        }
        catch (MessageFormatException e) when (e.MemberPath is null && e.PrependPath(elements.Path))
        {
        }

        Body.LeaveRecord();
    }

    /// <summary>Reads the element type of an array; null for a type outside the set.</summary>
    private LegacyType? ReadElementType()
    {
        int offset = Body.ByteOffset;
        switch ((NrbfBinaryType)Body.ReadByte())
        {
            case NrbfBinaryType.Primitive:
                return _map.Find(NrbfPrimitive.ReadCode(ref Body).Type);
            case NrbfBinaryType.String:
                return _map.String;
            case NrbfBinaryType.Object:
                return _map.Object;
            case NrbfBinaryType.ObjectArray:
                return _map.Find(typeof(object[]));
            case NrbfBinaryType.StringArray:
                return _map.Find(typeof(string[]));
            case NrbfBinaryType.PrimitiveArray:
                return _map.FindVector(NrbfPrimitive.ReadCode(ref Body));
            case NrbfBinaryType.SystemClass:
                return _map.Find(Body.ReadTextSpan(), null);
            case NrbfBinaryType.Class:
                ReadOnlySpan<byte> name = Body.ReadTextSpan();
                int libraryOffset = Body.ByteOffset;
                return _map.Find(name, FindLibrary(Body.ReadInt32(), libraryOffset));
            default:
                NrbfThrow.Malformed(offset, "The elements have an unknown type.");
                return null;
        }
    }

    private int ReadLength()
    {
        int length = Body.ReadInt32();
        if (length < 0)
            ThrowHelper.ThrowBadLength(Body.ByteOffset - 4, "The number of elements is negative.");
        return length;
    }

    /// <summary>
    /// Checks that an array may be created: elements without records against the remaining bytes, all against the memory that the body may use.
    /// </summary>
    private void Charge(LegacyType element, long elementCount, int offset)
    {
        if (element.Primitive is NrbfPrimitive primitive)
            Body.RequireBytes(elementCount * primitive.MinByteCount);
        int count = CheckCount(elementCount, offset, isLimited: element.Primitive is null);
        long byteCount = (long)count * element.ArrayElements.ElementByteCount;
        if (element.Primitive is null)
            byteCount -= _state.TakeFreeElements(byteCount);
        Body.Charge(offset, byteCount);
        Body.Charge(offset, 1, 32);
    }

    private int CheckCount(long elementCount, int offset, bool isLimited = true)
    {
        if (elementCount > (isLimited ? Body.Limits.MaxElementCount : int.MaxValue))
            ThrowHelper.ThrowTooManyElements(offset, elementCount, Body.Limits.MaxElementCount);
        return (int)elementCount;
    }

    [System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessage(
        "AOT", "IL3050", Justification = "The formatter's constructor says that it needs dynamic code.")]
    private static Array CreateArray(Type elementType, int[] lengths, int[] lowerBounds, int offset)
    {
        try
        {
            return Array.CreateInstance(elementType, lengths, lowerBounds);
        }
        catch (Exception e) when (e is ArgumentException or OutOfMemoryException or TypeLoadException or NotSupportedException)
        {
            // Lengths of which one is 0 and the others exceed the runtime's limit, or a kind of array that was not known at compile time.
            ThrowHelper.ThrowBadValue(offset, nameof(Array), e);
            return null;
        }
    }
}
