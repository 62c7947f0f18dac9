using System;

namespace Formatters;

/// <summary>Makes a field or property a member of the contract of its type, and sets its number and name.</summary>
/// <remarks>
/// On the parameter of a positional record, it applies to the property. A field or property that is not public is a member only with this attribute,
/// or with <c>[DataMember]</c> in a type with <c>[DataContract]</c>: docs/wire/binary.md, "Contracts".
/// </remarks>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Parameter)]
public sealed class MessageMemberAttribute : Attribute
{
    /// <summary>Creates a member of the contract without a number.</summary>
    public MessageMemberAttribute()
    {
    }

    /// <summary>Creates a member with a number.</summary>
    /// <param name="number">The number of the member in wire formats with numbered members, 1 or greater. It must never change.</param>
    public MessageMemberAttribute(int number) => Number = number;

    /// <summary>Gets the number; 0 for none.</summary>
    public int Number { get; }

    /// <summary>Gets or sets the name in wire formats that name members; null, the default, for the name in the source.</summary>
    public string? Name { get; set; }

    /// <summary>
    /// Gets or sets the encoding of integers in protobuf: of the member, of its elements, or of its keys and values. No effect in other wire formats.
    /// </summary>
    /// <value>Default <see cref="MemberEncoding.Default"/>.</value>
    public MemberEncoding Encoding { get; set; }

    /// <summary>
    /// Gets or sets whether protobuf writes the numbers or enums of a list in one packed field (<c>[packed = true]</c>), as proto3 does, or in one
    /// field each (<c>[packed = false]</c>), as a proto2 reader may require. Both forms can always be read. No effect in other wire formats.
    /// </summary>
    /// <value>Default <see langword="true"/>.</value>
    public bool IsPacked { get; set; } = true;

    /// <summary>
    /// Gets or sets the name of the <c>oneof</c> that the field is a case of in protobuf: at most one member of the type with this name has a value.
    /// No effect in other wire formats.
    /// </summary>
    /// <value>Default null. The member must be declared nullable, and cannot be a collection.</value>
    /// <remarks>
    /// Reading a case sets the others to null. Writing an object in which two have values fails with <see cref="MessageFormatErrorCode.BadValue"/>.
    /// For a member that is itself the union, see <see cref="MessageOneofAttribute"/>.
    /// </remarks>
    /// <example><code>
    /// public class Result
    /// {
    ///     [MessageMember(1, Oneof = "outcome")] public int? Code { get; set; }
    ///     [MessageMember(2, Oneof = "outcome")] public string? Error { get; set; }
    /// }
    /// </code></example>
    public string? Oneof { get; set; }
}
