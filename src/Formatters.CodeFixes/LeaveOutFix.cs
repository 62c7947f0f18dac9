using System.Collections.Immutable;
using System.Composition;
using Formatters.Generator;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.CodeFixes;

/// <summary>Leaves a member that has no contract out of that of its type.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class LeaveOutFix : EditingCodeFix
{
    internal const string Attribute = "System.Runtime.Serialization.IgnoreDataMemberAttribute";

    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(
        Descriptors.Unsupported.Id, Descriptors.NoConstructor.Id, Descriptors.StateLost.Id, Descriptors.KeyType.Id);

    private protected override string Title => "Leave the member out ([IgnoreDataMember])";

    // A parameter of a positional record cannot be left out, nor one of several fields of one declaration.
    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic) =>
        Edit.DeclarationAt(node) is PropertyDeclarationSyntax or FieldDeclarationSyntax { Declaration.Variables.Count: 1 }
        && edit.AddAttribute(Edit.DeclarationAt(node)!, Attribute);
}
