namespace Formatters.Benchmarks.Brokers;

/// <summary>One kind of work, done by a broker's own tool or bare client, and by a queue of this library.</summary>
/// <param name="Name">The name in the table.</param>
/// <param name="Peer">What does it beside us: "pgbench", "RabbitMQ.Client".</param>
/// <param name="PeerAsync">Lets the peer work for about so long; gives messages a second.</param>
/// <param name="OwnAsync">Lets a queue work for about so long; gives messages a second.</param>
internal sealed record BrokerCase(string Name, string Peer, Func<TimeSpan, Task<double>> PeerAsync, Func<TimeSpan, Task<double>> OwnAsync)
{
    /// <summary>How many bytes the body of each message has.</summary>
    internal const int BodyByteCount = 1024;

    /// <summary>Lets some work for a time, each doing one thing after the other, and at least one.</summary>
    /// <returns>How often a second.</returns>
    internal static async Task<double> MeasureAsync(int workerCount, TimeSpan time, Func<Task> once)
    {
        long start = Stopwatch.GetTimestamp();
        long[] counts = await Task.WhenAll(Enumerable.Range(0, workerCount).Select(_ => Task.Run(async () =>
        {
            long count = 0;
            do
            {
                await once();
                count++;
            }
            while (Stopwatch.GetElapsedTime(start) < time);
            return count;
        })));
        return counts.Sum() / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    /// <summary>The body of each message: bytes that nothing compresses.</summary>
    internal static byte[] CreateBody()
    {
        byte[] body = new byte[BodyByteCount];
        new Random(1).NextBytes(body);
        return body;
    }
}
