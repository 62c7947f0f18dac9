using System.Collections;
using System.Collections.Generic;

namespace Formatters.Generated;

// Collections of objects whose element types a member declares: Formatters.ElementTypeAttribute.
public static partial class ContractCode
{
    /// <summary>Returns the elements of a member declared as an interface.</summary>
    /// <param name="values">The elements; null is an error.</param>
    /// <returns>The list itself, or a copy.</returns>
    public static ArrayList ToArrayList(IEnumerable? values)
    {
        if (values is null)
            ContractMethods.ThrowUnexpectedNull();
        if (values is ArrayList list)
            return list;
        var copy = new ArrayList();
        foreach (object? value in values)
            copy.Add(value);
        return copy;
    }

    /// <summary>Returns the entries of a <see cref="Hashtable"/>, in its order.</summary>
    /// <typeparam name="TKey">The declared type of the keys.</typeparam>
    /// <typeparam name="TValue">The declared type of the values.</typeparam>
    /// <param name="entries">The entries; null is an error.</param>
    /// <returns>A copy.</returns>
    /// <exception cref="MessageFormatException">A key or a value is null, or of another type.</exception>
    public static Dictionary<TKey, TValue> FromHashtable<TKey, TValue>(IDictionary? entries)
        where TKey : notnull
    {
        if (entries is null)
            ContractMethods.ThrowUnexpectedNull();
        Dictionary<TKey, TValue> copy = NewDictionary<TKey, TValue>(entries.Count);
        foreach (DictionaryEntry entry in entries)
            AddEntry(copy, Element<TKey>(entry.Key), Element<TValue>(entry.Value), -1);
        return copy;
    }

    /// <summary>Creates a <see cref="Hashtable"/> in which a sender cannot cause collisions.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <param name="entries">The entries.</param>
    /// <returns>The table.</returns>
    public static Hashtable ToHashtable<TKey, TValue>(Dictionary<TKey, TValue> entries)
        where TKey : notnull
    {
        var table = new Hashtable(entries.Count, typeof(TKey) == typeof(string) ? null : KeyedComparer<TKey>.Instance);
        foreach (KeyValuePair<TKey, TValue> entry in entries)
            table.Add(entry.Key, entry.Value);
        return table;
    }
}
