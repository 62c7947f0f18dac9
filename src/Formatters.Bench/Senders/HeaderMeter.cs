using Formatters.Bench.Load;
using Formatters.Bench.Network;

namespace Formatters.Bench.Senders;

/// <summary>Counts what a message has beside its body: on the network, by a proxy that counts, or in the log of a folder, by what this process
/// writes.</summary>
internal static class HeaderMeter
{
    private const int MessageCount = 200;
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
        bool isFolder = QueueAddress.Parse(address).Uri.IsFile;
        foreach (DeliveryMode mode in new[] { DeliveryMode.Express, DeliveryMode.Recoverable })
        {
            // No delay and no limit: what passes is counted.
            await using LoopbackProxy? proxy = isFolder ? null : LoopbackProxy.Before(address, new LinkSpeed(TimeSpan.Zero, 1e12));
            string way = proxy is null ? address : proxy.Rewrite(address);
            await using QueueClient queue = await connector.OpenAsync(way, Modes.OptionsOf(mode), cancellationToken);
            // Whatever is said once is said by then. The receiver is closed: it would fetch ahead.
            await SendAsync(queue, byteCount, WarmUpCount, cancellationToken);
            await using (QueueClient warmUp = await connector.OpenAsync(way, Modes.OptionsOf(mode), cancellationToken))
                await ReceiveAsync(warmUp, byteCount, WarmUpCount, cancellationToken);
            (long up, long down) = Count(proxy);
            await SendAsync(queue, byteCount, MessageCount, cancellationToken);
            await MessageBatch.WaitUntilQueuedAsync(queue, "headers", MessageCount, TimeSpan.FromSeconds(30), cancellationToken);
            (long upSent, long downSent) = Count(proxy);
            await using QueueClient receiver = await connector.OpenAsync(way, Modes.OptionsOf(mode), cancellationToken);
            (long upOpened, _) = Count(proxy);
            await ReceiveAsync(receiver, byteCount, MessageCount, cancellationToken);
            (long upReceived, long downReceived) = Count(proxy);
            rows.Add(isFolder
                ? new HeaderRow(Modes.NameOf(mode), "log", byteCount, Math.Max(0, Each(upSent - up) - (upSent == up ? 0 : byteCount)), 0,
                    Each(upReceived - upSent), 0)
                : new HeaderRow(Modes.NameOf(mode), "network", byteCount, Each(upSent - up) - byteCount, Each(downSent - down),
                    Each(downReceived - downSent) - byteCount, Each(upReceived - upOpened)));
        }

        return rows;

        static double Each(long byteCount) => (double)byteCount / MessageCount;
    }

    private static (long Up, long Down) Count(LoopbackProxy? proxy) =>
        proxy is null ? (WrittenByteCount() ?? 0, 0) : (proxy.ByteCountToServer, proxy.ByteCountToClient);

    private static Task<LoadResult> SendAsync(QueueClient queue, int byteCount, int count, CancellationToken cancellationToken) =>
        new LoadRun(LoadScenario.OfBytes(queue, byteCount) with { MaxCount = count }, TimeProvider.System).SendAsync(cancellationToken);

    private static Task<LoadResult> ReceiveAsync(QueueClient queue, int byteCount, int count, CancellationToken cancellationToken) =>
        new LoadRun(LoadScenario.OfBytes(queue, byteCount), TimeProvider.System).ReceiveAsync([count], cancellationToken);

    /// <summary>All that this process has given the system to write, in bytes.</summary>
    private static long? WrittenByteCount() => WriteCalls.Read("self", "wchar");
}
