using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Bench.Rows;
using Formatters.Bench.Peers;
using Formatters.Benchmarks.Ratios;
using Formatters.Benchmarks.Rows;
using Xunit;

namespace Formatters.Benchmarks.Tests;

public class RatiosTests
{
    [Fact]
    public void Tsv_HasTheDocumentedColumnsForEveryRow()
    {
        (int exitCode, string output, string error) = Run("--items", "1,2", "--orders", "2", "--set", "mixed", "--seconds", "0.5", "--tsv");

        Assert.Equal(0, exitCode);
        string[] lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal("row\tpayload\toperation\tratio\tbytes\tallocated bytes", lines[0].TrimEnd('\r'));
        string[][] cells = lines[1..].Select(static line => line.TrimEnd('\r').Split('\t')).ToArray();
        Assert.All(cells, static line => Assert.Equal(6, line.Length));
        foreach (RowEntry entry in RowCatalog.All)
        {
            foreach (string payload in new[] { "order-1", "order-2" })
            {
                string[][] own = cells.Where(line => line[0] == entry.Name && line[1] == payload).ToArray();
                Assert.Equal(
                    entry.Create().CanOverwrite ? ["write", "read", "overwrite"] : ["write", "read"], own.Select(static line => line[2]));
                Assert.All(own, static line => Assert.True(double.Parse(line[3], CultureInfo.InvariantCulture) > 0));
                Assert.All(own, static line => Assert.True(int.Parse(line[4], CultureInfo.InvariantCulture) > 100));
                Assert.All(own, static line => Assert.True(long.Parse(line[5], CultureInfo.InvariantCulture) >= 0));
            }
        }

        Assert.All(cells.Where(static line => line[0] == RowCatalog.Baseline), static line => Assert.Equal("1.00", line[3]));
        Assert.Contains("machine: ", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Tsv_HandCodedWrite_AllocatesNothing()
    {
        (int exitCode, string output, _) = Run("--row", "hand-coded", "--items", "50", "--seconds", "1", "--tsv");

        Assert.Equal(0, exitCode);
        string write = output.Split('\n').Single(static line => line.StartsWith("hand-coded\torder-50\twrite\t", StringComparison.Ordinal));
        Assert.EndsWith("\t0", write.TrimEnd('\r'), StringComparison.Ordinal);
    }

    [Fact]
    public void Lengths_AddPayloadsBehindThoseOfItems()
    {
        (int exitCode, string output, _) = Run("--row", "generated binary", "--items", "0,5", "--lengths", "1,200", "--seconds", "0.3", "--tsv");

        Assert.Equal(0, exitCode);
        string[][] cells = output.Split('\n', StringSplitOptions.RemoveEmptyEntries)[1..].Select(static line => line.Split('\t')).ToArray();
        Assert.Equal(["order-0", "order-5", "order-50-text-1", "order-50-text-200"], cells.Select(static line => line[1]).Distinct());
        // 66 strings: a byte and a character, or two bytes and 200 characters.
        int[] bytes = cells.Where(static line => line[1].StartsWith("order-50-", StringComparison.Ordinal)).Select(static line => int.Parse(line[4], CultureInfo.InvariantCulture)).Distinct().ToArray();
        Assert.Equal(66 * (202 - 2), bytes[1] - bytes[0]);
    }

    /// <summary>Each row is checked: it reads the orders that were written.</summary>
    [Fact]
    public void Segments_AreRead_ByTheRowsThatReadSequences()
    {
        (int exitCode, string output, _) = Run("--items", "5", "--segments", "7", "--seconds", "0.3", "--tsv");

        Assert.Equal(0, exitCode);
        string[][] cells = output.Split('\n', StringSplitOptions.RemoveEmptyEntries)[1..].Select(static line => line.Split('\t')).ToArray();
        Assert.Equal(["read"], cells.Select(static line => line[2]).Distinct());
        string[] rows = [.. cells.Select(static line => line[0])];
        Assert.Equal("BinaryWriter", rows[0]);
        Assert.Subset(rows.ToHashSet(), new HashSet<string>(["generated binary", "reflection CBOR", "XML", "JSON", "legacy binary", "signed HMAC", .. Peer.All.Select(static peer => peer.Name)]));
        Assert.DoesNotContain("XmlSerializer", rows);
        (exitCode, output, _) = Run("--items", "0", "--segments", "7", "--seconds", "0.3", "--row", "generated binary");
        Assert.Equal(0, exitCode);
        Assert.Contains("\ngenerated binary ", output, StringComparison.Ordinal);
    }

    [Fact]
    public void Text_NamesMachineCommandAndNoise()
    {
        (int exitCode, string output, string error) = Run("--row", "HAND-CODED", "--row", "XmlSerializer", "--items", "0", "--seconds", "0.3");

        Assert.Equal(0, exitCode);
        Assert.Contains("machine: ", output, StringComparison.Ordinal);
        Assert.Contains("command: ", output, StringComparison.Ordinal);
        Assert.Contains("noise: ", output, StringComparison.Ordinal);
        Assert.Contains("\nBinaryWriter ", output, StringComparison.Ordinal);
        Assert.Contains("\nhand-coded ", output, StringComparison.Ordinal);
        Assert.Contains("\nXmlSerializer ", output, StringComparison.Ordinal);
        Assert.DoesNotContain("\nNewtonsoft.Json ", output, StringComparison.Ordinal);
        Assert.All(output.Split('\n').SkipWhile(static line => !line.StartsWith("order-0", StringComparison.Ordinal)).Take(5), static line => Assert.InRange(line.Length, 0, 120));
        Assert.Contains("rounds of", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--items", "50,x", "'x'")]
    [InlineData("--items", "-1", "'-1'")]
    [InlineData("--items", "100001", "'100001'")]
    [InlineData("--lengths", "0", "'0'")]
    [InlineData("--lengths", "7,y", "'y'")]
    [InlineData("--set", "klingon", "'klingon'")]
    [InlineData("--set", "1", "'1'")]
    [InlineData("--segments", "0", "number of bytes")]
    [InlineData("--orders", "3", "power of two")]
    [InlineData("--orders", "0", "power of two")]
    [InlineData("--orders", "x", "power of two")]
    [InlineData("--seconds", "x", "above 0")]
    [InlineData("--seconds", "0", "above 0")]
    [InlineData("--row", "nobody", "no row 'nobody'")]
    [InlineData("--nonsense", "1", "'--nonsense'")]
    public void Arguments_Wrong_GiveAnErrorAndExitCode2(string option, string value, string expectedError)
    {
        (int exitCode, string output, string error) = Run(option, value);

        Assert.Equal(2, exitCode);
        Assert.Equal("", output);
        Assert.Contains(expectedError, error, StringComparison.Ordinal);
    }

    [Fact]
    public void Help_ListsOptionsAndRows()
    {
        (int exitCode, string output, _) = Run("--help");

        Assert.Equal(0, exitCode);
        foreach (string option in new[] { "--items", "--lengths", "--set", "--orders", "--segments", "--row", "--seconds", "--tsv" })
            Assert.Contains(option, output, StringComparison.Ordinal);
        Assert.Contains("System.Text.Json", output, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_ARowThatFailsItsCheck_GivesItsNameAndMeasuresNothing()
    {
        var options = new RatioOptions
        {
            LineItemCounts = [1],
            Rows = [RowCatalog.Find("XmlSerializer")! with { Name = "pretender", RowFormat = RowFormat.Binary }],
            Duration = TimeSpan.FromSeconds(0.1),
        };

        var exception = Assert.Throws<RowCheckException>(() => RatioRun.Run(options, TextWriter.Null));

        Assert.Contains("'pretender'", exception.Message, StringComparison.Ordinal);
    }

    private static (int ExitCode, string Output, string Error) Run(params string[] args) => VerbRun.Of(RatiosCommand.Run, args);
}
