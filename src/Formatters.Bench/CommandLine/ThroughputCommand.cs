using System;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Own;
using Formatters.Bench.Perftest;
using Formatters.Bench.Reports;
using Formatters.Bench.Throughput;
using Formatters.Orders;
using Formatters.Queues;

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
            CustomParser = static result => CommonOptions.ParseWord<DeliveryMode>(result, result.Tokens[0].Value, static name => name.ToLowerInvariant()),
        };
        var formatter = new Option<string>("--formatter") { Description = "Write and read each body by a formatter (compare --help has the names).", HelpName = "name" };
        var type = new OwnTypeOptions(isRequired: false);
        var payload = new Option<string>("--payload") { Description = "What the formatter writes: order:50 is an order with 50 line items.", HelpName = "order:n" };
        Option<double> rate = CommonOptions.CreateNumber("--rate", "Messages a second that are due, of all senders: latency from end to end.", 0.001, 1e9);
        Option<double> seconds = CommonOptions.CreateNumber("--seconds", "Send, or with -s 0 receive, for so long at most.", 0.01, 8_640_000);
        Option<double> timeout = CommonOptions.CreateNumber("--timeout", "Seconds without a message before what is missing counts as lost.", 0.1, 86_400, 10);
        var limit = new Option<long?>("--max-messages") { Description = "Messages the queue may hold for a send to be taken; beyond, the send is busy.", HelpName = "number" };
        limit.Validators.Add(CommonOptions.InRange(limit, 1, ThroughputSampleOptions.MaxMessageCount));
        var ramp = new Option<bool>("--ramp") { Description = "Raise in-flight, batch and prefetch step by step, --seconds (5) each, a row a step; the knee is named." };
        Option<bool> purge = CommonOptions.CreatePurge();
        Option<FileInfo?> json = CommonOptions.CreateJson();
        Option<FileInfo?> csv = CommonOptions.CreateCsv();
        var command = new Command("throughput", "Senders and receivers at full speed, as Azure Service Bus's ThroughputTest: a row for each from time to time.")
        {
            mode, formatter, payload, type.Assemblies, type.Type, type.Sample, type.Samples, rate, seconds, timeout, limit, ramp, purge, json, csv,
        };
        for (int i = 0; i < sample.All.Count; i++)
            command.Options.Insert(i, sample.All[i]);
        command.SetAction(async (result, cancellationToken) =>
        {
            ThroughputOptions options = sample.Read(result);
            CommonOptions.CheckFiles(result.GetValue(json), result.GetValue(csv));
            OwnOptions? own = type.Read(result);
            if (own is not null && result.GetValue(payload) is not null)
                throw new UsageException("--payload is of the study's order, which --type replaces.");
            options = options with
            {
                Mode = result.GetValue(mode),
                Formatter = own is null ? result.GetValue(formatter) ?? (result.GetValue(payload) is null ? null : throw new UsageException("--payload needs --formatter: which one writes it?")) : null,
                Libraries = type.ReadLibraries(result),
                LineItems = ParsePayload(result.GetValue(payload)),
                Rate = result.GetResult(rate) is null ? null : result.GetValue(rate),
                Duration = result.GetResult(seconds) is null ? null : TimeSpan.FromSeconds(result.GetValue(seconds)),
                MaxMessageCount = result.GetValue(limit),
                LostAfter = TimeSpan.FromSeconds(result.GetValue(timeout)),
                Purge = result.GetValue(purge),
            };
            if (options is { Libraries.Count: > 0, Formatter: null })
                throw new UsageException("--assembly needs --formatter NAME, one of its formatters, or --type NAME, a type of your own.");
            if (options is { SenderCount: 0, ReceiverCount: 0 })
                throw new UsageException("With -s 0 and -r 0 nobody does anything.");
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
            ThroughputReport report = await Task.Run(() => new ThroughputRun(connector, options, clock, error, new ThroughputText(output)).RunAsync(commandLine, cancellationToken), CancellationToken.None);
            ThroughputText.PrintSummary(output, report);
            CommonOptions.WriteFiles(
                result.GetValue(json), result.GetValue(csv), stream => JsonSerializer.Serialize(stream, report, ReportJson.Default.ThroughputReport), writer => ThroughputCsv.Write(writer, report));
            return CommonOptions.ExitCodeOf(report);

            async Task<int> FormattersAsync(OwnChoice choice)
            {
                if (options is not { SenderCount: > 0, ReceiverCount: > 0 } || result.GetValue(ramp))
                    throw new UsageException("Every formatter in turn needs senders and receivers, and no --ramp: --formatter chooses one.");
                FormattersReport all = await Task.Run(() => new ThroughputFormatters(connector, options, choice, clock, error, output).RunAsync(commandLine, cancellationToken), CancellationToken.None);
                CommonOptions.WriteFiles(
                    result.GetValue(json), result.GetValue(csv), stream => JsonSerializer.Serialize(stream, all, ReportJson.Default.FormattersReport), writer => ThroughputFormatters.WriteCsv(writer, all));
                return CommonOptions.ExitCodeOf(all);
            }

            async Task<int> RampAsync(ThroughputOptions first, string line, CancellationToken token)
            {
                if (first is not { SenderCount: > 0, ReceiverCount: > 0 })
                    throw new UsageException("--ramp needs senders and receivers.");
                ThroughputOptions step = first with { Duration = first.Duration ?? TimeSpan.FromSeconds(5), MessageCount = ThroughputSampleOptions.MaxMessageCount / 10 };
                RampReport ramped = await Task.Run(() => new ThroughputRamp(connector, step, clock, error, output).RunAsync(line, token), CancellationToken.None);
                CommonOptions.WriteFiles(
                    result.GetValue(json), result.GetValue(csv), stream => JsonSerializer.Serialize(stream, ramped, ReportJson.Default.RampReport), writer => ThroughputRamp.WriteCsv(writer, ramped));
                return CommonOptions.ExitCodeOf(ramped);
            }
        });
        return command;
    }

    private static int ParsePayload(string? payload)
    {
        if (payload is null)
            return SampleOrders.DefaultLineItemCount;
        return payload.Split(':') is ["order", var items] && int.TryParse(items, System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out int count) && count <= PerftestLimits.MaxLineItems
            ? count
            : throw new UsageException($"--payload takes order:n, n from 0 to {PerftestLimits.MaxLineItems}, not '{payload}'.");
    }

    /// <summary>The arguments for a report: the connection string by its address without a password.</summary>
    private static string Describe(ParseResult result, ConnectionString place)
    {
        string connection = result.Tokens.Select(static token => token.Value).SkipWhile(static value => value is not ("-C" or "--connection-string")).Skip(1).FirstOrDefault() ?? "";
        string address = QueueAddress.Parse(place.AddressOf("x")).ToString();
        return string.Join(' ', result.Tokens.Select(token => token.Value == connection ? address[..^1].TrimEnd('/') : token.Value.Contains(connection, StringComparison.Ordinal) && connection.Length > 0 ? "..." : token.Value));
    }
}
