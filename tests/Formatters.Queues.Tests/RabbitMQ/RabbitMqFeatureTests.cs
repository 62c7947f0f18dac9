using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Acknowledgement modes, what the broker keeps with a queue, and selectors as Erlang terms.</summary>
public sealed class RabbitMqFeatureTests : QueueTestBase
{
    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };

    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    [BrokerFact]
    public async Task Cumulative_AcknowledgesAllBefore()
    {
        QueueClient queue = await OpenAsync(PeekLock with { AcknowledgeMode = AcknowledgeMode.Cumulative });
        List<ReceivedMessage> messages = await ExchangeAsync(queue, 6);
        await messages[1].ReturnAsync();
        await messages[3].AcknowledgeAsync();
        // Done already: no second time, no way back.
        await messages[0].AcknowledgeAsync();
        await messages[2].ReturnAsync();
        await messages[2].AcknowledgeAsync();
        Assert.Equal("1", Text(await queue.ReceiveAsync(Soon)));
        await queue.DisposeAsync();

        QueueClient again = await OpenAsync(PeekLock);
        Assert.Equal(["1", "4", "5"], (await ReceiveAllAsync(again, 3)).Order());
        Assert.Null(await again.ReceiveAsync(TimeSpan.Zero));
    }

    /// <summary>A receiver that has stopped keeps no more than its prefetch, whatever is sent; when it is gone, others get that too, as redelivered.</summary>
    [BrokerTheory]
    [InlineData(1)]
    [InlineData(10)]
    public async Task Stopped_receiver_keeps_its_prefetch_and_no_more(int prefetchCount)
    {
        const int Count = 300;
        QueueClient stopped = await OpenAsync(PeekLock with { PrefetchCount = prefetchCount });
        await using QueueClient other = await Connector.OpenAsync(AddressOf("a"), PeekLock);
        for (int i = 0; i < prefetchCount; i++)
            await other.SendAsync(Message(i));
        Assert.Equal("0", Text(await stopped.ReceiveAsync(Soon)));
        for (int i = prefetchCount; i < Count; i++)
            await other.SendAsync(new QueueMessage(new MessageBody(new byte[10_000], 0)) { MessageId = $"{i}" });

        var received = new HashSet<string>();
        while (received.Count < Count - prefetchCount && await other.ReceiveAsync(Soon) is { } message)
        {
            received.Add(message.MessageId!);
            Assert.False(message.IsRedelivered);
            await message.AcknowledgeAsync();
        }

        Assert.Equal(Count - prefetchCount, received.Count);
        Assert.Null(await other.ReceiveAsync(TimeSpan.FromMilliseconds(100)));
        await stopped.DisposeAsync();
        for (int i = 0; i < prefetchCount; i++)
        {
            ReceivedMessage message = (await other.ReceiveAsync(Soon))!;
            Assert.Equal(($"{i}", true), (Text(message), message.IsRedelivered));
            await message.AcknowledgeAsync();
        }

        Assert.Null(await other.ReceiveAsync(TimeSpan.Zero));
    }

    [BrokerTheory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(200)]
    public async Task Lazy_EverythingAcknowledgedIsGone_AlsoOutOfOrder(int prefetchCount)
    {
        QueueClient queue = await OpenAsync(PeekLock with { AcknowledgeMode = AcknowledgeMode.Lazy, PrefetchCount = prefetchCount });
        for (int i = 0; i < 100; i++)
            await queue.SendAsync(Message(i));
        var held = new List<ReceivedMessage>();
        var random = new Random(prefetchCount);
        for (int i = 0; i < 100; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal($"{i}", Text(message));
            held.Add(message);
            while (held.Count > 0 && (held.Count >= prefetchCount || random.Next(3) == 0))
            {
                int index = random.Next(held.Count);
                await held[index].AcknowledgeAsync();
                held.RemoveAt(index);
            }
        }

        List<string?> left = held.ConvertAll(Text);
        await queue.DisposeAsync();
        QueueClient again = await OpenAsync(PeekLock);
        Assert.Equal(left, await ReceiveAllAsync(again, left.Count));
        Assert.Null(await again.ReceiveAsync(TimeSpan.Zero));
    }

    [BrokerFact]
    public async Task Lazy_ReturnedMessagesComeAgain()
    {
        QueueClient queue = await OpenAsync(PeekLock with { AcknowledgeMode = AcknowledgeMode.Lazy });
        List<ReceivedMessage> messages = await ExchangeAsync(queue, 10);
        for (int i = 0; i < 10; i++)
        {
            if (i % 3 == 0)
                await messages[i].ReturnAsync();
            else
                await messages[i].AcknowledgeAsync();
        }

        Assert.Equal(["0", "3", "6", "9"], (await ReceiveAllAsync(queue, 4)).Order());
        await queue.DisposeAsync();
        QueueClient again = await OpenAsync(PeekLock);
        Assert.Equal(["0", "3", "6", "9"], (await ReceiveAllAsync(again, 4)).Order());
        Assert.Null(await again.ReceiveAsync(TimeSpan.Zero));
    }

    [BrokerFact]
    public async Task Settings_that_the_broker_keeps_are_refused_when_they_differ()
    {
        await OpenAsync(PeekLock with { MaxMessageCount = 5 }, "limited");
        // Who asks for nothing takes the queue as it is.
        await OpenAsync(PeekLock, "limited");
        await OpenAsync(QueueOptions.Fastest, "limited");
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(PeekLock with { MaxMessageCount = 6 }, "limited"));
        Assert.Contains("x-max-length", e.Message, StringComparison.Ordinal);
        await OpenAsync(PeekLock, "plain");
        await Assert.ThrowsAsync<QueueException>(() => OpenAsync(PeekLock with { DeadLetterQueue = "x" }, "plain"));
    }

    [BrokerFact]
    public async Task TimeToLive_BeyondTheBrokers_IsTheCallersMistake()
    {
        QueueClient queue = await OpenAsync(PeekLock);

        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(new QueueMessage { TimeToLive = TimeSpan.FromDays(50) }).AsTask());
        await queue.SendAsync(new QueueMessage { TimeToLive = TimeSpan.FromDays(49) });
    }

    [BrokerFact]
    public async Task DeadLetter_InATransaction_HappensWithTheCommit()
    {
        var options = new QueueOptions { DeliveryMode = DeliveryMode.Transactional, DeadLetterQueue = AddressOf("dead")[Place.Length..] };
        QueueClient queue = await OpenAsync(options);
        QueueClient dead = await OpenAsync(QueueOptions.Fastest, "dead");
        await using (QueueTransaction sending = await queue.BeginTransactionAsync())
        {
            await queue.SendAsync(Message("x"), sending);
            await sending.CommitAsync();
        }

        foreach (bool commits in new[] { false, true })
        {
            await using QueueTransaction transaction = await queue.BeginTransactionAsync();
            await (await queue.ReceiveAsync(Soon, transaction))!.DeadLetterAsync("why", "because");
            if (commits)
                await transaction.CommitAsync();
            else
                Assert.Null(await dead.ReceiveAsync(TimeSpan.Zero));
        }

        ReceivedMessage letter = (await dead.ReceiveAsync(Soon))!;
        Assert.Equal(("x", "why", "because", queue.Address.QueueName), (Text(letter), letter.DeadLetterReason, letter.DeadLetterDescription, letter.DeadLetterSource));
        await using QueueTransaction last = await queue.BeginTransactionAsync();
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero, last));
    }

    [BrokerFact]
    public async Task Topic_HeadersThatSelectorsFailOn_AreRefused()
    {
        await using MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"));
        foreach (object value in new object[] { new byte[] { 1 }, 1u, (byte)1, 1.5m, double.NaN, float.PositiveInfinity, new List<object> { 1 } })
            await Assert.ThrowsAsync<ArgumentException>(() => topic.SendAsync(new QueueMessage { Headers = { ["h"] = value } }).AsTask());
        await topic.SendAsync(new QueueMessage { Headers = { ["h"] = 1.5f } });
    }

    /// <summary>Every case of the predicate, and random ones on headers of any type: the exchange filters, the receiver has the last word.</summary>
    [BrokerFact]
    public async Task Topic_SelectorsSelectAsThePredicate()
    {
        // As many subscriptions, each with a connection, at a time.
        const int Subscriptions = 40;
        var cases = new SelectorCases(11, mixesTypes: true);
        var sample = new QueueMessage { CorrelationId = SelectorTruths.Sample.CorrelationId, Label = SelectorTruths.Sample.Label };
        // All headers but those which topics refuse.
        foreach ((string name, object value) in SelectorTruths.Sample.Headers)
        {
            if (value is not (byte[] or double.PositiveInfinity))
                sample.Headers[name] = value;
        }

        QueueMessage[] messages = [sample, .. Enumerable.Range(0, 30).Select(_ => cases.NextMessage())];
        for (int i = 0; i < messages.Length; i++)
            messages[i].MessageId = $"id-{i + 1}";
        string[] selectors = [.. SelectorTruths.Cases.Select(one => one.Selector), .. Enumerable.Range(0, 100).Select(_ => cases.NextSelector())];
        await using MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete });
        int selectedCount = 0;
        foreach (string[] some in selectors.Chunk(Subscriptions))
        {
            QueueClient[] subscriptions = await Task.WhenAll(some.Select(selector => topic.SubscribeAsync(selector).AsTask()));
            foreach (QueueMessage message in messages)
                await topic.SendAsync(message);
            for (int s = 0; s < some.Length; s++)
            {
                MessageSelector selector = MessageSelector.Parse(some[s]);
                string[] expected = [.. messages.Where(selector.Matches).Select(message => message.MessageId!)];
                var received = new List<string>();
                while (received.Count < expected.Length && await subscriptions[s].ReceiveAsync(Soon) is { } message)
                    received.Add(message.MessageId!);
                Assert.True(expected.SequenceEqual(received), $"{some[s]} selects {string.Join(", ", received)} and not {string.Join(", ", expected)}");
                selectedCount += received.Count;
            }

            // By now what should not have come would be there.
            for (int s = 0; s < some.Length; s++)
            {
                Assert.True(await subscriptions[s].ReceiveAsync(TimeSpan.FromMilliseconds(20)) is null, $"{some[s]} selects more");
                await subscriptions[s].DisposeAsync();
            }
        }

        // Neither all nor none: the cases tell something.
        Assert.InRange(selectedCount, selectors.Length * messages.Length / 10, selectors.Length * messages.Length * 9 / 10);
    }

    [BrokerFact]
    public async Task Topic_WithoutThePlugin_SelectsAtTheReceiver()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync(("RABBITMQ_PLUGINS", ""));
        await using MessageTopic topic = await Connector.OpenTopicAsync(broker.Address + "/topic", new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete });
        await using QueueClient odd = await topic.SubscribeDurableAsync("odd", "n = 1 OR n = 3");
        for (int i = 0; i < 5; i++)
            await topic.SendAsync(new QueueMessage(Message(i).Body) { Headers = { ["n"] = i } });

        Assert.Equal(["1", "3"], await ReceiveAllAsync(odd, 2));
        Assert.Null(await odd.ReceiveAsync(TimeSpan.Zero));
        Assert.Equal(0, await odd.GetMessageCountAsync());
    }

    private static async Task<List<ReceivedMessage>> ExchangeAsync(QueueClient queue, int count)
    {
        for (int i = 0; i < count; i++)
            await queue.SendAsync(Message(i));
        var messages = new List<ReceivedMessage>();
        for (int i = 0; i < count; i++)
            messages.Add((await queue.ReceiveAsync(Soon))!);
        return messages;
    }
}
