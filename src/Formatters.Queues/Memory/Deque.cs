using System;

namespace Formatters.Queues;

/// <summary>A queue that also takes items back at its front: a ring in one array that doubles when full.</summary>
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

    internal void AddFirst(T item)
    {
        if (Count == _items.Length)
            Grow();
        _head = (_head - 1) & (_items.Length - 1);
        _items[_head] = item;
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

    /// <summary>Removes all, and lets go of a large array.</summary>
    internal void Clear()
    {
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
