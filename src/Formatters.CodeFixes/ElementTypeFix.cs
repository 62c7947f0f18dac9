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

/// <summary>FMT105: declares the element type of an <c>ArrayList</c>, if the project puts one type into it and takes one out; removes the declaration from what is none.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class ElementTypeFix : EditingCodeFix
{
    private const string Attribute = "Formatters.ElementTypeAttribute";

    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.ElementType.Id);

    private protected override string Title => "Correct the declaration of the element type ([ElementType])";

    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        if (Edit.DeclarationAt(node) is not MemberDeclarationSyntax declaration)
            return false;
        ISymbol? member = edit.Model.GetDeclaredSymbol(node, edit.Cancellation);
        ITypeSymbol? type = member switch
        {
            IFieldSymbol field => field.Type,
            IPropertySymbol property => property.Type,
            _ => null,
        };
        AttributeData? declared = member?.GetAttributes().FirstOrDefault(a => a.AttributeClass?.FullName() == Attribute);
        if (type is null)
            return false;
        if (!HoldsObjects(type))
            return Remove(edit, declared);
        if (type.FullName() != "System.Collections.ArrayList")
            return false;
        return declared is null && ElementTypeOf(edit, member!) is ITypeSymbol element
            && edit.AddAttribute(declaration, Attribute, edit.Editor.Generator.TypeOfExpression(edit.Editor.Generator.TypeExpression(element, addImport: true)));
    }

    /// <summary>Whether it is a collection of objects, or one lies in it: an error, with a declaration or without.</summary>
    private static bool HoldsObjects(ITypeSymbol type) => KnownTypes.ObjectLists.Contains(type.FullName()) || KnownTypes.ObjectDictionaries.Contains(type.FullName())
        || type is IArrayTypeSymbol array && HoldsObjects(array.ElementType) || type is INamedTypeSymbol named && named.TypeArguments.Any(HoldsObjects);

    private static bool Remove(Edit edit, AttributeData? declared)
    {
        if (declared?.ApplicationSyntaxReference?.GetSyntax(edit.Cancellation) is not AttributeSyntax attribute)
            return false;
        // Fields of one declaration share it.
        if (edit.IsFirst(attribute, nameof(ElementTypeFix)))
            edit.RemoveAttribute(attribute);
        return true;
    }

    /// <summary>The one type of what is added to the list, and of what its elements are cast to.</summary>
    private static ITypeSymbol? ElementTypeOf(Edit edit, ISymbol member)
    {
        var types = new HashSet<ITypeSymbol>(SymbolEqualityComparer.Default);
        foreach (SyntaxTree tree in edit.Model.Compilation.SyntaxTrees)
        {
            SemanticModel? model = null;
            foreach (SimpleNameSyntax name in tree.GetRoot(edit.Cancellation).DescendantNodes().OfType<SimpleNameSyntax>().Where(n => n.Identifier.ValueText == member.Name))
            {
                model ??= edit.Model.Compilation.GetSemanticModel(tree);
                if (!SymbolEqualityComparer.Default.Equals(model.GetSymbolInfo(name, edit.Cancellation).Symbol, member))
                    continue;
                ExpressionSyntax list = name.Parent is MemberAccessExpressionSyntax access && access.Name == name ? access : name;
                ITypeSymbol? type = list.Parent switch
                {
                    MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Add", Parent: InvocationExpressionSyntax { ArgumentList.Arguments: { Count: 1 } arguments } } =>
                        model.GetTypeInfo(arguments[0].Expression, edit.Cancellation).Type,
                    ForEachStatementSyntax { Type.IsVar: false } loop => model.GetTypeInfo(loop.Type, edit.Cancellation).Type,
                    ElementAccessExpressionSyntax { Parent: CastExpressionSyntax cast } => model.GetTypeInfo(cast.Type, edit.Cancellation).Type,
                    _ => null,
                };
                if (type is { SpecialType: not SpecialType.System_Object })
                    types.Add(type.WithNullableAnnotation(NullableAnnotation.None));
            }
        }

        return types.Count == 1 ? types.Single() : null;
    }
}
