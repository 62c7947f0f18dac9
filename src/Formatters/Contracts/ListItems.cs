using System.Collections.Generic;
using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>The elements of a list while it is written. Code generated for netstandard2.0 uses it, and also runs on .NET; code generated for .NET uses a span.</summary>
/// <typeparam name="T">The type of the elements.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct ListItems<T>
{
    private readonly List<T> _items;
    private readonly int _count;

    /// <summary>Makes it.</summary>
    /// <param name="list">The list.</param>
    public ListItems(List<T> list)
    {
        _items = list;
        _count = list.Count;
    }

    /// <summary>How many there were: the number that is written is also the number of elements after it, whatever a getter does to the list.</summary>
    public int Length => _count;

    /// <summary>An element.</summary>
    /// <param name="index">Its index.</param>
    public T this[int index] => _items[index];
}
