using System;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// Each subscription acknowledges for itself; a journal gets one copy, whoever has subscribed.
public abstract partial class TopicConformance
{
    [QueueFact]
    public async Task Acknowledgments_AreThoseOfEachSubscription()
    {
        MessageTopic topic = await OpenTopicAsync();
        QueueMessage message = Asking("x", "id");
        if (!topic.Capabilities.Supports(QueueFeatures.Acknowledgments))
        {
            NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(() => topic.SendAsync(message).AsTask());
            Assert.Contains("QueueFeatures.Acknowledgments", e.Message, StringComparison.Ordinal);
        }

        Needs(topic.Capabilities.Supports(QueueFeatures.Acknowledgments));
        message.SourceJournalQueue = NameOf("sent");
        message.Headers["n"] = 1;
        QueueClient administration = await OpenAsync(Options, "administration");
        QueueClient journal = await OpenAsync(Options, "sent");
        // Nobody is there.
        await topic.SendAsync(message);
        await AssertCountAsync(1, journal);
        Assert.Null(await administration.ReceiveAsync(TimeSpan.Zero));

        await using QueueClient durable = await topic.SubscribeDurableAsync("durable", "n = 1");
        await using QueueClient other = await topic.SubscribeDurableAsync("other", "n = 2");
        QueueClient temporary = await topic.SubscribeAsync();
        await topic.SendAsync(message);
        await AssertCountAsync(2, journal);
        await AssertCountAsync(2, administration);
        ReceivedMessage[] arrivals = [(await administration.ReceiveAsync(Soon))!, (await administration.ReceiveAsync(Soon))!];
        Assert.All(arrivals, arrival => Assert.Equal((AcknowledgmentClass.ReachQueue, "id"), (arrival.Acknowledgment!.Class, arrival.CorrelationId)));
        Assert.Equal(
            new[] { durable.Address.QueueName, temporary.Address.QueueName }.OrderBy(name => name, StringComparer.Ordinal),
            arrivals.Select(arrival => arrival.Acknowledgment!.QueueName).OrderBy(name => name, StringComparer.Ordinal));

        Assert.Equal("x", Text(await durable.ReceiveAsync(Soon)));
        ReceivedMessage receipt = (await administration.ReceiveAsync(Soon))!;
        Assert.Equal((AcknowledgmentClass.Receive, durable.Address.QueueName), (receipt.Acknowledgment!.Class, receipt.Acknowledgment.QueueName));
        // What a subscription has when it ends is gone.
        await temporary.DisposeAsync();
        Assert.Equal(["QueueDeleted id"], await AcknowledgmentsAsync(administration, 1));
        await topic.SendAsync(message);
        Assert.Equal(["ReachQueue id"], await AcknowledgmentsAsync(administration, 1));
        await using QueueClient again = await topic.SubscribeDurableAsync("durable", "n = 3");
        Assert.Equal(["QueuePurged id"], await AcknowledgmentsAsync(administration, 1));
        message.Headers["n"] = 3;
        await topic.SendAsync(message);
        Assert.Equal(["ReachQueue id"], await AcknowledgmentsAsync(administration, 1));
        Assert.True(await topic.UnsubscribeAsync("durable"));
        Assert.Equal(["QueueDeleted id"], await AcknowledgmentsAsync(administration, 1));
        Assert.Null(await administration.ReceiveAsync(TimeSpan.Zero));
        await AssertCountAsync(4, journal);
    }
}
