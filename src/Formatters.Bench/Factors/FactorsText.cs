using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Factors;

/// <summary>Prints the outcome of <c>factors</c>.</summary>
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
            table.Add(row.Name, row.Missing is null ? Numbers.Rate(Statistics.Of([.. row.Rounds]).Median) : $"no {row.Missing}", row.Missing is null ? Numbers.Count(row.Messages) : Numbers.None);
        table.Print(output);
        if (report.Claims.Count > 0)
            PrintClaims(output, report);
        output.WriteLine();
        output.WriteLine("Measured");
        RunText.PrintQueue(output, report.Queue);
        RunText.PrintRun(output, report.Run);
        TextWrap.Print(
            output,
            "  method      ",
            string.Create(CultureInfo.InvariantCulture, $"{report.Scenarios.Max(static row => row.Rounds.Count)} rounds, in each of which every scenario produces for {report.RoundSeconds:0.##} s in its turn, after a warm-up; ")
            + "every message is checked. A claim holds if the whole interval of 95 % of its ratio lies in its range (what the study calls about: within 10 %), and does not if the whole interval lies outside.");
    }

    private static void PrintKills(TextWriter output, FactorsReport report)
    {
        TextWrap.Print(output, "", $"What comes again over {report.Queue.Product} after a kill, by acknowledge mode");
        output.WriteLine();
        var table = new TextTable(("mode", -1), ("kills", 0), ("came again", 0), ("marked", 0), ("lost", 0));
        foreach (KillRow row in report.Kills)
            table.Add(row.Mode, Numbers.Count(row.Redelivered.Count), KillRun.Range(row.Redelivered), KillRun.Range(row.Marked), KillRun.Range(row.Lost));
        table.Print(output);
        PrintClaims(output, report);
        output.WriteLine();
        output.WriteLine("Measured");
        RunText.PrintQueue(output, report.Queue);
        RunText.PrintRun(output, report.Run);
        TextWrap.Print(
            output,
            "  method      ",
            "A consumer processes messages and acknowledges them. Then, over a queue in a folder, its process is killed (SIGKILL), over a broker the broker, which is started again; what is in the queue then is counted "
            + "message by message. marked: with a delivery count of more than one. lost: neither processed nor in the queue.");
    }

    private static void PrintClaims(TextWriter output, FactorsReport report)
    {
        output.WriteLine();
        output.WriteLine("The claims of Message Queue C API (2002), and here");
        foreach (ClaimRow claim in report.Claims)
        {
            output.WriteLine();
            TextWrap.Print(output, $"{Describe(claim.Verdict),-14} ", $"{claim.Text} ({claim.Condition})");
            string range = claim.High is { } high ? $"{Number(claim.Low)} to {Number(high)}" : $"{Number(claim.Low)} or more";
            output.WriteLine(claim.Ratio is { } ratio
                ? $"{"",-14} here {Numbers.Ratio(ratio.Value)}, {Number(ratio.Low)} to {Number(ratio.High)}; the claim: {range}"
                : $"{"",-14} {claim.Reason}");
        }

        output.WriteLine();
        output.WriteLine(string.Join(", ", report.Claims.GroupBy(static claim => claim.Verdict).OrderBy(static group => group.Key).Select(static group => $"{group.Count()} {Describe(group.Key)}")));

        static string Number(double value) => value.ToString("0.00", CultureInfo.InvariantCulture);
    }

    private static string Describe(ClaimVerdict verdict) => verdict switch
    {
        ClaimVerdict.Holds => "holds",
        ClaimVerdict.DoesNotHold => "does not hold",
        ClaimVerdict.Undecided => "undecided",
        _ => "not applicable",
    };
}
