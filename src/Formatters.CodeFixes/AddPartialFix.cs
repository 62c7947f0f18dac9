using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>FMT001, FMT003, FMT006, FMT130: declares a type and its containing types partial.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AddPartialFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds =>
        ImmutableArray.Create(Descriptors.NotPartial.Id, Descriptors.BadContext.Id, Descriptors.BadMap.Id, Descriptors.LegacyNotPartial.Id);

    private protected override string Title => "Declare the type partial";

    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic) =>
        node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is TypeDeclarationSyntax type && !IsFileLocal(type) && AddPartial(edit, type);

    /// <summary>Determines whether no other file, and so no generated one, can have a part of a type.</summary>
    internal static bool IsFileLocal(TypeDeclarationSyntax type) =>
        type.AncestorsAndSelf().OfType<TypeDeclarationSyntax>().Any(t => t.Modifiers.Any(SyntaxKind.FileKeyword));

    /// <returns>Whether one of the types was not partial.</returns>
    internal static bool AddPartial(Edit edit, TypeDeclarationSyntax type)
    {
        TypeDeclarationSyntax[] notPartial =
            [.. type.AncestorsAndSelf().OfType<TypeDeclarationSyntax>().Where(t => !t.Modifiers.Any(SyntaxKind.PartialKeyword))];
        foreach (TypeDeclarationSyntax declaration in notPartial)
        {
            if (edit.IsFirst(declaration, "partial"))
                edit.Editor.ReplaceNode(declaration, (current, _) => WithPartial((TypeDeclarationSyntax)current));
        }

        return notPartial.Length > 0;
    }

    private static TypeDeclarationSyntax WithPartial(TypeDeclarationSyntax type)
    {
        SyntaxToken partial = SyntaxFactory.Token(SyntaxKind.PartialKeyword).WithTrailingTrivia(SyntaxFactory.Space);
        if (type.Modifiers.Count > 0)
            return type.WithModifiers(type.Modifiers.Add(partial));
        return type.WithKeyword(type.Keyword.WithLeadingTrivia())
            .WithModifiers(SyntaxFactory.TokenList(partial.WithLeadingTrivia(type.Keyword.LeadingTrivia)));
    }
}
