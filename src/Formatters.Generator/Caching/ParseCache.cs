using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Formatters.Generator;

/// <summary>
/// Parses the types with an attribute, and returns the earlier result of a type if nothing that it depends on has changed: the compiler asks for all
/// of them after every edit, and binding attributes and members takes much longer than comparing files.
/// </summary>
internal sealed class ParseCache<T>(string attribute, Func<ParseTarget, CancellationToken, T> parse)
    where T : class, IParsed
{
    private readonly uint[] _names = TreeSurface.WordsOf(attribute.Substring(attribute.LastIndexOf('.') + 1));

    /// <summary>The results by the name of the assembly: projects may share files.</summary>
    private readonly ConcurrentDictionary<string, ConditionalWeakTable<AttributedType, Entry>> _entries = new();

    /// <summary>Returns the results in the order of the declarations. Their file names differ by more than case.</summary>
    internal ImmutableArray<T> Parse(Compilation compilation, CancellationToken cancellationToken)
    {
        Surfaces surfaces = Surfaces.Of(compilation, cancellationToken);
        ConditionalWeakTable<AttributedType, Entry> entries = _entries.GetOrAdd(compilation.AssemblyName ?? "", static _ => new());
        var names = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        var results = ImmutableArray.CreateBuilder<T>();
        foreach ((AttributedType type, TypeDeclarationSyntax node, Fingerprint hash) in surfaces.TypesWith(_names))
        {
            if (!entries.TryGetValue(type, out Entry? entry) || !entry.IsFor(compilation, surfaces, hash))
            {
                ParseTarget? target = Find(node, compilation, surfaces, cancellationToken);
                entry = new Entry(target is null ? null : parse(target, cancellationToken), hash, surfaces.Whole, compilation.Options);
                entries.Remove(type);
                entries.GetValue(type, _ => entry);
            }

            if (entry.Result is not { } result)
                continue;
            // Two files have the same name only if the source does not compile.
            while (result.HintName is string name && !names.Add(name))
                result = (T)result.WithHintName("_" + name);
            results.Add(result);
        }

        return results.ToImmutable();
    }

    /// <summary>
    /// Finds the attribute of a type. Null if the declaration is not the first part of the type with it: the file is generated for that one, with
    /// the attributes of all parts.
    /// </summary>
    private ParseTarget? Find(TypeDeclarationSyntax node, Compilation compilation, Surfaces surfaces, CancellationToken cancellationToken)
    {
        if (compilation.GetSemanticModel(node.SyntaxTree).GetDeclaredSymbol(node,
            cancellationToken) is not INamedTypeSymbol { Name.Length: > 0 } type)
            return null;
        // The order in which the compiler returns the attributes of partial declarations depends on earlier edits.
        AttributeData? found = type.GetAttributes().Where(a => a.AttributeClass?.FullName() == attribute && a.ApplicationSyntaxReference is not null)
            .OrderBy(a => surfaces.IndexOf(a.ApplicationSyntaxReference!.SyntaxTree)).ThenBy(static a => a.ApplicationSyntaxReference!.Span.Start)
            .FirstOrDefault();
        return found is not null && ContractParser.PartWith(found, cancellationToken) == node ? new ParseTarget(compilation, type, node, found)
            : null;
    }

    private sealed record Entry(T? Result, Fingerprint Hash, Fingerprint Whole, CompilationOptions Options)
    {
        // An edit in a body, or of another type, moves the locations of diagnostics.
        internal bool IsFor(Compilation compilation, Surfaces surfaces, Fingerprint hash) =>
            hash == Hash && (Result is not { Report.DependsOnAll: true } || surfaces.Whole == Whole) && Options.Equals(compilation.Options)
            && Result?.Report.IsIn(compilation) != false;
    }
}

/// <summary>A declaration of a type with an attribute, to be parsed.</summary>
internal sealed record ParseTarget(Compilation Compilation, INamedTypeSymbol Type, TypeDeclarationSyntax Node, AttributeData Attribute);

/// <summary>The result of parsing an attribute.</summary>
internal interface IParsed
{
    /// <summary>Gets the diagnostics to report.</summary>
    Report Report { get; }

    /// <summary>Gets the name of the generated file; null if there is none.</summary>
    string? HintName { get; }

    /// <summary>Returns a copy with another file name.</summary>
    IParsed WithHintName(string name);
}
