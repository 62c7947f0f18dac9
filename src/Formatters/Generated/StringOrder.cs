using System;
using System.Collections.Generic;

namespace Formatters.Generated;

/// <summary>
/// Orders strings as the default comparer does, by the culture, and strings that it considers equal by their characters. A sorted collection may have
/// been created with another comparer or culture; this way no two of its keys become equal, and it can be read everywhere.
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
