using Formatters.Bench.Own;
using Formatters.Bench.Peers;
using Formatters.Bench.Servers;

namespace Formatters.Bench.Compare;

/// <summary>The job of <c>compare</c>: every formatter sends and receives over one queue, and the report says how they compare.</summary>
internal sealed class CompareRun(QueueConnector connector, CompareOptions options, TimeProvider clock, TextWriter output)
{
    private static readonly TimeSpan LostAfter = TimeSpan.FromSeconds(30);

    /// <exception cref="UsageException">The options ask for what does not exist, or the queue is not empty.</exception>
    /// <exception cref="VerificationException">What was received is not what was sent.</exception>
    internal async Task<CompareReport> RunAsync(string commandLine, IRunProgress progress, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        OwnChoice? own = options.Own is { } type ? OwnChoice.Create(type with { Formatters = options.Formatters }) : null;
        IReadOnlyList<(string Name, Payload Payload)> rows = own is null
            ? [.. OrderFormatterRows.Select(options.Formatters, options.Libraries).Where(IsCompared)
                .Select(row => (row.Name, Payloads.CreateOrder(row, options.LineItems)))]
            : own.Exact;
        IReadOnlyList<Int32FormatterRow> int32Rows = options.Study && own is null && options.Formatters.Count == 0
            ? Int32FormatterRow.CreateAll()
            : [];
        QueueOptions queueOptions = Modes.OptionsOf(options.Mode);
        if (QueueAddress.ParseList(options.Queue).Count > 1)
            throw new UsageException("compare takes one queue; perftest takes several.");
        QueueCapabilities capabilities = await Modes.RequireAsync(connector, options.Queue, options.Mode, cancellationToken);
        await EmptyQueues.RequireAsync(connector, [options.Queue], queueOptions, options.Purge, output, cancellationToken);
        IReadOnlyDictionary<string, string> settings = await ServerSettings.ReadAsync(options.Queue, cancellationToken);
        MeterPlan plan = options.Plan
            ?? MeterPlan.Of(capabilities, options.Mode, options.Quick, warmUp: options.Quick ? 2 : 6, budget: options.Quick ? 5 : 24);
        var meter = new RoundTripMeter(connector, options.Queue, queueOptions, LostAfter, clock);

        int aloneRounds = options.Quick ? 5 : 11;
        TimeSpan aloneTurn = TimeSpan.FromMilliseconds(options.Quick ? 4 : 10);
        MeterPlan shorter = plan with { WarmUp = plan.WarmUp / 3, Budget = plan.Budget / 4 };
        var estimate = new RunEstimate(output, clock);
        TimeSpan afterwards = (int32Rows.Count > 0 ? shorter.Time : TimeSpan.Zero)
            + FormatterMeter.TimeOf(rows.Count + int32Rows.Count, aloneRounds, aloneTurn);
        estimate.Print(plan.Time + afterwards);

        Payload[] orders = [.. rows.Select(static row => row.Payload)];
        var figures = new InterimFigures([.. rows.Select(static row => row.Name)], Peers.MessagePackCSharpPeer.RowName, progress, clock);
        IReadOnlyList<RoundTripRates> orderRates =
            await meter.MeasureAsync(
                orders, plan, estimate.Correct(progress.Stage(own is null ? "orders over the queue" : "samples over the queue"), _ => afterwards),
                cancellationToken, figures.Show);

        IReadOnlyList<RoundTripRates> int32Rates = [];
        Payload[] int32s = [.. int32Rows.Select(Payloads.CreateInt32)];
        IReadOnlyList<FormatterTimes> times = [];
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (int32s.Length > 0)
                int32Rates = await meter.MeasureAsync(int32s, shorter, progress.Stage("Int32s over the queue"), cancellationToken);

            progress.Stage("formatters alone").Report(0);
            times = FormatterMeter.Measure([.. orders, .. int32s], aloneRounds, aloneTurn, cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The orders are measured: they are the outcome.
        }

        string baseRow = BaseOf([.. rows.Select(static row => row.Name)], own is not null);
        IReadOnlyList<CompareRow> orderTable = [.. Rows([.. rows.Select(static row => row.Name)], orderRates, times, baseRow)
            .Select(row => row with { CanChange = CanChange(row.Formatter, own) })];
        IReadOnlyList<CompareRow> int32Table = Rows([.. int32Rows.Select(row => row.Name)], int32Rates, times);
        return new CompareReport
        {
            Run = recorder.Finish(cancellationToken.IsCancellationRequested),
            Queue = new QueueInfo(QueueAddress.Parse(options.Queue).ToString(), capabilities.Product, Modes.NameOf(options.Mode),
                capabilities.Durability) { Settings = settings },
            Type = own?.Type.ToString(),
            Refused = own?.Inexact ?? [],
            Base = baseRow,
            LineItems = options.LineItems,
            BatchCount = plan.BatchCount,
            Orders = orderTable,
            Int32s = int32Table,
            Findings = options.Study && own is null ? Findings.Judge(orderTable, int32Table) : [],
        };
    }

    /// <summary>Two rows are of the study: the old pair of methods, and the objects of COM.</summary>
    private bool IsCompared(OrderFormatterRow row) =>
        options.Study || options.Formatters.Count > 0 || row.Name is not (OrderFormatterRows.Bridge or OrderFormatterRows.PersistStream);

    private bool? CanChange(string formatter, OwnChoice? own) =>
        own is not null ? own.Candidates.First(candidate => candidate.Name == formatter).CanChange
        : options.Libraries.Any(library => library.Name == formatter) ? null
        : CompareAnswer.CanChange(formatter);

    private string BaseOf(IReadOnlyList<string> names, bool isOwn)
    {
        if (!options.Study && names.Contains(MessagePackCSharpPeer.RowName))
            return MessagePackCSharpPeer.RowName;
        if (!isOwn || names.Contains(OrderFormatterRows.Legacy))
            return OrderFormatterRows.Legacy;
        return names.Contains(OrderFormatterRows.Json) ? OrderFormatterRows.Json : names[0];
    }

    /// <summary>Makes the rows of the table, with their ratios to one of them.</summary>
    internal static CompareRow[] Rows(IReadOnlyList<string> names, IReadOnlyList<RoundTripRates> rates, IReadOnlyList<FormatterTimes> times,
        string baseRow = OrderFormatterRows.Legacy)
    {
        RoundTripRates? legacy = rates.Where((_, i) => names[i] == baseRow).FirstOrDefault();
        var rows = new CompareRow[rates.Count];
        for (int i = 0; i < rows.Length; i++)
        {
            RoundTripRates rate = rates[i];
            FormatterTimes? time = times.FirstOrDefault(time => time.Payload == rate.Payload);
            rows[i] = new CompareRow(
                names[i],
                rate.Payload.BodyByteCount,
                Statistics.Of([.. rate.SendRates]),
                Statistics.Of([.. rate.ReceiveRates]),
                legacy is null ? null : RateRatio.Paired(rate.SendRates, legacy.SendRates),
                legacy is null ? null : RateRatio.Paired(rate.ReceiveRates, legacy.ReceiveRates),
                time?.WriteNanoseconds,
                time?.ReadNanoseconds,
                rate.SendRates,
                rate.ReceiveRates,
                rate.SendUse,
                rate.ReceiveUse);
        }

        return rows;
    }
}
