namespace Formatters.Bench.Measurement;

/// <summary>The order in which the cases of a round are measured.</summary>
/// <remarks>The first case is the next one in every second round, and each odd round is the reverse of the round before it: what drifts slowly adds
/// the same to all cases, and no case always follows the same one.</remarks>
internal static class RoundOrder
{
    /// <param name="round">The number of the round; negative for one that warms up.</param>
    internal static IEnumerable<T> Of<T>(IReadOnlyList<T> cases, int round) => Indexes(cases.Count, round).Select(i => cases[i]);

    /// <param name="round">The number of the round; negative for one that warms up.</param>
    internal static IEnumerable<int> Indexes(int caseCount, int round)
    {
        round = Math.Abs(round);
        IEnumerable<int> rotated = Enumerable.Range(round / 2, caseCount).Select(i => i % caseCount);
        return round % 2 == 0 ? rotated : rotated.Reverse();
    }
}
