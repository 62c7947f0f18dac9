using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// More messages than a receiver fetches ahead, and what becomes of those that it has fetched and not handed out, has given back, or has given up.
public abstract partial class QueueConformance
{
    /// <summary>Whether the queue takes a message that was fetched ahead and never handed out for delivered: a broker cannot know.</summary>
    protected virtual bool CountsWhatIsFetchedAhead => false;

    [QueueFact]
    public async Task More_messages_than_a_prefetch_come_once_and_in_order()
    {
        QueueClient queue = await OpenAsync(PeekLock with { PrefetchCount = 3 });
        for (int i = 0; i < 50; i++)
            await queue.SendAsync(Message(i));
        for (int i = 0; i < 50; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal($"{i}", Text(message));
            await message.AcknowledgeAsync();
        }

        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [QueueFact]
    public async Task Priority_HigherFirst_AlsoBeyondAPrefetch()
    {
        QueueClient sender = await OpenAsync(ReceiveAndDelete);
        Needs(sender.Capabilities.Supports(QueueFeatures.Priorities));
        int[] priorities = [4, 0, 9];
        for (int i = 0; i < 60; i++)
            await SendAsync(sender, $"{i}", priorities[i % 3]);
        await AssertCountAsync(60, sender);
        QueueClient receiver = await OpenAsync(PeekLock with { PrefetchCount = 5 });
        var received = new List<string?>();
        for (int i = 0; i < 60; i++)
        {
            ReceivedMessage message = (await receiver.ReceiveAsync(Soon))!;
            received.Add(Text(message));
            await message.AcknowledgeAsync();
        }

        Assert.Equal(Enumerable.Range(0, 60).OrderByDescending(i => priorities[i % 3]).ThenBy(i => i).Select(i => $"{i}"), received);
    }

    [QueueFact]
    public async Task Properties_of_what_was_not_handed_over_are_as_sent()
    {
        foreach (QueueOptions options in new[] { PeekLock, ReceiveAndDelete })
        {
            QueueClient queue = await OpenAsync(options);
            DateTimeOffset start = DateTimeOffset.UtcNow;
            for (int i = 0; i < 4; i++)
                await queue.SendAsync(FullMessage(queue.Capabilities, i));
            ReceivedMessage first = (await queue.ReceiveAsync(Soon))!;
            AssertFull(first, queue.Capabilities, 0, start);
            await first.AcknowledgeAsync();
            await queue.DisposeAsync();

            QueueClient other = await OpenAsync(ReceiveAndDelete);
            for (int i = 1; i < 4; i++)
                AssertFull((await other.ReceiveAsync(Soon))!, queue.Capabilities, i, start);
            Assert.Null(await other.ReceiveAsync(TimeSpan.Zero));
        }
    }

    [QueueFact]
    public async Task Properties_of_what_comes_again_are_as_sent()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        DateTimeOffset start = DateTimeOffset.UtcNow;
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(FullMessage(queue.Capabilities, i));
        await (await queue.ReceiveAsync(Soon))!.ReturnAsync();
        var returned = new List<ReceivedMessage>();
        for (int i = 0; i < 3; i++)
            returned.Add((await queue.ReceiveAsync(Soon))!);
        AssertAll(returned);
        await queue.DisposeAsync();

        QueueClient next = await OpenAsync(PeekLock);
        var again = new List<ReceivedMessage>();
        for (int i = 0; i < 3; i++)
        {
            again.Add((await next.ReceiveAsync(Soon))!);
            await again[i].AcknowledgeAsync();
        }

        AssertAll(again);

        // Where there is a returned message among others, every broker says for itself.
        void AssertAll(List<ReceivedMessage> messages)
        {
            messages.Sort(static (a, b) => string.CompareOrdinal(a.MessageId, b.MessageId));
            for (int i = 0; i < messages.Count; i++)
                AssertFull(messages[i], queue.Capabilities, i, start);
        }
    }

    [QueueFact]
    public async Task Properties_of_dead_letters_are_as_sent_also_if_they_are_put_back()
    {
        QueueClient queue = await OpenWithDeadLettersAsync(PeekLock);
        DateTimeOffset start = DateTimeOffset.UtcNow;
        for (int i = 0; i < 3; i++)
        {
            await queue.SendAsync(FullMessage(queue.Capabilities, i));
            await (await queue.ReceiveAsync(Soon))!.DeadLetterAsync(DeadLetterReasons.UnreadableBody, $"byte {i}");
        }

        QueueClient first = await OpenAsync(ReceiveAndDelete, "dead");
        AssertLetter((await first.ReceiveAsync(Soon))!, 0);
        await first.DisposeAsync();
        QueueClient second = await OpenAsync(PeekLock, "dead");
        for (int i = 1; i < 3; i++)
        {
            ReceivedMessage letter = (await second.ReceiveAsync(Soon))!;
            AssertLetter(letter, i);
            await letter.AcknowledgeAsync();
        }

        void AssertLetter(ReceivedMessage letter, int number)
        {
            // A dead letter waits for somebody without end.
            Assert.Null(letter.TimeToLive);
            AssertFull(letter, queue.Capabilities with { Features = queue.Capabilities.Features & ~QueueFeatures.Expiry }, number, start);
            Assert.Equal((DeadLetterReasons.UnreadableBody, $"byte {number}"), (letter.DeadLetterReason, letter.DeadLetterDescription));
            Assert.Equal(queue.Address.QueueName, letter.DeadLetterSource);
        }
    }

