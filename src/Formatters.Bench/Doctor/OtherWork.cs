namespace Formatters.Bench.Doctor;

/// <summary>The work of other programs while this one looked.</summary>
/// <param name="Share">The part of all processors' time that it took, from 0 to 1.</param>
/// <param name="Programs">The programs that took most, as <c>csc 50 %, dotnet 3 %</c>.</param>
internal sealed record OtherWork(double Share, string Programs)
{
    private const double MaxShare = 0.1;

    /// <summary>Gets whether figures measured beside it mean little.</summary>
    internal bool IsTooMuch => Share > MaxShare;

    /// <param name="ownSeconds">The processors' time that this process took meanwhile.</param>
    /// <param name="seconds">The time between the two readings.</param>
    internal static OtherWork Between(SystemActivity before, SystemActivity after, double ownSeconds, double seconds)
    {
        double total = after.Total - before.Total;
        IEnumerable<string> most = after.Processes
            .Select(
                item => (
                    item.Value.Name,
                    Ticks: item.Value.Ticks - (before.Processes.TryGetValue(item.Key, out (string Name, double Ticks) was) ? was.Ticks : 0)))
            .Where(item => item.Ticks > 0.02 * total)
            .OrderByDescending(item => item.Ticks)
            .Take(3)
            .Select(item => $"{item.Name} {Numbers.Percent(item.Ticks / total)}");
        return new OtherWork(
            Math.Max(0, ((after.Busy - before.Busy) / total) - (ownSeconds / seconds / Environment.ProcessorCount)), string.Join(", ", most));
    }

    /// <summary>Watches the processors for a time.</summary>
    /// <returns>Null where the system has no /proc.</returns>
    internal static async Task<OtherWork?> WatchAsync(TimeSpan time, CancellationToken cancellationToken)
    {
        SystemActivity? before = SystemActivity.Now();
        TimeSpan own = Environment.CpuUsage.TotalTime;
        long start = Stopwatch.GetTimestamp();
        await Task.Delay(time, cancellationToken);
        SystemActivity? after = SystemActivity.Now();
        return before is null || after is null || after.Total <= before.Total
            ? null
            : Between(before, after, (Environment.CpuUsage.TotalTime - own).TotalSeconds, Stopwatch.GetElapsedTime(start).TotalSeconds);
    }
}
