using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.Generator;

/// <summary>The files of a compilation, each with a hash of everything that its contracts may depend on.</summary>
/// <remarks>
/// A file depends on the words in it. A word depends on the namespaces of that name, on the files that declare a type of that name, and on those
/// whose classes may derive from it, directly or through an alias. The hash of a file covers its surface and all files that it depends on.
/// </remarks>
internal sealed class Surfaces
{
    private static readonly ConditionalWeakTable<Compilation, Surfaces> Known = new();
    private static readonly ConditionalWeakTable<object, object> Identities = new();
    private static long _identityCount;

    private readonly Dictionary<SyntaxTree, int> _indexes = [];
    private readonly Dictionary<uint, HashSet<uint>> _aliases = [];
    private readonly TreeSurface[] _trees;
    private readonly Fingerprint[] _hashes;
    private readonly Fingerprint _everywhere;

    private Surfaces(Compilation compilation, CancellationToken cancellationToken)
    {
        _trees = [.. compilation.SyntaxTrees.Select(t => TreeSurface.Of(t, cancellationToken))];
        foreach ((uint name, uint[] words) in _trees.SelectMany(static t => t.Aliases))
            Get(_aliases, name).UnionWith(words);
        foreach (SyntaxTree tree in compilation.SyntaxTrees)
            _indexes.Add(tree, _indexes.Count);
        _hashes = Close(EdgesOf(out Fingerprint[] own), own);
        Fingerprint references = HashReferences(compilation);
        _everywhere = _trees.Zip(_hashes, static (tree, hash) => (tree.IsGlobal, Hash: hash)).Where(static t => t.IsGlobal)
            .Aggregate(references, static (all, tree) => all.Append(tree.Hash));
        Whole = _trees.Aggregate(references, static (all, tree) => all.Append(tree.Hash));
    }

    /// <summary>Gets the hash of all files.</summary>
    internal Fingerprint Whole { get; }

    internal static Surfaces Of(Compilation compilation, CancellationToken cancellationToken)
    {
        if (!Known.TryGetValue(compilation, out Surfaces? surfaces))
            surfaces = Known.GetValue(compilation, c => new Surfaces(c, cancellationToken));
        return surfaces;
    }

    /// <summary>Returns the hash of everything that what is declared in a file may depend on.</summary>
    internal Fingerprint HashOf(SyntaxTree tree) => _everywhere.Append(_hashes[_indexes[tree]]);

    /// <summary>Returns the position of a file in the compilation.</summary>
    internal int IndexOf(SyntaxTree tree) => _indexes[tree];

    /// <summary>Returns the declarations that may have an attribute, by its name or an alias.</summary>
    internal IEnumerable<TypeDeclarationSyntax> TypesWith(uint[] names) =>
        _trees.SelectMany(static t => t.Attributed)
        .Where(a => a.Attributes.Any(n => names.Contains(n) || _aliases.TryGetValue(n, out HashSet<uint>? words) && words.Overlaps(names)))
        .Select(static a => a.Type);

    /// <summary>
    /// Hashes the name and the references of a compilation. References are numbered, so that entries do not keep referenced projects in memory.
    /// </summary>
    private static Fingerprint HashReferences(Compilation compilation)
    {
        Fingerprint hash = Fingerprint.Empty.Append(compilation.AssemblyName ?? "");
        foreach (MetadataReference reference in compilation.ExternalReferences)
        {
            object identity = Identities.GetValue(
                reference is CompilationReference project ? project.Compilation : reference, static _ => Interlocked.Increment(ref _identityCount));
            hash = reference.Properties.Aliases.Aggregate(
                hash.Append((ulong)(long)identity).Append(reference.Properties.EmbedInteropTypes ? 1UL : 0), static (h, alias) => h.Append(alias));
        }

        return hash;
    }

