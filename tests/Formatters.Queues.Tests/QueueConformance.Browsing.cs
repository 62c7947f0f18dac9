using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

// Looking without taking, and taking one message by its name; or refused in the capability's name.
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task Peek_ShowsMessagesInTheOrderOfReceivesAndLeavesThem()
    {
        QueueClient queue = await OpenBrowsableAsync();
        for (int i = 0; i < 10; i++)
            await SendAsync(queue, $"{i}", queue.Capabilities.Supports(QueueFeatures.Priorities) && i == 7 ? 9 : QueueMessage.DefaultPriority);
        string[] expected = queue.Capabilities.Supports(QueueFeatures.Priorities) ? ["7", "0", "1", "2", "3", "4", "5", "6", "8", "9"] : [.. Enumerable.Range(0, 10).Select(i => $"{i}")];

        for (int round = 0; round < 3; round++)
        {
            IReadOnlyList<PeekedMessage> peeked = await queue.PeekAsync();
            Assert.Equal(expected, peeked.Select(TextOf));
            Assert.All(peeked, message => Assert.Equal((0, false), (message.DeliveryCount, message.IsLocked)));
        }

        Assert.Equal(10, await queue.GetMessageCountAsync());
        foreach (string text in expected)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal((text, 1), (Text(message), message.DeliveryCount));
        }
    }

    [QueueFact]
    public async Task Peek_GoesOnFromAPosition()
    {
        QueueClient queue = await OpenBrowsableAsync();
        await queue.SendBatchAsync([.. Enumerable.Range(0, 25).Select(Message)]);
        IReadOnlyList<PeekedMessage> first = await queue.PeekAsync(new PeekOptions { MaxCount = 10 });
        Assert.Equal(Enumerable.Range(0, 10).Select(i => $"{i}"), first.Select(TextOf));
        // A position stays one when its message is gone.
        QueueClient other = await OpenAsync(ReceiveAndDelete);
        Assert.Equal(Enumerable.Range(0, 12).Select(i => $"{i}"), await ReceiveAllAsync(other, 12));

        Assert.Equal(Enumerable.Range(12, 10).Select(i => $"{i}"), (await queue.PeekAsync(new PeekOptions { MaxCount = 10, After = first[9].Position })).Select(TextOf));
        var all = new List<string>();
        await foreach (PeekedMessage message in queue.PeekAllAsync(new PeekOptions { MaxCount = 4 }))
            all.Add(TextOf(message));
        Assert.Equal(Enumerable.Range(12, 13).Select(i => $"{i}"), all);
        await Assert.ThrowsAsync<ArgumentException>(() => queue.PeekAsync(new PeekOptions { After = "here" }).AsTask());
    }

    [QueueFact]
    public async Task Peek_Selects()
    {
        QueueClient queue = await OpenBrowsableAsync();
        Needs(queue.Capabilities.Supports(QueueFeatures.Selectors));
        for (int i = 0; i < 9; i++)
            await queue.SendAsync(new QueueMessage(Message(i).Body) { Headers = { ["n"] = i % 3 } });

        IReadOnlyList<PeekedMessage> found = await queue.PeekAsync(new PeekOptions { Selector = "n = 1", MaxCount = 2 });

        Assert.Equal(["1", "4"], found.Select(TextOf));
        Assert.Equal(["7"], (await queue.PeekAsync(new PeekOptions { Selector = "n = 1", After = found[1].Position })).Select(TextOf));
        Assert.Throws<InvalidSelectorException>(() => new PeekOptions { Selector = "n =" });
    }

    /// <summary>Whether a peek tells what other handles have locked.</summary>
    protected virtual bool PeekTellsLocksOfOthers => true;

    [QueueFact]
    public async Task Peek_ShowsWhatOthersHaveUnderLock()
    {
        QueueClient queue = await OpenBrowsableAsync();
        await queue.SendBatchAsync([.. Enumerable.Range(0, 4).Select(Message)]);
        // Nothing fetched ahead, which would be held, too.
        QueueClient other = await OpenAsync(PeekLock with { PrefetchCount = 1 });
        ReceivedMessage zero = (await other.ReceiveAsync(Soon))!;
        ReceivedMessage one = (await other.ReceiveAsync(Soon))!;
        if (!PeekTellsLocksOfOthers)
        {
            Assert.Equal(["0", "1", "2", "3"], (await queue.PeekAsync()).Select(TextOf));
            queue = other;
        }

        IReadOnlyList<PeekedMessage> peeked = await queue.PeekAsync();
        Assert.Equal(["0", "1", "2", "3"], peeked.Select(TextOf));
        Assert.Equal([true, true], peeked.Take(2).Select(message => message.IsLocked));
        Assert.False(peeked[3].IsLocked);
        Assert.Equal(0, peeked[3].DeliveryCount);
        Assert.Equal(["1", "2", "3"], (await queue.PeekAsync(new PeekOptions { After = peeked[0].Position })).Select(TextOf));
        Assert.All(await queue.PeekAsync(new PeekOptions { IncludeLocked = false }), message => Assert.False(message.IsLocked));

        await zero.AcknowledgeAsync();
        await one.ReturnAsync();
        Assert.Equal(["1", "2", "3"], (await queue.PeekAsync()).Select(TextOf));
    }

    [QueueFact]
    public async Task Peek_ShowsAllThatAMessageHas()
    {
        QueueClient queue = await OpenBrowsableAsync();
        var sent = new QueueMessage(new MessageBody(new byte[] { 1, 2, 3 }, BodyTypes.Binary, "a/b"))
        {
            MessageId = "id-1", Label = "label", CorrelationId = "id-0", ResponseQueue = "memory:answers", Headers = { ["a"] = "b", ["n"] = 5L },
        };
        await queue.SendAsync(sent);
        await queue.SendAsync(Message("without an id"));

        IReadOnlyList<PeekedMessage> both = await queue.PeekAsync();
        PeekedMessage peeked = both[0];

        Assert.Equal([1, 2, 3], peeked.Body.ToArray());
        Assert.Equal((BodyTypes.Binary, "a/b"), (peeked.Body.BodyType, peeked.Body.ContentType));
        Assert.Equal(("id-1", "label", "id-0", "memory:answers"), (peeked.MessageId, peeked.Label, peeked.CorrelationId, peeked.ResponseQueue));
        Assert.Equal(("b", 5L), (peeked.Headers["a"], peeked.Headers["n"]));
        Assert.NotNull(peeked.SentTime);
        Assert.Null(peeked.DeadLetterReason);
        Assert.Equal("id-1", (await queue.ReceiveAsync(Soon))!.MessageId);
        Assert.Equal(both[1].MessageId, (await queue.ReceiveAsync(Soon))!.MessageId);
    }

    [QueueFact]
    public async Task Peek_OfADeadLetterQueue_SaysWhy()
    {
        await OpenBrowsableAsync();
        QueueClient queue = await OpenWithDeadLettersAsync(PeekLock);
        await queue.SendAsync(Message("poison"));
        await (await queue.ReceiveAsync(Soon))!.DeadLetterAsync("bad", "very");

        QueueClient dead = await OpenAsync(PeekLock, "dead");
        PeekedMessage letter = Assert.Single(await dead.PeekAsync());

        Assert.Equal(("poison", "bad", "very", queue.Address.QueueName), (TextOf(letter), letter.DeadLetterReason, letter.DeadLetterDescription, letter.DeadLetterSource));
    }

    /// <summary>Whether a peek leaves out a message that has expired while a delay lasts: otherwise it is shown until the end of the delay.</summary>
    protected virtual bool PeekHidesWhatExpiresInADelay => true;

    [QueueFact]
    public async Task Peek_ShowsNoDelayedMessageThatHasExpired()
    {
        QueueClient queue = await OpenBrowsableAsync();
        Needs(queue.Capabilities.Supports(QueueFeatures.Delays));
        Needs(queue.Capabilities.Supports(QueueFeatures.Expiry));
        Skip.If(!PeekHidesWhatExpiresInADelay, "A peek shows what expires in a delay until its end.");
        ReceivedMessage? message = null;
        // On a busy machine, it may expire before it is received.
        for (TimeSpan timeToLive = Short; message is null; timeToLive += timeToLive)
        {
            await SendAsync(queue, "x", timeToLive: timeToLive);
            message = await queue.ReceiveAsync(TimeSpan.Zero);
        }

        await message.ReturnAsync(TimeSpan.FromHours(1));
        await queue.SendAsync(new QueueMessage(Message("later").Body) { DueTime = DateTimeOffset.UtcNow.AddHours(1) });

        await EventuallyAsync(async () => (await queue.PeekAsync()).Select(TextOf).SequenceEqual(["later"]));
    }

    [QueueFact]
    public async Task Receive_ById_TakesThatOne()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await NeedsAsync(QueueFeatures.ReceiveById, queue, () => queue.ReceiveByIdAsync("x", TimeSpan.Zero).AsTask());
        for (int i = 0; i < 5; i++)
            await queue.SendAsync(new QueueMessage(Message(i).Body) { MessageId = i == 4 ? null : $"id-{i}", CorrelationId = $"c-{i % 2}" });

        ReceivedMessage two = (await queue.ReceiveByIdAsync("id-2", Soon))!;
        Assert.Equal("2", Text(two));
        await two.AcknowledgeAsync();
        Assert.Null(await queue.ReceiveByIdAsync("id-2", TimeSpan.Zero));
        Assert.Null(await queue.ReceiveByIdAsync("id", TimeSpan.FromMilliseconds(20)));
        ReceivedMessage one = (await queue.ReceiveByCorrelationIdAsync("c-1", Soon))!;
        Assert.Equal("1", Text(one));
        Assert.Equal("3", Text(await queue.ReceiveByCorrelationIdAsync("c-1", Soon)));
        Assert.Null(await queue.ReceiveByCorrelationIdAsync("c-1", TimeSpan.Zero));
        await one.ReturnAsync();
        Assert.Equal("0", Text(await queue.ReceiveAsync(Soon)));
        Assert.Equal("1", Text(await queue.ReceiveAsync(Soon)));
        ReceivedMessage four = (await queue.ReceiveAsync(Soon))!;
        // The id that the queue has made up is one, too.
        string made = four.MessageId!;
        await four.ReturnAsync();
        Assert.Equal("4", Text(await queue.ReceiveByIdAsync(made, Soon)));
    }

    [QueueFact]
    public async Task Receive_ById_WaitsForIt()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        Needs(queue.Capabilities.Supports(QueueFeatures.ReceiveById));
        ValueTask<ReceivedMessage?> answer = queue.ReceiveByCorrelationIdAsync("question", Soon);
        await queue.SendAsync(Message("another"));
        await queue.SendAsync(new QueueMessage(Message("answer").Body) { CorrelationId = "question" });

        Assert.Equal("answer", Text(await answer));
        Assert.Equal("another", Text(await queue.ReceiveAsync(Soon)));
        await Assert.ThrowsAnyAsync<ArgumentException>(() => queue.ReceiveByIdAsync("", TimeSpan.Zero).AsTask());
    }

    /// <summary>Opens a queue that can be looked into; null, when it was seen to refuse that by name, if it cannot.</summary>
    private async Task<QueueClient> OpenBrowsableAsync()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await NeedsAsync(QueueFeatures.Peek, queue, () => queue.PeekAsync().AsTask());
        return queue;
    }

    private static string TextOf(PeekedMessage message) => System.Text.Encoding.UTF8.GetString(message.Body.ToArray());
}
