using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Xml.Linq;
using Formatters.TestSupport;

namespace Documentation.Tests;

/// <summary>The pages of the repository.</summary>
internal static class Repository
{
    internal static string Root { get; } = RepositoryFolder.Path;

    /// <summary>Where a file of the repository is for somebody who has only a package.</summary>
    internal static string BlobUrl { get; } =
        XDocument.Load(Path.Combine(Root, "Directory.Build.props")).Descendants("RepositoryUrl").Single().Value + "/blob/main/";

    /// <summary>The pages with code in C#, by their paths.</summary>
    internal static IEnumerable<string> Pages(string folder = "") => AllPages(folder).Where(static page => Snippets(page).Any());

    /// <summary>All pages, by their paths.</summary>
    internal static IEnumerable<string> AllPages(string folder = "") =>
        from path in Directory.EnumerateFiles(Path.Combine(Root, folder), "*.md", SearchOption.AllDirectories)
        let page = Path.GetRelativePath(Root, path).Replace('\\', '/')
        where !page.Split('/').Any(static part => part is "node_modules" or "artifacts" || part.StartsWith('.'))
        orderby page
        select page;

    /// <summary>The pieces of C# in a page, and the line on which each begins.</summary>
    internal static IEnumerable<(string Code, int Line)> Snippets(string page)
    {
        string[] lines = File.ReadAllLines(Path.Combine(Root, page));
        for (int i = 0; i < lines.Length; i++)
        {
            if (lines[i] != "```csharp")
                continue;
            int start = ++i;
            while (lines[i] != "```")
                i++;
            yield return (string.Join('\n', lines[start..i]), start + 1);
        }
    }
}
