namespace Formatters.Bench.Throughput;

/// <param name="Raised">What was raised: in-flight, batch or prefetch.</param>
/// <param name="Inflight">Sends, and receives, under way at most.</param>
/// <param name="Batch">Messages of a send or receive.</param>
/// <param name="Prefetch">Messages fetched ahead.</param>
/// <param name="SendRate">Messages per second that were sent.</param>
/// <param name="ReceiveRate">Messages per second that were received.</param>
/// <param name="SendP99">The 99th percentile of the durations of sends, in milliseconds.</param>
internal sealed record RampStep(string Raised, int Inflight, int Batch, int Prefetch, double SendRate, double ReceiveRate, double SendP99)
{
    /// <summary>Messages per second that were received, round by round; empty in a file of one round.</summary>
    public IReadOnlyList<double> ReceiveRounds { get; init; } = [];

    /// <summary>The rates that the step is judged by.</summary>
    internal IReadOnlyList<double> Rounds => ReceiveRounds.Count > 0 ? ReceiveRounds : [ReceiveRate];
}

/// <summary>The knee of what was raised: the least value that the rounds do not show to be more than 10 % slower than the best.</summary>
/// <param name="Rate">Messages per second that were received there.</param>
internal sealed record RampKnee(string Raised, int Value, double Rate);

internal sealed record RampReport(RunInfo Run, QueueInfo Queue, IReadOnlyList<RampStep> Steps, IReadOnlyList<RampKnee> Knees) : IMeasuredReport
{
    public string Verb => "throughput --ramp";

    public IReadOnlyList<Series> Series => [.. Steps.Select(static step => Reports.Series.OfRates(
        string.Create(CultureInfo.InvariantCulture, $"{step.Raised}/{step.Inflight}/{step.Batch}/{step.Prefetch}"), step.Rounds))];
}

/// <summary>Raises in-flight operations, then the batch, then the prefetch, each from the knee of the one before.</summary>
internal sealed class ThroughputRamp(QueueConnector connector, ThroughputOptions options, TimeProvider clock, TextWriter error, TextWriter output)
{
    /// <summary>A rate that may be this much of the best is at the knee or beyond it.</summary>
    private const double Knee = 0.9;

    private const int RoundCount = 7;

    private static readonly int[] Inflights = [1, 2, 4, 8, 16, 32, 64, 128, 256];
    private static readonly int[] Batches = [0, 10, 100, 1_000];
    private static readonly int[] Prefetches = [0, 10, 100, 1_000];

    private static readonly int MeasureCount = (Inflights.Length + Batches.Length + Prefetches.Length) * (RoundCount + 1);

    private readonly List<RampStep> _steps = [];
    private readonly List<RampKnee> _knees = [];
    private ThroughputReport? _last;
    private IProgress<double>? _progress;
    private int _measured;

    /// <exception cref="OperationCanceledException">The run was ended before the first step was done.</exception>
    internal async Task<RampReport> RunAsync(string commandLine, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        var table =
            new TextTable(("raised", -9), ("in-flight", 0), ("batch", 0), ("prefetch", 0), ("sent/s", 10), ("received/s", 10), ("send p99 ms", 0));
        table.PrintHeader(output);
        // The first round is for the JIT.
        var estimate = new RunEstimate(error, clock);
        estimate.Print((options.Duration ?? TimeSpan.Zero) * MeasureCount / RoundCount);
        _progress = estimate.Correct(null);
        ThroughputOptions at = options;
        try
        {
            at = await RaiseAsync("in-flight", Inflights, static (step, value) => step with { InflightSends = value, InflightReceives = value },
                static step => step.Inflight, at, table, cancellationToken);
            at = await RaiseAsync("batch", Batches, static (step, value) => step with { SendBatchCount = value, ReceiveBatchCount = value },
                static step => step.Batch, at, table, cancellationToken);
            await RaiseAsync("prefetch", Prefetches, static (step, value) => step with { PrefetchCount = value }, static step => step.Prefetch, at,
                table, cancellationToken);
        }
        catch (OperationCanceledException) when (_steps.Count > 0 && cancellationToken.IsCancellationRequested)
        {
            // The steps up to now are the outcome.
        }

        TextWrap.Print(
            output,
            "  ",
            $"raised: what the step raises; in-flight: sends and receives at once; batch: messages of each; prefetch: messages fetched ahead; send "
                + $"p99: the 99th percentile of the time of a send. "
            + $"Medians of {RoundCount} rounds, in which the steps take turns. A knee is the least value that the rounds do not show to "
            + $"be more than 10 % slower than the best.");
        output.WriteLine();
        foreach (RampKnee knee in _knees)
            output.WriteLine($"knee of {knee.Raised}: {Numbers.Count(knee.Value)}, {Numbers.Rate(knee.Rate)} msg/s");
        var report = new RampReport(recorder.Finish(cancellationToken.IsCancellationRequested), _last!.Queue, _steps, _knees);
        output.WriteLine();
        RunText.PrintQueue(output, report.Queue);
        RunText.PrintRun(output, report.Run);
        return report;
    }

