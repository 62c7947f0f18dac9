using Formatters.Bench.Load;
using Formatters.Bench.Network;

namespace Formatters.Bench.Senders;

/// <summary>
/// Tables 8 and 9 of the study: messages accumulate on the sender's side while there is no network, then it is there, and they go to the queue's
/// server over Fast Ethernet. Express ones wait in memory and
/// are passed on one after the other; recoverable ones wait in a folder, and <see cref="QueueForwarder"/> passes them on.
/// </summary>
internal static class NetworkMeter
{
    /// <summary>The number of messages in flight; MSMQ has a window, too.</summary>
    internal const int BatchSize = 100;

    private const int MessageCount = 2_000;

    /// <summary>Returns why it cannot be measured; null if it can.</summary>
    internal static string? WhyNot(string address) => LoopbackProxy.WhyNot([QueueAddress.Parse(address)]);

    /// <exception cref="VerificationException">A message was lost, doubled or changed.</exception>
    internal static async Task<IReadOnlyList<NetworkRow>> MeasureAsync(
        QueueConnector connector, string address, ServerProcess? server, int maxCount, TimeProvider clock, IProgress<double> stage,
        CancellationToken cancellationToken)
    {
        var rows = new List<NetworkRow>();
        string folder = Path.Combine(Environment.CurrentDirectory, "formatters-bench-" + Guid.NewGuid().ToString("N")[..8]);
        try
        {
            foreach ((SendersMode mode, int byteCount, double rate, double sendCpu, double receiveCpu, double network) in Study.Networked)
            {
                string source = mode == SendersMode.Express ? "memory:outgoing-" + Guid.NewGuid().ToString("N") : $"file:{folder}/outgoing";
                rows.Add(await MeasureAsync(
                    connector, source, address, mode, byteCount, Math.Min(MessageCount, maxCount), server, clock,
                    new NetworkStudy(rate, sendCpu, receiveCpu, network), cancellationToken));
                stage.Report((double)rows.Count / Study.Networked.Count);
            }
        }
        finally
        {
            if (Directory.Exists(folder))
                Directory.Delete(folder, recursive: true);
        }

        return rows;
    }

    private static async Task<NetworkRow> MeasureAsync(
        QueueConnector connector,
        string source,
        string address,
        SendersMode mode,
        int byteCount,
        int count,
        ServerProcess? server,
        TimeProvider clock,
        NetworkStudy study,
        CancellationToken cancellationToken)
    {
        QueueOptions options = Modes.OptionsOf(SendersModes.DeliveryOf(mode));
        await using LoopbackProxy proxy = LoopbackProxy.Before(address, LinkSpeed.FastEthernet, isConnected: false);
        string target = proxy.Rewrite(address);
        QueueClient outgoing = await connector.OpenAsync(source, options, cancellationToken);
        QueueClient? arrived = null;
        try
        {
            await new LoadRun(LoadScenario.OfBytes(outgoing, byteCount) with { InFlight = count, MaxCount = count }, clock)
                .SendAsync(cancellationToken);
            arrived = await connector.OpenAsync(address, options, cancellationToken);
            ProcessorMark mark = ProcessorMark.Now(server);
            var use = new ProcessorTally();
            long start = clock.GetTimestamp();
            proxy.Connect();
            if (mode == SendersMode.Express)
                await PassOnAsync(connector, outgoing, target, options, count, cancellationToken);
            else
                await new QueueForwarder(connector, source, target, ForwarderOptions.Default with { BatchSize = BatchSize })
                    .RunUntilEmptyAsync(cancellationToken);
            TimeSpan elapsed = clock.GetElapsedTime(start);
            use.Add(mark, elapsed, server);
            long byteCountSent = proxy.ByteCountToServer;
            // Each must have come once.
            await new LoadRun(LoadScenario.OfBytes(arrived, byteCount), clock).ReceiveAsync([count], cancellationToken);
            if (await arrived.GetMessageCountAsync(cancellationToken) > 0)
                throw new VerificationException($"{arrived.Address}: messages came that were not forwarded.");
            return new NetworkRow(
                SendersModes.NameOf(mode), byteCount, count, count / elapsed.TotalSeconds, use.Own, use.Server,
                byteCountSent / elapsed.TotalSeconds / proxy.Speed.BytesPerSecond, study);
        }
        finally
        {
            await QueueCleanup.PurgeAndCloseAsync(outgoing);
            if (arrived is not null)
                await QueueCleanup.PurgeAndCloseAsync(arrived);
        }
    }

    private static async Task PassOnAsync(QueueConnector connector, QueueClient outgoing, string target, QueueOptions options, int count,
        CancellationToken cancellationToken)
    {
        await using QueueClient queue = await connector.OpenAsync(target, options, cancellationToken);
        var sends = new List<Task>(BatchSize);
        do
        {
            sends.Clear();
            while (sends.Count < BatchSize && await outgoing.ReceiveAsync(TimeSpan.Zero, cancellationToken: cancellationToken) is { } message)
                sends.Add(queue.SendAsync(new QueueMessage(message.Body), cancellationToken: cancellationToken).AsTask());
            await Task.WhenAll(sends);
        }
        while (sends.Count > 0);
        // Nobody confirms express messages: they are there when the queue says so.
        while (await queue.GetMessageCountAsync(cancellationToken) < count)
            await Task.Delay(1, cancellationToken);
    }
}
