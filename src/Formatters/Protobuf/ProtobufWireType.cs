namespace Formatters.Protobuf;

/// <summary>
/// Defines how the value of a field is encoded in a protobuf message: the low three bits of its tag
/// (https://protobuf.dev/programming-guides/encoding/#structure).
/// </summary>
public enum ProtobufWireType
{
    /// <summary>A varint: integers, Booleans and enums.</summary>
    Varint = 0,

    /// <summary>Eight bytes, the lowest first: <c>fixed64</c>, <c>sfixed64</c>, <c>double</c>.</summary>
    Fixed64 = 1,

    /// <summary>A length as a varint, and that many bytes: <c>string</c>, <c>bytes</c>, messages, packed repeated fields.</summary>
    LengthDelimited = 2,

    /// <summary>The start of a group: fields up to the end with the same number. Groups are skipped on reading, and never written.</summary>
    StartGroup = 3,

    /// <summary>The end of a group.</summary>
    EndGroup = 4,

    /// <summary>Four bytes, the lowest first: <c>fixed32</c>, <c>sfixed32</c>, <c>float</c>.</summary>
    Fixed32 = 5,
}