    internal static void WriteCsv(TextWriter output, RampReport report)
    {
        CsvText.WriteLine(output, "raised", "inflight", "batch", "prefetch", "sent_per_second", "received_per_second", "send_p99_ms");
        foreach (RampStep step in report.Steps)
            CsvText.WriteLine(output, step.Raised, step.Inflight, step.Batch, step.Prefetch, CsvText.Rate(step.SendRate),
                CsvText.Rate(step.ReceiveRate), CsvText.FourDigits(step.SendP99));
    }

    /// <summary>The step at the knee: the first that the rounds do not show to be more than 10 % slower than the best.</summary>
    internal static RampStep KneeOf(IReadOnlyList<RampStep> steps)
    {
        RampStep best = steps.MaxBy(static step => step.ReceiveRate)!;
        return steps.First(step => RateRatio.Paired(step.Rounds, best.Rounds)!.High >= Knee);
    }

    private async Task<ThroughputOptions> RaiseAsync(
        string raised,
        int[] values,
        Func<ThroughputOptions, int, ThroughputOptions> raise,
        Func<RampStep, int> valueOf,
        ThroughputOptions at,
        TextTable table,
        CancellationToken cancellationToken)
    {
        List<(ThroughputOptions Options, List<ThroughputSummary> Rounds)> cases = [.. values.Select(value => (
            raise(at, value) with { Duration = options.Duration / RoundCount, Frequency = TimeSpan.FromDays(1) }, new List<ThroughputSummary>()))];
        error.WriteLine($"{raised}: warming up ...");
        foreach ((ThroughputOptions step, _) in cases)
            await MeasureAsync(step, cancellationToken);
        int rounds = await Rounds.RunAsync(
            cases,
            round =>
            {
                if (round < RoundCount)
                    error.WriteLine($"{raised}: round {round + 1} of {RoundCount} ...");
                return round < RoundCount;
            },
            async item => item.Rounds.Add(await MeasureAsync(item.Options, cancellationToken)),
            cancellationToken);
        var steps = new List<RampStep>();
        foreach ((ThroughputOptions step, List<ThroughputSummary> summaries) in cases)
        {
            double[] rates = [.. summaries.Take(rounds).Select(static summary => summary.ReceiveRate)];
            var done = new RampStep(
                raised,
                step.InflightSends,
                step.SendBatchCount,
                step.PrefetchCount,
                Median(summaries.Take(rounds), static summary => summary.SendRate),
                Statistics.Of(rates).Median,
                Median(summaries.Take(rounds), static summary => summary.Send?.P99 ?? 0)) { ReceiveRounds = rates };
            steps.Add(done);
            _steps.Add(done);
            table.PrintRow(
                output,
                raised,
                Numbers.Count(done.Inflight),
                Numbers.Count(done.Batch),
                Numbers.Count(done.Prefetch),
                Numbers.Rate(done.SendRate),
                Numbers.Rate(done.ReceiveRate),
                done.SendP99.ToString("0.00", CultureInfo.InvariantCulture));
        }

        RampStep knee = KneeOf(steps);
        _knees.Add(new RampKnee(raised, valueOf(knee), knee.ReceiveRate));
        return raise(at, valueOf(knee));
    }

    private async Task<ThroughputSummary> MeasureAsync(ThroughputOptions step, CancellationToken cancellationToken)
    {
        _last = await new ThroughputRun(connector, step, clock, error, new SilentRows()).RunAsync("", cancellationToken);
        // A run that was ended has an outcome; the round has none.
        cancellationToken.ThrowIfCancellationRequested();
        _progress?.Report((double)++_measured / MeasureCount);
        return _last.Summary;
    }

    private static double Median(IEnumerable<ThroughputSummary> rounds, Func<ThroughputSummary, double> of) =>
        Statistics.Of([.. rounds.Select(of)]).Median;
}
