namespace Formatters.Bench.Compare;

/// <summary>Shows figures while formatters are measured: the fastest so far, beside a known one.</summary>
/// <param name="names">The formatters, in the order of the rates; null for one that cannot win, because it loses data.</param>
/// <param name="known">The formatter beside it.</param>
internal sealed class InterimFigures(IReadOnlyList<string?> names, string known, IRunProgress progress, TimeProvider clock)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private long? _shown;

    /// <summary>Shows the figures after the first round, and then at intervals.</summary>
    internal void Show(IReadOnlyList<RoundTripRates> rates)
    {
        if (_shown is { } shown && clock.GetElapsedTime(shown) < Interval)
            return;
        _shown = clock.GetTimestamp();
        CompareRow[] rows =
            [.. CompareRun.Rows([.. names.Select(static name => name ?? "")], rates, []).Where(static row => row.Formatter.Length > 0)];
        if (rows.Length == 0)
            return;
        CompareRow fastest = rows.MaxBy(CompareAnswer.Rate)!;
        CompareRow? other = rows.FirstOrDefault(row => row.Formatter == known);
        progress.Show($"round {Numbers.Count(fastest.Send.Count)}, sent/s and received/s: "
            + string.Join("; ", new[] { fastest, other }.OfType<CompareRow>().Distinct().Select(
                static row => $"{row.Formatter} {Numbers.Rate(row.Send.Median)} {Numbers.Rate(row.Receive.Median)}")));
    }
}
