namespace Formatters;

/// <summary>How the value of a field lies in a protobuf message: the low three bits of its tag
/// (https://protobuf.dev/programming-guides/encoding/#structure).</summary>
public enum ProtobufWireType
{
    /// <summary>A varint: integers, Booleans and enums.</summary>
    Varint = 0,

    /// <summary>Eight bytes, the lowest first: <c>fixed64</c>, <c>sfixed64</c>, <c>double</c>.</summary>
    Fixed64 = 1,

    /// <summary>A length as a varint, and so many bytes: <c>string</c>, <c>bytes</c>, messages, packed repeated fields.</summary>
    LengthDelimited = 2,

    /// <summary>The begin of a group: fields up to the end of the same number. Read and passed over; nothing here writes one.</summary>
    StartGroup = 3,

    /// <summary>The end of a group.</summary>
    EndGroup = 4,

    /// <summary>Four bytes, the lowest first: <c>fixed32</c>, <c>sfixed32</c>, <c>float</c>.</summary>
    Fixed32 = 5,
}
