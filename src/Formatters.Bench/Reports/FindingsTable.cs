using Formatters.Bench.Compare;

namespace Formatters.Bench.Reports;

/// <summary>Prints the findings of a study beside what was measured.</summary>
internal static class FindingsTable
{
    /// <summary>Prints a line for each finding.</summary>
    /// <param name="year">The study's.</param>
    internal static void Print(TextWriter output, string year, IReadOnlyList<Finding> findings)
    {
        var table = new TextTable(("finding", -1), (year, 0), ("here", 0), (RatioText.IntervalHeader, 0), ("verdict", -1));
        foreach (Finding finding in findings)
        {
            table.Add(
                finding.Text,
                Numbers.Ratio(finding.StudyRatio),
                RatioText.Value(finding.Ratio, RatioText.FindingBounds),
                RatioText.Interval(finding.Ratio, RatioText.FindingBounds),
                Findings.Describe(finding.Verdict));
        }

        table.Print(output);
    }
}
