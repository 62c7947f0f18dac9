using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>The numbering of a type's members by another serializer.</summary>
/// <param name="Descriptor">The diagnostic to report.</param>
/// <param name="TypeAttribute">On the type.</param>
/// <param name="MemberAttribute">On the member, with its number.</param>
/// <param name="IgnoreAttribute">On a member that is left out.</param>
/// <param name="IsOptIn">Whether only members with <paramref name="MemberAttribute"/> take part.</param>
/// <param name="IsFromZero">Whether numbers begin with 0. Ours begin with 1, so all of a type are shifted by one.</param>
internal sealed record ForeignContract(
    DiagnosticDescriptor Descriptor, string TypeAttribute, string MemberAttribute, string IgnoreAttribute, bool IsOptIn, bool IsFromZero)
{
    internal const string MessageMember = "Formatters.MessageMemberAttribute";

    internal static readonly ImmutableArray<ForeignContract> All = ImmutableArray.Create(
        new ForeignContract(
            Descriptors.DataContract, "System.Runtime.Serialization.DataContractAttribute", "System.Runtime.Serialization.DataMemberAttribute",
            "System.Runtime.Serialization.IgnoreDataMemberAttribute", IsOptIn: true, IsFromZero: false),
        new ForeignContract(
            Descriptors.MessagePackContract, "MessagePack.MessagePackObjectAttribute", "MessagePack.KeyAttribute",
                "MessagePack.IgnoreMemberAttribute",
            IsOptIn: false, IsFromZero: true),
        new ForeignContract(
            Descriptors.ProtoContract, "ProtoBuf.ProtoContractAttribute", "ProtoBuf.ProtoMemberAttribute", "ProtoBuf.ProtoIgnoreAttribute",
            IsOptIn: true, IsFromZero: false),
        new ForeignContract(
            Descriptors.MemoryPackContract, "MemoryPack.MemoryPackableAttribute", "MemoryPack.MemoryPackOrderAttribute",
                "MemoryPack.MemoryPackIgnoreAttribute",
            IsOptIn: false, IsFromZero: true));

    /// <summary>Finds the contract of a type that has none of ours but numbered members of another; null if there is none.</summary>
    internal static ForeignContract? Find(INamedTypeSymbol type) =>
        type.IsAbstract || type.IsGenericType || type.TypeKind is not (TypeKind.Class or TypeKind.Struct)
        || type.HasAttribute(Symbols.ContractAttribute)
        ? null
        : All.FirstOrDefault(f => type.HasAttribute(f.TypeAttribute) && f.Numbers(type).Count > 0);

    /// <summary>Returns the members that the type declares, with their numbers in our contract.</summary>
    internal List<(ISymbol Member, int Number)> Numbers(INamedTypeSymbol type)
    {
        int offset = IsFromZero || Symbols.Levels(type).SelectMany(l => l.GetMembers()).Any(m => NumberOf(m) == 0) ? 1 : 0;
        return [.. from member in type.GetMembers() where NumberOf(member) is >= 0 select (member, NumberOf(member)!.Value + offset)];
    }

    /// <summary>Returns the members that are not in the other contract, but would be in ours.</summary>
    internal IEnumerable<ISymbol> LeftOut(INamedTypeSymbol type) => type.GetMembers().Where(m =>
        m is IFieldSymbol { IsConst: false } or IPropertySymbol { IsIndexer: false } && Symbols.IsPublicInstance(m) && !m.IsImplicitlyDeclared
        && !Symbols.IsLeftOut(m)
        && (m.HasAttribute(IgnoreAttribute) || IsOptIn && Symbols.AttributesOf(m).All(a => a.AttributeClass?.FullName() != MemberAttribute)));

    private int? NumberOf(ISymbol member)
    {
        if (member is not (IFieldSymbol or IPropertySymbol))
            return null;
        AttributeData? attribute = Symbols.AttributesOf(member).FirstOrDefault(a => a.AttributeClass?.FullName() == MemberAttribute);
        return attribute?.ConstructorArguments.FirstOrDefault().Value as int?
            ?? attribute?.NamedArguments.FirstOrDefault(a => a.Key == "Order").Value.Value as int?;
    }
}
