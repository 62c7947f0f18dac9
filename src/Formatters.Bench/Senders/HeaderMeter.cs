using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Bench.Network;
using Formatters.Queues;

namespace Formatters.Bench.Senders;

/// <summary>Counts what a message has beside its body: on the network, by a proxy that counts, or in the log of a folder, by what this process writes.</summary>
internal static class HeaderMeter
{
    private const int MessageCount = 200;
    private const int WarmUpCount = 10;

    /// <summary>Why it cannot be counted for a queue; null if it can.</summary>
    internal static string? WhyNot(string address)
    {
        QueueAddress queue = QueueAddress.Parse(address);
        return queue.Uri.IsFile
            ? WrittenByteCount() is null ? "the system does not say what a process writes" : null
            : LoopbackProxy.WhyNot([queue]) is { } reason ? $"nothing of it leaves the process: {reason}" : null;
    }

    /// <summary>Counts.</summary>
    internal static async Task<IReadOnlyList<HeaderRow>> MeasureAsync(QueueConnector connector, string address, int byteCount, CancellationToken cancellationToken)
    {
        var rows = new List<HeaderRow>();
        bool isFolder = QueueAddress.Parse(address).Uri.IsFile;
        foreach (DeliveryMode mode in new[] { DeliveryMode.Express, DeliveryMode.Recoverable })
        {
            // No delay and no limit: what passes is counted.
            await using LoopbackProxy? proxy = isFolder ? null : LoopbackProxy.Before(address, new LinkSpeed(TimeSpan.Zero, 1e12));
            string way = proxy is null ? address : proxy.Rewrite(address);
            await using IMessageQueue queue = await connector.OpenAsync(way, Modes.OptionsOf(mode), cancellationToken);
            // Whatever is said once is said by then. The receiver is closed: it would fetch ahead.
            for (int i = 0; i < WarmUpCount; i++)
                await queue.SendAsync(Message(i, byteCount), null, cancellationToken);
            await using (IMessageQueue warmUp = await connector.OpenAsync(way, Modes.OptionsOf(mode), cancellationToken))
                await ReceiveAsync(warmUp, WarmUpCount, byteCount, cancellationToken);
            (long up, long down) = Count(proxy);
            for (int i = 0; i < MessageCount; i++)
                await queue.SendAsync(Message(i, byteCount), null, cancellationToken);
            await MessageBatch.WaitUntilQueuedAsync(queue, "headers", MessageCount, TimeSpan.FromSeconds(30), cancellationToken);
            (long upSent, long downSent) = Count(proxy);
            await using IMessageQueue receiver = await connector.OpenAsync(way, Modes.OptionsOf(mode), cancellationToken);
            (long upOpened, _) = Count(proxy);
            await ReceiveAsync(receiver, MessageCount, byteCount, cancellationToken);
            (long upReceived, long downReceived) = Count(proxy);
            rows.Add(isFolder
                ? new HeaderRow(Modes.NameOf(mode), "log", byteCount, Math.Max(0, Each(upSent - up) - (upSent == up ? 0 : byteCount)), 0, Each(upReceived - upSent), 0)
                : new HeaderRow(Modes.NameOf(mode), "network", byteCount, Each(upSent - up) - byteCount, Each(downSent - down), Each(downReceived - downSent) - byteCount, Each(upReceived - upOpened)));
        }

        return rows;

        static double Each(long byteCount) => (double)byteCount / MessageCount;
    }

    private static (long Up, long Down) Count(LoopbackProxy? proxy) => proxy is null ? (WrittenByteCount() ?? 0, 0) : (proxy.ByteCountToServer, proxy.ByteCountToClient);

    private static QueueMessage Message(long number, int byteCount) => new(new SendersBodies(SendersVariant.None, byteCount).Write(number));

    private static async Task ReceiveAsync(IMessageQueue queue, int count, int byteCount, CancellationToken cancellationToken)
    {
        for (int i = 0; i < count; i++)
        {
            ReceivedMessage? message = await queue.ReceiveAsync(TimeSpan.FromSeconds(10), cancellationToken: cancellationToken);
            if (message is null || message.Body.Bytes.Length != byteCount || BitConverter.ToInt64(message.Body.Bytes.FirstSpan) != i)
                throw new VerificationException($"{queue.Address}: message {i} {(message is null ? "did not come" : "is not the one that was sent in its place")}.");
        }
    }

    /// <summary>All that this process has given the system to write, in bytes.</summary>
    private static long? WrittenByteCount() => WriteCalls.Read("self", "wchar");
}
