using Formatters.Bench.Compare;

namespace Formatters.Bench.Factors;

/// <summary>The performance claims of <i>Message Queue C API</i> (2002), each with the scenarios that test it.</summary>
internal static class Claims
{
    /// <summary>A figure of the study is met by what lies within this factor of it: it says "about".</summary>
    private const double About = 1.1;

    /// <summary>A claim of a figure has both ends of its range; one of a gain only says which side is faster, and is judged as findings
    /// are.</summary>
    private sealed record Claim(string Text, string Condition, string Faster, string Slower, double? Study, double Low, double? High,
        double Weight = 1);

    private static IReadOnlyList<Claim> All { get; } =
    [
        Of("Non-persistent messages are about 25 % faster", "queue, 1k", "express, 1k", "recoverable, 1k", 1.25),
        Of("1k messages: non-persistent almost twice as fast", "queue, AUTO", "express, 1k", "recoverable, 1k", 2),
        Of("10k messages: non-persistent 33 % faster", "queue, AUTO", "express, 10k", "recoverable, 10k", 1.33),
        Of("100k messages: non-persistent 5 % faster", "queue, AUTO", "express, 100k", "recoverable, 100k", 1.05),
        Gain("A transaction costs more than persistence alone", "queue, 1k, each message in its own, one send at a time", Scenario.OneAtATime,
            "transactional, 1k"),
        Of("Persistence makes 7 %, messages acknowledged each", "queue, 1k", "express, each", "recoverable, each", 1.07),
        Of("Persistence makes 7 %, CLIENT_ACKNOWLEDGE", "queue, 1k", "express, CLIENT", "recoverable, CLIENT", 1.07),
        Of("Persistence makes 7 %, DUPS_OK_ACKNOWLEDGE", "queue, 1k", "express, DUPS_OK", "recoverable, DUPS_OK", 1.07),
        Of("CLIENT_ACKNOWLEDGE is not a significant factor", "express, against each", "express, CLIENT", "express, each", 1),
        Of("DUPS_OK_ACKNOWLEDGE is not a significant factor", "express, against each", "express, DUPS_OK", "express, each", 1),
        Of("Durable subscriptions: 20 % slower if persistent", "topic, 1k", "recoverable, non-durable", "recoverable, durable", 1.25),
        Of("Durable subscriptions: the same if not persistent", "topic, 1k", "express, non-durable", "express, durable", 1),
        Of("Without a selector 33 % faster, non-durable", "topic, half match", "express, non-durable", "express, non-durable, selector", 1.33),
        Of("A selector changes nothing, durable", "topic, half match", "express, durable", "express, durable, selector", 1),
        Of("A selector changes nothing, queue", "half match", "express, 1k", "express, queue, selector", 1),
        Gain("Several destinations beat a selector", "queue, half of the messages", "express, queue, two destinations", "express, queue, selector"),
        // Messages of ten times the size: bytes per second.
        Between("10k messages: five to six times the bytes of 1k", "express, bytes/s", "express, 10k", "express, 1k", 5.5, 5, 6, 10),
        Between("100k messages: two to three times the bytes of 10k", "express, bytes/s", "express, 100k", "express, 10k", 2.5, 2, 3, 10),
        Between("The same of 10k and 1k, persistent", "recoverable, bytes/s", "recoverable, 10k", "recoverable, 1k", 5.5, 5, 6, 10),
        Between("The same of 100k and 10k, persistent", "recoverable, bytes/s", "recoverable, 100k", "recoverable, 10k", 2.5, 2, 3, 10),
        Gain("Text is dearer than bytes", "express, 1k; UTF-16", "express, 1k", "express, text"),
        Gain("Messages without a body are the fastest", "express, against 1k", "express, no body", "express, 1k"),
        Gain("Small messages packed into one body gain", "recoverable, 100 of 100 bytes", "recoverable, 100 of 100 bytes packed",
            "recoverable, 100 bytes"),
    ];

    /// <summary>The scenarios that each claim compares.</summary>
    internal static IEnumerable<(string Faster, string Slower)> Comparisons => All.Select(static claim => (claim.Faster, claim.Slower));

    /// <summary>The names of the scenarios that the claims need.</summary>
    internal static IReadOnlySet<string> Needed { get; } = new HashSet<string>(
        Comparisons.SelectMany(static sides => new[] { sides.Faster, sides.Slower }));

    internal static IReadOnlyList<ClaimRow> Judge(IReadOnlyList<ScenarioRow> rows) => [.. All.Select(claim => Judge(claim, rows))];

    /// <summary>Judges whether an interval lies in a range; without an upper end, whether there is a gain.</summary>
    internal static Verdict Judge(RateRatio ratio, double low, double? high) => ratio switch
    {
        _ when ratio.Rounds < RateRatio.MinRounds => Verdict.Undecided,
        _ when high is null => Findings.Judge(ratio),
        _ when ratio.Low >= low && ratio.High <= high => Verdict.Holds,
        _ when ratio.High < low || ratio.Low > high => Verdict.DoesNotHold,
        _ => Verdict.Undecided,
    };

    private static Claim Of(string text, string condition, string faster, string slower, double study) =>
        Between(text, condition, faster, slower, study, study, study, 1);

    // Rounded here: what is printed and written is what a ratio is judged by.
    private static Claim Between(string text, string condition, string faster, string slower, double study, double low, double high, double weight) =>
        new(text, condition, faster, slower, study, Math.Round(low / About, 3), Math.Round(high * About, 3), weight);

    private static Claim Gain(string text, string condition, string faster, string slower) => new(text, condition, faster, slower, null, 1, null);

    private static ClaimRow Judge(Claim claim, IReadOnlyList<ScenarioRow> rows)
    {
        ScenarioRow? faster = rows.FirstOrDefault(row => row.Name == claim.Faster);
        ScenarioRow? slower = rows.FirstOrDefault(row => row.Name == claim.Slower);
        string? missing = faster?.Missing ?? slower?.Missing;
        RateRatio? ratio = faster is null || slower is null || missing is not null
            ? null
            : RateRatio.Paired(faster.Rounds.Select(rate => rate * claim.Weight), slower.Rounds);
        (Verdict verdict, string? reason) = ratio is not null ? (Judge(ratio, claim.Low, claim.High), null)
            : (Verdict.NotApplicable, missing is null ? "it was not measured" : $"the queue has no {missing}");
        return new ClaimRow(claim.Text, claim.Condition, claim.Study, claim.Low, claim.High, ratio, verdict, reason);
    }
}
