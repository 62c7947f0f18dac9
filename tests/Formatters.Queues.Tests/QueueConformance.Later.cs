using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// Messages for a time, returns with a delay, and duplicates: or refused in the capability's name.
public abstract partial class QueueConformance
{
    private static readonly TimeSpan Later = TimeSpan.FromSeconds(1.5);

    /// <summary>On a machine so busy that the message is due before it is looked for, once more with a longer time.</summary>
    [QueueFact]
    public async Task DueTime_NobodyReceivesTheMessageBefore()
    {
        QueueClient queue = await OpenDelayingAsync();
        for (TimeSpan delay = Later; ; delay = 3 * delay)
        {
            DateTimeOffset due = DateTimeOffset.UtcNow + delay;
            await queue.SendAsync(new QueueMessage(Message("later").Body) { DueTime = due, MessageId = $"l{delay}" });
            await queue.SendAsync(Message("now"));
            await queue.SendBatchAsync([new QueueMessage(Message("much later").Body) { DueTime = due.AddHours(1) }, new QueueMessage(Message("past").Body) { DueTime = due.AddYears(-1) }]);
            long count = await queue.GetMessageCountAsync();
            long? locked = await queue.GetLockedCountAsync();
            List<ReceivedMessage?> received = [await queue.ReceiveAsync(Soon), await queue.ReceiveAsync(Soon), await queue.ReceiveAsync(TimeSpan.Zero)];
            ReceivedMessage? byId = queue.Capabilities.Supports(QueueFeatures.ReceiveById) ? await queue.ReceiveByIdAsync($"l{delay}", TimeSpan.Zero) : null;
            if (DateTimeOffset.UtcNow > due - TimeSpan.FromMilliseconds(300) && delay < TimeSpan.FromMinutes(1))
            {
                foreach (ReceivedMessage? message in received.Append(byId))
                    await (message?.AcknowledgeAsync() ?? default);
                await queue.PurgeAsync();
                continue;
            }

            Assert.Equal((4, 0L), (count, locked ?? 0));
            Assert.Equal(new List<string?> { "now", "past", null }, received.ConvertAll(message => message is null ? null : Text(message)));
            Assert.Null(byId);
            ReceivedMessage later = (await queue.ReceiveAsync(delay + Soon))!;

            Assert.True(DateTimeOffset.UtcNow > due.AddMilliseconds(-200), "Too early.");
            Assert.Equal(("later", 1), (Text(later), later.DeliveryCount));
            Assert.Equal(due.ToUnixTimeMilliseconds(), later.DueTime!.Value.ToUnixTimeMilliseconds());
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            await AssertCountAsync(1, queue);
            Assert.Equal(1, await queue.PurgeAsync());
            return;
        }
    }

    /// <summary>Whether a message that is due takes its place by the order of the sends: otherwise it is appended.</summary>
    protected virtual bool DueMessagesTakeTheirPlace => true;

    [QueueFact]
    public async Task DueTime_Come_TheMessageTakesItsPlaceByTheOrderOfTheSends()
    {
        QueueClient queue = await OpenDelayingAsync();
        DateTimeOffset due = DateTimeOffset.UtcNow + Later;
        await queue.SendAsync(Message("0"));
        await queue.SendAsync(new QueueMessage(Message("1").Body) { DueTime = due });
        await queue.SendAsync(Message("2"));
        await queue.SendAsync(new QueueMessage(Message("3").Body) { DueTime = due.AddMilliseconds(-200) });
        await Task.Delay(Later + TimeSpan.FromMilliseconds(300));

        string[] order = DueMessagesTakeTheirPlace ? ["0", "1", "2", "3"] : ["0", "2", "3", "1"];
        Assert.Equal(order, await ReceiveAllAsync(queue, 4));
    }

