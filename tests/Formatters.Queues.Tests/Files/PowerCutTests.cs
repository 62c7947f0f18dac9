using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>
/// Random histories on a simulated disk that loses power again and again, checked against a model of a few lines: what was acknowledged is there exactly
/// once, what was received for good never comes again, a transaction is all or nothing, order is kept.
/// </summary>
[Collection(LongHistories.Name)]
public class PowerCutTests
{
    /// <summary>How many histories: 20,000 in CI, 1,000 else, or FORMATTERS_DISK_SEEDS; FORMATTERS_DISK_SEED runs one.</summary>
    private static int SeedCount =>
        int.TryParse(Environment.GetEnvironmentVariable("FORMATTERS_DISK_SEEDS"), CultureInfo.InvariantCulture, out int count) ? count
        : Environment.GetEnvironmentVariable("CI") == "true" ? 20_000
        : 1_000;

    [Fact]
    public void Nothing_acknowledged_is_lost_and_nothing_comes_twice()
    {
        if (int.TryParse(Environment.GetEnvironmentVariable("FORMATTERS_DISK_SEED"), CultureInfo.InvariantCulture, out int one))
        {
            using var history = new PowerCutHistory(one);
            history.Run();
            return;
        }

        var failures = new List<string>();
        int cuts = 0;
        int messages = 0;
        int dead = 0;
        Histories.ForEach(SeedCount, seed =>
        {
            try
            {
                using var history = new PowerCutHistory(seed);
                history.Run();
                Interlocked.Add(ref cuts, history.PowerCuts);
                Interlocked.Add(ref messages, history.MessageCount);
                Interlocked.Add(ref dead, history.DeadCount);
            }
            catch (Exception e)
            {
                lock (failures)
                    failures.Add($"FORMATTERS_DISK_SEED={seed}: {e}");
            }

            return true;
        });
        Assert.True(failures.Count == 0, $"{failures.Count} of {SeedCount} histories failed, the first: {failures.FirstOrDefault()}");
        Assert.True(cuts > SeedCount, $"only {cuts} power cuts");
        Assert.True(messages > SeedCount * 10, $"only {messages} messages");
        Assert.True(dead > SeedCount / 10, $"only {dead} messages that expired or came back too often");
    }
}

/// <summary>Alone: they need every core for minutes, in which a broker would miss the heartbeats of other tests.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class LongHistories
{
    internal const string Name = "long histories";
}
