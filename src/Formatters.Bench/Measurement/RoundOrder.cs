using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Bench.Measurement;

/// <summary>The order in which the cases of a round are measured: another one in each round, so that no case always follows the same one.</summary>
internal static class RoundOrder
{
    /// <summary>Orders cases. The order of a round is the same in every run.</summary>
    /// <param name="cases">The cases.</param>
    /// <param name="round">The number of the round.</param>
    internal static IEnumerable<T> Of<T>(IReadOnlyCollection<T> cases, int round)
    {
        var random = new Random(round);
        return cases.Select(item => (Item: item, Key: random.Next())).OrderBy(static pair => pair.Key).Select(static pair => pair.Item).ToArray();
    }
}
