using System;

namespace Formatters.Queues;

/// <summary>A double-ended queue with insertion and removal in the middle: a ring buffer that doubles when full.</summary>
internal sealed class Deque<T>
{
    private T[] _items = new T[16];
    private int _head;

    internal int Count { get; private set; }

    /// <summary>Gets how many items insertions and removals have moved; for tests of efficiency.</summary>
    internal long MoveCount { get; private set; }

    internal void AddLast(T item)
    {
        if (Count == _items.Length)
            Grow(Count + 1);
        _items[(_head + Count) & (_items.Length - 1)] = item;
        Count++;
    }

    internal T this[int index] => _items[(_head + index) & (_items.Length - 1)];

    /// <summary>Inserts an item at an index, moving the items before or after it, whichever are fewer.</summary>
    internal void Insert(int index, T item)
    {
        if (Count == _items.Length)
            Grow(Count + 1);
        if (index <= Count / 2)
        {
            _head = (_head - 1) & (_items.Length - 1);
            MoveDown(1, 0, index);
        }
        else
        {
            MoveUp(index, index + 1, Count - index);
        }

        _items[(_head + index) & (_items.Length - 1)] = item;
        Count++;
    }

    /// <summary>Merges sorted items into a sorted sequence, in one pass from the end that is nearer to their positions.</summary>
    /// <param name="items">The items, in their order.</param>
    /// <param name="comparison">The order.</param>
    internal void Merge(ReadOnlySpan<T> items, Comparison<T> comparison)
    {
        if (items.IsEmpty)
            return;
        int first = FindIndex(items[0], comparison);
        int last = FindIndex(items[^1], comparison);
        if (Count + items.Length > _items.Length)
            Grow(Count + items.Length);
        int mask = _items.Length - 1;
        int count = Count;
        Count += items.Length;
        if (last <= count - first)
        {
            // From the front: items before the last new one move forward, into the space for all of them.
            _head = (_head - items.Length) & mask;
            int from = items.Length;
            int to = 0;
            for (int next = 0; next < items.Length; to++)
            {
                bool isOld = from < Count && comparison(this[from], items[next]) < 0;
                _items[(_head + to) & mask] = isOld ? this[from++] : items[next++];
            }

            MoveCount += from - items.Length;
            return;
        }

        int old = count - 1;
        int target = Count - 1;
        for (int next = items.Length - 1; next >= 0; target--)
        {
            bool isOld = old >= 0 && comparison(this[old], items[next]) > 0;
            _items[(_head + target) & mask] = isOld ? this[old--] : items[next--];
        }

        MoveCount += count - 1 - old;
    }

    internal T RemoveFirst()
    {
        T item = _items[_head];
        _items[_head] = default!;
        _head = (_head + 1) & (_items.Length - 1);
        Count--;
        return item;
    }

    /// <summary>Removes the item at an index, moving the items before or after it, whichever are fewer.</summary>
    internal void RemoveAt(int index)
    {
        if (index <= Count / 2)
        {
            MoveUp(0, 1, index);
            RemoveFirst();
            return;
        }

        MoveDown(index + 1, index, Count - 1 - index);
        Count--;
        _items[(_head + Count) & (_items.Length - 1)] = default!;
    }

    /// <summary>Removes all items, and releases a large array.</summary>
    internal void Clear()
    {
        if (Count == 0 && _items.Length == 16)
            return;
        _items = new T[16];
        _head = 0;
        Count = 0;
    }

    /// <summary>Finds the index at which to insert an item.</summary>
    private int FindIndex(T item, Comparison<T> comparison)
    {
        int low = 0;
        int high = Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (comparison(this[middle], item) < 0)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }

    /// <summary>Moves items to lower indexes, in as few pieces as the ring allows.</summary>
    private void MoveDown(int from, int to, int count)
    {
        MoveCount += count;
        int mask = _items.Length - 1;
        while (count > 0)
        {
            int source = (_head + from) & mask;
            int target = (_head + to) & mask;
            int piece = Math.Min(count, _items.Length - Math.Max(source, target));
            Array.Copy(_items, source, _items, target, piece);
            from += piece;
            to += piece;
            count -= piece;
        }
    }

    /// <summary>Moves items to higher indexes, in as few pieces as the ring allows.</summary>
    private void MoveUp(int from, int to, int count)
    {
        MoveCount += count;
        int mask = _items.Length - 1;
        while (count > 0)
        {
            // The indexes after the last remaining item.
            int source = ((_head + from + count - 1) & mask) + 1;
            int target = ((_head + to + count - 1) & mask) + 1;
            int piece = Math.Min(count, Math.Min(source, target));
            Array.Copy(_items, source - piece, _items, target - piece, piece);
            count -= piece;
        }
    }

    private void Grow(int minLength)
    {
        int length = _items.Length;
        while (length < minLength)
            length = checked(length * 2);
        var items = new T[length];
        int first = Math.Min(Count, _items.Length - _head);
        Array.Copy(_items, _head, items, 0, first);
        Array.Copy(_items, 0, items, first, Count - first);
        _items = items;
        _head = 0;
    }
}
