namespace Formatters.Bench.Reports;

/// <summary>Prints how figures were obtained.</summary>
internal static class RunText
{
    private static readonly TimeSpan Short = TimeSpan.FromSeconds(5);

    /// <summary>Prints how long a run takes, if that is more than some seconds.</summary>
    /// <param name="cases">How long the measured cases take; checks and setup are not included.</param>
    internal static void PrintEstimate(TextWriter error, TimeSpan cases)
    {
        if (cases > Short)
            error.WriteLine($"This takes about {Duration(cases)}, longer on a busy machine.");
    }

    /// <summary>Prints how long a run takes by its cases so far, if that differs from what was printed before by more than a fourth.</summary>
    /// <param name="printed">The earlier estimate; zero if there was none.</param>
    /// <param name="measured">The time of the whole run: preparation, pauses and cleanup are included.</param>
    /// <returns>What is printed by now.</returns>
    internal static TimeSpan PrintCorrectedEstimate(TextWriter error, TimeSpan printed, TimeSpan measured)
    {
        if (measured <= Short || (printed > Short && Math.Abs(measured / printed - 1) <= 0.25))
            return printed;
        error.WriteLine($"By the cases so far, this takes about {Duration(measured)} in all.");
        return measured;
    }

    /// <summary>Prints how figures were obtained: the queue, the machine, the run and the method.</summary>
    internal static void PrintMeasured(TextWriter output, RunInfo run, QueueInfo? queue, string method)
    {
        output.WriteLine();
        output.WriteLine("Measured");
        if (queue is not null)
            PrintQueue(output, queue);
        PrintRun(output, run);
        TextWrap.Print(output, "  method      ", method);
    }

    private static string Duration(TimeSpan time) => time switch
    {
        { TotalSeconds: < 100 } => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0} s"),
        { TotalMinutes: < 100 } => string.Create(CultureInfo.InvariantCulture, $"{time.TotalMinutes:0} min"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{time.TotalHours:0.0} h"),
    };

    /// <summary>Prints the queue's lines.</summary>
    internal static void PrintQueue(TextWriter output, QueueInfo queue)
    {
        TextWrap.Print(output, "  queue       ", $"{queue.Address}, {queue.Product}, {queue.DeliveryMode}");
        TextWrap.Print(output, "  durability  ", queue.Durability);
        PrintSettings(output, queue);
    }

    /// <summary>Prints what the queue's server says of itself, if it does.</summary>
    internal static void PrintSettings(TextWriter output, QueueInfo queue)
    {
        if (queue.Settings.Count > 0)
            TextWrap.Print(output, "  settings    ", string.Join(", ", queue.Settings.Select(static setting => $"{setting.Key} {setting.Value}")));
    }

    /// <summary>Prints the machine's lines, and when and how.</summary>
    internal static void PrintRun(TextWriter output, RunInfo run)
    {
        MachineInfo machine = run.Machine;
        string limits = machine.ContainerLimits is null ? "" : $"; container: {machine.ContainerLimits}";
        string governor = machine.Governor is null ? "" : $"; governor {machine.Governor}";
        TextWrap.Print(output, "  machine     ",
            $"{machine.Processor}, {Numbers.Count(machine.LogicalCores)} logical cores, {Numbers.Gibibytes(machine.MemoryBytes)}{limits}{governor}");
        if (run is { LoadBefore: { } before, LoadAfter: { } after })
        {
            string throttled = run.Throttled > 0 ? $"; held up {Numbers.Count(run.Throttled.Value, "time")} by the container's limit" : "";
            TextWrap.Print(
                output, "  load        ",
                string.Create(CultureInfo.InvariantCulture, $"{before[0]:0.00} before, {after[0]:0.00} after (of one minute){throttled}"));
        }

        TextWrap.Print(output, "  system      ", machine.OperatingSystem);
        TextWrap.Print(output, "  runtime     ", $"{machine.Runtime}; garbage collector {machine.GarbageCollector}; JIT {machine.Tiering}");
        if (run.Commit is { Length: > 0 } commit)
            TextWrap.Print(output, "  commit      ", commit);
        TextWrap.Print(
            output,
            "  run         ",
            string.Create(CultureInfo.InvariantCulture, $"{run.Tool} {run.CommandLine}, {Numbers.Moment(run.StartedAt)}, took {run.Seconds:0} s"));
        if (run.IsInterrupted)
            TextWrap.Print(output, "  interrupted ", "The run was interrupted: the figures are those of the rounds completed before that.");
    }
}
