using System.CommandLine;
using Formatters.Bench.Own;
using Formatters.Bench.Perftest;
using Formatters.Bench.Throughput;
using Formatters.Orders;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>throughput</c>: the options of Azure Service Bus's ThroughputTest, over the queues of this library.</summary>
internal static class ThroughputCommand
{
    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var sample = new ThroughputSampleOptions();
        var mode = new Option<DeliveryMode?>("--mode")
        {
            Description = "express or recoverable. [default: recoverable where the queue can]",
            HelpName = "mode",
            CustomParser = static result =>
                CommonOptions.ParseWord<DeliveryMode>(result, result.Tokens[0].Value, static name => name.ToLowerInvariant()),
        };
        var formatter = new Option<string>("--formatter") { Description = "Write and read each body with a formatter (a wrong name lists them).",
            HelpName = "name" };
        var type = new OwnTypeOptions(isRequired: false);
        var payload = new Option<string>("--payload") { Description = "What the formatter writes: order:50 is an order with 50 line items.",
            HelpName = "order:n" };
        Option<double> rate = CommonOptions.CreateNumber("--rate",
            "Messages per second that all senders together are to send, at fixed times: measures latency from end to end.", 0.001, 1e9);
        Option<double> seconds =
            CommonOptions.CreateNumber("--seconds", "The maximum time to send, or with -s 0 to receive, in seconds.", 0.01, 8_640_000);
        Option<double> timeout =
            CommonOptions.CreateNumber("--timeout", "Seconds without a message before the missing messages count as lost.", 0.1, 86_400, 10);
        var limit = new Option<long?>("--max-messages") { Description = "The maximum number of messages in the queue. A send "
            + "beyond it is refused, and counts as busy.", HelpName = "number" };
        limit.Validators.Add(CommonOptions.InRange(limit, 1, ThroughputSampleOptions.MaxMessageCount));
        var ramp = new Option<bool>("--ramp") { Description = "Raise in-flight, batch and prefetch step by step, --seconds (5) each, with a "
            + "row for each step; the knee is printed." };
        var changes = new Option<string[]>("--change")
        {
            Description = "Change options during the run: 10:inflight-sends=64,send-batch-count=10 does so after 10 seconds. May be repeated. Names: "
                + string.Join(", ", ThroughputChange.Names) + ".",
            HelpName = "change",
        };
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("throughput",
            "Runs senders and receivers at full speed, like Azure Service Bus's ThroughputTest, and prints a row for each at intervals.")
        {
            mode, formatter, payload, type.Assemblies, type.Type, type.Sample, type.Samples, rate, seconds, timeout, limit, changes, ramp, purge,
            files.Json, files.Csv,
        };
        for (int i = 0; i < sample.All.Count; i++)
            command.Options.Insert(i, sample.All[i]);
        command.SetAction(async (result, cancellationToken) =>
        {
            ThroughputOptions options = sample.Read(result);
            files.Check(result);
            OwnOptions? own = type.Read(result);
            if (own is not null && result.GetValue(payload) is not null)
                throw new UsageException("--payload applies only to the study's order, which --type replaces.");
            options = options with
            {
                Mode = result.GetValue(mode),
                Formatter = own is null
                    ? result.GetValue(formatter)
                    ?? (result.GetValue(payload) is null ? null : throw new UsageException("--payload needs --formatter, which writes it."))
                    : null,
                Libraries = type.ReadLibraries(result),
                LineItems = ParsePayload(result.GetValue(payload)),
                Rate = result.GetResult(rate) is null ? null : result.GetValue(rate),
                Duration = result.GetResult(seconds) is null ? null : TimeSpan.FromSeconds(result.GetValue(seconds)),
                MaxMessageCount = result.GetValue(limit),
                Changes = [.. (result.GetValue(changes) ?? []).Select(ThroughputChange.Parse)],
                LostAfter = TimeSpan.FromSeconds(result.GetValue(timeout)),
                Purge = result.GetValue(purge),
            };
            if (options.Changes.Count > 0 && result.GetValue(ramp))
                throw new UsageException("--ramp measures each step in a run of its own: it cannot be combined with --change.");
            if (options is { Libraries.Count: > 0, Formatter: null })
                throw new UsageException("--assembly needs --formatter NAME, one of its formatters, or --type NAME, a type of your own.");
            if (options is { SenderCount: 0, ReceiverCount: 0 })
                throw new UsageException("With -s 0 and -r 0 there is nothing to do.");
            if (options.Mode == DeliveryMode.Transactional)
                throw new UsageException("throughput sends without transactions: express or recoverable.");
            string commandLine = Describe(result, options.Connection);
            if (own is not null)
            {
                var choice = OwnChoice.Create(own with { Formatters = result.GetValue(formatter) is { } name ? [name] : [] });
                if (result.GetValue(formatter) is null)
                    return await FormattersAsync(choice);
                options = options with { Own = choice.Exact[0].Payload };
            }

            if (result.GetValue(ramp))
                return await RampAsync(options, commandLine, cancellationToken);
            // In a thread of its own: over a queue in memory nothing waits.
            ThroughputReport report = await Task.Run(() =>
                new ThroughputRun(connector, options, clock, error, new ThroughputText(output)).RunAsync(commandLine, cancellationToken),
                CancellationToken.None);
            ThroughputText.PrintSummary(output, report);
            files.Write(result, report, ReportJson.Default.ThroughputReport, ThroughputCsv.Write);
            return report.ExitCode();

            async Task<int> FormattersAsync(OwnChoice choice)
            {
                if (options is not { SenderCount: > 0, ReceiverCount: > 0 } || result.GetValue(ramp))
                    throw new UsageException("Measuring every formatter in turn needs senders and receivers, and cannot be combined with "
                        + "--ramp. Choose one formatter with --formatter.");
                FormattersReport all = await Task.Run(() =>
                    new ThroughputFormatters(connector, options, choice, clock, error, output).RunAsync(commandLine, cancellationToken),
                    CancellationToken.None);
                files.Write(result, all, ReportJson.Default.FormattersReport, ThroughputFormatters.WriteCsv);
                return all.ExitCode();
            }

            async Task<int> RampAsync(ThroughputOptions first, string line, CancellationToken token)
            {
                if (first is not { SenderCount: > 0, ReceiverCount: > 0 })
                    throw new UsageException("--ramp needs senders and receivers.");
                ThroughputOptions step = first
                    with { Duration = first.Duration ?? TimeSpan.FromSeconds(5), MessageCount = ThroughputSampleOptions.MaxMessageCount / 10 };
                RampReport ramped =
                    await Task.Run(() => new ThroughputRamp(connector, step, clock, error, output).RunAsync(line, token), CancellationToken.None);
                files.Write(result, ramped, ReportJson.Default.RampReport, ThroughputRamp.WriteCsv);
                return ramped.ExitCode();
            }
        });
        return command;
    }

    private static int ParsePayload(string? payload)
    {
        if (payload is null)
            return SampleOrders.DefaultLineItemCount;
        return payload.Split(':') is ["order", var items]
            && int.TryParse(items, System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out int count)
            && count <= PerftestLimits.MaxLineItems
            ? count
            : throw new UsageException($"--payload takes order:n, n from 0 to {PerftestLimits.MaxLineItems}, not '{payload}'.");
    }

    /// <summary>The arguments for a report: the connection string by its address without a password.</summary>
    private static string Describe(ParseResult result, ConnectionString place)
    {
        string connection = result.Tokens.Select(static token => token.Value).SkipWhile(static value => value is not ("-C" or "--connection-string"))
            .Skip(1).FirstOrDefault() ?? "";
        string address = QueueAddress.Parse(place.AddressOf("x")).ToString();
        return string.Join(
            ' ', result.Tokens.Select(token => token.Value == connection ? address[..^1].TrimEnd('/')
                : token.Value.Contains(connection, StringComparison.Ordinal) && connection.Length > 0 ? "..." : token.Value));
    }
}
