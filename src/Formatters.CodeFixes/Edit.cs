using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Formatting;
using Microsoft.CodeAnalysis.Text;

namespace Formatters.CodeFixes;

/// <summary>The edits of a solution, by document.</summary>
internal sealed class Edits(Solution solution, CancellationToken cancellationToken)
{
    private readonly Dictionary<DocumentId, Edit> _edits = [];
    private readonly Dictionary<object, object> _shared = [];

    /// <summary>Returns data shared by several fixes: of the whole solution, or of one compilation.</summary>
    internal T Shared<T>(object key, Func<T> make)
        where T : class
    {
        if (!_shared.TryGetValue(key, out object? value))
            _shared.Add(key, value = make());
        return (T)value;
    }

    /// <summary>Returns data shared by the fixes of one kind for one type, in any of its parts.</summary>
    internal T Shared<T>(Type fix, ISymbol symbol, Func<T> make)
        where T : class
    {
        Dictionary<ISymbol, T> bySymbol = Shared(fix, () => new Dictionary<ISymbol, T>(SymbolEqualityComparer.Default));
        if (!bySymbol.TryGetValue(symbol, out T? value))
            bySymbol.Add(symbol, value = make());
        return value;
    }

    /// <returns>Null if the tree is of no document: generated code.</returns>
    internal async Task<Edit?> OpenAsync(SyntaxTree tree)
    {
        if (solution.GetDocument(tree) is not Document document)
            return null;
        if (_edits.TryGetValue(document.Id, out Edit? edit))
            return edit;
        SyntaxNode? root = await document.GetSyntaxRootAsync(cancellationToken).ConfigureAwait(false);
        SemanticModel? model = await document.GetSemanticModelAsync(cancellationToken).ConfigureAwait(false);
        if (root is null || model is null)
            return null;
        return _edits[document.Id] = new Edit(this, new SyntaxEditor(root, solution.Services), model, cancellationToken);
    }

    internal Solution Apply()
    {
        Solution changed = solution;
        foreach (KeyValuePair<DocumentId, Edit> edit in _edits)
        {
            if (edit.Value.IsChanged)
                changed = changed.WithDocumentSyntaxRoot(edit.Key, edit.Value.ChangedRoot());
        }

        return changed;
    }
}

/// <summary>The edits of one document.</summary>
internal sealed class Edit(Edits all, SyntaxEditor editor, SemanticModel model, CancellationToken cancellationToken)
{
    private readonly HashSet<(SyntaxNode, string)> _done = [];
    private readonly SortedSet<string> _imports = new(StringComparer.Ordinal);

    internal bool IsChanged => Editor.GetChangedRoot() != Editor.OriginalRoot;

    /// <summary>Opens the declaration of a type that can be changed, with the edits of its document.</summary>
    internal async Task<(Edit Edit, TypeDeclarationSyntax Declaration)?> OpenAsync(ITypeSymbol type)
    {
        foreach (SyntaxReference reference in type.DeclaringSyntaxReferences)
        {
            if (await reference.GetSyntaxAsync(Cancellation).ConfigureAwait(false) is TypeDeclarationSyntax declaration
                && await all.OpenAsync(declaration.SyntaxTree).ConfigureAwait(false) is Edit edit)
                return (edit, declaration);
        }

        return null;
    }

    /// <summary>Opens the edits of another document.</summary>
    internal Task<Edit?> OpenAsync(SyntaxTree tree) => all.OpenAsync(tree);

    internal SyntaxEditor Editor { get; } = editor;

    internal SemanticModel Model { get; } = model;

    internal CancellationToken Cancellation { get; } = cancellationToken;

    /// <summary>Determines whether an edit is requested for the first time: several diagnostics may request the same.</summary>
    internal bool IsFirst(SyntaxNode node, string what) => _done.Add((node, what));

