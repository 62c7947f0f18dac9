using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.CompilerServices;
#if NET
using System;
using System.Runtime.InteropServices;
#endif

namespace Formatters.Generated;

/// <summary>The elements of a list while it is written: on .NET without the list's own check of every index.</summary>
/// <typeparam name="T">The type of the elements.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct ListItems<T>
{
#if NET
    private readonly ReadOnlySpan<T> _items;

    /// <summary>Takes the elements.</summary>
    /// <param name="list">The list.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ListItems(List<T> list) => _items = CollectionsMarshal.AsSpan(list);

    /// <summary>How many there are.</summary>
    public int Length => _items.Length;
#else
    private readonly List<T> _items;

    /// <summary>Takes the elements.</summary>
    /// <param name="list">The list.</param>
    public ListItems(List<T> list) => _items = list;

    /// <summary>How many there are.</summary>
    public int Length => _items.Count;
#endif

    /// <summary>An element.</summary>
    /// <param name="index">Its index.</param>
    public T this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _items[index];
    }
}
