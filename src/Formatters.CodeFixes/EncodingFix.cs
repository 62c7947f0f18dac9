using System.Collections.Immutable;
using System.Composition;
using System.Globalization;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>FMT119: removes the setting that does not apply to the member.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class EncodingFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.Encoding.Id);

    private protected override string Title => "Remove the setting";

    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        string name = diagnostic.GetMessage(CultureInfo.InvariantCulture).Contains("IsPacked = ") ? "IsPacked" : "Encoding";
        AttributeArgumentSyntax? argument = Edit.DeclarationAt(node)?.DescendantNodes().OfType<AttributeArgumentSyntax>().FirstOrDefault(a =>
            a.NameEquals?.Name.Identifier.ValueText == name
            && edit.Model.GetSymbolInfo(a.NameEquals.Name, edit.Cancellation).Symbol?.ContainingType?.Name == "MessageMemberAttribute");
        if (argument is null)
            return false;
        if (edit.IsFirst(argument, nameof(EncodingFix)))
            edit.Editor.RemoveNode(argument);
        return true;
    }
}
