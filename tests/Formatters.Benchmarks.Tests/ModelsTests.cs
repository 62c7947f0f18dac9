using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Benchmarks.Models;
using Formatters.Benchmarks.Ratios;
using Formatters.Benchmarks.Rows;
using Xunit;

namespace Formatters.Benchmarks.Tests;

public class ModelsTests
{
    /// <summary>Every library carries every model; those that cannot are named here, with what they say.</summary>
    [Fact]
    public void Every_row_reads_what_it_has_written()
    {
        var leftOut = new List<string>();
        foreach (Model model in Model.All)
        {
            IReadOnlyList<RatioCase[]> groups = model.CreateCases(leftOut);
            Assert.Equal([RowOperation.Write, RowOperation.Read], groups.Select(static group => group[0].Operation));
            Assert.All(groups, static group => Assert.Equal(Model.Baseline, group[0].Name));
            Assert.Equal(Model.Rows.Count - leftOut.Count(line => line.StartsWith(model.Name + ": ", StringComparison.Ordinal)), groups[0].Length);
        }

        Assert.Empty(leftOut);
    }

    [Fact]
    public void Formats_with_the_same_bytes_have_the_same_length()
    {
        foreach (Model model in Model.All)
        {
            Dictionary<string, int> lengths = model.CreateCases([])[0].ToDictionary(static row => row.Name, static row => row.ByteCount);
            Assert.Equal(lengths["MessagePack-CSharp"], lengths["messagepack"]);
        }
    }

    [Fact]
    public void A_model_is_measured_in_every_row()
    {
        (int exitCode, string output, string error) = VerbRun.Of(ModelsCommand.Run, "--model", "login", "--seconds", "0.2", "--tsv");

        Assert.True(exitCode == 0, error);
        string[] lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(1 + (2 * Model.Rows.Count), lines.Length);
        Assert.Equal(["BinaryWriter", "login", "write", "1.00"], lines[1].Split('\t')[..4]);
        Assert.All(lines.Skip(1), static line => Assert.Equal("login", line.Split('\t')[1]));
    }

    [Theory]
    [InlineData("--model", "nothing", "no model 'nothing'")]
    [InlineData("--seconds", "0", "above 0")]
    public void Wrong_arguments_have_exit_code_2(string option, string value, string expected)
    {
        (int exitCode, string output, string error) = VerbRun.Of(ModelsCommand.Run, option, value);

        Assert.Equal((2, ""), (exitCode, output));
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }
}
