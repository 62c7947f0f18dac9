using System.Collections.Immutable;
using System.Composition;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>FMT103: declares a member nullable, so that a contract that contains itself can end.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class NullableMemberFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.Endless.Id);

    private protected override string Title => "Declare the member nullable";

    // A member of a struct that contains itself cannot be nullable either: the compiler rejects that.
    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        TypeSyntax? type = Edit.DeclarationAt(node) switch
        {
            PropertyDeclarationSyntax property => property.Type,
            FieldDeclarationSyntax field => field.Declaration.Type,
            ParameterSyntax parameter => parameter.Type,
            _ => null,
        };
        bool hasAnnotations = type is not null && (edit.Model.GetNullableContext(type.SpanStart) & NullableContext.AnnotationsEnabled) != 0;
        if (!hasAnnotations || type is NullableTypeSyntax || edit.Model.GetTypeInfo(type!, edit.Cancellation).Type is not { IsReferenceType: true })
            return false;
        if (edit.IsFirst(type!, "?"))
            edit.Editor.ReplaceNode(type!, SyntaxFactory.NullableType(type!.WithoutTrivia()).WithTriviaFrom(type!));
        return true;
    }
}
