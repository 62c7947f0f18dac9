using System.CommandLine;
using System.CommandLine.Parsing;
using Formatters.Bench.Diff;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>diff</c>: runs of the same verb.</summary>
internal static class DiffCommand
{
    private const double DefaultThreshold = 0.05;

    internal static Command Create(TextWriter output)
    {
        var before = new Argument<string>("before") { Description = "A result file, written by --json, or a folder of them: one file for each run." };
        var after = new Argument<string>("after") { Description = "A second one, of the same verb." };
        var failAbove = new Option<double?>("--fail-above")
        {
            Description =
                $"End with exit code 4 if a figure is worse by more than this, or missing. Needs {DiffRun.MinRuns} runs a side. Example: 5%.",
            HelpName = "percent",
            CustomParser = ParsePercent,
        };
        var files = new ResultFiles();
        var command = new Command("diff", "Compares the runs of two builds, figure by figure, each with the interval of its ratio.")
        {
            before, after, failAbove, files.Json,
        };
        command.SetAction(result =>
        {
            files.Check(result);
            double? limit = result.GetValue(failAbove);
            DiffReport report = DiffRun.Compare(Read(result.GetValue(before)!), Read(result.GetValue(after)!), limit ?? DefaultThreshold);
            if (limit is not null && !report.HasVerdicts)
                throw new UsageException($"--fail-above needs {DiffRun.MinRuns} runs a side, each in a file of a folder: there are "
                    + $"{report.Before.Count} and {report.After.Count}.");
            DiffText.Print(output, report);
            files.Write(result, report, ReportJson.Default.DiffReport);
            return limit is not null && report.IsWorse ? ExitCodes.Worse : ExitCodes.Success;
        });
        return command;
    }

    private static ResultFile[] Read(string path)
    {
        if (!Directory.Exists(path))
            return [ResultFile.Read(path)];
        string[] files = Directory.GetFiles(path, "*.json");
        return files.Length > 0
            ? [.. files.Order(StringComparer.Ordinal).Select(ResultFile.Read)]
            : throw new UsageException($"'{path}' has no result files (*.json).");
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
