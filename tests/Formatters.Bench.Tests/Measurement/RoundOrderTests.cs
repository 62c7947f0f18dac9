using System.Collections.Generic;
using System.Linq;
using Formatters.Bench.Measurement;
using Xunit;

namespace Formatters.Bench.Tests.Measurement;

public class RoundOrderTests
{
    [Fact]
    public void Each_round_has_every_case_once_and_a_case_does_not_always_follow_the_same_one()
    {
        int[] cases = [.. Enumerable.Range(0, 10)];
        var preceding = cases.ToDictionary(static item => item, static _ => new HashSet<int>());
        for (int round = -7; round < 7; round++)
        {
            int[] order = [.. RoundOrder.Of(cases, round)];
            Assert.Equal(cases, order.Order());
            Assert.Equal(order, RoundOrder.Of(cases, round));
            for (int i = 1; i < order.Length; i++)
                preceding[order[i]].Add(order[i - 1]);
        }

        Assert.All(preceding.Values, static others => Assert.True(others.Count >= 2));
    }
}
