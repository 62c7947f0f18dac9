using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What the topics of every kind of queue do, in one mode without transactions.</summary>
public abstract partial class TopicConformance : QueueTestBase
{
    protected abstract DeliveryMode Mode { get; }

    private QueueOptions Options => new() { DeliveryMode = Mode, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    [QueueFact]
    public async Task Every_subscription_gets_every_message_in_order()
    {
        MessageTopic topic = await OpenTopicAsync();
        await using QueueClient durable = await topic.SubscribeDurableAsync("durable");
        await using QueueClient first = await topic.SubscribeAsync();
        await using QueueClient second = await topic.SubscribeAsync();
        for (int i = 0; i < 50; i++)
            await topic.SendAsync(Message(i));

        foreach (QueueClient subscription in new[] { durable, first, second })
        {
            Assert.Equal(Enumerable.Range(0, 50).Select(i => $"{i}"), await ReceiveAllAsync(subscription, 50));
            Assert.Null(await subscription.ReceiveAsync(TimeSpan.Zero));
        }
    }

    [QueueFact]
    public async Task Durable_subscription_collects_while_it_is_closed()
    {
        MessageTopic topic = await OpenTopicAsync();
        await using (QueueClient witness = await topic.SubscribeDurableAsync("durable"))
        {
            await topic.SendAsync(Message("too early"));
            await AssertCountAsync(1, witness);
        }

        await using (await topic.SubscribeDurableAsync("s", "n > 1"))
        {
        }

        for (int i = 0; i < 4; i++)
            await topic.SendAsync(Numbered(i));
        await using QueueClient again = await topic.SubscribeDurableAsync("s", "n > 1");

        Assert.Equal(["2", "3"], await ReceiveAllAsync(again, 2));
        Assert.Null(await again.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Subscription_gets_nothing_after_it_was_closed_or_unsubscribed()
    {
        MessageTopic topic = await OpenTopicAsync();
        QueueClient durable = await topic.SubscribeDurableAsync("s");
        QueueClient other = await topic.SubscribeAsync();
        await other.DisposeAsync();
        await topic.SendAsync(Message("lost"));
        await AssertCountAsync(1, durable);
        await durable.DisposeAsync();

        Assert.True(await topic.UnsubscribeAsync("s"));
        Assert.False(await topic.UnsubscribeAsync("s"));
        await topic.SendAsync(Message("nobody wants it"));
        await using QueueClient anew = await topic.SubscribeDurableAsync("s");
        Assert.Null(await anew.ReceiveAsync(TimeSpan.FromMilliseconds(50)));
    }

    /// <summary>Every operator, on every type of header, against the predicate; a topic may filter at the broker.</summary>
    [QueueFact]
    public async Task Subscriptions_get_what_their_selectors_select()
    {
        MessageTopic topic = await OpenTopicAsync();
        var cases = new SelectorCases(7);
        string[] selectors =
        [
            "colour = 'red' AND n > 3", "colour LIKE 'r%' OR n BETWEEN 1 AND 2", "colour NOT LIKE '%e_'", "n * 2 = 4", "NOT (n < 3)", "NOT (colour = 'red')", "yes", "NOT yes", "n IS NULL", "colour IS NOT NULL",
            "colour IN ('red', 'blue')", "colour NOT IN ('red')", "n <> 3", "share <= 1.5", "JMSCorrelationID = 'c'", "JMSMessageID IS NOT NULL", "JMSType LIKE 'lab%'", "n = 'x'", "3 < n", "1 = 1", "1 = 0",
            "NOT (n > 3)", "NOT 3 > n", "n = share", "NOT n = share", "mixed > 5", "mixed = '5'", "NOT mixed > 5", "mixed LIKE '5'", "mixed + 1 = 8", "NOT mixed", "JMSPriority = 4", "colour <> 'it''s'", "\"strange \\ name\" = 'ü'",
            .. Enumerable.Range(0, 20).Select(_ => cases.NextSelector()),
        ];
        var messages = new List<QueueMessage>();
        for (int i = 0; i < 40; i++)
        {
            QueueMessage message = i < 20 ? cases.NextMessage() : Numbered(i - 20);
            message.MessageId = $"m{i}";
            message.Headers["colour"] = new[] { "red", "blue", "r", "green", "it's" }[i % 5];
            message.Headers["yes"] = i % 2 == 0;
            message.Headers["share"] = i / 8.0;
            message.Headers["mixed"] = new object[] { "5", 7, true, 7.5 }[i % 4];
            message.Headers["strange \\ name"] = "ü";
            message.CorrelationId = i % 3 == 0 ? "c" : null;
            message.Label = i % 4 == 0 ? "label" : null;
            messages.Add(message);
        }

        var subscriptions = new List<QueueClient>();
        try
        {
            foreach (string selector in selectors)
                subscriptions.Add(await topic.SubscribeAsync(selector));
            foreach (QueueMessage message in messages)
                await topic.SendAsync(message);

            for (int s = 0; s < selectors.Length; s++)
            {
                MessageSelector selector = MessageSelector.Parse(selectors[s]);
                string[] expected = messages.Where(selector.Matches).Select(message => message.MessageId!).ToArray();
                var received = new List<string>();
                for (int i = 0; i < expected.Length; i++)
                    received.Add((await subscriptions[s].ReceiveAsync(Soon))?.MessageId ?? $"nothing for {selectors[s]}");
                Assert.Equal(expected, received);
                Assert.Null(await subscriptions[s].ReceiveAsync(TimeSpan.Zero));
                // Each that has received has a session of its own, and a server takes only so many.
                await subscriptions[s].DisposeAsync();
            }
        }
        finally
        {
            foreach (QueueClient subscription in subscriptions)
                await subscription.DisposeAsync();
        }
    }

    [QueueFact]
    public async Task Another_selector_replaces_the_first()
    {
        MessageTopic topic = await OpenTopicAsync();
        await (await topic.SubscribeDurableAsync("s", "n < 5")).DisposeAsync();
        await using (QueueClient witness = await topic.SubscribeDurableAsync("durable"))
        {
            for (int i = 0; i < 10; i++)
                await topic.SendAsync(Numbered(i));
            await AssertCountAsync(10, witness);
        }

        await using QueueClient subscription = await topic.SubscribeDurableAsync("s", "n > 2");
        for (int i = 0; i < 4; i++)
            await topic.SendAsync(Numbered(i));

        Assert.Equal(["3", "4", "3"], await ReceiveAllAsync(subscription, 3));
        Assert.Null(await subscription.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Topic_without_subscriptions_takes_messages()
    {
        MessageTopic topic = await OpenTopicAsync();
        for (int i = 0; i < 10; i++)
            await topic.SendAsync(Message(i));
        Assert.True(topic.Capabilities.Supports(QueueFeatures.Topics));
        Assert.Equal(Mode, topic.Options.DeliveryMode);
    }

    [QueueFact]
    public async Task What_is_no_selector_is_refused()
    {
        MessageTopic topic = await OpenTopicAsync();

        await Assert.ThrowsAsync<InvalidSelectorException>(() => topic.SubscribeAsync("n >").AsTask());
        await Assert.ThrowsAsync<InvalidSelectorException>(() => topic.SubscribeDurableAsync("s", "n >").AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => topic.SubscribeDurableAsync("").AsTask());
        await topic.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => topic.SendAsync(Message("x")).AsTask());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => topic.SubscribeAsync().AsTask());
    }

    [QueueFact]
    public async Task PeekLock_on_a_durable_subscription()
    {
        MessageTopic topic = await OpenTopicAsync();
        QueueClient subscription = await topic.SubscribeDurableAsync("s", null, Options with { ReceiveMode = ReceiveMode.PeekLock });
        await topic.SendAsync(Message("x"));
        Assert.Equal("x", Text(await subscription.ReceiveAsync(Soon)));
        await subscription.DisposeAsync();

        await using QueueClient again = await topic.SubscribeDurableAsync("s");
        ReceivedMessage message = (await again.ReceiveAsync(Soon))!;
        Assert.Equal(("x", true), (Text(message), message.IsRedelivered));
    }

    private async Task<MessageTopic> OpenTopicAsync()
    {
        MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"), Options);
        OnDispose(async () =>
        {
            await using MessageTopic last = await Connector.OpenTopicAsync(AddressOf("topic"), Options);
            foreach (string name in new[] { "s", "durable" })
                await last.UnsubscribeAsync(name);
            await topic.DisposeAsync();
        });
        return topic;
    }

    private static QueueMessage Numbered(int number) => new(Message(number).Body) { Headers = { ["n"] = number } };
}
