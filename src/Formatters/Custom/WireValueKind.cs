namespace Formatters.Custom;

/// <summary>The kinds of values of a wire format that contracts know.</summary>
public enum WireValueKind
{
    /// <summary>A value of another kind, which contracts skip and never read.</summary>
    Other = 0,

    /// <summary>A null.</summary>
    Null = 1,

    /// <summary>A <see cref="bool"/>.</summary>
    Boolean = 2,

    /// <summary>An integer from <see cref="long.MinValue"/> to <see cref="ulong.MaxValue"/>.</summary>
    Integer = 3,

    /// <summary>A floating-point number.</summary>
    Double = 4,

    /// <summary>A string, in UTF-8.</summary>
    String = 5,

    /// <summary>Bytes.</summary>
    Bytes = 6,

    /// <summary>A number of elements, and the elements.</summary>
    Array = 7,

    /// <summary>A number of entries, and the entries, each a key and a value.</summary>
    Map = 8,
}
