using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Formatters.Generator;

/// <summary>The part of a source file that contracts can depend on: all of it except the bodies of methods.</summary>
/// <remarks>Found from the syntax alone, once for each tree.</remarks>
internal sealed class TreeSurface
{
    private static readonly ConditionalWeakTable<SyntaxTree, TreeSurface> Known = new();

    private readonly ImmutableArray<byte> _checksum;

    private TreeSurface(SyntaxTree tree, CancellationToken cancellation)
    {
        SyntaxNode root = tree.GetRoot(cancellation);
        var declared = new HashSet<string>();
        var bases = new HashSet<string>();
        var mentioned = new HashSet<string>();
        var bodies = new List<TextSpan>();
        foreach (SyntaxNode node in root.DescendantNodes(n => !IsBody(n)))
        {
            switch (node)
            {
                case var body when IsBody(body):
                    bodies.Add(body.Span);
                    break;
                case BaseTypeDeclarationSyntax type:
                    Declare(type.Identifier.ValueText);
                    break;
                case DelegateDeclarationSyntax type:
                    Declare(type.Identifier.ValueText);
                    break;
                case SimpleNameSyntax name:
                    mentioned.Add(name.Identifier.ValueText);
                    if (name.FirstAncestorOrSelf<BaseListSyntax>() is not null)
                        bases.Add(name.Identifier.ValueText);
                    break;
                case UsingDirectiveSyntax { GlobalKeyword.RawKind: not (int)SyntaxKind.None }:
                case AttributeListSyntax { Target.Identifier.RawKind: (int)SyntaxKind.AssemblyKeyword or (int)SyntaxKind.ModuleKeyword }:
                    IsGlobal = true;
                    break;
            }
        }

        Declared = [.. declared];
        Bases = [.. bases];
        mentioned.UnionWith(declared);
        Mentioned = [.. mentioned];
        _checksum = Checksum(tree.GetText(cancellation), bodies);

        void Declare(string name)
        {
            const string Suffix = "Attribute";
            declared.Add(name);
            if (name.EndsWith(Suffix, System.StringComparison.Ordinal))
                declared.Add(name.Substring(0, name.Length - Suffix.Length));
        }
    }

    /// <summary>Gets the names of the declared types, those of attributes in both forms.</summary>
    internal string[] Declared { get; }

    /// <summary>Gets the names that may be types: all identifiers outside the bodies of methods.</summary>
    internal string[] Mentioned { get; }

    /// <summary>Gets the names in lists of base types.</summary>
    internal string[] Bases { get; }

    /// <summary>Gets whether every file depends on it: it has global usings, or attributes of the assembly.</summary>
    internal bool IsGlobal { get; }

    internal static TreeSurface Of(SyntaxTree tree, CancellationToken cancellation)
    {
        if (!Known.TryGetValue(tree, out TreeSurface? surface))
            surface = Known.GetValue(tree, t => new TreeSurface(t, cancellation));
        return surface;
    }

    /// <summary>Determines whether two files have the same surface.</summary>
    internal bool IsSame(TreeSurface other) => ReferenceEquals(this, other) || _checksum.SequenceEqual(other._checksum);

    // Constructors and accessors count: they show which members are set, and from what. So does a body with directives, which may reach beyond it.
    private static bool IsBody(SyntaxNode node) => node is BlockSyntax or ArrowExpressionClauseSyntax
        && node.Parent is MethodDeclarationSyntax or OperatorDeclarationSyntax or ConversionOperatorDeclarationSyntax or DestructorDeclarationSyntax
        && !node.ContainsDirectives;

    private static ImmutableArray<byte> Checksum(SourceText text, List<TextSpan> without)
    {
        if (without.Count == 0)
            return text.GetChecksum();
        var kept = new StringBuilder();
        int start = 0;
        foreach (TextSpan span in without)
        {
            // The body's place is kept, so that a method without one differs.
            kept.Append(text.ToString(TextSpan.FromBounds(start, span.Start))).Append("{}");
            start = span.End;
        }

        return SourceText.From(kept.Append(text.ToString(TextSpan.FromBounds(start, text.Length))).ToString(), Encoding.UTF8).GetChecksum();
    }
}
