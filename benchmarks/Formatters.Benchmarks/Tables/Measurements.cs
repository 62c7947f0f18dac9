using System.Text.Json;
using Formatters.Bench.Compare;
using Formatters.Bench.Doctor;
using Formatters.Bench.Reports;
using Formatters.Benchmarks.Brokers;
using Formatters.Benchmarks.Generators;
using Formatters.Benchmarks.Models;
using Formatters.Benchmarks.Ratios;
using Formatters.Benchmarks.Startup;
using Formatters.Benchmarks.Workers;

namespace Formatters.Benchmarks.Tables;

/// <summary>Runs what the tables are made of, and looks at the machine. Tests give figures of their own.</summary>
internal interface IMeasurements
{
    /// <summary>Gets the day, yyyy-MM-dd.</summary>
    string Date { get; }

    /// <summary>Gets the load average of the last minute; null if the system does not report it.</summary>
    double? LoadAverage { get; }

    /// <summary>Gets whether a variable names a server.</summary>
    bool HasServer(string variable);

    /// <summary>Watches the processors for two seconds; null if the system does not report their work.</summary>
    Task<OtherWork?> WatchOtherWorkAsync(CancellationToken cancellationToken);

    /// <summary>Returns the commit of a work tree, with <c>+changes</c> if files differ from it; null if it is not in a repository.</summary>
    /// <param name="root">The root of the work tree.</param>
    /// <param name="pages">The files that may differ.</param>
    Task<string?> ReadCommitAsync(string root, IEnumerable<string> pages, CancellationToken cancellationToken);

    Task<IReadOnlyList<string>> ServerVersionsAsync(CancellationToken cancellationToken);
    Task<RatioReport> RatiosAsync(RatioOptions options, CancellationToken cancellationToken);
    Task<RatioReport> ModelsAsync(CancellationToken cancellationToken);
    Task<StartupReport> StartupAsync(CancellationToken cancellationToken);
    Task<GeneratorReport> GeneratorAsync(CancellationToken cancellationToken);
    Task<WorkerReport> WorkersAsync(CancellationToken cancellationToken);
    Task<BrokerReport> BrokersAsync(Func<BrokerCase, bool> isMeasured, CancellationToken cancellationToken);

    /// <summary><c>formatters-bench compare</c>, over the in-memory queue.</summary>
    Task<CompareReport> CompareAsync(CancellationToken cancellationToken);
}

/// <param name="duration">About how long <c>ratios</c> takes; below <see cref="FullSeconds"/>, everything else is shorter in proportion.</param>
internal sealed class Measurements(TimeSpan duration, TextWriter progress) : IMeasurements
{
    internal const double FullSeconds = 45;

    private const int ModelDurations = 6;
    private const int RoundCount = 9;

    private readonly double _scale = Math.Min(1, duration.TotalSeconds / FullSeconds);

    public string Date => DateTime.Now.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
    public double? LoadAverage => SystemState.Load()?[0];

