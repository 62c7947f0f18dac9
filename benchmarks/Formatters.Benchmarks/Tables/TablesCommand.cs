using System.CommandLine;
using Formatters.Bench.CommandLine;
using Formatters.Bench.Doctor;
using Formatters.Bench.Reports;

namespace Formatters.Benchmarks.Tables;

/// <summary>The verb <c>tables</c>: measures, and writes the marked tables of the documentation.</summary>
internal static class TablesCommand
{
    /// <summary>The exit code if other work takes the processors.</summary>
    internal const int BusyExitCode = 3;

    /// <summary>Parses the arguments after the verb and runs.</summary>
    /// <param name="args">After <c>tables</c>.</param>
    /// <returns>0; 1 if a page is not as it should be, or a measurement fails; 2 if the arguments are wrong or a table that was asked for needs a
    /// server that is not named; <see cref="BusyExitCode"/>; 130 after Ctrl-C.</returns>
    public static Task<int> RunAsync(string[] args, TextWriter output, TextWriter error) =>
        RunAsync(args, output, error, duration => new Measurements(duration, error));

    /// <inheritdoc cref="RunAsync(string[], TextWriter, TextWriter)"/>
    /// <param name="create">Creates the measurements from the time that <c>ratios</c> may take.</param>
    internal static Task<int> RunAsync(string[] args, TextWriter output, TextWriter error, Func<TimeSpan, IMeasurements> create) =>
        Verb.RunAsync(Create(output, error, create), args, output, error);

