using System;
using System.CommandLine;
using System.IO;
using System.Text.Json;
using Formatters.Bench.Reports;
using Formatters.TradeEngine.Measurement;

namespace Formatters.TradeEngine.CommandLine;

/// <summary>The verb <c>extraction</c>.</summary>
internal static class ExtractionCommand
{
    internal static Command Create(TextWriter output, TextWriter error, TimeProvider clock)
    {
        Option<int> trades = SharedOptions.CreateCount("--trades", "The number of trades in each run of the whole engine.", 3_000, 1_000_000);
        Option<int> rounds = SharedOptions.CreateCount("--rounds", "The number of rounds, in which all cases take turns; an additional first round warms up.", 5, 1_000);
        Option<int> time = SharedOptions.CreateCount("--time", "Milliseconds of processor time for each way and round.", 150, 60_000);
        Option<FileInfo?> json = CommonOptions.CreateJson();
        var command = new Command("extraction", "Measures ways to take the fields out of messages, and the whole engine by format.") { trades, rounds, time, json };
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFiles(result.GetValue(json), null);
            ExtractionReport report = await RunProgress.RunAsync(error, progress => ExtractionMeasurement.RunAsync(
                progress, result.GetValue(trades), result.GetValue(rounds), TimeSpan.FromMilliseconds(result.GetValue(time)), CommonOptions.Describe(result), clock,
                cancellationToken));
            ExtractionText.Print(output, report);
            if (result.GetValue(json) is { } file)
                WholeFile.Write(file, stream => JsonSerializer.Serialize(stream, report, EngineJson.Default.ExtractionReport));
            return ExitCodes.Success;
        });
        return command;
    }
}
