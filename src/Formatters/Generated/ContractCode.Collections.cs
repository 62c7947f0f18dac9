using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;
#if NET
using System.Runtime.InteropServices;
#endif

namespace Formatters.Generated;

public static partial class ContractCode
{
#if NET
    /// <summary>Writes the number of elements, and the elements, which have the same bytes in memory as in the body.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="elements">The elements.</param>
    /// <returns>The position after them.</returns>
    /// <exception cref="MessageFormatException">Above a limit.</exception>
    public static ref byte WriteBlock<T>(ref BinaryBodyWriter writer, ref byte position, ReadOnlySpan<T> elements)
        where T : unmanaged
    {
        position = ref WriteCount(ref writer, ref position, elements.Length);
        writer.Output.MoveTo(ref position);
        ElementBlock.Write(ref writer, elements);
        return ref writer.Output.Position;
    }

    /// <summary>Reads the elements of an array or a list, which have the same bytes in memory as in the body.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">The existing array or list.</param>
    /// <param name="elementCount">Their number, which has been checked against the body.</param>
    /// <returns>The existing one, if it can be reused, or a new one.</returns>
    /// <exception cref="MessageFormatException">An element is invalid.</exception>
    public static T[] ReadBlockArray<TMode, T>(ref BinaryBodyReader reader, object? existing, int elementCount)
        where TMode : struct, IMode
        where T : unmanaged
    {
        T[] array = ElementBlock.Array<T>(Reuses<TMode>() ? existing : null, elementCount);
        ReadBlock<T>(ref reader, array);
        return array;
    }

    /// <inheritdoc cref="ReadBlockArray{TMode, T}"/>
    public static List<T> ReadBlockList<TMode, T>(ref BinaryBodyReader reader, object? existing, int elementCount)
        where TMode : struct, IMode
        where T : unmanaged
    {
        List<T> list = ElementBlock.List<T>(Reuses<TMode>() ? existing : null, elementCount);
        ReadBlock(ref reader, CollectionsMarshal.AsSpan(list));
        return list;
    }

    /// <summary>Writes the number of records, and the records, whose members have the same bytes in memory as in the body.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="elements">The elements.</param>
    /// <param name="table">The member table of each versioned record, its first byte lowest.</param>
    /// <param name="tableByteCount">
    /// Its size, 1 to 8; with the size of an element, at least 4, and 8 if it is more than 4. 0 for records without a table.
    /// </param>
    /// <returns>The position after them.</returns>
    /// <exception cref="MessageFormatException">Above a limit.</exception>
    public static ref byte WriteRecordBlock<T>(
        ref BinaryBodyWriter writer, ref byte position, ReadOnlySpan<T> elements, ulong table = 0, int tableByteCount = 0)
        where T : unmanaged
    {
        position = ref WriteCount(ref writer, ref position, elements.Length);
        if (elements.Length == 0)
            return ref position;
        writer.EnterRecord();
        writer.Output.MoveTo(ref position);
        if (tableByteCount == 0)
            ElementBlock.Write(ref writer, elements);
        else
            ElementBlock.WriteRecords(ref writer, elements, table, tableByteCount);
        writer.LeaveRecord();
        return ref writer.Output.Position;
    }

    /// <summary>Reads the records of an array or a list, which have the same bytes in memory as in the body.</summary>
    /// <inheritdoc cref="ReadBlockArray{TMode, T}" path="/param|/typeparam|/returns|/exception"/>
    public static T[] ReadRecordBlockArray<TMode, T>(ref BinaryBodyReader reader, object? existing, int elementCount)
        where TMode : struct, IMode
        where T : unmanaged
    {
        CheckBlockDepth(ref reader, elementCount);
        return ReadBlockArray<TMode, T>(ref reader, existing, elementCount);
    }

    /// <inheritdoc cref="ReadRecordBlockArray{TMode, T}(ref BinaryBodyReader, object, int)"/>
    public static List<T> ReadRecordBlockList<TMode, T>(ref BinaryBodyReader reader, object? existing, int elementCount)
        where TMode : struct, IMode
        where T : unmanaged
    {
        CheckBlockDepth(ref reader, elementCount);
        return ReadBlockList<TMode, T>(ref reader, existing, elementCount);
    }

