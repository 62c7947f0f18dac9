using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Formatters.Generator;

/// <summary>The part of a source file that contracts can depend on: all of it except the bodies of methods.</summary>
/// <remarks>
/// Found once for each tree, from the declarations and the words of the text: nothing is bound, and the nodes within members are not created. Names
/// are kept as hashes; two of the same hash only make a contract depend on a file that it does not use.
/// </remarks>
internal sealed class TreeSurface
{
    private const uint HashSeed = 2166136261;
    private const uint HashFactor = 16777619;
    private const ulong LongHashSeed = 14695981039346656037;
    private const ulong LongHashFactor = 1099511628211;
    private const ulong MixFactor = 0x9E3779B97F4A7C15;

    private static readonly ConditionalWeakTable<SyntaxTree, TreeSurface> Known = new();

    private readonly HashSet<uint> _declared = [];
    private readonly HashSet<uint> _bases = [];
    private readonly List<TextSpan> _bodies = [];
    private readonly (ulong First, ulong Second) _hash;

    private TreeSurface(SyntaxTree tree, CancellationToken cancellation)
    {
        var root = (CompilationUnitSyntax)tree.GetRoot(cancellation);
        string text = tree.GetText(cancellation).ToString();
        IsGlobal = root.AttributeLists.Count > 0 || root.Usings.Any(static u => !u.GlobalKeyword.IsKind(SyntaxKind.None));
        foreach (MemberDeclarationSyntax member in root.Members)
            Visit(member, text);

        var words = new HashSet<uint>();
        (ulong First, ulong Second) hash = (LongHashSeed, 0);
        int start = 0;
        foreach (TextSpan body in _bodies)
        {
            Scan(text, TextSpan.FromBounds(start, body.Start), words, ref hash);
            // A method without a body differs.
            hash.First ^= MixFactor;
            start = body.End;
        }

        Scan(text, TextSpan.FromBounds(start, text.Length), words, ref hash);
        Declared = [.. _declared];
        Bases = [.. _bases];
        Mentioned = [.. words];
        _hash = hash;
    }

    /// <summary>Gets the hashes of the names of the declared types, those of attributes in both forms.</summary>
    internal uint[] Declared { get; }

    /// <summary>Gets the hashes of all words outside the bodies of methods.</summary>
    internal uint[] Mentioned { get; }

    /// <summary>Gets the hashes of the words in lists of base types.</summary>
    internal uint[] Bases { get; }

    /// <summary>Gets whether every file depends on it: it has global usings, or attributes of the assembly.</summary>
    internal bool IsGlobal { get; }

    internal static TreeSurface Of(SyntaxTree tree, CancellationToken cancellation)
    {
        if (!Known.TryGetValue(tree, out TreeSurface? surface))
            surface = Known.GetValue(tree, t => new TreeSurface(t, cancellation));
        return surface;
    }

    /// <summary>Determines whether two files have the same surface.</summary>
    internal bool IsSame(TreeSurface other) => ReferenceEquals(this, other) || _hash == other._hash;

    internal static uint Hash(string name) => name.Aggregate(HashSeed, static (hash, c) => (hash ^ c) * HashFactor);

    private void Visit(MemberDeclarationSyntax member, string text)
    {
        switch (member)
        {
            case BaseNamespaceDeclarationSyntax space:
                foreach (MemberDeclarationSyntax inner in space.Members)
                    Visit(inner, text);
                break;
            case BaseTypeDeclarationSyntax type:
                Declare(type.Identifier.ValueText);
                if (type.BaseList is { } list)
                {
                    (ulong, ulong) unused = default;
                    Scan(text, list.Span, _bases, ref unused);
                }

                foreach (MemberDeclarationSyntax inner in (type as TypeDeclarationSyntax)?.Members ?? default)
                    Visit(inner, text);
                break;
            case DelegateDeclarationSyntax type:
                Declare(type.Identifier.ValueText);
                break;
            case GlobalStatementSyntax:
                AddBody(member);
                break;
            // Constructors and accessors count: they show which members are set, and from what.
            case BaseMethodDeclarationSyntax method and not ConstructorDeclarationSyntax:
                AddBody((SyntaxNode?)method.Body ?? method.ExpressionBody);
                break;
        }
    }

    private void Declare(string name)
    {
        const string Suffix = "Attribute";
        _declared.Add(Hash(name));
        if (name.EndsWith(Suffix, StringComparison.Ordinal))
            _declared.Add(Hash(name.Substring(0, name.Length - Suffix.Length)));
    }

    private void AddBody(SyntaxNode? body)
    {
        // Directives may reach beyond it.
        if (body is { ContainsDirectives: false })
            _bodies.Add(body.Span);
    }

    /// <summary>Adds the words of a part of the text, and the part itself to a hash.</summary>
    private static void Scan(string text, TextSpan span, HashSet<uint> words, ref (ulong First, ulong Second) hash)
    {
        (ulong first, ulong second) = hash;
        uint word = HashSeed;
        bool isWord = false;
        for (int i = span.Start; i < span.End; i++)
        {
            char c = text[i];
            first = (first ^ c) * LongHashFactor;
            second = ((second << 5) | (second >> 59)) + ((c + 1UL) * MixFactor);
            if (c == '_' || (uint)(c - 'a') <= 'z' - 'a' || (uint)(c - 'A') <= 'Z' - 'A' || (uint)(c - '0') <= 9 || c > 127)
            {
                word = (word ^ c) * HashFactor;
                isWord = true;
            }
            else if (isWord)
            {
                words.Add(word);
                word = HashSeed;
                isWord = false;
            }
        }

        if (isWord)
            words.Add(word);
        hash = (first, second);
    }
}
