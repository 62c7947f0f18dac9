namespace Formatters;

/// <summary>
/// Defines how protobuf encodes the integers of a member: <c>MessageMemberAttribute.Encoding</c>. It has no effect in other wire formats.
/// </summary>
#if GENERATOR
internal enum MemberEncoding
#else
public enum MemberEncoding
#endif
{
    /// <summary>Varints (<c>int32</c>, <c>uint64</c>): small values take few bytes, negative ones ten.</summary>
    Default,

    /// <summary>Zigzag varints (<c>sint32</c>, <c>sint64</c>), for signed integers: small negative values also take few bytes.</summary>
    ZigZag,

    /// <summary>
    /// Four or eight bytes (<c>fixed32</c>, <c>sfixed64</c>), for integers that are rarely small. A <see cref="System.Guid"/> is then 16 bytes, in
    /// the order of RFC 9562, and not a string.
    /// </summary>
    Fixed,
}
