using System.Collections.Generic;
using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>FMT302 to FMT305: gives a type with numbered members of another serializer our attributes too; its own stay.</summary>
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
        NumberMembersFix.SetNumbers(edit, contract.Numbers(type));
        foreach (SyntaxNode member in contract.LeftOut(type).Select(edit.DeclarationOf).OfType<MemberDeclarationSyntax>())
            edit.AddAttribute(member, LeaveOutFix.Attribute);
        return true;
    }
}
