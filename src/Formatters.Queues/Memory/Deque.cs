using System;

namespace Formatters.Queues;

/// <summary>A queue that also takes items back, near its front: a ring in one array that doubles when full.</summary>
internal sealed class Deque<T>
{
    private T[] _items = new T[16];
    private int _head;

    internal int Count { get; private set; }

    internal void AddLast(T item)
    {
        if (Count == _items.Length)
            Grow();
        _items[(_head + Count) & (_items.Length - 1)] = item;
        Count++;
    }

    internal T this[int index] => _items[(_head + index) & (_items.Length - 1)];

    /// <summary>Inserts an item before the one at an index: cheap near the front.</summary>
    internal void Insert(int index, T item)
    {
        if (Count == _items.Length)
            Grow();
        int mask = _items.Length - 1;
        _head = (_head - 1) & mask;
        for (int i = 0; i < index; i++)
            _items[(_head + i) & mask] = _items[(_head + i + 1) & mask];
        _items[(_head + index) & mask] = item;
        Count++;
    }

    internal T RemoveFirst()
    {
        T item = _items[_head];
        _items[_head] = default!;
        _head = (_head + 1) & (_items.Length - 1);
        Count--;
        return item;
    }

    /// <summary>Removes the item at an index: cheap near the front.</summary>
    internal void RemoveAt(int index)
    {
        int mask = _items.Length - 1;
        for (int i = index; i > 0; i--)
            _items[(_head + i) & mask] = _items[(_head + i - 1) & mask];
        RemoveFirst();
    }

    /// <summary>Removes all, and lets go of a large array.</summary>
    internal void Clear()
    {
        if (Count == 0 && _items.Length == 16)
            return;
        _items = new T[16];
        _head = 0;
        Count = 0;
    }

    private void Grow()
    {
        var items = new T[_items.Length * 2];
        int first = Math.Min(Count, _items.Length - _head);
        Array.Copy(_items, _head, items, 0, first);
        Array.Copy(_items, 0, items, first, Count - first);
        _items = items;
        _head = 0;
    }
}
