using System.Security.Cryptography;
using Formatters.Envelopes;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Drivers;
using Formatters.TradeEngine.Monitoring;
using Formatters.TradeEngine.Nodes;
using Formatters.TradeEngine.StaticData;
using Formatters.TradeEngine.Store;

namespace Formatters.TradeEngine.Runs;

/// <summary>Runs the whole network in this process: driver, router, components, sink and monitor; and holds what came out against what was
/// sent.</summary>
internal sealed class EngineRun(QueueConnector connector, ITradeStore store, EngineRunOptions options)
{
    /// <summary>Stands among the reasons for what came twice.</summary>
    private const string Repeated = "(came twice)";

    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly LatencyProbe _probe = new();

    /// <exception cref="QueueException">A queue failed, or is not empty.</exception>
    internal async Task<EngineRunResult> RunAsync(IProgress<double>? progress = null, CancellationToken cancellationToken = default)
    {
        MessageSet set = MessageSet.Create(options.Set);
        using var pair = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        SigningKey key = options.Key ?? (options.Signature == SignatureAlgorithm.EcdsaP256
            ? SigningKey.EcdsaP256("driver", pair.ExportParameters(includePrivateParameters: true))
            : SigningKey.HmacSha256("driver", RandomNumberGenerator.GetBytes(32)));
        await using EngineQueues queues = await EngineQueues.OpenAsync(connector, options.QueuePrefix, options.InboundQueueCount, options.Clearings,
            options.BundleSize, options.Transfer, cancellationToken);
        await EnsureEmptyAsync(queues, cancellationToken);
        KillPlan? plan = options.Kills > 0 && options.Fleet is null ? new KillPlan(options.Set.Seed, options.Kills) : null;
        EngineOptions engineOptions = CreateEngineOptions(plan);
        await using var host = new TradeEngineHost(queues, engineOptions, set.Data, store, key);
        await using QueueClient? reportQueue = options.Fleet is null ? null : await queues.OpenOtherAsync(EngineNode.QueueName, cancellationToken);
        if (reportQueue is not null)
            await reportQueue.PurgeAsync(cancellationToken);
        StationMeter[] meters = [.. host.Meters];
        NodeReports? reports = reportQueue is null ? null : new NodeReports(reportQueue, queues.IsTransactional, meters, host.Retries);
        var sink = new ClearingSink(queues, options.Formats) { Cleared = terms => _probe.Cleared(terms.TradeReference), Retries = host.Retries };
        MessageDriver driver = CreateDriver(queues, key, meters[0]);
        int total = set.Options.TradeCount * TradeBuilder.MessagesPerTrade;
        driver.Due = _probe.Sending;
        driver.Sending += (_, sent) =>
        {
            progress?.Report(Math.Min(1, (double)sent / total));
            options.Fleet?.Advance(Math.Min(1, (double)sent / total));
        };
        using var stopSink = new CancellationTokenSource();
        if (options.Fleet is not null)
            await options.Fleet.StartAsync(cancellationToken);
        else
            host.Start();
        Task sinking = Task.Run(() => sink.RunAsync(stopSink.Token), CancellationToken.None);
        Task reporting = reports is null ? Task.CompletedTask : Task.Run(() => reports.RunAsync(stopSink.Token), CancellationToken.None);
        // The sink, the forwarders and the taker of reports end on a failure only, up to the end of the run.
        Task failed = options.Fleet?.Failure ?? host.Failure;
        QueueForwarder[] forwarders = [.. CreateForwarders()];
        Task[] forwarding = [.. forwarders.Select(forwarder => Task.Run(() => forwarder.RunAsync(stopSink.Token), CancellationToken.None))];
        Task[] running = [failed, sinking, .. forwarding, .. reports is null ? Array.Empty<Task>() : [reporting]];
        Task failure = Task.WhenAny(running).Unwrap();
        TimeSpan driving;
        TimeSpan elapsed;
        TimeSpan own;
        long allocated;
        ProcessorSample before;
        ProcessorSample after;
        NetworkMonitor? monitor = null;
        int warm = set.CountClearings(set.Options.TradeCount, options.WarmTrades);
        int expectedClearings = warm + set.CountClearings();
        try
        {
            long warmSent = await WithFailureOf(failure, WarmUpAsync(CreateDriver(queues, key, meters[0]), set, DrainAsync, cancellationToken));
            if (options.Measuring is { } measuring)
                await measuring(cancellationToken);
            if (plan is not null)
                plan.IsActive = true;
            allocated = GC.GetTotalAllocatedBytes();
            own = Environment.CpuUsage.TotalTime;
            before = ReadProcessors(reports);
            monitor = new NetworkMonitor(StationsOf(meters, queues, engineOptions), options.MonitorInterval, () => ReadProcessors(reports));
            await monitor.StartAsync();
            long start = Stopwatch.GetTimestamp();
            await WithFailureOf(failure, DriveAsync(driver, set, cancellationToken));
            driving = Stopwatch.GetElapsedTime(start);
            elapsed = await WithFailureOf(failure, DrainAsync(warmSent + driver.SentCount, expectedClearings, start));
            await monitor.EndPeriodAsync(start + (long)(elapsed.TotalSeconds * Stopwatch.Frequency));
            own = Environment.CpuUsage.TotalTime - own;
            allocated = GC.GetTotalAllocatedBytes() - allocated;
            if (options.Fleet is not null)
            {
                await options.Fleet.StopAsync();
                while (await reports!.RunOnceAsync(TimeSpan.FromMilliseconds(100), cancellationToken) > 0)
                {
                }
            }

            after = ReadProcessors(reports);
            await monitor.StopAsync();
        }
        finally
        {
            if (options.Fleet is not null)
                await options.Fleet.StopAsync();
            await stopSink.CancelAsync();
            await sinking;
            await reporting;
            await Task.WhenAll(forwarding);
            await host.StopAsync();
            if (monitor is not null)
                await monitor.DisposeAsync();
        }

        (Dictionary<string, int> exceptions, int wrong, int expected) = await CheckExceptionsAsync(
            queues, set, mayRepeat: !queues.IsTransactional || forwarders.Any(forwarder => forwarder.Guarantee != ForwardingGuarantee.ExactlyOnce),
            cancellationToken);
        double nodeSeconds = after.Nodes - before.Nodes;
        TimeSpan engineTime = own + TimeSpan.FromSeconds(nodeSeconds);
        NetworkAnalysis analysis = OperationalAnalysis.Analyze(monitor, driver.SentCount, engineTime, options.Cores ?? Environment.ProcessorCount);
        return new EngineRunResult(
            options.Set.TradeCount,
            driver.SentCount,
            elapsed.TotalSeconds,
            driving.TotalSeconds,
            expectedClearings,
            sink.ClearedCount,
            sink.Wrong.Count,
            sink.RepeatedCount,
            sink.CancelledCount,
            expected,
            exceptions,
            wrong,
            options.Fleet?.KillCount ?? host.RestartCount,
            _probe.StartSeconds,
            LatencySummary.Of(_probe.Seconds),
            driver.SentCount == 0 ? 0 : (double)driver.SentByteCount / driver.SentCount,
            null,
            driver.SentCount == 0 ? 0 : (double)allocated / driver.SentCount,
            PeakMemory(),
            analysis,
            OperationalAnalysis.FindOperatingRegion(analysis),
            monitor.Samples,
            new ProcessorShares(Each(own.TotalSeconds), Each(nodeSeconds), Each(after.Database - before.Database),
                Each(after.Broker - before.Broker)),
            (after.DiskQueue - before.DiskQueue) / elapsed.TotalSeconds)
        {
            WarmTrades = options.WarmTrades,
            Transfer = forwarders.Length == 0 ? null : forwarders.Min(forwarder => forwarder.Guarantee),
            Retries = host.Retries.Count,
            RetryReasons = host.Retries.Reasons,
        };

        Task<TimeSpan> DrainAsync(long sent, int clearings, long start) => options.Fleet is null
            ? EngineRun.DrainAsync(queues, meters, sent, host.Retries, sink, clearings, start, cancellationToken)
            : DrainFleetAsync(queues, sink, host.Retries, clearings, start, cancellationToken);

        double Each(double seconds) => driver.SentCount == 0 ? 0 : seconds / driver.SentCount;
    }

