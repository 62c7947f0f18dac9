namespace Formatters.Benchmarks.Ratios;

/// <summary>One row, one payload, one operation: how many of it fill a slice of a round, and what each round gave.</summary>
internal sealed class RatioCase(string name, MeasuredRow row, string payload, RowOperation operation)
{
    private readonly List<double> _nanoseconds = [];
    private int _count = 1;

    public string Name => name;
    public string Payload => payload;
    public RowOperation Operation => operation;

    /// <summary>The time of one operation in each round.</summary>
    public IReadOnlyList<double> Nanoseconds => _nanoseconds;

    /// <summary>The mean length of the bodies.</summary>
    public int ByteCount => row.ByteCount;

    /// <summary>The bytes that one operation allocates on its thread; the least of all rounds, as a round may hold a buffer that grew once.</summary>
    public long AllocatedByteCount { get; private set; } = long.MaxValue;

    /// <summary>Runs for a slice and learns how many operations one takes.</summary>
    /// <remarks>In several batches, so that the loop itself is called, not only looped: a method is compiled again after calls.</remarks>
    public void WarmUp(TimeSpan slice)
    {
        const int BatchCount = 8;
        row.Renew();
        int batch = Math.Max(1, _count / BatchCount);
        long done = 0;
        long start = Stopwatch.GetTimestamp();
        TimeSpan elapsed;
        do
        {
            row.Repeat(operation, batch);
            done += batch;
            elapsed = Stopwatch.GetElapsedTime(start);
        }
        while (elapsed < slice);
        _count = (int)Math.Clamp(done * (slice / elapsed), 1, int.MaxValue);
    }

    /// <summary>Measures one slice, with new buffers.</summary>
    public void Measure()
    {
        row.Renew();
        row.Repeat(operation, Math.Clamp(_count / 16, 1, 1024)); // The first touch of the new buffers is not the subject.
        long allocated = GC.GetAllocatedBytesForCurrentThread();
        long start = Stopwatch.GetTimestamp();
        row.Repeat(operation, _count);
        double nanoseconds = Stopwatch.GetElapsedTime(start).TotalNanoseconds;
        allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        _nanoseconds.Add(nanoseconds / _count);
        AllocatedByteCount = Math.Min(AllocatedByteCount, (long)Math.Round((double)allocated / _count, MidpointRounding.AwayFromZero));
    }
}
