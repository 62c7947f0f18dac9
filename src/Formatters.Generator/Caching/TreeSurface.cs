using System;
using System.Collections.Generic;
using System.Globalization;
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
/// Found once for each tree, from the declarations and the words of the text: nothing is bound, and the nodes within members are not created. Words
/// are kept as hashes; two of the same hash only make a contract depend on a file that it does not use.
/// </remarks>
internal sealed class TreeSurface
{
    private const uint WordSeed = 2166136261;
    private const uint WordFactor = 16777619;

    private static readonly ConditionalWeakTable<SyntaxTree, TreeSurface> Known = new();

    private readonly string _text;
    private readonly HashSet<uint> _declared = [];
    private readonly HashSet<uint> _bases = [];
    private readonly HashSet<string> _namespaces = [];
    private readonly List<(uint, uint[])> _aliases = [];
    private readonly List<(TypeDeclarationSyntax, uint[])> _attributed = [];
    private readonly List<TextSpan> _bodies = [];

    private TreeSurface(SyntaxTree tree, CancellationToken cancellationToken)
    {
        var root = (CompilationUnitSyntax)tree.GetRoot(cancellationToken);
        _text = tree.GetText(cancellationToken).ToString();
        IsGlobal = root.AttributeLists.Count > 0 || root.Usings.Any(static u => !u.GlobalKeyword.IsKind(SyntaxKind.None));
        VisitAll(root.Usings, root.Members, "");

        // The path decides whether the file counts as generated, without nullable annotations.
        var options = (CSharpParseOptions)tree.Options;
        Fingerprint hash = Fingerprint.Empty.Append(tree.FilePath).Append((ulong)options.LanguageVersion);
        hash = options.PreprocessorSymbolNames.Concat(options.Features.Select(static f => f.Key + "=" + f.Value))
            .Aggregate(hash, static (h, text) => h.Append(text));
        var words = new HashSet<uint>();
        int start = 0;
        foreach (TextSpan body in _bodies)
        {
            // Distinguishes it from a method without a body.
            hash = Scan(TextSpan.FromBounds(start, body.Start), words, hash).Append(ulong.MaxValue);
            start = body.End;
        }

        Hash = Scan(TextSpan.FromBounds(start, _text.Length), words, hash);
        Mentioned = [.. words];
        _text = "";
    }

    /// <summary>Gets the names of the declared types, those of attributes in both forms.</summary>
    internal IReadOnlyCollection<uint> Declared => _declared;

    /// <summary>Gets all words outside the bodies of methods.</summary>
    internal uint[] Mentioned { get; }

    /// <summary>Gets the words in the lists of base types of classes.</summary>
    internal IReadOnlyCollection<uint> Bases => _bases;

    /// <summary>Gets the full names of the declared namespaces, and of those around them, each after a dot.</summary>
    internal IReadOnlyCollection<string> Namespaces => _namespaces;

    /// <summary>Gets the aliases, with the words of their targets.</summary>
    internal IReadOnlyList<(uint Name, uint[] Words)> Aliases => _aliases;

    /// <summary>Gets the declarations of types with attributes, and the last word of the name of each attribute.</summary>
    internal IReadOnlyList<(TypeDeclarationSyntax Type, uint[] Attributes)> Attributed => _attributed;

    /// <summary>
    /// Gets whether every file depends on it: it has global usings, attributes of the assembly, or types that the compiler or the parsers look for
    /// by their full name.
    /// </summary>
    internal bool IsGlobal { get; private set; }

    /// <summary>Gets the hash of the surface.</summary>
    internal Fingerprint Hash { get; }

    internal static TreeSurface Of(SyntaxTree tree, CancellationToken cancellationToken)
    {
        if (!Known.TryGetValue(tree, out TreeSurface? surface))
            surface = Known.GetValue(tree, t => new TreeSurface(t, cancellationToken));
        return surface;
    }

    /// <summary>Returns the hash of a word.</summary>
    internal static uint Word(string name) => name.Aggregate(WordSeed, static (hash, c) => (hash ^ c) * WordFactor);

    /// <summary>Returns the hash of a name, and that of the short form of the name of an attribute.</summary>
    internal static uint[] WordsOf(string name)
    {
        const string Suffix = "Attribute";
        return name.EndsWith(Suffix, StringComparison.Ordinal)
            ? [Word(name), Word(name.Substring(0, name.Length - Suffix.Length))]
            : [Word(name)];
    }

    private void VisitAll(SyntaxList<UsingDirectiveSyntax> usings, SyntaxList<MemberDeclarationSyntax> members, string space)
    {
        foreach (UsingDirectiveSyntax alias in usings.Where(static u => u.Alias is not null))
        {
            uint[] words = WordsIn(alias.NamespaceOrType);
            _aliases.AddRange(WordsOf(alias.Alias!.Name.Identifier.ValueText).Select(name => (name, words)));
        }

        foreach (MemberDeclarationSyntax member in members)
            Visit(member, space);
    }

