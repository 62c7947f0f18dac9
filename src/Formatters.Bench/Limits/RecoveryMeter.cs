using Formatters.Bench.Load;

namespace Formatters.Bench.Limits;

/// <summary>Fills the log of a folder, and opens it anew.</summary>
internal static class RecoveryMeter
{
    private const int SendsAtOnce = 256;

    /// <param name="folder">The path of a folder that does not exist; deleted afterwards.</param>
    /// <param name="byteCount">About how large the log is to be.</param>
    /// <param name="bodyByteCount">The size of a message's body.</param>
    /// <param name="rounds">How often it is opened.</param>
    /// <param name="report">Is told how far it is.</param>
    internal static async Task<RecoverySpeed> MeasureAsync(
        string folder, long byteCount, int bodyByteCount, int rounds, IProgress<double> report, CancellationToken cancellationToken)
    {
        var address = QueueAddress.Parse(new Uri(folder + "/recovery").AbsoluteUri);
        QueueOptions options = Modes.OptionsOf(DeliveryMode.Recoverable);
        try
        {
            long messages = byteCount / (bodyByteCount + 64);
            await using (var provider = new FileQueueProvider())
            {
                await using QueueClient queue = await provider.OpenAsync(address, options, cancellationToken);
                LoadScenario fill = LoadScenario.OfBytes(queue, bodyByteCount) with { InFlight = SendsAtOnce, MaxCount = messages };
                await new LoadRun(fill, TimeProvider.System).SendAsync(cancellationToken);
            }

            report.Report(0.5);
            long logByteCount = new DirectoryInfo(folder).GetFiles("*.log").Sum(file => file.Length);
            var rates = new List<double>();
            long count = 0;
            for (int round = 0; round < rounds; round++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                GC.Collect();
                await using var provider = new FileQueueProvider();
                long start = Stopwatch.GetTimestamp();
                await using QueueClient queue = await provider.OpenAsync(address, options, cancellationToken);
                rates.Add(logByteCount / Stopwatch.GetElapsedTime(start).TotalSeconds);
                count = await queue.GetMessageCountAsync(cancellationToken);
                report.Report(0.5 + (0.5 * (round + 1) / rounds));
            }

            if (count < messages)
                throw new VerificationException($"{messages} messages were sent, {count} are there after opening.");
            return new RecoverySpeed(logByteCount, count, Statistics.Of(rates), rates);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
