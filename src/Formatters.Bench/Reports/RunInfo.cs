namespace Formatters.Bench.Reports;

/// <param name="Tool">Name and version.</param>
/// <param name="CommandLine">The arguments, passwords left out.</param>
/// <param name="StartedAt">The local time at the start.</param>
/// <param name="Seconds">How long the run took.</param>
internal sealed record RunInfo(string Tool, string CommandLine, DateTimeOffset StartedAt, double Seconds, MachineInfo Machine)
{
    /// <summary>The commit from which the tool was built; null where the build does not say.</summary>
    public string? Commit { get; init; }

    /// <summary>Gets whether the run was ended before it was done: the figures come from the rounds until then.</summary>
    public bool IsInterrupted { get; init; }

    /// <summary>The load averages (1, 5 and 15 minutes) before the run; null where the system does not say.</summary>
    public IReadOnlyList<double>? LoadBefore { get; init; }

    /// <summary>The same after the run, which is itself a part of it.</summary>
    public IReadOnlyList<double>? LoadAfter { get; init; }

    /// <summary>Gets how often, during the run, the container was held up because its share of the processors was used up; null where the system does
    /// not say.</summary>
    public long? Throttled { get; init; }
}

/// <param name="Address">Its address, without a password.</param>
/// <param name="Product">Its own name.</param>
/// <param name="DeliveryMode">express, recoverable or transactional.</param>
/// <param name="Durability">What is true of a message whose send has completed.</param>
internal sealed record QueueInfo(string Address, string Product, string DeliveryMode, string Durability)
{
    /// <summary>The settings of the server, or the file system of the folder, on which the figures depend; empty where nothing is known.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();
}

/// <summary>Takes note of the beginning of a run, and makes its <see cref="RunInfo"/> at its end.</summary>
internal sealed class RunRecorder(string commandLine, TimeProvider clock)
{
    private readonly DateTimeOffset _startedAt = clock.GetLocalNow();
    private readonly IReadOnlyList<double>? _load = SystemState.Load();
    private readonly long? _throttled = SystemState.ThrottledCount();

    /// <summary>Describes the run up to now.</summary>
    /// <param name="isInterrupted">Whether it was ended before it was done.</param>
    internal RunInfo Finish(bool isInterrupted) =>
        new(ToolInfo.NameAndVersion, commandLine, _startedAt, (clock.GetLocalNow() - _startedAt).TotalSeconds, MachineInfo.Current())
    {
        Commit = ToolInfo.Commit,
        IsInterrupted = isInterrupted,
        LoadBefore = _load,
        LoadAfter = SystemState.Load(),
        Throttled = SystemState.ThrottledCount() - _throttled,
    };
}
