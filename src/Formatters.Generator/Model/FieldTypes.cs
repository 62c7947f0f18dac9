namespace Formatters.Generator;

/// <summary>The forms of scalars in protobuf: docs/wire/protobuf.md, "Values".</summary>
internal static class FieldTypes
{
    internal const int LengthDelimited = (int)ScalarField.LengthDelimited;

    private const int MaxVarintByteCount = 10;
    private const int MaxVarint32ByteCount = 5;
    private const int MaxVarint16ByteCount = 3;
    private const int MaxDecimalTextByteCount = 31;
    private const int GuidTextByteCount = 36;

    // A length, two tags, an int64 and an int32 that may be negative.
    private const int MaxTimeByteCount = 1 + (2 * (1 + MaxVarintByteCount));

    internal static uint Tag(int number, int wireType) => ((uint)number << 3) | (uint)wireType;

    internal static int ByteCount(uint tag) => tag < 1 << 7 ? 1 : tag < 1 << 14 ? 2 : tag < 1 << 21 ? 3 : tag < 1 << 28 ? 4 : 5;

    /// <summary>Determines whether a scalar supports an encoding.</summary>
    internal static bool CanBe(string scalar, MemberEncoding encoding) => encoding switch
    {
        MemberEncoding.ZigZag => ScalarTypes.FindByName(scalar)?.Is(ScalarTraits.ZigZag) is true,
        MemberEncoding.Fixed => ScalarTypes.FindByName(scalar)?.Is(ScalarTraits.FixedSize) is true,
        _ => encoding == MemberEncoding.Default,
    };

    internal static int WireType(string scalar, MemberEncoding encoding) => (int)ScalarTypes.Get(scalar).FieldAs(encoding == MemberEncoding.Fixed);

    /// <summary>Determines whether generated code writes and reads it at a position; others are left to the library.</summary>
    internal static bool IsInline(string scalar) => HasOwnMethods(scalar)
        || scalar is "Byte" or "SByte" or "Int16" or "UInt16" or "Char" or "Decimal" or "DateTimeOffset" or "Guid" or "DateOnly" or "TimeOnly";

    /// <summary>Determines whether <c>ProtobufCode</c> has methods for the scalar alone; other inlined ones share a generic method.</summary>
    internal static bool HasOwnMethods(string scalar) =>
        scalar is "Boolean" or "Int32" or "UInt32" or "Int64" or "UInt64" or "Single" or "Double" or "DateTime" or "TimeSpan";

    /// <summary>Returns the maximum size of a scalar that is written inline.</summary>
    internal static int MaxByteCount(string scalar, MemberEncoding encoding) => (scalar, encoding) switch
    {
        ("Boolean", _) => 1,
        ("Single", _) or ("Byte" or "SByte" or "Int16" or "UInt16" or "Int32" or "UInt32", MemberEncoding.Fixed) => 4,
        ("Double", _) or ("Int64" or "UInt64", MemberEncoding.Fixed) => 8,
        ("DateTime" or "TimeSpan", _) => MaxTimeByteCount,
        ("DateTimeOffset", _) => MaxTimeByteCount + 1 + MaxVarint32ByteCount,
        ("Decimal", _) => 1 + MaxDecimalTextByteCount,
        ("Guid", _) => 1 + GuidTextByteCount,
        ("Byte" or "UInt16" or "Char", _) or ("SByte" or "Int16", MemberEncoding.ZigZag) => MaxVarint16ByteCount,
        ("UInt32" or "DateOnly", _) or ("Int32", MemberEncoding.ZigZag) => MaxVarint32ByteCount,
        _ => MaxVarintByteCount,
    };

    /// <summary>Determines whether a member that is not nullable has no field for the default value.</summary>
    internal static bool HasDefault(string scalar) => ScalarTypes.FindByName(scalar)?.Is(ScalarTraits.AlwaysWritten) is not true;
}
