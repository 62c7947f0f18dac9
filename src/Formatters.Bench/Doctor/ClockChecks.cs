namespace Formatters.Bench.Doctor;

/// <summary>The measured properties of the clocks.</summary>
/// <param name="StepNanoseconds">The least step of the clock by which everything is measured.</param>
/// <param name="ReadNanoseconds">What one reading costs.</param>
/// <param name="LongestPauseMilliseconds">The longest time for which a busy thread did not run.</param>
/// <param name="PauseShare">The share of the time taken away from it by pauses longer than 0.1 ms.</param>
/// <param name="DriftMilliseconds">By how much the time of day moved against that clock.</param>
/// <param name="SleepMilliseconds">How long a wait of 1 ms took, the median.</param>
internal sealed record ClockSample(
    double StepNanoseconds, double ReadNanoseconds, double LongestPauseMilliseconds, double PauseShare, double DriftMilliseconds,
    double SleepMilliseconds)
{
    private const int Sleeps = 21;

    /// <summary>Looks at them for a time, on one busy thread.</summary>
    internal static ClockSample Take(TimeSpan time, CancellationToken cancellationToken)
    {
        const double PauseFrom = 1e5;
        double nanoseconds = 1e9 / Stopwatch.Frequency;
        long step = long.MaxValue, longest = 0, reads = 0, pauses = 0;
        DateTime day = DateTime.UtcNow;
        long start = Stopwatch.GetTimestamp();
        long end = start + (long)(time.TotalSeconds * Stopwatch.Frequency);
        long last = start;
        while (last < end)
        {
            long now = Stopwatch.GetTimestamp();
            reads++;
            long gap = now - last;
            if (gap > 0 && gap < step)
                step = gap;
            if (gap > longest)
                longest = gap;
            if (gap * nanoseconds > PauseFrom)
                pauses += gap;
            last = now;
            if ((reads & 0xFFFFF) == 0)
                cancellationToken.ThrowIfCancellationRequested();
        }

        double elapsed = (last - start) * nanoseconds;
        double drift = Math.Abs((DateTime.UtcNow - day).TotalMilliseconds - (Stopwatch.GetElapsedTime(start).TotalMilliseconds));
        var sleeps = new double[Sleeps];
        for (int i = 0; i < sleeps.Length; i++)
        {
            long from = Stopwatch.GetTimestamp();
            Thread.Sleep(1);
            sleeps[i] = Stopwatch.GetElapsedTime(from).TotalMilliseconds;
        }

        return new ClockSample(
            step == long.MaxValue
                ? 0
                : step * nanoseconds, (elapsed - (pauses * nanoseconds)) / Math.Max(1, reads), longest * nanoseconds / 1e6,
                pauses * nanoseconds / elapsed, drift, Statistics.Of(sleeps).Median);
    }
}

/// <summary>Judges the clocks.</summary>
internal static class ClockChecks
{
    private const string Area = "clock";

    internal static IEnumerable<DoctorCheck> Judge(ClockSample sample, string? source)
    {
        yield return DoctorCheck.WarnIf(
            sample.StepNanoseconds > 1_000 || sample.ReadNanoseconds > 500,
            Area,
            "resolution",
            string.Create(CultureInfo.InvariantCulture,
                $"steps of {sample.StepNanoseconds:0} ns, {sample.ReadNanoseconds:0} ns to read{(source is null ? "" : $"; source {source}")}"),
            "Latencies and short turns are measured too coarsely: choose a finer clock source (tsc), or larger batches.");
        yield return DoctorCheck.WarnIf(
            source is "hpet" or "acpi_pm" or "jiffies",
            Area,
            "source",
            source ?? "the system does not say",
            "A slow source: 'echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource', if the system has it.");
        yield return DoctorCheck.WarnIf(
            sample.DriftMilliseconds > 1,
            Area,
            "time of day",
            string.Create(CultureInfo.InvariantCulture,
                $"moved by {sample.DriftMilliseconds:0.00} ms against the clock of measurements during the check"),
            "It is being set: messages expire early or late, and latency across machines is wrong. Wait until it is synchronized.");
        yield return DoctorCheck.WarnIf(
            sample.LongestPauseMilliseconds > 5 || sample.PauseShare > 0.02,
            Area,
            "pauses",
            string.Create(CultureInfo.InvariantCulture,
                $"a busy thread stood still for {sample.LongestPauseMilliseconds:0.0} ms at most, {100 * sample.PauseShare:0.0} % of the time"),
            "Something takes the processor away: more rounds, fewer threads, or 'chrt -r 1' (real-time priority; needs rights).");
        yield return DoctorCheck.WarnIf(
            sample.SleepMilliseconds > 3,
            Area,
            "timer",
            string.Create(CultureInfo.InvariantCulture, $"a wait of 1 ms takes {sample.SleepMilliseconds:0.0} ms"),
            "Fixed rates (throughput --rate) come in bursts; latency is corrected for that, rates are not.");
    }
}
