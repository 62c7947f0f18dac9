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

/// <summary>
/// The part of a source file that contracts can depend on: all of it except the bodies of methods, divided into its types and their surroundings.
/// </summary>
/// <remarks>
/// Found once for each tree, from the declarations and the words of the text: nothing is bound, and the nodes within members are not created. Words
/// are kept as hashes; two of the same hash only make a contract depend on a type that it does not use.
/// </remarks>
internal sealed class TreeSurface
{
    private const uint WordSeed = 2166136261;
    private const uint WordFactor = 16777619;

    private static readonly ConditionalWeakTable<SyntaxTree, TreeSurface> Known = new();

    private readonly string _text;
    private readonly HashSet<string> _namespaces = [];
    private readonly List<(uint, uint[])> _aliases = [];
    private readonly List<(MemberDeclarationSyntax Node, string Space, int SpaceNumber)> _types = [];
    private readonly List<TypeDeclarationSyntax> _attributedNodes = [];
    private readonly List<SurfacePart> _parts = [];
    private readonly HashSet<Fingerprint> _hashes = [];
    private readonly HashSet<uint> _words = [];
    private readonly HashSet<uint> _declared = [];
    private readonly HashSet<uint> _bases = [];
    private readonly List<AttributedType> _attributed = [];
    private readonly List<TextSpan> _bodies = [];
    private int _namespaceCount;
    private bool _isGlobal;

    private TreeSurface(SyntaxTree tree, CancellationToken cancellationToken)
    {
        var root = (CompilationUnitSyntax)tree.GetRoot(cancellationToken);
        _text = tree.GetText(cancellationToken).ToString();

        // The path decides whether the file counts as generated, without nullable annotations.
        var options = (CSharpParseOptions)tree.Options;
        Fingerprint file = Fingerprint.Empty.Append(tree.FilePath).Append((ulong)options.LanguageVersion);
        file = options.PreprocessorSymbolNames.Concat(options.Features.Select(static f => f.Key + "=" + f.Value))
            .Aggregate(file, static (h, text) => h.Append(text));
        AddSurroundings(root, file);
        DirectiveTriviaSyntax? directive = root.ContainsDirectives ? root.GetFirstDirective() : null;
        foreach ((MemberDeclarationSyntax node, string space, int spaceNumber) in _types)
        {
            // Directives count for all types after them.
            for (; directive is not null && directive.SpanStart < node.SpanStart; directive = directive.GetNextDirective())
                file = file.Append(_text.Substring(directive.SpanStart, directive.Span.Length));
            Visit(node, space);
            AddPart(SpanOf(node), file.Append(space).Append((ulong)spaceNumber), []);
        }

        _text = "";
    }

    /// <summary>Gets what is around the types, then the types that are not within others.</summary>
    internal IReadOnlyList<SurfacePart> Parts => _parts;

    /// <summary>Gets the nodes of the attributed types of all parts.</summary>
    internal IReadOnlyList<TypeDeclarationSyntax> AttributedNodes => _attributedNodes;

    /// <summary>Gets the full names of the declared namespaces, and of those around them, each after a dot.</summary>
    internal IReadOnlyCollection<string> Namespaces => _namespaces;

    /// <summary>Gets the aliases, with the words of their targets.</summary>
    internal IReadOnlyList<(uint Name, uint[] Words)> Aliases => _aliases;

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

    /// <summary>Adds what is around the types, and collects these.</summary>
    private void AddSurroundings(CompilationUnitSyntax root, Fingerprint file)
    {
        _isGlobal = root.AttributeLists.Count > 0 || root.Usings.Any(static u => !u.GlobalKeyword.IsKind(SyntaxKind.None));
        VisitAll(root.Usings, root.Members, "", 0);
        AddPart(new TextSpan(0, _text.Length), file.Append(ulong.MaxValue), _types.ConvertAll(static t => SpanOf(t.Node)));
    }