    /// <summary>The second queue manager of the study's figure 5: each forwarder takes from a queue of the driver, and sends to an in-bound
    /// queue.</summary>
    private IEnumerable<QueueForwarder> CreateForwarders() => options.Transfer is not { } transfer
        ? []
        : Enumerable.Range(0, options.InboundQueueCount).Select(i => new QueueForwarder(
            connector,
            transfer + EngineQueues.OutgoingName(i),
            options.QueuePrefix + EngineQueues.InboundName(i),
            ForwarderOptions.Default with { BatchSize = options.BatchSize }));

    private MessageDriver CreateDriver(EngineQueues queues, SigningKey key, StationMeter router) =>
        new(queues, options.Formats, key, options.Set.Seed)
    {
        MaxBacklog = options.MaxBacklog,
        Rate = options.Rate,
        BatchSize = options.BatchSize,
        Sending = (count, _) => router.AddArrivals(count),
    };

    /// <summary>Sends trades that are not measured: those that follow the set.</summary>
    /// <returns>How many messages they were.</returns>
    private async Task<long> WarmUpAsync(
        MessageDriver driver, MessageSet set, Func<long, int, long, Task<TimeSpan>> drain, CancellationToken cancellationToken)
    {
        if (options.WarmTrades == 0)
            return 0;
        int first = set.Options.TradeCount;
        await Task.Run(() => driver.SendAsync(set.GetMessages(first, options.WarmTrades), cancellationToken), cancellationToken);
        // At a rate, the network is to have as much in it as always when the measurement begins.
        if (options.Rate is not null && options.Fleet is null)
            return driver.SentCount;
        await drain(driver.SentCount, set.CountClearings(first, options.WarmTrades), Stopwatch.GetTimestamp());
        if (options.Fleet is not null)
            await Task.Delay(2 * EngineNode.Interval, cancellationToken);
        return driver.SentCount;
    }

