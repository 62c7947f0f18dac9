using System.CommandLine;
using Formatters.Benchmarks.Ratios;

namespace Formatters.Benchmarks.Generators;

/// <summary>The verb <c>generator</c>: how long source generators take after an edit, in interleaved rounds.</summary>
internal static class GeneratorCommand
{
    private const int WarmUpRounds = 3;

    /// <summary>Parses the arguments after the verb and runs.</summary>
    /// <param name="args">What follows <c>generator</c>.</param>
    /// <returns>0; 1 if a generator fails; 2 if the arguments are wrong.</returns>
    public static int Run(string[] args, TextWriter output, TextWriter error)
    {
        Option<int> contracts = NumberOption.Create("--contracts", "How many contracts there are, each in a file.", 300, 2, 10_000);
        Option<int> rounds = NumberOption.Create("--rounds", "How many rounds are measured.", 20, 1, 1000);
        var command =
            new Command("generator", "Measures how long source generators take for a project of contracts, and after edits.") { contracts, rounds };
        command.SetAction(result => Run(result.GetValue(contracts), result.GetValue(rounds), output, error));
        return Verb.Run(command, args, output, error);
    }

    private static int Run(int contractCount, int roundCount, TextWriter output, TextWriter error)
    {
        foreach (string line in Machine.Describe())
            output.WriteLine(line);
        try
        {
            GeneratorProject[] projects = [.. GeneratorCase.All.Select(item => new GeneratorProject(item, contractCount))];
            // The first of each compiles the generator's code; the second does not.
            TimeSpan[] first = [.. projects.Select(static project => project.RunAnew())];
            TimeSpan[] second = [.. projects.Select(static project => project.RunAnew())];
            var times = new List<double>[projects.Length, GeneratorProject.Edits.Count];
            for (int i = 0; i < times.Length; i++)
                times[i / GeneratorProject.Edits.Count, i % GeneratorProject.Edits.Count] = [];
            for (int round = -WarmUpRounds; round < roundCount; round++)
            {
                foreach (int i in RoundOrder.Indexes(projects.Length, round))
                {
                    for (int edit = 0; edit < GeneratorProject.Edits.Count; edit++)
                    {
                        double time = projects[i].RunAfter(edit, round + WarmUpRounds).TotalMilliseconds;
                        if (round >= 0)
                            times[i, edit].Add(time);
                    }
                }
            }

            output.WriteLine();
            output.WriteLine($"{"ms",-36} {"MB",5} {"first",7} {"again",7} "
                + $"{string.Join(' ', GeneratorProject.Edits.Select(static edit => $"{edit,18}"))}");
            for (int i = 0; i < projects.Length; i++)
            {
                string edits = string.Join(' ', Enumerable.Range(0, GeneratorProject.Edits.Count).Select(edit => $"{Cell(times[i, edit]),18}"));
                output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                    $"{projects[i].Name,-36} {projects[i].GeneratedCharCount / 1e6,5:0.0} {first[i].TotalMilliseconds,7:0} "
                        + $"{second[i].TotalMilliseconds,7:0} {edits}"));
            }
        }
        catch (InvalidOperationException e)
        {
            error.WriteLine(e.Message);
            return 1;
        }

        output.WriteLine();
        output.WriteLine(
            $"{contractCount} contracts of five members, each in a file, and as many other files. MB: millions of characters generated; "
            + "first: the first run in this process; again: the same over new files; then after an edit of a "
            + "method, of the declarations in another file, "
            + $"of a contract that others contain: median of {roundCount} rounds (from the lower to the upper quartile).");
        return 0;
    }

    private static string Cell(List<double> times)
    {
        double[] sorted = [.. times.Order()];
        return string.Create(CultureInfo.InvariantCulture,
            $"{sorted[sorted.Length / 2]:0.0} ({sorted[sorted.Length / 4]:0}-{sorted[sorted.Length * 3 / 4]:0})");
    }
}
