using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Compare;
using Formatters.Bench.Doctor;
using Formatters.Bench.Measurement;
using Formatters.Bench.Peers;
using Formatters.Bench.Reports;
using Formatters.Benchmarks.Brokers;
using Formatters.Benchmarks.Generators;
using Formatters.Benchmarks.Models;
using Formatters.Benchmarks.Ratios;
using Formatters.Benchmarks.Rows;
using Formatters.Benchmarks.Startup;
using Formatters.Benchmarks.Tables;
using Formatters.Benchmarks.Workers;
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
    public async Task The_tables_of_the_documentation_are_those_that_the_command_writes()
    {
        (int exitCode, string output, string error) = await RunAsync("--check");

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
    [InlineData("README.md", " at commit #", "", "table 'compare': its last line is 'Measured 2026")]
    [InlineData("README.md", ", load average ", ", load ", "table 'compare': its last line is 'Measured 2026")]
    [InlineData("README.md", "protobuf-net #,", "", "table 'compare': its last line does not name the version of protobuf-net")]
    [InlineData("docs/performance.md", "| hand-coded | # |", "| by hand | 7.2 |", "table 'startup': its rows are")]
    [InlineData("docs/performance.md", "by `generator`", "by `generators`", "table 'generator': its last line is")]
    [InlineData("docs/comparison-of-buses.md", "| MassTransit, RabbitMQ | # (# to #) |", "| MassTransit, RabbitMQ | 1.15 (0.40) |", "table 'workers': its row '| MassTransit, RabbitMQ | 1.15 (0.40)")]
    [InlineData("docs/comparison-of-buses.md", "MassTransit #,", "", "table 'workers': its last line does not name the version of MassTransit")]
    [InlineData("docs/queue-performance.md", "| send express | RabbitMQ.Client |", "| send express | another |", "table 'brokers': its rows are")]
    [InlineData("docs/queue-performance.md", "| queue | send, 40 | receive, 40 |", "| queue | receive, 40 | send, 40 |", "table 'messaging': its columns are")]
    public async Task Another_table_is_named(string page, string old, string now, string expected)
    {
        string path = Path.Combine(_root, page);
        string text = File.ReadAllText(path);
        // # stands for a figure, a version or a commit, which changes with the next run.
        Match found = Regex.Match(text, Regex.Escape(old).Replace(@"\#", @"[\w.]+", StringComparison.Ordinal));
        Assert.True(found.Success, old);
        File.WriteAllText(path, text[..found.Index] + now + text[(found.Index + found.Length)..]);

        (int exitCode, _, string error) = await RunAsync("--check", "--root", _root);

        Assert.Equal(1, exitCode);
        Assert.Contains(error.Split('\n'), line => line.StartsWith(page + ": ", StringComparison.Ordinal) && line.Contains(expected, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Figures_go_to_their_rows_and_columns_and_nothing_else_changes()
    {
        string[] before = [.. Pages.Select(page => Unmarked(Path.Combine(_root, page)))];

        (int exitCode, string output, string error) = await RunAsync(new MadeUp());

        Assert.True(exitCode == 0, error);
        Assert.Equal(TableSource.All.Count, output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
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

        Assert.Contains(performance, static line => line.StartsWith("Measured 2026-01-02 at commit 0123abcd+changes by `ratios`, load average 0.12: ", StringComparison.Ordinal));
        Assert.Matches($@"\sMemoryPack\s{typeof(MemoryPack.MemoryPackSerializer).Assembly.GetName().Version!.ToString(3)}[,.]\s", string.Join('\n', performance));
        Assert.Contains("| hand-coded | 2.0 | 2.50 | 4.1 | 4.50 |", performance);
        Assert.Contains($"| {GeneratorCase.All[1].Name} | 1,001 | 501 | 2.0 | 3.0 | 11 |", performance);

        string[] readme = File.ReadAllLines(Path.Combine(_root, "README.md"));
        Assert.Contains("| **hand-coded**: `Save` and `Load` over our writer | 2,521 | 4.8x | 0.99x |", readme);
        Assert.Contains("| MessagePack-CSharp | 2,671 | 1 | 1 |", readme);
        Assert.Contains("| System.Text.Json, source-generated | 5,371 | 0.23x | 0.16x |", readme);
        Assert.Contains(readme, static line => line.StartsWith("Measured 2026-01-02 at commit 0123abcd+changes by `formatters-bench compare`, load average 0.12: a processor, 3 ", StringComparison.Ordinal));

        // Formatters.Hosting sends 100, 200 and 400 a second, handles 1,000, and takes 2 ms; the second product 400, 2,000 and 4 ms, the third 600, 3,000 and 6 ms.
        string buses = File.ReadAllText(Path.Combine(_root, "docs/comparison-of-buses.md"));
        Assert.Contains("| MassTransit, RabbitMQ | 0.50 (0.25 to 1.00) | 0.50 (0.50 to 0.50) | 0.50 (0.50 to 0.50) |", buses, StringComparison.Ordinal);
        Assert.Contains("| Wolverine, PostgreSQL | 0.33 (0.17 to 0.67) | 0.33 (0.33 to 0.33) | 0.33 (0.33 to 0.33) |", buses, StringComparison.Ordinal);
        Assert.Matches(@"4,000\sorders;\sRabbitMQ\s1\.2\.3,\sPostgreSQL\s4\.5;\sMassTransit\s\d", buses);

        string queues = File.ReadAllText(Path.Combine(_root, "docs/queue-performance.md"));
        Assert.Contains("| RabbitMQ | send express | RabbitMQ.Client | 0.10 (0.050 to 12) |", queues, StringComparison.Ordinal);
        Assert.Contains("| folder | receive and acknowledge 100 at once | single receives | 0.15 (0.050 to 12) |", queues, StringComparison.Ordinal);
        Assert.Contains("| PostgreSQL | 0.12 (0.050 to 12) | 0.13 (0.050 to 12) | 0.14 (0.050 to 12) | 0.15 (0.050 to 12) |", queues, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_busy_machine_is_refused_unless_forced()
    {
        string page = Path.Combine(_root, "docs/comparison-of-buses.md");
        string before = await File.ReadAllTextAsync(page);
        var busy = new MadeUp { OtherWork = new OtherWork(0.431, "csc 40 %, dotnet 3 %") };

        (int exitCode, string output, string error) = await RunAsync(busy, "--table", "workers");

        Assert.Equal((TablesCommand.BusyExitCode, ""), (exitCode, output));
        Assert.Equal("The machine is busy: other work takes 43 % of the processors' time (csc 40 %, dotnet 3 %). End it, or measure anyway with --force.", error.Trim());
        Assert.Equal(before, await File.ReadAllTextAsync(page));

        (exitCode, _, error) = await RunAsync(busy, "--table", "workers", "--force");

        Assert.True(exitCode == 0, error);
        Assert.Contains("by `workers`, on a busy machine, load average 0.12: ", await File.ReadAllTextAsync(page), StringComparison.Ordinal);
        Assert.Empty(TablesCommand.Check(_root, TableSource.All));
    }

    [Theory]
    [InlineData(0.1)]
    [InlineData(null)]
    public async Task A_tenth_of_the_processors_or_an_unknown_part_is_not_refused(double? share)
    {
        (int exitCode, _, string error) = await RunAsync(new MadeUp { OtherWork = share is { } part ? new OtherWork(part, "") : null }, "--table", "startup");

        Assert.True(exitCode == 0, error);
        Assert.DoesNotContain("on a busy machine", File.ReadAllText(Path.Combine(_root, "docs/performance.md")), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Facts_of_a_system_that_says_nothing_are_unknown()
    {
        (int exitCode, _, string error) = await RunAsync(new MadeUp { Commit = null, LoadAverage = null }, "--table", "startup");

        Assert.True(exitCode == 0, error);
        Assert.Contains("Measured 2026-01-02 at commit unknown by `startup`, load average unknown: ", File.ReadAllText(Path.Combine(_root, "docs/performance.md")), StringComparison.Ordinal);
        Assert.Empty(TablesCommand.Check(_root, TableSource.All));
    }

    [Fact]
    public async Task Tables_that_need_a_server_that_is_not_named_are_left_alone()
    {
        string[] pages = ["docs/comparison-of-buses.md", "docs/queue-performance.md"];
        string[] before = [.. pages.Select(page => File.ReadAllText(Path.Combine(_root, page)))];
        var measurements = new MadeUp { Servers = [QueueCase.PostgresVariable] };

        (int exitCode, string output, string error) = await RunAsync(measurements);

        Assert.Equal(0, exitCode);
        Assert.StartsWith("Not measured: workers, brokers, messaging: FORMATTERS_RABBITMQ names no server: eval \"$(eng/rabbitmq start)\".", error, StringComparison.Ordinal);
        Assert.Equal(["compare", "generator", "models", "order", "startup"], output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => line.Split(": ")[1]).Order());
        Assert.Equal(before, pages.Select(page => File.ReadAllText(Path.Combine(_root, page))));
        (exitCode, output, _) = await RunAsync(measurements, "--table", "workers");
        Assert.Equal((2, ""), (exitCode, output));
    }

    [Fact]
    public async Task A_failure_names_its_table_and_leaves_those_before_it_written()
    {
        (int exitCode, string output, string error) = await RunAsync(new MadeUp { Failure = new InvalidOperationException("no compiler") });

        Assert.Equal(1, exitCode);
        Assert.Equal("table 'generator': no compiler", error.Trim().Split('\n')[^1]);
        Assert.Equal(3, output.Trim().Split('\n').Length);
        Assert.Empty(TablesCommand.Check(_root, TableSource.All));
    }

    [Fact]
    public async Task Cancelled_it_keeps_what_it_has_written()
    {
        string before = await File.ReadAllTextAsync(Path.Combine(_root, "README.md"));
        using var cancel = new CancellationTokenSource();
        using var output = new StringWriter(CultureInfo.InvariantCulture);
        var measurements = new MadeUp { BeforeGenerator = cancel.Cancel };
        var run = new RunFacts("2026-01-02", "0123abcd", 0.12, IsBusy: false);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => TablesCommand.WriteAsync(_root, TableSource.All, run, measurements, output, TextWriter.Null, cancel.Token));

        Assert.EndsWith("startup: written", output.ToString().Trim(), StringComparison.Ordinal);
        Assert.Equal(before, await File.ReadAllTextAsync(Path.Combine(_root, "README.md")));
        Assert.Empty(TablesCommand.Check(_root, TableSource.All));
        Assert.Empty(Directory.EnumerateFiles(_root, "*.new", SearchOption.AllDirectories));
    }

    /// <summary>In a repository of its own: only pages may differ.</summary>
    [Fact]
    public async Task The_commit_says_whether_other_files_than_pages_differ()
    {
        var measurements = new Measurements(TimeSpan.FromSeconds(1), TextWriter.Null);
        Assert.Null(await measurements.ReadCommitAsync(_root, Pages, CancellationToken.None));
        Git("init", "-q");
        Git("add", "README.md");
        Git("-c", "commit.gpgsign=false", "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "test");
        await File.AppendAllTextAsync(Path.Combine(_root, "README.md"), "more");

        string? commit = await measurements.ReadCommitAsync(_root, Pages, CancellationToken.None);
        await File.WriteAllTextAsync(Path.Combine(_root, "code.cs"), "");

        Assert.Matches("^[0-9a-f]{8}$", commit);
        Assert.Equal(commit + "+changes", await measurements.ReadCommitAsync(_root, Pages, CancellationToken.None));

        void Git(params string[] args)
        {
            using var process = System.Diagnostics.Process.Start("git", ["-C", _root, .. args]);
            process.WaitForExit();
            Assert.Equal(0, process.ExitCode);
        }
    }

    [Fact]
    public async Task A_measured_table_is_written()
    {
        (int exitCode, string output, string error) = await RunAsync("--table", "order", "--seconds", "0.5", "--force", "--root", _root);

        Assert.True(exitCode == 0, error);
        Assert.Equal("docs/performance.md: order: written", output.Trim());
        Assert.Empty(TablesCommand.Check(_root, TableSource.All));
        Assert.NotEqual(File.ReadAllText(Path.Combine(RepositoryFolder.Path, "docs/performance.md")), File.ReadAllText(Path.Combine(_root, "docs/performance.md")));
    }

    [Theory]
    [InlineData("--table", "nothing", "no table 'nothing'")]
    [InlineData("--seconds", "0", "above 0")]
    public async Task Wrong_arguments_have_exit_code_2(string option, string value, string expected)
    {
        (int exitCode, string output, string error) = await RunAsync(option, value);

        Assert.Equal((2, ""), (exitCode, output));
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    private static Task<(int ExitCode, string Output, string Error)> RunAsync(params string[] args) =>
        VerbRun.OfAsync(TablesCommand.RunAsync, args.Contains("--root") ? args : [.. args, "--root", RepositoryFolder.Path]);

    private Task<(int ExitCode, string Output, string Error)> RunAsync(MadeUp measurements, params string[] args) =>
        VerbRun.OfAsync((given, output, error) => TablesCommand.RunAsync(given, output, error, _ => measurements), [.. args, "--root", _root]);

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
        public double? LoadAverage { get; init; } = 0.12;
        public string? Commit { get; init; } = "0123abcd+changes";
        public OtherWork? OtherWork { get; init; } = new(0.03, "");
        public string[] Servers { get; init; } = [QueueCase.BrokerVariable, QueueCase.PostgresVariable];
        public Exception? Failure { get; init; }
        public Action? BeforeGenerator { get; init; }

        public bool HasServer(string variable) => Servers.Contains(variable);

        public Task<OtherWork?> WatchOtherWorkAsync(CancellationToken cancellationToken) => Task.FromResult(OtherWork);

        public Task<string?> ReadCommitAsync(string root, IEnumerable<string> pages, CancellationToken cancellationToken) => Task.FromResult(Commit);

        public Task<IReadOnlyList<string>> ServerVersionsAsync(CancellationToken cancellationToken) => Task.FromResult<IReadOnlyList<string>>(["RabbitMQ 1.2.3", "PostgreSQL 4.5"]);

        public Task<StartupReport> StartupAsync(CancellationToken cancellationToken) => Task.FromResult(
            new StartupReport([.. StartupCommand.DefaultRows.Select(static (name, i) => new StartupRow(name, 1 + i, 1.5 + i, 3.1 + i, 3.5 + i))], 7));

        public Task<GeneratorReport> GeneratorAsync(CancellationToken cancellationToken)
        {
            if (Failure is not null)
                throw Failure;
            BeforeGenerator?.Invoke();
            cancellationToken.ThrowIfCancellationRequested();
            return Task.FromResult(new GeneratorReport(
                [.. GeneratorCase.All.Select(static (item, i) => new GeneratorRow(
                    item.Name, 100, new GeneratorFirstRun(TimeSpan.FromMilliseconds(1000 + i), TimeSpan.FromMilliseconds(500 + i)), 1, [[1, 1 + i, 9], [2, 2 + i, 9], [10, 10 + i, 99]]))],
                300, 20, 3));
        }

        public Task<WorkerReport> WorkersAsync(CancellationToken cancellationToken) => Task.FromResult(new WorkerReport(
            [.. new[] { ("RabbitMQ", "MassTransit"), ("PostgreSQL", "Rebus") }.SelectMany(static broker => new[] { WorkerResult.Baseline, broker.Item2, "Wolverine" }
                .Select((product, i) => new WorkerResult(broker.Item1, product, [.. new[] { 100, 200, 400 }
                    .Select(sent => new WorkerFigures((i == 0 ? sent : 200) * (i + 1), 1000 * (i + 1), 2 * (i + 1), 9)) ])))],
            3,
            4000));

        /// <summary>The ratios are 0.10, 0.11 and so on, in the order of the rows.</summary>
        public Task<BrokerReport> BrokersAsync(Func<BrokerCase, bool> isMeasured, CancellationToken cancellationToken)
        {
            (string Case, string Peer)[] cases =
            [
                .. QueueTables.BrokerRows.Select(static row => (row.Case, row.Peer)),
                .. QueueTables.MessagingQueues.SelectMany(QueueTables.MessagingNames).Select(static name => (name, MessagingCases.Peer)),
            ];
            BrokerCase[] measured = [.. cases.Select(static one => new BrokerCase(one.Case, one.Peer, null!, null!)).Where(isMeasured)];
            return Task.FromResult(new BrokerReport(
                [.. measured.Select(static (one, i) => new BrokerResult(one.Name, one.Peer, 1, 1, new RatioRange(0.1 + ((i % 10) * 0.01), 0.05, 12)))], 9, 2));
        }

        public Task<RatioReport> ModelsAsync(CancellationToken cancellationToken) => Task.FromResult(new RatioReport(
            Model.Baseline,
            [.. Model.All.SelectMany(static model => Model.Rows.SelectMany(row => new[] { RowOperation.Write, RowOperation.Read }
                .Select(operation => new RatioResult(row, model.Name, operation, ModelRatio(row, model.Name, operation), 0.1, 10, 100, 0))))],
            15,
            25));

        public Task<RatioReport> RatiosAsync(RatioOptions options, CancellationToken cancellationToken) => Task.FromResult(new RatioReport(
            RowCatalog.Baseline,
            [.. options.Payloads.SelectMany(payload => options.Rows.SelectMany(entry => Enum.GetValues<RowOperation>()
                .Where(operation => operation != RowOperation.Overwrite || entry.Create().CanOverwrite)
                .Select(operation => Result(entry.Name, payload, operation, options.Text == Orders.SampleText.Ascii ? 10 : 30))))],
            15,
            25));

        public Task<CompareReport> CompareAsync(CancellationToken cancellationToken)
        {
            (string Name, int Bytes, double Send, double Receive)[] rows =
            [
                ("hand-coded", 2521, 48.2, 9.94), ("reflection", 2521, 42, 25), ("generated", 2521, 65, 26), ("versioned", 2951, 61, 26), ("MessagePack", 2671, 61, 23),
                ("CBOR", 2356, 39, 17), ("compact", 1805, 32, 19), ("protobuf", 2824, 45, 20), ("BinaryFormatter", 4141, 1, 1),
                .. Peer.All.Select(static peer => peer.Name == "System.Text.Json" ? (peer.Name, 5371, 2.3, 1.6) : (peer.Name, 2671, 10, 10)),
            ];
            Statistics rate = Statistics.Of([1, 2, 3]);
            return Task.FromResult(new CompareReport
            {
                Run = new RunInfo(
                    "formatters-bench", "compare", DateTimeOffset.UnixEpoch, 1, new MachineInfo("a processor", 3, 1, "a system", "a runtime", "workstation")),
                Queue = new QueueInfo("memory:compare", "in-memory queue", "express", "none"),
                LineItems = 50,
                BatchCount = 250,
                Orders = [.. rows.Select(row => new CompareRow(row.Name, row.Bytes, rate, rate, Ratio(row.Send), Ratio(row.Receive), 1, 1, [.. Enumerable.Repeat(row.Send, 7)], [.. Enumerable.Repeat(row.Receive, 7)]))],
                Int32s = [],
                Findings = [],
            });
        }

        private static RateRatio Ratio(double value) => new(value, value, value, RateRatio.MinRounds);

        private static RatioResult Result(string row, OrderPayload payload, RowOperation operation, double nanoseconds)
        {
            double ratio = (Index(row) * 0.01) + ((payload.LineItemCount + payload.TextLength + (100 * (int)operation)) * 0.001);
            return new RatioResult(row, payload.Name, operation, ratio, 0.1, nanoseconds, 2540, operation == RowOperation.Write ? 0 : 7240);
        }
    }
}
