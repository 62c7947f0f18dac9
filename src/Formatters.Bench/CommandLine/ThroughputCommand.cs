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
    private const int MaxCount = 100_000;
    private const long MaxMessageCount = 1_000_000_000;

    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var connection = new Option<string>("--connection-string", "-C")
        {
            Description = "Where the queues are: an address without a queue's name (amqp://localhost, memory:, file:folder), or a connection string (Endpoint=...;EntityPath=...).",
            HelpName = "string",
            Required = true,
        };
        var sendPath = new Option<string>("--send-path", "-S") { Description = "Queue or topic that is sent to, unless the connection string has an EntityPath.", HelpName = "name" };
        var receivePaths = new Option<string[]>("--receive-paths", "-R")
        {
            Description = "What is received from: queue, queue/$deadletterqueue, topic/subscriptions/name. [default: the send path]",
            HelpName = "path ...",
            AllowMultipleArgumentsPerToken = true,
        };
        var count = Whole<long>("--number-of-messages", "-n", "Messages to send.", 1_000_000, 1, MaxMessageCount);
        var size = Whole<int>("--message-size-bytes", "-b", "Bytes of a message.", 1024, 0, 64 << 20);
        Option<double> frequency = CommonOptions.CreateNumber("--frequency-metrics", "Seconds between rows.", 0.05, 86_400, 10);
        frequency.Aliases.Add("-f");
        var receiveMode = new Option<ReceiveMode>("--receive-mode", "-m")
        {
            Description = "PeekLock or ReceiveAndDelete. [default: PeekLock]",
            HelpName = "mode",
            CustomParser = static result => CommonOptions.ParseWord<ReceiveMode>(result, result.Tokens[0].Value, static name => name),
        };
        var receivers = Whole<int>("--receiver-count", "-r", "Receivers of each receive path, at the same time.", 1, 0, MaxCount);
        var prefetch = Whole<int>("--prefetch-count", "-e", "Messages fetched ahead.", 0, 0, MaxCount);
        var sendBatch = Whole<int>("--send-batch-count", "-t", "Messages of a send; 0 is no batch.", 0, 0, MaxCount);
        var senders = Whole<int>("--sender-count", "-s", "Senders at the same time.", 1, 0, MaxCount);
        var delay = Whole<int>("--send-delay", "-d", "Milliseconds between the sends of a sender.", 0, 0, 86_400_000);
        var inflightSends = Whole<int>("--inflight-sends", "-i", "Sends under way at most, of a sender.", 1, 1, MaxCount);
        var inflightReceives = Whole<int>("--inflight-receives", "-j", "Receives under way at most, of a receiver.", 1, 1, MaxCount);
        var receiveBatch = Whole<int>("--receive-batch-count", "-v", "Messages of a receive at most; 0 is no batch.", 0, 0, MaxCount);
        var work = Whole<int>("--receive-work-duration", "-w", "Milliseconds of work between receive and completion.", 0, 0, 86_400_000);

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
        limit.Validators.Add(CommonOptions.InRange(limit, 1, MaxMessageCount));
        var ramp = new Option<bool>("--ramp") { Description = "Raise in-flight, batch and prefetch step by step, --seconds (5) each, a row a step; the knee is named." };
        Option<bool> purge = CommonOptions.CreatePurge();
        Option<FileInfo?> json = CommonOptions.CreateJson();
        Option<FileInfo?> csv = CommonOptions.CreateCsv();
        var command = new Command("throughput", "Senders and receivers at full speed, as Azure Service Bus's ThroughputTest: a row for each from time to time.")
        {
            connection, sendPath, receivePaths, count, size, frequency, receiveMode, receivers, prefetch, sendBatch, senders, delay, inflightSends, inflightReceives, receiveBatch, work,
            mode, formatter, payload, type.Assemblies, type.Type, type.Sample, type.Samples, rate, seconds, timeout, limit, ramp, purge, json, csv,
        };
        command.SetAction(async (result, cancellationToken) =>
        {
            ConnectionString place = ConnectionString.Parse(result.GetValue(connection)!);
            string path = result.GetValue(sendPath) ?? place.EntityPath
                ?? (result.GetValue(senders) == 0 && result.GetValue(receivePaths) is { Length: > 0 } only ? ReceivePath.Parse(only[0]).Entity : null)
                ?? throw new UsageException("No queue: give -S, or a connection string with an EntityPath.");
            if (result.GetValue(sendPath) is { } given && place.EntityPath is { } entity && given != entity)
                throw new UsageException($"-S says '{given}', and the connection string's EntityPath '{entity}'.");
            CommonOptions.CheckFiles(result.GetValue(json), result.GetValue(csv));
            OwnOptions? own = type.Read(result);
            if (own is not null && result.GetValue(payload) is not null)
                throw new UsageException("--payload is of the study's order, which --type replaces.");
            var options = new ThroughputOptions
            {
                Connection = place,
                SendPath = path,
                ReceivePaths = [.. (result.GetValue(receivePaths) is { Length: > 0 } paths ? paths : [path]).Select(ReceivePath.Parse)],
                MessageCount = result.GetValue(count),
                ByteCount = result.GetValue(size),
                Frequency = TimeSpan.FromSeconds(result.GetValue(frequency)),
                ReceiveMode = result.GetResult(receiveMode) is null ? ReceiveMode.PeekLock : result.GetValue(receiveMode),
                ReceiverCount = result.GetValue(receivers),
                PrefetchCount = result.GetValue(prefetch),
                SendBatchCount = result.GetValue(sendBatch),
                SenderCount = result.GetValue(senders),
                SendDelay = TimeSpan.FromMilliseconds(result.GetValue(delay)),
                InflightSends = result.GetValue(inflightSends),
                InflightReceives = result.GetValue(inflightReceives),
                ReceiveBatchCount = result.GetValue(receiveBatch),
                WorkDuration = TimeSpan.FromMilliseconds(result.GetValue(work)),
                Mode = result.GetValue(mode),
                Formatter = own is null ? result.GetValue(formatter) ?? (result.GetValue(payload) is null ? null : throw new UsageException("--payload needs --formatter: which one writes it?")) : null,
                LineItems = ParsePayload(result.GetValue(payload)),
                Rate = result.GetResult(rate) is null ? null : result.GetValue(rate),
                Duration = result.GetResult(seconds) is null ? null : TimeSpan.FromSeconds(result.GetValue(seconds)),
                MaxMessageCount = result.GetValue(limit),
                LostAfter = TimeSpan.FromSeconds(result.GetValue(timeout)),
                Purge = result.GetValue(purge),
            };
            if (options is { SenderCount: 0, ReceiverCount: 0 })
                throw new UsageException("With -s 0 and -r 0 nobody does anything.");
            if (options.Mode == DeliveryMode.Transactional)
                throw new UsageException("throughput sends without transactions: express or recoverable.");
            string commandLine = Describe(result, place);
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
                ThroughputOptions step = first with { Duration = first.Duration ?? TimeSpan.FromSeconds(5), MessageCount = MaxMessageCount / 10 };
                RampReport ramped = await Task.Run(() => new ThroughputRamp(connector, step, clock, error, output).RunAsync(line, token), CancellationToken.None);
                CommonOptions.WriteFiles(
                    result.GetValue(json), result.GetValue(csv), stream => JsonSerializer.Serialize(stream, ramped, ReportJson.Default.RampReport), writer => ThroughputRamp.WriteCsv(writer, ramped));
                return CommonOptions.ExitCodeOf(ramped);
            }
        });
        return command;
    }

    private static Option<T> Whole<T>(string name, string alias, string description, T defaultValue, long min, long max)
        where T : struct
    {
        var option = new Option<T>(name, alias) { Description = description, HelpName = "number", DefaultValueFactory = _ => defaultValue };
        option.Validators.Add(CommonOptions.InRange(option, min, max));
        return option;
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