    private EngineOptions CreateEngineOptions(KillPlan? plan) => new()
    {
        QueuePrefix = options.QueuePrefix,
        Formats = options.Formats,
        InboundQueueCount = options.InboundQueueCount,
        RouterCount = options.RouterCount,
        NoticeCount = options.NoticeCount,
        InstanceCount = options.InstanceCount,
        BatchSize = options.BatchSize,
        BundleSize = options.BundleSize,
        AtPoint = plan is null ? null : plan.AtPoint,
    };

    private ProcessorSample ReadProcessors(NodeReports? reports) => new(
        Environment.CpuUsage.TotalTime.TotalSeconds + (reports?.ProcessorSeconds ?? 0),
        options.DatabaseServer?.ReadSeconds() ?? 0,
        options.BrokerServer?.ReadSeconds() ?? 0,
        DiskQueues.ReadSeconds(),
        reports?.ProcessorSeconds ?? 0);

    private static long PeakMemory()
    {
        using var process = Process.GetCurrentProcess();
        return process.PeakWorkingSet64;
    }

    private List<MonitoredStation> StationsOf(StationMeter[] meters, EngineQueues queues, EngineOptions engine)
    {
        int nodes = options.Fleet?.NodeCount ?? 1;
        var stations = new List<MonitoredStation> { new(meters[0], nodes * Math.Max(engine.RouterCount, queues.Inbound.Count),
            [.. queues.Inbound.Concat(queues.Outgoing).Select(queues.CounterOf)]) };
        for (int i = 0; i < MessageTypes.Inbound.Length; i++)
        {
            MessageType type = MessageTypes.Inbound[i];
            int instances = type == MessageType.NoticeOfExecution ? engine.NoticeCount : engine.InstanceCount;
            stations.Add(new MonitoredStation(meters[i + 1], nodes * instances, [queues.CounterOf(queues.ByType[type])], engine.BundleSize > 1));
        }

        return stations;
    }

    /// <summary>Waits for work, or for a component that cannot go on.</summary>
    private static async Task WithFailureOf(Task failure, Task work)
    {
        if (await Task.WhenAny(work, failure) == failure)
            await failure;
        await work;
    }

    private static async Task<T> WithFailureOf<T>(Task failure, Task<T> work)
    {
        await WithFailureOf(failure, (Task)work);
        return await work;
    }

    private async Task DriveAsync(MessageDriver driver, MessageSet set, CancellationToken cancellationToken)
    {
        if (options.SetFile is null)
        {
            await Task.Run(() => driver.SendAsync(set.GetMessages(), cancellationToken), cancellationToken);
            return;
        }

        await using FileStream file = options.SetFile.OpenRead();
        await Task.Run(() => driver.SendAsync(file, cancellationToken), cancellationToken);
    }

    private async Task EnsureEmptyAsync(EngineQueues queues, CancellationToken cancellationToken)
    {
        // All are looked at before the first is touched.
        foreach ((_, QueueClient queue) in queues.All)
        {
            long locked = await queue.GetLockedCountAsync(cancellationToken) ?? 0;
            if (locked > 0)
                throw new QueueException($"'{queue.Address}' has {Numbers.Count(locked, "message")} that a receiver has locked, which "
                    + $"cannot be deleted. End the receivers first.");
            if (!options.Purges && await queue.GetMessageCountAsync(cancellationToken) is > 0 and var count)
                throw new QueueException(
                    $"'{queue.Address}' has {Numbers.Count(count, "message")}. Name another location, or delete them with --purge.");
        }

        if (!options.Purges)
            return;
        foreach ((_, QueueClient queue) in queues.All)
            await queue.PurgeAsync(cancellationToken);
    }

