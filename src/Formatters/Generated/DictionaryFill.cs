using System.Collections.Generic;
using System.ComponentModel;
#if NET
using System.Runtime.InteropServices;
#endif

namespace Formatters.Generated;

/// <summary>
/// Fills a dictionary. An existing one is updated in place while the keys that are read equal its own, in its order, so that a body like the last one
/// needs no new keys and values. After the first different key, entries are added to those already read.
/// </summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <typeparam name="TValue">The type of the values.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct DictionaryFill<TKey, TValue>
    where TKey : notnull
{
    private Dictionary<TKey, TValue>.Enumerator _old;
    private int _keptCount;
    private bool _isInPlace;

    /// <summary>Chooses the dictionary: the existing one if it compares keys as a new one would, or a new one.</summary>
    /// <param name="existing">The existing dictionary; null for a new one.</param>
    /// <param name="entryCount">The number of entries to be read.</param>
    public DictionaryFill(object? existing, int entryCount)
    {
        if (existing is Dictionary<TKey, TValue> { Count: > 0 } same && same.Count == entryCount && same.GetType() == typeof(Dictionary<TKey, TValue>)
            && same.Comparer.Equals(ContractCode.Comparer<TKey>()))
        {
            Result = same;
            _old = same.GetEnumerator();
            _isInPlace = _old.MoveNext();
        }
        else
        {
            Result = ContractCode.ReuseDictionary<TKey, TValue>(existing, entryCount);
        }
    }

    /// <summary>Gets the dictionary.</summary>
    public Dictionary<TKey, TValue> Result { get; }

    /// <summary>Gets the existing key at this position, to be reused if it is equal.</summary>
    public readonly TKey? OldKey => _isInPlace ? _old.Current.Key : default;

    /// <summary>Returns the existing value at this position, to be read into.</summary>
    /// <param name="key">The key that has been read.</param>
    /// <returns>The value; the default if the key is different.</returns>
    public readonly TValue? OldValue(TKey key) => _isInPlace && BitwiseEquality<TKey>.Are(key, _old.Current.Key) ? _old.Current.Value : default;

    /// <summary>Adds an entry that was read.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="byteOffset">The offset of the entry.</param>
    /// <exception cref="MessageFormatException">The key is a duplicate.</exception>
    public void Add(TKey key, TValue value, int byteOffset)
    {
        if (_isInPlace)
        {
            if (TryKeep(key, value))
            {
                _keptCount++;
                _isInPlace = _old.MoveNext();
                return;
            }

            GoOn();
        }

        ContractCode.AddEntry(Result, key, value, byteOffset);
    }

    private readonly bool TryKeep(TKey key, TValue value)
    {
        if (!BitwiseEquality<TKey>.Are(key, _old.Current.Key))
            return false;
        if (BitwiseEquality<TValue>.Are(value, _old.Current.Value))
            return true;
#if NET
        CollectionsMarshal.GetValueRefOrNullRef(Result, key) = value;
        return true;
#else
        // Setting a value ends the enumeration.
        return false;
#endif
    }

    /// <summary>Truncates the dictionary to what has been read, and continues by adding.</summary>
    private void GoOn()
    {
        var kept = new KeyValuePair<TKey, TValue>[_keptCount];
        int i = 0;
        foreach (KeyValuePair<TKey, TValue> entry in Result)
        {
            if (i == kept.Length)
                break;
            kept[i++] = entry;
        }

        Result.Clear();
        foreach (KeyValuePair<TKey, TValue> entry in kept)
            Result.Add(entry.Key, entry.Value);
        _isInPlace = false;
    }
}
