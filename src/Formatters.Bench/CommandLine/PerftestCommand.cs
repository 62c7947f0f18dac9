using System.CommandLine;
#if NET
using Formatters.Bench.Native;
using Formatters.Bench.Network;
#endif
using Formatters.Bench.Perftest;
using Formatters.Orders;

namespace Formatters.Bench.CommandLine;

/// <summary>The verb <c>perftest</c>: the program of the C API study.</summary>
internal static class PerftestCommand
{
    internal static Command Create(TextWriter output, TextWriter error, QueueConnector connector, TimeProvider clock)
    {
        var transactionMode = new Argument<TransactionMode>("transaction mode")
        {
            Description = "NOTX: express and recoverable messages. TX: each send and each receive in a transaction of its own.",
            HelpName = "NOTX|TX",
            CustomParser = CommonOptions.ParseWord<TransactionMode>,
        };
        var operation = new Argument<PerftestOperation>("operation")
        {
            Description = "SENDANDPURGE times sending, SENDANDRECEIVE times receiving, CLIENT and SERVER together time complete processing.",
            HelpName = "operation",
            CustomParser = CommonOptions.ParseWord<PerftestOperation>,
        };
        var queue = new Argument<string>("queue") { Description = "The queue under test, or several separated by commas, which must be "
            + "empty. For CLIENT and SERVER: the server's." };
        var responseQueue = new Argument<string?>("response-queue")
        {
            Description = "The queue for the answers. Required for CLIENT and SERVER.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        Option<int> rounds = CommonOptions.CreateCount("--rounds", "Measured batches of each case.", 7, 1_000);
        Option<int?> batch =
            CommonOptions.CreateOptionalCount("--batch", "Messages in one batch. Default: as many as fit the time of a case.", 1, 10_000_000);
        Option<double> seconds = CommonOptions.CreateNumber("--seconds-per-case", "About how long each case takes.", 0.01, 3_600, 2);
        Option<double> timeout = CommonOptions.CreateNumber("--timeout", "Seconds to wait for a message or for the other end.", 0.1, 3_600, 30);
        var payloads = new Option<string[]>("--payload")
        {
            Description = "Only payloads with this in their names (empty, string, order, Int32, XML, \"string 1000\"); may be repeated.",
            HelpName = "name",
        };
        Option<DeliveryMode?> mode = CommonOptions.CreateOptionalMode();
        Option<int> items =
            CommonOptions.CreateCount("--items", "Line items of each order.", SampleOrders.DefaultLineItemCount, PerftestLimits.MaxLineItems, min: 0);
        var once = new Option<bool>("--once") { Description = "SERVER: end when the first client has ended." };
        Option<int[]> fanOut = CommonOptions.CreateNumbers("--fan-out",
            "SENDANDPURGE: measure one send to n queues against n sends instead; the queues are NAME-1, NAME-2, ...", 2, 100);
#if NET
        var remote = new Option<bool>("--remote") { Description = "Also measure through a proxy with a delay and a limited bandwidth, "
            + "as if the server were on another machine." };
        Option<double?> delay = CommonOptions.CreateOptionalNumber("--delay", "With --remote: milliseconds each way. [default: 1]", 0, 10_000, "ms");
        Option<double?> bandwidth = CommonOptions.CreateOptionalNumber("--bandwidth",
            "With --remote: megabytes per second each way. [default: 12.5, Fast Ethernet]", 0.001, 100_000, "MB/s");
        Option<FileInfo[]> assemblies = OwnTypeOptions.CreateLibraries();
        var native = new Option<FileInfo?>("--native") { Description = "Also measure a program in C over "
            + "librabbitmq or libpq; Native/build builds it.", HelpName = "program" };
#endif
        Option<bool> purge = CommonOptions.CreatePurge();
        var files = new ResultFiles();
        var command = new Command("perftest", "The classic test: sends, receives or completely processes batches of every payload.")
        {
            transactionMode, operation, queue, responseQueue, rounds, batch, seconds, payloads, mode, items, fanOut, timeout, once, purge, files.Json,
            files.Csv,
        };
#if NET
        foreach (Option option in (Option[])[assemblies, remote, delay, bandwidth, native])
            command.Options.Add(option);
#endif
        command.SetAction(async (result, cancellationToken) =>
        {
            var options = new PerftestOptions
            {
                TransactionMode = result.GetValue(transactionMode),
                Operation = result.GetValue(operation),
                Queue = result.GetValue(queue)!,
                ResponseQueue = result.GetValue(responseQueue),
                Rounds = result.GetValue(rounds),
                BatchCount = result.GetValue(batch),
                TimePerCase = TimeSpan.FromSeconds(result.GetValue(seconds)),
                Payloads = result.GetValue(payloads) ?? [],
                Mode = result.GetValue(mode),
                LineItems = result.GetValue(items),
                Timeout = TimeSpan.FromSeconds(result.GetValue(timeout)),
                Once = result.GetValue(once),
                FanOut = result.GetValue(fanOut) ?? [],
                Purge = result.GetValue(purge),
            };
#if NET
            if (!result.GetValue(remote) && (result.GetValue(delay) ?? result.GetValue(bandwidth)) is not null)
                throw new UsageException("--delay and --bandwidth need --remote.");
            if (result.GetValue(remote))
            {
                options = options with
                {
                    Remote = new LinkSpeed(
                        result.GetValue(delay) is { } milliseconds ? TimeSpan.FromMilliseconds(milliseconds) : LinkSpeed.FastEthernet.Delay,
                        result.GetValue(bandwidth) is { } megabytes ? megabytes * 1e6 : LinkSpeed.FastEthernet.BytesPerSecond),
                };
            }

            options = options with { Native = result.GetValue(native), Libraries = LibraryOrderRows.Create(result.GetValue(assemblies) ?? []) };
#endif
            files.Check(result);
            PerftestReport? report = null;
            try
            {
                report = await RunProgress.RunAsync(
                    error, isQuiet: true, progress =>
                        RunAsync(options, CommonOptions.Describe(result), output, progress, connector, clock, cancellationToken));
            }
            catch (OperationCanceledException) when (options.Operation == PerftestOperation.Server)
            {
                await output.WriteLineAsync("SERVER ended; the messages that were not received are purged.");
            }

            if (report is null)
                return ExitCodes.Success;
            files.Write(result, report, ReportJson.Default.PerftestReport, PerftestCsv.Write);
            return report.ExitCode();
        });
        return command;
    }

    private static async Task<PerftestReport?> RunAsync(
        PerftestOptions options, string commandLine, TextWriter output, IRunProgress progress, QueueConnector connector, TimeProvider clock,
        CancellationToken cancellationToken)
    {
        if (options is { TransactionMode: TransactionMode.Tx, Mode: not null and not DeliveryMode.Transactional })
            throw new UsageException("TX means transactional messages: leave out --mode.");
        if (options is { TransactionMode: TransactionMode.NoTx, Mode: DeliveryMode.Transactional })
            throw new UsageException("NOTX means express or recoverable messages: for transactional ones use TX.");
        // All that can be wrong with the command line is said before the first line of a result.
        PerftestRun.SelectPayloads(options);
        IReadOnlyList<QueueAddress> queues = QueueAddress.ParseList(options.Queue);
        if (options.Operation is PerftestOperation.Client or PerftestOperation.Server)
        {
            if (options.ResponseQueue is null)
                throw new UsageException("CLIENT and SERVER take two queues: the server's, and the one for its answers.");
            IReadOnlyList<QueueAddress> responseQueues = QueueAddress.ParseList(options.ResponseQueue);
            if (responseQueues.Count > 1)
                throw new UsageException("Name only one queue for the answers.");
            if (queues.Any(queue => queue.Uri == responseQueues[0].Uri))
                throw new UsageException("The queue for the answers cannot be one of the server's.");
            await Modes.ProbeAsync(connector, options.ResponseQueue, options.Modes[0], cancellationToken);
            bool isInProcess = (await Modes.ProbeAsync(connector, options.Queue, options.Modes[0], cancellationToken)).Capabilities.IsInProcess;
            await CheckModeAsync(options, connector, cancellationToken);
            if (options.FanOut.Count > 0)
                throw new UsageException("--fan-out needs SENDANDPURGE.");
#if NET
            if (options.Operation == PerftestOperation.Server && (options.Remote is not null || options.Native is not null))
                throw new UsageException("--remote and --native are options of the CLIENT, not of the SERVER.");
            await using LoopbackProxy? way = options.Remote is null ? null : LoopbackProxy.Before(options.Queue, options.Remote);
            Func<string, string> by = way is null ? static address => address : way.Rewrite;
            (string, TimeSpan)? over = way is null ? null : await DescribeAsync(way.Speed, cancellationToken);
            if (options.Native is not null)
                throw new UsageException("The program of --native supports only SENDANDPURGE and SENDANDRECEIVE.");
#else
            Func<string, string> by = static address => address;
            (string, TimeSpan)? over = null;
#endif
            if (options.Operation == PerftestOperation.Client)
                return await PerftestClient.RunAsync(connector, options, isInProcess, commandLine, clock, output, progress, by, over,
                    cancellationToken);
            if (isInProcess)
                throw new UsageException("The queue lives in one process, where no CLIENT can reach this SERVER. Run "
                    + "CLIENT: it runs its own SERVER beside it.");
            await new PerftestServer(connector, options, output).RunAsync(cancellationToken);
            return null;
        }

        if (options.ResponseQueue is not null)
            throw new UsageException("SENDANDPURGE and SENDANDRECEIVE take one address; several queues are separated by commas.");

        if (options.FanOut.Count > 0)
        {
            if (options.Operation != PerftestOperation.SendAndPurge)
                throw new UsageException("--fan-out needs SENDANDPURGE.");
            if (queues.Count > 1)
                throw new UsageException("--fan-out takes one address: the names of its queues begin with that of this one.");
        }

        await CheckModeAsync(options, connector, cancellationToken);
#if NET
        if (options.FanOut.Count > 0 && (options.Remote is not null || options.Native is not null))
            throw new UsageException("--fan-out cannot be combined with --remote or --native.");
        await using LoopbackProxy? proxy = options.Remote is null ? null : LoopbackProxy.Before(options.Queue, options.Remote);
        (string, TimeSpan)? link = proxy is null ? null : await DescribeAsync(proxy.Speed, cancellationToken);
        string? notNative = options.Native is null ? null : NativeOperation.WhyNot(options);
        return await new PerftestRun(connector, options, clock, output, progress, link)
            .RunAsync(commandLine, OpenRoutesAsync, notNative is null ? [] : [notNative], cancellationToken);
#else
        return await new PerftestRun(connector, options, clock, output, progress).RunAsync(commandLine, OpenRoutesAsync, [], cancellationToken);
#endif

        async Task<IReadOnlyList<PerftestRoute>> OpenRoutesAsync(DeliveryMode mode, CancellationToken token)
        {
            var routes = new List<PerftestRoute>();
            try
            {
                foreach (int count in options.FanOut)
                {
                    string number = count.ToString(System.Globalization.CultureInfo.InvariantCulture);
                    routes.Add(
                        new PerftestRoute(
                            "1 send to " + number, await FanOutOperation.OpenAsync(connector, options, mode, count, isOne: true, clock, token)));
                    routes.Add(
                        new PerftestRoute(
                            number + " sends", await FanOutOperation.OpenAsync(connector, options, mode, count, isOne: false, clock, token)));
                }

                if (options.FanOut.Count == 0)
                    routes.Add(new PerftestRoute(PerftestRow.Local, await OpenAsync(options, mode, token)));
#if NET
                if (proxy is not null)
                    routes.Add(
                        new PerftestRoute(PerftestRow.Remote, await OpenAsync(options with { Queue = proxy.Rewrite(options.Queue) }, mode, token)));
                if (options.Native is not null && notNative is null)
                    routes.Add(new PerftestRoute(PerftestRow.Native, await NativeOperation.OpenAsync(options, mode, token), NativeOperation.Takes));
#endif
                return routes;
            }
            catch
            {
                foreach (PerftestRoute route in routes)
                    await route.Operation.DisposeAsync();
                throw;
            }
        }

        Task<BatchOperation> OpenAsync(PerftestOptions of, DeliveryMode mode, CancellationToken token) =>
            options.Operation == PerftestOperation.SendAndPurge
            ? SendAndPurgeOperation.OpenAsync(connector, of, mode, clock, token)
            : SendAndReceiveOperation.OpenAsync(connector, of, mode, clock, token);
    }

#if NET
    private static async Task<(string Speed, TimeSpan RoundTrip)> DescribeAsync(LinkSpeed speed, CancellationToken cancellationToken) =>
        (speed.ToString(), await LoopbackProxy.MeasureRoundTripAsync(speed, cancellationToken));
#endif

    /// <summary>Refuses the one mode that was asked for where the queue lacks it; of several, the others are measured.</summary>
    private static async Task CheckModeAsync(PerftestOptions options, QueueConnector connector, CancellationToken cancellationToken)
    {
        if (options.Modes.Count == 1)
            await Modes.RequireAsync(connector, options.Queue, options.Modes[0], cancellationToken);
    }
}