    /// <summary>Reads the versioned records of an array or a list, whose members have the same bytes in memory as in the body.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">The existing array or list.</param>
    /// <param name="elementCount">Their number, which has been checked against the body.</param>
    /// <param name="table">The member table of the type, its first byte lowest.</param>
    /// <param name="tableByteCount">Its size, 1 to 8; with the size of an element, at least 4, and 8 if it is more than 4.</param>
    /// <returns>
    /// The existing one, if it can be reused, or a new one; null if a record has another table, or is cut: the reader has not advanced then.
    /// </returns>
    /// <exception cref="MessageFormatException">The records are nested too deeply.</exception>
    public static T[]? ReadRecordBlockArray<TMode, T>(
        ref BinaryBodyReader reader, object? existing, int elementCount, ulong table, int tableByteCount)
        where TMode : struct, IMode
        where T : unmanaged
    {
        if (!ElementBlock.MayBeRecords<T>(ref reader, elementCount, table, tableByteCount))
            return null;
        CheckBlockDepth(ref reader, elementCount);
        T[] array = ElementBlock.Array<T>(Reuses<TMode>() ? existing : null, elementCount);
        return ElementBlock.TryReadRecords<T>(ref reader, array, table, tableByteCount) ? array : null;
    }

    /// <inheritdoc cref="ReadRecordBlockArray{TMode, T}(ref BinaryBodyReader, object, int, ulong, int)"/>
    public static List<T>? ReadRecordBlockList<TMode, T>(
        ref BinaryBodyReader reader, object? existing, int elementCount, ulong table, int tableByteCount)
        where TMode : struct, IMode
        where T : unmanaged
    {
        if (!ElementBlock.MayBeRecords<T>(ref reader, elementCount, table, tableByteCount))
            return null;
        CheckBlockDepth(ref reader, elementCount);
        int oldCount = Reuses<TMode>() && existing is List<T> old ? old.Count : 0;
        List<T> list = ElementBlock.List<T>(Reuses<TMode>() ? existing : null, elementCount);
        if (ElementBlock.TryReadRecords(ref reader, CollectionsMarshal.AsSpan(list), table, tableByteCount))
            return list;
        // No elements that neither the body nor the list had, if reading them one by one fails.
        CollectionsMarshal.SetCount(list, Math.Min(oldCount, elementCount));
        return null;
    }

    /// <summary>Checks the depth of the records in a block.</summary>
    private static void CheckBlockDepth(ref BinaryBodyReader reader, int elementCount)
    {
        if (elementCount == 0)
            return;
        reader.EnterRecord();
        reader.LeaveRecord();
    }

    /// <summary>Reads elements that have the same bytes in memory as in the body.</summary>
    internal static void ReadBlock<T>(ref BinaryBodyReader reader, Span<T> elements)
        where T : unmanaged
    {
        if (ElementBlock.TryRead(ref reader, elements))
            return;
        int level = reader.Path is null ? -1 : Level(ref reader);
        for (int i = 0; i < elements.Length; i++)
        {
            if (level >= 0)
                At(ref reader, level, null, i);
            elements[i] = ElementBlock.ReadOne<T>(ref reader);
        }
    }
#endif

    /// <summary>Returns the elements of a member declared as an interface.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="values">The elements; null is an error.</param>
    /// <returns>The list itself, or a copy.</returns>
    public static List<T> ToList<T>(IEnumerable<T>? values)
    {
        if (values is null)
            ContractMethods.ThrowUnexpectedNull();
        return values as List<T> ?? new List<T>(values);
    }

