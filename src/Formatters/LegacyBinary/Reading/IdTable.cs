using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>
/// A map from the ids of a body to their objects. Writers count from 1, so it is an array while ids are about as many as records; others are in a
/// dictionary.
/// </summary>
internal sealed class IdTable<T>
    where T : class
{
    private const int KeptLength = 64 * 1024;

    private T?[] _dense = new T?[64];
    private Dictionary<int, T>? _others;
    private int _count;
    private int _end;

    /// <summary>Adds the object of an id.</summary>
    /// <returns><see langword="false"/> if the id is already in use.</returns>
    internal bool TryAdd(int id, T value)
    {
        _count++;
        if ((uint)id >= (uint)_dense.Length && !TryGrow(id))
            return TryAddOther(id, value);
        if (_dense[id] is not null || (_others is not null && _others.ContainsKey(id)))
            return false;
        _dense[id] = value;
        _end = Math.Max(_end, id + 1);
        return true;
    }

    /// <summary>Counts a record whose id is not stored: the following ids are higher.</summary>
    internal void Skip() => _count++;

    internal bool TryGet(int id, [NotNullWhen(true)] out T? value)
    {
        value = (uint)id < (uint)_dense.Length ? _dense[id] : null;
        return value is not null || (_others is not null && _others.TryGetValue(id, out value));
    }

    internal void Clear()
    {
        if (_dense.Length > KeptLength)
            _dense = new T?[64];
        else
            Array.Clear(_dense, 0, _end);
        _others = null;
        _count = 0;
        _end = 0;
    }

    private bool TryGrow(int id)
    {
        if (id < 0 || id > 4L * (_count + 16))
            return false;
        Array.Resize(ref _dense, Math.Max(2 * _dense.Length, id + 1));
        return true;
    }

    private bool TryAddOther(int id, T value)
    {
        // With a random key, because a sender could choose ids that collide.
        _others ??= new Dictionary<int, T>(KeyedComparer<int>.Instance);
        if (_others.ContainsKey(id))
            return false;
        _others.Add(id, value);
        return true;
    }
}
