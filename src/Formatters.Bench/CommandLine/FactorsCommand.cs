using System.CommandLine;
using Formatters.Bench.Factors;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>factors</c>: what each property of a message costs.</summary>
internal static class FactorsCommand
{
    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var queue = new Argument<string?>("queue")
        {
            Description =
                "The queue, which must be empty. Names that begin with its name are used too: NAME-second, NAME-topic. Default: one in memory.",
            Arity = ArgumentArity.ZeroOrOne,
            HelpName = "queue",
        };
        Option<double> seconds = CommonOptions.CreateNumber("--seconds", "For how long each scenario produces, over all rounds.", 0.01, 86_400, 30);
        Option<int> rounds =
            CommonOptions.CreateCount(
                "--rounds",
                "The number of rounds, in which the scenarios take turns. Fewer than 6 decide nothing, fewer than 7 no claim of more than 1.",
                7, 1_000);
        var profile =
            new Option<string>("--profile") { Description = "Only one of the study's two whole scenarios: reliable or fast.", HelpName = "name" };
        profile.AcceptOnlyFromAmong("reliable", "fast");
        var kill = new Option<bool>("--kill") { Description = "Instead: measure what is delivered again after a kill, by acknowledge mode. "
            + "Kills a consumer's process, or the broker." };
        Option<int> kills = CommonOptions.CreateCount(
            "--kills", "With --kill: how often in each mode. Fewer than 5 decide nothing.", KillRun.MinKills, 1_000);
        var restart = new Option<string?>("--restart") { Description = "With --kill over a broker, which is "
            + "killed: the command that starts it again.", HelpName = "command" };
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("factors",
            "Measures what reliability, size, selectors and subscriptions cost: the claims of Message Queue C API (2002), each with a verdict.")
        {
            queue, seconds, rounds, profile, kill, kills, restart, purge, files.Json, files.Csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            files.Check(result);
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
            string commandLine = CommonOptions.Describe(result);
            if (result.GetValue(kill) && scenarios is not null)
                throw new UsageException("--kill measures acknowledge modes, --profile whole scenarios: give only one of them.");
            if (!result.GetValue(kill) && result.GetValue(restart) is not null)
                throw new UsageException("--restart needs --kill.");
            Func<IRunProgress, Task<FactorsReport>> measure = result.GetValue(kill)
                ? progress => new KillRun(connector, address, result.GetValue(kills), result.GetValue(restart), options.Purge, clock, error)
                    .RunAsync(commandLine, progress, cancellationToken)
                : progress => new FactorsRun(connector, options, clock, error).RunAsync(commandLine, progress, cancellationToken);
            // In a thread of its own: over a queue in memory nothing waits.
            FactorsReport report = await RunProgress.RunAsync(error, progress => Task.Run(() => measure(progress), CancellationToken.None));
            FactorsText.Print(output, report);
            files.Write(result, report, ReportJson.Default.FactorsReport, FactorsCsv.Write);
            return report.ExitCode();
        });
        return command;
    }

    /// <summary>The verb of the consumer that <c>factors --kill</c> kills.</summary>
    internal static Command CreateConsumer(QueueConnector connector)
    {
        var address = new Argument<string>("queue");
        var mode = new Argument<string>("mode");
        var command = new Command(KillRun.ConsumerVerb, "Consumes until it is killed, for factors --kill.") { address, mode };
        command.Hidden = true;
        command.SetAction((result, cancellationToken) =>
            KillRun.RunConsumerAsync(connector, result.GetValue(address)!, result.GetValue(mode)!, Console.Out, cancellationToken));
        return command;
    }
}
