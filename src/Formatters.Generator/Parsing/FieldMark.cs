using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>What the attributes of a member say of its field in protobuf: docs/wire/protobuf.md, "Contracts".</summary>
/// <param name="Number">The number; null for none.</param>
/// <param name="Encoding">How its integers are written.</param>
/// <param name="IsGroup">Whether it asks for a group, which is not written.</param>
internal readonly record struct FieldMark(int? Number, MemberEncoding Encoding, bool IsGroup)
{
    /// <summary>Whether it asks for a field for each element of a list of numbers.</summary>
    internal bool IsUnpacked { get; init; }

    private const string Prefix = "ProtoBuf.Proto";

    // ProtoBuf.DataFormat
    private const int ZigZagFormat = 1;
    private const int FixedSizeFormat = 3;
    private const int GroupFormat = 4;

    internal static bool IsLeftOut(ISymbol member) => member.HasAttribute(Prefix + "IgnoreAttribute");

    /// <summary>Whether only members with a number take part.</summary>
    internal static bool IsOptIn(ITypeSymbol type) => type.HasAttribute(Prefix + "ContractAttribute");

    internal static bool HasIncludes(ITypeSymbol type) => type.HasAttribute(Prefix + "IncludeAttribute");

    /// <param name="member">The member.</param>
    /// <param name="parameter">The constructor's parameter that takes it, which carries the attribute of a positional record.</param>
    internal static FieldMark Of(ISymbol member, IParameterSymbol? parameter)
    {
        AttributeData? own = member.FindAttribute(Symbols.MemberAttribute) ?? parameter?.FindAttribute(Symbols.MemberAttribute);
        MemberEncoding encoding = own?.NamedArgument("Encoding") is int value ? (MemberEncoding)value : MemberEncoding.Default;
        bool isUnpacked = own?.NamedArgument("IsPacked") is false;
        if (own?.ConstructorArguments.FirstOrDefault().Value is int number)
            return new FieldMark(number, encoding, false) { IsUnpacked = isUnpacked };
        if (member.FindAttribute(Prefix + "MemberAttribute") is { ConstructorArguments.Length: > 0 } attribute)
        {
            int? format = attribute.NamedArgument("DataFormat") as int?;
            encoding = format switch { ZigZagFormat => MemberEncoding.ZigZag, FixedSizeFormat => MemberEncoding.Fixed, _ => MemberEncoding.Default };
            return new FieldMark(attribute.ConstructorArguments[0].Value as int?, encoding, format == GroupFormat)
            {
                IsUnpacked = isUnpacked || attribute.NamedArgument("IsPacked") is false,
            };
        }

        int? order = member.FindAttribute(Symbols.DataMemberAttribute)?.NamedArgument("Order") as int?;
        return new FieldMark(order > 0 ? order : null, encoding, false) { IsUnpacked = isUnpacked };
    }
}
