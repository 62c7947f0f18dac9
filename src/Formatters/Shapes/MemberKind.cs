namespace Formatters;

/// <summary>The kinds of values in a versioned record, which allow a reader to skip them: docs/wire/versioned.md.</summary>
internal static class MemberKind
{
    /// <summary>There is no member with this number.</summary>
    internal const int Absent = 0;

    /// <summary>A 7-bit integer, and that many bytes.</summary>
    internal const int Short = 6;

    /// <summary>An Int32, and that many bytes.</summary>
    internal const int Long = 7;

    /// <summary>Added to a kind: a presence byte comes first.</summary>
    internal const int Nullable = 8;

    internal const int MaxNumber = 255;

    /// <summary>Returns the values of a kind, for errors.</summary>
    internal static string Describe(int kind) => (kind & ~Nullable) switch
    {
        Absent => "missing",
        1 => "a value of 1 byte (bool, byte, an enum)",
        2 => "a value of 2 bytes (short, Half, an enum)",
        3 => "a value of 4 bytes (int, float, DateOnly, an enum)",
        4 => "a value of 8 bytes (long, double, DateTime, an enum)",
        5 => "a value of 16 bytes (decimal, Guid)",
        Short => "a string (or a char, Uri, DateTimeOffset)",
        _ => "a record, collection, tuple or byte array",
    };

    /// <summary>Returns the kind of a type's values.</summary>
    internal static int Of(ScalarType type) => type.Form switch
    {
        ScalarForm.Fixed => OfFixed(type.MinByteCount),
        ScalarForm.Bytes => Long,
        _ => Short,
    };

    /// <summary>Returns the kind of values with a fixed size; <see cref="Short"/> if there is none for the size.</summary>
    private static int OfFixed(int byteCount) => byteCount switch
    {
        1 => 1,
        2 => 2,
        4 => 3,
        8 => 4,
        16 => 5,
        _ => Short,
    };

    /// <summary>Returns the size of a fixed kind, 1 to 5.</summary>
    internal static int FixedByteCount(int kind) => 1 << (kind - 1);

    /// <summary>
    /// Determines whether records of values of a fixed size can be written and read at once: the byte count and the table of each take 8 bytes, or 8
    /// and 4, without reaching beyond the record.
    /// </summary>
    internal static bool CanBeReadAtOnce(int tableByteCount, int contentByteCount) =>
        tableByteCount <= 8 && tableByteCount + contentByteCount >= (tableByteCount <= 4 ? 4 : 8);

    /// <summary>Returns the size of a table up to a number, including that number.</summary>
    internal static int TableByteCount(int maxNumber) => 1 + ((maxNumber + 1) / 2);
}
