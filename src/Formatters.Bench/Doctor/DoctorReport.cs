namespace Formatters.Bench.Doctor;

/// <summary>The severity of a check's result.</summary>
internal enum DoctorLevel
{
    /// <summary>Nothing that would spoil a measurement.</summary>
    Ok,

    /// <summary>The system does not say, or was not asked.</summary>
    Unknown,

    /// <summary>Something that would spoil a measurement, or make it say something else than one thinks.</summary>
    Warning,

    /// <summary>A place that was named cannot be reached or used.</summary>
    Failed,
}

/// <summary>One thing that was looked at.</summary>
/// <param name="Area">What it belongs to: <c>machine</c>, <c>clock</c>, <c>runtime</c>, or a queue or folder.</param>
/// <param name="Name">What was looked at.</param>
/// <param name="Level">What it means.</param>
/// <param name="Finding">What was found.</param>
/// <param name="Advice">What to do; null where there is nothing to do.</param>
internal sealed record DoctorCheck(string Area, string Name, DoctorLevel Level, string Finding, string? Advice = null)
{
    internal static DoctorCheck Ok(string area, string name, string finding) => new(area, name, DoctorLevel.Ok, finding);

    internal static DoctorCheck Unknown(string area, string name, string finding) => new(area, name, DoctorLevel.Unknown, finding);

    internal static DoctorCheck Warning(string area, string name, string finding, string advice) =>
        new(area, name, DoctorLevel.Warning, finding, advice);

    internal static DoctorCheck Failed(string area, string name, string finding, string advice) =>
        new(area, name, DoctorLevel.Failed, finding, advice);

    /// <summary>A warning where something is so, else in order.</summary>
    internal static DoctorCheck WarnIf(bool isSo, string area, string name, string finding, string advice) =>
        isSo ? Warning(area, name, finding, advice) : Ok(area, name, finding);
}

/// <param name="Tool">Name and version.</param>
/// <param name="Commit">The commit from which the tool was built; null where the build does not say.</param>
/// <param name="At">When.</param>
/// <param name="Checks">What was looked at.</param>
internal sealed record DoctorReport(string Tool, string? Commit, DateTimeOffset At, MachineInfo Machine, IReadOnlyList<DoctorCheck> Checks)
{
    /// <summary>The verb, as in result files.</summary>
    public string Verb { get; } = "doctor";

    internal int Count(DoctorLevel level) => Checks.Count(check => check.Level == level);
}