    [QueueFact]
    public async Task DueTime_ATimeToLiveCountsFromIt()
    {
        QueueClient queue = await OpenDelayingAsync();
        Needs(queue.Capabilities.Supports(QueueFeatures.Expiry));
        // On a busy machine the receive may come after the time to live; then it is tried again with a longer one.
        for (TimeSpan later = Later; ; later += later)
        {
            // From the send on both would be over by then.
            DateTimeOffset due = DateTimeOffset.UtcNow + later;
            await queue.SendAsync(NewMessage("x", later - TimeSpan.FromMilliseconds(1)));
            await queue.SendBatchAsync([NewMessage("y", TimeSpan.FromMilliseconds(1)), NewMessage("z", later - TimeSpan.FromMilliseconds(1))]);
            await Task.Delay(later + TimeSpan.FromMilliseconds(400));

            List<string?> received = [Text(await queue.ReceiveAsync(TimeSpan.FromMilliseconds(300))), Text(await queue.ReceiveAsync(TimeSpan.Zero))];
            if (received[1] is null && DateTimeOffset.UtcNow > due + later - TimeSpan.FromMilliseconds(400) && later < TimeSpan.FromMinutes(1))
                continue;
            Assert.Equal(["x", "z"], received);
            Assert.Null(await queue.ReceiveAsync(TimeSpan.FromMilliseconds(300)));
            return;

            QueueMessage NewMessage(string text, TimeSpan timeToLive) => new(Message(text).Body) { DueTime = due, TimeToLive = timeToLive };
        }
    }

