using System.Collections.Generic;
using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>
/// FMT120: makes a union abstract; FMT121: derives a listed type from it; FMT122: assigns unused tags; FMT123: lets a type store unknown tags.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class UnionFix : EditingCodeFix
{
    private const string UnknownCase = "IUnknownCase";

    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(
        Descriptors.NoUnion.Id, Descriptors.NotInUnion.Id, Descriptors.UnionTag.Id, Descriptors.UnknownCase.Id);

    private protected override string Title => "Correct the union ([MessageUnion])";

    private protected override async Task<bool> FixAsync(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        if (node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not TypeDeclarationSyntax declaration
            || edit.Model.GetDeclaredSymbol(declaration, edit.Cancellation) is not INamedTypeSymbol union)
            return false;
        if (diagnostic.Id == Descriptors.NoUnion.Id)
            return MakeAbstract(edit, declaration, union);
        if (node.FirstAncestorOrSelf<AttributeSyntax>() is not AttributeSyntax attribute || ListedIn(attribute, union) is not INamedTypeSymbol listed)
            return false;
        if (diagnostic.Id == Descriptors.UnionTag.Id)
            return GiveTag(edit, declaration, attribute, union, listed);
        if (await edit.OpenAsync(listed).ConfigureAwait(false) is not (Edit other, TypeDeclarationSyntax type))
            return false;
        return diagnostic.Id == Descriptors.NotInUnion.Id ? Derive(other, type, listed, union) : KeepUnknown(other, type, listed);
    }

    // Not if objects of it are created: they would need a case of their own.
    internal static bool MakeAbstract(Edit edit, TypeDeclarationSyntax declaration, INamedTypeSymbol union)
    {
        if (declaration is not (ClassDeclarationSyntax or RecordDeclarationSyntax) || union.IsValueType || union.IsSealed || union.IsStatic
            || IsMade(edit, union))
            return false;
        if (edit.IsFirst(declaration, "abstract"))
            edit.Editor.ReplaceNode(declaration, (current, generator) =>
                generator.WithModifiers(current, generator.GetModifiers(current).WithIsAbstract(true)));
        return true;
    }

    private static bool IsMade(Edit edit, INamedTypeSymbol type)
    {
        foreach (SyntaxTree tree in edit.Model.Compilation.SyntaxTrees)
        {
            SemanticModel? model = null;
            foreach (BaseObjectCreationExpressionSyntax creation in tree.GetRoot(edit.Cancellation).DescendantNodes()
                .OfType<BaseObjectCreationExpressionSyntax>())
            {
                model ??= edit.Model.Compilation.GetSemanticModel(tree);
                if (SymbolEqualityComparer.Default.Equals(model.GetTypeInfo(creation, edit.Cancellation).Type, type))
                    return true;
            }

            foreach (ExpressionSyntax user in tree.GetRoot(edit.Cancellation).DescendantNodes().OfType<ExpressionSyntax>()
                .Where(e => e is GenericNameSyntax or InvocationExpressionSyntax))
            {
                model ??= edit.Model.Compilation.GetSemanticModel(tree);
                if (IsMadeBy(model.GetSymbolInfo(user, edit.Cancellation).Symbol, type))
                    return true;
            }
        }

        return false;
    }

    /// <summary>Determines whether a generic type or method requires a constructor of a type argument.</summary>
    private static bool IsMadeBy(ISymbol? user, INamedTypeSymbol type)
    {
        (IEnumerable<ITypeParameterSymbol> parameters, IEnumerable<ITypeSymbol> arguments) = user switch
        {
            IMethodSymbol method => (method.TypeParameters, method.TypeArguments),
            INamedTypeSymbol named => (named.TypeParameters, named.TypeArguments),
            _ => (Enumerable.Empty<ITypeParameterSymbol>(), Enumerable.Empty<ITypeSymbol>()),
        };
        return parameters.Zip(arguments, (p, a) => p.HasConstructorConstraint && SymbolEqualityComparer.Default.Equals(a, type))
            .Any(isMade => isMade);
    }

    private static bool GiveTag(Edit edit, TypeDeclarationSyntax declaration, AttributeSyntax attribute, INamedTypeSymbol union,
        INamedTypeSymbol listed)
    {
        AttributeData[] all = [.. union.GetAttributes().Where(a => a.AttributeClass?.FullName() == Symbols.UnionAttribute)];
        HashSet<int> taken = edit.Shared(typeof(UnionFix), union, () => new HashSet<int>(all.Select(TagOf).OfType<int>().Where(t => t >= 0)));
        bool isListedBefore = all.TakeWhile(a => !IsAt(a, attribute))
            .Any(a => SymbolEqualityComparer.Default.Equals(a.ConstructorArguments.LastOrDefault().Value as ISymbol, listed));
        if (!edit.IsFirst(attribute, "tag"))
            return true;
        if (isListedBefore)
        {
            edit.RemoveAttribute(attribute);
            return true;
        }

        if (attribute.ArgumentList!.Arguments.Count < 2)
            return false;
        AttributeArgumentSyntax argument = attribute.ArgumentList.Arguments.FirstOrDefault(a => a.NameColon?.Name.Identifier.ValueText == "tag")
            ?? attribute.ArgumentList.Arguments[0];
        int tag = taken.Count == 0 ? 1 : taken.Max() is int max and < int.MaxValue ? max + 1 : FirstFree(taken);
        taken.Add(tag);
        edit.Editor.ReplaceNode(argument.Expression, edit.Editor.Generator.LiteralExpression(tag));
        return true;

        static int FirstFree(HashSet<int> taken)
        {
            int tag = 1;
            while (taken.Contains(tag))
                tag++;
            return tag;
        }
    }

    /// <summary>Declares that a type belongs to the union, if that is an interface or the type has no other base class.</summary>
    private static bool Derive(Edit edit, TypeDeclarationSyntax declaration, INamedTypeSymbol listed, INamedTypeSymbol union)
    {
        bool isInterface = union.TypeKind == TypeKind.Interface;
        // The compiler implements the members of a record.
        bool isPossible = !listed.IsAbstract && !listed.IsStatic && !listed.IsGenericType && union.GetMembers()
            .All(m => !m.IsAbstract || m.IsImplicitlyDeclared)
            && (isInterface || listed is { TypeKind: TypeKind.Class, BaseType.SpecialType: SpecialType.System_Object }
                && listed.IsRecord == union.IsRecord && !Edit.IsDerived(union, listed)
                && union.InstanceConstructors.Any(c => c.Parameters.IsEmpty && c.DeclaredAccessibility != Accessibility.Private));
        if (!isPossible)
            return false;
        string name = union.ToMinimalDisplayString(edit.Model, declaration.SpanStart);
        if (!edit.IsFirst(declaration, "base " + name))
            return true;
        // There is one base class, and any number of interfaces.
        if (!isInterface && !edit.IsFirst(declaration, "base"))
            return false;
        AddBase(edit, declaration, name, isInterface);
        return true;
    }

    private static bool KeepUnknown(Edit edit, TypeDeclarationSyntax declaration, INamedTypeSymbol listed)
    {
        if (listed.TypeKind != TypeKind.Class || listed.IsRecord || !Construction.IsMadeByNew(listed)
            || listed.Implements("Formatters." + UnknownCase)
            || listed.GetMembers().Any(static member => member.Name is "Tag" or "Body" or "BodyType"))
            return false;
        if (!edit.IsFirst(declaration, UnknownCase))
            return true;
        if (edit.Model.Compilation.GetTypeByMetadataName("Formatters." + UnknownCase) is INamedTypeSymbol unknownCase)
            edit.Import(unknownCase);
        string memory = edit.Model.LookupNamespacesAndTypes(declaration.SpanStart, name: "ReadOnlyMemory").IsEmpty
            ? "System.ReadOnlyMemory"
            : "ReadOnlyMemory";
        MemberDeclarationSyntax[] members =
        [
            Parse("public int Tag { get; set; }"), Parse($"public {memory}<byte> Body {{ get; set; }}"), Parse("public int BodyType { get; set; }"),
        ];
        edit.Editor.ReplaceNode(declaration, (current, generator) => generator.AddMembers(
            WithBase((TypeDeclarationSyntax)current, UnknownCase, isLast: true),
                members.Select(m => m.WithAdditionalAnnotations(Microsoft.CodeAnalysis.Formatting.Formatter.Annotation))));
        return true;

        static MemberDeclarationSyntax Parse(string text) => SyntaxFactory.ParseMemberDeclaration(text)!;
    }

    private static void AddBase(Edit edit, TypeDeclarationSyntax declaration, string name, bool isLast) =>
        edit.Editor.ReplaceNode(declaration, (current, _) => WithBase((TypeDeclarationSyntax)current, name, isLast));

    private static TypeDeclarationSyntax WithBase(TypeDeclarationSyntax declaration, string name, bool isLast)
    {
        BaseTypeSyntax added = SyntaxFactory.SimpleBaseType(SyntaxFactory.ParseTypeName(name));
        SyntaxToken comma = SyntaxFactory.Token(SyntaxKind.CommaToken).WithTrailingTrivia(SyntaxFactory.Space);
        SyntaxToken colon = SyntaxFactory.Token(SyntaxKind.ColonToken).WithLeadingTrivia(SyntaxFactory.Space).WithTrailingTrivia(SyntaxFactory.Space);
        if (declaration.BaseList is BaseListSyntax old)
        {
            SyntaxTriviaList behind = old.GetTrailingTrivia();
            IEnumerable<BaseTypeSyntax> types = isLast ? old.Types.Append(added) : old.Types.Prepend(added);
            return declaration.WithBaseList(old.WithTypes(SyntaxFactory.SeparatedList(
                types.Select(t => t.WithoutTrivia()), Enumerable.Repeat(comma, old.Types.Count))).WithTrailingTrivia(behind));
        }

        // The line break after the name moves after the base class.
        SyntaxToken last = declaration.ParameterList?.GetLastToken() ?? declaration.TypeParameterList?.GetLastToken() ?? declaration.Identifier;
        SyntaxTriviaList trailing = last.TrailingTrivia;
        declaration = declaration.ReplaceToken(last, last.WithTrailingTrivia());
        return declaration.WithBaseList(SyntaxFactory.BaseList(colon, SyntaxFactory.SingletonSeparatedList(added)).WithTrailingTrivia(trailing));
    }

    private static INamedTypeSymbol? ListedIn(AttributeSyntax attribute, INamedTypeSymbol union) =>
        union.GetAttributes().FirstOrDefault(a => IsAt(a, attribute))?.ConstructorArguments.LastOrDefault().Value as INamedTypeSymbol;

    private static bool IsAt(AttributeData data, AttributeSyntax attribute) =>
        data.ApplicationSyntaxReference is SyntaxReference reference && reference.SyntaxTree == attribute.SyntaxTree
        && reference.Span == attribute.Span;

    private static int? TagOf(AttributeData attribute) => attribute.ConstructorArguments.FirstOrDefault().Value as int?;
}
