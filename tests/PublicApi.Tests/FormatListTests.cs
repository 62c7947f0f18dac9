using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters;
using Formatters.TestSupport;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace PublicApi.Tests;

/// <summary>A format is a folder and a row in each of two lists: docs/architecture.md, "Where to change what".</summary>
public class FormatListTests
{
    /// <summary>Where else CBOR is named, and why.</summary>
    private static readonly Dictionary<string, string> OtherFiles = new()
    {
        ["Formatters/Registry/WireFormat.cs"] = "the list of formats",
        ["Formatters/Shapes/ContractFormats.cs"] = "the list for attributes",
        ["Formatters.Generator/Model/WireFormats.cs"] = "the name in a sentence is not that of the list in lower case",
        ["Formatters/Wire/IntegerForm.cs"] = "the byte order of its integers",
        ["Formatters.Bench/Rows/GeneratedOrder.cs"] = "a contract in every format",
        ["Formatters.Bench/Rows/RowFormat.cs"] = "the bodies are checked in a way of their own",
        ["Formatters.AspNetCore/HttpFormattersOptions.cs"] = "the formats that are accepted unless others are chosen",
    };

    [Fact]
    public void A_format_is_named_only_in_its_folder_and_the_lists()
    {
        string source = Path.Combine(RepositoryFolder.Path, "src");
        string[] named = [.. Directory.EnumerateFiles(source, "*.cs", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(source, file).Replace('\\', '/'))
            .Where(static file => !file.StartsWith("Formatters/Cbor/", StringComparison.Ordinal))
            .Where(file => Names(File.ReadAllText(Path.Combine(source, file))).Any(static name => name.Contains("Cbor", StringComparison.Ordinal)))];
        Assert.Equal(OtherFiles.Keys.Order(StringComparer.Ordinal), named.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void No_two_formats_have_the_same_tags()
    {
        Assert.Distinct(WireFormat.All.Select(static format => format.Name));
        Assert.Distinct(WireFormat.All.Select(static format => format.ContentType));
        Assert.Distinct(WireFormat.All.Select(static format => format.BodyType));
        Assert.Distinct(WireFormat.All.Select(static format => format.Inspector));
        Assert.Distinct(WireFormat.All.Select(static format => format.DefaultOptions.GetType()));
        Assert.Distinct(typeof(BodyTypes).GetFields().Select(static field => field.GetValue(null)));
        Assert.Distinct(typeof(ContentTypes).GetFields().Select(static field => field.GetValue(null)));
    }

    [Fact]
    public void Every_contract_format_is_in_the_list() => Assert.Equal(
        Enum.GetValues<ContractFormats>().Where(static format => format != ContractFormats.None),
        WireFormat.All.Select(static format => format.ContractFormat).Where(static format => format != ContractFormats.None).Order());

    [Fact]
    public void Tags_agree_with_the_inspector() => Assert.All(WireFormat.All, static format => Assert.Equal(
        (format.Name, format.ContentType), (format.Inspector.Name, format.Inspector.ContentType)));

    private static IEnumerable<string> Names(string code) => CSharpSyntaxTree.ParseText(code, new CSharpParseOptions(preprocessorSymbols: ["NET"])).GetRoot()
        .DescendantTokens().Where(static token => token.IsKind(SyntaxKind.IdentifierToken)).Select(static token => token.ValueText);
}
