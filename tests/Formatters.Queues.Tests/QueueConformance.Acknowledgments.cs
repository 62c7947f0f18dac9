using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// Acknowledgement messages, and the journal by message: or refused in the capability's name.
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task Acknowledgments_OfTheArrivalAndTheReceipt_AreInTheAdministrationQueue()
    {
        QueueClient queue = await OpenAcknowledgingAsync(PeekLock);
        QueueClient administration = await OpenAsync(ReceiveAndDelete, "administration");
        QueueMessage message = Asking("x", "id");
        message.Label = "label";
        if (queue.Capabilities.Supports(QueueFeatures.Priorities))
            message.Priority = 7;
        await queue.SendAsync(message);

        ReceivedMessage arrival = (await administration.ReceiveAsync(Soon))!;
        Assert.Equal((AcknowledgmentClass.ReachQueue, "id", "label"), (arrival.Acknowledgment!.Class, arrival.CorrelationId, arrival.Label));
        Assert.Equal((queue.Address.QueueName, null, null), (arrival.Acknowledgment.QueueName, arrival.Acknowledgment.Reason, arrival.Acknowledgment.Description));
        Assert.True(arrival.Acknowledgment.IsPositive);
        Assert.Equal((0, AcknowledgeTypes.None, null), (arrival.Body.ByteCount, arrival.AcknowledgeTypes, arrival.AdministrationQueue));
        Assert.Equal(message.Priority, arrival.Priority);
        Assert.Null(await administration.ReceiveAsync(TimeSpan.Zero));
        ReceivedMessage received = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal(("x", All, NameOf("administration"), null), (Text(received), received.AcknowledgeTypes, received.AdministrationQueue, received.Acknowledgment));
        await received.ReturnAsync();
        Assert.Null(await administration.ReceiveAsync(TimeSpan.Zero));
        await (await queue.ReceiveAsync(Soon))!.AcknowledgeAsync();

        Assert.Equal(["Receive id"], await AcknowledgmentsAsync(administration, 1));
        Assert.Null(await administration.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Acknowledgments_OnlyThoseThatWereAskedFor()
    {
        QueueClient queue = await OpenAcknowledgingAsync(ReceiveAndDelete);
        QueueClient administration = await OpenAsync(ReceiveAndDelete, "administration");
        await queue.SendAsync(Asking("0", "arrival", AcknowledgeTypes.PositiveArrival));
        await queue.SendAsync(Asking("1", "none", AcknowledgeTypes.None));
        await queue.SendAsync(Message("2"));
        await queue.SendAsync(Asking("3", "receipt", AcknowledgeTypes.PositiveReceive));
        await queue.SendAsync(Asking("4", "negative", AcknowledgeTypes.NotAcknowledgeReceive));
        QueueMessage nameless = Asking("5", null);
        await queue.SendAsync(nameless);

        Assert.Equal(["ReachQueue arrival"], await AcknowledgmentsAsync(administration, 1));
        string? made = (await administration.ReceiveAsync(Soon))!.CorrelationId;
        Assert.NotNull(made);
        Assert.Equal(["0", "1", "2", "3", "4"], await ReceiveAllAsync(queue, 5));
        Assert.Equal(made, (await queue.ReceiveAsync(Soon))!.MessageId);
        Assert.Equal(["Receive receipt", $"Receive {made}"], await AcknowledgmentsAsync(administration, 2));
        Assert.Null(await administration.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Acknowledgments_OfABatch_AreThoseOfItsMessages()
    {
        QueueClient queue = await OpenAcknowledgingAsync(PeekLock);
        QueueClient administration = await OpenAsync(ReceiveAndDelete, "administration");
        await queue.SendBatchAsync([Asking("0", "a"), Message("1"), Asking("2", "b"), Asking("3", "c", AcknowledgeTypes.PositiveReceive)]);
        Assert.Equal(["ReachQueue a", "ReachQueue b"], await AcknowledgmentsAsync(administration, 2));

        var batch = new List<ReceivedMessage>();
        while (batch.Count < 4)
            batch.AddRange(await queue.ReceiveBatchAsync(4, Soon));
        await queue.AcknowledgeBatchAsync(batch);

        Assert.Equal(["Receive a", "Receive b", "Receive c"], (await AcknowledgmentsAsync(administration, 3)).Order());
        Assert.Null(await administration.ReceiveAsync(TimeSpan.Zero));
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [QueueFact]
    public async Task NegativeAcknowledgments_SayWhatBecameOfTheMessage()
    {
        QueueOptions options = PeekLock with { DeadLetterQueue = NameOf("dead"), MaxDeliveryCount = 2 };
        await OpenAcknowledgingAsync(PeekLock);
        QueueClient queue = await OpenAsync(options, "limited");
        QueueClient administration = await OpenAsync(ReceiveAndDelete, "administration");
        QueueClient dead = await OpenAsync(ReceiveAndDelete, "dead");
        await queue.SendAsync(Asking("poison", "poison", AcknowledgeTypes.FullReceive));
        await (await queue.ReceiveAsync(Soon))!.ReturnAsync();
        await (await queue.ReceiveAsync(Soon))!.ReturnAsync();
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        await queue.SendAsync(Asking("bad", "bad", AcknowledgeTypes.FullReceive));
        await (await queue.ReceiveAsync(Soon))!.DeadLetterAsync("my-reason", "my words");
        QueueMessage late = Asking("late", "late", AcknowledgeTypes.FullReceive);
        late.TimeToLive = TimeSpan.FromMilliseconds(50);
        await queue.SendAsync(late);
        await Task.Delay(150);
        Assert.Null(await queue.ReceiveAsync(TimeSpan.FromMilliseconds(100)));

        ReceivedMessage[] told = [(await administration.ReceiveAsync(Soon))!, (await administration.ReceiveAsync(Soon))!, (await administration.ReceiveAsync(Soon))!];
        Assert.Equal(
            [
                ("poison", AcknowledgmentClass.ReceiveRejected, DeadLetterReasons.MaxDeliveryCountExceeded, null),
                ("bad", AcknowledgmentClass.ReceiveRejected, "my-reason", "my words"),
                ("late", AcknowledgmentClass.ReceiveTimeout, DeadLetterReasons.Expired, null),
            ],
            told.Select(message => (message.CorrelationId, message.Acknowledgment!.Class, message.Acknowledgment.Reason, message.Acknowledgment.Description)));
        Assert.All(told, message => Assert.Equal((queue.Address.QueueName, false), (message.Acknowledgment!.QueueName, message.Acknowledgment.IsPositive)));
        // Dead letters ask for nothing more.
        for (int i = 0; i < 3; i++)
        {
            ReceivedMessage letter = (await dead.ReceiveAsync(Soon))!;
            Assert.Equal((AcknowledgeTypes.None, null), (letter.AcknowledgeTypes, letter.AdministrationQueue));
        }

        Assert.Null(await administration.ReceiveAsync(TimeSpan.FromMilliseconds(20)));
    }

    [QueueFact]
    public async Task NegativeAcknowledgments_OfExpiryWithoutDeadLetters_PurgeAndDeletion()
    {
        QueueClient queue = await OpenAcknowledgingAsync(PeekLock);
        QueueClient administration = await OpenAsync(ReceiveAndDelete, "administration");
        QueueMessage late = Asking("late", "late", AcknowledgeTypes.FullReceive);
        late.TimeToLive = TimeSpan.FromMilliseconds(50);
        await queue.SendAsync(late);
        await Task.Delay(150);
        Assert.Null(await queue.ReceiveAsync(TimeSpan.FromMilliseconds(50)));
        Assert.Equal(["ReceiveTimeout late"], await AcknowledgmentsAsync(administration, 1));

        await queue.SendAsync(Asking("0", "purged", AcknowledgeTypes.FullReceive));
        await queue.SendAsync(Message("1"));
        Assert.Equal(2, await queue.PurgeAsync());
        Assert.Equal(["QueuePurged purged"], await AcknowledgmentsAsync(administration, 1));

        await queue.SendAsync(Asking("0", "deleted", AcknowledgeTypes.FullReceive));
        await queue.SendAsync(Message("1"));
        if (queue.Capabilities.Supports(QueueFeatures.Delays))
        {
            QueueMessage later = Asking("2", "deleted later", AcknowledgeTypes.FullReceive);
            later.DueTime = DateTimeOffset.UtcNow.AddHours(1);
            await queue.SendAsync(later);
        }

        Assert.Equal(1, await Connector.DeleteAsync(AddressOf("a")));
        Assert.Equal(
            queue.Capabilities.Supports(QueueFeatures.Delays) ? ["QueueDeleted deleted", "QueueDeleted deleted later"] : ["QueueDeleted deleted"],
            (await AcknowledgmentsAsync(administration, queue.Capabilities.Supports(QueueFeatures.Delays) ? 2 : 1)).Order());
        Assert.Null(await administration.ReceiveAsync(TimeSpan.FromMilliseconds(20)));
    }

    /// <summary>It is made meanwhile; what is sent after it does not overtake it, and it is as it was at the send.</summary>
    [QueueFact]
    public async Task Acknowledgments_ToAQueueThatIsMadeForThem_KeepTheOrderOfTheSends()
    {
        QueueClient queue = await OpenAcknowledgingAsync(ReceiveAndDelete);
        for (int round = 0; round < 5; round++)
        {
            QueueMessage first = Asking("first", $"{round}");
            first.AdministrationQueue = NameOf($"new{round}");
            Task[] sends = [queue.SendAsync(first).AsTask(), queue.SendBatchAsync([Message("second"), Message("third")]).AsTask(), queue.SendAsync(Message("fourth")).AsTask()];
            first.CorrelationId = "changed";
            await Task.WhenAll(sends);
            ReceivedMessage received = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal(("first", null), (Text(received), received.CorrelationId));
            Assert.Equal(["second", "third", "fourth"], await ReceiveAllAsync(queue, 3));
            Assert.Equal([$"ReachQueue {round}", $"Receive {round}"], await AcknowledgmentsAsync(await OpenAsync(ReceiveAndDelete, $"new{round}"), 2));
        }
    }

    [QueueFact]
    public async Task NegativeAcknowledgment_OfASendThatTheQueueRefuses()
    {
        Needs((await OpenAcknowledgingAsync(PeekLock)).Capabilities.Supports(QueueFeatures.Limits));
        QueueClient queue = await OpenAsync(PeekLock with { MaxMessageCount = 1 }, "limited");
        QueueClient administration = await OpenAsync(ReceiveAndDelete, "administration");
        await queue.SendAsync(Asking("0", "first"));
        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Asking("1", "second")).AsTask());
        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Asking("2", "third", AcknowledgeTypes.PositiveArrival)).AsTask());
        await Assert.ThrowsAsync<QueueException>(() => queue.SendBatchAsync([Asking("3", "fourth"), Message("4")]).AsTask());

        Assert.Equal(["ReachQueue first", "QueueExceedMaximumSize second", "QueueExceedMaximumSize fourth"], await AcknowledgmentsAsync(administration, 3));
        Assert.Null(await administration.ReceiveAsync(TimeSpan.FromMilliseconds(20)));
        await AssertCountAsync(1, queue);
    }

    [QueueFact]
    public async Task Acknowledgments_WithoutTheirQueue_AreDroppedAndNothingElseIs()
    {
        QueueClient queue = await OpenAcknowledgingAsync(PeekLock);
        await queue.SendAsync(Asking("x", "id"));
        QueueClient administration = await OpenAsync(ReceiveAndDelete, "administration");
        Assert.Equal(1, await Connector.DeleteAsync(AddressOf("administration")));
        await (await queue.ReceiveAsync(Soon))!.AcknowledgeAsync();
        Assert.Equal(0, await queue.GetMessageCountAsync());

        // The next send makes it again.
        await queue.SendAsync(Asking("y", "again"));
        QueueClient newAdministration = await OpenAsync(ReceiveAndDelete, "administration");
        Assert.Equal(["ReachQueue again"], await AcknowledgmentsAsync(newAdministration, 1));
        Assert.Null(await newAdministration.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Acknowledgments_AreShownByAPeek()
    {
        QueueClient queue = await OpenAcknowledgingAsync(PeekLock);
        Needs(queue.Capabilities.Supports(QueueFeatures.Peek));
        await queue.SendAsync(Asking("x", "id"));
        QueueClient administration = await OpenAsync(PeekLock, "administration");

        PeekedMessage message = Assert.Single(await queue.PeekAsync(new PeekOptions()));
        Assert.Equal((All, NameOf("administration")), (message.AcknowledgeTypes, message.AdministrationQueue));
        PeekedMessage arrival = Assert.Single(await administration.PeekAsync(new PeekOptions()));
        Assert.Equal((AcknowledgmentClass.ReachQueue, "id"), (arrival.Acknowledgment!.Class, arrival.CorrelationId));
        // It can be answered by its correlation, and sent on.
        ReceivedMessage received = (await administration.ReceiveByCorrelationIdAsync("id", Soon))!;
        QueueClient other = await OpenAsync(ReceiveAndDelete, "other");
        await other.SendAsync(received);
        Assert.Equal(received.Acknowledgment, (await other.ReceiveAsync(Soon))!.Acknowledgment);
    }

    [QueueFact]
    public async Task Acknowledgments_BadRequests_AreRefused()
    {
        QueueClient queue = await OpenAcknowledgingAsync(PeekLock);
        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(new QueueMessage { AcknowledgeTypes = All }).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(new QueueMessage { AcknowledgeTypes = All, AdministrationQueue = queue.Address.QueueName }).AsTask());
        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(new QueueMessage { SourceJournalQueue = queue.Address.QueueName }).AsTask());
        Assert.Throws<ArgumentException>(() => new QueueMessage { AdministrationQueue = "" });
        Assert.Throws<ArgumentException>(() => new QueueMessage { SourceJournalQueue = "" });
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [QueueFact]
    public async Task SourceJournal_GetsACopyWithTheSend()
    {
        QueueClient queue = await OpenAsync(PeekLock with { DeadLetterQueue = null });
        var asking = new QueueMessage(Message("0").Body) { SourceJournalQueue = NameOf("sent"), MessageId = "0" };
        await NeedsAsync(QueueFeatures.SourceJournal, queue, () => queue.SendAsync(asking).AsTask());
        asking.TimeToLive = TimeSpan.FromHours(1);
        asking.Headers["n"] = 5;
        await queue.SendAsync(asking);
        await queue.SendBatchAsync([Message("1"), new QueueMessage(Message("2").Body) { SourceJournalQueue = NameOf("sent"), Label = "two" }]);
        QueueClient journal = await OpenAsync(ReceiveAndDelete, "sent");

        ReceivedMessage copy = (await journal.ReceiveAsync(Soon))!;
        Assert.Equal(("0", "0", null, null, 5), (Text(copy), copy.MessageId, copy.TimeToLive, copy.SourceJournalQueue, copy.Headers["n"]));
        ReceivedMessage second = (await journal.ReceiveAsync(Soon))!;
        Assert.Equal(("2", "two"), (Text(second), second.Label));
        Assert.Null(await journal.ReceiveAsync(TimeSpan.Zero));
        foreach (string text in new[] { "0", "1", "2" })
        {
            ReceivedMessage received = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal((text, null), (Text(received), received.SourceJournalQueue));
            await received.AcknowledgeAsync();
            if (text == "2")
                Assert.Equal(second.MessageId, received.MessageId);
        }

        Assert.Equal(0, await journal.GetMessageCountAsync());
    }

    [QueueFact]
    public async Task SourceJournal_OfASendThatIsRefused_GetsNothing()
    {
        QueueClient plain = await OpenAsync(PeekLock);
        Needs(plain.Capabilities.Supports(QueueFeatures.SourceJournal));
        Needs(plain.Capabilities.Supports(QueueFeatures.Limits));
        Needs(plain.Capabilities.Supports(QueueFeatures.DuplicateDetection));
        QueueClient queue = await OpenAsync(PeekLock with { MaxMessageCount = 1, DuplicateWindow = TimeSpan.FromMinutes(1) }, "limited");
        QueueClient journal = await OpenAsync(ReceiveAndDelete, "sent");
        await queue.SendAsync(new QueueMessage { SourceJournalQueue = NameOf("sent"), MessageId = "a" });
        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage { SourceJournalQueue = NameOf("sent"), MessageId = "b" }).AsTask());
        await (await queue.ReceiveAsync(Soon))!.AcknowledgeAsync();
        await Assert.ThrowsAsync<DuplicateMessageException>(() => queue.SendAsync(new QueueMessage { SourceJournalQueue = NameOf("sent"), MessageId = "a" }).AsTask());
        // Neither has left anything behind that counts.
        await queue.SendAsync(new QueueMessage { SourceJournalQueue = NameOf("sent"), MessageId = "c" });

        Assert.Equal(new string?[] { "a", "c" }, new[] { (await journal.ReceiveAsync(Soon))!.MessageId, (await journal.ReceiveAsync(Soon))!.MessageId });
        Assert.Null(await journal.ReceiveAsync(TimeSpan.Zero));
        Assert.Equal(0, await journal.GetLockedCountAsync());
    }

    /// <summary>Opens a queue that has acknowledgements. One that has none must refuse them by name; then the test is skipped.</summary>
    private async Task<QueueClient> OpenAcknowledgingAsync(QueueOptions options)
    {
        QueueClient queue = await OpenAsync(options);
        if (await IsRefusedAsync(QueueFeatures.Acknowledgments, queue, () => queue.SendAsync(Asking("x", "x")).AsTask()))
        {
            var acknowledgment = new QueueMessage { Acknowledgment = new MessageAcknowledgment { Class = AcknowledgmentClass.Receive, QueueName = "q" } };
            await Assert.ThrowsAsync<NotSupportedException>(() => queue.SendAsync(acknowledgment).AsTask());
            await Assert.ThrowsAsync<NotSupportedException>(() => queue.SendBatchAsync([Message("x"), acknowledgment]).AsTask());
            Assert.Equal(0, await queue.GetMessageCountAsync());
        }

        Needs(queue.Capabilities.Supports(QueueFeatures.Acknowledgments));
        return queue;
    }
}
