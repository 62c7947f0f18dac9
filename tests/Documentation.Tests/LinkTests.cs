using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Xunit;

namespace Documentation.Tests;

/// <summary>Every link within the repository leads to a file, and to a heading in it.</summary>
public sealed partial class LinkTests
{
    public static TheoryData<string> Pages => [.. Repository.AllPages()];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Links_LeadSomewhere(string page)
    {
        foreach (Match link in Link().Matches(Code().Replace(File.ReadAllText(Path.Combine(Repository.Root, page)), "")))
        {
            string[] parts = link.Groups["to"].Value.Split('#');
            if (parts[0].StartsWith(Repository.BlobUrl, StringComparison.Ordinal))
                parts[0] = Path.GetRelativePath(Path.GetDirectoryName(Path.Combine(Repository.Root, page))!, Path.Combine(Repository.Root, parts[0][Repository.BlobUrl.Length..]));
            if (parts[0].Contains("://", StringComparison.Ordinal) || parts[0].StartsWith("mailto:", StringComparison.Ordinal))
                continue;
            string target = parts[0].Length == 0 ? Path.Combine(Repository.Root, page) : Path.Combine(Repository.Root, Path.GetDirectoryName(page)!, parts[0]);
            Assert.True(File.Exists(target) || Directory.Exists(target), $"{page} leads to {parts[0]}, which is not there.");
            if (parts.Length > 1 && target.EndsWith(".md", StringComparison.Ordinal))
                Assert.True(Headings(target).Contains(parts[1]), $"{page} leads to #{parts[1]} in {parts[0]}, which has no such heading.");
        }
    }

    /// <summary>Beside a package there is no repository: what its README links to is named by its whole address.</summary>
    [Fact]
    public void ReadmesOfPackages_HaveNoRelativeLinks()
    {
        string[] pages = [.. Repository.AllPages().Where(page => page.StartsWith("src/", StringComparison.Ordinal) && page.EndsWith("/README.md", StringComparison.Ordinal) && page.Split('/').Length == 3)];
        Assert.Contains("src/Formatters/README.md", pages);
        foreach (string page in pages)
        {
            Assert.All(
                Link().Matches(Code().Replace(File.ReadAllText(Path.Combine(Repository.Root, page)), "")).Select(link => link.Groups["to"].Value).Where(to => !to.StartsWith('#')),
                to => Assert.True(to.Contains("://", StringComparison.Ordinal), $"{page} leads to {to}: a relative link."));
        }
    }

    /// <summary>The anchors of a page: its headings in lower case, without punctuation, with hyphens for spaces.</summary>
    private static IEnumerable<string> Headings(string file) => Code().Replace(File.ReadAllText(file), "").Split('\n').Where(l => l.StartsWith('#'))
        .Select(l => NoLetter().Replace(l.TrimStart('#').Trim().ToLowerInvariant(), "").Replace(' ', '-'));

    [GeneratedRegex(@"\]\((?<to>[^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"^```.*?^```", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Code();

    [GeneratedRegex(@"[^\w\- ]")]
    private static partial Regex NoLetter();
}
