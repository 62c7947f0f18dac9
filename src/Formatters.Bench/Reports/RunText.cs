using System.Globalization;
using System.IO;
using Formatters.Bench.Measurement;

namespace Formatters.Bench.Reports;

/// <summary>Prints how figures were obtained.</summary>
internal static class RunText
{
    /// <summary>Prints the queue's lines.</summary>
    internal static void PrintQueue(TextWriter output, QueueInfo queue)
    {
        TextWrap.Print(output, "  queue       ", $"{queue.Address}, {queue.Product}, {queue.DeliveryMode}");
        TextWrap.Print(output, "  durability  ", queue.Durability);
    }

    /// <summary>Prints the machine's lines, and when and how.</summary>
    internal static void PrintRun(TextWriter output, RunInfo run)
    {
        MachineInfo machine = run.Machine;
        TextWrap.Print(output, "  machine     ", $"{machine.Processor}, {Numbers.Count(machine.LogicalCores)} logical cores, {Numbers.Gibibytes(machine.MemoryBytes)}");
        TextWrap.Print(output, "  system      ", machine.OperatingSystem);
        TextWrap.Print(output, "  runtime     ", $"{machine.Runtime}; garbage collector {machine.GarbageCollector}");
        TextWrap.Print(
            output,
            "  run         ",
            string.Create(CultureInfo.InvariantCulture, $"{run.Tool} {run.CommandLine}, {Numbers.Moment(run.StartedAt)}, took {run.Seconds:0} s"));
    }
}