    internal SyntaxNode ChangedRoot()
    {
        var root = (CompilationUnitSyntax)Editor.GetChangedRoot();
        string newLine = Model.SyntaxTree.GetText().ToString().Contains("\r\n") ? "\r\n" : "\n";
        return root.WithUsings(root.Usings.AddRange(_imports.Select(name =>
            SyntaxFactory.UsingDirective(SyntaxFactory.ParseName(name)).NormalizeWhitespace().WithTrailingTrivia(SyntaxFactory.EndOfLine(newLine)))));
    }

    /// <inheritdoc cref="Edits.Shared{T}(object, Func{T})"/>
    internal T Shared<T>(object key, Func<T> make)
        where T : class => all.Shared(key, make);

    /// <inheritdoc cref="Edits.Shared{T}(Type, ISymbol, Func{T})"/>
    internal T Shared<T>(Type fix, ISymbol symbol, Func<T> make)
        where T : class => all.Shared(fix, symbol, make);

    /// <summary>Returns the types of the project that derive from a type.</summary>
    internal IEnumerable<INamedTypeSymbol> DerivedFrom(INamedTypeSymbol type) =>
        Shared(Model.Compilation, () => Model.Compilation.GetSymbolsWithName(_ => true, SymbolFilter.Type, Cancellation).OfType<INamedTypeSymbol>()
            .ToArray())
            .Where(t => IsDerived(t, type));

    internal static bool IsDerived(INamedTypeSymbol type, INamedTypeSymbol from)
    {
        for (INamedTypeSymbol? level = type.BaseType; level is not null; level = level.BaseType)
        {
            if (SymbolEqualityComparer.Default.Equals(level.OriginalDefinition, from.OriginalDefinition))
                return true;
        }

        return false;
    }

    /// <summary>Determines whether the project uses a method.</summary>
    internal bool IsReferenced(IMethodSymbol method)
    {
        foreach (SyntaxTree tree in Model.Compilation.SyntaxTrees)
        {
            SemanticModel? model = null;
            foreach (SimpleNameSyntax name in tree.GetRoot(Cancellation).DescendantNodes().OfType<SimpleNameSyntax>()
                .Where(n => n.Identifier.ValueText == method.Name))
            {
                model ??= Model.Compilation.GetSemanticModel(tree);
                if (SymbolEqualityComparer.Default.Equals(
                    model.GetSymbolInfo(name, Cancellation).Symbol?.OriginalDefinition, method.OriginalDefinition))
                    return true;
            }
        }

        return false;
    }

    /// <summary>Adds <c>[Attribute]</c> or <c>[Attribute(argument)]</c>, and the using directive that it needs.</summary>
    /// <returns>Whether the attribute exists.</returns>
    internal bool AddAttribute(SyntaxNode declaration, string metadataName, params SyntaxNode[] arguments)
    {
        if (NewAttribute(metadataName, arguments) is not AttributeSyntax attribute)
            return false;
        if (IsFirst(declaration, metadataName))
            Editor.ReplaceNode(declaration, (current, _) => WithAttribute(current, declaration, attribute));
        return true;
    }

    /// <summary>Adds the using directive that a type needs.</summary>
    internal void Import(INamedTypeSymbol type)
    {
        if (!Model.LookupNamespacesAndTypes(Editor.OriginalRoot.FullSpan.End, name: type.Name).Contains(type, SymbolEqualityComparer.Default))
            _imports.Add(type.ContainingNamespace.ToDisplayString());
    }

    internal AttributeSyntax? NewAttribute(string metadataName, params SyntaxNode[] arguments)
    {
        if (Model.Compilation.GetTypeByMetadataName(metadataName) is not INamedTypeSymbol type)
            return null;
        Import(type);
        SyntaxNode name = Editor.Generator.TypeExpression(type);
        var list = (AttributeListSyntax)Editor.Generator.Attribute(
            name, arguments.Length == 0 ? null : arguments.Select(a => a is AttributeArgumentSyntax ? a : Editor.Generator.AttributeArgument(a)));
        return list.Attributes[0].WithoutTrivia().WithAdditionalAnnotations(Formatter.Annotation);
    }

