using System.CommandLine;
using System.Text.Json;
using Formatters.Bench.Compare;
using Formatters.Bench.Reports;
using Formatters.Benchmarks.Models;
using Formatters.Benchmarks.Ratios;

namespace Formatters.Benchmarks.Tables;

/// <summary>The verb <c>tables</c>: measures, and writes the marked tables of the documentation.</summary>
internal static class TablesCommand
{
    /// <summary>Parses the arguments behind the verb and runs.</summary>
    /// <param name="args">Behind <c>tables</c>.</param>
    /// <returns>0; 1 if a page is not as it should be, or a measurement fails; 2 if the arguments are wrong.</returns>
    public static int Run(string[] args, TextWriter output, TextWriter error) =>
        Verb.Run(Create(output, error), args, output, error);

    /// <summary>Measures some tables and writes them into their pages.</summary>
    /// <param name="root">The root of the repository.</param>
    /// <exception cref="TableException">A page has no such table. Nothing is measured then.</exception>
    internal static void Write(string root, IReadOnlyList<TableSource> sources, IMeasurements measurements, TextWriter output)
    {
        foreach (TableSource source in sources)
            _ = LinesOf(root, source);
        foreach (TableSource source in sources)
        {
            string path = Path.Combine(root, source.Page);
            IReadOnlyList<string> lines = source.Write(measurements);
            // Read again: a run takes its time.
            File.WriteAllText(path, MarkedText.Replace(File.ReadAllText(path), source.Name, lines));
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

    private static Command Create(TextWriter output, TextWriter error)
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
            "--seconds", "About how long each run of ratios takes.", 45d, static number => number is > 0 and <= 3600, "a number above 0, up to 3600");
        var check = new Option<bool>("--check") { Description = "Measure and write nothing: report whether marks, "
            + "columns and rows are as they would be written." };
        var command = new Command(
            "tables",
            "Measures (ratios, and formatters-bench compare), and writes the tables of README.md and "
                + "docs/performance.md in place, with machine and date.")
        {
            tables, root, seconds, check,
        };
        command.SetAction(result =>
        {
            IReadOnlyList<TableSource> sources = result.GetValue(tables) is { Length: > 0 } chosen
                ? [.. TableSource.All.Where(source => chosen.Contains(source.Name))] : TableSource.All;
            try
            {
                string folder = result.GetValue(root) ?? FindRoot();
                if (!result.GetValue(check))
                {
                    Write(folder, sources, new Measurements(TimeSpan.FromSeconds(result.GetValue(seconds)), error), output);
                    return 0;
                }

                string[] wrong = [.. Check(folder, sources)];
                foreach (string line in wrong)
                    error.WriteLine(line);
                output.WriteLine($"{sources.Count} tables, {wrong.Length} not as they would be written");
                return wrong.Length == 0 ? 0 : 1;
            }
            catch (Exception e) when (e is TableException or RowCheckException or IOException or UnauthorizedAccessException)
            {
                error.WriteLine(e.Message);
                return 1;
            }
        });
        return command;
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

    private sealed class Measurements(TimeSpan duration, TextWriter progress) : IMeasurements
    {
        private const int ModelDurations = 6;

        public string Date => DateTime.Now.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

        RatioReport IMeasurements.Ratios(RatioOptions options) => RatioRun.Run(options with { Duration = duration }, progress);

        // Each model has as many rows as the order has.
        RatioReport IMeasurements.Models() => ModelsCommand.Measure(Model.All, duration * ModelDurations, progress);

        // In a process of its own, with the garbage collector that the tool has.
        public CompareReport Compare()
        {
            string file = Path.GetTempFileName();
            try
            {
                var start =
                    new ProcessStartInfo(Environment.ProcessPath is { } host && Path.GetFileNameWithoutExtension(host) == "dotnet" ? host : "dotnet")
                {
                    ArgumentList = { Path.Combine(AppContext.BaseDirectory, "formatters-bench.dll"), "compare", "--json", file },
                    RedirectStandardOutput = true,
                };
                using Process process = Process.Start(start)!;
                progress.Write(process.StandardOutput.ReadToEnd());
                process.WaitForExit();
                if (process.ExitCode != 0)
                    throw new TableException($"formatters-bench compare ended with exit code {process.ExitCode}");
                return JsonSerializer.Deserialize(File.ReadAllText(file), ReportJson.Default.CompareReport)
                    ?? throw new TableException("formatters-bench compare wrote no report");
            }
            finally
            {
                File.Delete(file);
            }
        }
    }
}
