namespace Formatters;

/// <summary>Defines the initial value of a member that is read.</summary>
internal enum FieldMode
{
    /// <summary>None: its owner is new, and a value set by a constructor may be shared.</summary>
    New,

    /// <summary>A value whose parts may be filled.</summary>
    Reuse,

    /// <summary>The first part of the same message in the body, to be merged with.</summary>
    Merge,
}
