namespace Formatters.Bench.Doctor;

/// <summary>Looks at everything that would spoil a measurement. Sends and receives nothing, and makes no queue.</summary>
/// <param name="places">Queues, places and folders; without any, those of the environment, the defaults of this machine, and the folder for temporary
/// files.</param>
/// <param name="seconds">How long each look at clocks and disks takes.</param>
internal sealed class DoctorRun(QueueConnector connector, IReadOnlyList<string> places, double seconds, TimeProvider clock)
{
    private static readonly (string Variable, string Default)[] Servers =
    [
        ("FORMATTERS_RABBITMQ", "amqp://localhost"),
        ("FORMATTERS_POSTGRES", "postgres://postgres@localhost/postgres"),
    ];

    /// <summary>Looks.</summary>
    internal async Task<DoctorReport> RunAsync(IRunProgress progress, CancellationToken cancellationToken)
    {
        MachineInfo machine = MachineInfo.Current();
        List<(string Place, bool IsNamed)> all = places.Count > 0
            ? [.. places.Select(static place => (place, true))]
            : [.. Servers.Select(static server => Environment.GetEnvironmentVariable(server.Variable) is { Length: > 0 } address ? (address, true)
                : (server.Default, false)), (Path.GetTempPath(), true)];
        // All are parsed before the first is looked at.
        List<(string? Folder, QueueAddress? Address, bool IsNamed)> parsed = [.. all.Select(static item => Parse(item.Place, item.IsNamed))];

        progress.Stage("processors and clocks");
        SystemActivity? before = SystemActivity.Now();
        TimeSpan own = Environment.CpuUsage.TotalTime;
        long start = Stopwatch.GetTimestamp();
        ClockSample clocks = await Task.Run(() => ClockSample.Take(TimeSpan.FromSeconds(seconds), cancellationToken), cancellationToken);
        double elapsed = Stopwatch.GetElapsedTime(start).TotalSeconds;
        SystemActivity? after = SystemActivity.Now();
        List<DoctorCheck> checks =
        [
            .. MachineChecks.OfSettings(machine),
            .. MachineChecks.OfActivity(before, after, (Environment.CpuUsage.TotalTime - own).TotalSeconds, elapsed),
            .. ClockChecks.Judge(clocks, SystemState.ClockSource()),
            .. RuntimeChecks.Judge(machine),
        ];
        foreach ((string? folder, QueueAddress? address, bool isNamed) in parsed)
        {
            cancellationToken.ThrowIfCancellationRequested();
            progress.Stage(folder ?? address!.ToString());
            if (folder is not null)
                checks.AddRange(
                    await Task.Run(() => FolderChecks.Check(folder, TimeSpan.FromSeconds(seconds), cancellationToken).ToList(), cancellationToken));
            else if (address!.Scheme is "memory")
                checks.Add(DoctorCheck.Ok(address.ToString(), "reached", "in this process: nothing survives it"));
            else
                checks.AddRange(await ServerChecks.CheckAsync(address, isNamed, connector, cancellationToken));
        }

        return new DoctorReport(ToolInfo.NameAndVersion, ToolInfo.Commit, clock.GetLocalNow(), machine, checks);
    }

    private static (string? Folder, QueueAddress? Address, bool IsNamed) Parse(string place, bool isNamed)
    {
        // A path is no address: /data, ./data, C:\data.
        if (Path.IsPathRooted(place) || !place.Contains(':', StringComparison.Ordinal))
            return (place, null, isNamed);
        if (QueueAddress.ParseList(place) is not [var address])
            throw new UsageException("doctor takes one queue for each argument; several are separated by spaces.");
        return address.Scheme switch
        {
            "file" => (address.QueueName.Length == 0 ? address.Uri.LocalPath : Path.GetDirectoryName(address.Uri.LocalPath) ?? "/", null, isNamed),
            "memory" or "amqp" or "amqps" or "postgres" or "postgresql" => (null, address, isNamed),
            _ => throw new UsageException($"doctor checks folders, file:, memory:, amqp: and postgres:, not at '{address.Scheme}:'."),
        };
    }
}
