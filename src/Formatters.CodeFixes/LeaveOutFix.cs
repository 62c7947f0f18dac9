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

/// <summary>Leaves a member without a contract out of that of its type.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class LeaveOutFix : EditingCodeFix
{
    internal const string Attribute = "System.Runtime.Serialization.IgnoreDataMemberAttribute";

    private const string XmlAttribute = "System.Xml.Serialization.XmlIgnoreAttribute";

    public override ImmutableArray<string> FixableDiagnosticIds => ImmutableArray.Create(
        Descriptors.Unsupported.Id, Descriptors.NoConstructor.Id, Descriptors.StateLost.Id, Descriptors.KeyType.Id, Descriptors.LeftOut.Id);

    private protected override string Title => "Leave the member out ([IgnoreDataMember], [XmlIgnore])";

    // A parameter of a positional record cannot be left out, nor one of several fields of one declaration, nor a member that an object initializer
    // must set.
    private protected override bool Fix(Edit edit, SyntaxNode node, Diagnostic diagnostic) =>
        Edit.DeclarationAt(node) is MemberDeclarationSyntax declaration
        and (PropertyDeclarationSyntax or FieldDeclarationSyntax { Declaration.Variables.Count: 1 })
        && !declaration.Modifiers.Any(SyntaxKind.RequiredKeyword)
        && edit.Model.GetDeclaredSymbol(node, edit.Cancellation) is { ContainingType: INamedTypeSymbol type } member
        && edit.DerivedFrom(type).Prepend(type).All(t => CanBeWithout(t, member))
        && edit.AddAttribute(declaration, IsForXml(diagnostic) ? XmlAttribute : Attribute);

    /// <summary>Determines whether XmlSerializer rejects the member: it has an attribute of its own, which applies to all wire formats.</summary>
    private static bool IsForXml(Diagnostic diagnostic) =>
        diagnostic.Properties.TryGetValue(MissingFormat.FormatProperty, out string? format) && format == nameof(ContractFormats.Xml);

    /// <summary>
    /// Determines whether objects of a type can still be created, with all other members, if one is left out: its constructor may need it, or another
    /// attribute may include it.
    /// </summary>
    private static bool CanBeWithout(INamedTypeSymbol type, ISymbol symbol)
    {
        List<Member> all = Member.FindAll(type);
        if (all.Find(m => SymbolEqualityComparer.Default.Equals(m.Symbol.OriginalDefinition, symbol)) is not Member member)
            return true;
        List<Member> others = all.FindAll(m => m != member);
        return !member.IsOptedIn
            && (Construction.Find(type, all, out _, out _) is not null || Construction.Find(type, others, out _, out _) is null
                && others.Count >= all.Count - 1);
    }
}
