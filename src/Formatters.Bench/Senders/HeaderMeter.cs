using Formatters.Bench.Load;
using Formatters.Bench.Network;

namespace Formatters.Bench.Senders;

/// <summary>Counts what a message has beside its body: on the network, by a proxy that counts, or in the log of a folder, by what this process
/// writes.</summary>
internal static class HeaderMeter
{
    private const int MessageCount = 200;
    private const int PartMessageCount = 50;
    private const int WarmUpCount = 10;

    /// <summary>Returns why it cannot be counted for a queue; null if it can.</summary>
    internal static string? WhyNot(string address)
    {
        QueueAddress queue = QueueAddress.Parse(address);
        return queue.Uri.IsFile
            ? WrittenByteCount() is null ? "the system does not say what a process writes" : null
            : LoopbackProxy.WhyNot([queue]) is { } reason ? $"nothing of it leaves the process: {reason}" : null;
    }

    internal static async Task<IReadOnlyList<HeaderRow>> MeasureAsync(QueueConnector connector, string address, int byteCount,
        CancellationToken cancellationToken)
    {
        var rows = new List<HeaderRow>();
        foreach (DeliveryMode mode in new[] { DeliveryMode.Express, DeliveryMode.Recoverable })
        {
            rows.Add(QueueAddress.Parse(address).Uri.IsFile
                ? await MeasureLogAsync(connector, address, mode, byteCount, cancellationToken)
                : await MeasureNetworkAsync(connector, address, mode, byteCount, cancellationToken));
        }

        return rows;
    }

    private static async Task<HeaderRow> MeasureLogAsync(QueueConnector connector, string address, DeliveryMode mode, int byteCount,
        CancellationToken cancellationToken)
    {
        await using QueueClient queue = await OpenWarmAsync(connector, address, mode, byteCount, cancellationToken);
        double sent = await LeastAsync(() => SendAsync(queue, byteCount, PartMessageCount, cancellationToken));
        await MessageBatch.WaitUntilQueuedAsync(queue, "headers", MessageCount, TimeSpan.FromSeconds(30), cancellationToken);
        await using QueueClient receiver = await connector.OpenAsync(address, Modes.OptionsOf(mode), cancellationToken);
        double received = await LeastAsync(() => ReceiveAsync(receiver, byteCount, PartMessageCount, cancellationToken));
        return new HeaderRow(Modes.NameOf(mode), "log", byteCount, sent == 0 ? 0 : Math.Max(0, sent - byteCount), 0, received, 0);

        // The log also creates its next file at times, with megabytes of zeros: not during the part that writes least.
        static async Task<double> LeastAsync(Func<Task> run)
        {
            long least = long.MaxValue;
            for (int part = 0; part < MessageCount / PartMessageCount; part++)
            {
                long before = WrittenByteCount() ?? 0;
                await run();
                least = Math.Min(least, (WrittenByteCount() ?? 0) - before);
            }

            return (double)least / PartMessageCount;
        }
    }

    private static async Task<HeaderRow> MeasureNetworkAsync(QueueConnector connector, string address, DeliveryMode mode, int byteCount,
        CancellationToken cancellationToken)
    {
        // No delay and no limit: what passes is counted.
        await using LoopbackProxy proxy = LoopbackProxy.Before(address, new LinkSpeed(TimeSpan.Zero, 1e12));
        string way = proxy.Rewrite(address);
        await using QueueClient queue = await OpenWarmAsync(connector, way, mode, byteCount, cancellationToken);
        (long up, long down) = (proxy.ByteCountToServer, proxy.ByteCountToClient);
        await SendAsync(queue, byteCount, MessageCount, cancellationToken);
        await MessageBatch.WaitUntilQueuedAsync(queue, "headers", MessageCount, TimeSpan.FromSeconds(30), cancellationToken);
        (long upSent, long downSent) = (proxy.ByteCountToServer, proxy.ByteCountToClient);
        await using QueueClient receiver = await connector.OpenAsync(way, Modes.OptionsOf(mode), cancellationToken);
        long upOpened = proxy.ByteCountToServer;
        await ReceiveAsync(receiver, byteCount, MessageCount, cancellationToken);
        return new HeaderRow(Modes.NameOf(mode), "network", byteCount, Each(upSent - up) - byteCount, Each(downSent - down),
            Each(proxy.ByteCountToClient - downSent) - byteCount, Each(proxy.ByteCountToServer - upOpened));

        static double Each(long byteCount) => (double)byteCount / MessageCount;
    }

    /// <summary>Opens a queue for sending, after messages with which whatever is said once was said.</summary>
    private static async Task<QueueClient> OpenWarmAsync(QueueConnector connector, string address, DeliveryMode mode, int byteCount,
        CancellationToken cancellationToken)
    {
        QueueClient queue = await connector.OpenAsync(address, Modes.OptionsOf(mode), cancellationToken);
        await SendAsync(queue, byteCount, WarmUpCount, cancellationToken);
        // Closed before the measurement: it would fetch ahead.
        await using QueueClient receiver = await connector.OpenAsync(address, Modes.OptionsOf(mode), cancellationToken);
        await ReceiveAsync(receiver, byteCount, WarmUpCount, cancellationToken);
        return queue;
    }

    private static Task<LoadResult> SendAsync(QueueClient queue, int byteCount, int count, CancellationToken cancellationToken) =>
        new LoadRun(LoadScenario.OfBytes(queue, byteCount) with { MaxCount = count }, TimeProvider.System).SendAsync(cancellationToken);

    private static Task<LoadResult> ReceiveAsync(QueueClient queue, int byteCount, int count, CancellationToken cancellationToken) =>
        new LoadRun(LoadScenario.OfBytes(queue, byteCount), TimeProvider.System).ReceiveAsync([count], cancellationToken);

    /// <summary>All that this process has given the system to write, in bytes.</summary>
    private static long? WrittenByteCount() => WriteCalls.Read("self", "wchar");
}
