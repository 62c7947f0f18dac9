using System;

namespace Formatters;

/// <summary>Limits for the resources that a body can use when it is read. Every formatter applies them; they are on by default.</summary>
/// <remarks>
/// Immutable: create others with <c>FormatterLimits.Default with { MaxDepth = 16 }</c>. A body beyond a limit throws a <see
/// cref="MessageFormatException"/> before anything is allocated for it. The limits also apply to writing, so a body that was written can be read with
/// the same limits. The exceptions are <see cref="MaxAllocationFactor"/>, which is checked only on reading, and those described at <see
/// cref="MaxElementCount"/> for records in MessagePack, CBOR and the compact format.
/// </remarks>
public sealed record FormatterLimits
{
    // The limits checked for every message, as fields: property getters would be compiled for the first one. Row "generated binary", first write in a
    // process.
    internal readonly int BodyByteCount = 16 * 1024 * 1024;
    internal readonly int Depth = 64;
    internal readonly int ElementCount = 1_000_000;
    internal readonly int AllocationFactor = 64;

    /// <summary>Gets the default limits.</summary>
    public static FormatterLimits Default { get; } = new();

    /// <summary>Gets the maximum size of a body, in bytes.</summary>
    /// <value>Default 16,777,216 (16 MiB, also RabbitMQ's own default for a message).</value>
    public int MaxBodyByteCount
    {
        get => BodyByteCount;
        init => BodyByteCount = value > 0 ? value : throw new ArgumentOutOfRangeException(
            nameof(MaxBodyByteCount), value, "The limit must be at least 1 byte.");
    }

    /// <summary>
    /// Gets the maximum depth of nested records; the root is depth 1. In MessagePack, CBOR, the compact format and those of the
    /// application every array and map counts, in protobuf every message and group.
    /// </summary>
    /// <value>Default 64. Whatever this number is, reading and writing stop before the stack overflows.</value>
    public int MaxDepth
    {
        get => Depth;
        init => Depth = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxDepth), value, "The limit must be at least 1.");
    }

    /// <summary>Gets the maximum number of elements of one collection.</summary>
    /// <value>Default 1,000,000. A count is always also checked against the remaining bytes. In MessagePack, CBOR and the compact format the members
    /// of a record and of a tuple are elements on reading, and on writing by reflection; generated code, which knows their number, does not check
    /// it.</value>
    public int MaxElementCount
    {
        get => ElementCount;
        init => ElementCount = value > 0 ? value : throw new ArgumentOutOfRangeException(
            nameof(MaxElementCount), value, "The limit must be at least 1.");
    }

    /// <summary>Gets how many bytes may be allocated for the elements of collections per byte of the body, in addition to 64 KiB.</summary>
    /// <value>Default 64. This stops bodies with small elements that are large in memory: a null takes one byte in the body, but hundreds in an
    /// array of a large nullable struct. Formatters over other libraries (XML, JSON, delegates) do not check it. It is not checked on writing:
    /// reading a body that was written may fail if it has long collections of elements that are small in the body, such as nulls of a large struct or
    /// objects without members.</value>
    public int MaxAllocationFactor
    {
        get => AllocationFactor;
        init => AllocationFactor = value > 0
            ? value
            : throw new ArgumentOutOfRangeException(nameof(MaxAllocationFactor), value, "The limit must be at least 1.");
    }

    /// <summary>
    /// Gets whether text that is not valid UTF-16 (an unpaired surrogate) is rejected on writing, instead of being written as U+FFFD as
    /// <c>System.IO.BinaryWriter</c> does.
    /// </summary>
    /// <value>Default <see langword="false"/>: the bytes are those of <c>System.IO.BinaryWriter</c>. Invalid UTF-8 is always refused on
    /// reading.</value>
    public bool RefuseInvalidText { get; init; }

    /// <summary>
    /// Gets whether <see cref="UnknownMembers"/> that were read in another wire format, or in the other form of records, are dropped on writing,
    /// instead of failing with <see cref="MessageFormatErrorCode.ForeignBytes"/>.
    /// </summary>
    /// <value>Default <see langword="false"/>. An unknown case of a union is never dropped, because its place needs a value.</value>
    public bool DropForeignMembers { get; init; }
}
