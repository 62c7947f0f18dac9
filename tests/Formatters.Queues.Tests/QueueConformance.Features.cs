using System;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// Priorities, expiry, leases, dead letters, limits and the journal: each as the queue's capabilities say, or refused in their name.
public abstract partial class QueueConformance
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(150);

    [QueueFact]
    public async Task Priority_HigherFirst_InOrderWithinOne()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        await NeedsAsync(QueueFeatures.Priorities, queue, () => SendAsync(queue, "x", 5));
        int[] priorities = [4, 0, 9, 4, 7, 9, 1, 0];
        for (int i = 0; i < priorities.Length; i++)
            await SendAsync(queue, $"{i}", priorities[i]);
        await AssertCountAsync(priorities.Length, queue);

        Assert.Equal(["2", "5", "4", "0", "3", "6", "1", "7"], await ReceiveAllAsync(queue, priorities.Length));
    }

    [QueueFact]
    public async Task Priority_IsReceivedAsSent()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        Needs(queue.Capabilities.Supports(QueueFeatures.Priorities));
        await SendAsync(queue, "urgent", 9);
        await queue.SendAsync(Message("normal"));

        Assert.Equal(9, (await queue.ReceiveAsync(Soon))!.Priority);
        Assert.Equal(QueueMessage.DefaultPriority, (await queue.ReceiveAsync(Soon))!.Priority);
    }

    [QueueFact]
    public async Task Expired_message_is_not_received_and_not_counted()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        await NeedsAsync(QueueFeatures.Expiry, queue, () => SendAsync(queue, "x", timeToLive: Short));
        await SendAsync(queue, "late", timeToLive: Short);
        await SendAsync(queue, "in time", timeToLive: TimeSpan.FromHours(1));
        await queue.SendAsync(Message("for ever"));
        await Task.Delay(2 * Short);

        await EventuallyAsync(async () => await queue.GetMessageCountAsync() == 2);
        ReceivedMessage inTime = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal("in time", Text(inTime));
        Assert.Equal(TimeSpan.FromHours(1), inTime.TimeToLive);
        ReceivedMessage forEver = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal("for ever", Text(forEver));
        Assert.Null(forEver.TimeToLive);
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Expired_message_becomes_a_dead_letter()
    {
        QueueClient queue = await OpenWithDeadLettersAsync(ReceiveAndDelete);
        Needs(queue.Capabilities.Supports(QueueFeatures.Expiry));
        QueueClient dead = await OpenAsync(ReceiveAndDelete, "dead");
        await queue.SendAsync(new QueueMessage(Message("late").Body) { TimeToLive = Short, MessageId = "id-1", Label = "label", Headers = { ["a"] = "b" } });
        await Task.Delay(2 * Short);
        // A broker counts from when it has the message, which nobody waits for.
        await EventuallyAsync(async () => await queue.GetMessageCountAsync() == 0);
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));

        ReceivedMessage letter = (await dead.ReceiveAsync(Soon))!;
        Assert.Equal("late", Text(letter));
        Assert.Equal(DeadLetterReasons.Expired, letter.DeadLetterReason);
        Assert.Equal(queue.Address.QueueName, letter.DeadLetterSource);
        Assert.Equal(("id-1", "label", "b"), (letter.MessageId, letter.Label, letter.Headers["a"]));
        Assert.Null(letter.TimeToLive);
        Assert.Equal(1, letter.DeliveryCount);
    }

    [QueueFact]
    public async Task SentTime_IsThatOfTheSend()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        DateTimeOffset before = DateTimeOffset.UtcNow;
        await queue.SendAsync(Message("x"));
        DateTimeOffset after = DateTimeOffset.UtcNow;

        // Brokers may round to seconds, and have a clock of their own.
        if ((await queue.ReceiveAsync(Soon))!.SentTime is { } sent)
            Assert.InRange(sent, before.AddSeconds(-2), after.AddSeconds(2));
        else
            Assert.False(queue.Capabilities.IsInProcess);
    }

    [QueueFact]
    public async Task DeliveryCount_CountsUp()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendAsync(Message("x"));
        for (int i = 1; i <= 4; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal(queue.Capabilities.Supports(QueueFeatures.DeliveryCounts) ? i : Math.Min(i, 2), message.DeliveryCount);
            Assert.Equal(i > 1, message.IsRedelivered);
            await message.ReturnAsync();
        }
    }

    [QueueFact]
    public async Task MaxDeliveryCount_ThenTheMessageIsADeadLetter()
    {
        // Nothing fetched ahead: what comes back would come behind that.
        QueueOptions options = PeekLock with { DeadLetterQueue = DeadLetterName, MaxDeliveryCount = 3, PrefetchCount = 1 };
        QueueClient plain = await OpenAsync(PeekLock);
        await NeedsAsync(QueueFeatures.DeliveryCounts, plain, () => OpenAsync(options, "limited"));
        QueueClient queue = await OpenAsync(options, "limited");
        QueueClient dead = await OpenAsync(PeekLock, "dead");
        await queue.SendAsync(Message("poison"));
        await queue.SendAsync(Message("good"));
        for (int i = 1; i <= 3; i++)
        {
            ReceivedMessage poison = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal(("poison", i), (Text(poison), poison.DeliveryCount));
            await poison.ReturnAsync();
        }

        Assert.Equal("good", Text(await queue.ReceiveAsync(Soon)));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        ReceivedMessage letter = (await dead.ReceiveAsync(Soon))!;
        Assert.Equal(("poison", DeadLetterReasons.MaxDeliveryCountExceeded), (Text(letter), letter.DeadLetterReason));
        await letter.AcknowledgeAsync();
    }

    [QueueFact]
    public async Task DeadLetter_GoesToTheDeadLetterQueueWithItsReason()
    {
        QueueClient queue = await OpenWithDeadLettersAsync(PeekLock);
        QueueClient dead = await OpenAsync(PeekLock, "dead");
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1, 2 }, BodyTypes.Binary, "a/b")) { Label = "order", CorrelationId = "c" });
        await queue.SendAsync(Message("next"));
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
        Assert.Null(message.DeadLetterReason);
        Assert.Null(message.DeadLetterSource);

        await message.DeadLetterAsync(DeadLetterReasons.UnreadableBody, "byte 3 is missing");
        await message.AcknowledgeAsync();

        ReceivedMessage letter = (await dead.ReceiveAsync(Soon))!;
        Assert.Equal((DeadLetterReasons.UnreadableBody, "byte 3 is missing"), (letter.DeadLetterReason, letter.DeadLetterDescription));
        Assert.Equal(queue.Address.QueueName, letter.DeadLetterSource);
        Assert.Equal([1, 2], letter.Body.ToArray());
        Assert.Equal((BodyTypes.Binary, "a/b", "order", "c"), (letter.Body.BodyType, letter.Body.ContentType, letter.Label, letter.CorrelationId));
        Assert.Equal(message.MessageId, letter.MessageId);
        Assert.Equal(1, letter.DeliveryCount);
        await letter.AcknowledgeAsync();
        Assert.Equal("next", Text(await queue.ReceiveAsync(Soon)));
    }

    [QueueFact]
    public async Task DeadLetter_WhereThereIsNoQueueForThem_IsRefusedAndTheMessageStaysLocked()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendAsync(Message("x"));
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;

        Exception e = (await Record.ExceptionAsync(() => message.DeadLetterAsync("why").AsTask()))!;
        Assert.IsType(queue.Capabilities.Supports(QueueFeatures.DeadLetters) ? typeof(InvalidOperationException) : typeof(NotSupportedException), e);
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        await message.AcknowledgeAsync();
    }

    [QueueFact]
    public async Task DeadLetter_UnderReceiveAndDelete_IsRefused()
    {
        QueueClient queue = await OpenWithDeadLettersAsync(ReceiveAndDelete);
        await queue.SendAsync(Message("x"));
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;

        await Assert.ThrowsAsync<InvalidOperationException>(() => message.DeadLetterAsync("why").AsTask());
        await Assert.ThrowsAnyAsync<ArgumentException>(() => message.DeadLetterAsync("").AsTask());
    }

    [QueueFact]
    public async Task Lease_Ended_TheMessageComesAgainAndCannotBeSettled()
    {
        QueueOptions options = PeekLock with { LeaseDuration = Short };
        QueueClient plain = await OpenAsync(PeekLock);
        await NeedsAsync(QueueFeatures.Leases, plain, () => OpenAsync(options, "leased"));
        QueueClient queue = await OpenAsync(options, "leased");
        await queue.SendAsync(Message("0"));
        await queue.SendAsync(Message("1"));
        ReceivedMessage zero = (await queue.ReceiveAsync(Soon))!;
        Assert.InRange(zero.LeaseEnd!.Value, DateTimeOffset.UtcNow.AddSeconds(-20), DateTimeOffset.UtcNow + Short + TimeSpan.FromSeconds(2));
        await EventuallyAsync(async () => await queue.GetMessageCountAsync() == 2);

        // At its place before the other message. Whoever receives without a lease keeps it.
        QueueClient other = await OpenAsync(PeekLock, "leased");
        ReceivedMessage again = (await other.ReceiveAsync(Soon))!;
        Assert.Equal("0", Text(again));
        Assert.True(again.IsRedelivered);
        await again.AcknowledgeAsync();
        await Assert.ThrowsAsync<QueueException>(() => zero.AcknowledgeAsync().AsTask());
        await Assert.ThrowsAsync<QueueException>(() => zero.RenewLeaseAsync().AsTask());
        Assert.Equal("1", Text(await other.ReceiveAsync(Soon)));
        await other.SendAsync(Message("2"));
        Assert.NotNull(await queue.ReceiveAsync(Soon));
        Assert.Equal("2", Text(await other.ReceiveAsync(Soon)));
    }

    [QueueFact]
    public async Task Lease_Renewed_TheMessageStaysWithItsReceiver()
    {
        QueueClient plain = await OpenAsync(PeekLock);
        Needs(plain.Capabilities.Supports(QueueFeatures.Leases));
        // Longer for a machine that stands still for a while between two renewals.
        for (TimeSpan lease = TimeSpan.FromSeconds(2); ; lease = 3 * lease)
        {
            QueueClient queue = await OpenAsync(PeekLock with { LeaseDuration = lease }, $"leased-{lease.TotalSeconds}");
            await queue.SendAsync(Message("x"));
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            TimeSpan quarter = TimeSpan.FromTicks(lease.Ticks / 4);
            bool isLate = false;
            for (int i = 0; i < 5; i++)
            {
                DateTimeOffset end = message.LeaseEnd!.Value;
                await Task.Delay(quarter);
                isLate = DateTimeOffset.UtcNow > end - quarter && lease < TimeSpan.FromMinutes(1);
                if (isLate)
                    break;
                await message.RenewLeaseAsync();
                Assert.True(message.LeaseEnd > end);
            }

            if (isLate)
                continue;
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            await message.AcknowledgeAsync();
            await Task.Delay(lease + Short);
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            return;
        }
    }

    [QueueFact]
    public async Task Lease_WithoutDuration_HasNoEnd()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendAsync(Message("x"));
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;

        Assert.Null(message.LeaseEnd);
        await message.RenewLeaseAsync();
        await message.AcknowledgeAsync();
    }

    [QueueFact]
    public async Task MaxMessageCount_FurtherSendsAreRefusedUntilThereIsRoom()
    {
        QueueOptions options = ReceiveAndDelete with { MaxMessageCount = 3 };
        QueueClient plain = await OpenAsync(ReceiveAndDelete);
        await NeedsAsync(QueueFeatures.Limits, plain, () => OpenAsync(options, "limited"));
        QueueClient queue = await OpenAsync(options, "limited");
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(Message(i));

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Message("too many")).AsTask());
        Assert.False(e.OutcomeUnknown);

        Assert.Equal("0", Text(await queue.ReceiveAsync(Soon)));
        await queue.SendAsync(Message(3));
        Assert.Equal(["1", "2", "3"], await ReceiveAllAsync(queue, 3));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task MaxByteCount_FurtherSendsAreRefusedUntilThereIsRoom()
    {
        QueueClient plain = await OpenAsync(ReceiveAndDelete);
        Needs(plain.Capabilities.Supports(QueueFeatures.Limits));
        QueueClient queue = await OpenAsync(ReceiveAndDelete with { MaxByteCount = 1000 }, "limited");
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[600])));

        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage(new MessageBody(new byte[401]))).AsTask());
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[400])));

        Assert.Equal(600, (await queue.ReceiveAsync(Soon))!.Body.ByteCount);
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[600])));
        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage(new MessageBody(new byte[1]))).AsTask());
        Assert.Equal(2, await queue.PurgeAsync());
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[1000])));
    }

    [QueueFact]
    public async Task Journal_GetsACopyOfWhatWasReceivedForGood()
    {
        QueueClient plain = await OpenAsync(PeekLock);
        QueueOptions options = PeekLock with { JournalQueue = AddressOf("journal")[Place.Length..] };
        await NeedsAsync(QueueFeatures.Journal, plain, () => OpenAsync(options));
        QueueClient locking = await OpenAsync(options);
        QueueClient deleting = await OpenAsync(options with { ReceiveMode = ReceiveMode.ReceiveAndDelete });
        QueueClient journal = await OpenAsync(ReceiveAndDelete, "journal");
        for (int i = 0; i < 4; i++)
            await locking.SendAsync(new QueueMessage(Message(i).Body) { Label = $"label {i}" });
        ReceivedMessage zero = (await locking.ReceiveAsync(Soon))!;
        ReceivedMessage one = (await locking.ReceiveAsync(Soon))!;
        Assert.Null(await journal.ReceiveAsync(TimeSpan.Zero));

        await zero.AcknowledgeAsync();
        await one.ReturnAsync();
        Assert.Equal("1", Text(await deleting.ReceiveAsync(Soon)));
        Assert.Equal("2", Text(await deleting.ReceiveAsync(Soon)));

        for (int i = 0; i < 3; i++)
        {
            ReceivedMessage copy = (await journal.ReceiveAsync(Soon))!;
            Assert.Equal(($"{i}", $"label {i}"), (Text(copy), copy.Label));
            Assert.Null(copy.DeadLetterReason);
            Assert.Equal(1, copy.DeliveryCount);
        }

        Assert.Null(await journal.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Options_that_contradict_each_other_are_refused()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        if (queue.Capabilities.Supports(QueueFeatures.DeliveryCounts))
            await Assert.ThrowsAsync<ArgumentException>(() => OpenAsync(ReceiveAndDelete with { MaxDeliveryCount = 1 }));
        if (queue.Capabilities.Supports(QueueFeatures.DeadLetters))
            await Assert.ThrowsAsync<ArgumentException>(() => OpenAsync(ReceiveAndDelete with { DeadLetterQueue = queue.Address.QueueName }));
        if (queue.Capabilities.Supports(QueueFeatures.Journal))
            await Assert.ThrowsAsync<ArgumentException>(() => OpenAsync(ReceiveAndDelete with { JournalQueue = queue.Address.QueueName }));
        Assert.Throws<ArgumentOutOfRangeException>(() => ReceiveAndDelete with { LeaseDuration = TimeSpan.Zero });
        Assert.Throws<ArgumentOutOfRangeException>(() => ReceiveAndDelete with { MaxDeliveryCount = -1 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new QueueMessage { Priority = 10 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new QueueMessage { TimeToLive = TimeSpan.Zero });
    }

    private string DeadLetterName => AddressOf("dead")[Place.Length..];

    /// <summary>Opens a queue with dead letters. One that has none must refuse them by name; then the test is skipped.</summary>
    private async Task<QueueClient> OpenWithDeadLettersAsync(QueueOptions options)
    {
        QueueClient plain = await OpenAsync(options);
        QueueOptions withDeadLetters = options with { DeadLetterQueue = DeadLetterName };
        await NeedsAsync(QueueFeatures.DeadLetters, plain, () => OpenAsync(withDeadLetters, "with-dead-letters"));
        return await OpenAsync(withDeadLetters, "with-dead-letters");
    }

    /// <summary>Skips the test if a queue lacks a capability; before that, asserts that the queue refuses the operation by name.</summary>
    private async Task NeedsAsync(QueueFeatures feature, QueueClient queue, Func<Task> operation)
    {
        await IsRefusedAsync(feature, queue, operation);
        Needs(queue.Capabilities.Supports(feature), $"{feature}");
    }

    /// <summary>Whether a queue lacks a feature; then asserts that it says so, with its product's name.</summary>
    private static async Task<bool> IsRefusedAsync(QueueFeatures feature, QueueClient queue, Func<Task> operation)
    {
        if (queue.Capabilities.Supports(feature))
            return false;
        NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(operation);
        Assert.Contains($"QueueFeatures.{feature}", e.Message, StringComparison.Ordinal);
        Assert.Contains(queue.Capabilities.Product.Split(' ')[0], e.Message, StringComparison.Ordinal); // Without the version, which is known once it is open.
        return true;
    }

    private static async Task EventuallyAsync(Func<Task<bool>> condition)
    {
        long start = Environment.TickCount64;
        while (!await condition() && Environment.TickCount64 - start < Soon.TotalMilliseconds)
            await Task.Delay(5);
        Assert.True(await condition());
    }

    private static Task SendAsync(QueueClient queue, string text, int priority = QueueMessage.DefaultPriority, TimeSpan? timeToLive = null) =>
        queue.SendAsync(new QueueMessage(Message(text).Body) { Priority = priority, TimeToLive = timeToLive }).AsTask();
}
