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

/// <summary>FMT110: numbers all members of a contract that have no number; FMT111 to FMT113: gives one member the next free number.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class NumberMembersFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(
        Descriptors.NumberMissing.Id, Descriptors.NumberTwice.Id, Descriptors.NumberOutOfRange.Id, Descriptors.NumberRetired.Id);

    private protected override string Title => "Number members with the next free numbers ([MessageMember])";

    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        INamedTypeSymbol? type = node.AncestorsAndSelf().OfType<TypeDeclarationSyntax>().Select(d => edit.Model.GetDeclaredSymbol(d, edit.Cancellation)).FirstOrDefault();
        if (type is null)
            return false;
        SyntaxNode typeNode = node.FirstAncestorOrSelf<TypeDeclarationSyntax>()!;
        List<Member> members = Member.FindAll(type);
        ConstructorChoice.Find(type, members, out _, out _);
        HashSet<int> taken = edit.Shared(typeNode, () => TakenBy(type, members));
        List<Member> toNumber;
        if (diagnostic.Id == Descriptors.NumberMissing.Id)
        {
            toNumber = [.. members.Where(m => SymbolEqualityComparer.Default.Equals(m.Symbol.ContainingType, type) && m.Number is null)];
            if (toNumber.Count > 0 && !edit.IsFirst(typeNode, diagnostic.Id))
                return true;
        }
        else
        {
            toNumber = [.. members.Where(m => edit.DeclarationOf(m.Symbol) is SyntaxNode d && d.Span.Contains(node.Span))];
        }

        return SetNumbers(edit, [.. toNumber.Select(m => (m.Symbol, Next()))]);

        int Next()
        {
            int number = 1;
            while (!taken.Add(number))
                number++;
            return number;
        }
    }

    /// <summary>Writes the numbers, beside what the attributes say already.</summary>
    /// <returns>Whether there are any.</returns>
    internal static bool SetNumbers(Edit edit, List<(ISymbol Member, int Number)> numbers)
    {
        bool isAny = false;
        foreach (IGrouping<SyntaxNode?, (ISymbol Member, int Number)> group in numbers.GroupBy(n => edit.DeclarationOf(n.Member)))
        {
            if (group.Key is not SyntaxNode declaration)
                continue;
            isAny = true;
            if (declaration is FieldDeclarationSyntax { Declaration.Variables.Count: > 1 } several)
                Split(edit, several, group.ToDictionary(n => n.Member.Name, n => n.Number));
            else
                SetNumber(edit, declaration, group.First().Number);
        }

        return isAny;
    }

    private static void SetNumber(Edit edit, SyntaxNode declaration, int number)
    {
        SyntaxNode literal = edit.Editor.Generator.LiteralExpression(number);
        if (ExistingAttribute(edit, declaration) is not AttributeSyntax existing)
        {
            edit.AddAttribute(declaration, ForeignContract.MessageMember, literal);
            return;
        }

        SeparatedSyntaxList<AttributeArgumentSyntax> arguments = existing.ArgumentList?.Arguments ?? default;
        AttributeArgumentSyntax? old = arguments.FirstOrDefault(a => a.NameEquals is null);
        AttributeArgumentSyntax argument = SyntaxFactory.AttributeArgument((ExpressionSyntax)literal);
        SeparatedSyntaxList<AttributeArgumentSyntax> changed = old is null ? arguments.Insert(0, argument) : arguments.Replace(old, argument);
        edit.Editor.ReplaceNode(existing, existing.WithArgumentList(SyntaxFactory.AttributeArgumentList(changed)));
    }

    /// <summary>A declaration of several fields becomes one for each.</summary>
    private static void Split(Edit edit, FieldDeclarationSyntax several, Dictionary<string, int> numbers)
    {
        FieldDeclarationSyntax[] fields = [.. several.Declaration.Variables.Select((variable, i) =>
        {
            FieldDeclarationSyntax field = several.WithDeclaration(several.Declaration.WithVariables(SyntaxFactory.SingletonSeparatedList(variable.WithoutTrivia())));
            // Documentation stays with the first.
            if (i > 0)
                field = field.WithLeadingTrivia(Edit.Indentation(several));
            return numbers.TryGetValue(variable.Identifier.ValueText, out int number)
                ? (FieldDeclarationSyntax)Edit.WithAttribute(field, several, edit.NewAttribute(ForeignContract.MessageMember, edit.Editor.Generator.LiteralExpression(number))!)
                : field;
        })];
        edit.Editor.InsertAfter(several, fields.Skip(1));
        edit.Editor.ReplaceNode(several, fields[0]);
    }

    private static AttributeSyntax? ExistingAttribute(Edit edit, SyntaxNode declaration) =>
        declaration.ChildNodes().OfType<AttributeListSyntax>().SelectMany(l => l.Attributes)
            .FirstOrDefault(a => edit.Model.GetTypeInfo(a, edit.Cancellation).Type?.FullName() == ForeignContract.MessageMember);

    private static HashSet<int> TakenBy(INamedTypeSymbol type, List<Member> members)
    {
        var taken = new HashSet<int>(members.Select(m => m.Number).OfType<int>());
        taken.UnionWith(ShapeParser.RetiredNumbers(type));
        return taken;
    }
}
