using System.CommandLine;
using Formatters.Bench.Doctor;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>doctor</c>: whether this machine can measure.</summary>
internal static class DoctorCommand
{
    internal const string Name = "doctor";

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var places = new Argument<string[]>("place")
        {
            Description = "Queues, servers and folders. Default: FORMATTERS_RABBITMQ and FORMATTERS_POSTGRES, or RabbitMQ and PostgreSQL on "
                + "localhost, and the folder for temporary files.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        Option<double> seconds =
            CommonOptions.CreateNumber("--seconds", "How long to observe the clocks, and each folder's disk.", 0.01, 60, 1, "seconds");
        var files = new ResultFiles();
        var command = new Command(Name,
            "Looks for what would spoil a measurement on this machine, its clocks, disks and brokers, and says what to do about it.") { places,
            seconds, files.Json };
        command.SetAction(async (result, cancellationToken) =>
        {
            files.Check(result);
            var run = new DoctorRun(connector, result.GetValue(places) ?? [], result.GetValue(seconds), clock);
            DoctorReport report = await RunProgress.RunAsync(error, progress => run.RunAsync(progress, cancellationToken));
            DoctorText.Print(output, report);
            files.Write(result, report, ReportJson.Default.DoctorReport);
            return report switch
            {
                _ when report.Count(DoctorLevel.Failed) > 0 => ExitCodes.Failure,
                _ when report.Count(DoctorLevel.Warning) > 0 => ExitCodes.Worse,
                _ => ExitCodes.Success,
            };
        });
        return command;
    }
}
