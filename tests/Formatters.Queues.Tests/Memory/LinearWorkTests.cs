using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Opening, returning and coming due move each message at most once, however many there are: no work grows with the square.</summary>
public sealed class LinearWorkTests
{
    private const int Count = 3000;

    [Theory]
    [InlineData(0)]
    [InlineData(1_000_000)]
    public async Task Opening_a_folder_by_its_snapshot(int cachedMessageCount)
    {
        var disk = new SimulatedDisk();
        FileQueueOptions options = new() { SnapshotByteCount = 0, CachedMessageCount = cachedMessageCount };
        await using (var folder = new QueueFolder("/simulated", disk, options))
        {
            QueueClient queue = await OpenAsync(folder);
            for (int i = 0; i < Count; i += 100)
                await queue.SendBatchAsync([.. Enumerable.Range(i, 100).Select(static i => new QueueMessage { Label = $"{i}" })]);
        }

        await using var again = new QueueFolder("/simulated", disk, options);
        Assert.Equal(0, again.ReplayedByteCount);
        FileQueueStore store = await again.OpenQueueAsync("a", default);
        Assert.Equal(0, store.MoveCount);
        QueueClient opened = await OpenAsync(again);
        for (int i = 0; i < Count; i++)
            Assert.Equal($"{i}", (await opened.ReceiveAsync(TimeSpan.Zero))!.Label);
    }

    /// <summary>Temporary queues that were deleted before the folder is opened again, with messages in them and in another queue.</summary>
    [Fact]
    public async Task Opening_a_folder_in_which_queues_were_deleted()
    {
        var disk = new SimulatedDisk();
        FileQueueOptions options = new() { SnapshotByteCount = long.MaxValue, CachedMessageCount = 2 };
        await using (var folder = new QueueFolder("/simulated", disk, options))
        {
            QueueClient kept = await OpenAsync(folder);
            for (int i = 0; i < 30; i++)
            {
                await (await OpenAsync(folder, $"temporary {i}")).SendBatchAsync([.. Enumerable.Range(0, 4).Select(static _ => new QueueMessage())]);
                await kept.SendAsync(new QueueMessage { Label = $"{i}" });
                Assert.True(await folder.DeleteQueueAsync($"temporary {i}", default));
            }

            // One of the same name is another queue.
            await (await OpenAsync(folder, "temporary 7")).SendAsync(new QueueMessage { Label = "new" });
        }

        await using var again = new QueueFolder("/simulated", disk, options);
        Assert.Equal([("a", 30L), ("temporary 7", 1L)], again.List(null).Select(static status => (status.Name, status.MessageCount!.Value)).Order());
        Assert.Equal("new", (await (await OpenAsync(again, "temporary 7")).ReceiveAsync(TimeSpan.Zero))!.Label);
        QueueClient opened = await OpenAsync(again);
        for (int i = 0; i < 30; i++)
            Assert.Equal($"{i}", (await opened.ReceiveAsync(TimeSpan.Zero))!.Label);
    }

    /// <summary>Every second message is received and comes back when its receiver closes.</summary>
    [Fact]
    public async Task Returning_many_messages_between_others()
    {
        (LocalQueueStore store, LocalQueue queue) = Open(new QueueOptions());
        (_, LocalQueue even) = Open(new QueueOptions { Selector = "even = TRUE" }, store);
        for (int i = 0; i < Count; i++)
            await queue.SendAsync(new QueueMessage { Label = $"{i}", Headers = { ["even"] = i % 2 == 0 } });
        Assert.Equal(Count / 2, (await even.ReceiveBatchAsync(Count, TimeSpan.Zero)).Count);
        long before = store.MoveCount;
        await even.DisposeAsync();
        Assert.InRange(store.MoveCount - before, 0, Count);
        Assert.Equal(Enumerable.Range(0, Count).Select(static i => $"{i}"), await ReceiveAllAsync(queue));
    }

    /// <summary>Messages of several priorities come due together, in an order that is not that of the sends.</summary>
    [Fact]
    public async Task Messages_that_come_due_between_others()
    {
        var time = new ManualTime();
        (LocalQueueStore store, LocalQueue queue) = Open(new QueueOptions(), clock: new QueueClock(time));
        for (int i = 0; i < Count; i++)
        {
            await queue.SendAsync(
                new QueueMessage { Label = $"{i}", Priority = i % 4, DueTime = i % 2 == 0 ? time.GetUtcNow().AddSeconds(1 + (i * 7919L % 100)) : null });
        }

        time.Advance(TimeSpan.FromSeconds(200));
        Assert.Equal(Count, await queue.GetMessageCountAsync());
        List<string?> labels = await ReceiveAllAsync(queue);
        Assert.Equal(Enumerable.Range(0, Count).OrderBy(static i => -(i % 4)).Select(static i => $"{i}"), labels);
        Assert.InRange(store.MoveCount, 0, Count);
    }

    /// <summary>Cumulative acknowledgements in the order of the deliveries: also after a renewed lease all that came before are acknowledged.</summary>
    [Fact]
    public async Task Cumulative_acknowledgements_after_renewed_leases()
    {
        (_, LocalQueue queue) = Open(new QueueOptions { AcknowledgeMode = AcknowledgeMode.Cumulative, LeaseDuration = TimeSpan.FromMinutes(1) });
        for (int i = 0; i < 6; i++)
            await queue.SendAsync(new QueueMessage { Label = $"{i}" });
        IReadOnlyList<ReceivedMessage> messages = await queue.ReceiveBatchAsync(6, TimeSpan.Zero);
        await messages[1].RenewLeaseAsync();
        await messages[4].RenewLeaseAsync();
        await messages[3].AcknowledgeAsync();
        Assert.Equal(2, await queue.GetLockedCountAsync());
        await messages[2].AcknowledgeAsync();
        await messages[5].AcknowledgeAsync();
        Assert.Equal(0, await queue.GetLockedCountAsync());
    }

    private static async Task<QueueClient> OpenAsync(QueueFolder folder, string name = "a") =>
        new FileQueue(await folder.OpenQueueAsync(name, default), folder.AddressOf(name), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable }, null, null);

    private static (LocalQueueStore Store, LocalQueue Queue) Open(QueueOptions options, LocalQueueStore? store = null, QueueClock? clock = null)
    {
        QueueAddress address = QueueAddress.Parse("memory:a");
        options = options with { DeliveryMode = DeliveryMode.Express };
        store ??= new LocalQueueStore(address, "a", clock ?? new QueueClock(TimeProvider.System));
        return (store, new LocalQueue(store, store, address, options, LocalQueue.CapabilitiesOf(options.DeliveryMode!.Value), null, null));
    }

    private static async Task<List<string?>> ReceiveAllAsync(LocalQueue queue)
    {
        var labels = new List<string?>();
        while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
            labels.Add(message.Label);
        return labels;
    }
}
