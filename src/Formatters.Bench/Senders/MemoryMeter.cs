using Formatters.Bench.Load;

namespace Formatters.Bench.Senders;

/// <summary>Lets express messages wait, more and more of them: what memory they need, and how fast further ones are taken.</summary>
internal static class MemoryMeter
{
    internal const int Steps = 10;

    private const int Window = 64;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <summary>The sizes, and of which so many messages wait.</summary>
    private static readonly (int ByteCount, int Messages)[] Loads = [(10, 20_000), (1_000, 20_000), (10_000, 5_000)];

    /// <summary>Returns why it cannot be measured; null if it can.</summary>
    internal static string? WhyNot(QueueCapabilities capabilities, ServerProcess? server) =>
        Modes.HasNoServer(capabilities) || server is not null ? null : "the queue's server does not run on this machine, or belongs to another user";

    internal static async Task<IReadOnlyList<MemoryRow>> MeasureAsync(
        QueueConnector connector, string address, ServerProcess? server, int maxCount, TimeProvider clock, CancellationToken cancellationToken)
    {
        var rows = new List<MemoryRow>();
        foreach ((int byteCount, int messages) in Loads)
        {
            int count = Math.Max(Steps, Math.Min(messages, maxCount) / Steps * Steps);
            QueueClient queue = await connector.OpenAsync(address, Modes.OptionsOf(DeliveryMode.Express), cancellationToken);
            try
            {
                // Several sends at once: the question is how the queue fares, not the way to it.
                LoadScenario fill = LoadScenario.OfBytes(queue, byteCount) with { InFlight = Window, MaxCount = count / Steps };
                await new LoadRun(fill, clock).SendAsync(cancellationToken);
                await MessageBatch.WaitUntilQueuedAsync(queue, "memory", count / Steps, Patience, cancellationToken);
                await queue.PurgeAsync(cancellationToken);
                long before = Held(server);
                var steps = new double[Steps];
                for (int step = 0; step < Steps; step++)
                {
                    LoadResult filled = await new LoadRun(fill, clock).SendAsync(cancellationToken);
                    steps[step] = filled.Sent / Math.Max(filled.Sending.TotalSeconds, 1e-9);
                }

                await MessageBatch.WaitUntilQueuedAsync(queue, "memory", count, Patience, cancellationToken);
                long after = Held(server);
                rows.Add(new MemoryRow(byteCount, count, (double)(after - before) / count, steps));
            }
            finally
            {
                await QueueCleanup.PurgeAndCloseAsync(queue);
            }
        }

        return rows;
    }

    /// <summary>The line through the rows, by least squares.</summary>
    internal static MemoryFormula? FormulaOf(IReadOnlyList<MemoryRow> rows)
    {
        if (rows.Select(static row => row.ByteCount).Distinct().Count() < 2)
            return null;
        double meanSize = rows.Average(static row => (double)row.ByteCount);
        double meanMemory = rows.Average(static row => row.BytesPerMessage);
        double slope = rows.Sum(row => (row.ByteCount - meanSize) * (row.BytesPerMessage - meanMemory)) / rows.Sum(row =>
            (row.ByteCount - meanSize) * (row.ByteCount - meanSize));
        return new MemoryFormula(slope, meanMemory - (slope * meanSize));
    }

    /// <summary>Measures the memory of the process that holds the messages; of this process, the reachable objects.</summary>
    private static long Held(ServerProcess? server) => server is null ? GC.GetTotalMemory(forceFullCollection: true) : server.Use()?.MemoryBytes ?? 0;
}