    /// <summary>Creates the graph: a node for each file, then one for each word that something depends on, with their own hashes.</summary>
    private int[][] EdgesOf(out Fingerprint[] own)
    {
        var declaring = new Dictionary<uint, List<int>>();
        for (int i = 0; i < _trees.Length; i++)
        {
            foreach (uint name in _trees[i].Declared)
                Get(declaring, name).Add(i);
        }

        for (int i = 0; i < _trees.Length; i++)
        {
            foreach (uint name in ExpandAliases(_trees[i].Bases))
            {
                if (declaring.TryGetValue(name, out List<int>? trees))
                    trees.Add(i);
            }
        }

        var spaces = new Dictionary<uint, Fingerprint>();
        foreach (string space in _trees.SelectMany(static t => t.Namespaces).Distinct())
        {
            uint name = TreeSurface.Word(space.Substring(space.LastIndexOf('.') + 1));
            spaces.TryGetValue(name, out Fingerprint hash);
            spaces[name] = hash + Fingerprint.Empty.Append(space);
            Get(declaring, name);
        }

        var words = declaring.Keys.Select((name, i) => (Name: name, Index: _trees.Length + i)).ToDictionary(static w => w.Name, static w => w.Index);
        own = [.. _trees.Select(static t => t.Hash),
            .. declaring.Keys.Select(name => spaces.TryGetValue(name, out Fingerprint hash) ? hash : default)];
        return [.. _trees.Select(t => t.Mentioned.Where(words.ContainsKey).Select(name => words[name]).ToArray()),
            .. declaring.Values.Select(static trees => trees.ToArray())];
    }

    /// <summary>Returns words, and the words of what they are aliases of.</summary>
    private IEnumerable<uint> ExpandAliases(IReadOnlyCollection<uint> words)
    {
        if (_aliases.Count == 0)
            return words;
        var all = new HashSet<uint>(words);
        var open = new Stack<uint>(words);
        while (open.Count > 0)
        {
            if (_aliases.TryGetValue(open.Pop(), out HashSet<uint>? aliased))
            {
                foreach (uint word in aliased.Where(all.Add))
                    open.Push(word);
            }
        }

        return all;
    }

    /// <summary>
    /// Hashes each node of a graph with everything that can be reached from it, by Tarjan's algorithm: nodes that reach each other have the same
    /// hash.
    /// </summary>
    private static Fingerprint[] Close(int[][] edges, Fingerprint[] own)
    {
        var hashes = new Fingerprint[own.Length];
        var isClosed = new bool[own.Length];
        var numbers = new int[own.Length];
        var lowest = new int[own.Length];
        var next = new int[own.Length];
        var path = new Stack<int>();
        var open = new Stack<int>();
        int count = 0;
        for (int start = 0; start < own.Length; start++)
        {
            if (numbers[start] == 0)
                Enter(start);
            while (path.Count > 0)
            {
                int node = path.Peek();
                if (next[node] < edges[node].Length)
                {
                    int target = edges[node][next[node]++];
                    if (numbers[target] == 0)
                        Enter(target);
                    else if (!isClosed[target])
                        lowest[node] = Math.Min(lowest[node], numbers[target]);
                    continue;
                }

                path.Pop();
                if (path.Count > 0)
                    lowest[path.Peek()] = Math.Min(lowest[path.Peek()], lowest[node]);
                if (lowest[node] == numbers[node])
                    CloseFrom(node);
            }
        }

        return hashes;

        void Enter(int node)
        {
            numbers[node] = lowest[node] = ++count;
            path.Push(node);
            open.Push(node);
        }

        void CloseFrom(int first)
        {
            var members = new List<int>();
            do
                members.Add(open.Pop());
            while (members[members.Count - 1] != first);
            // Parts of a type count in the order of the compilation.
            members.Sort();
            Fingerprint hash = Fingerprint.Empty, successors = default;
            foreach (int member in members)
            {
                hash = hash.Append(own[member]);
                foreach (int target in edges[member].Where(t => isClosed[t]))
                    successors += hashes[target];
            }

            hash = hash.Append(successors);
            foreach (int member in members)
            {
                hashes[member] = hash;
                isClosed[member] = true;
            }
        }
    }

    private static TValue Get<TValue>(Dictionary<uint, TValue> all, uint name)
        where TValue : new()
    {
        if (!all.TryGetValue(name, out TValue? value))
            all.Add(name, value = new TValue());
        return value;
    }
}
