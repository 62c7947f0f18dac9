using Formatters.Bench.Compare;

namespace Formatters.Bench.Factors;

/// <summary>Prints the report of <c>factors</c>.</summary>
internal static class FactorsText
{
    internal static void Print(TextWriter output, FactorsReport report)
    {
        if (report.Kills.Count > 0)
        {
            PrintKills(output, report);
            return;
        }

        TextWrap.Print(output, "", $"One producer, one consumer over {report.Queue.Product}: messages a second, up to the last one consumed");
        output.WriteLine();
        var table = new TextTable(("scenario", -1), ("msg/s", 0), ("messages", 0));
        foreach (ScenarioRow row in report.Scenarios)
            table.Add(row.Name, row.Missing is null ? Numbers.Rate(Statistics.Of([.. row.Rounds]).Median) : $"no {row.Missing}",
                row.Missing is null ? Numbers.Count(row.Messages) : Numbers.None);
        table.Print(output);
        if (report.Claims.Count > 0)
            PrintClaims(output, report);
        RunText.PrintMeasured(
            output,
            report.Run,
            report.Queue,
            string.Create(CultureInfo.InvariantCulture,
                $"{Numbers.Count(report.Scenarios.Max(static row => row.Rounds.Count), "round")}, in each of which every scenario produces for "
                + $"{report.RoundSeconds:0.##} s in its turn, after a warm-up; ")
            + "every message is checked. The producer has up to 64 sends in progress, with transactions and in the scenario one at a time one. "
            + "messages is how many were sent and consumed in all rounds. In parentheses: "
            + $"the interval, {RatioText.DescribeInterval(report.Scenarios.Max(static row => row.Rounds.Count))}. A claim holds if the whole of it "
            + "lies in the claim's range (what the study calls about: within 10 %), and does not if it lies outside. "
            + $"Undecided: anything else, or fewer than {RateRatio.MinRounds} rounds. "
            + Findings.Legend([], "claim of more than 1"));
    }

    private static void PrintKills(TextWriter output, FactorsReport report)
    {
        TextWrap.Print(output, "", $"What comes again over {report.Queue.Product} after a kill, by acknowledge mode");
        output.WriteLine();
        var table = new TextTable(("mode", -1), ("kills", 0), ("processed", 0), ("came again", 0), ("marked", 0), ("lost", 0));
        foreach (KillRow row in report.Kills)
            table.Add(row.Mode, Numbers.Count(row.Redelivered.Count), KillRun.Range(row.Processed), KillRun.Range(row.Redelivered),
                KillRun.Range(row.Marked), KillRun.Range(row.Lost));
        table.Print(output);
        PrintClaims(output, report);
        RunText.PrintMeasured(
            output,
            report.Run,
            report.Queue,
            $"A consumer processes and acknowledges {KillRun.MessageCount} messages. In the middle, {Killed(report)}; then what is in the queue "
            + "is counted. Each figure is of one kill, from the least to the most. processed: until the kill. came again: of these, in the queue "
            + "after it. marked: of these, with a delivery count of more than one. lost: neither processed nor in the queue. A claim of at most one "
            + "does not hold if a kill made more come again; that of a group, if more than the group came; that of marks, if one was not marked. "
            + $"Claims hold if none did so in {KillRun.MinKills} kills that hit a consumer at work, and what may come again came. Undecided: "
            + "anything else.");
    }

    private static string Killed(FactorsReport report) => QueueAddress.Parse(report.Queue.Address).Uri.IsFile
        ? "its process is killed (SIGKILL)"
        : "the broker is killed (SIGKILL) and started again";

    private static void PrintClaims(TextWriter output, FactorsReport report)
    {
        output.WriteLine();
        output.WriteLine("The claims of Message Queue C API (2002), and here");
        foreach (ClaimRow claim in report.Claims)
        {
            output.WriteLine();
            TextWrap.Print(output, $"{Findings.Describe(claim.Verdict),-14} ", $"{claim.Text} ({claim.Condition})");
            TextWrap.Print(output, $"{"",-14} ", claim.Ratio is { } ratio
                ? $"here {RatioText.WithInterval(ratio, claim.Bounds)}; the claim: {claim.Range}"
                : claim.Reason!);
        }

        output.WriteLine();
        output.WriteLine(
            string.Join(", ", report.Claims.GroupBy(static claim => claim.Verdict).OrderBy(static group => group.Key)
                .Select(static group => $"{group.Count()} {Findings.Describe(group.Key, group.Count())}")));
    }
}
