using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// Acknowledgement messages over the end of a process, and with several queues of a folder.
public sealed class FileAcknowledgmentTests : IDisposable
{
    private const AcknowledgeTypes All = AcknowledgeTypes.FullReachQueue | AcknowledgeTypes.FullReceive;

    private readonly TestFolder _folder = new();

    private string AddressOf(string name) => $"file://{_folder.Path}/{name}";

    public void Dispose() => _folder.Delete();

    [Fact]
    public async Task AfterAnOpening_MessagesAskAndAcknowledgementsTellAsBefore()
    {
        await using (var provider = new FileQueueProvider(FileTests.SmallSegments))
        {
            await using QueueClient queue = await new QueueConnector(provider).OpenAsync(AddressOf("q"));
            await queue.SendAsync(new QueueMessage { AcknowledgeTypes = All, AdministrationQueue = "acks", SourceJournalQueue = "sent", Label = "one" });
            await queue.SendAsync(new QueueMessage { AcknowledgeTypes = All, AdministrationQueue = "acks", MessageId = "two", DueTime = DateTimeOffset.UtcNow.AddHours(1) });
            await queue.SendAsync(new QueueMessage { MessageId = "three" });
        }

        await using (var provider = new FileQueueProvider(FileTests.SmallSegments))
        {
            var connector = new QueueConnector(provider);
            await using QueueClient queue = await connector.OpenAsync(AddressOf("q"));
            await using QueueClient acks = await connector.OpenAsync(AddressOf("acks"));
            await using QueueClient sent = await connector.OpenAsync(AddressOf("sent"));
            ReceivedMessage copy = (await sent.ReceiveAsync(TimeSpan.Zero))!;
            Assert.Equal(("one", AcknowledgeTypes.None, null), (copy.Label, copy.AcknowledgeTypes, copy.AdministrationQueue));
            ReceivedMessage one = (await queue.ReceiveAsync(TimeSpan.Zero))!;
            Assert.Equal((All, "acks", null, copy.MessageId), (one.AcknowledgeTypes, one.AdministrationQueue, one.SourceJournalQueue, one.MessageId));
            await one.AcknowledgeAsync();
            Assert.Equal(2, await queue.PurgeAsync());
            Assert.Equal(4, await acks.GetMessageCountAsync());
            await copy.AcknowledgeAsync();
            Assert.Equal(4, await acks.GetMessageCountAsync());
        }

        await using (var provider = new FileQueueProvider(FileTests.SmallSegments))
        {
            await using QueueClient acks = await new QueueConnector(provider).OpenAsync(AddressOf("acks"), new QueueOptions { ReceiveMode = ReceiveMode.ReceiveAndDelete });
            var told = new List<ReceivedMessage>();
            while (await acks.ReceiveAsync(TimeSpan.Zero) is { } message)
                told.Add(message);
            Assert.Equal(
                [AcknowledgmentClass.ReachQueue, AcknowledgmentClass.ReachQueue, AcknowledgmentClass.Receive, AcknowledgmentClass.QueuePurged],
                told.Select(message => message.Acknowledgment!.Class));
            Assert.Equal(told[0].CorrelationId, told[2].CorrelationId);
            Assert.Equal(("two", "two", "q"), (told[1].CorrelationId, told[3].CorrelationId, told[3].Acknowledgment!.QueueName));
        }
    }

    [Fact]
    public async Task SeveralQueues_EachAcknowledges_AndOneCopyIsMade()
    {
        await using var provider = new FileQueueProvider(FileTests.SmallSegments);
        var connector = new QueueConnector(provider);
        await using QueueClient both = await connector.OpenAsync($"{AddressOf("a")},{AddressOf("b")}");
        await both.SendAsync(new QueueMessage { AcknowledgeTypes = All, AdministrationQueue = "acks", SourceJournalQueue = "sent", MessageId = "id" });
        await using QueueClient acks = await connector.OpenAsync(AddressOf("acks"));
        await using QueueClient sent = await connector.OpenAsync(AddressOf("sent"));

        Assert.Equal(1, await sent.GetMessageCountAsync());
        ReceivedMessage[] arrivals = [(await acks.ReceiveAsync(TimeSpan.Zero))!, (await acks.ReceiveAsync(TimeSpan.Zero))!];
        Assert.Equal(["a", "b"], arrivals.Select(arrival => arrival.Acknowledgment!.QueueName).Order());
    }

    [Fact]
    public async Task Deletion_AcknowledgesAlsoWhatReceiversHave()
    {
        await using var provider = new FileQueueProvider(FileTests.SmallSegments);
        var connector = new QueueConnector(provider);
        await using QueueClient queue = await connector.OpenAsync(AddressOf("q"));
        await using QueueClient acks = await connector.OpenAsync(AddressOf("acks"));
        await queue.SendAsync(new QueueMessage { AcknowledgeTypes = AcknowledgeTypes.FullReceive, AdministrationQueue = "acks", MessageId = "held" });
        await queue.SendAsync(new QueueMessage { AcknowledgeTypes = AcknowledgeTypes.FullReceive, AdministrationQueue = "acks", MessageId = "waiting" });
        ReceivedMessage held = (await queue.ReceiveAsync(TimeSpan.Zero))!;
        Assert.Equal(1, await connector.DeleteAsync(AddressOf("q")));
        await held.AcknowledgeAsync();

        ReceivedMessage[] told = [(await acks.ReceiveAsync(TimeSpan.Zero))!, (await acks.ReceiveAsync(TimeSpan.Zero))!];
        Assert.Equal(["held", "waiting"], told.Select(message => message.CorrelationId).Order());
        Assert.All(told, message => Assert.Equal(AcknowledgmentClass.QueueDeleted, message.Acknowledgment!.Class));
        Assert.Null(await acks.ReceiveAsync(TimeSpan.Zero));
    }
}
