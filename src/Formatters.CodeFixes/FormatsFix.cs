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

/// <summary>FMT114: adds the wire formats of a contract to one that it holds; FMT116: takes <c>Formats</c> away, which leaves the binary one.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class FormatsFix : EditingCodeFix
{
    private const string Argument = "Formats";
    private const string Formats = "ContractFormats";

    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.FormatMissing.Id, Descriptors.NoFormat.Id);

    private protected override string Title => "Correct the wire formats (Formats)";

    private protected override async Task<bool> FixAsync(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        if (diagnostic.Id == Descriptors.NoFormat.Id)
            return RemoveFormats(edit, node);
        if (!diagnostic.Properties.TryGetValue(MissingFormat.TypeProperty, out string? name) || !diagnostic.Properties.TryGetValue(MissingFormat.FormatProperty, out string? format)
            || edit.Model.Compilation.GetTypeByMetadataName(name!) is not INamedTypeSymbol type
            || type.FindAttribute(Symbols.ContractAttribute)?.ApplicationSyntaxReference is not SyntaxReference reference
            || await edit.OpenAsync(reference.SyntaxTree).ConfigureAwait(false) is not Edit other)
            return false;
        return await reference.GetSyntaxAsync(edit.Cancellation).ConfigureAwait(false) is AttributeSyntax attribute && AddFormats(other, attribute, format!.Split('|'));
    }

    private static bool AddFormats(Edit edit, AttributeSyntax attribute, string[] formats)
    {
        foreach (string format in formats.Where(f => edit.IsFirst(attribute, f)))
            AddFormat(edit, attribute, format);
        return true;
    }

    private static void AddFormat(Edit edit, AttributeSyntax attribute, string format)
    {
        edit.Editor.ReplaceNode(attribute, (current, _) =>
        {
            var changed = (AttributeSyntax)current;
            AttributeArgumentSyntax? old = FormatsOf(changed);
            string existing = old is null ? $"{Formats}.Binary" : old.Expression.ToString();
            AttributeArgumentSyntax argument = SyntaxFactory.AttributeArgument(SyntaxFactory.ParseExpression($"{existing} | {PrefixOf(existing)}{format}"))
                .WithNameEquals(SyntaxFactory.NameEquals(SyntaxFactory.IdentifierName(Argument)).NormalizeWhitespace().WithTrailingTrivia(SyntaxFactory.Space));
            SeparatedSyntaxList<AttributeArgumentSyntax> arguments = changed.ArgumentList?.Arguments ?? default;
            arguments = old is null ? arguments.Add(argument) : arguments.Replace(old, argument);
            return changed.WithArgumentList(SyntaxFactory.AttributeArgumentList(arguments));
        });
    }

    /// <summary>How an expression names the enum: <c>ContractFormats.</c>, <c>Formatters.ContractFormats.</c>, or with <c>using static</c> not at all.</summary>
    private static string PrefixOf(string expression)
    {
        string last = expression.Split('|', ' ').Last();
        return last.Substring(0, last.LastIndexOf('.') + 1);
    }

    private static bool RemoveFormats(Edit edit, SyntaxNode node)
    {
        // Of a contract the name of the type is marked, of a context the attribute.
        AttributeSyntax? attribute = node.FirstAncestorOrSelf<AttributeSyntax>() ?? (node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is TypeDeclarationSyntax declaration
            ? declaration.AttributeLists.SelectMany(l => l.Attributes).FirstOrDefault(a => edit.Model.GetTypeInfo(a, edit.Cancellation).Type?.FullName() == Symbols.ContractAttribute) : null);
        if (attribute is null || FormatsOf(attribute) is not AttributeArgumentSyntax argument)
            return false;
        AttributeArgumentListSyntax list = attribute.ArgumentList!;
        edit.Editor.ReplaceNode(attribute, attribute.WithArgumentList(list.Arguments.Count == 1 ? null : list.WithArguments(list.Arguments.Remove(argument))));
        return true;
    }

    private static AttributeArgumentSyntax? FormatsOf(AttributeSyntax attribute) =>
        attribute.ArgumentList?.Arguments.FirstOrDefault(a => a.NameEquals?.Name.Identifier.ValueText == Argument);
}
