using System;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>A table from objects, by identity, to ids. Reused from body to body: no allocation once it is large enough.</summary>
internal sealed class ReferenceTable
{
    private const int KeptLength = 64 * 1024;

    private Entry[] _entries = new Entry[256];
    private int _count;

    /// <summary>Returns the id of an object, or assigns it one.</summary>
    /// <param name="value">The object.</param>
    /// <param name="newId">The id to assign if it has none.</param>
    /// <returns>Its id.</returns>
    internal int GetOrAdd(object value, int newId)
    {
        Entry[] entries = _entries;
        int mask = entries.Length - 1;
        int i = RuntimeHelpers.GetHashCode(value) & mask;
        while (entries[i].Value is object other)
        {
            if (ReferenceEquals(other, value))
                return entries[i].Id;
            i = (i + 1) & mask;
        }

        Add(i, value, newId);
        return newId;
    }

    /// <summary>Assigns an id to an object.</summary>
    /// <returns>The previous id; 0 if it had none.</returns>
    internal int Exchange(object value, int newId)
    {
        int i = IndexOf(value);
        int id = _entries[i].Id;
        if (_entries[i].Value is null)
            Add(i, value, newId);
        else
            _entries[i] = new Entry(value, newId);
        return id;
    }

    /// <summary>Finds the id of an object.</summary>
    /// <returns>The id; 0 if it has none.</returns>
    internal int Find(object value) => _entries[IndexOf(value)].Id;

    private int IndexOf(object value)
    {
        int mask = _entries.Length - 1;
        int i = RuntimeHelpers.GetHashCode(value) & mask;
        while (_entries[i].Value is object other && !ReferenceEquals(other, value))
            i = (i + 1) & mask;
        return i;
    }

    private void Add(int index, object value, int id)
    {
        _entries[index] = new Entry(value, id);
        if (++_count > (_entries.Length - 1) / 2)
            Grow();
    }

    internal void Clear()
    {
        if (_entries.Length > KeptLength)
            _entries = new Entry[256];
        else
            Array.Clear(_entries, 0, _entries.Length);
        _count = 0;
    }

    private void Grow()
    {
        Entry[] old = _entries;
        var entries = new Entry[2 * old.Length];
        int mask = entries.Length - 1;
        foreach (Entry entry in old)
        {
            if (entry.Value is null)
                continue;
            int i = RuntimeHelpers.GetHashCode(entry.Value) & mask;
            while (entries[i].Value is not null)
                i = (i + 1) & mask;
            entries[i] = entry;
        }

        _entries = entries;
    }

    private readonly record struct Entry(object Value, int Id);
}
