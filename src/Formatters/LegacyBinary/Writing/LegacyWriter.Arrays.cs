// [MS-NRBF] 2.4: array records, and the runs of nulls in them (2.5.5, 2.5.6).
using System;
using System.Globalization;

namespace Formatters;

internal ref partial struct LegacyWriter
{
    /// <summary>Writes the elements of a vector that are records. One record represents consecutive nulls, but not across arrays.</summary>
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

    /// <summary>Writes the elements of an array of another rank, or with a lower bound. Nulls are written in runs only for one dimension.</summary>
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
                element.Primitive is not null
                ? NrbfRecordType.ArraySinglePrimitive
                : element.BinaryType == NrbfBinaryType.String
                ? NrbfRecordType.ArraySingleString
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
        catch (MessageFormatException e) when (e.PrependPath(elements.Path))
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
}
