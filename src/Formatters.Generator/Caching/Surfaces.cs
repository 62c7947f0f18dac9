using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>The files of a compilation, and which of them depend on which.</summary>
internal sealed class Surfaces
{
    /// <summary>The types that the parsers look for without a file that mentions them.</summary>
    private static readonly uint[] LookedFor = [TreeSurface.Hash("JsonFormatter"), TreeSurface.Hash("UnsafeAccessorAttribute")];

    private static readonly ConditionalWeakTable<Compilation, Surfaces> Known = new();

    private readonly TreeSurface[] _trees;
    private readonly Dictionary<SyntaxTree, int> _indexes = [];
    private readonly Dictionary<uint, List<int>> _declaring = [];
    private readonly Dictionary<uint, List<int>> _deriving = [];
    private readonly List<int> _global = [];
    private readonly ConcurrentDictionary<int, TreeSurface[]> _dependencies = new();

    private Surfaces(Compilation compilation, CancellationToken cancellation)
    {
        _trees = [.. compilation.SyntaxTrees.Select(t => TreeSurface.Of(t, cancellation))];
        int index = 0;
        foreach (SyntaxTree tree in compilation.SyntaxTrees)
        {
            _indexes[tree] = index;
            Add(_declaring, _trees[index].Declared);
            Add(_deriving, _trees[index].Bases);
            if (_trees[index].IsGlobal)
                _global.Add(index);
            index++;
        }

        void Add(Dictionary<uint, List<int>> all, uint[] names)
        {
            foreach (uint name in names)
            {
                if (!all.TryGetValue(name, out List<int>? trees))
                    all.Add(name, trees = []);
                trees.Add(index);
            }
        }
    }

    internal static Surfaces Of(Compilation compilation, CancellationToken cancellation)
    {
        if (!Known.TryGetValue(compilation, out Surfaces? surfaces))
            surfaces = Known.GetValue(compilation, c => new Surfaces(c, cancellation));
        return surfaces;
    }

    /// <summary>
    /// Returns the files that what is declared in a file may depend on, itself among them, in the order of the compilation: those with a type of a
    /// name that it mentions, those with types derived from one of its own, and their dependencies.
    /// </summary>
    internal TreeSurface[] DependenciesOf(SyntaxTree tree) => _dependencies.GetOrAdd(_indexes[tree], Find);

    private TreeSurface[] Find(int start)
    {
        var isFound = new bool[_trees.Length];
        var open = new Stack<int>();
        Visit(_global);
        VisitAll(_declaring, LookedFor);
        Visit([start]);
        while (open.Count > 0)
        {
            TreeSurface tree = _trees[open.Pop()];
            VisitAll(_declaring, tree.Mentioned);
            VisitAll(_deriving, tree.Declared);
        }

        return [.. _trees.Where((_, i) => isFound[i])];

        void VisitAll(Dictionary<uint, List<int>> all, uint[] names)
        {
            foreach (uint name in names)
            {
                if (all.TryGetValue(name, out List<int>? trees))
                    Visit(trees);
            }
        }

        void Visit(List<int> trees)
        {
            foreach (int tree in trees)
            {
                if (!isFound[tree])
                {
                    isFound[tree] = true;
                    open.Push(tree);
                }
            }
        }
    }
}
