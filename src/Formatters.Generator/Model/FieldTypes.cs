namespace Formatters.Generator;

/// <summary>How protobuf holds scalars: docs/wire/protobuf.md, "Values".</summary>
internal static class FieldTypes
{
    internal const int Varint = 0;
    internal const int Fixed64 = 1;
    internal const int LengthDelimited = 2;
    internal const int Fixed32 = 5;

    private const int MaxVarintByteCount = 10;
    private const int MaxVarint32ByteCount = 5;

    // A length, two tags, an int64 and an int32 that may be negative.
    private const int MaxTimeByteCount = 1 + (2 * (1 + MaxVarintByteCount));

    internal static uint Tag(int number, int wireType) => ((uint)number << 3) | (uint)wireType;

    internal static int ByteCount(uint tag) => tag < 1 << 7 ? 1 : tag < 1 << 14 ? 2 : tag < 1 << 21 ? 3 : tag < 1 << 28 ? 4 : 5;

    /// <summary>Whether a scalar can be so.</summary>
    internal static bool CanBe(string scalar, MemberEncoding encoding) => encoding switch
    {
        MemberEncoding.ZigZag => scalar is "SByte" or "Int16" or "Int32" or "Int64",
        MemberEncoding.Fixed => scalar is "Byte" or "SByte" or "Int16" or "UInt16" or "Int32" or "UInt32" or "Int64" or "UInt64" or "Guid",
        _ => encoding == MemberEncoding.Default,
    };

    internal static int WireType(string scalar, MemberEncoding encoding) => scalar switch
    {
        "Single" or "Half" => Fixed32,
        "Double" => Fixed64,
        "Decimal" or "Guid" or "DateTime" or "DateTimeOffset" or "TimeSpan" or "Int128" or "UInt128" => LengthDelimited,
        _ when encoding != MemberEncoding.Fixed || !CanBe(scalar, encoding) => Varint,
        "Int64" or "UInt64" => Fixed64,
        _ => Fixed32,
    };

    /// <summary>Whether generated code writes and reads it at a position; the others by the library.</summary>
    internal static bool IsInline(string scalar) =>
        scalar is "Boolean" or "Int32" or "UInt32" or "Int64" or "UInt64" or "Single" or "Double" or "DateTime" or "TimeSpan";

    /// <summary>The most bytes of a scalar that is written inline.</summary>
    internal static int MaxByteCount(string scalar, MemberEncoding encoding) => (scalar, encoding) switch
    {
        ("Boolean", _) => 1,
        ("Single", _) or ("Int32" or "UInt32", MemberEncoding.Fixed) => 4,
        ("Double", _) or ("Int64" or "UInt64", MemberEncoding.Fixed) => 8,
        ("DateTime" or "TimeSpan", _) => MaxTimeByteCount,
        ("UInt32", _) or ("Int32", MemberEncoding.ZigZag) => MaxVarint32ByteCount,
        _ => MaxVarintByteCount,
    };

    /// <summary>Whether a member that is not nullable has no field where it has the default value.</summary>
    internal static bool HasDefault(string scalarOrKnown) => scalarOrKnown is not ("DateTime" or "DateTimeOffset" or "TimeSpan" or "Uri" or "Version");
}
