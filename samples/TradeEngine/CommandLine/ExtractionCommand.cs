using System.CommandLine;
using Formatters.TradeEngine.Measurement;

namespace Formatters.TradeEngine.CommandLine;

internal static class ExtractionCommand
{
    internal static Command Create(TextWriter output, TextWriter error, TimeProvider clock)
    {
        Option<int> trades = CommonOptions.CreateCount("--trades", "The number of trades in each run of the whole engine.", 3_000, 1_000_000);
        Option<int> rounds = CommonOptions.CreateCount("--rounds",
            "The number of rounds, in which all cases take turns; an additional first round warms up.", 5, 1_000);
        Option<int> time = CommonOptions.CreateCount("--time", "Milliseconds of processor time for each way and round.", 150, 60_000);
        var files = new ResultFiles();
        var command = new Command("extraction", "Measures ways to take the fields out of messages, and the whole engine by format.") { trades, rounds,
            time, files.Json };
        command.SetAction(async (result, cancellationToken) =>
        {
            files.Check(result);
            ExtractionReport report = await RunProgress.RunAsync(error, progress => ExtractionMeasurement.RunAsync(
                progress, result.GetValue(trades), result.GetValue(rounds), TimeSpan.FromMilliseconds(result.GetValue(time)),
                CommonOptions.Describe(result), clock,
                cancellationToken));
            ExtractionText.Print(output, report);
            files.Write(result, report, EngineJson.Default.ExtractionReport);
            return report.ExitCode();
        });
        return command;
    }
}
