namespace Formatters.Bench.Throughput;

/// <summary>The counts and durations of senders or receivers in a period. The two durations are send and gate lock, or receive and
/// completion.</summary>
internal sealed class Metrics
{
    internal DurationHistogram First { get; } = new();
    internal DurationHistogram Second { get; } = new();
    internal long Messages { get; set; }
    internal long Operations { get; set; }
    internal long Errors { get; set; }
    internal long Busy { get; set; }

    internal void Add(Metrics other)
    {
        First.Add(other.First);
        Second.Add(other.Second);
        Messages += other.Messages;
        Operations += other.Operations;
        Errors += other.Errors;
        Busy += other.Busy;
    }
}

/// <summary>Takes the metrics of all senders, or of all receivers, and hands out those of a period.</summary>
internal sealed class MetricsCollector
{
    private readonly object _gate = new();
    private Metrics _period = new();

    /// <summary>All periods together; to be read when everybody is done.</summary>
    internal Metrics Overall { get; } = new();

    /// <summary>Notes an operation.</summary>
    /// <param name="first">The duration of the send or receive, in nanoseconds.</param>
    /// <param name="second">The duration of the gate lock or completion; null where there was none.</param>
    internal void Add(long messages, long first, long? second)
    {
        lock (_gate)
        {
            _period.Messages += messages;
            _period.Operations++;
            _period.First.Add(first);
            if (second is { } duration)
                _period.Second.Add(duration);
        }
    }

    /// <summary>Notes an operation that failed.</summary>
    internal void AddError(bool isBusy)
    {
        lock (_gate)
        {
            if (isBusy)
                _period.Busy++;
            else
                _period.Errors++;
        }
    }

    internal Metrics Take()
    {
        lock (_gate)
        {
            Metrics period = _period;
            _period = new Metrics();
            Overall.Add(period);
            return period;
        }
    }
}
