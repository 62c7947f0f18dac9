using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Xunit;

namespace Documentation.Tests;

/// <summary>Tests that the lines of the sources are at most as long as <c>max_line_length</c> in .editorconfig.</summary>
public sealed class LineLengthTests
{
    private const int MaxLineLength = 150;

    /// <summary>The folder of src that still has longer lines.</summary>
    private const string Excluded = "Formatters.Tool";

    [Fact]
    public void Sources_HaveNoLongerLines()
    {
        string[] others = [Path.Combine(Repository.Root, "samples", "TradeEngine"), Path.Combine(Repository.Root, "benchmarks")];
        List<string> tooLong =
        [
            .. from folder in Directory.EnumerateDirectories(Path.Combine(Repository.Root, "src")).Concat(others)
               where Path.GetFileName(folder) != Excluded
               from file in Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
               from line in File.ReadLines(file).Select(static (text, index) => (text.Length, Number: index + 1))
               where line.Length > MaxLineLength
               select $"{Path.GetRelativePath(Repository.Root, file)}({line.Number}): {line.Length} columns",
        ];
        Assert.True(tooLong.Count == 0, $"Lines have at most {MaxLineLength} columns:\n{string.Join('\n', tooLong)}");
    }

    [Fact]
    public void EditorConfig_HasTheSameLimit() =>
        Assert.Contains($"max_line_length = {MaxLineLength}", File.ReadLines(Path.Combine(Repository.Root, ".editorconfig")), StringComparer.Ordinal);
}
