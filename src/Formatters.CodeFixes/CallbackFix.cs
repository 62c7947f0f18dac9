using System.Collections.Immutable;
using System.Composition;
using System.Linq;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>FMT127: removes the modifiers that a callback cannot have.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class CallbackFix : EditingCodeFix
{
    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(Descriptors.BadCallback.Id);

    private protected override string Title => "Make it an instance method that is not virtual";

    // A method that returns or awaits a value, or needs arguments, must be rewritten manually; so must a method with overrides, or a static one with
    // callers.
    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic)
    {
        if (node is not MethodDeclarationSyntax method
            || edit.Model.GetDeclaredSymbol(method, edit.Cancellation) is not IMethodSymbol { IsAbstract: false, IsOverride: false, IsAsync: false,
                ReturnsVoid: true, IsGenericMethod: false } symbol
            || symbol.Parameters.Length > 1 || symbol.Parameters.Any(
                p => p.RefKind != RefKind.None || p.Type.FullName() != "System.Runtime.Serialization.StreamingContext")
            || IsOverridden(edit, symbol) || symbol.IsStatic && edit.IsReferenced(symbol))
            return false;
        if (!method.Modifiers.Any(SyntaxKind.VirtualKeyword) && !method.Modifiers.Any(SyntaxKind.StaticKeyword))
            return false;
        edit.Editor.ReplaceNode(method, Edit.WithoutModifier(Edit.WithoutModifier(method, SyntaxKind.VirtualKeyword), SyntaxKind.StaticKeyword));
        return true;
    }

    private static bool IsOverridden(Edit edit, IMethodSymbol method) =>
        method.IsVirtual && edit.Model.Compilation.GetSymbolsWithName(method.Name, SymbolFilter.Member, edit.Cancellation)
        .OfType<IMethodSymbol>().Any(m => SymbolEqualityComparer.Default.Equals(m.OverriddenMethod, method));
}
