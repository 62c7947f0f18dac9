#if NET

namespace Formatters.Bench.Measurement;

/// <summary>The load of the processors: by this process, and by all others.</summary>
/// <param name="Own">The time of all processors that this process has used.</param>
/// <param name="All">The time that all processes have used; null where the system does not say.</param>
/// <param name="Server">The time that the queue's server has used; null where it is not known.</param>
internal readonly record struct ProcessorMark(TimeSpan Own, TimeSpan? All, TimeSpan? Server = null)
{
    /// <summary>Takes note of what was used up to now.</summary>
    /// <param name="server">The queue's server on this machine, or null.</param>
    internal static ProcessorMark Now(ServerProcess? server = null) => new(ResourceMark.Now().Cpu, ReadAll(), server?.Use()?.Cpu);

    // The first line: "cpu user nice system idle iowait irq softirq steal ...", in hundredths of a second, over all processors.
    private static TimeSpan? ReadAll()
    {
        try
        {
            if (!OperatingSystem.IsLinux())
                return null;
            using var reader = new StreamReader("/proc/stat");
            string[] fields = (reader.ReadLine() ?? "").Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (fields.Length < 8 || fields[0] != "cpu")
                return null;
            long ticks = 0;
            foreach (int i in (ReadOnlySpan<int>)[1, 2, 3, 6, 7])
                ticks += long.Parse(fields[i], CultureInfo.InvariantCulture);
            return TimeSpan.FromMilliseconds(ticks * 10);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            return null;
        }
    }
}

/// <summary>Adds up how busy the processors were in stretches of time.</summary>
internal sealed class ProcessorTally
{
    private TimeSpan _own;
    private TimeSpan _all;
    private TimeSpan? _server;
    private TimeSpan _elapsed;
    private bool _isKnown = true;

    /// <summary>Adds a stretch.</summary>
    /// <param name="start">What had been used at its beginning.</param>
    /// <param name="elapsed">How long it took.</param>
    /// <param name="server">The queue's server on this machine, or null.</param>
    /// <param name="helpers">What helpers of this process used in it.</param>
    internal void Add(ProcessorMark start, TimeSpan elapsed, ServerProcess? server = null, TimeSpan helpers = default)
    {
        ProcessorMark now = ProcessorMark.Now(server);
        _own += now.Own - start.Own + helpers;
        if (now.Server - start.Server is { } used)
            _server = (_server ?? TimeSpan.Zero) + used;
        _elapsed += elapsed;
        if (now.All is { } all && start.All is { } before)
            _all += all - before;
        else
            _isKnown = false;
    }

    /// <summary>The part of one processor that this process used: 1.5 are one and a half.</summary>
    internal double Own => _elapsed > TimeSpan.Zero ? _own / _elapsed : 0;

    /// <summary>The same of the queue's server; null where it is not known.</summary>
    internal double? Server => _elapsed > TimeSpan.Zero ? _server / _elapsed : null;

    /// <summary>The same of all other processes, a broker on this machine among them; null where the system does not say.</summary>
    internal double? Others => _isKnown && _elapsed > TimeSpan.Zero ? Math.Max(0, (_all - _own) / _elapsed) : null;
}
#endif
