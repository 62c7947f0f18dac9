using System;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Xunit;

namespace Documentation.Tests;

/// <summary>Every piece of C# in the pages compiles.</summary>
public sealed class SnippetTests
{
    public static TheoryData<string> Pages => [.. Repository.Pages().Where(static page => !page.StartsWith("docs/diagnostics/", StringComparison.Ordinal))];

    public static TheoryData<string> DiagnosticPages => [.. Repository.Pages("docs/diagnostics")];

    [Theory]
    [MemberData(nameof(Pages))]
    public async Task Code_Compiles(string page)
    {
        foreach ((string code, int line) in Repository.Snippets(page))
        {
            var errors = await new Snippet(code).CompileAsync(Contexts.Of(page));
            Assert.True(errors.Count == 0, $"{page}, line {line} (Contexts.cs says what it takes for granted):\n{string.Join('\n', errors.Select(static error => error.GetMessage(null) + " in: " + Excerpt(error)))}");
        }
    }

    /// <summary>Of a page of a diagnostic, each part of the code compiles by itself; the part that the page marks has the diagnostic on that line, the others have none.</summary>
    [Theory]
    [MemberData(nameof(DiagnosticPages))]
    public async Task Diagnostics_AreWhereThePageSaysSo(string page)
    {
        string id = page.Split('/')[^1].Split('.')[0];
        foreach ((string code, int line) in Repository.Snippets(page))
        {
            foreach (string part in code.Split("\n\n"))
            {
                var found = await new Snippet(part).CompileAsync(Contexts.Of(page), Contexts.SchemaOf(page));
                string[] expected = [.. part.Split('\n').Where(text => text.Contains("// " + id, StringComparison.Ordinal)).Select(text => id + " in: " + text.Trim())];
                Assert.Equal(expected, found.Select(diagnostic => (diagnostic.Id == id ? id : diagnostic.ToString()) + " in: " + Excerpt(diagnostic)).Distinct());
            }
        }
    }

    [Fact]
    public void Contexts_AreThoseOfPagesWithCode() => Assert.Empty(Contexts.Pages.Except(Repository.Pages()));

    private static string Excerpt(Diagnostic error) => error.Location.SourceTree?.GetText().Lines[error.Location.GetLineSpan().StartLinePosition.Line].ToString().Trim() ?? "";
}
