using System.Collections.Generic;
using System.Collections.Immutable;
using System.Composition;
using System.Globalization;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>FMT118: gives a member whose name in bodies is a duplicate its own name: the one in the source, if it is unused.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class MemberNameFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.NameTwice.Id);

    private protected override string Title => "Give the member a name of its own (Name)";

    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        if (Edit.DeclarationAt(node) is not SyntaxNode declaration
            || node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not TypeDeclarationSyntax owner
            || edit.Model.GetDeclaredSymbol(owner, edit.Cancellation) is not INamedTypeSymbol type || NameOf(declaration, node) is not string member)
            return false;

        HashSet<string> taken = edit.Shared(typeof(MemberNameFix), type, () => TakenIn(type));
        string unique = member;
        for (int i = 2; !taken.Add(unique); i++)
            unique = member + i.ToString(CultureInfo.InvariantCulture);

        AttributeSyntax? own = declaration.DescendantNodes().OfType<AttributeSyntax>()
            .FirstOrDefault(a => edit.Model.GetTypeInfo(a, edit.Cancellation).Type?.FullName() == Symbols.MemberAttribute);
        if (own is not null)
        {
            edit.Editor.ReplaceNode(own, Edit.WithName(own, unique));
            return true;
        }

        if (edit.NewAttribute(Symbols.MemberAttribute) is not AttributeSyntax attribute)
            return false;
        edit.Editor.ReplaceNode(declaration, (current, _) => Edit.WithAttribute(current, declaration, Edit.WithName(attribute, unique)));
        return true;
    }

    private static string? NameOf(SyntaxNode declaration, SyntaxNode node) => declaration switch
    {
        PropertyDeclarationSyntax property => property.Identifier.ValueText,
        ParameterSyntax parameter => parameter.Identifier.ValueText,
        FieldDeclarationSyntax { Declaration.Variables.Count: 1 } field => field.Declaration.Variables[0].Identifier.ValueText,
        _ => null,
    };

    /// <summary>Returns the names in bodies of all members except those whose attribute duplicates the name of another member.</summary>
    private static HashSet<string> TakenIn(INamedTypeSymbol type)
    {
        var taken = new HashSet<string>();
        for (INamedTypeSymbol? declaring = type; declaring is not null; declaring = declaring.BaseType)
        {
            foreach (ISymbol member in declaring.GetMembers().Where(m => m is IFieldSymbol { IsImplicitlyDeclared: false } or IPropertySymbol))
                taken.Add(PackedMark.Of(Member.Of(member), null).Name ?? member.Name);
        }

        return taken;
    }
}
