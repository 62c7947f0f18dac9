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
        TextWrap.Print(
            output,
            "",
            string.Create(CultureInfo.InvariantCulture,
                $"before and after are medians in the unit of the line. A ratio above 1 is better; {RatioText.IntervalLegend}. Worse and better: the "
                + $"whole interval is, by more than {100 * report.Threshold:0.##} %. Same: the whole interval is within that. ")
            + "Undecided: the rounds do not say; measure longer, or on a quieter machine.");
        foreach (string difference in report.Differences)
            TextWrap.Print(output, "The runs differ in ", difference);
        string counts = string.Join(", ",
            report.Rows.GroupBy(row => row.Change).OrderBy(group => group.Key)
                .Select(group => $"{group.Count()} {group.Key.ToString().ToLowerInvariant()}"));
        output.WriteLine(counts);
    }
}