    /// <summary>Waits until all that was sent has gone through.</summary>
    /// <returns>How long after the start that was.</returns>
    private static async Task<TimeSpan> DrainAsync(EngineQueues queues, StationMeter[] meters, long sent, Retries retries, ClearingSink sink,
        int expected, long start, CancellationToken cancellationToken)
    {
        while (true)
        {
            // A batch of which it is not known whether it became final may be counted twice, or not at all: the queues tell.
            if (retries.Count > 0)
                return await DrainFleetAsync(queues, sink, retries, expected, start, cancellationToken);
            bool isDone = meters[0].Completions >= sent && meters.Skip(1).All(meter => meter.Completions >= meter.Arrivals);
            if (isDone && await CountAsync(queues.Clearings, retries, cancellationToken) == 0)
                return Stopwatch.GetElapsedTime(start);
            await Task.Delay(Poll, cancellationToken);
        }
    }

    private static Task<long> CountAsync(QueueClient queue, Retries retries, CancellationToken cancellationToken) => retries.DoAsync(
        async () =>
            await queue.GetMessageCountAsync(cancellationToken) + (await queue.GetLockedCountAsync(cancellationToken) ?? 0), cancellationToken);

    /// <summary>
    /// Waits until component processes have nothing left: the queues are empty and the CLS are there that must be. Where CLS are missing, until
    /// nothing has moved for a while.
    /// </summary>
    /// <returns>How long after the start the last CLS was there.</returns>
    private static async Task<TimeSpan> DrainFleetAsync(EngineQueues queues, ClearingSink sink, Retries retries, int expected, long start,
        CancellationToken cancellationToken)
    {
        QueueClient[] inner = [.. queues.All.Where(item => item.Name != "exceptions").Select(item => item.Queue)];
        long last = -1;
        long since = Stopwatch.GetTimestamp();
        int quiet = 0;
        while (true)
        {
            long length = 0;
            foreach (QueueClient queue in inner)
                length += await CountAsync(queue, retries, cancellationToken);
            long state = (length << 32) + sink.ReceivedCount;
            if (state != last)
                (last, since, quiet) = (state, Stopwatch.GetTimestamp(), 0);
            // What a broker has handed out and not got acknowledged it does not count: a moment without change, then.
            bool isDone = length == 0 && sink.ClearedCount == expected && ++quiet >= 20;
            if (isDone || (length == 0 && Stopwatch.GetElapsedTime(since) > Patience))
                return Stopwatch.GetElapsedTime(start, since);
            await Task.Delay(Poll, cancellationToken);
        }
    }

    private async Task<(Dictionary<string, int> ByReason, int Wrong, int Expected)> CheckExceptionsAsync(EngineQueues queues, MessageSet set,
        bool mayRepeat, CancellationToken cancellationToken)
    {
        var expected = new Dictionary<string, Defect>(StringComparer.Ordinal);
        foreach (SetMessage message in options.Set.BadShare > 0 ? set.GetMessages() : [])
        {
            if (message.Defect != Defect.None && (options.SetFile is null || message.Defect != Defect.Signature))
                expected[message.MessageId] = message.Defect;
        }

        foreach (SetMessage message in options.Set.BadShare > 0 ? set.GetMessages(options.Set.TradeCount, options.WarmTrades) : [])
        {
            if (message.Defect != Defect.None)
                expected[message.MessageId] = message.Defect;
        }

        int expectedCount = expected.Count;
        var byReason = new Dictionary<string, int>(StringComparer.Ordinal);
        var taken = new HashSet<string>(StringComparer.Ordinal);
        int wrong = 0;
        while (true)
        {
            await using WorkBatch batch = await WorkBatch.ReceiveAsync(queues.Exceptions, queues.IsTransactional, 256, TimeSpan.FromMilliseconds(200),
                cancellationToken);
            if (batch.Messages.Count == 0)
                return (byReason, wrong + expected.Count, expectedCount);
            foreach (ReceivedMessage message in batch.Messages)
            {
                string reason = message.Headers.TryGetValue(ExceptionHeaders.Reason, out object? value) ? (string)value : "";
                // Without transactions a component that dies, or a forwarder, may have sent a message whose own it has not acknowledged: its
                // correlation id tells.
                if (mayRepeat && message.CorrelationId is { } id && taken.Contains(id))
                {
                    byReason[Repeated] = byReason.GetValueOrDefault(Repeated) + 1;
                    continue;
                }

                byReason[reason] = byReason.GetValueOrDefault(reason) + 1;
                taken.Add(message.CorrelationId ?? "");
                if (!expected.Remove(message.CorrelationId ?? "", out Defect defect) || !DefectReasons.Of(defect).Select(right => right.ToString())
                    .Contains(reason))
                    wrong++;
            }

            await batch.CompleteAsync();
        }
    }
}