    [QueueFact]
    public async Task Return_WithADelay_TheMessageComesAgainAfterIt()
    {
        QueueClient queue = await OpenDelayingAsync();
        await queue.SendBatchAsync([Message("0"), Message("1")]);
        ReceivedMessage zero = (await queue.ReceiveAsync(Soon))!;
        long start = Environment.TickCount64;
        await zero.ReturnAsync(Later);
        Assert.Equal("1", Text(await queue.ReceiveAsync(Soon)));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        if (queue.Capabilities.Supports(QueueFeatures.Peek))
        {
            PeekedMessage waiting = Assert.Single(await queue.PeekAsync(new PeekOptions { IncludeLocked = false }));
            Assert.Equal((1, false), (waiting.DeliveryCount, waiting.IsLocked));
            Assert.InRange(waiting.DueTime!.Value, DateTimeOffset.UtcNow.AddSeconds(-20), DateTimeOffset.UtcNow + Later + TimeSpan.FromSeconds(1));
            Assert.Empty(await queue.PeekAsync(new PeekOptions { IncludeLocked = false, IncludeDelayed = false }));
        }

        ReceivedMessage again = (await queue.ReceiveAsync(Soon))!;

        Assert.Equal("0", Text(again));
        Assert.True(again.IsRedelivered);
        Assert.InRange(Environment.TickCount64 - start, Later.TotalMilliseconds - 200, double.MaxValue);
        await again.ReturnAsync(TimeSpan.Zero);
        Assert.Equal("0", Text(await queue.ReceiveAsync(TimeSpan.FromSeconds(5))));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => again.ReturnAsync(TimeSpan.FromSeconds(-1)).AsTask());
    }

    [QueueFact]
    public async Task Duplicate_WithinTheWindow_IsRefusedAlsoWhenTheFirstWasReceived()
    {
        QueueClient plain = await OpenAsync(PeekLock);
        QueueOptions options = PeekLock with { DuplicateWindow = TimeSpan.FromMinutes(10) };
        await NeedsAsync(QueueFeatures.DuplicateDetection, plain, () => OpenAsync(options));
        QueueClient queue = await OpenAsync(options);
        await queue.SendAsync(new QueueMessage(Message("0").Body) { MessageId = "a" });
        DuplicateMessageException e = await Assert.ThrowsAsync<DuplicateMessageException>(() => queue.SendAsync(new QueueMessage(Message("1").Body) { MessageId = "a" }).AsTask());
        Assert.Equal(["a"], e.MessageIds);
        Assert.False(e.OutcomeUnknown);
        await queue.SendAsync(Message("no id"));
        await queue.SendAsync(Message("no id"));
        await (await queue.ReceiveAsync(Soon))!.AcknowledgeAsync();
        // By another handle, too; and one without a window looks at nothing.
        QueueClient other = await OpenAsync(options);
        await Assert.ThrowsAsync<DuplicateMessageException>(() => other.SendAsync(new QueueMessage { MessageId = "a" }).AsTask());
        await plain.SendAsync(new QueueMessage(Message("unchecked").Body) { MessageId = "a" });

        DuplicateMessageException batch = await Assert.ThrowsAsync<DuplicateMessageException>(
            () => queue.SendBatchAsync([new QueueMessage { MessageId = "b" }, new QueueMessage { MessageId = "a" }, new QueueMessage { MessageId = "c" }, new QueueMessage { MessageId = "c" }]).AsTask());
        Assert.Equal(["a", "c"], batch.MessageIds.Order());
        await queue.SendBatchAsync([new QueueMessage(Message("b").Body) { MessageId = "b" }, new QueueMessage(Message("c").Body) { MessageId = "c" }]);
        Assert.Equal(["no id", "no id", "unchecked", "b", "c"], await ReceiveAllAsync(queue, 5));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    /// <summary>Refused messages take up no space: single ones, those of a batch, and those that ask for an acknowledgement.</summary>
    [QueueFact]
    public async Task Duplicate_TakesUpNoSpaceOfALimit()
    {
        QueueClient plain = await OpenAsync(PeekLock);
        Needs(plain.Capabilities.Supports(QueueFeatures.DuplicateDetection));
        Needs(plain.Capabilities.Supports(QueueFeatures.Limits));
        QueueClient queue = await OpenAsync(PeekLock with { DuplicateWindow = TimeSpan.FromMinutes(10), MaxMessageCount = 3, MaxByteCount = 3 }, "limited");
        await queue.SendAsync(new QueueMessage(Message("0").Body) { MessageId = "a" });
        for (int i = 0; i < 3; i++)
        {
            await Assert.ThrowsAsync<DuplicateMessageException>(() => queue.SendAsync(new QueueMessage(Message("x").Body) { MessageId = "a" }).AsTask());
            await Assert.ThrowsAsync<DuplicateMessageException>(
                () => queue.SendBatchAsync([new QueueMessage(Message("x").Body) { MessageId = "b" }, new QueueMessage(Message("x").Body) { MessageId = "a" }]).AsTask());
            if (queue.Capabilities.Supports(QueueFeatures.Acknowledgments))
                await Assert.ThrowsAsync<DuplicateMessageException>(() => queue.SendAsync(Asking("x", "a")).AsTask());
        }

        await queue.SendBatchAsync([new QueueMessage(Message("1").Body) { MessageId = "b" }, new QueueMessage(Message("2").Body) { MessageId = "c" }]);

        Assert.Equal(["0", "1", "2"], await ReceiveAllAsync(queue, 3));
    }

    [QueueFact]
    public async Task Duplicate_AfterTheWindow_IsTaken()
    {
        QueueClient plain = await OpenAsync(PeekLock);
        Needs(plain.Capabilities.Supports(QueueFeatures.DuplicateDetection));
        QueueClient queue = await OpenAsync(PeekLock with { DuplicateWindow = TimeSpan.FromSeconds(1) });
        await queue.SendAsync(new QueueMessage(Message("0").Body) { MessageId = "a" });
        await Task.Delay(TimeSpan.FromSeconds(1.3));
        await queue.SendAsync(new QueueMessage(Message("1").Body) { MessageId = "a" });

        Assert.Equal(["0", "1"], await ReceiveAllAsync(queue, 2));
    }

    /// <summary>Opens a queue that has delays. One that has none must refuse them by name; then the test is skipped.</summary>
    private async Task<QueueClient> OpenDelayingAsync()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        var later = new QueueMessage(Message("later").Body) { DueTime = DateTimeOffset.UtcNow.AddHours(1) };
        if (await IsRefusedAsync(QueueFeatures.Delays, queue, () => queue.SendAsync(later).AsTask()))
        {
            await Assert.ThrowsAsync<NotSupportedException>(() => queue.SendBatchAsync([Message("x"), later]).AsTask());
            await queue.SendAsync(Message("now"));
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal("now", Text(message));
            await Assert.ThrowsAsync<NotSupportedException>(() => message.ReturnAsync(TimeSpan.FromSeconds(1)).AsTask());
            await message.ReturnAsync(TimeSpan.Zero);
            await (await queue.ReceiveAsync(Soon))!.AcknowledgeAsync();
        }

        Needs(queue.Capabilities.Supports(QueueFeatures.Delays));
        return queue;
    }
}
