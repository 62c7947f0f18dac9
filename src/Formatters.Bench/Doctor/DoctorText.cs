namespace Formatters.Bench.Doctor;

/// <summary>Prints the report of <c>doctor</c>.</summary>
internal static class DoctorText
{
    internal static void Print(TextWriter output, DoctorReport report)
    {
        foreach (IGrouping<string, DoctorCheck> area in report.Checks.GroupBy(static check => check.Area))
        {
            output.WriteLine(area.Key);
            foreach (DoctorCheck check in area)
            {
                TextWrap.Print(output, $"  {WordOf(check.Level),-8} {check.Name,-18} ", check.Finding);
                if (check.Advice is not null && check.Level > DoctorLevel.Unknown)
                    TextWrap.Print(output, $"  {"",-8} {"",-18} -> ", check.Advice);
            }

            output.WriteLine();
        }

        int warnings = report.Count(DoctorLevel.Warning), failures = report.Count(DoctorLevel.Failed);
        TextWrap.Print(
            output,
            "",
            $"{Numbers.Count(report.Checks.Count)} checks: {Numbers.Count(warnings)} warning{(warnings == 1 ? "" : "s")}, "
                + $"{Numbers.Count(failures)} not reached or usable, "
            + $"{Numbers.Count(report.Count(DoctorLevel.Unknown))} unknown. "
            + (warnings + failures == 0 ? "Nothing here would spoil a measurement."
                : "A warning is what would spoil a measurement, or make it say something else."));
    }

    private static string WordOf(DoctorLevel level) => level switch
    {
        DoctorLevel.Ok => "ok",
        DoctorLevel.Warning => "warning",
        DoctorLevel.Failed => "FAILED",
        _ => "unknown",
    };
}
