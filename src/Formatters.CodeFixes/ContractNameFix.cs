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

/// <summary>FMT004: gives a contract of a context an unused name, prefixed with its namespace if necessary.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class ContractNameFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.NameTaken.Id);

    private protected override string Title => "Give the contract a name of its own (Name)";

    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        if (node.FirstAncestorOrSelf<AttributeSyntax>() is not AttributeSyntax attribute
            || node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not TypeDeclarationSyntax declaration
            || edit.Model.GetDeclaredSymbol(declaration, edit.Cancellation) is not INamedTypeSymbol context)
            return false;
        HashSet<string> taken = edit.Shared(typeof(ContractNameFix), context, () => TakenIn(context));
        AttributeData? data = context.GetAttributes().FirstOrDefault(
            a => a.ApplicationSyntaxReference?.Span == attribute.Span && a.ApplicationSyntaxReference.SyntaxTree == attribute.SyntaxTree);
        if (data?.ConstructorArguments.FirstOrDefault().Value is not ITypeSymbol type)
            return false;
        string name = NameOf(type);
        if (taken.Contains(name) && type.ContainingNamespace is { IsGlobalNamespace: false } space)
            name = space.Name + name;
        string unique = name;
        for (int i = 2; !taken.Add(unique); i++)
            unique = name + i.ToString(System.Globalization.CultureInfo.InvariantCulture);
        edit.Editor.ReplaceNode(attribute, Edit.WithName(attribute, unique));
        return true;
    }

    private static HashSet<string> TakenIn(INamedTypeSymbol context)
    {
        var taken = new HashSet<string>(context.MemberNames);
        foreach (AttributeData attribute in context.GetAttributes().Where(a => a.AttributeClass?.FullName() == Symbols.ContractForAttribute))
        {
            if (attribute.ConstructorArguments.FirstOrDefault().Value is ITypeSymbol type)
                taken.Add(attribute.NamedArgument("Name") as string ?? NameOf(type));
        }

        return taken;
    }

    private static string NameOf(ITypeSymbol type)
    {
        var name = new System.Text.StringBuilder();
        ShapeParser.Append(name, type);
        return name.ToString();
    }
}