    private void Visit(MemberDeclarationSyntax member, string space)
    {
        switch (member)
        {
            case BaseNamespaceDeclarationSyntax inner:
                VisitAll(inner.Usings, inner.Members, AddNamespace(inner.Name, space));
                break;
            case BaseTypeDeclarationSyntax type:
                Declare(type.Identifier, space);
                if (type is ClassDeclarationSyntax or RecordDeclarationSyntax && type.BaseList is not null)
                    _bases.UnionWith(WordsIn(type.BaseList));
                if (type is not TypeDeclarationSyntax declaration)
                    break;
                uint[] attributes = [.. type.AttributeLists.SelectMany(static l => l.Attributes).Select(static a => Word(LastName(a.Name)))];
                if (type is not InterfaceDeclarationSyntax && attributes.Length > 0)
                    _attributed.Add((declaration, attributes));
                foreach (MemberDeclarationSyntax inner in declaration.Members)
                    Visit(inner, space);
                break;
            case DelegateDeclarationSyntax type:
                Declare(type.Identifier, space);
                break;
            case GlobalStatementSyntax:
                _declared.Add(Word("Program"));
                AddBody(member);
                break;
            // Constructors and accessors count: they show which members are set, and from what.
            case BaseMethodDeclarationSyntax method and not ConstructorDeclarationSyntax:
                AddBody((SyntaxNode?)method.Body ?? method.ExpressionBody);
                break;
        }
    }

    private void Declare(SyntaxToken name, string space)
    {
        _declared.UnionWith(WordsOf(name.ValueText));
        IsGlobal |= space is ".Formatters" or ".System" || space.StartsWith(".System.", StringComparison.Ordinal);
    }

    private string AddNamespace(NameSyntax name, string outer)
    {
        string full = (name is QualifiedNameSyntax qualified ? AddNamespace(qualified.Left, outer) : outer) + "." + LastName(name);
        _namespaces.Add(full);
        return full;
    }

    private static string LastName(NameSyntax name) => name switch
    {
        QualifiedNameSyntax qualified => qualified.Right.Identifier.ValueText,
        AliasQualifiedNameSyntax qualified => qualified.Name.Identifier.ValueText,
        SimpleNameSyntax simple => simple.Identifier.ValueText,
        _ => "",
    };

    private void AddBody(SyntaxNode? body)
    {
        // Directives may reach beyond it.
        if (body is { ContainsDirectives: false })
            _bodies.Add(body.Span);
    }

    private uint[] WordsIn(SyntaxNode node)
    {
        var words = new HashSet<uint>();
        Scan(node.Span, words, default);
        return [.. words];
    }

    /// <summary>Adds the words of a part of the text, and appends the part itself to a hash.</summary>
    private Fingerprint Scan(TextSpan span, HashSet<uint> words, Fingerprint hash)
    {
        uint word = WordSeed;
        for (int i = span.Start; i < span.End; i++)
        {
            char c = _text[i];
            hash = hash.Append(c);
            if (c == '\\' && Unescape(i, span.End, out char escaped) is int length and > 0)
            {
                for (int last = i + length; i < last;)
                    hash = hash.Append(_text[++i]);
                c = escaped;
            }

            if (c == '_' || (uint)(c - 'a') <= 'z' - 'a' || (uint)(c - 'A') <= 'Z' - 'A' || (uint)(c - '0') <= 9
                || c > 127 && SyntaxFacts.IsIdentifierPartCharacter(c))
            {
                // The compiler ignores formatting characters in identifiers.
                if (c <= 127 || char.GetUnicodeCategory(c) != UnicodeCategory.Format)
                    word = (word ^ c) * WordFactor;
            }
            else if (word != WordSeed)
            {
                words.Add(word);
                word = WordSeed;
            }
        }

        if (word != WordSeed)
            words.Add(word);
        return hash;
    }

    /// <summary>Reads the escape of a character of an identifier: <c>\u0041</c> or <c>\U00000041</c>.</summary>
    /// <returns>How many characters follow the backslash; 0 if it is not one.</returns>
    private int Unescape(int start, int end, out char c)
    {
        c = '\\';
        int length = start + 1 == end ? 0 : _text[start + 1] switch { 'u' => 5, 'U' => 9, _ => 0 };
        if (length == 0 || start + length >= end
            || !int.TryParse(_text.Substring(start + 2, length - 1), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out int value)
            || value > char.MaxValue)
            return 0;
        c = (char)value;
        return length;
    }
}
