using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// What is told of queues without receiving: by name, and all of a place.
public abstract partial class QueueConformance
{
    /// <summary>Whether the kind of queue can be listed at all; the others refuse.</summary>
    protected virtual bool ListsQueues => true;

    /// <summary>Whether the kind of queue knows which queues there are; the others must be given names.</summary>
    protected virtual bool ListsPlaces => ListsQueues;

    /// <summary>Whether the kind of queue tells what is locked and how old the oldest message is.</summary>
    protected virtual bool ListsLocksAndAges => ListsPlaces;

    /// <summary>Whether locked messages are among those that wait.</summary>
    protected virtual bool ListCountsLocked => false;

    [QueueFact]
    public async Task List_tells_what_waits_what_is_locked_and_how_old_the_oldest_is()
    {
        QueueClient queue = await OpenAsync(PeekLock with { PrefetchCount = 1 });
        if (!ListsQueues)
            await Assert.ThrowsAsync<NotSupportedException>(() => Connector.ListAsync(AddressOf("a")).AsTask());
        Needs(ListsQueues);
        QueueStatus empty = Assert.Single(await Connector.ListAsync(AddressOf("a")));
        Assert.Equal((queue.Address.QueueName, 0L), (empty.Name, empty.MessageCount));
        Assert.Equal((null, null, null), (empty.OldestSentTime, empty.OldestAge, empty.StoppedReason));
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(Message(i));
        ReceivedMessage locked = (await queue.ReceiveAsync(Soon))!;
        await Task.Delay(Short);

        QueueStatus status = Assert.Single(await Connector.ListAsync(AddressOf("a")));
        Assert.Equal(ListCountsLocked ? 3 : 2, status.MessageCount);
        if (ListsLocksAndAges)
        {
            Assert.Equal(1, status.LockedCount);
            // Clocks of the machine and of a server: they need not agree to the millisecond.
            Assert.InRange(status.OldestAge!.Value, TimeSpan.FromTicks(Short.Ticks / 2), TimeSpan.FromMinutes(5));
            Assert.InRange(status.OldestSentTime!.Value, DateTimeOffset.UtcNow - TimeSpan.FromMinutes(5), DateTimeOffset.UtcNow - TimeSpan.FromTicks(Short.Ticks / 2));
        }

        QueueClient again = await Connector.OpenAsync(status.Address.Uri.AbsoluteUri, PeekLock);
        await using (again.ConfigureAwait(false))
        {
            // The address opens the same queue, and nothing counts as a delivery.
            ReceivedMessage next = (await again.ReceiveAsync(Soon))!;
            Assert.Equal(("1", 1), (Text(next), next.DeliveryCount));
        }

        await locked.AcknowledgeAsync();
    }

    [QueueFact]
    public async Task List_makes_no_queue_and_knows_those_of_a_place()
    {
        Needs(ListsQueues);
        Assert.Empty(await Connector.ListAsync(await ExistingPlaceAsync() + "no such queue"));
        if (!ListsPlaces)
        {
            NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(() => Connector.ListAsync(Place).AsTask());
            Assert.Contains("ManagementAddress", e.Message, StringComparison.Ordinal);
        }

        Needs(ListsPlaces);
        QueueClient b = await OpenAsync(ReceiveAndDelete, "b");
        QueueClient a = await OpenAsync(ReceiveAndDelete);
        await b.SendAsync(Message("x"));
        IReadOnlyList<QueueStatus> queues = await Connector.ListAsync(Place);

        Assert.Equal(queues.Select(queue => queue.Name).OrderBy(name => name, StringComparer.Ordinal), queues.Select(queue => queue.Name));
        Assert.Equal(1, queues.Single(queue => queue.Address.Equals(b.Address)).MessageCount);
        Assert.Equal(0, queues.Single(queue => queue.Address.Equals(a.Address)).MessageCount);
        Assert.DoesNotContain(queues, queue => queue.Name == "no such queue");
    }

    [QueueFact]
    public async Task List_counts_no_expired_messages()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        Needs(ListsQueues);
        Needs(queue.Capabilities.Supports(QueueFeatures.Expiry));
        await SendAsync(queue, "late", timeToLive: Short);
        await queue.SendAsync(Message("in time"));
        await Task.Delay(2 * Short);

        await EventuallyAsync(async () => Assert.Single(await Connector.ListAsync(AddressOf("a"))).MessageCount == 1);
        Assert.Equal("in time", Text(await queue.ReceiveAsync(Soon)));
        Assert.Equal(0, Assert.Single(await Connector.ListAsync(AddressOf("a"))).MessageCount);
    }

    /// <summary>A place is one when something is there.</summary>
    private async Task<string> ExistingPlaceAsync()
    {
        await OpenAsync(ReceiveAndDelete, "other");
        return Place;
    }
}
