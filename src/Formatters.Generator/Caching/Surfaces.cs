using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.Generator;

/// <summary>The types of a compilation, each with a hash of everything that its contract may depend on.</summary>
/// <remarks>
/// A type depends on the words in it, and on what is around it in its file. A word depends on the namespaces of that name, on the types of that name,
/// and on those whose classes may derive from it, directly or through an alias. The hash of a type covers it and everything that it depends on.
/// </remarks>
internal sealed class Surfaces
{
    private static readonly ConditionalWeakTable<Compilation, Surfaces> Known = new();
    private static readonly ConditionalWeakTable<object, object> Identities = new();
    private static long _identityCount;

    private readonly Dictionary<SyntaxTree, int> _indexes = [];
    private readonly Dictionary<uint, HashSet<uint>> _aliases = [];
    private readonly TreeSurface[] _trees;

    /// <summary>The parts of all trees.</summary>
    private readonly SurfacePart[] _parts;

    /// <summary>The index of the first part of the tree of each part: what is around it.</summary>
    private readonly int[] _surroundings;
    private readonly Fingerprint[] _hashes;

    private Surfaces(Compilation compilation, CancellationToken cancellationToken)
    {
        _trees = [.. compilation.SyntaxTrees.Select(t => TreeSurface.Of(t, cancellationToken))];
        foreach ((uint name, uint[] words) in _trees.SelectMany(static t => t.Aliases))
            Get(_aliases, name).UnionWith(words);
        foreach (SyntaxTree tree in compilation.SyntaxTrees)
            _indexes.Add(tree, _indexes.Count);
        _parts = [.. _trees.SelectMany(static t => t.Parts)];
        _surroundings = new int[_parts.Length];
        int start = 0;
        foreach (TreeSurface tree in _trees)
        {
            for (int i = 0; i < tree.Parts.Count; i++)
                _surroundings[start + i] = start;
            start += tree.Parts.Count;
        }

        Fingerprint[] closed = Close(EdgesOf(out Fingerprint[] own), own);
        Fingerprint everywhere = HashReferences(compilation);
        Whole = _parts.Aggregate(everywhere, static (all, part) => all.Append(part.Hash));
        for (int i = 0; i < _parts.Length; i++)
        {
            if (_parts[i].IsGlobal)
                everywhere = everywhere.Append(closed[i]);
        }

        // The same part of two files with the same path is not the same declaration.
        var counts = new Dictionary<SurfacePart, ulong>();
        _hashes = new Fingerprint[_parts.Length];
        for (int i = 0; i < _parts.Length; i++)
        {
            counts.TryGetValue(_parts[i], out ulong count);
            counts[_parts[i]] = count + 1;
            _hashes[i] = everywhere.Append(closed[i]).Append(count);
        }
    }

    /// <summary>Gets the hash of all files.</summary>
    internal Fingerprint Whole { get; }

    internal static Surfaces Of(Compilation compilation, CancellationToken cancellationToken)
    {
        if (!Known.TryGetValue(compilation, out Surfaces? surfaces))
            surfaces = Known.GetValue(compilation, c => new Surfaces(c, cancellationToken));
        return surfaces;
    }

    /// <summary>Returns the position of a file in the compilation.</summary>
    internal int IndexOf(SyntaxTree tree) => _indexes[tree];

    /// <summary>
    /// Returns the declarations that may have an attribute, by its name or an alias, each with the hash of everything that it may depend on.
    /// </summary>
    internal IEnumerable<(AttributedType Type, TypeDeclarationSyntax Node, Fingerprint Hash)> TypesWith(uint[] names)
    {
        int part = 0;
        foreach (TreeSurface tree in _trees)
        {
            int node = 0;
            for (int i = 0; i < tree.Parts.Count; i++, part++)
            {
                foreach (AttributedType type in tree.Parts[i].Attributed)
                {
                    if (Array.Exists(type.Attributes, n => Array.IndexOf(names, n) >= 0
                        || _aliases.TryGetValue(n, out HashSet<uint>? words) && words.Overlaps(names)))
                        yield return (type, tree.AttributedNodes[node], _hashes[part]);
                    node++;
                }
            }
        }
    }

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

    /// <summary>Creates the graph: a node for each part, then one for each word that something depends on, with their own hashes.</summary>
    private int[][] EdgesOf(out Fingerprint[] own)
    {
        var declaring = new Dictionary<uint, List<int>>();
        for (int i = 0; i < _parts.Length; i++)
        {
            foreach (uint name in _parts[i].Declared)
                Get(declaring, name).Add(i);
        }

        for (int i = 0; i < _parts.Length; i++)
        {
            foreach (uint name in ExpandAliases(_parts[i].Bases))
            {
                if (declaring.TryGetValue(name, out List<int>? parts))
                    parts.Add(i);
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

        var words = new Dictionary<uint, int>(declaring.Count);
        foreach (uint name in declaring.Keys)
            words.Add(name, _parts.Length + words.Count);
        own = [.. _parts.Select(static p => p.Hash),
            .. declaring.Keys.Select(name => spaces.TryGetValue(name, out Fingerprint hash) ? hash : default)];
        var edges = new int[own.Length][];
        var targets = new List<int>();
        for (int i = 0; i < _parts.Length; i++)
        {
            targets.Clear();
            if (_surroundings[i] != i)
                targets.Add(_surroundings[i]);
            foreach (uint name in _parts[i].Mentioned)
            {
                if (words.TryGetValue(name, out int index))
                    targets.Add(index);
            }

            edges[i] = [.. targets];
        }

        foreach (KeyValuePair<uint, List<int>> word in declaring)
            edges[words[word.Key]] = [.. word.Value];
        return edges;
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
                foreach (int target in edges[member])
                {
                    if (isClosed[target])
                        successors += hashes[target];
                }
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
