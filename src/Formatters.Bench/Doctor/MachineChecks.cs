namespace Formatters.Bench.Doctor;

/// <summary>Processors, memory and what else runs on the machine.</summary>
internal static class MachineChecks
{
    private const string Area = "machine";
    private const double StolenAbove = 0.01;

    /// <summary>Checks the settings, which can be read at once.</summary>
    internal static IEnumerable<DoctorCheck> OfSettings(MachineInfo machine)
    {
        yield return DoctorCheck.WarnIf(
            machine.LogicalCores < 4,
            Area,
            "cores",
            $"{Numbers.Count(machine.LogicalCores)} logical cores, {Numbers.Gibibytes(machine.MemoryBytes)}: {machine.Processor}",
            "Sender, receiver and a broker on this machine share them: compare ratios within one run, not absolute rates.");
        yield return machine.ContainerLimits is { } limits
            ? DoctorCheck.WarnIf(
                limits.Contains("processors", StringComparison.Ordinal),
                Area,
                "container",
                $"limited to {limits}",
                "A share of processors is taken away in slices of 100 ms, which no single rate shows: pin whole cores (cpuset) instead.")
            : DoctorCheck.Ok(Area, "container", "no limits");
        if (SystemState.ThrottledCount() is > 0 and { } throttled)
            yield return DoctorCheck.Warning(Area, "throttled", $"held up {Numbers.Count(throttled, "time")} so far by the container's limit",
                "Raise the limit, or measure with fewer threads.");
        yield return machine.Governor switch
        {
            null => DoctorCheck.Unknown(Area, "governor", "the system does not say, as in most virtual machines"),
            "performance" => DoctorCheck.Ok(Area, "governor", "performance"),
            _ =>
                DoctorCheck.Warning(Area, "governor", machine.Governor,
                    "The frequency follows the load: 'cpupower frequency-set -g performance' during the measurement."),
        };
        if (SystemState.Turbo() is { } turbo)
            yield return DoctorCheck.WarnIf(turbo, Area, "turbo", turbo ? "on" : "off",
                "Short runs are faster than long ones: warm up, or turn it off to compare runs of different length.");
        if (SystemState.Memory() is { } memory)
        {
            yield return DoctorCheck.WarnIf(
                memory.Available < memory.Total / 10 || memory.SwapUsed > memory.Total / 20,
                Area,
                "memory",
                $"{Numbers.Gibibytes(memory.Available)} of {Numbers.Gibibytes(memory.Total)} available, "
                    + $"{Numbers.Gibibytes(memory.SwapUsed)} swapped out",
                "What is swapped out comes back in the middle of a measurement: end other programs.");
        }
    }

    /// <summary>Checks the activity between two readings.</summary>
    internal static IEnumerable<DoctorCheck> OfActivity(SystemActivity? before, SystemActivity? after, double ownSeconds, double seconds)
    {
        if (SystemState.Load() is { } load)
        {
            yield return DoctorCheck.WarnIf(
                load[0] > 0.5 * Environment.ProcessorCount,
                Area,
                "load",
                string.Create(CultureInfo.InvariantCulture, $"{load[0]:0.00}, {load[1]:0.00}, {load[2]:0.00} (1, 5, 15 minutes)"),
                "Other programs use the processors: wait until they are done; otherwise only ratios within one run are meaningful.");
        }

        if (before is null || after is null || after.Total <= before.Total)
            yield break;
        var others = OtherWork.Between(before, after, ownSeconds, seconds);
        yield return DoctorCheck.WarnIf(
            others.IsTooMuch,
            Area,
            "other work",
            string.Join(": ", new[] { $"{Numbers.Percent(others.Share)} of the processors' time during the check",
                others.Programs }.Where(text => text.Length > 0)),
            "End these programs during the measurement.");
        double stolen = (after.Stolen - before.Stolen) / (after.Total - before.Total);
        yield return DoctorCheck.WarnIf(
            stolen > StolenAbove,
            Area,
            "stolen time",
            $"{Numbers.Percent(stolen)} taken by the host of this virtual machine",
            "Other virtual machines run on the same processors: measure on a dedicated host, or compare within one run.");
    }
}

/// <summary>The processors' time since the system started, in ticks.</summary>
/// <param name="Busy">Not idle, and not waiting for a disk.</param>
/// <param name="Stolen">Taken by the host of a virtual machine.</param>
/// <param name="Processes">By process, this one left out.</param>
internal sealed record SystemActivity(double Total, double Busy, double Stolen, IReadOnlyDictionary<int, (string Name, double Ticks)> Processes)
{
    /// <summary>Looks; null where the system has no /proc.</summary>
    internal static SystemActivity? Now()
    {
        try
        {
            string[] fields = File.ReadLines("/proc/stat").First().Split(' ', StringSplitOptions.RemoveEmptyEntries);
            // user nice system idle iowait irq softirq steal; guests are in user already.
            double[] ticks = [.. fields.Skip(1).Take(8).Select(field => double.Parse(field, CultureInfo.InvariantCulture))];
            if (ticks.Length < 8)
                return null;
            return new SystemActivity(ticks.Sum(), ticks.Sum() - ticks[3] - ticks[4], ticks[7], ReadProcesses());
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            return null;
        }
    }

    private static Dictionary<int, (string Name, double Ticks)> ReadProcesses()
    {
        var found = new Dictionary<int, (string Name, double Ticks)>();
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            if (!int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out int id) || id == Environment.ProcessId)
                continue;
            try
            {
                // "12 (name with spaces) S 1 ...": user and system time are the fields 14 and 15.
                string text = File.ReadAllText(Path.Combine(folder, "stat"));
                int end = text.LastIndexOf(')');
                string[] fields = text[(end + 2)..].Split(' ');
                found[id] = (text[(text.IndexOf('(', StringComparison.Ordinal) + 1)..end],
                    double.Parse(fields[11], CultureInfo.InvariantCulture) + double.Parse(fields[12], CultureInfo.InvariantCulture));
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException or ArgumentOutOfRangeException
                or IndexOutOfRangeException)
            {
                // It has ended, or is another user's.
            }
        }

        return found;
    }
}
