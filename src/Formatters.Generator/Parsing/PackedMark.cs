using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>What the attributes of a member say of its place in the array form of MessagePack and its name in the map form: docs/wire/messagepack.md, "Contracts".</summary>
/// <param name="Index">The place, from 0; null for none.</param>
/// <param name="Name">The name; null for that of the member.</param>
/// <param name="IsExplicit">Whether there is an attribute, so that also a member that cannot be set is written.</param>
internal readonly record struct PackedMark(int? Index, string? Name, bool IsExplicit)
{
    private const string Key = "MessagePack.KeyAttribute";

    internal static bool IsLeftOut(ISymbol member) => member.HasAttribute("MessagePack.IgnoreMemberAttribute");

    /// <summary>Whether a type asks for the map form; null where its members decide.</summary>
    internal static bool? HasNamedMembers(ITypeSymbol type, int memberCount) =>
        type.FindAttribute("MessagePack.MessagePackObjectAttribute") is not AttributeData attribute ? null
        : attribute.ConstructorArguments.FirstOrDefault().Value is true ? true
        : memberCount == 0 ? false : null;

    /// <param name="member">The member.</param>
    /// <param name="parameter">The constructor's parameter that takes it, which carries the attribute of a positional record.</param>
    internal static PackedMark Of(ISymbol member, IParameterSymbol? parameter)
    {
        if ((member.FindAttribute(Symbols.MemberAttribute) ?? parameter?.FindAttribute(Symbols.MemberAttribute)) is AttributeData own)
        {
            return new PackedMark((own.ConstructorArguments.FirstOrDefault().Value as int?) - 1, own.NamedArgument("Name") as string ?? own.ConstructorArguments.FirstOrDefault().Value as string, true);
        }

        if (member.FindAttribute(Key) is { ConstructorArguments.Length: > 0 } key)
            return new PackedMark(key.ConstructorArguments[0].Value as int?, key.ConstructorArguments[0].Value as string, true);
        if (Member.IsOptIn(member.ContainingType) && member.FindAttribute(Symbols.DataMemberAttribute) is AttributeData data)
            return new PackedMark(data.NamedArgument("Order") as int? is int order and >= 0 ? order : null, data.NamedArgument("Name") as string, true);
        return default;
    }
}