    /// <summary>Returns the entries of a member declared as an interface.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <param name="entries">The entries; null is an error.</param>
    /// <returns>The dictionary itself, or a copy.</returns>
    public static Dictionary<TKey, TValue> ToDictionary<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>>? entries)
        where TKey : notnull
    {
        if (entries is null)
            ContractMethods.ThrowUnexpectedNull();
        if (entries is Dictionary<TKey, TValue> dictionary)
        {
            CheckKeys(dictionary);
            return dictionary;
        }

        Dictionary<TKey, TValue> copy = NewDictionary<TKey, TValue>(0);
        foreach (KeyValuePair<TKey, TValue> entry in entries)
            AddEntry(copy, entry.Key, entry.Value, -1);
        return copy;
    }

    /// <summary>Returns an element of an <see cref="ArrayList"/>.</summary>
    /// <typeparam name="T">The declared element type.</typeparam>
    /// <param name="element">The element.</param>
    /// <returns>The element.</returns>
    /// <exception cref="MessageFormatException">The element is null, or of another type.</exception>
    public static T Element<T>(object? element)
    {
        if (element is not T typed)
        {
            ContractMethods.ThrowNotOfType(element);
            return default;
        }

        return typed;
    }

    /// <summary>Returns the list to read into: the existing one, truncated to the count, or a new one.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="existing">The existing list.</param>
    /// <param name="elementCount">The count.</param>
    /// <returns>The list.</returns>
    public static List<T> ReuseList<T>(object? existing, int elementCount)
    {
        if (existing is null || existing.GetType() != typeof(List<T>))
            return new List<T>(elementCount);
        var list = (List<T>)existing;
        if (list.Count > elementCount)
            list.RemoveRange(elementCount, list.Count - elementCount);
        return list;
    }

    /// <inheritdoc cref="ReuseList{T}"/>
    public static ArrayList ReuseArrayList(object? existing, int elementCount)
    {
        if (existing is null || existing.GetType() != typeof(ArrayList))
            return new ArrayList(elementCount);
        var list = (ArrayList)existing;
        if (list.Count > elementCount)
            list.RemoveRange(elementCount, list.Count - elementCount);
        return list;
    }

    /// <summary>Returns the array to read into: the existing one if it has the length, or a new one.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="existing">The existing array.</param>
    /// <param name="elementCount">The length.</param>
    /// <returns>The array.</returns>
    public static T[] ReuseArray<T>(object? existing, int elementCount) =>
        existing is T[] array && array.Length == elementCount && array.GetType() == typeof(T[]) ? array : new T[elementCount];

    /// <summary>Creates a dictionary whose hash codes cannot be predicted, so that a sender cannot cause collisions.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <param name="entryCount">For how many entries.</param>
    /// <returns>The dictionary.</returns>
    public static Dictionary<TKey, TValue> NewDictionary<TKey, TValue>(int entryCount)
        where TKey : notnull =>
        new(entryCount, typeof(TKey) == typeof(string) ? null : KeyedComparer<TKey>.Instance);

    /// <summary>Returns the dictionary to read into, empty: the existing one if it compares keys as a new one would, or a new one.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <param name="existing">The existing dictionary.</param>
    /// <param name="entryCount">For how many entries.</param>
    /// <returns>The dictionary.</returns>
    public static Dictionary<TKey, TValue> ReuseDictionary<TKey, TValue>(object? existing, int entryCount)
        where TKey : notnull
    {
        if (existing is null || existing.GetType() != typeof(Dictionary<TKey, TValue>))
            return NewDictionary<TKey, TValue>(entryCount);
        var dictionary = (Dictionary<TKey, TValue>)existing;
        object comparer = typeof(TKey) == typeof(string) ? EqualityComparer<TKey>.Default : KeyedComparer<TKey>.Instance;
        if (!dictionary.Comparer.Equals(comparer))
            return NewDictionary<TKey, TValue>(entryCount);
        dictionary.Clear();
        return dictionary;
    }

    /// <summary>Adds an entry that was read.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <param name="dictionary">The dictionary.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="byteOffset">The offset of the entry; -1 when writing.</param>
    /// <exception cref="MessageFormatException">The key is a duplicate.</exception>
    public static void AddEntry<TKey, TValue>(Dictionary<TKey, TValue> dictionary, TKey key, TValue value, int byteOffset)
        where TKey : notnull
    {
#if NET
        if (!dictionary.TryAdd(key, value))
            ContractMethods.ThrowDuplicateKey(byteOffset);
#else
        if (dictionary.ContainsKey(key))
            ContractMethods.ThrowDuplicateKey(byteOffset);
        dictionary.Add(key, value);
#endif
    }
}
