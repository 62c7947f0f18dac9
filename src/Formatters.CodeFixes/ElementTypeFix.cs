using System.Collections.Generic;
using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Formatters.CodeFixes;

/// <summary>
/// FMT105: declares the element type of an <c>ArrayList</c>, if the project adds and reads elements of a single type; removes the declaration from
/// other members.
/// </summary>
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
        return declared is null && ElementTypeOf(edit, member!, type) is ITypeSymbol element
            && edit.AddAttribute(declaration, Attribute,
                edit.Editor.Generator.TypeOfExpression(edit.Editor.Generator.TypeExpression(element, addImport: true)));
    }

    /// <summary>Determines whether it is a collection of objects, or contains one: an error, with or without a declaration.</summary>
    private static bool HoldsObjects(ITypeSymbol type) => KnownCollections.IsOfObjects(type.FullName())
        || type is IArrayTypeSymbol array && HoldsObjects(array.ElementType)
        || type is INamedTypeSymbol named && named.TypeArguments.Any(HoldsObjects);

    private static bool Remove(Edit edit, AttributeData? declared)
    {
        if (declared?.ApplicationSyntaxReference?.GetSyntax(edit.Cancellation) is not AttributeSyntax attribute)
            return false;
        // Fields of one declaration share it.
        if (edit.IsFirst(attribute, nameof(ElementTypeFix)))
            edit.RemoveAttribute(attribute);
        return true;
    }

    /// <summary>Returns the single type of the elements that are added to the list, and to which its elements are cast.</summary>
    /// <returns>Null if there are several, or one that an attribute cannot name, or the added values are unknown.</returns>
    private static ITypeSymbol? ElementTypeOf(Edit edit, ISymbol member, ITypeSymbol listType)
    {
        var types = new HashSet<ITypeSymbol?>(SymbolEqualityComparer.Default);
        // The list may have aliases.
        var names = new List<ISymbol> { member };
        for (int i = 0; i < names.Count; i++)
        {
            foreach ((ExpressionSyntax use, SemanticModel model) in UsesOf(names[i], edit))
            {
                types.UnionWith(TypesAt(use, model));
                foreach (ISymbol name in NamesAt(use, model).OfType<ISymbol>())
                {
                    if (MayBe(name) && !names.Contains(name, SymbolEqualityComparer.Default))
                        names.Add(name);
                }
            }
        }

        types.RemoveWhere(t => t is { SpecialType: SpecialType.System_Object, TypeKind: not TypeKind.Dynamic });
        return types.Count == 1 && types.Single() is ITypeSymbol type && HasName(type) ? type.WithNullableAnnotation(NullableAnnotation.None) : null;

        bool MayBe(ISymbol name) => !name.DeclaringSyntaxReferences.IsEmpty && name switch
        {
            ILocalSymbol local => local.Type,
            IParameterSymbol parameter => parameter.Type,
            IFieldSymbol field => field.Type,
            IPropertySymbol property => property.Type,
            _ => null,
        } is ITypeSymbol of && edit.Model.Compilation.ClassifyConversion(listType, of).IsImplicit;
    }

    /// <summary>Finds the uses of a list, and the initial value of its declaration.</summary>
    private static IEnumerable<(ExpressionSyntax Use, SemanticModel Model)> UsesOf(ISymbol list, Edit edit)
    {
        foreach (SyntaxTree tree in edit.Model.Compilation.SyntaxTrees)
        {
            SemanticModel? model = null;
            foreach (SimpleNameSyntax name in tree.GetRoot(edit.Cancellation).DescendantNodes().OfType<SimpleNameSyntax>()
                .Where(n => n.Identifier.ValueText == list.Name))
            {
                model ??= edit.Model.Compilation.GetSemanticModel(tree);
                if (SymbolEqualityComparer.Default.Equals(model.GetSymbolInfo(name, edit.Cancellation).Symbol, list))
                    yield return (WithConversions(name.Parent is MemberAccessExpressionSyntax access && access.Name == name ? access : name), model);
            }
        }

        foreach (SyntaxNode declaration in list.DeclaringSyntaxReferences.Select(r => r.GetSyntax(edit.Cancellation)))
        {
            if ((declaration is VariableDeclaratorSyntax variable
                ? variable.Initializer
                : (declaration as PropertyDeclarationSyntax)?.Initializer)?.Value is ExpressionSyntax value)
                yield return (value, edit.Model.Compilation.GetSemanticModel(declaration.SyntaxTree));
        }

        static ExpressionSyntax WithConversions(ExpressionSyntax use) => use.Parent is ParenthesizedExpressionSyntax or CastExpressionSyntax
            or BinaryExpressionSyntax { RawKind: (int)SyntaxKind.AsExpression } or PostfixUnaryExpressionSyntax
            ? WithConversions((ExpressionSyntax)use.Parent) : use;
    }

    /// <summary>
    /// Finds the aliases of a list from one of its uses: the locals, parameters, fields and properties assigned to or from it, or to which it is
    /// passed.
    /// </summary>
    private static IEnumerable<ISymbol?> NamesAt(ExpressionSyntax list, SemanticModel model) => list.Parent switch
    {
        EqualsValueClauseSyntax { Parent: SyntaxNode declaration } => [model.GetDeclaredSymbol(declaration), model.GetSymbolInfo(list).Symbol],
        AssignmentExpressionSyntax assignment => [model.GetSymbolInfo(assignment.Left == list ? assignment.Right : assignment.Left).Symbol],
        ArgumentSyntax argument => [(model.GetOperation(argument) as IArgumentOperation)?.Parameter],
        _ => [],
    };

    /// <summary>Returns the element types that one use of a list reveals, with null for unknown ones.</summary>
    private static IEnumerable<ITypeSymbol?> TypesAt(ExpressionSyntax list, SemanticModel model)
    {
        switch (list.Parent)
        {
            case MemberAccessExpressionSyntax { Parent: InvocationExpressionSyntax call } access when access.Expression == list:
                return TypesPut(access.Name, call.ArgumentList.Arguments, model);
            case ConditionalAccessExpressionSyntax
            {
                WhenNotNull: InvocationExpressionSyntax { Expression: MemberBindingExpressionSyntax binding } call
            } access when access.Expression == list:
                return TypesPut(binding.Name, call.ArgumentList.Arguments, model);
            case ForEachStatementSyntax { Type.IsVar: false } loop when loop.Expression == list:
                return [model.GetTypeInfo(loop.Type).Type];
            case ElementAccessExpressionSyntax { Parent: CastExpressionSyntax cast }:
                return [model.GetTypeInfo(cast.Type).Type];
            case ElementAccessExpressionSyntax { Parent: AssignmentExpressionSyntax assignment } access when assignment.Left == access:
                return TypeOf(assignment.Right, model);
            case AssignmentExpressionSyntax assignment when assignment.Left == list:
                return TypesIn(assignment.Right, model);
            case EqualsValueClauseSyntax:
                return TypesIn(list, model);
            default:
                return [];
        }
    }

    /// <summary>Returns the types of the elements that a method of the list adds.</summary>
    private static IEnumerable<ITypeSymbol?> TypesPut(SimpleNameSyntax method, SeparatedSyntaxList<ArgumentSyntax> arguments, SemanticModel model) =>
        (method.Identifier.ValueText, arguments.Count) switch
    {
        ("Add", 1) => TypeOf(arguments[0].Expression, model),
        ("Insert", 2) => TypeOf(arguments[1].Expression, model),
        ("AddRange", 1) => [ElementOf(model.GetTypeInfo(arguments[0].Expression).Type)],
        ("InsertRange" or "SetRange", 2) => [ElementOf(model.GetTypeInfo(arguments[1].Expression).Type)],
        _ => [],
    };

    /// <summary>Returns the types of the elements that an expression passes to a new list, or adds in an initializer.</summary>
    private static IEnumerable<ITypeSymbol?> TypesIn(ExpressionSyntax value, SemanticModel model)
    {
        var creation = value as BaseObjectCreationExpressionSyntax;
        IEnumerable<ITypeSymbol?> types = (value as InitializerExpressionSyntax ?? creation?.Initializer)?.Expressions.SelectMany(
            e => TypeOf(e is AssignmentExpressionSyntax set ? set.Right : e, model)) ?? [];
        if (creation?.ArgumentList?.Arguments is { Count: 1 } arguments
            && model.GetTypeInfo(arguments[0].Expression).Type is { SpecialType: not SpecialType.System_Int32 } copied)
            types = types.Append(ElementOf(copied));
        return types;
    }

    /// <summary>Returns the type of an element; nothing for <see langword="null"/>.</summary>
    private static IEnumerable<ITypeSymbol?> TypeOf(ExpressionSyntax value, SemanticModel model) =>
        value.IsKind(SyntaxKind.NullLiteralExpression) ? [] : [model.GetTypeInfo(value).Type];

    private static ITypeSymbol? ElementOf(ITypeSymbol? collection) => collection is IArrayTypeSymbol array
        ? array.ElementType
        : collection?.AllInterfaces.Prepend(collection).OfType<INamedTypeSymbol>()
        .FirstOrDefault(i => i.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_IEnumerable_T)?.TypeArguments[0];

    /// <summary>Determines whether <c>typeof</c> in an attribute can name a type.</summary>
    private static bool HasName(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => HasName(array.ElementType),
        INamedTypeSymbol named => named is { IsAnonymousType: false, TypeKind: not (TypeKind.Error or TypeKind.Dynamic) }
            && named.TypeArguments.All(HasName) && (named.ContainingType is null || HasName(named.ContainingType)),
        _ => false,
    };
}
