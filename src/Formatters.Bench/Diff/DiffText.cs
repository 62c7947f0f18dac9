namespace Formatters.Bench.Diff;

/// <summary>Prints the report of <c>diff</c>.</summary>
internal static class DiffText
{
    internal static void Print(TextWriter output, DiffReport report)
    {
        var table =
            new TextTable(("figure", -1), ("unit", -1), ("before", 0), ("after", 0), ("ratio", 0), (RatioText.IntervalHeader, 0), ("change", -1));
        double[] bounds = DiffRun.BoundsOf(report.Threshold);
        foreach (DiffRow row in report.Rows)
        {
            table.Add(
                row.Name,
                row.Unit,
                row.Before is { } before ? Numbers.Rate(before) : Numbers.None,
                row.After is { } after ? Numbers.Rate(after) : Numbers.None,
                RatioText.Value(row.Ratio, bounds),
                RatioText.Interval(row.Ratio, bounds),
                row.Change.ToString().ToLowerInvariant());
        }

        table.Print(output);
        output.WriteLine();
        string threshold = string.Create(CultureInfo.InvariantCulture, $"{100 * report.Threshold:0.##} %");
        TextWrap.Print(
            output,
            "",
            $"{Numbers.Count(report.Before.Count, "run")} before, {report.After.Count} after; before and after are the medians of the runs' medians. "
            + "A ratio above 1 is better; "
            + (report.HasVerdicts
                ? "interval is its range, such that those of all figures together hold with a confidence of 95 %: a run is one sample. "
                    + $"Worse and better: the whole interval is, by more than {threshold}. Same: the whole interval is within that. Undecided: the "
                    + "runs do not say; measure more of them, or on a quieter machine."
                : "interval is that of the rounds. Rounds of one process say nothing of another run, so everything is undecided: a verdict needs "
                    + $"{DiffRun.MinRuns} runs a side."));
        string[] references = [.. report.Rows.Where(static row => row.Change == Change.Reference).Select(static row => row.Name)];
        if (references.Length > 0)
            TextWrap.Print(output, "Compared are the ratios within each run to ", string.Join(" and ", references));
        foreach (string difference in report.Differences)
            TextWrap.Print(output, "The runs differ in ", difference);
        string counts = string.Join(", ",
            report.Rows.GroupBy(row => row.Change).OrderBy(group => group.Key)
                .Select(group => $"{group.Count()} {group.Key.ToString().ToLowerInvariant()}"));
        output.WriteLine(counts);
    }
}
