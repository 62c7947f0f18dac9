using Formatters.Bench.Compare;

namespace Formatters.Bench.Factors;

/// <summary>The report of <c>factors</c>.</summary>
/// <param name="RoundSeconds">For how long each scenario produced in a round.</param>
/// <param name="Scenarios">What was measured.</param>
/// <param name="Claims">What the study claims, and what became of it.</param>
internal sealed record FactorsReport(RunInfo Run, QueueInfo Queue, double RoundSeconds, IReadOnlyList<ScenarioRow> Scenarios,
    IReadOnlyList<ClaimRow> Claims) : IMeasuredReport
{
    public string Verb => "factors";

    /// <summary>The redeliveries after kills, by acknowledge mode; empty without <c>--kill</c>.</summary>
    public IReadOnlyList<KillRow> Kills { get; init; } = [];

    public IReadOnlyList<Series> Series =>
        [.. Scenarios.Where(static row => row.Rounds.Count > 0).Select(static row => Reports.Series.OfRates(row.Name, row.Rounds))];
}

/// <summary>One combination of factors.</summary>
/// <param name="Missing">What the queue lacks for it; null if it was measured.</param>
/// <param name="Messages">How many messages were produced and consumed, all checked.</param>
/// <param name="Rounds">Messages per second up to the last message consumed, round by round.</param>
internal sealed record ScenarioRow(string Name, string? Missing, long Messages, IReadOnlyList<double> Rounds);

/// <param name="Condition">Under which condition it was made, and what is compared.</param>
/// <param name="StudyRatio">The study's ratio; null where it gives no number.</param>
/// <param name="Low">The range in which a ratio agrees with the claim: from here</param>
/// <param name="High">to here; null is without end.</param>
/// <param name="Ratio">The ratio measured here; null if it was not.</param>
/// <param name="Verdict">What became of it.</param>
/// <param name="Reason">Why it is not applicable; else null.</param>
internal sealed record ClaimRow(string Text, string Condition, double? StudyRatio, double Low, double? High, RateRatio? Ratio, Verdict Verdict,
    string? Reason)
{
    /// <summary>The numbers by which the ratio is judged.</summary>
    internal double[] Bounds => High is { } high ? [Low, high] : RatioText.FindingBounds;

    /// <summary>The range in which a ratio agrees with the claim, as <c>1.14 to 1.38</c>.</summary>
    internal string Range =>
        High is { } high ? string.Create(CultureInfo.InvariantCulture, $"{Low:0.00} to {high:0.00}") : "more than 1";
}
