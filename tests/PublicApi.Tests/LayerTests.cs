using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Formatters.TestSupport;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Xunit;

namespace PublicApi.Tests;

/// <summary>The layers of src/Formatters, from the lowest: a type refers only to types of its own layer and of those below it. docs/architecture.md.</summary>
public partial class LayerTests
{
    private static readonly (string Name, Regex Files)[] Layers =
    [
        ("rules of contracts", new("^Shapes/")),
        ("errors, limits, primitives", new("^(Errors|Primitives|Polyfills)/")),
        ("buffers", new("^Buffers/")),
        ("declarations", new("^Contracts/")),
        ("base of the formatters", new("^[^/]+$")),
        ("readers and writers", new(
            "^(Binary/(BinaryBody(Reader|Writer|Options)|BinaryCodec|ContractMethods|ElementBlock|FormattedValue|IBinaryBody|BinaryCodec|Memory|Multidimensional)"
            + "|Versioned/UnknownMembers"
            + "|Wire/(IntegerForm|ITraversal|IWireFormat|TraversalOptions|WireCode|WireKeys|WireReader|WireWriter)"
            + "|MessagePack/(Packed|MessagePack(Body|Bytes|Code|Encoding|Header|Input|Numbers|Options|Type))"
            + "|Custom/(CustomWireFormat|ICustomWireFormat|WireValueKind)"
            + @"|(?<folder>\w+)/\k<folder>(Format|Head|Term)[.]"
            + "|Protobuf/(MessageParts|Packed|Timestamps|Protobuf(Body|Bytes|Codec|Encoding|Options|WireType)))")),
        ("generated contracts", new("^(Generated/|Wire/TraversedContract|MessagePack/Contracts/|Protobuf/(Codecs|Contracts|Schema)/)")),
        ("contracts by reflection", new("^(Reflection|Wire/Codecs|MessagePack/Codecs|Protobuf/Reflection)/")),
        ("formatters, inspectors, envelopes, registry", new("")),
    ];

    [Fact]
    public void Types_refer_to_no_higher_layer()
    {
        CSharpCompilation compilation = Compile(Path.Combine(RepositoryFolder.Path, "src", "Formatters"), out string root);
        Assert.Empty(compilation.GetDiagnostics().Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
        var layers = new Dictionary<INamedTypeSymbol, int>(SymbolEqualityComparer.Default);
        var wrong = new SortedSet<string>(StringComparer.Ordinal);
        foreach (SyntaxTree tree in compilation.SyntaxTrees)
        {
            SemanticModel model = compilation.GetSemanticModel(tree);
            foreach (SyntaxNode node in tree.GetRoot().DescendantNodes(static node => node is not UsingDirectiveSyntax))
            {
                if (node is not (SimpleNameSyntax or ElementAccessExpressionSyntax or BaseObjectCreationExpressionSyntax)
                    || Outermost(model.GetSymbolInfo(node).Symbol, compilation) is not INamedTypeSymbol to
                    || node.Ancestors().LastOrDefault(static node => node is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax) is not SyntaxNode declaration
                    || Outermost(model.GetDeclaredSymbol(declaration), compilation) is not INamedTypeSymbol from
                    || LayerOf(from) >= LayerOf(to))
                    continue;
                wrong.Add($"{from.Name} ({Layers[LayerOf(from)].Name}) refers to {to.Name} ({Layers[LayerOf(to)].Name}): "
                    + $"{NameOf(tree)}, line {tree.GetLineSpan(node.Span).StartLinePosition.Line + 1}");
            }
        }

        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
        Assert.Equal(Layers.Length, layers.Values.Distinct().Count());

        // A type may continue in the files of another layer.
        int LayerOf(INamedTypeSymbol type)
        {
            if (!layers.TryGetValue(type, out int layer))
            {
                string file = type.DeclaringSyntaxReferences.Select(reference => NameOf(reference.SyntaxTree))
                    .OrderBy(name => Path.GetFileNameWithoutExtension(name) != type.Name).ThenBy(static name => name.Length).ThenBy(static name => name).First();
                layers[type] = layer = Array.FindIndex(Layers, one => one.Files.IsMatch(file));
            }

            return layer;
        }

        string NameOf(SyntaxTree tree) => Path.GetRelativePath(root, tree.FilePath).Replace('\\', '/');
    }

    private static INamedTypeSymbol? Outermost(ISymbol? symbol, Compilation compilation)
    {
        INamedTypeSymbol? type = (symbol as INamedTypeSymbol ?? symbol?.ContainingType)?.OriginalDefinition;
        while (type?.ContainingType is INamedTypeSymbol outer)
            type = outer;
        return SymbolEqualityComparer.Default.Equals(type?.ContainingAssembly, compilation.Assembly) ? type : null;
    }

    private static CSharpCompilation Compile(string folder, out string root)
    {
        root = folder;
        int version = Environment.Version.Major;
        var options = new CSharpParseOptions(LanguageVersion.Preview, preprocessorSymbols:
            ["NET", $"NET{version}_0", .. Enumerable.Range(5, version - 4).Select(static number => $"NET{number}_0_OR_GREATER")]);
        return CSharpCompilation.Create(
            "Formatters",
            Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories).Select(file => CSharpSyntaxTree.ParseText(File.ReadAllText(file), options, file)),
            ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
                .Where(static file => Path.GetFileName(file).StartsWith("System.", StringComparison.Ordinal) || Path.GetFileName(file) is "netstandard.dll" or "mscorlib.dll")
                .Select(static file => MetadataReference.CreateFromFile(file)),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
    }
}
