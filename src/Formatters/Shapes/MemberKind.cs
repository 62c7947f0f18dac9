namespace Formatters;

/// <summary>How a value lies in a versioned record, so that a reader can skip it: docs/wire/versioned.md.</summary>
internal static class MemberKind
{
    /// <summary>No member of this number.</summary>
    internal const int Absent = 0;

    /// <summary>A 7-bit integer, and that many bytes.</summary>
    internal const int Short = 6;

    /// <summary>An Int32, and that many bytes.</summary>
    internal const int Long = 7;

    /// <summary>Added to a kind: a presence byte comes first.</summary>
    internal const int Nullable = 8;

    internal const int MaxNumber = 255;

    /// <summary>The kind of the values of a type.</summary>
    internal static int Of(ScalarType type) => type.Form switch
    {
        ScalarForm.Fixed => OfFixed(type.MinByteCount),
        ScalarForm.Bytes => Long,
        _ => Short,
    };

    /// <summary>The kind of values that all take the same number of bytes; <see cref="Short"/> where none of its own is for that number.</summary>
    private static int OfFixed(int byteCount) => byteCount switch
    {
        1 => 1,
        2 => 2,
        4 => 3,
        8 => 4,
        16 => 5,
        _ => Short,
    };

    /// <summary>The number of bytes of a fixed kind, 1 to 5.</summary>
    internal static int FixedByteCount(int kind) => 1 << (kind - 1);

    /// <summary>The number of bytes of a table up to a number, with that number before it.</summary>
    internal static int TableByteCount(int maxNumber) => 1 + ((maxNumber + 1) / 2);
}
