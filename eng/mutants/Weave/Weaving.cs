using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Formatters.Mutants;

/// <summary>Puts bugs behind a switch: the member that has one is there once as it is and once for each of its bugs.</summary>
internal static class Weaving
{
    /// <summary>The switch, at the end of each file that has a bug.</summary>
    private const string Switch = """

        file static class MutantSwitch
        {
            private static readonly int Number =
                int.TryParse(global::System.Environment.GetEnvironmentVariable("FORMATTERS_MUTANT"), out int number) ? number : 0;

            public static bool Is(int number) => Number == number;
        }

        """;

    private static readonly CSharpParseOptions Options =
        new(LanguageVersion.Preview, preprocessorSymbols: ["NET", "NET8_0_OR_GREATER", "NET9_0_OR_GREATER", "NET10_0_OR_GREATER"]);

    /// <summary>The text of a file with its bugs; what does not fit has its <see cref="Mutant.Problem"/> set and is left out.</summary>
    public static string Weave(string text, IReadOnlyList<Mutant> mutants)
    {
        SyntaxNode root = CSharpSyntaxTree.ParseText(text, Options).GetRoot();
        var places = new SortedDictionary<int, (SyntaxNode Node, List<Mutant> Mutants)>();
        foreach (Mutant mutant in mutants)
        {
            int start = mutant.Old.Length == 0 ? -1 : text.IndexOf(mutant.Old, StringComparison.Ordinal);
            if (start < 0)
                mutant.Problem = $"its text is not in {mutant.File}";
            else if (text.IndexOf(mutant.Old, start + 1, StringComparison.Ordinal) >= 0)
                mutant.Problem = $"its text is more than once in {mutant.File}";
            else if (Place(root, new TextSpan(start, mutant.Old.Length)) is not { } node)
                mutant.Problem = $"its text is not in the body of a member or in an initializer (a constant cannot be switched): {mutant.File}";
            else if (places.TryGetValue(node.SpanStart, out var place))
                place.Mutants.Add(mutant);
            else
                places.Add(node.SpanStart, (node, [mutant]));
        }

        var result = new StringBuilder();
        int at = 0;
        foreach (var (node, here) in places.Values)
        {
            result.Append(text, at, node.SpanStart - at);
            Emit(result, text, node, here);
            at = End(node);
        }

        result.Append(text, at, text.Length - at);
        return places.Count == 0 ? text : result.Append(Switch).ToString();
    }

    /// <summary>The block, the arrow with its expression, or the initializer to write once more: that of the outermost member that has the text.</summary>
    private static SyntaxNode? Place(SyntaxNode root, TextSpan span)
    {
        foreach (SyntaxNode node in root.FindNode(span).AncestorsAndSelf().Where(node => node.Span.Contains(span)))
        {
            switch (node)
            {
                case BlockSyntax { Parent: BaseMethodDeclarationSyntax or AccessorDeclarationSyntax }:
                case ArrowExpressionClauseSyntax { Parent: BaseMethodDeclarationSyntax or AccessorDeclarationSyntax or BasePropertyDeclarationSyntax }:
                case EqualsValueClauseSyntax { Parent: PropertyDeclarationSyntax }:
                    return node;
                case EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax { Parent.Parent: FieldDeclarationSyntax field } }
                    when !field.Modifiers.Any(SyntaxKind.ConstKeyword):
                    return node;
            }
        }

        return null;
    }

    private static void Emit(StringBuilder result, string text, SyntaxNode node, List<Mutant> mutants)
    {
        if (node is EqualsValueClauseSyntax)
        {
            result.Append("= ");
            foreach (Mutant mutant in mutants)
                result.Append($"{Condition(mutant)} ? ({Content(text, node, mutant)}) : ");
            result.Append($"({Content(text, node)})");
            return;
        }

        bool isValue = IsValue(node.Parent!);
        bool isIn = node.Parent is BasePropertyDeclarationSyntax;
        result.Append(isIn ? "{ get { " : "{ ");
        foreach (Mutant mutant in mutants)
            result.Append($"if ({Condition(mutant)}) {Body(Content(text, node, mutant))} else ");
        result.Append(Body(Content(text, node))).Append(isIn ? " } }" : " }");

        string Body(string part) => node is BlockSyntax ? part
            : part.StartsWith("throw ", StringComparison.Ordinal) || !isValue ? $"{{ {part}; }}" : $"{{ return {part}; }}";
    }

    /// <summary>Where what is written once more ends: an arrow's expression with its semicolon.</summary>
    private static int End(SyntaxNode node) => node is ArrowExpressionClauseSyntax ? node.GetLastToken().GetNextToken().Span.End : node.Span.End;

    private static string Condition(Mutant mutant) => $"MutantSwitch.Is({mutant.Number})";

    /// <summary>A block, or what follows an arrow or an equals sign; with a bug, which may have that in its text.</summary>
    private static string Content(string text, SyntaxNode node, Mutant? mutant = null)
    {
        string part = text.Substring(node.SpanStart, node.Span.Length);
        if (mutant is not null)
            part = part.Replace(mutant.Old, mutant.New, StringComparison.Ordinal);
        return node is BlockSyntax ? part : part[node.GetFirstToken().Span.Length..].TrimStart();
    }

    /// <summary>Whether what the arrow leads to is returned.</summary>
    private static bool IsValue(SyntaxNode member) => member switch
    {
        MethodDeclarationSyntax method => method.ReturnType is not PredefinedTypeSyntax { Keyword.RawKind: (int)SyntaxKind.VoidKeyword }
            && !(method.Modifiers.Any(SyntaxKind.AsyncKeyword) && method.ReturnType.ToString() is "Task" or "ValueTask"),
        AccessorDeclarationSyntax accessor => accessor.IsKind(SyntaxKind.GetAccessorDeclaration),
        ConstructorDeclarationSyntax or DestructorDeclarationSyntax => false,
        _ => true,
    };
}
