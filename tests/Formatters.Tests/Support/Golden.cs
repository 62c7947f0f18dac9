using System;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Formatters.TestSupport;

namespace Formatters.Tests.Support;

/// <summary>Bodies that were written once and are kept for ever: tests/golden.</summary>
internal static class Golden
{
    public static string Directory(string folder) => Path.Combine(RepositoryFolder.Path, "tests", "golden", folder);

    public static byte[] Read(string folder, string file) => File.ReadAllBytes(Path.Combine(Directory(folder), file));

    /// <summary>The bodies that README.md names as not written again byte for byte.</summary>
    public static string[] NotRewritten() =>
    [
        .. from line in File.ReadLines(Path.Combine(Directory(""), "README.md")).SkipWhile(static line => line != "## Not written again byte for byte")
           where line.StartsWith("| `", StringComparison.Ordinal)
           from Match file in Regex.Matches(line.Split('|')[1], "`([^`]+)`")
           select file.Groups[1].Value,
    ];
}
