using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>Compares strings as a comparer of the base library does, whose hash has a random key on .NET.</summary>
internal sealed class KeyedStrings(StringComparer comparer) : IEqualityComparer<string>
{
    public bool Equals(string? x, string? y) => comparer.Equals(x, y);

    public int GetHashCode(string value) => comparer.GetHashCode(value);
}
