using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>FMT124: makes the generator create code in the type whose private member takes part; FMT125: gives a member a private setter.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AccessFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.OutOfReach.Id, Descriptors.CannotSet.Id);

    private protected override string Title => "Let the contract reach the member";

    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        if (edit.Model.GetDeclaredSymbol(node, edit.Cancellation) is not { ContainingType: INamedTypeSymbol type } member
            || node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not TypeDeclarationSyntax declaration)
            return false;
        return diagnostic.Id == Descriptors.OutOfReach.Id ? AddContract(edit, declaration, type, member) : AddSetter(edit, node, member);
    }

    // Members that even code in the type cannot access are kept: explicit implementations, init of base classes, members of generic types. A public
    // member is reported for its type, which belongs to another assembly.
    private static bool AddContract(Edit edit, TypeDeclarationSyntax declaration, INamedTypeSymbol type, ISymbol member)
    {
        bool isGeneric = type.IsGenericType || type.ContainingType is { IsGenericType: true };
        bool isOutOfReach = member is IPropertySymbol { ExplicitInterfaceImplementations.IsEmpty: false }
            or IPropertySymbol { SetMethod.IsInitOnly: true } || IsPublic(member);
        if (isGeneric || isOutOfReach || type.HasAttribute(Symbols.ContractAttribute))
            return false;
        edit.AddAttribute(declaration, Symbols.ContractAttribute);
        AddPartialFix.AddPartial(edit, declaration);
        return true;
    }

    private static bool IsPublic(ISymbol member) => member.DeclaredAccessibility == Accessibility.Public
        && member is not (IPropertySymbol { GetMethod: { DeclaredAccessibility: not Accessibility.Public } }
            or IPropertySymbol { SetMethod: { DeclaredAccessibility: not Accessibility.Public } });

    private static bool AddSetter(Edit edit, SyntaxNode node, ISymbol member)
    {
        // A static member is not part of the contract, with or without a setter; members of a readonly struct are kept.
        if (member.IsStatic || member.ContainingType.IsReadOnly)
            return false;
        if (Edit.DeclarationAt(node) is FieldDeclarationSyntax { Declaration.Variables.Count: 1 } field
            && member is IFieldSymbol { IsReadOnly: true })
        {
            edit.Editor.ReplaceNode(field, Edit.WithoutModifier(field, SyntaxKind.ReadOnlyKeyword));
            return true;
        }

        // A property with code has no value to set.
        if (Edit.DeclarationAt(node) is not PropertyDeclarationSyntax { AccessorList: { Accessors.Count: 1 } accessors } property
            || accessors.Accessors[0] is not { Body: null, ExpressionBody: null } getter || !getter.IsKind(SyntaxKind.GetAccessorDeclaration)
            || member.ContainingType is { TypeKind: TypeKind.Interface } || member.IsAbstract)
            return false;
        AccessorDeclarationSyntax setter = SyntaxFactory.AccessorDeclaration(SyntaxKind.SetAccessorDeclaration)
            .WithSemicolonToken(SyntaxFactory.Token(SyntaxKind.SemicolonToken));
        if (member.DeclaredAccessibility != Accessibility.Private)
            setter = setter.WithModifiers(SyntaxFactory.TokenList(
                SyntaxFactory.Token(SyntaxKind.PrivateKeyword).WithTrailingTrivia(SyntaxFactory.Space)));
        edit.Editor.ReplaceNode(property, Edit.WithoutModifier(
            property.WithAccessorList(accessors.AddAccessors(setter.WithTrailingTrivia(SyntaxFactory.Space))), SyntaxKind.ReadOnlyKeyword));
        return true;
    }
}
