namespace Formatters;

/// <summary>
/// The protobuf field of a member according to its attributes: ours, <c>[DataMember]</c>, or those of protobuf-net. docs/wire/protobuf.md,
/// "Contracts".
/// </summary>
/// <param name="Number">The number; null for none.</param>
/// <param name="Name">The name that it has in a <c>.proto</c> file, before the words in it are parted; null for that of the member.</param>
/// <param name="Encoding">How its integers are written.</param>
internal readonly record struct FieldMark(int? Number, string? Name, MemberEncoding Encoding)
{
    // ProtoBuf.DataFormat
    internal const int ZigZagFormat = 1;
    internal const int FixedSizeFormat = 3;
    internal const int GroupFormat = 4;
    internal const int WellKnownFormat = 5;

    /// <summary>Gets whether it requests one field per element of a list of numbers.</summary>
    internal bool IsUnpacked { get; init; }

    /// <summary>Gets whether it requests a group, which is not supported.</summary>
    internal bool IsGroup { get; init; }

    /// <summary>Gets the name of the oneof that it is a case of; null for none.</summary>
    internal string? Oneof { get; init; }

    internal static bool IsLeftOut(DeclarationView member) => member.Has(AttributeNames.ProtoIgnore);

    /// <param name="member">The member.</param>
    /// <param name="parameter">The constructor's parameter that takes it, which carries the attribute of a positional record.</param>
    internal static FieldMark Of(MemberView member, ParameterView? parameter)
    {
        AttributeView? own = member.Find(AttributeNames.Member) ?? parameter?.Find(AttributeNames.Member);
        string? name = own?.Named("Name") as string;
        MemberEncoding encoding = own?.Named("Encoding") is int value ? (MemberEncoding)value : MemberEncoding.Default;
        bool isUnpacked = own?.Named("IsPacked") is false;
        string? oneof = own?.Named("Oneof") as string;
        if (own?.Argument(0) is int number)
            return new FieldMark(number, name, encoding) { IsUnpacked = isUnpacked, Oneof = oneof };
        if (member.Find(AttributeNames.ProtoMember) is AttributeView attribute && attribute.Argument(0) is int field)
        {
            FieldMark mark = OfProtoMember(attribute, field);
            return mark with { IsUnpacked = isUnpacked || mark.IsUnpacked, Oneof = oneof };
        }

        AttributeView? data = member.Find(AttributeNames.DataMember);
        int? dataNumber = data?.Named("Order") is int order and > 0 ? order : null;
        return new FieldMark(dataNumber, name ?? data?.Named("Name") as string, encoding) { IsUnpacked = isUnpacked, Oneof = oneof };
    }

    /// <summary>Creates the mark from the arguments of <c>[ProtoMember]</c>.</summary>
    internal static FieldMark OfProtoMember(AttributeView attribute, int field)
    {
        int? format = attribute.Named("DataFormat") as int?;
        MemberEncoding encoding = format switch { ZigZagFormat => MemberEncoding.ZigZag, FixedSizeFormat => MemberEncoding.Fixed, _ =>
            MemberEncoding.Default };
        return new FieldMark(field, attribute.Named("Name") as string, encoding) { IsUnpacked = attribute.Named("IsPacked") is false,
            IsGroup = format == GroupFormat };
    }

    /// <summary>Determines whether a member has a field number: from an attribute, or from the fields of a oneof.</summary>
    internal static bool HasNumber(MemberView member) => member.OneofCases.Count > 0 || Of(member, null).Number is not null;
}
