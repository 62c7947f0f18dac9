namespace Formatters;

/// <summary>The form of packed numbers that are read and written at once.</summary>
internal enum PackedForm
{
    /// <summary>Other values, which are read and written one at a time.</summary>
    None,

    /// <summary>Numbers of four or eight bytes, in the wire format as in memory.</summary>
    Fixed,

    /// <summary>Varints.</summary>
    Varint,

    /// <summary>Varints, zigzag.</summary>
    ZigZag,
}