    [QueueFact]
    public async Task Fetched_ahead_and_never_handed_out_is_no_delivery()
    {
        foreach (QueueOptions options in new[] { PeekLock, ReceiveAndDelete })
        {
            QueueClient queue = await OpenAsync(options);
            Needs(queue.Capabilities.Supports(QueueFeatures.DeliveryCounts));
            Needs(!CountsWhatIsFetchedAhead, "delivery counts without what is fetched ahead");
            for (int i = 0; i < 5; i++)
                await queue.SendAsync(Message(i));
            Assert.NotNull(await queue.ReceiveAsync(Soon));
            await queue.DisposeAsync();

            bool comesAgain = options.ReceiveMode == ReceiveMode.PeekLock;
            QueueClient next = await OpenAsync(PeekLock);
            ReceivedMessage? first = comesAgain ? await next.ReceiveAsync(Soon) : null;
            if (first is not null)
            {
                Assert.Equal(("0", 2), (Text(first), first.DeliveryCount));
                // What it has fetched ahead goes back with it.
                await first.ReturnAsync();
                ReceivedMessage again = (await next.ReceiveAsync(Soon))!;
                Assert.Equal(("0", 3), (Text(again), again.DeliveryCount));
                await again.AcknowledgeAsync();
            }

            for (int i = 1; i < 5; i++)
            {
                ReceivedMessage message = (await next.ReceiveAsync(Soon))!;
                Assert.Equal(($"{i}", 1), (Text(message), message.DeliveryCount));
                Assert.False(message.IsRedelivered);
                await message.AcknowledgeAsync();
            }

            await next.DisposeAsync();
        }
    }

    [QueueFact]
    public async Task Lease_Ended_CountAndPurgeSeeTheMessage()
    {
        QueueClient plain = await OpenAsync(PeekLock);
        Needs(plain.Capabilities.Supports(QueueFeatures.Leases));
        QueueClient queue = await OpenAsync(PeekLock with { LeaseDuration = Short });
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(Message(i));
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
        // Another handle may not know what this one has locked.
        QueueClient observer = PeekTellsLocksOfOthers ? plain : queue;
        await EventuallyAsync(async () => await observer.GetMessageCountAsync() == 3);

        Assert.Equal(3, await plain.PurgeAsync());

        Assert.Equal(0, await plain.GetMessageCountAsync());
        Assert.Null(await plain.ReceiveAsync(TimeSpan.Zero));
        await Assert.ThrowsAsync<QueueException>(() => message.AcknowledgeAsync().AsTask());
    }

    /// <summary>A message with every property that the queue can carry.</summary>
    private static QueueMessage FullMessage(QueueCapabilities capabilities, int number)
    {
        var message = new QueueMessage(new MessageBody(new byte[] { 1, 2, (byte)number }, BodyTypes.Binary, "text/xml; charset=utf-8"))
        {
            Label = $"an order — {number}",
            MessageId = $"id-{number}",
            CorrelationId = $"cause-{number}",
            ResponseQueue = "memory:answers",
            Headers =
            {
                ["text"] = "Grüße",
                ["yes"] = true,
                ["number"] = number,
                ["ticks"] = long.MaxValue,
                ["share"] = 0.25,
                ["bytes"] = "bytes"u8.ToArray(),
            },
        };
        if (capabilities.Supports(QueueFeatures.Priorities))
            message.Priority = 7;
        if (capabilities.Supports(QueueFeatures.Expiry))
            message.TimeToLive = TimeSpan.FromHours(1);
        return message;
    }

    private static void AssertFull(ReceivedMessage message, QueueCapabilities capabilities, int number, DateTimeOffset start)
    {
        Assert.Equal([1, 2, (byte)number], message.Body.ToArray());
        Assert.Equal((BodyTypes.Binary, "text/xml; charset=utf-8"), (message.Body.BodyType, message.Body.ContentType));
        Assert.Equal(
            ($"an order — {number}", $"id-{number}", $"cause-{number}", "memory:answers"),
            (message.Label, message.MessageId, message.CorrelationId, message.ResponseQueue));
        // A test that runs beside this one may trace every send.
        Assert.Equal(6, message.Headers.Keys.Count(static name => name is not ("traceparent" or "tracestate")));
        Assert.Equal(["Grüße", true, number, long.MaxValue, 0.25], new[] { "text", "yes", "number", "ticks", "share" }.Select(name => message.Headers[name]));
        Assert.Equal("bytes"u8.ToArray(), Assert.IsType<byte[]>(message.Headers["bytes"]));
        if (capabilities.Supports(QueueFeatures.Priorities))
            Assert.Equal(7, message.Priority);
        if (capabilities.Supports(QueueFeatures.Expiry))
            Assert.Equal(TimeSpan.FromHours(1), message.TimeToLive);
        if (message.SentTime is { } sent)
            Assert.InRange(sent, start.AddSeconds(-2), DateTimeOffset.UtcNow.AddSeconds(2));
    }
}
