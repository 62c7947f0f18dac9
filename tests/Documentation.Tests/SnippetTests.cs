using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Xunit;

namespace Documentation.Tests;

/// <summary>Every piece of C# in the pages compiles.</summary>
public sealed class SnippetTests
{
    /// <summary>Packages that are not among those of this repository: their adapters are built elsewhere.</summary>
    private static readonly string[] OtherPackages =
    [
        "src/adapters/Formatters.ExperimentalMessaging/README.md", "src/adapters/Formatters.MessagePack/README.md", "src/adapters/Formatters.ProtobufNet/README.md",
    ];

    public static TheoryData<string> Pages => [.. Repository.Pages().Where(static page => !page.StartsWith("docs/diagnostics/", StringComparison.Ordinal)).Except(OtherPackages)];

    /// <summary>FMT2xx and FMT3xx compare with another version of the contract or with other serializers: their tests have these.</summary>
    public static TheoryData<string> DiagnosticPages => [.. Repository.Pages("docs/diagnostics").Where(static page => page.StartsWith("docs/diagnostics/FMT0", StringComparison.Ordinal) || page.StartsWith("docs/diagnostics/FMT1", StringComparison.Ordinal))];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Code_Compiles(string page)
    {
        Assert.True(Contexts.All.ContainsKey(page), "The page has code: Contexts.cs says what it takes for granted.");
        foreach ((string code, int line) in Repository.Snippets(page))
        {
            var errors = new Snippet(code).Compile(Contexts.All[page]);
            Assert.True(errors.Count == 0, $"{page}, line {line}:\n{string.Join('\n', errors.Select(static error => error.GetMessage(null) + " in: " + Excerpt(error)))}");
        }
    }

    /// <summary>Of a page of a diagnostic, each part of the code compiles by itself; the part that the page marks has the diagnostic on that line, the others have none.</summary>
    [Theory]
    [MemberData(nameof(DiagnosticPages))]
    public void Diagnostics_AreWhereThePageSaysSo(string page)
    {
        string id = page.Split('/')[^1].Split('.')[0];
        foreach ((string code, int line) in Repository.Snippets(page))
        {
            foreach (string part in code.Split("\n\n"))
            {
                var found = new Snippet(part).Compile(Contexts.All.GetValueOrDefault(page) ?? new Snippet(""));
                string[] expected = [.. part.Split('\n').Where(text => text.Contains("// " + id, StringComparison.Ordinal)).Select(text => id + " in: " + text.Trim())];
                Assert.Equal(expected, found.Select(diagnostic => (diagnostic.Id == id ? id : diagnostic.ToString()) + " in: " + Excerpt(diagnostic)).Distinct());
            }
        }
    }

    [Fact]
    public void Contexts_AreThoseOfPagesWithCode() => Assert.Empty(Contexts.All.Keys.Except(Repository.Pages()));

    private static string Excerpt(Diagnostic error) => error.Location.SourceTree?.GetText().Lines[error.Location.GetLineSpan().StartLinePosition.Line].ToString().Trim() ?? "";
}
