using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Drivers;
using Formatters.TradeEngine.Messages;
using Formatters.TradeEngine.Monitoring;
using Formatters.TradeEngine.StaticData;
using Formatters.TradeEngine.Store;
using Formatters.TradeEngine.Store.Embedded;

namespace Formatters.TradeEngine.Runs;

/// <summary>Runs the whole network in this process: driver, router, components, sink and monitor; and holds what came out against what was sent.</summary>
internal sealed class EngineRun(QueueConnector connector, ITradeStore store, EngineRunOptions options)
{
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(20);

    private readonly LatencyProbe _probe = new();

    /// <summary>Runs.</summary>
    /// <param name="progress">Is told how far the run is: 0 to 1.</param>
    /// <param name="cancellationToken">Ends the run; what is in the queues stays there.</param>
    /// <exception cref="QueueException">A queue failed, or is not empty.</exception>
    internal async Task<EngineRunResult> RunAsync(IProgress<double>? progress = null, CancellationToken cancellationToken = default)
    {
        MessageSet set = MessageSet.Create(options.Set);
        using var pair = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        SigningKey key = options.Signature == SignatureAlgorithm.EcdsaP256
            ? SigningKey.EcdsaP256("driver", pair.ExportParameters(includePrivateParameters: true))
            : SigningKey.HmacSha256("driver", RandomNumberGenerator.GetBytes(32));
        await using EngineQueues queues = await EngineQueues.OpenAsync(connector, options.QueuePrefix, options.InboundQueueCount, options.Clearings,
            cancellationToken);
        await EnsureEmptyAsync(queues, cancellationToken);
        var engineOptions = new EngineOptions
        {
            QueuePrefix = options.QueuePrefix,
            Formats = options.Formats,
            InboundQueueCount = options.InboundQueueCount,
            RouterCount = options.RouterCount,
            NoticeCount = options.NoticeCount,
            InstanceCount = options.InstanceCount,
            BatchSize = options.BatchSize,
            AtPoint = options.Kills > 0 ? new KillPlan(options.Set.Seed, options.Kills).AtPoint : null,
        };
        await using var host = new TradeEngineHost(queues, engineOptions, set.Data, store, key);
        var sink = new ClearingSink(queues, options.Formats) { Cleared = terms => _probe.Cleared(terms.TradeReference) };
        StationMeter routerMeter = host.Meters.First();
        var driver = new MessageDriver(queues, options.Formats, key)
        {
            MaxBacklog = options.MaxBacklog,
            Rate = options.Rate,
            Probe = _probe,
            BatchSize = options.BatchSize,
        };
        int total = set.Options.TradeCount * TradeBuilder.MessagesPerTrade;
        driver.Sending = (count, sent) =>
        {
            routerMeter.AddArrivals(count);
            progress?.Report(Math.Min(1, (double)sent / total));
        };
        await using var monitor = new NetworkMonitor(StationsOf(host, queues, engineOptions), options.MonitorInterval);
        using var stopSink = new CancellationTokenSource();

        long allocated = GC.GetTotalAllocatedBytes();
        TimeSpan processor = Environment.CpuUsage.TotalTime;
        long start = Stopwatch.GetTimestamp();
        monitor.Start();
        host.Start();
        Task sinking = Task.Run(() => sink.RunAsync(stopSink.Token), CancellationToken.None);
        TimeSpan driving;
        TimeSpan elapsed;
        try
        {
            await WithFailureOf(host, DriveAsync(driver, set, cancellationToken));
            driving = Stopwatch.GetElapsedTime(start);
            elapsed = await WithFailureOf(host, DrainAsync(queues, host, driver, start, cancellationToken));
            processor = Environment.CpuUsage.TotalTime - processor;
            allocated = GC.GetTotalAllocatedBytes() - allocated;
            await monitor.StopAsync();
        }
        finally
        {
            await stopSink.CancelAsync();
            await sinking;
            await host.StopAsync();
        }

        (Dictionary<string, int> exceptions, int wrong, int expected) = await CheckExceptionsAsync(queues, set, cancellationToken);
        NetworkAnalysis analysis = OperationalAnalysis.Analyze(monitor, driver.SentCount, processor, Environment.ProcessorCount);
        return new EngineRunResult(
            options.Set.TradeCount,
            driver.SentCount,
            elapsed.TotalSeconds,
            driving.TotalSeconds,
            set.CountClearings(),
            sink.ClearedCount,
            sink.Wrong.Count,
            sink.RepeatedCount,
            sink.CancelledCount,
            expected,
            exceptions,
            wrong,
            host.RestartCount,
            _probe.StartSeconds,
            LatencySummary.Of(_probe.Seconds),
            driver.SentCount == 0 ? 0 : (double)driver.SentByteCount / driver.SentCount,
            (store as EmbeddedTradeStore)?.LogByteCount,
            driver.SentCount == 0 ? 0 : (double)allocated / driver.SentCount,
            PeakMemory(),
            analysis,
            OperationalAnalysis.FindOperatingRegion(analysis),
            monitor.Samples);
    }

