using System;
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

/// <summary>
/// Returns the result of parsing an attribute again as long as nothing that it depends on has changed: the compiler asks for all of them after every
/// edit, and binding the members of every contract takes much longer than comparing files.
/// </summary>
internal sealed class ParseCache<T>(Func<GeneratorAttributeSyntaxContext, CancellationToken, T> parse)
    where T : class, IParsed
{
    private readonly ConditionalWeakTable<SyntaxTree, ConcurrentDictionary<int, Entry>> _entries = new();

    internal T Parse(GeneratorAttributeSyntaxContext context, CancellationToken cancellation)
    {
        Compilation compilation = context.SemanticModel.Compilation;
        TreeSurface[] dependencies = Surfaces.Of(compilation, cancellation).DependenciesOf(context.TargetNode.SyntaxTree);
        ConcurrentDictionary<int, Entry> entries = _entries.GetOrCreateValue(context.TargetNode.SyntaxTree);
        if (entries.TryGetValue(context.TargetNode.SpanStart, out Entry? entry) && entry.IsFor(compilation, dependencies))
            return entry.Result;
        T result = parse(context, cancellation);
        entries[context.TargetNode.SpanStart] = new Entry(
            result, dependencies, compilation.ExternalReferences, compilation.Options, compilation.AssemblyName);
        return result;
    }

    private sealed record Entry(T Result, TreeSurface[] Dependencies, ImmutableArray<MetadataReference> References, CompilationOptions Options,
        string? AssemblyName)
    {
        internal bool IsFor(Compilation compilation, TreeSurface[] dependencies) => AssemblyName == compilation.AssemblyName
            && Options.Equals(compilation.Options)
            && (References == compilation.ExternalReferences || References.SequenceEqual(compilation.ExternalReferences))
            && dependencies.Length == Dependencies.Length && HasSame(dependencies)
            && Result.Report.IsIn(compilation);

        // Diagnostics have locations, which an edit in a body moves.
        private bool HasSame(TreeSurface[] dependencies)
        {
            bool isExact = !Result.Report.Diagnostics.IsEmpty;
            for (int i = 0; i < dependencies.Length; i++)
            {
                if (isExact ? !ReferenceEquals(dependencies[i], Dependencies[i]) : !dependencies[i].IsSame(Dependencies[i]))
                    return false;
            }

            return true;
        }
    }
}

/// <summary>The result of parsing an attribute.</summary>
internal interface IParsed
{
    /// <summary>Gets the diagnostics to report.</summary>
    Report Report { get; }
}
