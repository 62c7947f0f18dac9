using System.Threading;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>
/// Random histories on a simulated disk that loses power again and again, checked against a model of a few lines: what was acknowledged is there exactly
/// once, what was received for good never comes again, a transaction is all or nothing, order is kept, a lock or lease is one receiver's, and the clock on the wall may be set.
/// </summary>
[Collection(LongHistories.Name)]
public class PowerCutTests
{
    /// <summary>How many histories: FORMATTERS_DISK_SEEDS; FORMATTERS_DISK_SEED runs one.</summary>
    private static int SeedCount => TestScale.Count("FORMATTERS_DISK_SEEDS", full: 300, quick: 200, night: 40_000);

    [Fact]
    public void Nothing_acknowledged_is_lost_and_nothing_comes_twice()
    {
        int cuts = 0;
        int messages = 0;
        int dead = 0;
        int late = 0;
        int delayed = 0;
        int duplicates = 0;
        bool isWhole = Histories.RunAll(SeedCount, seed =>
        {
            using var history = new PowerCutHistory(seed);
            history.Run();
            Interlocked.Add(ref cuts, history.PowerCuts);
            Interlocked.Add(ref messages, history.MessageCount);
            Interlocked.Add(ref dead, history.DeadCount);
            Interlocked.Add(ref late, history.LateCount);
            Interlocked.Add(ref delayed, history.DelayedCount);
            Interlocked.Add(ref duplicates, history.DuplicateCount);
        });
        if (!isWhole)
            return;
        Assert.True(cuts > SeedCount, $"only {cuts} power cuts");
        Assert.True(messages > SeedCount * 10, $"only {messages} messages");
        Assert.True(dead > SeedCount / 10, $"only {dead} messages that expired or came back too often");
        Assert.True(late > SeedCount / 10, $"only {late} messages whose lease had ended");
        Assert.True(delayed > SeedCount / 10, $"only {delayed} messages that came at a later time");
        Assert.True(duplicates > SeedCount / 10, $"only {duplicates} refused duplicates");
    }
}

/// <summary>Alone: they need every core for minutes, in which a broker would miss the heartbeats of other tests; so do tests that measure the memory of the process.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class LongHistories
{
    internal const string Name = "long histories";
}
