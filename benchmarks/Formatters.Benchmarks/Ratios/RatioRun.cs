namespace Formatters.Benchmarks.Ratios;

/// <summary>Measures all rows in one process, in interleaved rounds: whatever slows the machine down for a while slows all rows down alike.</summary>
internal static class RatioRun
{
    private const int MinRoundCount = 15;
    private const int MaxRoundCount = 51;
    private const double MaxSliceMilliseconds = 25;
    private const double MinSliceMilliseconds = 0.5;

    /// <summary>Checks every row, then measures them.</summary>
    /// <exception cref="RowCheckException">A row does not do what its name says; nothing was measured.</exception>
    public static RatioReport Run(RatioOptions options, TextWriter progress, CancellationToken cancellationToken = default)
    {
        long start = Stopwatch.GetTimestamp();
        List<RatioCase[]> groups = CreateCases(options, progress);
        return Run(groups, options.Duration - Stopwatch.GetElapsedTime(start), progress, cancellationToken);
    }

    /// <summary>Measures cases that have been checked.</summary>
    /// <param name="groups">The cases of a payload and an operation, the baseline first.</param>
    /// <param name="duration">About how long the whole takes.</param>
    public static RatioReport Run(
        IReadOnlyList<RatioCase[]> groups, TimeSpan duration, TextWriter progress, CancellationToken cancellationToken = default)
    {
        long start = Stopwatch.GetTimestamp();
        int caseCount = groups.Sum(static group => group.Length);
        progress.WriteLine($"{caseCount} cases, all checked. Warming up.");
        WarmUp(groups, duration / 5, cancellationToken);

        TimeSpan left = duration - Stopwatch.GetElapsedTime(start);
        double slice = Math.Clamp(left.TotalMilliseconds / caseCount / MinRoundCount, MinSliceMilliseconds, MaxSliceMilliseconds);
        int roundCount = Math.Clamp((int)(left.TotalMilliseconds / caseCount / slice), MinRoundCount, MaxRoundCount);
        var sliceTime = TimeSpan.FromMilliseconds(slice);

        foreach (RatioCase[] group in groups)
        {
            progress.WriteLine($"{group[0].Payload} {RatioTable.GetName(group[0].Operation)}: {group.Length} "
                + $"rows, {roundCount} rounds of {slice:0.#} ms");
            foreach (RatioCase ratioCase in group)
                ratioCase.WarmUp(sliceTime);
            for (int round = 0; round < roundCount; round++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                foreach (RatioCase ratioCase in group)
                    ratioCase.Measure();
            }
        }

        return new RatioReport(groups[0][0].Name, groups.SelectMany(ToResults).ToArray(), roundCount, slice);
    }

    private static List<RatioCase[]> CreateCases(RatioOptions options, TextWriter progress)
    {
        RowEntry baselineEntry = RowCatalog.Find(RowCatalog.Baseline)!;
        var groups = new List<RatioCase[]>();
        foreach (OrderPayload payload in options.Payloads)
        {
            progress.WriteLine($"Checking {payload.Name}.");
            IReadOnlyList<OrderWithList> orders = options.CreateOrders(payload);
            Row baseline = baselineEntry.Prepare(orders);
            var rows = new List<(RowEntry Entry, Row Row)> { (baselineEntry, baseline) };
            foreach (RowEntry entry in options.Rows.Where(entry => entry != baselineEntry))
                {
                Row row = PrepareChecked(entry, orders, options.SegmentByteCount);
                if (options.SegmentByteCount == 0 || row.ReadsSegments)
                    rows.Add((entry, row));
            }

            foreach ((RowEntry entry, Row row) in rows)
                RowCheck.Check(entry, row, orders, baseline);
            foreach (RowOperation operation in options.SegmentByteCount == 0 ? Enum.GetValues<RowOperation>() : [RowOperation.Read])
            {
                RatioCase[] group = rows
                    .Where(row => operation != RowOperation.Overwrite || row.Row.CanOverwrite)
                    .Select(row => new RatioCase(row.Entry.Name, row.Row, payload.Name, operation))
                    .ToArray();
                groups.Add(group);
            }
        }

        return groups;
    }

    private static Row PrepareChecked(RowEntry entry, IReadOnlyList<OrderWithList> orders, int segmentByteCount)
    {
        try
        {
            return entry.Prepare(orders, segmentByteCount);
        }
        catch (Exception e)
        {
            throw new RowCheckException($"The row '{entry.Name}' fails: {e.Message}", e);
        }
    }

    /// <summary>Goes round until the JIT has nothing left to do.</summary>
    private static void WarmUp(IReadOnlyList<RatioCase[]> groups, TimeSpan duration, CancellationToken cancellationToken)
    {
        const int MinCycleCount = 5;
        RatioCase[] cases = groups.SelectMany(static group => group).ToArray();
        TimeSpan slice = Clamp(duration / cases.Length / (2 * MinCycleCount), TimeSpan.FromMilliseconds(0.2), TimeSpan.FromMilliseconds(20));
        long start = Stopwatch.GetTimestamp();
        var jit = new JitWatch();
        bool isDone = false;
        for (int cycle = 0; cycle < MinCycleCount || (!isDone && Stopwatch.GetElapsedTime(start) < duration); cycle++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            foreach (RatioCase ratioCase in cases)
                ratioCase.WarmUp(slice);
            isDone = jit.EndCycle();
        }
    }

    private static TimeSpan Clamp(TimeSpan value, TimeSpan min, TimeSpan max) => value < min ? min : value > max ? max : value;

    private static IEnumerable<RatioResult> ToResults(RatioCase[] group)
    {
        IReadOnlyList<double> baseline = group[0].Nanoseconds;
        foreach (RatioCase ratioCase in group)
        {
            double[] ratios = ratioCase.Nanoseconds.Zip(baseline, static (own, other) => own / other).ToArray();
            Statistics ratio = Statistics.Of(ratios);
            yield return new RatioResult(
                ratioCase.Name,
                ratioCase.Payload,
                ratioCase.Operation,
                ratio.Median,
                ratio.Spread,
                Statistics.Of(ratioCase.Nanoseconds).Median,
                ratioCase.ByteCount,
                ratioCase.AllocatedByteCount);
        }
    }
}
