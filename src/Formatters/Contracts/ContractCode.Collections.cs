using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters.Generated;

public static partial class ContractCode
{
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
    internal static void AddEntry<TKey, TValue>(Dictionary<TKey, TValue> dictionary, TKey key, TValue value, int byteOffset)
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
