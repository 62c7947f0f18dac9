namespace Formatters.Bench.Compare;

/// <summary>Shows figures while a comparison runs: the fastest formatter so far, beside MessagePack-CSharp.</summary>
/// <param name="names">The formatters, in the order of the rates.</param>
internal sealed class InterimFigures(IReadOnlyList<string> names, IRunProgress progress, TimeProvider clock)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private long? _shown;

    /// <summary>Shows the figures after the first round, and then at intervals.</summary>
    internal void Show(IReadOnlyList<RoundTripRates> rates)
    {
        if (_shown is { } shown && clock.GetElapsedTime(shown) < Interval)
            return;
        _shown = clock.GetTimestamp();
        CompareRow[] rows = CompareRun.Rows(names, rates, []);
        CompareRow fastest = rows.MaxBy(CompareAnswer.Rate)!;
        CompareRow? other = rows.FirstOrDefault(static row => row.Formatter == Peers.MessagePackCSharpPeer.RowName);
        progress.Show($"round {Numbers.Count(fastest.Send.Count)}, sent/s and received/s: "
            + string.Join("; ", new[] { fastest, other }.OfType<CompareRow>().Distinct().Select(
                static row => $"{row.Formatter} {Numbers.Rate(row.Send.Median)} {Numbers.Rate(row.Receive.Median)}")));
    }
}
