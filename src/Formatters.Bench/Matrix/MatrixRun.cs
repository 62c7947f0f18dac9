using Formatters.Bench.Compare;
using Formatters.Bench.Servers;

namespace Formatters.Bench.Matrix;

/// <summary>Options of <c>matrix</c>.</summary>
internal sealed record MatrixOptions
{
    internal required IReadOnlyList<string> Queues { get; init; }

    /// <summary>The delivery modes; those that a queue lacks are left out, and said.</summary>
    internal IReadOnlyList<DeliveryMode> Modes { get; init; } = Enum.GetValues<DeliveryMode>();

    /// <summary>The formatters; none means all.</summary>
    internal IReadOnlyList<string> Formatters { get; init; } = [];

    /// <summary>Rows of formatters of other libraries, beside the catalogue.</summary>
    internal IReadOnlyList<OrderFormatterRow> Libraries { get; init; } = [];

    /// <summary>The line items of each order.</summary>
    internal required int LineItems { get; init; }

    /// <summary>About how long each queue is measured in each mode.</summary>
    internal TimeSpan CellTime { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>Gets whether to delete what is in the queues beforehand.</summary>
    internal bool Purge { get; init; }
}

/// <summary>The job of <c>matrix</c>: every formatter over every queue in every delivery mode.</summary>
internal sealed class MatrixRun(QueueConnector connector, MatrixOptions options, TimeProvider clock, TextWriter output)
{
    private static readonly TimeSpan LostAfter = TimeSpan.FromSeconds(30);

    /// <exception cref="UsageException">A queue is not empty, or there is no such formatter.</exception>
    /// <exception cref="VerificationException">A message was lost, doubled or changed.</exception>
    internal async Task<MatrixReport> RunAsync(string commandLine, IRunProgress progress, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        IReadOnlyList<OrderFormatterRow> rows = OrderFormatterRows.Select(options.Formatters, options.Libraries);
        Payload[] payloads = [.. rows.Select(row => Payloads.CreateOrder(row, options.LineItems))];
        // All of them, before the first is measured.
        await EmptyQueues.RequireAsync(connector, options.Queues, Modes.OptionsOf(DeliveryMode.Express), options.Purge, output, cancellationToken);
        var estimate = new RunEstimate(output, clock);
        estimate.Print(options.CellTime * (options.Queues.Count * options.Modes.Count));
        var cells = new List<MatrixCell>();
        try
        {
            foreach (string queue in options.Queues)
            {
                IReadOnlyDictionary<string, string> settings = await ServerSettings.ReadAsync(queue, cancellationToken);
                foreach (DeliveryMode mode in options.Modes)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    int left = (options.Queues.Count * options.Modes.Count) - cells.Count - 1;
                    cells.Add(await MeasureAsync(queue, mode, settings, [.. rows.Select(row => row.Name)], payloads,
                        name => estimate.Correct(progress.Stage(name), stage => stage * left), cancellationToken));
                }
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested && cells.Exists(static cell => cell.IsOffered))
        {
            // The cells before are the outcome.
        }

        return new MatrixReport(recorder.Finish(cancellationToken.IsCancellationRequested), options.LineItems, cells);
    }

    private async Task<MatrixCell> MeasureAsync(
        string address,
        DeliveryMode mode,
        IReadOnlyDictionary<string, string> settings,
        IReadOnlyList<string> names,
        IReadOnlyList<Payload> payloads,
        Func<string, IProgress<double>> begin,
        CancellationToken cancellationToken)
    {
        (QueueCapabilities capabilities, bool isOffered) = await Modes.ProbeAsync(connector, address, mode, cancellationToken);
        var queue = new QueueInfo(QueueAddress.Parse(address).ToString(), capabilities.Product, Modes.NameOf(mode),
            isOffered ? capabilities.Durability : "") { Settings = settings };
        if (!isOffered)
            return new MatrixCell(queue, IsOffered: false, 0, 0, []);
        int batchCount = options.CellTime < TimeSpan.FromSeconds(1) ? 20 : mode == DeliveryMode.Transactional ? 50 : 250;
        var plan = new MeterPlan(
            batchCount, options.CellTime / 4, options.CellTime * 3 / 4, MinRounds: RateRatio.MinRounds, MaxRounds: 100,
            MinTurn: TimeSpan.FromMilliseconds(Math.Min(20, options.CellTime.TotalMilliseconds / 100)));
        var meter = new RoundTripMeter(connector, address, Modes.OptionsOf(mode), LostAfter, clock);
        IReadOnlyList<RoundTripRates> rates =
            await meter.MeasureAsync(payloads, plan, begin($"{capabilities.Product}, {queue.DeliveryMode}"), cancellationToken);
        return new MatrixCell(queue, IsOffered: true, batchCount, rates.Sum(static rate => rate.Messages), CompareRun.Rows(names, rates, []));
    }
}
