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

/// <summary>FMT114: adds the missing wire formats to a contract; FMT116: removes <c>Formats</c>, which leaves the versioned one.</summary>
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
        if (!diagnostic.Properties.TryGetValue(MissingFormat.TypeProperty, out string? name)
            || !diagnostic.Properties.TryGetValue(MissingFormat.FormatProperty, out string? format)
            || edit.Model.Compilation.GetTypeByMetadataName(name!) is not INamedTypeSymbol type
            || type.FindAttribute(Symbols.ContractAttribute)?.ApplicationSyntaxReference is not SyntaxReference reference
            || await edit.OpenAsync(reference.SyntaxTree).ConfigureAwait(false) is not Edit other)
            return false;
        return await reference.GetSyntaxAsync(edit.Cancellation).ConfigureAwait(false) is AttributeSyntax attribute
            && AddFormats(other, attribute, format!.Split('|'));
    }

    private static bool AddFormats(Edit edit, AttributeSyntax attribute, string[] formats)
    {
        if (edit.Model.Compilation.GetTypeByMetadataName("Formatters." + Formats) is not INamedTypeSymbol type)
            return false;
        string prefix = PrefixOf(edit, attribute, type);
        foreach (string format in formats.Where(f => edit.IsFirst(attribute, f)))
            AddFormat(edit, attribute, prefix, prefix + format);
        return true;
    }

    private static void AddFormat(Edit edit, AttributeSyntax attribute, string prefix, string format)
    {
        edit.Editor.ReplaceNode(attribute, (current, _) =>
        {
            var changed = (AttributeSyntax)current;
            AttributeArgumentSyntax? old = FormatsOf(changed);
            string existing = old is null ? $"{prefix}Versioned" : IsOperand(old.Expression) ? old.Expression.ToString() : $"({old.Expression})";
            AttributeArgumentSyntax argument = SyntaxFactory.AttributeArgument(SyntaxFactory.ParseExpression($"{existing} | {format}"))
                .WithNameEquals(SyntaxFactory.NameEquals(SyntaxFactory.IdentifierName(Argument)).NormalizeWhitespace()
                    .WithTrailingTrivia(SyntaxFactory.Space));
            SeparatedSyntaxList<AttributeArgumentSyntax> arguments = changed.ArgumentList?.Arguments ?? default;
            arguments = old is null ? arguments.Add(argument) : arguments.Replace(old, argument);
            return changed.WithArgumentList(SyntaxFactory.AttributeArgumentList(arguments));
        });
    }

    /// <summary>
    /// Returns the qualification of the enum before a format: as in an existing expression (none with <c>using static</c>), otherwise as the file
    /// allows.
    /// </summary>
    private static string PrefixOf(Edit edit, AttributeSyntax attribute, INamedTypeSymbol type)
    {
        ExpressionSyntax? expression = FormatsOf(attribute)?.Expression;
        while (expression is BinaryExpressionSyntax or ParenthesizedExpressionSyntax)
            expression = expression is BinaryExpressionSyntax binary ? binary.Right : ((ParenthesizedExpressionSyntax)expression).Expression;
        if (expression is MemberAccessExpressionSyntax or IdentifierNameSyntax
            && edit.Model.GetSymbolInfo(expression, edit.Cancellation).Symbol is IFieldSymbol format
            && SymbolEqualityComparer.Default.Equals(format.ContainingType, type))
            return expression is MemberAccessExpressionSyntax access ? access.Expression + "." : "";
        return type.ToMinimalDisplayString(edit.Model, attribute.SpanStart) + ".";
    }

    /// <summary>Determines whether an expression can be an operand of <c>|</c> without parentheses.</summary>
    private static bool IsOperand(ExpressionSyntax expression) => expression.IsKind(SyntaxKind.BitwiseOrExpression)
        || expression is MemberAccessExpressionSyntax or SimpleNameSyntax or LiteralExpressionSyntax or CastExpressionSyntax
        or ParenthesizedExpressionSyntax or DefaultExpressionSyntax;

    private static bool RemoveFormats(Edit edit, SyntaxNode node)
    {
        // For a contract the diagnostic is at the name of the type, for a context at the attribute.
        AttributeSyntax? attribute = node.FirstAncestorOrSelf<AttributeSyntax>()
            ?? (node.FirstAncestorOrSelf<TypeDeclarationSyntax>() is TypeDeclarationSyntax declaration
            ? declaration.AttributeLists.SelectMany(l => l.Attributes)
            .FirstOrDefault(a => edit.Model.GetTypeInfo(a, edit.Cancellation).Type?.FullName() == Symbols.ContractAttribute) : null);
        if (attribute is null || FormatsOf(attribute) is not AttributeArgumentSyntax argument)
            return false;
        AttributeArgumentListSyntax list = attribute.ArgumentList!;
        edit.Editor.ReplaceNode(attribute, attribute.WithArgumentList(
            list.Arguments.Count == 1 ? null : list.WithArguments(list.Arguments.Remove(argument))));
        return true;
    }

    private static AttributeArgumentSyntax? FormatsOf(AttributeSyntax attribute) =>
        attribute.ArgumentList?.Arguments.FirstOrDefault(a => a.NameEquals?.Name.Identifier.ValueText == Argument);
}
