namespace Formatters;

/// <summary>How protobuf encodes the integers of a member: <see cref="MessageMemberAttribute.Encoding"/>. It has no effect in other wire formats.</summary>
public enum MemberEncoding
{
    /// <summary>Varints (<c>int32</c>, <c>uint64</c>): small ones take few bytes, negative ones ten.</summary>
    Default,

    /// <summary>Zigzag varints (<c>sint32</c>, <c>sint64</c>), for signed integers: small negative ones take few bytes, too.</summary>
    ZigZag,

    /// <summary>
    /// Four or eight bytes (<c>fixed32</c>, <c>sfixed64</c>), for integers that are seldom small. A <see cref="System.Guid"/> is 16 bytes then, in the order of
    /// RFC 9562, and not a string.
    /// </summary>
    Fixed,
}
