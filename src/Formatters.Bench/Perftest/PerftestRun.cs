#if NET
using Formatters.Bench.Servers;
#endif

namespace Formatters.Bench.Perftest;

/// <summary>The classic test: every payload in every mode, in interleaved batches; prints each mode as it is done.</summary>
/// <param name="link">What stands in the report of the link, its round trip included; null without one.</param>
internal sealed class PerftestRun(
    QueueConnector connector, PerftestOptions options, TimeProvider clock, TextWriter output, IRunProgress progress,
    (string Speed, TimeSpan RoundTrip)? link = null)
{
    /// <summary>The study's orders have as many.</summary>
    private const int StudyLineItems = 50;

    /// <summary>The default payloads of <c>--fan-out</c>: bodies that cost little to write, and much.</summary>
    private static readonly string[] FanOutPayloads =
    [
        Payloads.StringName(1_000), Payloads.OrderName(OrderFormatterRows.HandCoded), Payloads.OrderName(OrderFormatterRows.Xml),
        Payloads.OrderName(OrderFormatterRows.Legacy),
    ];

    private const int MaxBatchByteCount = 64 << 20;
    private const int MaxBatchCount = 200_000;

    /// <summary>A batch of fewer says how long a queue takes to begin and to end, not how fast it is; unless they are large, or take much longer than
    /// asked for.</summary>
    private const int MinBatchCount = 32;

    private const int MinBatchByteCount = 16 << 20;
    private const int MaxTurns = 10;

    private const int MaxWarmUpCycles = 12;
    private const int MaxWarmUpByteCount = 1 << 20;

    /// <summary>The time of the cases alone, as printed before the first is measured; zero if that is not known.</summary>
    private TimeSpan _estimate;

    /// <param name="open">Opens the queues of the operation in one mode, by every way that is asked for.</param>
    /// <param name="notMeasured">What was asked for and cannot be measured, each with the reason.</param>
    internal async Task<PerftestReport> RunAsync(
        string commandLine, Func<DeliveryMode, CancellationToken, Task<IReadOnlyList<PerftestRoute>>> open, IReadOnlyList<string> notMeasured,
        CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        IReadOnlyList<(string Name, Func<Payload> Create)> payloads = SelectPayloads(options);
        IReadOnlyList<QueueAddress> queues = QueueAddress.ParseList(options.Queue);
        var sections = new List<PerftestSection>();
        try
        {
            foreach (DeliveryMode mode in options.Modes)
            {
                cancellationToken.ThrowIfCancellationRequested();
                (QueueCapabilities capabilities, bool isOffered) = await Modes.ProbeAsync(connector, options.Queue, mode, cancellationToken);
                if (isOffered)
                {
                    IEnumerable<string> used = options.FanOut.Count > 0 ? FanOutOperation.AddressesOf(options.Queue, options.FanOut.Max())
                        : options.ResponseQueue is null ? [options.Queue]
                        : [options.Queue, options.ResponseQueue];
                    await EmptyQueues.RequireAsync(connector, used, Modes.OptionsOf(mode), options.Purge, output, cancellationToken);
                }

                // Not before the queue has been reached once.
                if (sections.Count == 0)
                    PrintTitle(queues.Count, payloads.Count);
                string name = Modes.NameOf(mode);
                var queue = new QueueInfo(string.Join(",", queues), capabilities.Product, name, isOffered ? capabilities.Durability : "");
#if NET
                queue = queue with { Settings = await ServerSettings.ReadAsync(options.Queue, cancellationToken) };
#endif
                output.WriteLine();
                if (!isOffered)
                {
                    output.WriteLine($"{name}: not offered by {capabilities.Product}");
                    sections.Add(new PerftestSection(queue, IsOffered: false, []));
                    continue;
                }

                TextWrap.Print(output, $"{name}: ", $"{capabilities.Product}; {capabilities.Durability}");
                output.WriteLine();
                IReadOnlyList<PerftestRoute> routes = await open(mode, cancellationToken);
                try
                {
                    var settling = new Settling(options.Queue, Modes.HasNoServer(capabilities));
                    IReadOnlyList<PerftestRow> rows =
                        await RunSectionAsync(mode, routes, payloads, settling, isFirst: sections.Count == 0, name, progress, cancellationToken);
                    PrintRows(rows);
                    sections.Add(new PerftestSection(queue, IsOffered: true, rows));
                }
                finally
                {
                    foreach (PerftestRoute route in routes)
                        await route.Operation.DisposeAsync();
                }
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested
            && sections.Exists(static section => section.Rows.Count > 0))
        {
            // The modes before are the outcome.
        }

        var report = new PerftestReport
        {
            Run = recorder.Finish(cancellationToken.IsCancellationRequested),
            Operation = options.Operation,
            QueueCount = queues.Count,
            Sections = sections,
            Link = link?.Speed,
            LinkRoundTripMilliseconds = link?.RoundTrip.TotalMilliseconds,
            NotMeasured = notMeasured,
#if NET
            Findings = PerftestFindings.Judge(options.Operation, sections),
#endif
        };
        output.WriteLine();
#if NET
        PrintFindings(report.Findings);
#endif
        foreach (string reason in notMeasured)
            TextWrap.Print(output, "not measured: ", reason);
        output.WriteLine("Measured");
        TextWrap.Print(output, "  queue       ", sections[0].Queue.Address);
        RunText.PrintSettings(output, sections[0].Queue);
        if (link is { } over)
        {
            TextWrap.Print(
                output,
                "  remote      ",
                string.Create(CultureInfo.InvariantCulture, $"a proxy on loopback: {over.Speed}; a byte took "
                    + $"{over.RoundTrip.TotalMilliseconds:0.0} ms there and back, without a queue"));
        }

        RunText.PrintRun(output, report.Run);
        TextWrap.Print(
            output,
            "  method      ",
            $"{Numbers.Count(options.Rounds, "round")}, in each of which every case has a batch, in another order in each, after a warm-up; msg/s "
                + $"and stddev are the mean and the standard deviation over the batches, bytes the size of a body, "
                + $"batch its messages. Ratios are to the row "
            + $"{OrderFormatterRows.Legacy} of the same kind in the same round, the median over the rounds; "
            + $"{RatioText.IntervalLegend(options.Rounds)}. Every message is "
            + (options.Operation == PerftestOperation.SendAndPurge ? "counted in the queue." : "checked when it comes out."));
        return report;
    }

    private void PrintTitle(int queueCount, int payloadCount)
    {
        output.WriteLine(Title());
        if (queueCount > 1)
            output.WriteLine($"Sent as one to {queueCount} queues, each message to each");
        int routeCount = Math.Max(1, 2 * options.FanOut.Count);
#if NET
        routeCount += (options.Remote is null ? 0 : 1) + (options.Native is null ? 0 : 1);
#endif
        if (options.BatchCount is null)
        {
            _estimate = TimeSpan.FromTicks(options.TimePerCase.Ticks * payloadCount * routeCount * options.Modes.Count);
            RunText.PrintEstimate(output, _estimate);
        }
    }

    private string Title() => options.Operation switch
    {
        PerftestOperation.SendAndPurge => "Sending, in messages per second",
        PerftestOperation.SendAndReceive => "Receiving and reading, in messages per second",
        _ => "Complete processing from CLIENT to SERVER, in messages per second",
    };

    /// <exception cref="UsageException">A part of a name is in none.</exception>
    internal static IReadOnlyList<(string Name, Func<Payload> Create)> SelectPayloads(PerftestOptions options)
    {
        IReadOnlyList<(string Name, Func<Payload> Create)> all = Payloads.Classic(options.LineItems, options.Libraries);
        if (options.Payloads.Count == 0)
            return options.FanOut.Count == 0 ? [.. all] : [.. all.Where(payload => FanOutPayloads.Contains(payload.Name))];
        var names = new HashSet<string>();
        foreach (string part in options.Payloads)
        {
            // "string 1000" is what people type for "string 1,000", and means no longer one.
            List<string> matches = [.. all.Select(payload => payload.Name)
                .Where(name => WithoutCommas(name).Equals(WithoutCommas(part), StringComparison.OrdinalIgnoreCase))];
            if (matches.Count == 0)
                matches = [.. all.Select(payload => payload.Name).Where(name => name.Contains(part, StringComparison.OrdinalIgnoreCase))];
            if (matches.Count == 0)
                throw new UsageException($"No payload has '{part}' in its name. The payloads are: "
                    + $"{string.Join("; ", all.Select(payload => payload.Name))}.");
            names.UnionWith(matches);
        }

        return [.. all.Where(payload => names.Contains(payload.Name))];
    }

    private static string WithoutCommas(string name) => name.Replace(",", "", StringComparison.Ordinal);

    private void PrintRows(IReadOnlyList<PerftestRow> rows)
    {
        foreach (IGrouping<string, PerftestRow> route in rows.GroupBy(row => row.Route))
        {
            if (route.Key != PerftestRow.Local)
            {
                output.WriteLine();
                output.WriteLine(Describe(route.Key));
            }

            var table =
                new TextTable(("payload", -21), ("bytes", 0), ("batch", 0), ("msg/s", 0), ("stddev", 0), ("ratio", 0), (RatioText.IntervalHeader, 0));
            foreach (PerftestRow row in route)
            {
                table.Add(
                    row.Payload,
                    Numbers.Count(row.BodyBytes),
                    Numbers.Count(row.BatchCount),
                    Numbers.Rate(row.Rate.Mean),
                    Numbers.Rate(row.Rate.StandardDeviation),
                    RatioText.Value(row.Ratio),
                    RatioText.Interval(row.Ratio));
            }

            table.Print(output);
        }

        if (rows.Any(row => row.Study is not null))
            PrintStudy(rows);
    }

    private static string Describe(string route) => route switch
    {
        PerftestRow.Remote => "remote: as if the server were on another machine",
        PerftestRow.Native => "C: a program in C over librabbitmq or libpq",
        _ => route + ": each message to all of the queues",
    };

    /// <summary>The study's figures for the same rows.</summary>
    private void PrintStudy(IReadOnlyList<PerftestRow> rows)
    {
        output.WriteLine();
        output.WriteLine("Beside it, Appendix A of the study (2004), in messages per second");
        output.WriteLine();
        var table = new TextTable(("  payload", -26), ("here", 0), ("2004", 0), ("stddev", 0), ("2004's column", -1), ("table", 0));
        foreach (PerftestRow row in rows)
        {
            if (row.Study is { } study)
            {
                table.Add(
                    $"  {row.Payload}{(row.Route is PerftestRow.Native ? ", C" : "")}",
                    Numbers.Rate(row.Rate.Mean),
                    Numbers.Rate(study.Rate),
                    Numbers.Rate(study.StandardDeviation),
                    study.IsRemote ? study.Column + ", remote" : study.Column,
                    Numbers.Count(study.Table));
            }
        }

        table.Print(output);
        TextWrap.Print(output, "  ",
            "here is the mean, 2004 that of the study with its standard deviation; column and table: where it stands in Appendix A.");
    }

#if NET
    private void PrintFindings(IReadOnlyList<Compare.Finding> findings)
    {
        if (findings.Count == 0)
            return;
        output.WriteLine("What the study says, and here");
        output.WriteLine();
        foreach (Compare.Finding finding in findings)
        {
            string study = finding.StudyRatio is null ? "" : $"; 2004: {Numbers.Ratio(finding.StudyRatio)}";
            TextWrap.Print(output, "  ",
                $"{finding.Text}: {RatioText.WithInterval(finding.Ratio, RatioText.FindingBounds)}{study}; "
                + $"{Compare.Findings.Describe(finding.Verdict)}");
        }

        TextWrap.Print(output, "  ",
            $"The ratio here and, in parentheses, its interval: {RatioText.DescribeInterval(findings.Min(static finding => finding.Ratio?.Rounds))}. "
            + $"{Compare.Findings.Legend(findings)}");
        output.WriteLine();
    }
#endif

    /// <summary>Measures the cases of one mode in turns.</summary>
    private async Task<IReadOnlyList<PerftestRow>> RunSectionAsync(
        DeliveryMode mode,
        IReadOnlyList<PerftestRoute> routes,
        IReadOnlyList<(string Name, Func<Payload> Create)> payloads,
        Settling settling,
        bool isFirst,
        string name,
        IRunProgress progress,
        CancellationToken cancellationToken)
    {
        var calibrated = new List<(Payload Payload, PerftestRoute Route, int Count)>();
        long first = clock.GetTimestamp();
        TimeSpan batches = TimeSpan.Zero;
        IProgress<double> report = progress.Stage($"{name}, warm-up");
        for (int i = 0; i < payloads.Count; i++)
        {
            Payload payload = payloads[i].Create();
            foreach (PerftestRoute route in routes)
            {
                if (route.Takes is not null && !route.Takes(payload.Name))
                    continue;
                (int count, TimeSpan batch) = await CalibrateAsync(route.Operation, payload, cancellationToken);
                calibrated.Add((payload, route, count));
                long batchEnd = clock.GetTimestamp();
                await settling.WaitAsync((long)count * payload.BodyByteCount, cancellationToken);
                batches += batch + clock.GetElapsedTime(batchEnd);
            }

            report.Report((i + 1d) / payloads.Count);
        }

        if (isFirst)
        {
            TimeSpan all = clock.GetElapsedTime(first) + WarmUpOf(calibrated.Count) + (batches * options.Rounds);
            RunText.PrintCorrectedEstimate(output, _estimate, all * options.Modes.Count);
        }

        // Rows that are compared have batches of one size: each batch has costs of its own, which would make the rows with smaller ones seem slower.
        List<Case> cases =
        [
            .. calibrated.Select(item => new Case(
                item.Payload,
                item.Route,
                (int)Statistics.Of([.. calibrated.Where(other => GroupOf(other.Payload) == GroupOf(item.Payload))
                    .Select(static other => (double)other.Count)]).Median)),
        ];

#if NET
        // What was compiled for one payload changes what the JIT makes of the others: all of them in turn, until it rests, or a fourth of the time is
        // over.
        var jit = new JitWatch();
        long start = clock.GetTimestamp();
        for (int cycle = 0; cycle < MaxWarmUpCycles && !jit.EndCycle()
            && (cycle == 0 || clock.GetElapsedTime(start) < WarmUpOf(cases.Count)); cycle++)
        {
            foreach (Case item in cases)
            {
                int count = Math.Min(
                    item.BatchCount, Math.Max(1, Math.Min(MinBatchCount, MaxWarmUpByteCount / Math.Max(item.Payload.BodyByteCount, 1))));
                await item.Operation.RunAsync(item.Payload, count, wholeContent: false, cancellationToken);
            }
        }
#endif

        report = progress.Stage(name);
        int measured = 0;
        int rounds = await Rounds.RunAsync(
            cases,
            round => round < options.Rounds,
            async item =>
            {
                ResourceMark mark = ResourceMark.Now();
                TimeSpan time = await item.Operation.RunAsync(item.Payload, item.BatchCount, wholeContent: false, cancellationToken);
                item.Tally.Add(mark, item.BatchCount);
                item.Rates.Add(item.BatchCount / time.TotalSeconds);
                report.Report(++measured / ((double)cases.Count * options.Rounds));
                await settling.WaitAsync(item.ByteCount, cancellationToken);
            },
            cancellationToken);

        return
        [
            .. cases.Select(item => item.ToRow(rounds, cases.Find(item.IsBaseline)) with
            {
                Study = item.Payload.Name.StartsWith("order ", StringComparison.Ordinal) && options.LineItems != StudyLineItems
                    ? null
                    : AppendixA.Find(options.Operation, mode, item.Route == PerftestRow.Remote, item.Payload.Name, item.Route == PerftestRow.Native),
            }),
        ];
    }

    /// <summary>The payloads with which one is compared: all orders, or the strings of one length.</summary>
    private static string GroupOf(Payload payload) =>
        string.Join(" ", payload.Name.Split(' ').Take(payload.Name.StartsWith("string ", StringComparison.Ordinal) ? 2 : 1));

    /// <summary>Verifies and warms up a case, and finds out how many messages make a batch that fits its time.</summary>
    /// <returns>The number of messages, and the time that a batch of as many takes.</returns>
    private async Task<(int Count, TimeSpan Time)> CalibrateAsync(BatchOperation operation, Payload payload, CancellationToken cancellationToken)
    {
        int most = Math.Clamp(MaxBatchByteCount / Math.Max(payload.BodyByteCount, 1), 1, MaxBatchCount);
        int least = Math.Clamp(MinBatchByteCount / Math.Max(payload.BodyByteCount, 1), 1, Math.Min(MinBatchCount, most));
        int count = options.BatchCount ?? Math.Min(10, most);
        long start = clock.GetTimestamp();
        await operation.RunAsync(payload, count, wholeContent: true, cancellationToken);
        if (options.BatchCount is not null)
            return (count, clock.GetElapsedTime(start));

        // A fourth of the time for the warm-up; what counts is the whole batch, the untimed part too.
        TimeSpan warmUp = options.TimePerCase / 4;
        TimeSpan turn = options.TimePerCase * 3 / 4 / options.Rounds;
        TimeSpan each;
        long warmUpStart = clock.GetTimestamp();
        do
        {
            start = clock.GetTimestamp();
            await operation.RunAsync(payload, count, wholeContent: false, cancellationToken);
            TimeSpan time = clock.GetElapsedTime(start);
            double factor = turn / time;
            each = time / count;
            // At most tenfold at once: the first batches are slow and say little.
            count = (int)Math.Clamp(count * Math.Min(factor, 10), Math.Clamp(count * factor * MaxTurns, 1, least), most);
        }
        while (clock.GetElapsedTime(warmUpStart) < warmUp);
        return (count, each * count);
    }

    private TimeSpan WarmUpOf(int caseCount) => options.TimePerCase * caseCount / 4;

    /// <summary>A payload under measurement.</summary>
    private sealed class Case(Payload payload, PerftestRoute route, int batchCount)
    {
        internal string Route => route.Name;
        internal BatchOperation Operation => route.Operation;
        internal Payload Payload { get; } = payload;
        internal int BatchCount { get; } = batchCount;

        /// <summary>The bytes of the bodies of a batch.</summary>
        internal long ByteCount => (long)Payload.BodyByteCount * BatchCount;

        internal List<double> Rates { get; } = [];
        internal ResourceTally Tally { get; } = new();

        /// <summary>Determines whether another one is the row of its kind to which this one's ratio is taken.</summary>
        internal bool IsBaseline(Case other)
        {
            string kind = Payload.Name.Split(' ')[0];
            return other.Route == Route && other.Payload.Name == $"{kind} {OrderFormatterRows.Legacy}";
        }

        internal PerftestRow ToRow(int rounds, Case? baseline)
        {
            double[] rates = [.. Rates.Take(rounds)];
            return new PerftestRow(
                Payload.Name,
                Payload.BodyByteCount,
                BatchCount,
                Statistics.Of(rates),
                rates,
                baseline is null ? null : RateRatio.Paired(rates, baseline.Rates.Take(rounds)),
                route.Name == PerftestRow.Native ? null : Tally.PerMessage) { Route = route.Name };
        }
    }
}
