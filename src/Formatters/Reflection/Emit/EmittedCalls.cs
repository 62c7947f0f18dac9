#if NET
using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;

namespace Formatters;

/// <summary>Generic methods that emitted code calls: what is the same for every contract and would be longer as IL.</summary>
internal static class EmittedCalls
{
    internal static List<T> ToList<T>(IEnumerable<T>? values)
    {
        if (values is null)
            ContractMethods.ThrowUnexpectedNull();
        return values as List<T> ?? new List<T>(values);
    }

    internal static Dictionary<TKey, TValue> ToDictionary<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>>? entries)
        where TKey : notnull
    {
        if (entries is null)
            ContractMethods.ThrowUnexpectedNull();
        if (entries is Dictionary<TKey, TValue> dictionary)
            return dictionary;
        var copy = new Dictionary<TKey, TValue>(DictionaryMethods<TKey, TValue>.Comparer);
        foreach (KeyValuePair<TKey, TValue> entry in entries)
        {
            if (!copy.TryAdd(entry.Key, entry.Value))
                ContractMethods.ThrowDuplicateKey(-1);
        }

        return copy;
    }

    /// <summary>An element of an <see cref="ArrayList"/> of structs or numbers.</summary>
    internal static T UnboxElement<T>(object? element)
        where T : struct
    {
        if (element is not T)
            ContractMethods.ThrowNotOfType(element);
        return (T)element!;
    }

    /// <summary>The list to read into: the existing one without what is beyond the count, or a new one.</summary>
    internal static List<T> ReuseList<T>(object? existing, int count)
    {
        if (existing is null || existing.GetType() != typeof(List<T>))
            return new List<T>(count);
        var list = (List<T>)existing;
        if (list.Count > count)
            list.RemoveRange(count, list.Count - count);
        return list;
    }

    /// <inheritdoc cref="ReuseList{T}"/>
    internal static ArrayList ReuseArrayList(object? existing, int count)
    {
        if (existing is null || existing.GetType() != typeof(ArrayList))
            return new ArrayList(count);
        var list = (ArrayList)existing;
        if (list.Count > count)
            list.RemoveRange(count, list.Count - count);
        return list;
    }

    /// <summary>The array to read into: the existing one if it has the length, or a new one.</summary>
    internal static T[] ReuseArray<T>(object? existing, int count) =>
        existing is T[] array && array.Length == count && array.GetType() == typeof(T[]) ? array : new T[count];

    internal static Dictionary<TKey, TValue> NewDictionary<TKey, TValue>(int count)
        where TKey : notnull =>
        new(count, DictionaryMethods<TKey, TValue>.Comparer);

    /// <summary>The dictionary to read into, empty: the existing one if it compares keys as a new one would, or a new one.</summary>
    internal static Dictionary<TKey, TValue> ReuseDictionary<TKey, TValue>(object? existing, int count)
        where TKey : notnull
    {
        if (existing is null || existing.GetType() != typeof(Dictionary<TKey, TValue>))
            return NewDictionary<TKey, TValue>(count);
        var dictionary = (Dictionary<TKey, TValue>)existing;
        if (!dictionary.Comparer.Equals(DictionaryMethods<TKey, TValue>.Comparer ?? (object)EqualityComparer<TKey>.Default))
            return NewDictionary<TKey, TValue>(count);
        dictionary.Clear();
        return dictionary;
    }

    internal static void AddEntry<TKey, TValue>(Dictionary<TKey, TValue> dictionary, TKey key, TValue value, int byteOffset)
        where TKey : notnull
    {
        if (!dictionary.TryAdd(key, value))
            ContractMethods.ThrowDuplicateKey(byteOffset);
    }

    internal static void WriteOwnBody<T>(ref BinaryBodyWriter writer, T value)
        where T : IBinaryBody
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.EnterRecord();
        value.Save(ref writer);
        writer.LeaveRecord();
    }

    internal static T ReadOwnBody<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(
        ref BinaryBodyReader reader, T? existing)
        where T : IBinaryBody, new()
    {
        T value = !typeof(T).IsValueType && existing is not null && existing.GetType() == typeof(T) ? existing : new T();
        reader.EnterRecord();
        value.Load(ref reader);
        reader.LeaveRecord();
        return value;
    }

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static TTo Convert<TFrom, TTo>(TFrom value) => Conversion<TFrom, TTo>.Convert(value);

    internal static void WriteFormatted<TFormatter, T>(ref BinaryBodyWriter writer, T value)
        where TFormatter : IMemberFormatter<T>, new() => ContractCode.WriteFormatted<TFormatter, T>(ref writer, value);

    internal static T ReadFormatted<TFormatter, T>(ref BinaryBodyReader reader, T? existing)
        where TFormatter : IMemberFormatter<T>, new() => ContractCode.ReadFormatted<TFormatter, T>(ref reader, existing);

    private static class DictionaryMethods<TKey, TValue>
        where TKey : notnull
    {
        internal static readonly IEqualityComparer<TKey>? Comparer = typeof(TKey) == typeof(string) ? null : KeyedComparer<TKey>.Instance;
    }
}
#endif
