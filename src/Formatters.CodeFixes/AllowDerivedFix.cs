using System.Collections.Immutable;
using System.Composition;
using System.Threading.Tasks;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>FMT128: allows objects of derived classes, which are written without the members that they add.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class AllowDerivedFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.Derived.Id);

    private protected override string Title => "Allow derived objects, without what they add ([AllowDerived])";

    private protected override async Task<bool> FixAsync(Edit edit, SyntaxNode node, Diagnostic diagnostic) =>
        DeclaredClass(edit, diagnostic) is INamedTypeSymbol type && await edit.OpenAsync(type)
        .ConfigureAwait(false) is (Edit other, TypeDeclarationSyntax declaration)
        && other.AddAttribute(declaration, Symbols.AllowDerivedAttribute);

    /// <summary>Returns the declared class of the member, or of its elements.</summary>
    internal static INamedTypeSymbol? DeclaredClass(Edit edit, Diagnostic diagnostic) =>
        diagnostic.Properties.TryGetValue(ShapeParser.ClassProperty, out string? name) && name is not null
        ? edit.Model.Compilation.Assembly.GetTypeByMetadataName(name) : null;
}
