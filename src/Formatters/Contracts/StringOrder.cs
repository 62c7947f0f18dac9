using System;
using System.Collections.Generic;

namespace Formatters.Generated;

/// <summary>
/// Orders strings as the default comparer does, by the culture, and those that it takes for equal by their characters. A sorted collection may have been
/// made with another comparer, or under another culture: so no two of its keys become one, and what was written can be read everywhere.
/// </summary>
internal sealed class StringOrder : IComparer<string?>
{
    internal static readonly StringOrder Instance = new();

    private StringOrder()
    {
    }

    public int Compare(string? x, string? y)
    {
        int order = Comparer<string?>.Default.Compare(x, y);
        return order != 0 ? order : string.CompareOrdinal(x, y);
    }
}
