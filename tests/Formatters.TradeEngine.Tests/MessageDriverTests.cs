using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Envelopes;
using Formatters.Queues;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Drivers;
using Formatters.TradeEngine.Messages;
using Formatters.TradeEngine.StaticData;
using Xunit;

namespace Formatters.TradeEngine.Tests;

public sealed class MessageDriverTests
{
    /// <summary>So few that a busy machine, too, sends most of them by themselves.</summary>
    private const double Rate = 500;

    [Fact]
    public async Task Messages_AtARate_AreSentWhenTheyAreDue_AndNotBefore()
    {
        (IReadOnlyList<long> due, IReadOnlyList<long> sent, _) = await SendAsync(Rate, TimeSpan.Zero);

        Assert.Equal(due.Order(), due);
        Assert.All(due.Zip(sent), message => Assert.True(message.First <= message.Second));
    }

    /// <summary>An open loop: what the engine holds up is due all the same, and its wait counts.</summary>
    [Fact]
    public async Task Messages_AtARate_AreDueWhateverTheQueueDoes()
    {
        // Code that is compiled while messages are due makes large batches, too.
        await SendAsync(null, TimeSpan.Zero);
        (IReadOnlyList<long> due, _, int batches) = await SendAsync(Rate, TimeSpan.Zero);
        (IReadOnlyList<long> dueOfSlow, IReadOnlyList<long> sentBySlow, int batchesOfSlow) = await SendAsync(Rate, TimeSpan.FromMilliseconds(100));

        Assert.Equal(due.Zip(due.Skip(1), (a, b) => b - a), dueOfSlow.Zip(dueOfSlow.Skip(1), (a, b) => b - a));
        Assert.True(batchesOfSlow < batches, $"{batchesOfSlow} and {batches} batches");
        Assert.Contains(dueOfSlow.Zip(sentBySlow), message => Stopwatch.GetElapsedTime(message.First, message.Second) > TimeSpan.FromMilliseconds(5));
    }

    [Fact]
    public async Task Messages_WithoutARate_AreDueWhenTheirBatchIsSent()
    {
        (IReadOnlyList<long> due, _, int batches) = await SendAsync(null, TimeSpan.Zero);

        Assert.Equal(batches, due.Distinct().Count());
    }

    [Fact]
    public void Times_BetweenArrivals_AreExponential()
    {
        var random = new SeededRandom(7);
        double[] times = [.. Enumerable.Range(0, 100_000).Select(_ => random.Exponential())];

        Assert.InRange(times.Average(), 0.98, 1.02);
        Assert.InRange(times.Average(time => time * time), 1.9, 2.1);
        Assert.InRange(times.Count(time => time > 1) / 100_000.0, 0.363, 0.373);
    }

    /// <summary>Sends 350 messages.</summary>
    /// <returns>When each was due and sent, and the number of batches.</returns>
    private static async Task<(IReadOnlyList<long> Due, IReadOnlyList<long> Sent, int Batches)> SendAsync(double? rate, TimeSpan hold)
    {
        await using EngineQueues queues = await EngineQueues.OpenAsync(new QueueConnector(new MemoryQueueProvider()), "memory:", 1);
        var due = new List<long>();
        var sent = new List<long>();
        int batches = 0;
        var driver = new MessageDriver(queues, MessageFormats.Binary, SigningKey.HmacSha256("driver", new byte[32]))
        {
            Rate = rate,
            BatchSize = 50,
            Due = (_, at) =>
            {
                due.Add(at);
                sent.Add(Stopwatch.GetTimestamp());
            },
            Sending = (_, _) =>
            {
                batches++;
                Thread.Sleep(hold);
            },
        };
        await driver.SendAsync(MessageSet.Create(new MessageSetOptions { TradeCount = 50 }).GetMessages());
        return (due, sent, batches);
    }
}
