using System;
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
        INamedTypeSymbol? type = node.AncestorsAndSelf().OfType<TypeDeclarationSyntax>()
            .Select(d => edit.Model.GetDeclaredSymbol(d, edit.Cancellation)).FirstOrDefault();
        if (type is null)
            return false;
        TakenNumbers taken = edit.Shared(typeof(TakenNumbers), () => new TakenNumbers());
        if (OneofAttribute(edit, node) is AttributeSyntax oneof)
        {
            if (edit.IsFirst(oneof, nameof(NumberMembersFix)))
                edit.Editor.ReplaceNode(oneof, WithNumber(oneof, edit.Editor.Generator.LiteralExpression(taken.Next(edit, type))));
            return true;
        }

        List<Member> members = Member.FindAll(type);
        Construction.Find(type, members, out _, out _);
        // Fields of one declaration share a number, which the first may have to keep: those reported, and those after them.
        SyntaxNode? reported = diagnostic.Id == Descriptors.NumberMissing.Id ? null : Edit.DeclarationAt(node);
        List<Member> toNumber = [.. members.Where(m => edit.DeclarationOf(m.Symbol) is SyntaxNode declaration && (reported is null
            ? SymbolEqualityComparer.Default.Equals(m.Symbol.ContainingType, type) && m.Number is null
            && (m.OneofCases.Count == 0 || m.Symbol.Locations[0] == diagnostic.Location)
            : declaration == reported && m.Symbol.Locations[0].SourceSpan.Start >= diagnostic.Location.SourceSpan.Start))];
        if (toNumber.Count == 0)
            return false;
        // Another report has already numbered them all.
        toNumber.RemoveAll(m => !edit.IsFirst(edit.DeclarationOf(m.Symbol)!, m.Name));
        SetNumbers(edit, [.. toNumber.Select(m => (m.Symbol, taken.Next(edit, type)))]);
        return true;
    }

    /// <summary>Returns the reported <c>[MessageOneof]</c>, if it is one.</summary>
    private static AttributeSyntax? OneofAttribute(Edit edit, SyntaxNode node) => node.AncestorsAndSelf().OfType<AttributeSyntax>()
        .FirstOrDefault(a => edit.Model.GetSymbolInfo(a, edit.Cancellation).Symbol?.ContainingType?.FullName() == Symbols.OneofAttribute);

    /// <summary>Writes the numbers, in addition to the existing arguments of the attributes.</summary>
    /// <param name="edit">The edit.</param>
    /// <param name="numbers">The members and their numbers.</param>
    /// <param name="settings">Returns the further arguments of a member's attribute; null for none.</param>
    internal static void SetNumbers(Edit edit, List<(ISymbol Member, int Number)> numbers,
        Func<ISymbol, IEnumerable<AttributeArgumentSyntax>>? settings = null)
    {
        foreach (IGrouping<SyntaxNode?, (ISymbol Member, int Number)> group in numbers.GroupBy(n => edit.DeclarationOf(n.Member)))
        {
            if (group.Key is not SyntaxNode declaration)
                continue;
            if (declaration is FieldDeclarationSyntax { Declaration.Variables.Count: > 1 } several)
                Split(edit, several, group.ToDictionary(n => n.Member.Name, n => n.Number), SettingsOf(group.First().Member));
            else
                SetNumber(edit, declaration, group.First().Number, SettingsOf(group.First().Member));
        }

        AttributeArgumentSyntax[] SettingsOf(ISymbol member) => settings is null ? [] : [.. settings(member)];
    }

    private static void SetNumber(Edit edit, SyntaxNode declaration, int number, AttributeArgumentSyntax[] settings)
    {
        if (ExistingAttribute(edit, declaration) is AttributeSyntax existing)
            edit.Editor.ReplaceNode(existing, WithSettings(WithNumber(existing, edit.Editor.Generator.LiteralExpression(number)), settings));
        else
            edit.AddAttribute(declaration, ForeignContract.MessageMember, [edit.Editor.Generator.LiteralExpression(number), .. settings]);
    }

    /// <summary>Adds the arguments that the attribute does not have yet.</summary>
    private static AttributeSyntax WithSettings(AttributeSyntax attribute, AttributeArgumentSyntax[] settings) => attribute.AddArgumentListArguments(
        [.. settings.Where(s => attribute.ArgumentList!.Arguments.All(
            a => a.NameEquals?.Name.Identifier.ValueText != s.NameEquals!.Name.Identifier.ValueText))]);

    private static AttributeSyntax WithNumber(AttributeSyntax attribute, SyntaxNode number)
    {
        SeparatedSyntaxList<AttributeArgumentSyntax> arguments = attribute.ArgumentList?.Arguments ?? default;
        AttributeArgumentSyntax? old = arguments.FirstOrDefault(a => a.NameEquals is null);
        AttributeArgumentSyntax argument = SyntaxFactory.AttributeArgument((ExpressionSyntax)number);
        return attribute.WithArgumentList(SyntaxFactory.AttributeArgumentList(
            old is null ? arguments.Insert(0, argument) : arguments.Replace(old, argument)));
    }

    /// <summary>Splits a declaration of several fields into one for each.</summary>
    private static void Split(Edit edit, FieldDeclarationSyntax several, Dictionary<string, int> numbers, AttributeArgumentSyntax[] settings)
    {
        AttributeSyntax? existing = ExistingAttribute(edit, several);
        FieldDeclarationSyntax[] fields = [.. several.Declaration.Variables.Select((variable, i) =>
        {
            SyntaxNode? number = numbers.TryGetValue(variable.Identifier.ValueText, out int value)
                ? edit.Editor.Generator.LiteralExpression(value)
                : null;
            FieldDeclarationSyntax field = number is null || existing is null
                ? several
                : several.ReplaceNode(existing, WithSettings(WithNumber(existing, number), settings));
            field = field.WithDeclaration(several.Declaration.WithVariables(SyntaxFactory.SingletonSeparatedList(variable.WithoutTrivia())))
                .WithSemicolonToken(several.SemicolonToken.WithTrailingTrivia(After(several, i)));
            // Documentation stays with the first.
            if (i > 0)
                field = field.WithLeadingTrivia(Before(several, variable));
            return number is null || existing is not null
                ? field
                : (FieldDeclarationSyntax)Edit.WithAttribute(
                    field, several, edit.NewAttribute(ForeignContract.MessageMember, [number, .. settings])!);
        })];
        edit.Editor.InsertAfter(several, fields.Skip(1));
        edit.Editor.ReplaceNode(several, fields[0]);
    }

    /// <summary>Returns the trivia before a separated field: the comments on lines before its name.</summary>
    private static SyntaxTriviaList Before(FieldDeclarationSyntax several, VariableDeclaratorSyntax variable)
    {
        SyntaxTriviaList indentation = Edit.Indentation(several);
        SyntaxTrivia lineBreak = variable.GetLeadingTrivia().FirstOrDefault(t => t.IsKind(SyntaxKind.EndOfLineTrivia));
        return indentation.AddRange(variable.GetLeadingTrivia().Where(Edit.IsComment)
            .SelectMany(c => indentation.Prepend(lineBreak.IsKind(SyntaxKind.None) ? SyntaxFactory.Space : lineBreak).Prepend(c)));
    }

    /// <summary>Returns the trivia after a separated field: the comment after its comma, or the line break after all.</summary>
    private static SyntaxTriviaList After(FieldDeclarationSyntax several, int index)
    {
        SyntaxTriviaList behindAll = several.SemicolonToken.TrailingTrivia;
        SeparatedSyntaxList<VariableDeclaratorSyntax> variables = several.Declaration.Variables;
        if (index == variables.Count - 1)
            return behindAll;
        SyntaxTrivia[] comments = [.. variables[index].GetTrailingTrivia().Concat(variables.GetSeparator(index).TrailingTrivia)
            .Where(Edit.IsComment)];
        return SyntaxFactory.TriviaList(comments.SelectMany(c => new[] { SyntaxFactory.Space, c })
            .Concat(behindAll.Where(t => t.IsKind(SyntaxKind.EndOfLineTrivia) || !Edit.HasComment(behindAll))));
    }

    private static AttributeSyntax? ExistingAttribute(Edit edit, SyntaxNode declaration) =>
        declaration.ChildNodes().OfType<AttributeListSyntax>().SelectMany(l => l.Attributes)
            .FirstOrDefault(a => edit.Model.GetTypeInfo(a, edit.Cancellation).Type?.FullName() == ForeignContract.MessageMember);
}
