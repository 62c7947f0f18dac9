namespace Formatters.Bench.Throughput;

/// <summary>The report of <c>throughput</c>.</summary>
internal sealed record ThroughputReport : IMeasuredReport
{
    public string Verb => "throughput";
    public required RunInfo Run { get; init; }

    /// <summary>The queue sent to, or without a sender the one received from.</summary>
    public required QueueInfo Queue { get; init; }

    /// <summary>The kind of the bodies.</summary>
    public required string Load { get; init; }

    /// <summary>The length of a body in bytes.</summary>
    public required int ByteCount { get; init; }

    /// <summary>The rows of the senders; none without a sender.</summary>
    public required IReadOnlyList<ThroughputRow> Sends { get; init; }

    /// <summary>The rows of the receivers; none without a receiver.</summary>
    public required IReadOnlyList<ThroughputRow> Receives { get; init; }

    /// <summary>The whole run.</summary>
    public required ThroughputSummary Summary { get; init; }

    public IReadOnlyList<Series> Series
    {
        get
        {
            var series = new List<Series>();
            // The last row is of what was left of its time, and of the drain.
            Add("send", Sends);
            Add("receive", Receives);
            if (Summary.EndToEnd is { } latency)
            {
                series.Add(new Series("end to end/p50", "ms", IsHigherBetter: false, [latency.P50]));
                series.Add(new Series("end to end/p99", "ms", IsHigherBetter: false, [latency.P99]));
            }

            return series;

            void Add(string name, IReadOnlyList<ThroughputRow> rows)
            {
                double[] rates = [.. (rows.Count > 1 ? rows.Take(rows.Count - 1) : rows).Select(static row => row.Rate)];
                if (rates.Length > 0)
                    series.Add(Reports.Series.OfRates(name, rates));
            }
        }
    }
}

/// <summary>A period, as the study's S and R rows have it.</summary>
/// <param name="Start">Its beginning, in seconds from that of the run.</param>
/// <param name="BatchCount">sbc, rbc: the messages of an operation.</param>
/// <param name="Inflight">mifs, mifr: how many operations may be under way.</param>
/// <param name="First">snd, rcv: the duration of a send, or of a receive.</param>
/// <param name="Second">gld, cpl: that of the gate lock, or of the completion.</param>
/// <param name="Rate">Messages per second.</param>
/// <param name="Total">Messages.</param>
/// <param name="Operations">sndop, rcvop.</param>
/// <param name="Errors">Operations that failed.</param>
/// <param name="Busy">Operations that were refused because a queue was full or its broker held up its senders.</param>
/// <param name="Overall">Messages from the beginning of the run.</param>
/// <param name="Backlog">R rows: messages that were sent and have not been received; null without a sender.</param>
internal sealed record ThroughputRow(
    double Start,
    double End,
    int BatchCount,
    int Inflight,
    Durations First,
    Durations Second,
    double Rate,
    long Total,
    long Operations,
    long Errors,
    long Busy,
    long Overall,
    long? Backlog);

/// <summary>Durations in milliseconds; all 0 where there were none.</summary>
internal sealed record Durations(double Average, double Median, double Deviation, double Min, double Max)
{
    internal static Durations Of(DurationHistogram histogram) => new(
        histogram.Mean / 1e6, histogram.Percentile(0.5) / 1e6, histogram.StandardDeviation / 1e6, histogram.Min / 1e6, histogram.Max / 1e6);
}

/// <summary>Durations in milliseconds.</summary>
internal sealed record Percentiles(long Count, double P50, double P90, double P99, double P999, double Max)
{
    internal static Percentiles? Of(DurationHistogram histogram) => histogram.Count == 0
        ? null
        : new(
            histogram.Count,
            histogram.Percentile(0.5) / 1e6,
            histogram.Percentile(0.9) / 1e6,
            histogram.Percentile(0.99) / 1e6,
            histogram.Percentile(0.999) / 1e6,
            histogram.Max / 1e6);
}

/// <summary>A run as a whole.</summary>
/// <param name="Sent">Messages that the queue confirmed.</param>
/// <param name="Received">Different messages that came out, over all receive paths.</param>
/// <param name="Redelivered">Messages that came again because they were not completed the first time.</param>
/// <param name="SendRate">Messages per second, up to the last confirmation.</param>
/// <param name="ReceiveRate">Messages per second, up to the last message.</param>
/// <param name="Send">How long sends took.</param>
/// <param name="GateLock">How long senders waited for one of their sends to end.</param>
/// <param name="Receive">How long receives took, the wait for messages included.</param>
/// <param name="Completion">How long completions took.</param>
/// <param name="EndToEnd">From the time at which a message was due to its receipt; null without a rate.</param>
/// <param name="Errors">Operations that failed.</param>
/// <param name="Busy">Operations that were refused because a queue was full, or its broker held up its senders.</param>
/// <param name="Use">What this process needed for a message, senders and receivers together.</param>
internal sealed record ThroughputSummary(
    long Sent,
    long Received,
    long Redelivered,
    double SendRate,
    double ReceiveRate,
    Percentiles? Send,
    Percentiles? GateLock,
    Percentiles? Receive,
    Percentiles? Completion,
    Percentiles? EndToEnd,
    long Errors,
    long Busy,
    ResourceUse? Use);
