using System.Globalization;

namespace Formatters;

/// <summary>Finds members whose attributes of two serializers contradict each other: one of the two would be ignored.</summary>
internal static class Contradiction
{
    /// <summary>
    /// Compares <c>[MessageMember]</c> with MessagePack-CSharp's <c>[Key]</c>: the position in the array form, or the name in the map form.
    /// </summary>
    /// <param name="member">The member.</param>
    /// <param name="parameter">The constructor's parameter that takes it.</param>
    /// <returns>Null if they agree, or one is missing.</returns>
    internal static string? OfKey(MemberView member, ParameterView? parameter)
    {
        if (OwnOf(member, parameter) is not AttributeView own || own.Argument(0) is not int number
            || member.Find(AttributeNames.MessagePackKey)?.Argument(0) is not object key)
            return null;
        if (key is int index)
        {
            return index == number - 1
                ? null
                : Text(
                    "[MessageMember({0})] is the position {1} in an array, and [Key({2})] the position {2}; write [MessageMember({3})]",
                    number,
                    number - 1,
                    index,
                    index + 1L);
        }

        return key is string name && own.Named("Name") as string != name
            ? Text("[MessageMember({0})] is the position {1} in an array, and [Key(\"{2}\")] a name in a map; remove one of the two", number,
                number - 1, name)
            : null;
    }

    /// <summary>Compares <c>[MessageMember]</c> with protobuf-net's <c>[ProtoMember]</c>: the field and its encoding.</summary>
    /// <inheritdoc cref="OfKey"/>
    internal static string? OfField(MemberView member, ParameterView? parameter)
    {
        if (OwnOf(member, parameter) is not AttributeView own || own.Argument(0) is not int number
            || member.Find(AttributeNames.ProtoMember) is not AttributeView proto || proto.Argument(0) is not int field)
            return null;
        FieldMark ours = FieldMark.Of(member, parameter);
        FieldMark theirs = FieldMark.OfProtoMember(proto, field);
        return field != number
                ? Text("[MessageMember({0})] is the field {0}, and [ProtoMember({1})] the field {1}; give both the same number", number, field)
            : theirs.IsGroup
            ? Text("[ProtoMember({0})] asks for a group, which is not written", field)
            : theirs.Encoding != ours.Encoding
                ? Text(
                    "[ProtoMember({0})] has the encoding {1}, and [MessageMember({0})] the encoding {2}; write Encoding = MemberEncoding.{1}",
                    field,
                    theirs.Encoding,
                    ours.Encoding)
            : theirs.IsUnpacked && !ours.IsUnpacked
                ? Text("[ProtoMember({0})] has IsPacked = false, and [MessageMember({0})] has not; write it on both", field)
            : null;
    }

    private static AttributeView? OwnOf(MemberView member, ParameterView? parameter) =>
        member.Find(AttributeNames.Member) ?? parameter?.Find(AttributeNames.Member);

    private static string Text(string format, params object[] values) => string.Format(CultureInfo.InvariantCulture, format, values);
}
