using System.Collections.Generic;
using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>FMT302 to FMT305: adds our attributes to a type with numbered members of another serializer, whose attributes are kept.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class MigrateFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ForeignContract.All.Select(f => f.Descriptor.Id).ToImmutableArray();

    private protected override string Title => "Add [MessageContract], and [MessageMember] with the same numbers";

    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        if (node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not TypeDeclarationSyntax declaration || AddPartialFix.IsFileLocal(declaration)
            || edit.Model.GetDeclaredSymbol(declaration, edit.Cancellation) is not INamedTypeSymbol type
            || ForeignContract.Find(type) is not ForeignContract contract)
            return false;
        edit.AddAttribute(declaration, Symbols.ContractAttribute);
        AddPartialFix.AddPartial(edit, declaration);
        NumberMembersFix.SetNumbers(edit, contract.Numbers(type), member => SettingsOf(edit, member));
        foreach (SyntaxNode member in contract.LeftOut(type).Select(edit.DeclarationOf).OfType<MemberDeclarationSyntax>())
            edit.AddAttribute(member, LeaveOutFix.Attribute);
        return true;
    }

    /// <summary>
    /// Returns the settings of <c>[ProtoMember]</c> besides the number, as our attribute expresses them: the encoding of integers is part of the
    /// bytes.
    /// </summary>
    private static IEnumerable<AttributeArgumentSyntax> SettingsOf(Edit edit, ISymbol member)
    {
        AttributeView? proto = Member.Of(member).Find(AttributeNames.ProtoMember);
        if (proto?.Argument(0) is not int field)
            yield break;
        FieldMark mark = FieldMark.OfProtoMember(proto, field);
        if (mark.Encoding != MemberEncoding.Default
            && edit.Model.Compilation.GetTypeByMetadataName("Formatters.MemberEncoding") is INamedTypeSymbol encoding)
        {
            edit.Import(encoding);
            yield return Setting("Encoding", edit.Editor.Generator.MemberAccessExpression(
                SyntaxFactory.IdentifierName(encoding.Name), mark.Encoding.ToString()));
        }

        if (mark.IsUnpacked)
            yield return Setting("IsPacked", edit.Editor.Generator.FalseLiteralExpression());
    }

    private static AttributeArgumentSyntax Setting(string name, SyntaxNode value) =>
        SyntaxFactory.AttributeArgument(SyntaxFactory.NameEquals(name), null, (ExpressionSyntax)value).NormalizeWhitespace();
}
