#if !NET
using System.Collections.Generic;
using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>The elements of a list while it is written, as a span has them; on .NET it is one.</summary>
/// <typeparam name="T">The type of the elements.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct ListItems<T>
{
    private readonly List<T> _items;

    /// <summary>Makes it.</summary>
    /// <param name="list">The list.</param>
    public ListItems(List<T> list) => _items = list;

    /// <summary>How many there are.</summary>
    public int Length => _items.Count;

    /// <summary>An element.</summary>
    /// <param name="index">Its index.</param>
    public T this[int index] => _items[index];
}
#endif