    /// <summary>Measures some tables and writes each into its page as soon as it is measured.</summary>
    /// <param name="root">The root of the repository.</param>
    /// <exception cref="TableException">A page has no such table, and nothing is measured; or a measurement failed.</exception>
    internal static async Task WriteAsync(
        string root, IReadOnlyList<TableSource> sources, RunFacts run, IMeasurements measurements, TextWriter output, TextWriter progress,
        CancellationToken cancellationToken)
    {
        foreach (TableSource source in sources)
            _ = LinesOf(root, source);
        foreach (TableSource source in sources)
        {
            progress.WriteLine($"Table {source.Name} ({sources.ToList().IndexOf(source) + 1} of {sources.Count})");
            IReadOnlyList<string> lines;
            try
            {
                lines = await source.WriteAsync(run, measurements, cancellationToken);
            }
            catch (Exception e) when (e is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
            {
                throw new TableException($"table '{source.Name}': {e.Message}", e);
            }

            // Read again: a run takes its time. Moved into place: a page is never half written.
            string path = Path.Combine(root, source.Page);
            string temporary = path + ".new";
            File.WriteAllText(temporary, MarkedText.Replace(File.ReadAllText(path), source.Name, lines));
            File.Move(temporary, path, overwrite: true);
            output.WriteLine($"{source.Page}: {source.Name}: written");
        }
    }

    /// <summary>Compares the marks, columns and rows of all pages with what would be written. Nothing is measured.</summary>
    /// <returns>A line for everything that is wrong.</returns>
    internal static IEnumerable<string> Check(string root, IReadOnlyList<TableSource> sources)
    {
        foreach (TableSource source in sources)
        {
            string? wrong = null;
            try
            {
                source.Check(LinesOf(root, source));
            }
            catch (TableException e)
            {
                wrong = e.Message;
            }

            if (wrong is not null)
                yield return $"{source.Page}: table '{source.Name}': {wrong}";
        }

        foreach (string page in TableSource.All.Select(static source => source.Page).Distinct())
        {
            IEnumerable<string> names = Names(Path.Combine(root, page));
            foreach (string name in names.Where(name => !TableSource.All.Any(source => source.Page == page && source.Name == name)))
                yield return $"{page}: table '{name}': no command writes it";
        }
    }

    private static Command Create(TextWriter output, TextWriter error, Func<TimeSpan, IMeasurements> create)
    {
        string names = string.Join(", ", TableSource.All.Select(static source => source.Name));
        var tables = new Option<string[]>("--table")
        {
            Description = $"A table; may be repeated. Default: all of {names}.",
            HelpName = "NAME",
        };
        tables.Validators.Add(result =>
        {
            foreach (string name in result.GetValueOrDefault<string[]>() ?? [])
            {
                if (!TableSource.All.Any(source => source.Name == name))
                    result.AddError($"There is no table '{name}'. The tables are: {names}.");
            }
        });
        var root = new Option<string?>("--root")
        {
            Description = "The root of the repository, where README.md is. [default: found from the current directory upwards]",
            HelpName = "DIR",
        };
        Option<double> seconds = NumberOption.Create(
            "--seconds", "About how long each run of ratios takes. Below 45, the others take less, too: for a trial.", Measurements.FullSeconds,
            static number => number is > 0 and <= 3600, "a number above 0, up to 3600");
        var check = new Option<bool>("--check") { Description = "Measure and write nothing: report whether marks, "
            + "columns and rows are as they would be written." };
        var force = new Option<bool>("--force") { Description = "Measure on a busy machine, too; the line below each table then says so." };
        var command = new Command(
            "tables",
            "Measures, and writes the tables of README.md and docs in place, with day, commit, load, machine and versions. Refuses "
                + $"(exit code {BusyExitCode}) if other work takes more than a tenth of the processors.")
        {
            tables, root, seconds, force, check,
        };
        command.SetAction(async (result, token) =>
        {
            string[] chosen = result.GetValue(tables) ?? [];
            IReadOnlyList<TableSource> sources =
                chosen.Length > 0 ? [.. TableSource.All.Where(source => chosen.Contains(source.Name))] : TableSource.All;
            try
            {
                string folder = result.GetValue(root) ?? FindRoot();
                if (result.GetValue(check))
                    return PrintCheck(folder, sources, output, error);
                IMeasurements measurements = create(TimeSpan.FromSeconds(result.GetValue(seconds)));
                if (MissingServers(measurements) is { } missing && sources.Any(static source => source.NeedsServers))
                {
                    string names = string.Join(", ", sources.Where(static source => source.NeedsServers).Select(static source => source.Name));
                    error.WriteLine($"Not measured: {names}: {missing}");
                    if (chosen.Length > 0)
                        return ExitCodes.Usage;
                    sources = [.. sources.Where(static source => !source.NeedsServers)];
                }

                double? load = measurements.LoadAverage;
                OtherWork? other = await measurements.WatchOtherWorkAsync(token);
                bool isBusy = other is { IsTooMuch: true };
                if (isBusy)
                {
                    error.WriteLine($"The machine is busy: other work takes {Numbers.Percent(other!.Share)} of the processors' time"
                        + $"{(other.Programs.Length == 0 ? "" : $" ({other.Programs})")}. "
                        + (result.GetValue(force) ? "Measured anyway." : "End it, or measure anyway with --force."));
                    if (!result.GetValue(force))
                        return BusyExitCode;
                }

                string? commit = await measurements.ReadCommitAsync(folder, TableSource.All.Select(static source => source.Page).Distinct(), token);
                await WriteAsync(folder, sources, new RunFacts(measurements.Date, commit, load, isBusy), measurements, output, error, token);
                return ExitCodes.Success;
            }
            catch (Exception e) when (e is TableException or IOException or UnauthorizedAccessException)
            {
                error.WriteLine(e.Message);
                return ExitCodes.Failure;
            }
            catch (OperationCanceledException) when (token.IsCancellationRequested)
            {
                error.WriteLine("Stopped. The tables that are not named above are as they were.");
                return ExitCodes.Interrupted;
            }
        });
        return command;
    }

    private static int PrintCheck(string root, IReadOnlyList<TableSource> sources, TextWriter output, TextWriter error)
    {
        string[] wrong = [.. Check(root, sources)];
        foreach (string line in wrong)
            error.WriteLine(line);
        output.WriteLine($"{sources.Count} tables, {wrong.Length} not as they would be written");
        return wrong.Length == 0 ? ExitCodes.Success : ExitCodes.Failure;
    }

    /// <summary>Returns a sentence about the servers that are not named; null if both are.</summary>
    private static string? MissingServers(IMeasurements measurements)
    {
        (string Variable, string Script)[] missing =
        [
            .. new[] { (QueueCase.BrokerVariable, "eng/rabbitmq"), (QueueCase.PostgresVariable, "eng/postgres") }
                .Where(server => !measurements.HasServer(server.Item1)),
        ];
        return missing.Length == 0 ? null : string.Join(" ", missing.Select(static server =>
            $"{server.Variable} names no server: eval \"$({server.Script} start)\"."));
    }

    private static IReadOnlyList<string> LinesOf(string root, TableSource source)
    {
        string path = Path.Combine(root, source.Page);
        return MarkedText.Read(File.ReadAllText(path)).TryGetValue(source.Name, out IReadOnlyList<string>? lines)
            ? lines : throw new TableException($"there is no '<!-- table: {source.Name} -->' in {source.Page}");
    }

    private static IEnumerable<string> Names(string path)
    {
        try
        {
            return MarkedText.Read(File.ReadAllText(path)).Keys;
        }
        catch (TableException)
        {
            // Said of each table of the page.
            return [];
        }
    }

    private static string FindRoot()
    {
        for (DirectoryInfo? folder = new(Directory.GetCurrentDirectory()); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Formatters.sln")))
                return folder.FullName;
        }

        throw new TableException("Neither the current directory nor any folder above it has a Formatters.sln: name "
            + "the root of the repository with --root.");
    }
}