    private void VisitAll(SyntaxList<UsingDirectiveSyntax> usings, SyntaxList<MemberDeclarationSyntax> members, string space, int spaceNumber)
    {
        foreach (UsingDirectiveSyntax alias in usings.Where(static u => u.Alias is not null))
        {
            uint[] words = WordsIn(alias.NamespaceOrType);
            _aliases.AddRange(WordsOf(alias.Alias!.Name.Identifier.ValueText).Select(name => (name, words)));
        }

        foreach (MemberDeclarationSyntax member in members)
        {
            if (member is BaseNamespaceDeclarationSyntax inner)
                VisitAll(inner.Usings, inner.Members, AddNamespace(inner.Name, space), ++_namespaceCount);
            else if (member is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax)
                _types.Add((member, space, spaceNumber));
            else
                Visit(member, space);
        }
    }

    /// <summary>Returns the text of a type. Comments and directives at the beginning of the file are for all of it.</summary>
    private static TextSpan SpanOf(SyntaxNode type) =>
        type.FullSpan.Start == 0 ? TextSpan.FromBounds(type.SpanStart, type.FullSpan.End) : type.FullSpan;

    /// <summary>Adds what was visited since the last part, with its text except that of others, and except white space around it.</summary>
    private void AddPart(TextSpan span, Fingerprint hash, List<TextSpan> others)
    {
        int start = span.Start, end = span.End;
        while (start < end && char.IsWhiteSpace(_text[start]))
            start++;
        while (end > start && char.IsWhiteSpace(_text[end - 1]))
            end--;
        // The bodies of types are visited after their surroundings.
        foreach ((TextSpan omitted, bool isBody) in _bodies.Select(static b => (b, true)).Concat(others.Select(static o => (o, false)))
            .OrderBy(static o => o.Item1.Start))
        {
            hash = Scan(TextSpan.FromBounds(start, Math.Max(start, omitted.Start)), _words, hash);
            // Distinguishes it from a method without a body.
            if (isBody)
                hash = hash.Append(ulong.MaxValue);
            start = Math.Max(start, omitted.End);
        }

        hash = Scan(TextSpan.FromBounds(start, Math.Max(start, end)), _words, hash);
        while (!_hashes.Add(hash))
            hash = hash.Append(1);
        _parts.Add(SurfacePart.Intern(hash, h => new SurfacePart(h, [.. _declared], [.. _words], [.. _bases], [.. _attributed], _isGlobal)));
        _words.Clear();
        _declared.Clear();
        _bases.Clear();
        _attributed.Clear();
        _bodies.Clear();
        _isGlobal = false;
    }

    private void Visit(MemberDeclarationSyntax member, string space)
    {
        switch (member)
        {
            case BaseTypeDeclarationSyntax type:
                Declare(type.Identifier, space);
                if (type is ClassDeclarationSyntax or RecordDeclarationSyntax && type.BaseList is not null)
                    _bases.UnionWith(WordsIn(type.BaseList));
                if (type is not TypeDeclarationSyntax declaration)
                    break;
                uint[] attributes = [.. type.AttributeLists.SelectMany(static l => l.Attributes).Select(static a => Word(LastName(a.Name)))];
                if (type is not InterfaceDeclarationSyntax && attributes.Length > 0)
                {
                    _attributed.Add(new AttributedType(attributes));
                    _attributedNodes.Add(declaration);
                }

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
        _isGlobal |= space is ".Formatters" or ".System" || space.StartsWith(".System.", StringComparison.Ordinal) || IsAlias(name.ValueText);
    }

    /// <summary>Determines whether a name is an alias of generated files, so that no contract may be beside it.</summary>
    private static bool IsAlias(string name) => name.StartsWith("__", StringComparison.Ordinal) && ContractFile.Aliases.Contains(name);

    private string AddNamespace(NameSyntax name, string outer)
    {
        string full = (name is QualifiedNameSyntax qualified ? AddNamespace(qualified.Left, outer) : outer) + "." + LastName(name);
        _namespaces.Add(full);
        _isGlobal |= IsAlias(LastName(name));
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