    private static long PeakMemory()
    {
        using var process = Process.GetCurrentProcess();
        return process.PeakWorkingSet64;
    }

    private static List<MonitoredStation> StationsOf(TradeEngineHost host, EngineQueues queues, EngineOptions options)
    {
        StationMeter[] meters = [.. host.Meters];
        var stations = new List<MonitoredStation> { new(meters[0], Math.Max(options.RouterCount, queues.Inbound.Count), queues.Inbound) };
        for (int i = 0; i < MessageTypes.Inbound.Length; i++)
        {
            MessageType type = MessageTypes.Inbound[i];
            stations.Add(new MonitoredStation(meters[i + 1], type == MessageType.NoticeOfExecution ? options.NoticeCount : options.InstanceCount,
                [queues.ByType[type]]));
        }

        return stations;
    }

    /// <summary>Waits for work, or for a component that cannot go on.</summary>
    private static async Task WithFailureOf(TradeEngineHost host, Task work)
    {
        if (await Task.WhenAny(work, host.Failure) == host.Failure)
            await host.Failure;
        await work;
    }

    private static async Task<T> WithFailureOf<T>(TradeEngineHost host, Task<T> work)
    {
        await WithFailureOf(host, (Task)work);
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
        foreach ((string name, IMessageQueue queue) in queues.All)
        {
            if (options.Purges)
                await queue.PurgeAsync(cancellationToken);
            else if (await queue.GetMessageCountAsync(cancellationToken) is > 0 and var count)
                throw new QueueException($"The queue {name} at '{options.QueuePrefix}' has {count} messages. Take another place, or have them deleted (--purge).");
        }
    }

    /// <summary>Waits until all that was sent has gone through.</summary>
    /// <returns>How long after the start that was.</returns>
    private static async Task<TimeSpan> DrainAsync(EngineQueues queues, TradeEngineHost host, MessageDriver driver, long start,
        CancellationToken cancellationToken)
    {
        StationMeter[] meters = [.. host.Meters];
        while (true)
        {
            bool isDone = meters[0].Completions >= driver.SentCount && meters.Skip(1).All(meter => meter.Completions >= meter.Arrivals);
            if (isDone && await CountAsync(queues.Clearings) == 0)
                return Stopwatch.GetElapsedTime(start);
            await Task.Delay(Poll, cancellationToken);
        }

        async Task<long> CountAsync(IMessageQueue queue) => await queue.GetMessageCountAsync(cancellationToken)
            + (await queue.GetLockedCountAsync(cancellationToken) ?? 0);
    }

    private async Task<(Dictionary<string, int> ByReason, int Wrong, int Expected)> CheckExceptionsAsync(EngineQueues queues, MessageSet set,
        CancellationToken cancellationToken)
    {
        var expected = new Dictionary<string, Defect>(StringComparer.Ordinal);
        foreach (SetMessage message in options.Set.BadShare > 0 ? set.GetMessages() : [])
        {
            if (message.Defect != Defect.None && (options.SetFile is null || message.Defect != Defect.Signature))
                expected[message.MessageId] = message.Defect;
        }

        int expectedCount = expected.Count;
        var byReason = new Dictionary<string, int>(StringComparer.Ordinal);
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
                byReason[reason] = byReason.GetValueOrDefault(reason) + 1;
                if (!expected.Remove(message.CorrelationId ?? "", out Defect defect) || !DefectReasons.Of(defect).Select(right => right.ToString())
                    .Contains(reason))
                    wrong++;
            }

            await batch.CompleteAsync(CancellationToken.None);
        }
    }
}
