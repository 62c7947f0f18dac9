using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>FMT115: gives the member that stores unknown members its required form.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class UnknownMembersFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.UnknownMembers.Id);

    private protected override string Title => "Declare it as UnknownMembers? with a setter";

    // A second one would have to be removed, which only its author can decide; and one that is not public may be so on purpose.
    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        if (Edit.DeclarationAt(node) is not MemberDeclarationSyntax declaration
            || edit.Model.GetDeclaredSymbol(node, edit.Cancellation) is not { ContainingType: INamedTypeSymbol type } member
            || !Symbols.IsPublicInstance(member) || Member.FindUnknown(type).Count() > 1)
            return false;
        if (declaration is PropertyDeclarationSyntax property && member is IPropertySymbol { IsAbstract: false })
        {
            AccessorListSyntax accessors = (AccessorListSyntax)((PropertyDeclarationSyntax)SyntaxFactory.ParseMemberDeclaration(
                "int P { get; set; }")!).AccessorList!;
            edit.Editor.ReplaceNode(property, property
                .WithType(Nullable(property.Type))
                .WithModifiers(WithoutRequired(property.Modifiers))
                .WithAccessorList(HasSetter(property) ? property.AccessorList! : accessors.WithTrailingTrivia(property.GetTrailingTrivia()))
                .WithExpressionBody(null)
                .WithInitializer(null)
                .WithSemicolonToken(default)
                .WithTrailingTrivia(property.GetTrailingTrivia()));
            return true;
        }

        if (declaration is not FieldDeclarationSyntax { Declaration.Variables.Count: 1 } field)
            return false;
        VariableDeclaratorSyntax variable = field.Declaration.Variables[0].WithInitializer(null);
        edit.Editor.ReplaceNode(field, field
            .WithModifiers(WithoutRequired(field.Modifiers))
            .WithDeclaration(SyntaxFactory.VariableDeclaration(
                Nullable(field.Declaration.Type), SyntaxFactory.SingletonSeparatedList(variable.WithoutTrivia()))));
        return true;
    }

    private static bool HasSetter(PropertyDeclarationSyntax property) => property.AccessorList?.Accessors
        .Any(a => (a.IsKind(SyntaxKind.SetAccessorDeclaration) || a.IsKind(SyntaxKind.InitAccessorDeclaration)) && a.Modifiers.Count == 0) == true;

    private static TypeSyntax Nullable(TypeSyntax type) =>
        type is NullableTypeSyntax ? type : SyntaxFactory.NullableType(type.WithoutTrivia()).WithTriviaFrom(type);

    private static SyntaxTokenList WithoutRequired(SyntaxTokenList modifiers) =>
        SyntaxFactory.TokenList(modifiers.Where(m => !m.IsKind(SyntaxKind.RequiredKeyword) && !m.IsKind(SyntaxKind.ReadOnlyKeyword)));
}
