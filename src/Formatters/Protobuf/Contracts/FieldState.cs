using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>The state of a member while a message is read; initially empty.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct FieldState
{
    /// <summary>The elements, if they are collected separately.</summary>
    internal object? Items;

    /// <summary>The number of elements plus 1; 0 before the first field.</summary>
    internal int ElementCount;

    /// <summary>Gets whether the body has a field of the member.</summary>
    public readonly bool HasFields => ElementCount > 0;
}
