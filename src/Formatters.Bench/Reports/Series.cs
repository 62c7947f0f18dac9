namespace Formatters.Bench.Reports;

/// <summary>One measured quantity, round by round: what every result file has, whatever its verb, so that two files can be compared and any be
/// drawn.</summary>
/// <param name="Name">What was measured, parts separated by slashes; the same in every run of the same verb and arguments:
/// <c>order/hand-coded/send</c>.</param>
/// <param name="Unit">Of the rounds, as <c>msg/s</c> or <c>ms</c>.</param>
/// <param name="IsHigherBetter">Whether a larger figure is the better one.</param>
/// <param name="Rounds">The figures, in the order in which they were measured.</param>
internal sealed record Series(string Name, string Unit, bool IsHigherBetter, IReadOnlyList<double> Rounds)
{
    /// <summary>The unit of most figures.</summary>
    internal const string MessagesPerSecond = "msg/s";

    /// <summary>The name of the series that was measured in the same rounds, and that ratios are to; null if the verb has none.</summary>
    public string? Reference { get; init; }

    internal static Series OfRates(string name, IReadOnlyList<double> rounds) => new(name, MessagesPerSecond, IsHigherBetter: true, rounds);
}

internal interface IMeasuredReport
{
    string Verb { get; }

    RunInfo Run { get; }

    /// <summary>Everything that was measured, round by round.</summary>
    IReadOnlyList<Series> Series { get; }
}

internal static class MeasuredReportExtensions
{
    /// <summary>Returns the exit code of the command that made the report.</summary>
    internal static int ExitCode(this IMeasuredReport report) => report.Run.IsInterrupted ? ExitCodes.Interrupted : ExitCodes.Success;
}
