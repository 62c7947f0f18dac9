using System.Collections.Generic;
using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>
/// FMT128: makes the class a union of its derived classes, with tags from 1. Not offered if objects of the class itself are created.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class DerivedUnionFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.Derived.Id);

    private protected override string Title => "Declare a union of the derived classes ([MessageUnion])";

    private protected override async Task<bool> FixAsync(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        if (AllowDerivedFix.DeclaredClass(edit, diagnostic) is not { IsGenericType: false } type
            || await edit.OpenAsync(type).ConfigureAwait(false) is not (Edit other, TypeDeclarationSyntax declaration))
            return false;
        List<INamedTypeSymbol> derived = ShapeParser.DerivedFrom(type, edit.Model.Compilation);
        // An attribute must be able to name the types, which needs access and their type arguments.
        if (derived.Exists(d => d.IsGenericType || !edit.Model.Compilation.IsSymbolAccessibleWithin(d, type))
            || !UnionFix.MakeAbstract(other, declaration, type))
            return false;
        if (!other.IsFirst(declaration, Symbols.UnionAttribute))
            return true;
        for (int i = 0; i < derived.Count; i++)
        {
            SyntaxNode[] arguments = [other.Editor.Generator.LiteralExpression(i + 1),
                other.Editor.Generator.TypeOfExpression(other.Editor.Generator.TypeExpression(derived[i]))];
            if (other.NewAttribute(Symbols.UnionAttribute, arguments) is not AttributeSyntax attribute)
                return false;
            other.Editor.ReplaceNode(declaration, (current, _) => Edit.WithAttribute(current, declaration, attribute));
        }

        return true;
    }
}
