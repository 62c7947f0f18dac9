using System.CommandLine;
using Formatters.Benchmarks.Ratios;

namespace Formatters.Benchmarks.Generators;

/// <summary>The verb <c>generator</c>: how long source generators take in a new process, after an edit, and in a build.</summary>
internal static class GeneratorCommand
{
    private const int WarmUpRounds = 3;
    private const int CompileCount = 3;

    /// <summary>Parses the arguments after the verb and runs.</summary>
    /// <param name="args">What follows <c>generator</c>.</param>
    /// <returns>0; 1 if a generator fails; 2 if the arguments are wrong.</returns>
    public static int Run(string[] args, TextWriter output, TextWriter error)
    {
        Option<int> contracts = NumberOption.Create("--contracts", "How many contracts there are.", 300, 2, 10_000);
        Option<int> rounds = NumberOption.Create("--rounds", "How many rounds are measured.", 20, 1, 1000);
        Option<int> processes = NumberOption.Create("--processes", "How many new processes each generator gets.", 3, 1, 100);
        Option<int> builds = NumberOption.Create("--builds", "How many builds of each project are measured; 0 for none.", 5, 0, 100);
        var oneFile = new Option<bool>("--one-file") { Description = "All contracts are in one file, and not each in its own." };
        var command = new Command("generator", "Measures how long source generators take for a project of contracts, after edits, and in a build.")
        {
            contracts, rounds, processes, builds, oneFile,
        };
        command.SetAction(result => Run(result.GetValue(contracts), result.GetValue(rounds), result.GetValue(processes), result.GetValue(builds),
            result.GetValue(oneFile), output, error));
        return Verb.Run(command, args, output, error);
    }

    /// <exception cref="InvalidOperationException">A generator fails.</exception>
    internal static GeneratorReport Measure(int contractCount, int roundCount, int processCount, bool isOneFile, CancellationToken cancellationToken)
    {
        GeneratorFirstRun[] first = [.. GeneratorCase.All.Select(item =>
        {
            cancellationToken.ThrowIfCancellationRequested();
            return GeneratorFirstRun.Measure(item, contractCount, isOneFile, processCount);
        })];
        GeneratorProject[] projects = [.. GeneratorCase.All.Select(item => new GeneratorProject(item, contractCount, isOneFile))];
        foreach (GeneratorProject project in projects)
            project.RunFresh();
        List<double>[][] times = [.. projects.Select(static _ => GeneratorProject.Edits.Select(static _ => new List<double>()).ToArray())];
        for (int round = -WarmUpRounds; round < roundCount; round++)
        {
            foreach (int i in RoundOrder.Indexes(projects.Length, round))
            {
                cancellationToken.ThrowIfCancellationRequested();
                for (int edit = 0; edit < GeneratorProject.Edits.Count; edit++)
                {
                    double time = projects[i].RunAfter(edit, round + WarmUpRounds).TotalMilliseconds;
                    if (round >= 0)
                        times[i][edit].Add(time);
                }
            }
        }

        return new GeneratorReport(
            [.. projects.Select((project, i) => new GeneratorRow(project.Name, project.GeneratedCharCount, first[i],
                Enumerable.Range(0, CompileCount).Select(_ => project.Compile().TotalMilliseconds).Min(), times[i]))],
            contractCount,
            roundCount,
            processCount);
    }

    private static int Run(int contractCount, int roundCount, int processCount, int buildCount, bool isOneFile, TextWriter output, TextWriter error)
    {
        foreach (string line in Machine.Describe())
            output.WriteLine(line);
        try
        {
            GeneratorReport report = Measure(contractCount, roundCount, processCount, isOneFile, CancellationToken.None);
            output.WriteLine();
            output.WriteLine($"{"ms",-36} {"MB",5} {"first",7} {"again",7} {"compile",7} "
                + $"{string.Join(' ', GeneratorProject.Edits.Select(static edit => $"{edit,18}"))}");
            foreach (GeneratorRow row in report.Rows)
            {
                output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                    $"{row.Name,-36} {row.CharCount / 1e6,5:0.0} {row.First.First.TotalMilliseconds,7:0} "
                        + $"{row.First.Again.TotalMilliseconds,7:0} {row.Compile,7:0} "
                        + $"{string.Join(' ', row.Edits.Select(static times => $"{Cell(times),18}"))}"));
            }

            if (buildCount > 0)
                MeasureBuilds(contractCount, buildCount, isOneFile, output);
        }
        catch (InvalidOperationException e)
        {
            error.WriteLine(e.Message);
            return 1;
        }

        output.WriteLine();
        output.WriteLine(
            $"{contractCount} contracts of five members, {(isOneFile ? "all in one file" : "each in a file")}, and as many other files. "
            + $"MB: millions of characters generated; first: the first run in a process; again: the same over new files (medians of {processCount} "
            + $"processes); compile: the result, the best of {CompileCount}; then after an edit of a method, of the declarations in another file, "
            + $"of a contract that others contain: median of {roundCount} rounds (from the lower to the upper quartile).");
        return 0;
    }

    /// <summary>Builds the same project without contracts and with each generator, in turn.</summary>
    private static void MeasureBuilds(int contractCount, int buildCount, bool isOneFile, TextWriter output)
    {
        var builds = new List<GeneratorBuild>();
        try
        {
            foreach (GeneratorCase item in GeneratorCase.All.Prepend(GeneratorCase.None))
                builds.Add(new GeneratorBuild(item, contractCount, isOneFile));
            List<double>[] times = [.. builds.Select(static _ => new List<double>())];
            // The first round starts the compiler's server.
            for (int round = -1; round < buildCount; round++)
            {
                foreach (int i in RoundOrder.Indexes(builds.Count, round))
                {
                    double time = builds[i].Build().TotalMilliseconds;
                    if (round >= 0)
                        times[i].Add(time);
                }
            }

            output.WriteLine();
            output.WriteLine($"{"dotnet build after an edit of a method, ms",-44} {"median",18} {"ratio",6}");
            for (int i = 0; i < builds.Count; i++)
            {
                double ratio = Statistics.Of([.. times[i].Zip(times[0], static (own, without) => own / without)]).Median;
                output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{builds[i].Name,-44} {Cell(times[i]),18} {ratio,6:0.00}"));
            }
        }
        finally
        {
            builds.ForEach(static build => build.Dispose());
        }
    }

    private static string Cell(List<double> times)
    {
        double[] sorted = [.. times.Order()];
        return string.Create(CultureInfo.InvariantCulture,
            $"{sorted[sorted.Length / 2]:0.0} ({sorted[sorted.Length / 4]:0}-{sorted[sorted.Length * 3 / 4]:0})");
    }
}