    public bool HasServer(string variable) => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(variable));

    public Task<OtherWork?> WatchOtherWorkAsync(CancellationToken cancellationToken) =>
        OtherWork.WatchAsync(TimeSpan.FromSeconds(2), cancellationToken);

    public async Task<string?> ReadCommitAsync(string root, IEnumerable<string> pages, CancellationToken cancellationToken)
    {
        string? commit = await GitAsync("rev-parse", "--short=8", "HEAD");
        string? changes = await GitAsync(["status", "--porcelain", "--", ".", .. pages.Select(static page => ":(exclude)" + page)]);
        return commit is null || changes is null ? null : changes.Length == 0 ? commit : commit + "+changes";

        async Task<string?> GitAsync(params string[] args)
        {
            try
            {
                (int exitCode, string output) = await RunAsync("git", ["-C", root, .. args], null, cancellationToken);
                return exitCode == 0 ? output.Trim() : null;
            }
            catch (System.ComponentModel.Win32Exception)
            {
                // There is no git.
                return null;
            }
        }
    }

    public Task<IReadOnlyList<string>> ServerVersionsAsync(CancellationToken cancellationToken) => ServerVersions.ReadAsync(cancellationToken);

    public Task<RatioReport> RatiosAsync(RatioOptions options, CancellationToken cancellationToken) =>
        Task.Run(() => RatioRun.Run(options with { Duration = duration }, progress, cancellationToken), cancellationToken);

    // Each model has as many rows as the order has.
    public Task<RatioReport> ModelsAsync(CancellationToken cancellationToken) =>
        Task.Run(() => ModelsCommand.Measure(Model.All, duration * ModelDurations, progress, cancellationToken), cancellationToken);

    public Task<StartupReport> StartupAsync(CancellationToken cancellationToken) =>
        Task.Run(() => StartupCommand.Measure(RowCatalog.Select(StartupCommand.DefaultRows), Scaled(15), cancellationToken), cancellationToken);

    public Task<GeneratorReport> GeneratorAsync(CancellationToken cancellationToken) => Task.Run(
        () => GeneratorCommand.Measure(Math.Max(10, Scaled(300)), Scaled(20), Scaled(3), isOneFile: false, cancellationToken), cancellationToken);

    public Task<WorkerReport> WorkersAsync(CancellationToken cancellationToken) =>
        WorkersCommand.MeasureAsync(Scaled(RoundCount), Math.Max(100, Scaled(4000)), Scaled(30), progress, cancellationToken);

    public Task<BrokerReport> BrokersAsync(Func<BrokerCase, bool> isMeasured, CancellationToken cancellationToken) => BrokersCommand.MeasureAsync(
        isMeasured, Scaled(RoundCount), TimeSpan.FromSeconds(Math.Max(0.1, 2 * _scale)),
        result => progress.WriteLine($"{result.Name}, beside {result.Peer}: {result.Ratio}"), cancellationToken);

    // In a process of its own, with the garbage collector that the tool has.
    public async Task<CompareReport> CompareAsync(CancellationToken cancellationToken)
    {
        string file = Path.GetTempFileName();
        try
        {
            string host = Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path : "dotnet";
            string tool = Path.Combine(AppContext.BaseDirectory, "formatters-bench.dll");
            (int exitCode, _) = await RunAsync(
                host, [tool, "compare", "--json", file, .. _scale < 1 ? ["--quick"] : Array.Empty<string>()], progress, cancellationToken);
            if (exitCode != 0)
                throw new TableException($"formatters-bench compare ended with exit code {exitCode}");
            return JsonSerializer.Deserialize(await File.ReadAllTextAsync(file, cancellationToken), ReportJson.Default.CompareReport)
                ?? throw new TableException("formatters-bench compare wrote no report");
        }
        finally
        {
            File.Delete(file);
        }
    }

    private int Scaled(int count) => Math.Max(1, (int)Math.Round(count * _scale));

    /// <summary>Runs a program to its end, and stops it if the run is cancelled.</summary>
    /// <param name="progress">Receives its output; null discards it and its errors.</param>
    private static async Task<(int ExitCode, string Output)> RunAsync(
        string file, string[] args, TextWriter? progress, CancellationToken cancellationToken)
    {
        using Process process = Process.Start(
            new ProcessStartInfo(file, args) { RedirectStandardOutput = true, RedirectStandardError = progress is null })!;
        try
        {
            var output = new System.Text.StringBuilder();
            while (await process.StandardOutput.ReadLineAsync(cancellationToken) is { } line)
            {
                progress?.WriteLine(line);
                output.AppendLine(line);
            }

            await process.WaitForExitAsync(cancellationToken);
            return (process.ExitCode, output.ToString());
        }
        finally
        {
            if (!process.HasExited)
                process.Kill(entireProcessTree: true);
        }
    }
}
