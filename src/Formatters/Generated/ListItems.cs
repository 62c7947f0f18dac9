using System.Collections.Generic;
using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>
/// The elements of a list while it is written. Code generated for netstandard2.0 uses it, and also runs on .NET; code generated for .NET uses a span.
/// </summary>
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

    /// <summary>
    /// Gets the number of elements at the start: the count that is written matches the elements after it, even if a getter changes the list.
    /// </summary>
    public int Length => _count;

    /// <summary>Gets an element.</summary>
    /// <param name="index">Its index.</param>
    public T this[int index] => _items[index];
}
