using System.CommandLine;
using System.CommandLine.Parsing;
using Formatters.Bench.Diff;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>diff</c>: two results of the same verb.</summary>
internal static class DiffCommand
{
    private const double DefaultThreshold = 0.05;

    internal static Command Create(TextWriter output)
    {
        var before = new Argument<string>("before.json") { Description = "A result file, written by --json." };
        var after = new Argument<string>("after.json") { Description = "A second result file, of the same verb." };
        var failAbove = new Option<double?>("--fail-above")
        {
            Description = "End with exit code 4 if a figure is worse by more than this, or missing. Example: 5%.",
            HelpName = "percent",
            CustomParser = ParsePercent,
        };
        var files = new ResultFiles();
        var command = new Command("diff", "Compares two result files, figure by figure, each with the interval of its ratio.") { before, after,
            failAbove, files.Json };
        command.SetAction(result =>
        {
            files.Check(result);
            double? limit = result.GetValue(failAbove);
            DiffReport report =
                DiffRun.Compare(ResultFile.Read(result.GetValue(before)!), ResultFile.Read(result.GetValue(after)!), limit ?? DefaultThreshold);
            DiffText.Print(output, report);
            files.Write(result, report, ReportJson.Default.DiffReport);
            return limit is not null && report.IsWorse ? ExitCodes.Worse : ExitCodes.Success;
        });
        return command;
    }

    private static double? ParsePercent(ArgumentResult result)
    {
        string text = result.Tokens[0].Value.TrimEnd('%').TrimEnd();
        if (double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double percent) && percent is >= 0 and < 1_000)
            return percent / 100;
        result.AddError($"--fail-above takes a percentage, such as 5% or 5, not '{result.Tokens[0].Value}'.");
        return null;
    }
}