    /// <summary>Adds an attribute after the existing ones: on a line of its own if the declaration has one, otherwise on the same line.</summary>
    /// <param name="current">The declaration, with the edits so far.</param>
    /// <param name="original">The declaration in the document.</param>
    /// <param name="attribute">The attribute.</param>
    internal static SyntaxNode WithAttribute(SyntaxNode current, SyntaxNode original, AttributeSyntax attribute)
    {
        SyntaxList<AttributeListSyntax> lists = AttributeLists(current);
        SourceText text = original.SyntaxTree.GetText();
        // An earlier edit may have added the first.
        SyntaxList<AttributeListSyntax> inText = AttributeLists(original);
        int position = inText.Count > 0 ? inText[inText.Count - 1].Span.End : original.SpanStart;
        TextLine line = text.Lines.GetLineFromPosition(position);
        bool hasLine = inText.Count > 0
            ? string.IsNullOrWhiteSpace(text.ToString(TextSpan.FromBounds(position, line.End)))
            : string.IsNullOrWhiteSpace(text.ToString(TextSpan.FromBounds(line.Start, position)));
        SyntaxTriviaList indentation = Indentation(current);
        SyntaxTrivia behind = hasLine ? SyntaxFactory.EndOfLine(line.EndIncludingLineBreak - line.End == 2 ? "\r\n" : "\n") : SyntaxFactory.Space;
        AttributeListSyntax list = SyntaxFactory.AttributeList(SyntaxFactory.SingletonSeparatedList(attribute)).WithTrailingTrivia(behind);
        if (lists.Count > 0)
            return WithAttributeLists(current, lists.Add(hasLine ? list.WithLeadingTrivia(indentation) : list));
        list = list.WithLeadingTrivia(current.GetLeadingTrivia());
        current = hasLine ? current.WithLeadingTrivia(indentation) : current.WithoutLeadingTrivia();
        return WithAttributeLists(current, SyntaxFactory.SingletonList(list));
    }

    /// <summary>Removes an attribute, and its list with the last one; comments and directives around the list are kept.</summary>
    internal void RemoveAttribute(AttributeSyntax attribute)
    {
        var declaration = (MemberDeclarationSyntax)attribute.Parent!.Parent!;
        Editor.TrackNode(attribute);
        Editor.ReplaceNode(declaration, (current, _) =>
        {
            AttributeSyntax removed = current.GetCurrentNode(attribute)!;
            var list = (AttributeListSyntax)removed.Parent!;
            if (list.Attributes.Count == 1)
                return WithoutList((MemberDeclarationSyntax)current, list);
            bool hasComment = list.DescendantTrivia().Any(IsComment);
            return current.RemoveNode(removed, hasComment ? SyntaxRemoveOptions.KeepExteriorTrivia : SyntaxRemoveOptions.KeepUnbalancedDirectives)!;
        });
    }

    private static MemberDeclarationSyntax WithoutList(MemberDeclarationSyntax declaration, AttributeListSyntax list)
    {
        SyntaxTriviaList leading = list.GetLeadingTrivia(), trailing = list.GetTrailingTrivia();
        bool hasComment = HasComment(trailing);
        // A line that becomes empty is removed.
        if (!hasComment && trailing.Any(SyntaxKind.EndOfLineTrivia))
            leading = SyntaxFactory.TriviaList(leading.Take(leading.Count - Indentation(list).Count));
        SyntaxToken next = list.GetLastToken().GetNextToken();
        int index = declaration.AttributeLists.IndexOf(list);
        declaration = declaration.ReplaceToken(next,
            next.WithLeadingTrivia(leading.AddRange(hasComment ? trailing.SkipWhile(IsSpace) : []).AddRange(next.LeadingTrivia)));
        return declaration.WithAttributeLists(declaration.AttributeLists.RemoveAt(index));
    }

