using Formatters.Buffers;

namespace Formatters.Bench.Measurement;

/// <summary>The times of one payload without a queue.</summary>
/// <param name="WriteNanoseconds">Time to write one body into a buffer that is there: the median over the rounds.</param>
/// <param name="ReadNanoseconds">Time to read one body into a new object: the median over the rounds.</param>
/// <param name="WriteRounds">Time to write one body, round by round.</param>
/// <param name="ReadRounds">Time to read one body, round by round.</param>
internal sealed record FormatterTimes(Payload Payload, double WriteNanoseconds, double ReadNanoseconds, IReadOnlyList<double> WriteRounds,
    IReadOnlyList<double> ReadRounds);

/// <summary>Measures writing and reading alone, in interleaved rounds, because a queue dilutes the difference between formatters.</summary>
internal static class FormatterMeter
{
    /// <summary>Returns how long <see cref="Measure"/> takes.</summary>
    internal static TimeSpan TimeOf(int payloads, int rounds, TimeSpan turn) => turn * (2 * 2 * rounds * payloads);

    /// <param name="rounds">How many rounds count; as many again warm up.</param>
    /// <param name="turn">How long one payload writes, and then reads, in a round.</param>
    internal static IReadOnlyList<FormatterTimes> Measure(
        IReadOnlyList<Payload> payloads, int rounds, TimeSpan turn, CancellationToken cancellationToken)
    {
        var write = new double[payloads.Count][];
        var read = new double[payloads.Count][];
        for (int i = 0; i < payloads.Count; i++)
            (write[i], read[i]) = (new double[rounds], new double[rounds]);
        for (int round = -rounds; round < rounds; round++)
        {
            foreach (int i in RoundOrder.Indexes(payloads.Count, round))
            {
                cancellationToken.ThrowIfCancellationRequested();
                (double writeTime, double readTime) = MeasureTurn(payloads[i], turn);
                if (round >= 0)
                    (write[i][round], read[i][round]) = (writeTime, readTime);
            }
        }

        var times = new FormatterTimes[payloads.Count];
        for (int i = 0; i < times.Length; i++)
            times[i] = new FormatterTimes(payloads[i], Statistics.Of(write[i]).Median, Statistics.Of(read[i]).Median, write[i], read[i]);
        return times;
    }

    private static (double Write, double Read) MeasureTurn(Payload payload, TimeSpan turn)
    {
        using var buffer = new PooledBufferWriter(payload.BodyByteCount);
        var body = new MessageBody();
        double write = Time(turn, () =>
        {
            buffer.Clear();
            payload.Write(0, buffer, body);
        });
        double read = Time(turn, () => payload.Read(0, body, wholeContent: false));
        return (write, read);
    }

    private static double Time(TimeSpan turn, Action action)
    {
        const int CallsBetweenLooks = 16;
        long count = 0;
        long start = Stopwatch.GetTimestamp();
        TimeSpan elapsed;
        do
        {
            for (int i = 0; i < CallsBetweenLooks; i++)
                action();
            count += CallsBetweenLooks;
            elapsed = Stopwatch.GetElapsedTime(start);
        }
        while (elapsed < turn);
        return elapsed.TotalNanoseconds / count;
    }
}
