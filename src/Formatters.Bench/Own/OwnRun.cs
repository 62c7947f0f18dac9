using Formatters.Bench.Compare;
using Formatters.Bench.Servers;

namespace Formatters.Bench.Own;

/// <summary>The job of <c>own</c>: every formatter that takes the user's type sends and receives the user's samples over one queue.</summary>
internal sealed class OwnRun(QueueConnector connector, OwnOptions options, TimeProvider clock, TextWriter output)
{
    private const string Json = "JSON";

    private static readonly TimeSpan LostAfter = TimeSpan.FromSeconds(30);

    /// <exception cref="UsageException">The options ask for what does not exist, no formatter takes the type, or the queue is not empty.</exception>
    /// <exception cref="VerificationException">What was received is not what was sent.</exception>
    internal async Task<OwnReport> RunAsync(string commandLine, IRunProgress progress, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        var choice = OwnChoice.Create(options);
        if (choice.Candidates.Count == 0)
            throw new UsageException($"No formatter supports {choice.Type}: "
                + $"{string.Join("; ", choice.Refused.Select(static refusal => $"{refusal.Formatter}: {refusal.Reason}"))}");
        if (QueueAddress.ParseList(options.Queue).Count > 1)
            throw new UsageException("own takes one queue.");
        QueueCapabilities capabilities = await Modes.RequireAsync(connector, options.Queue, options.Mode, cancellationToken);
        QueueOptions queueOptions = Modes.OptionsOf(options.Mode);
        await EmptyQueues.RequireAsync(connector, [options.Queue], queueOptions, options.Purge, output, cancellationToken);
        IReadOnlyDictionary<string, string> settings = await ServerSettings.ReadAsync(options.Queue, cancellationToken);

        MeterPlan plan = options.Plan
            ?? MeterPlan.Of(capabilities, options.Mode, options.Quick, warmUp: options.Quick ? 2 : 5, budget: options.Quick ? 4 : 15);
        // Too few for a verdict: equal formatters differed in one of seven quick runs.
        int aloneRounds = options.Quick ? 5 : 15;
        TimeSpan aloneTurn = TimeSpan.FromMilliseconds(options.Quick ? 4 : 10);
        var estimate = new RunEstimate(output, clock);
        TimeSpan afterwards = FormatterMeter.TimeOf(choice.Candidates.Count, aloneRounds, aloneTurn);
        estimate.Print(plan.Time + afterwards);
        Payload[] payloads = [.. choice.Candidates.Select(static candidate => candidate.Payload)];
        var meter = new RoundTripMeter(connector, options.Queue, queueOptions, LostAfter, clock);
        var figures = new InterimFigures(
            [.. choice.Candidates.Select(static candidate => candidate.Changes.Count == 0 ? candidate.Name : null)], Json, progress, clock);
        IReadOnlyList<RoundTripRates> rates =
            await meter.MeasureAsync(
                payloads, plan, estimate.Correct(progress.Stage("samples over the queue"), _ => afterwards), cancellationToken, figures.Show);
        IReadOnlyList<FormatterTimes> times = [];
        try
        {
            progress.Stage("formatters alone").Report(0);
            times = FormatterMeter.Measure(payloads, aloneRounds, aloneTurn, cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // What went over the queue is measured: it is the outcome.
        }

        (OwnRow[] rows, string baseRow) = Rows(choice.Candidates, rates, times);
        return new OwnReport
        {
            Run = recorder.Finish(cancellationToken.IsCancellationRequested),
            Queue = new QueueInfo(QueueAddress.Parse(options.Queue).ToString(), capabilities.Product, Modes.NameOf(options.Mode),
                capabilities.Durability) { Settings = settings },
            Type = choice.Type.ToString(),
            SampleCount = choice.SampleCount,
            BatchCount = plan.BatchCount,
            Base = baseRow,
            Rows = rows,
            Refused = choice.Refused,
            Advice = Advise(rows, baseRow),
        };
    }

    /// <summary>Chooses among the formatters that change nothing: the fastest whose readers may have other members than its writers.</summary>
    internal static OwnAdvice? Advise(IReadOnlyList<OwnRow> rows, string baseRow = Json)
    {
        OwnRow[] exact =
            [.. rows.Where(static row => row is { Changes.Count: 0, IsForNewBodies: true, WriteRounds.Count: > 0 }).OrderBy(Nanoseconds)];
        if (exact.Length == 0)
            return null;
        OwnRow chosen = exact.FirstOrDefault(static row => row.CanChange == true) ?? exact[0];
        OwnRow smallest = exact.MinBy(static row => row.Rates.BodyBytes)!;
        var reasons = new List<string>
        {
            "Nothing is lost or changed: every member of the samples comes back as it was.",
            string.Create(CultureInfo.InvariantCulture,
                $"Writing and reading a body takes {Nanoseconds(chosen):N0} ns, without a queue{(Ratio(chosen))}; a "
                + $"body has {chosen.Rates.BodyBytes:N0} bytes."),
            chosen.CanChange switch
            {
                true => "Readers may have more or fewer members than writers: programs need not all be updated at once.",
                false => "Readers must have the same members as writers: update all programs at once.",
                null => "For a formatter of your own, it is not known whether readers may have other members than writers.",
            },
        };
        AddAll("Equally fast", Verdict.Even);
        AddAll("Faster or slower, which the rounds do not decide", Verdict.Undecided);
        if (exact[0] != chosen && Gain(exact[0]) is { } gain && Findings.Judge(gain) == Verdict.Holds)
        {
            string price = exact[0].CanChange == false
                ? ", for programs that are always updated together: its readers must have the same members"
                : "";
            reasons.Add($"{exact[0].Formatter} is {RatioText.WithInterval(gain, RatioText.FindingBounds)} as fast{price}.");
        }

        if (smallest.Rates.BodyBytes < chosen.Rates.BodyBytes)
            reasons.Add(
                string.Create(CultureInfo.InvariantCulture,
                    $"The smallest body is that of {smallest.Formatter}: {smallest.Rates.BodyBytes:N0} bytes."));
        if (rows.Where(static row => row is { Changes.Count: > 0, IsForNewBodies: true }).OrderBy(Nanoseconds).FirstOrDefault() is { } lossy)
            reasons.Add($"Not considered, since they change the samples: "
                + $"{string.Join(", ", rows.Where(static row => row.Changes.Count > 0).Select(static row => row.Formatter))} "
                + $"({lossy.Formatter} {lossy.Changes[0]}).");
        return new OwnAdvice(chosen.Formatter, reasons);

        void AddAll(string how, Verdict verdict)
        {
            string[] rows = [.. exact.Where(row => row != chosen && Gain(row) is { } ratio && Findings.Judge(ratio) == verdict)
                .Select(static row => row.Formatter)];
            if (rows.Length > 0)
                reasons.Add($"{how}: {string.Join(", ", rows)}.");
        }

        RateRatio? Gain(OwnRow row) => RateRatio.Paired(row.BodiesPerSecond, chosen.BodiesPerSecond);

        string Ratio(OwnRow row) =>
            row.Ratio is { } ratio && row.Formatter != baseRow ? $", {RatioText.WithInterval(ratio)} as fast as {baseRow}" : "";
    }

    private static double Nanoseconds(OwnRow row) => (row.Rates.WriteNanoseconds ?? 0) + (row.Rates.ReadNanoseconds ?? 0);

    private static (OwnRow[] Rows, string Base) Rows(
        IReadOnlyList<OwnCandidate> candidates, IReadOnlyList<RoundTripRates> rates, IReadOnlyList<FormatterTimes> times)
    {
        CompareRow[] table = CompareRun.Rows([.. candidates.Select(static candidate => candidate.Name)], rates, times);
        OwnRow[] rows = [.. candidates.Select((candidate, i) => new OwnRow(
            candidate.Name,
            candidate.Description,
            candidate.Changes,
            candidate.CanChange,
            candidate.IsForNewBodies,
            table[i],
            times.Count > 0 ? times[i].WriteRounds : [],
            times.Count > 0 ? times[i].ReadRounds : [],
            null))];
        return Rank(rows);
    }

    /// <summary>Orders the rows by speed, those that change something last, and gives each its ratio to one of them.</summary>
    internal static (OwnRow[] Rows, string Base) Rank(IReadOnlyList<OwnRow> rows)
    {
        OwnRow[] ordered = [.. rows.OrderBy(static row => row.Changes.Count > 0).ThenBy(Nanoseconds)];
        OwnRow baseRow = ordered.FirstOrDefault(static row => row is { Formatter: Json, Changes.Count: 0 }) ?? ordered[0];
        return ([.. ordered.Select(row => row with { Ratio = RateRatio.Paired(row.BodiesPerSecond, baseRow.BodiesPerSecond) })], baseRow.Formatter);
    }
}
