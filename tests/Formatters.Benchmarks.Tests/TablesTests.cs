using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Bench.Compare;
using Formatters.Bench.Measurement;
using Formatters.Bench.Peers;
using Formatters.Bench.Reports;
using Formatters.Benchmarks.Models;
using Formatters.Benchmarks.Ratios;
using Formatters.Benchmarks.Rows;
using Formatters.Benchmarks.Tables;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Benchmarks.Tests;

public sealed class TablesTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("formatters-tables").FullName;

    public TablesTests()
    {
        Directory.CreateDirectory(Path.Combine(_root, "docs"));
        foreach (string page in Pages)
            File.Copy(Path.Combine(RepositoryFolder.Path, page), Path.Combine(_root, page));
    }

    private static IEnumerable<string> Pages => TableSource.All.Select(static source => source.Page).Distinct();

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public void The_tables_of_the_documentation_are_those_that_the_command_writes()
    {
        (int exitCode, string output, string error) = Run("--check");

        Assert.Equal((0, ""), (exitCode, error));
        Assert.Equal($"{TableSource.All.Count} tables, 0 not as they would be written", output.Trim());
    }

    [Theory]
    [InlineData("docs/performance.md", "| row | bytes | write |", "| row | byte | write |", "table 'order': its columns are")]
    [InlineData("docs/performance.md", "| XML | 11,248 |", "| XML 2 | 11,248 |", "table 'order': its rows are")]
    [InlineData("docs/performance.md", "| Newtonsoft.Json |", "| MemoryPack UTF-8 |", "table 'order': its rows are")]
    [InlineData("docs/performance.md", "| XML | 11,248 |", "| XML | many |", "table 'order': its row '| XML | many |")]
    [InlineData("docs/performance.md", "| XML | 11,248 |", "| XML |", "table 'order': its row '| XML |")]
    [InlineData("docs/performance.md", "<!-- table: models -->", "", "has no table before it")]
    [InlineData("docs/performance.md", "<!-- table: models -->", "<!-- table: model -->", "table 'model': no command writes it")]
    [InlineData("docs/performance.md", "<!-- table: models -->", "<!-- table: model -->", "table 'models': there is no '<!-- table: models -->'")]
    [InlineData("docs/performance.md", "<!-- table: models -->", "<!-- table: order -->", "the table 'order' appears twice")]
    [InlineData("docs/performance.md", "| read | limit |", "| reading | limit |", "table 'models': its columns are")]
    [InlineData("README.md", "<!-- end -->", "", "'<!-- table: compare -->' has no '<!-- end -->'")]
    [InlineData("README.md", "Measured 2026", "Measured in 2026", "table 'compare': its last line is 'Measured in 2026")]
    public void Another_table_is_named(string page, string old, string now, string expected)
    {
        string path = Path.Combine(_root, page);
        string text = File.ReadAllText(path);
        int at = text.IndexOf(old, StringComparison.Ordinal);
        Assert.True(at >= 0, old);
        File.WriteAllText(path, text[..at] + now + text[(at + old.Length)..]);

        (int exitCode, _, string error) = Run("--check", "--root", _root);

        Assert.Equal(1, exitCode);
        Assert.Contains(error.Split('\n'), line => line.StartsWith(page + ": ", StringComparison.Ordinal) && line.Contains(expected, StringComparison.Ordinal));
    }

    [Fact]
    public void Figures_go_to_their_rows_and_columns_and_nothing_else_changes()
    {
        string[] before = [.. Pages.Select(page => Unmarked(Path.Combine(_root, page)))];

        using var output = new StringWriter(CultureInfo.InvariantCulture);
        TablesCommand.Write(_root, TableSource.All, new MadeUp(), output);

        Assert.Equal(TableSource.All.Count, output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Equal(before, Pages.Select(page => Unmarked(Path.Combine(_root, page))));
        Assert.Empty(TablesCommand.Check(_root, TableSource.All));

        string[] performance = File.ReadAllLines(Path.Combine(_root, "docs/performance.md"));
        int generated = Index("generated binary");
        Assert.Contains($"| **generated binary** | 2,540 | {Cells(generated, 50, 150, 250)} | 0 | 7,240 |", performance);
        Assert.Contains($"| XML | 2,540 | {Cells(Index("XML"), 50, 150)} |  | 0 | 7,240 |", performance);
        foreach (RowOperation operation in (RowOperation[])[RowOperation.Write, RowOperation.Read])
        {
            string[] cells = [.. Model.Rows.Where(static row => row != Model.Baseline).Select(row => ModelRatio(row, Model.All[^1].Name, operation).ToString("0.000", CultureInfo.InvariantCulture))];
            Assert.Contains($"| {Model.All[^1].Name} | {string.Join(" | ", cells)} |", performance);
        }

        Assert.Contains(performance, static line => line.StartsWith("Measured 2026-01-02 by `ratios`: ", StringComparison.Ordinal));

        string[] readme = File.ReadAllLines(Path.Combine(_root, "README.md"));
        Assert.Contains("| **hand-coded**: `Save` and `Load` over our writer | 2,521 | 4.8x | 0.99x |", readme);
        Assert.Contains("| MessagePack-CSharp | 2,671 | 1 | 1 |", readme);
        Assert.Contains("| System.Text.Json, source-generated | 5,371 | 0.23x | 0.16x |", readme);
        Assert.Contains(readme, static line => line.StartsWith("Measured 2026-01-02 by `formatters-bench compare`: a processor, 3 ", StringComparison.Ordinal));
    }

    [Fact]
    public void A_measured_table_is_written()
    {
        (int exitCode, string output, string error) = Run("--table", "order", "--seconds", "0.5", "--root", _root);

        Assert.True(exitCode == 0, error);
        Assert.Equal("docs/performance.md: order: written", output.Trim());
        Assert.Empty(TablesCommand.Check(_root, TableSource.All));
        Assert.NotEqual(File.ReadAllText(Path.Combine(RepositoryFolder.Path, "docs/performance.md")), File.ReadAllText(Path.Combine(_root, "docs/performance.md")));
    }

    [Theory]
    [InlineData("--table", "nothing", "no table 'nothing'")]
    [InlineData("--seconds", "0", "above 0")]
    public void Wrong_arguments_have_exit_code_2(string option, string value, string expected)
    {
        (int exitCode, string output, string error) = Run(option, value);

        Assert.Equal((2, ""), (exitCode, output));
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    private static (int ExitCode, string Output, string Error) Run(params string[] args) => VerbRun.Of(TablesCommand.Run, args.Contains("--root") ? args : [.. args, "--root", RepositoryFolder.Path]);

    /// <summary>A page without what is between its marks.</summary>
    private static string Unmarked(string path)
    {
        string text = File.ReadAllText(path);
        return MarkedText.Read(text).Keys.Aggregate(text, static (page, name) => MarkedText.Replace(page, name, []));
    }

    private static int Index(string row) => RowCatalog.All.Select(static (entry, i) => (entry.Name, i)).First(pair => pair.Name == row).i;

    /// <summary>The figure that <see cref="MadeUp"/> gives: each row, size and operation has its own.</summary>
    private static string Cells(int row, params int[] figures) =>
        string.Join(" | ", figures.Select(figure => ((row * 0.01) + (figure * 0.001)).ToString("0.000", CultureInfo.InvariantCulture)));

    private static double ModelRatio(string row, string model, RowOperation operation) =>
        (Model.Rows.ToList().IndexOf(row) * 0.03) + (Model.All.ToList().FindIndex(other => other.Name == model) * 0.002) + ((int)operation * 0.001);

    private sealed class MadeUp : IMeasurements
    {
        public string Date => "2026-01-02";

        public RatioReport Models() => new(
            Model.Baseline,
            [.. Model.All.SelectMany(static model => Model.Rows.SelectMany(row => new[] { RowOperation.Write, RowOperation.Read }
                .Select(operation => new RatioResult(row, model.Name, operation, ModelRatio(row, model.Name, operation), 0.1, 10, 100, 0))))],
            15,
            25);

        public RatioReport Ratios(RatioOptions options) => new(
            RowCatalog.Baseline,
            [.. options.Payloads.SelectMany(payload => options.Rows.SelectMany(entry => Enum.GetValues<RowOperation>()
                .Where(operation => operation != RowOperation.Overwrite || entry.Create().CanOverwrite)
                .Select(operation => Result(entry.Name, payload, operation, options.Text == Orders.SampleText.Ascii ? 10 : 30))))],
            15,
            25);

        public CompareReport Compare()
        {
            (string Name, int Bytes, double Send, double Receive)[] rows =
            [
                ("hand-coded", 2521, 48.2, 9.94), ("reflection", 2521, 42, 25), ("generated", 2521, 65, 26), ("versioned", 2951, 61, 26), ("MessagePack", 2671, 61, 23),
                ("CBOR", 2356, 39, 17), ("compact", 1805, 32, 19), ("protobuf", 2824, 45, 20), ("BinaryFormatter", 4141, 1, 1),
                .. Peer.All.Select(static peer => peer.Name == "System.Text.Json" ? (peer.Name, 5371, 2.3, 1.6) : (peer.Name, 2671, 10, 10)),
            ];
            Statistics rate = Statistics.Of([1, 2, 3]);
            return new CompareReport
            {
                Run = new RunInfo(
                    "formatters-bench", "compare", DateTimeOffset.UnixEpoch, 1, new MachineInfo("a processor", 3, 1, "a system", "a runtime", "workstation")),
                Queue = new QueueInfo("memory:compare", "in-memory queue", "express", "none"),
                LineItems = 50,
                BatchCount = 250,
                Orders = [.. rows.Select(row => new CompareRow(row.Name, row.Bytes, rate, rate, Ratio(row.Send), Ratio(row.Receive), 1, 1, [.. Enumerable.Repeat(row.Send, 7)], [.. Enumerable.Repeat(row.Receive, 7)]))],
                Int32s = [],
                Findings = [],
            };
        }

        private static RateRatio Ratio(double value) => new(value, value, value, RateRatio.MinRounds);

        private static RatioResult Result(string row, OrderPayload payload, RowOperation operation, double nanoseconds)
        {
            double ratio = (Index(row) * 0.01) + ((payload.LineItemCount + payload.TextLength + (100 * (int)operation)) * 0.001);
            return new RatioResult(row, payload.Name, operation, ratio, 0.1, nanoseconds, 2540, operation == RowOperation.Write ? 0 : 7240);
        }
    }
}
