using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>What was read of a member so far, in one message; at first nothing.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct FieldState
{
    /// <summary>The elements, where they are gathered aside.</summary>
    internal object? Items;

    /// <summary>1 more than the number of elements; 0 before the first field.</summary>
    internal int ElementCount;

    /// <summary>Whether the body has a field of the member.</summary>
    public readonly bool HasFields => ElementCount > 0;
}
