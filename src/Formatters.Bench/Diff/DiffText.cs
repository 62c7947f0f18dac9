using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Diff;

/// <summary>Prints the outcome of <c>diff</c>.</summary>
internal static class DiffText
{
    internal static void Print(TextWriter output, DiffReport report)
    {
        var table = new TextTable(("figure", -1), ("unit", -1), ("before", 0), ("after", 0), ("ratio", 0), ("interval", 0), ("", -1));
        foreach (DiffRow row in report.Rows)
        {
            table.Add(
                row.Name,
                row.Unit,
                row.Before is { } before ? Numbers.Rate(before) : Numbers.None,
                row.After is { } after ? Numbers.Rate(after) : Numbers.None,
                Number(row.Ratio?.Value),
                row.Ratio is null ? Numbers.None : $"{Number(row.Ratio.Low)}..{Number(row.Ratio.High)}",
                row.Change.ToString().ToLowerInvariant());
        }

        table.Print(output);
        output.WriteLine();
        TextWrap.Print(
            output,
            "",
            string.Create(CultureInfo.InvariantCulture, $"A ratio above 1 is better. Worse and better: the whole interval of 95 % is, by more than {100 * report.Threshold:0.##} %. ")
            + "Undecided: the rounds do not say; measure longer, or on a quieter machine.");
        foreach (string difference in report.Differences)
            TextWrap.Print(output, "The runs differ in ", difference);
        string counts = string.Join(", ", report.Rows.GroupBy(row => row.Change).OrderBy(group => group.Key).Select(group => $"{group.Count()} {group.Key.ToString().ToLowerInvariant()}"));
        output.WriteLine(counts);

        static string Number(double? value) => value?.ToString("0.000", CultureInfo.InvariantCulture) ?? Numbers.None;
    }
}
