namespace Formatters.Bench.Measurement;

/// <summary>Reads the system's state that affects measurements. A value that the system does not report is null.</summary>
internal static class SystemState
{
    /// <summary>The load averages of one, five and fifteen minutes: how many threads ran or waited for a processor.</summary>
    internal static IReadOnlyList<double>? Load()
    {
        double[] numbers = [.. (ReadLine("/proc/loadavg") ?? "").Split(' ').Take(3).Select(Number).OfType<double>()];
        return numbers.Length == 3 ? numbers : null;
    }

    /// <summary>Reads the governor of the processor's frequency, such as <c>performance</c> or <c>powersave</c>.</summary>
    internal static string? Governor() => ReadLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");

    /// <summary>The limits of the container, as <c>1.5 processors, 2.0 GiB</c>.</summary>
    internal static string? ContainerLimits()
    {
        var limits = new List<string>();
        // cgroups version 2, then version 1.
        string[] cpu = (ReadLine("/sys/fs/cgroup/cpu.max")
            ?? $"{ReadLine("/sys/fs/cgroup/cpu/cpu.cfs_quota_us")} {ReadLine("/sys/fs/cgroup/cpu/cpu.cfs_period_us")}").Split(' ');
        if (cpu.Length == 2 && Number(cpu[0]) is > 0 and { } quota && Number(cpu[1]) is > 0 and { } period)
            limits.Add(string.Create(CultureInfo.InvariantCulture, $"{quota / period:0.##} processors"));
        // Without a limit version 1 says a number beyond any memory.
        if (Number(ReadLine("/sys/fs/cgroup/memory.max") ?? ReadLine("/sys/fs/cgroup/memory/memory.limit_in_bytes") ?? "") is > 0 and < 1L << 50
            and { } memory)
            limits.Add(string.Create(CultureInfo.InvariantCulture, $"{memory / (1L << 30):0.0#} GiB"));
        return limits.Count == 0 ? null : string.Join(", ", limits);
    }

    /// <summary>Returns how often the container was held up because its share of the processors was used up.</summary>
    internal static long? ThrottledCount()
    {
        string? line = ReadLines("/sys/fs/cgroup/cpu.stat").FirstOrDefault(static line => line.StartsWith("nr_throttled ", StringComparison.Ordinal));
        return line is null ? null : (long?)Number(line.Split(' ')[1]);
    }

    /// <summary>Returns how the JIT compiles: its tiers and what it learns from.</summary>
    internal static string Tiering()
    {
        bool isTiered = IsOn("TieredCompilation");
        return !isTiered
            ? "one tier"
            : $"tiered{(IsOn("TieredPGO") ? ", with profiles" : ", without profiles")}{(IsOn("ReadyToRun") ? "" : ", nothing compiled ahead")}";

        // All three are on by default. The variable of the environment goes before the setting of the application.
        static bool IsOn(string name) => Environment.GetEnvironmentVariable("DOTNET_" + name) is { Length: > 0 } variable
            ? variable != "0"
            : !AppContext.TryGetSwitch("System.Runtime." + name, out bool isOn) || isOn;
    }

    /// <summary>The file system of a path, as <c>ext4 on /dev/sda1 (rw,relatime)</c>.</summary>
    internal static string? FileSystem(string path)
    {
        string[]? best = null;
        foreach (string line in ReadLines("/proc/mounts"))
        {
            string[] fields = line.Split(' ');
            if (fields.Length < 4 || fields[0] == "rootfs" || (best is not null && fields[1].Length < best[1].Length))
                continue;
            string mount = fields[1].TrimEnd('/');
            if (path == mount || path.StartsWith(mount + "/", StringComparison.Ordinal))
                best = fields;
        }

        return best is null ? null : $"{best[2]} on {best[0]} ({best[3]})";
    }

    /// <summary>Determines whether the processors run faster than their nominal frequency when few of them work.</summary>
    internal static bool? Turbo() =>
        (ReadLine("/sys/devices/system/cpu/intel_pstate/no_turbo"), ReadLine("/sys/devices/system/cpu/cpufreq/boost")) switch
    {
        ("0", _) => true,
        ("1", _) => false,
        (_, "1") => true,
        (_, "0") => false,
        _ => null,
    };

    /// <summary>The clock that the system counts by, as <c>tsc</c>.</summary>
    internal static string? ClockSource() => ReadLine("/sys/devices/system/clocksource/clocksource0/current_clocksource");

    /// <summary>The memory of the machine, in bytes.</summary>
    internal static (long Total, long Available, long SwapUsed)? Memory()
    {
        Dictionary<string, long> lines = [];
        foreach (string[] fields in ReadLines("/proc/meminfo").Select(static line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)))
        {
            if (fields.Length >= 2 && Number(fields[1]) is { } kibibytes)
                lines[fields[0].TrimEnd(':')] = (long)kibibytes << 10;
        }

        return lines.TryGetValue("MemTotal", out long total) && lines.TryGetValue("MemAvailable", out long available)
            ? (total, available, lines.GetValueOrDefault("SwapTotal") - lines.GetValueOrDefault("SwapFree"))
            : null;
    }

#if NET
    /// <summary>The disk beneath a folder; null where the system does not say.</summary>
    internal static BlockDevice? BlockDevice(string path)
    {
        string? device = FileSystem(path)?.Split(' ')[2];
        if (device is null || !device.StartsWith("/dev/", StringComparison.Ordinal))
            return null;
        try
        {
            string name = Path.GetFileName(new FileInfo(device).ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? device);
            // A partition has its settings in the disk above it.
            string folder = new DirectoryInfo($"/sys/class/block/{name}").ResolveLinkTarget(returnFinalTarget: true)?.FullName
                ?? $"/sys/class/block/{name}";
            if (!Directory.Exists(Path.Combine(folder, "queue")))
                folder = Path.GetDirectoryName(folder) ?? folder;
            return Directory.Exists(Path.Combine(folder, "queue"))
                ? new BlockDevice(
                    device,
                    ReadLine(Path.Combine(folder, "queue/rotational")) switch { "1" => true, "0" => false, _ => null },
                    ReadLine(Path.Combine(folder, "queue/write_cache")),
                    ReadLine(Path.Combine(folder, "queue/scheduler"))?.Split('[', ']') is [_, var chosen, ..] ? chosen : null)
                : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
#endif

    private static double? Number(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) ? number : null;

    private static string? ReadLine(string path) => ReadLines(path) is { Length: > 0 } lines ? lines[0].Trim() : null;

    private static string[] ReadLines(string path)
    {
        try
        {
            return File.Exists(path) ? File.ReadAllLines(path) : [];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A sandbox may hide it.
            return [];
        }
    }
}

/// <summary>A disk.</summary>
/// <param name="IsRotational">Whether it turns.</param>
/// <param name="WriteCache"><c>write back</c>: a flush has to empty a cache; <c>write through</c>: there is none, or it survives power cuts.</param>
/// <param name="Scheduler">What orders its writes.</param>
internal sealed record BlockDevice(string Name, bool? IsRotational, string? WriteCache, string? Scheduler);
