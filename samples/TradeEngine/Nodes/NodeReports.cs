using System.Collections.Concurrent;

namespace Formatters.TradeEngine.Nodes;

/// <summary>Takes the reports of component processes, and adds them to the meters of their stations.</summary>
internal sealed class NodeReports(QueueClient queue, bool isTransactional, IReadOnlyList<StationMeter> meters, Retries retries)
{
    private readonly ConcurrentDictionary<string, double> _seconds = new(StringComparer.Ordinal);

    /// <summary>How many processes have reported.</summary>
    internal int NodeCount => _seconds.Count;

    /// <summary>The processor time of all of them, those that have ended included up to their last report.</summary>
    internal double ProcessorSeconds => _seconds.Values.Sum();

    /// <exception cref="QueueException">The queue has failed for good.</exception>
    internal Task RunAsync(CancellationToken cancellationToken) =>
        retries.RepeatAsync(async () => await RunOnceAsync(TimeSpan.FromMilliseconds(200), cancellationToken), cancellationToken);

    /// <summary>Takes what is there, up to a batch.</summary>
    internal async ValueTask<int> RunOnceAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        await using WorkBatch batch = await WorkBatch.ReceiveAsync(queue, isTransactional, 100, timeout, cancellationToken);
        if (batch.Messages.Count == 0)
            return 0;
        await batch.CompleteAsync();
        foreach (ReceivedMessage message in batch.Messages)
        {
            NodeReport report = EngineNode.Formatter.Read(message.Body.Bytes);
            _seconds[report.Node] = report.ProcessorSeconds;
            foreach (StationReport station in report.Stations)
            {
                meters.FirstOrDefault(meter => meter.Name == station.Name)
                    ?.AddRemote(station.Arrivals, station.Completions, TimeSpan.FromSeconds(station.BusySeconds));
            }
        }

        return batch.Messages.Count;
    }
}
