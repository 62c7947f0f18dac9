namespace Formatters.Benchmarks.Generators;

/// <summary>The first two runs of a generator in a new process: the first compiles the code of the generator and of the compiler.</summary>
/// <param name="First">The first run.</param>
/// <param name="Again">The same over new files.</param>
internal readonly record struct GeneratorFirstRun(TimeSpan First, TimeSpan Again)
{
    /// <summary>The verb by which <c>generator</c> starts the processes that it measures.</summary>
    public const string Verb = "generator-first-run";

    /// <summary>Measures in this process, which must be new, and prints ticks.</summary>
    /// <param name="args">The name of the case, the number of contracts, and whether they are in one file.</param>
    public static void Print(string[] args, TextWriter output)
    {
        var project = new GeneratorProject(GeneratorCase.All.Single(item => item.Name == args[0]), int.Parse(args[1], CultureInfo.InvariantCulture),
            bool.Parse(args[2]));
        TimeSpan first = project.RunFresh();
        output.Write(string.Create(CultureInfo.InvariantCulture, $"{first.Ticks}\t{project.RunFresh().Ticks}"));
    }

    /// <summary>Measures in several new processes, and returns the medians.</summary>
    /// <exception cref="InvalidOperationException">A process failed.</exception>
    public static GeneratorFirstRun Measure(GeneratorCase item, int contractCount, bool isOneFile, int processCount)
    {
        var first = new TimeSpan[processCount];
        var again = new TimeSpan[processCount];
        for (int i = 0; i < processCount; i++)
        {
            string output = GeneratorBuild.RunDotNet(typeof(GeneratorFirstRun).Assembly.Location, Verb, item.Name,
                contractCount.ToString(CultureInfo.InvariantCulture), isOneFile.ToString());
            string[] ticks = output.Split('\t');
            first[i] = new TimeSpan(long.Parse(ticks[0], CultureInfo.InvariantCulture));
            again[i] = new TimeSpan(long.Parse(ticks[1], CultureInfo.InvariantCulture));
        }

        return new GeneratorFirstRun(first.Order().ElementAt(processCount / 2), again.Order().ElementAt(processCount / 2));
    }
}
