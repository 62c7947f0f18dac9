namespace Formatters.Benchmarks.Ratios;

/// <summary>The result of the rounds of one case.</summary>
/// <param name="Payload">The name of the payload, as <c>order-50</c>.</param>
/// <param name="Ratio">The median over the rounds of: time of this row by time of the baseline in the same round.</param>
/// <param name="RatioSpread">The distance of the quartiles of those, divided by <paramref name="Ratio"/>.</param>
/// <param name="Nanoseconds">The median time of one operation.</param>
/// <param name="ByteCount">The length of the body; the mean over several orders.</param>
/// <param name="AllocatedByteCount">The bytes allocated by one operation.</param>
internal sealed record RatioResult(
    string Row, string Payload, RowOperation Operation, double Ratio, double RatioSpread, double Nanoseconds, int ByteCount, long AllocatedByteCount);

/// <summary>A whole run.</summary>
/// <param name="Baseline">The name of the row that the others are divided by.</param>
/// <param name="Results">By payload, then row, then operation.</param>
/// <param name="RoundCount">How many rounds each case had.</param>
/// <param name="SliceMilliseconds">How long each case ran in each round.</param>
internal sealed record RatioReport(string Baseline, IReadOnlyList<RatioResult> Results, int RoundCount, double SliceMilliseconds);
