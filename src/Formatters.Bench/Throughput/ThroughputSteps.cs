namespace Formatters.Bench.Throughput;

/// <summary>Options that get other values during a run.</summary>
/// <param name="At">How long after the start.</param>
/// <param name="Values">The values by the long names of the options.</param>
internal sealed record ThroughputChange(TimeSpan At, IReadOnlyDictionary<string, int> Values)
{
    /// <summary>The options that a run can change: they need neither new queues nor other messages.</summary>
    internal static readonly string[] Names =
        ["send-batch-count", "send-delay", "inflight-sends", "inflight-receives", "receive-batch-count", "receive-work-duration"];

    private const int MaxValue = 100_000;

    /// <summary>Reads <c>SECONDS:NAME=VALUE,NAME=VALUE</c>.</summary>
    /// <exception cref="UsageException">It is not that.</exception>
    internal static ThroughputChange Parse(string text)
    {
        var values = new Dictionary<string, int>(StringComparer.Ordinal);
        if (text.Split(':') is not [var at, var list]
            || !double.TryParse(at, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double seconds) || seconds > 86_400)
            throw new UsageException($"--change takes SECONDS:NAME=VALUE,..., not '{text}'.");
        foreach (string entry in list.Split(','))
        {
            if (entry.Split('=') is not [var name, var number] || !Names.Contains(name))
                throw new UsageException($"--change: '{entry}' is not NAME=VALUE, with one of {string.Join(", ", Names)}.");
            int least = name is "inflight-sends" or "inflight-receives" ? 1 : 0;
            if (!int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out int value) || value < least || value > MaxValue)
                throw new UsageException($"--change: {name} takes {least} to "
                    + $"{MaxValue.ToString("N0", CultureInfo.InvariantCulture)}, not '{number}'.");
            values[name] = value;
        }

        return new ThroughputChange(TimeSpan.FromSeconds(seconds), values);
    }

    internal ThroughputOptions Apply(ThroughputOptions options) => options with
    {
        SendBatchCount = Values.GetValueOrDefault("send-batch-count", options.SendBatchCount),
        SendDelay = Values.TryGetValue("send-delay", out int delay) ? TimeSpan.FromMilliseconds(delay) : options.SendDelay,
        InflightSends = Values.GetValueOrDefault("inflight-sends", options.InflightSends),
        InflightReceives = Values.GetValueOrDefault("inflight-receives", options.InflightReceives),
        ReceiveBatchCount = Values.GetValueOrDefault("receive-batch-count", options.ReceiveBatchCount),
        WorkDuration = Values.TryGetValue("receive-work-duration", out int work) ? TimeSpan.FromMilliseconds(work) : options.WorkDuration,
    };
}

/// <summary>The options of a run at each moment, from its start on.</summary>
internal sealed class ThroughputSteps
{
    private readonly TimeProvider _clock;
    private readonly long _start;
    private readonly List<(TimeSpan At, ThroughputOptions Options)> _steps;

    internal ThroughputSteps(ThroughputOptions options, TimeProvider clock)
    {
        _clock = clock;
        _start = clock.GetTimestamp();
        _steps = [(TimeSpan.Zero, options)];
        foreach (ThroughputChange change in options.Changes.OrderBy(change => change.At))
            _steps.Add((change.At, change.Apply(_steps[^1].Options)));
        Largest = options with
        {
            SendBatchCount = _steps.Max(step => step.Options.SendBatchCount),
            InflightSends = _steps.Max(step => step.Options.InflightSends),
            InflightReceives = _steps.Max(step => step.Options.InflightReceives),
            ReceiveBatchCount = _steps.Max(step => step.Options.ReceiveBatchCount),
        };
    }

    internal ThroughputOptions Current => _steps.Count == 1 ? _steps[0].Options : At(_clock.GetElapsedTime(_start));

    /// <summary>The largest value that each has: for what is there from the start.</summary>
    internal ThroughputOptions Largest { get; }

    /// <summary>Gets how long the options stay as they are; null: to the end.</summary>
    internal TimeSpan? UntilNext
    {
        get
        {
            TimeSpan elapsed = _clock.GetElapsedTime(_start);
            return _steps.Where(step => step.At > elapsed).Select(step => (TimeSpan?)(step.At - elapsed)).FirstOrDefault();
        }
    }

    /// <summary>The options so long after the start.</summary>
    internal ThroughputOptions At(TimeSpan elapsed) => _steps.Last(step => step.At <= elapsed).Options;
}
