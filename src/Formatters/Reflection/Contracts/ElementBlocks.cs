#if NET
using Formatters.Binary;

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>Writes and reads arrays or lists whose elements are copied at once, for contracts by reflection.</summary>
internal abstract class ElementBlocks
{
    /// <summary>Writes the number of elements, and the elements.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The array or list.</param>
    internal abstract void Write(ref BinaryBodyWriter writer, object value);

    /// <summary>Reads the elements.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="isArray">Whether it is an array, and not a list.</param>
    /// <param name="existing">The array or list to reuse; null if there is none.</param>
    /// <param name="elementCount">Their number.</param>
    /// <param name="value">The array or list.</param>
    /// <returns>False if one of them is invalid; nothing was read.</returns>
    internal abstract bool TryRead(ref BinaryBodyReader reader, bool isArray, object? existing, int elementCount, out object value);
}

/// <inheritdoc/>
/// <typeparam name="T">The type of the elements.</typeparam>
internal sealed class ElementBlocks<T> : ElementBlocks
    where T : unmanaged
{
    internal override void Write(ref BinaryBodyWriter writer, object value)
    {
        ReadOnlySpan<T> elements = value is T[] array ? array : CollectionsMarshal.AsSpan((List<T>)value);
        writer.WriteCount(elements.Length);
        ElementBlock.Write(ref writer, elements);
    }

    internal override bool TryRead(ref BinaryBodyReader reader, bool isArray, object? existing, int elementCount, out object value)
    {
        if (isArray)
        {
            T[] array = ElementBlock.Array<T>(existing, elementCount);
            value = array;
            return ElementBlock.TryRead<T>(ref reader, array);
        }

        List<T> list = ElementBlock.List<T>(existing, elementCount);
        value = list;
        return ElementBlock.TryRead(ref reader, CollectionsMarshal.AsSpan(list));
    }

    internal static ref byte WriteArray(ref BinaryBodyWriter writer, ref byte position, T[] array) =>
        ref ContractCode.WriteBlock<T>(ref writer, ref position, array);

    internal static ref byte WriteList(ref BinaryBodyWriter writer, ref byte position, List<T> list) =>
        ref ContractCode.WriteBlock<T>(ref writer, ref position, CollectionsMarshal.AsSpan(list));

    internal static T[] ReadArray(ref BinaryBodyReader reader, object? existing, int elementCount)
    {
        T[] array = ElementBlock.Array<T>(existing, elementCount);
        ContractCode.ReadBlock<T>(ref reader, array);
        return array;
    }

    internal static List<T> ReadList(ref BinaryBodyReader reader, object? existing, int elementCount)
    {
        List<T> list = ElementBlock.List<T>(existing, elementCount);
        ContractCode.ReadBlock(ref reader, CollectionsMarshal.AsSpan(list));
        return list;
    }

    internal static ref byte WriteRecordArray(ref BinaryBodyWriter writer, ref byte position, T[] array) =>
        ref ContractCode.WriteRecordBlock<T>(ref writer, ref position, array);

    internal static ref byte WriteRecordList(ref BinaryBodyWriter writer, ref byte position, List<T> list) =>
        ref ContractCode.WriteRecordBlock<T>(ref writer, ref position, CollectionsMarshal.AsSpan(list));

    internal static ref byte WriteVersionedArray(ref BinaryBodyWriter writer, ref byte position, T[] array, ulong table, int tableByteCount) =>
        ref ContractCode.WriteRecordBlock<T>(ref writer, ref position, array, table, tableByteCount);

    internal static ref byte WriteVersionedList(ref BinaryBodyWriter writer, ref byte position, List<T> list, ulong table, int tableByteCount) =>
        ref ContractCode.WriteRecordBlock<T>(ref writer, ref position, CollectionsMarshal.AsSpan(list), table, tableByteCount);

    internal static T[]? ReadVersionedArray(ref BinaryBodyReader reader, object? existing, int elementCount, ulong table, int tableByteCount) =>
        ContractCode.ReadRecordBlockArray<Over, T>(ref reader, existing, elementCount, table, tableByteCount);

    internal static List<T>? ReadVersionedList(ref BinaryBodyReader reader, object? existing, int elementCount, ulong table, int tableByteCount) =>
        ContractCode.ReadRecordBlockList<Over, T>(ref reader, existing, elementCount, table, tableByteCount);

    internal static T[] ReadRecordArray(ref BinaryBodyReader reader, object? existing, int elementCount) =>
        ContractCode.ReadRecordBlockArray<Over, T>(ref reader, existing, elementCount);

    internal static List<T> ReadRecordList(ref BinaryBodyReader reader, object? existing, int elementCount) =>
        ContractCode.ReadRecordBlockList<Over, T>(ref reader, existing, elementCount);
}
#endif