    /// <summary>Removes a modifier, and moves its leading trivia to the next token.</summary>
    internal static MemberDeclarationSyntax WithoutModifier(MemberDeclarationSyntax declaration, SyntaxKind kind)
    {
        int index = declaration.Modifiers.IndexOf(kind);
        if (index < 0)
            return declaration;
        SyntaxToken modifier = declaration.Modifiers[index], next = modifier.GetNextToken();
        SyntaxTriviaList trivia = modifier.LeadingTrivia.AddRange(HasComment(modifier.TrailingTrivia)
            ? modifier.TrailingTrivia.SkipWhile(IsSpace)
            : []).AddRange(next.LeadingTrivia);
        declaration = declaration.ReplaceToken(next, next.WithLeadingTrivia(trivia));
        return declaration.WithModifiers(declaration.Modifiers.RemoveAt(index));
    }

    internal static bool HasComment(SyntaxTriviaList trivia) => trivia.Any(IsComment);

    internal static bool IsComment(SyntaxTrivia trivia) =>
        trivia.IsKind(SyntaxKind.SingleLineCommentTrivia) || trivia.IsKind(SyntaxKind.MultiLineCommentTrivia);

    internal static bool IsSpace(SyntaxTrivia trivia) => trivia.IsKind(SyntaxKind.WhitespaceTrivia);

    /// <summary>Sets <c>Name = "..."</c> of an attribute.</summary>
    internal static AttributeSyntax WithName(AttributeSyntax attribute, string name)
    {
        AttributeArgumentSyntax argument = SyntaxFactory.AttributeArgument(
            SyntaxFactory.NameEquals(SyntaxFactory.IdentifierName("Name")).NormalizeWhitespace().WithTrailingTrivia(SyntaxFactory.Space),
            null,
            SyntaxFactory.LiteralExpression(SyntaxKind.StringLiteralExpression, SyntaxFactory.Literal(name)));
        AttributeArgumentListSyntax list = attribute.ArgumentList ?? SyntaxFactory.AttributeArgumentList();
        SeparatedSyntaxList<AttributeArgumentSyntax> arguments = list.Arguments;
        AttributeArgumentSyntax? old = arguments.FirstOrDefault(a => a.NameEquals?.Name.Identifier.ValueText == "Name");
        arguments = old is not null
            ? arguments.Replace(old, argument)
            : SyntaxFactory.SeparatedList(arguments.Append(argument),
                Enumerable.Repeat(SyntaxFactory.Token(SyntaxKind.CommaToken).WithTrailingTrivia(SyntaxFactory.Space), arguments.Count));
        return attribute.WithArgumentList(list.WithArguments(arguments));
    }

    internal static SyntaxTriviaList Indentation(SyntaxNode node) =>
        SyntaxFactory.TriviaList(node.GetLeadingTrivia().Reverse().TakeWhile(t => t.IsKind(SyntaxKind.WhitespaceTrivia)));

    private static SyntaxList<AttributeListSyntax> AttributeLists(SyntaxNode node) =>
        node is ParameterSyntax parameter ? parameter.AttributeLists : ((MemberDeclarationSyntax)node).AttributeLists;

    private static SyntaxNode WithAttributeLists(SyntaxNode node, SyntaxList<AttributeListSyntax> lists) =>
        node is ParameterSyntax parameter ? parameter.WithAttributeLists(lists) : ((MemberDeclarationSyntax)node).WithAttributeLists(lists);

    /// <summary>Returns the declaration of a member in this document: a field, a property, or a parameter of a positional record.</summary>
    internal SyntaxNode? DeclarationOf(ISymbol member) => member.DeclaringSyntaxReferences
        .Select(r => r.GetSyntax(Cancellation)).Where(s => s.SyntaxTree == Model.SyntaxTree).Select(DeclarationAt).FirstOrDefault(d => d is not null);

    internal static SyntaxNode? DeclarationAt(SyntaxNode node) => node.FirstAncestorOrSelf<SyntaxNode>(
        n => n is FieldDeclarationSyntax or PropertyDeclarationSyntax or TypeDeclarationSyntax
            || n is ParameterSyntax { Parent.Parent: RecordDeclarationSyntax })
        is SyntaxNode found and not TypeDeclarationSyntax ? found : null;
}
