namespace Formatters;

/// <summary>What a member held before it is read.</summary>
internal enum FieldMode
{
    /// <summary>Nothing: its owner is new, and what a constructor put there may be shared with others.</summary>
    New,

    /// <summary>A value whose parts may be filled.</summary>
    Reuse,

    /// <summary>What came first in the body: these are more fields of the same message.</summary>
    Merge,
}
