using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A queue that is deleted or full while others send: what is not in it, the sender still has, or is told.</summary>
public sealed class RabbitMqTargetTests : QueueTestBase
{
    private static readonly QueueOptions ReceiveAndDelete = new() { ReceiveMode = ReceiveMode.ReceiveAndDelete };

    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    /// <summary>The broker confirms what it can put into no queue. Taken for sent, those messages would leave the folder and be nowhere.</summary>
    [BrokerTheory]
    [InlineData(1)]
    [InlineData(10)]
    public async Task Deleted_while_a_forwarder_runs_the_messages_stay_until_there_is_a_queue_again(int batchSize)
    {
        var folder = new TestFolder();
        await using var folders = new FileQueueProvider();
        var connector = new QueueConnector(folders, Provider);
        string source = $"file://{folder.Path}/outbox", target = AddressOf("target");
        await using QueueClient outbox = await connector.OpenAsync(source);
        var failures = new List<Exception>();
        var options = new ForwarderOptions { BatchSize = batchSize, MinBackOff = TimeSpan.FromMilliseconds(1), OnRetry = (e, _) => failures.Add(e) };
        var forwarder = new QueueForwarder(connector, source, target, options);
        using var stop = new CancellationTokenSource();
        Task running = forwarder.RunAsync(stop.Token);
        const int Rounds = 4, PerRound = 20;
        for (int round = 0; round < Rounds; round++)
        {
            for (int i = 0; i < PerRound; i++)
                await outbox.SendAsync(new QueueMessage { Label = $"{round} {i}" });
            await using (QueueClient queue = await connector.OpenAsync(target, ReceiveAndDelete))
            {
                for (int i = 0; i < PerRound; i++)
                    Assert.Equal($"{round} {i}", (await queue.ReceiveAsync(Soon))!.Label);
                Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            }

            await connector.DeleteAsync(target);
        }

        await stop.CancelAsync();
        await running.WaitAsync(Soon);
        Assert.Equal(((long)Rounds * PerRound, 0L), (forwarder.ForwardedCount, forwarder.SetAsideCount));
        Assert.All(failures, e => Assert.Contains("no queue", e.Message, StringComparison.Ordinal));
        Assert.InRange(failures.Count, 1, Rounds);
        folder.Delete();
    }

    [BrokerTheory]
    [InlineData(1)]
    [InlineData(10)]
    public async Task Full_before_a_forwarder_the_messages_stay_until_there_is_room(int batchSize)
    {
        var folder = new TestFolder();
        await using var folders = new FileQueueProvider();
        var connector = new QueueConnector(folders, Provider);
        string source = $"file://{folder.Path}/outbox";
        QueueClient queue = await OpenAsync(ReceiveAndDelete with { MaxMessageCount = 5 }, "limited");
        await using QueueClient outbox = await connector.OpenAsync(source);
        for (int i = 0; i < 30; i++)
            await outbox.SendAsync(new QueueMessage { Label = $"{i}" });

        var isFull = new TaskCompletionSource<Exception>();
        var options = new ForwarderOptions
        {
            BatchSize = batchSize,
            MinBackOff = TimeSpan.FromMilliseconds(1),
            MaxBackOff = TimeSpan.FromMilliseconds(20),
            OnRetry = (e, _) => isFull.TrySetResult(e),
        };
        Task running = new QueueForwarder(connector, source, AddressOf("limited"), options).RunUntilEmptyAsync();
        QueueException refusal = Assert.IsType<QueueException>(await isFull.Task.WaitAsync(Soon));
        Assert.Contains("refused", refusal.Message, StringComparison.Ordinal);
        Assert.False(refusal.OutcomeUnknown);
        Assert.Equal(30, 5 + await outbox.GetMessageCountAsync() + await outbox.GetLockedCountAsync());

        List<string?> labels = [];
        for (int i = 0; i < 30; i++)
            labels.Add((await queue.ReceiveAsync(Soon))!.Label);
        await running.WaitAsync(Soon);
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        Assert.Equal(Enumerable.Range(0, 30).Select(static i => $"{i}").Order(StringComparer.Ordinal), labels.Order(StringComparer.Ordinal));
        // What is refused alone comes after others of its batch.
        if (batchSize == 1)
            Assert.Equal(Enumerable.Range(0, 30).Select(static i => $"{i}"), labels);
        folder.Delete();
    }

    /// <summary>As many sends are under way as there are: each is told of its own message.</summary>
    [BrokerFact]
    public async Task Full_under_many_sends_exactly_those_that_completed_are_in_the_queue()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete with { MaxMessageCount = 50 }, "limited");
        for (int round = 0; round < 3; round++)
        {
            Task[] sends = [.. Enumerable.Range(0, 200).Select(i => queue.SendAsync(new QueueMessage { Label = $"{i}" }).AsTask())];
            var completed = new List<string?>();
            for (int i = 0; i < sends.Length; i++)
            {
                try
                {
                    await sends[i];
                    completed.Add($"{i}");
                }
                catch (QueueException e)
                {
                    Assert.False(e.OutcomeUnknown);
                    Assert.Contains("the queue is full", e.Message, StringComparison.Ordinal);
                }
            }

            Assert.InRange(completed.Count, 50, 199);
            var found = new List<string?>();
            for (int i = 0; i < completed.Count; i++)
                found.Add((await queue.ReceiveAsync(Soon))!.Label);
            Assert.Equal(completed, found);
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        }
    }
}
