using System;

namespace Formatters;

/// <summary>Reads and writes the arrays of one element type, of every rank.</summary>
internal abstract class LegacyElements : LegacySlot
{
    protected LegacyElements(LegacyType element)
    {
        Element = element;
        Path = TypeNames.Of(element.Type) + "[]";
    }

    internal override string Path { get; }

    internal override bool IsValue => Element.Type.IsValueType;

    internal override LegacyListMaker? ListMaker => Element.Contract?.ListMaker;

    internal LegacyType Element { get; }

    /// <summary>Gets the size of an element in an array.</summary>
    internal abstract int ElementByteCount { get; }

    /// <summary>Creates a vector: one dimension, starting at 0.</summary>
    internal abstract Array Create(int elementCount);

    /// <summary>Reads the elements into an array.</summary>
    internal abstract void Read(ref LegacyReader reader, Array array);

    /// <summary>Writes the elements of an array.</summary>
    internal abstract void Write(ref LegacyWriter writer, Array array);

    /// <summary>Converts an index in memory order to the indexes of the element.</summary>
    protected static int[] IndexesOf(Array array, int index)
    {
        int[] indexes = new int[array.Rank];
        for (int i = indexes.Length - 1; i >= 0; i--)
        {
            int length = array.GetLength(i);
            indexes[i] = array.GetLowerBound(i) + (index % length);
            index /= length;
        }

        return indexes;
    }
}

/// <summary>Reads and writes arrays of a primitive type: the elements without records.</summary>
internal sealed class LegacyPrimitiveElements<T>(LegacyType element) : LegacyElements(element)
    where T : struct
{
    internal override int ElementByteCount => System.Runtime.CompilerServices.Unsafe.SizeOf<T>();

    internal override Array Create(int elementCount) => new T[elementCount];

    internal override void Read(ref LegacyReader reader, Array array)
    {
        if (array is T[] vector)
        {
            NrbfPrimitive<T>.ReadElements(ref reader.Body, vector);
            return;
        }

        for (int i = 0; i < array.Length; i++)
            array.SetValue(NrbfValues.Read<T>(ref reader.Body), IndexesOf(array, i));
    }

    internal override void Write(ref LegacyWriter writer, Array array)
    {
        if (array is T[] vector)
        {
            NrbfPrimitive<T>.WriteElements(ref writer.Body, vector);
            return;
        }

        foreach (T value in array)
            NrbfValues.Write(ref writer.Body, value);
    }

    internal override void Set(object target, int index, object? value, int byteOffset) => throw new NotSupportedException();
}

/// <summary>Reads and writes arrays of any other type: a record for each element, one for a run of nulls.</summary>
internal sealed class LegacyObjectElements<T>(LegacyType element) : LegacyElements(element)
{
    internal override int ElementByteCount => System.Runtime.CompilerServices.Unsafe.SizeOf<T>();

    internal override Array Create(int elementCount) => new T[elementCount];

    internal override void Read(ref LegacyReader reader, Array array) => reader.ReadElements(this, array, array.Length);

    internal override void Write(ref LegacyWriter writer, Array array)
    {
        if (array is T[] vector)
            writer.WriteElements(vector, Element);
        else
            writer.WriteElements(array, Element);
    }

    internal override void Set(object target, int index, object? value, int byteOffset)
    {
        value = Convert(value, Element, byteOffset);
        if (target is T[] vector)
            vector[index] = (T)value!;
        else
            ((Array)target).SetValue(value, IndexesOf((Array)target, index));
    }
}
