namespace Formatters.Bench.Factors;

/// <summary>Writes the claims as CSV.</summary>
internal static class FactorsCsv
{
    private static readonly CsvTable<ClaimRow> Table = new()
    {
        { "claim", static row => row.Text },
        { "condition", static row => row.Condition },
        { "study_ratio", static row => row.StudyRatio },
        { "range_low", static row => row.Low },
        { "range_high", static row => row.High },
        { "ratio", static row => CsvText.FourDigits(row.Ratio?.Value) },
        { "ratio_low", static row => CsvText.FourDigits(row.Ratio?.Low) },
        { "ratio_high", static row => CsvText.FourDigits(row.Ratio?.High) },
        { "rounds", static row => row.Ratio?.Rounds },
        { "verdict", static row => row.Verdict },
        { "reason", static row => row.Reason },
    };

    internal static void Write(TextWriter output, FactorsReport report) => Table.Write(output, report.Claims);
}
