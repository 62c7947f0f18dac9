using System.IO;
using Formatters.Bench.Reports;

namespace Formatters.Bench.Factors;

/// <summary>Writes the claims as CSV.</summary>
internal static class FactorsCsv
{
    internal static void Write(TextWriter output, FactorsReport report)
    {
        CsvText.WriteLine(output, "claim", "condition", "study_ratio", "range_low", "range_high", "ratio", "ratio_low", "ratio_high", "rounds", "verdict", "reason");
        foreach (ClaimRow claim in report.Claims)
        {
            CsvText.WriteLine(
                output,
                claim.Text,
                claim.Condition,
                claim.StudyRatio,
                claim.Low,
                claim.High,
                CsvText.FourDigits(claim.Ratio?.Value),
                CsvText.FourDigits(claim.Ratio?.Low),
                CsvText.FourDigits(claim.Ratio?.High),
                claim.Ratio?.Rounds,
                claim.Verdict,
                claim.Reason);
        }
    }
}
