namespace Formatters.Benchmarks.Startup;

/// <summary>The costs of the first order in a new process.</summary>
/// <param name="Write">The time to make the formatter and to write.</param>
internal readonly record struct FirstUse(TimeSpan Write, TimeSpan Read)
{
    /// <summary>The verb by which <c>startup</c> starts the processes that it measures.</summary>
    public const string Verb = "first-use";

    /// <summary>Measures a row in this process, which must be new, and checks it.</summary>
    /// <exception cref="RowCheckException">The row reads another order than it wrote.</exception>
    public static FirstUse Measure(RowEntry entry)
    {
        OrderWithList order = SampleOrders.CreateWithList(1);
        long start = Stopwatch.GetTimestamp();
        Row row = entry.Create();
        TimeSpan create = Stopwatch.GetElapsedTime(start);
        object result = row.MeasureFirstUse(order, out TimeSpan write, out TimeSpan read);
        if (!order.ContentEquals(row.ToOrder(result)))
            throw new RowCheckException($"The row '{entry.Name}' reads another order than was written.");
        return new FirstUse(create + write, read);
    }

    /// <exception cref="RowCheckException">The process failed.</exception>
    public static FirstUse MeasureInNewProcess(RowEntry entry)
    {
        string host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";
        var info = new ProcessStartInfo(host, [typeof(FirstUse).Assembly.Location, Verb, entry.Name]) { RedirectStandardOutput = true };
        using Process process = Process.Start(info)!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        string[] ticks = output.Split('\t');
        if (process.ExitCode != 0 || ticks.Length != 2)
            throw new RowCheckException($"The row '{entry.Name}' fails in a new process: exit code {process.ExitCode}, {output}");
        return new FirstUse(Parse(ticks[0]), Parse(ticks[1]));
    }

    /// <summary>Prints ticks, for <see cref="MeasureInNewProcess"/>.</summary>
    public void Print(TextWriter output) => output.Write(string.Create(CultureInfo.InvariantCulture, $"{Write.Ticks}\t{Read.Ticks}"));

    private static TimeSpan Parse(string ticks) => new(long.Parse(ticks, CultureInfo.InvariantCulture));
}
