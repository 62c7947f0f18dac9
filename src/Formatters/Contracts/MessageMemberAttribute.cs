using System;

namespace Formatters;

/// <summary>Says how a field or property takes part in the contract of its type.</summary>
/// <remarks>
/// On the parameter of a positional record it counts for the property. A member that is not public takes part only with it, or with
/// <c>[DataMember]</c> in a type with <c>[DataContract]</c>: docs/wire/binary.md, "Contracts".
/// </remarks>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Parameter)]
public sealed class MessageMemberAttribute : Attribute
{
    /// <summary>Makes a member of the contract without a number of its own.</summary>
    public MessageMemberAttribute()
    {
    }

    /// <summary>Gives a member its number.</summary>
    /// <param name="number">What stands for the member in wire formats that number members, for ever: 1 or greater.</param>
    public MessageMemberAttribute(int number) => Number = number;

    /// <summary>The number; 0 for none.</summary>
    public int Number { get; }

    /// <summary>The name in wire formats that name members; null, the default, for the name in the source.</summary>
    public string? Name { get; set; }

    /// <summary>How protobuf holds the integers of the member, of its elements, or of its keys and values. Without effect in other wire formats.</summary>
    /// <value>Default <see cref="MemberEncoding.Default"/>.</value>
    public MemberEncoding Encoding { get; set; }

    /// <summary>
    /// Whether protobuf writes the numbers or enums of a list one after the other in one field (<c>[packed = true]</c>), as proto3 has it, or a field for each
    /// (<c>[packed = false]</c>), as a reader of proto2 may need it. Both forms are always read. Without effect in other wire formats.
    /// </summary>
    /// <value>Default <see langword="true"/>.</value>
    public bool IsPacked { get; set; } = true;
}
