namespace Formatters.Benchmarks.Startup;

/// <param name="Rows">The baseline first.</param>
/// <param name="RunCount">How many processes each row had.</param>
internal sealed record StartupReport(IReadOnlyList<StartupRow> Rows, int RunCount);

/// <summary>The first use of a row in a new process: medians.</summary>
/// <param name="Name">The row.</param>
/// <param name="Write">Milliseconds of the first write.</param>
/// <param name="WriteRatio">The first write divided by the baseline's in the same round.</param>
/// <param name="Read">Milliseconds of the first read.</param>
/// <param name="ReadRatio">The first read divided by the baseline's in the same round.</param>
internal sealed record StartupRow(string Name, double Write, double WriteRatio, double Read, double ReadRatio);
