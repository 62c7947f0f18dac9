using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What the messages of a queue are kept in: the same as a list, with work that does not grow with what is there.</summary>
public sealed class DequeTests
{
    [Fact]
    public void Items_are_those_of_a_list()
    {
        var random = new Random(11);
        for (int round = 0; round < 300; round++)
        {
            var deque = new Deque<int>();
            var list = new List<int>();
            for (int step = 0; step < 120; step++)
            {
                switch (random.Next(6))
                {
                    case 0 or 1:
                        deque.AddLast(step);
                        list.Add(step);
                        break;
                    case 2:
                        int at = random.Next(list.Count + 1);
                        deque.Insert(at, step);
                        list.Insert(at, step);
                        break;
                    case 3 when list.Count > 0:
                        int gone = random.Next(list.Count);
                        deque.RemoveAt(gone);
                        list.RemoveAt(gone);
                        break;
                    case 4 when list.Count > 0:
                        Assert.Equal(list[0], deque.RemoveFirst());
                        list.RemoveAt(0);
                        break;
                }

                Assert.Equal(list, ItemsOf(deque));
            }
        }
    }

    [Fact]
    public void Merged_items_are_in_order()
    {
        var random = new Random(12);
        for (int round = 0; round < 500; round++)
        {
            int[] all = [.. Enumerable.Range(0, random.Next(1, 200))];
            int share = random.Next(1, 10);
            int[] merged = [.. all.Where(_ => random.Next(share) == 0)];
            var deque = new Deque<int>();
            // The ring begins anywhere.
            for (int i = random.Next(40); i > 0; i--)
            {
                deque.AddLast(i);
                deque.RemoveFirst();
            }

            foreach (int i in all.Except(merged))
                deque.AddLast(i);
            deque.Merge(merged, (a, b) => a.CompareTo(b));
            Assert.Equal(all, ItemsOf(deque));
            Assert.InRange(deque.MoveCount, 0, all.Length);
        }
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(4000)]
    public void What_comes_and_goes_at_an_end_moves_nothing(int count)
    {
        var deque = new Deque<int>();
        for (int i = 0; i < count; i++)
            deque.Insert(deque.Count, i);
        for (int i = 0; i < count; i++)
            deque.Insert(0, i);
        for (int i = 0; i < count; i++)
            deque.RemoveAt(deque.Count - 1);
        for (int i = 0; i < count; i++)
            deque.RemoveAt(0);
        Assert.Equal((0, 0L), (deque.Count, deque.MoveCount));
    }

    private static IEnumerable<int> ItemsOf(Deque<int> deque) => Enumerable.Range(0, deque.Count).Select(i => deque[i]);
}
