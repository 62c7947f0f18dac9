using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Factors;
using Formatters.Bench.Reports;
using Formatters.Queues;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>factors</c>.</summary>
internal static class FactorsCommand
{
    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var queue = new Argument<string?>("queue")
        {
            Description = "The queue; an empty one. Names that begin with it are used too: NAME-second, NAME-topic. Without: one in memory.",
            Arity = ArgumentArity.ZeroOrOne,
            HelpName = "queue",
        };
        Option<double> seconds = CommonOptions.CreateNumber("--seconds", "For how long each scenario produces, over all rounds.", 0.01, 86_400, 30);
        var rounds = new Option<int>("--rounds") { Description = "In how many rounds; the scenarios take turns. Fewer than 6 decide nothing.", HelpName = "number", DefaultValueFactory = _ => 7 };
        rounds.Validators.Add(CommonOptions.InRange(rounds, 1, 1_000));
        var profile = new Option<string>("--profile") { Description = "Only one of the study's two whole scenarios: reliable or fast.", HelpName = "name" };
        profile.AcceptOnlyFromAmong("reliable", "fast");
        Option<bool> purge = CommonOptions.CreatePurge();
        Option<FileInfo?> json = CommonOptions.CreateJson();
        Option<FileInfo?> csv = CommonOptions.CreateCsv();
        var command = new Command("factors", "What reliability, size, selectors and subscriptions cost: the claims of Message Queue C API (2002), each with a verdict.")
        {
            queue, seconds, rounds, profile, purge, json, csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            CommonOptions.CheckFiles(result.GetValue(json), result.GetValue(csv));
            string address = result.GetValue(queue) ?? "memory:factors";
            if (QueueAddress.ParseList(address).Count > 1)
                throw new UsageException("factors takes one queue.");
            IReadOnlyList<Scenario>? scenarios = result.GetValue(profile) switch
            {
                "reliable" => [Scenario.Reliable],
                "fast" => [Scenario.Fast],
                _ => null,
            };
            var options = new FactorsOptions
            {
                Queue = address,
                Time = TimeSpan.FromSeconds(result.GetValue(seconds)),
                Rounds = result.GetValue(rounds),
                Scenarios = scenarios,
                Purge = result.GetValue(purge),
            };
            var run = new FactorsRun(connector, options, clock, error);
            string commandLine = CommonOptions.Describe(result);
            // In a thread of its own: over a queue in memory nothing waits.
            FactorsReport report = await RunProgress.RunAsync(error, progress => Task.Run(() => run.RunAsync(commandLine, progress, cancellationToken), CancellationToken.None));
            FactorsText.Print(output, report);
            CommonOptions.WriteFiles(
                result.GetValue(json), result.GetValue(csv), stream => JsonSerializer.Serialize(stream, report, ReportJson.Default.FactorsReport), writer => FactorsCsv.Write(writer, report));
            return CommonOptions.ExitCodeOf(report);
        });
        return command;
    }
}
