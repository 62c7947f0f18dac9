using System.Collections.Generic;
using System.Linq;

namespace Formatters.Bench.Engine;

/// <summary>The order in which the cases of a round are measured.</summary>
internal static class RoundOrder
{
    /// <summary>The indices of the cases, in the order of their turns.</summary>
    /// <remarks>The first case is the next one in every second round, and each odd round is the reverse of the round before it: what drifts slowly adds the same
    /// to all cases, and no case always follows the same one.</remarks>
    internal static IEnumerable<int> Of(int round, int caseCount)
    {
        IEnumerable<int> rotated = Enumerable.Range(round / 2, caseCount).Select(i => i % caseCount);
        return round % 2 == 0 ? rotated : rotated.Reverse();
    }
}
