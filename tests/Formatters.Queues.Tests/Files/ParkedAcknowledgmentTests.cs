using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Where many messages wait, and most of them are parked, those that ask for acknowledgements still get them: also after an opening, by a snapshot or by the whole log.</summary>
public class ParkedAcknowledgmentTests
{
    private const int Count = 40;

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Message_among_parked_ones_gives_its_acknowledgements(bool isReopened, bool hasSnapshot)
    {
        var time = new ManualTime();
        var disk = new SimulatedDisk();
        var options = new FileQueueOptions
        {
            SegmentByteCount = 1 << 16, CachedMessageCount = 3, ParkedTogether = 4, SnapshotByteCount = hasSnapshot ? 0 : long.MaxValue, TimeProvider = time,
        };
        var folder = new QueueFolder("/simulated", disk, options);
        try
        {
            foreach (string name in new[] { "a", "b" })
            {
                FileQueue queue = await OpenAsync(folder, name);
                for (int i = 0; i < Count; i++)
                    await queue.SendAsync(MessageOf($"{name}{i}", i));
            }

            if (isReopened)
                await ReopenAsync();
            FileQueue a = await OpenAsync(folder, "a");
            Assert.True((await folder.OpenQueueAsync("a", default)).HasParked);
            Assert.True((await folder.OpenQueueAsync("b", default)).HasParked);
            for (int i = 0; i < 10; i++)
            {
                ReceivedMessage message = (await a.ReceiveAsync(TimeSpan.Zero))!;
                Assert.Equal(($"a{i}", Asks(i) ? "acks" : null), (message.MessageId, message.AdministrationQueue));
                await message.AcknowledgeAsync();
            }

            time.Advance(TimeSpan.FromHours(2));
            Assert.Equal(Count - 20, await a.GetMessageCountAsync());
            // What expired is moved without a wait; what is written behind it is waited for.
            await folder.OpenQueueAsync("behind", default);
            if (isReopened)
                await ReopenAsync();
            // Dead letters ask for nothing any more, parked or not.
            FileQueue dead = await OpenAsync(folder, "dead");
            Assert.Equal(10, await dead.PurgeAsync());
            Assert.Equal(Count - 20, await (await OpenAsync(folder, "a")).PurgeAsync());
            Assert.True(await folder.DeleteQueueAsync("b", default));
            await ReopenAsync();

            Assert.DoesNotContain(folder.List(null), status => status.Name == "b");
            var told = new List<(AcknowledgmentClass, string?)>();
            FileQueue acks = await OpenAsync(folder, "acks");
            while (await acks.ReceiveAsync(TimeSpan.Zero) is { } message)
            {
                told.Add((message.Acknowledgment!.Class, message.CorrelationId));
                await message.AcknowledgeAsync();
            }

            IEnumerable<int> asking = Enumerable.Range(0, Count).Where(Asks);
            Assert.Equal(
                [
                    .. asking.SelectMany(i => new[] { (AcknowledgmentClass.ReachQueue, (string?)$"a{i}"), (AcknowledgmentClass.ReachQueue, $"b{i}"), (AcknowledgmentClass.QueueDeleted, $"b{i}") })
                        .Concat(asking.Select(i => (i < 10 ? AcknowledgmentClass.Receive : Expires(i) ? AcknowledgmentClass.ReceiveTimeout : AcknowledgmentClass.QueuePurged, (string?)$"a{i}")))
                        .Order(),
                ],
                told.Order());
        }
        finally
        {
            await folder.DisposeAsync();
        }

        async Task ReopenAsync()
        {
            await folder.DisposeAsync();
            folder = new QueueFolder("/simulated", disk, options);
            Assert.Equal(hasSnapshot, folder.ReplayedByteCount == 0);
        }
    }

    private static bool Asks(int index) => index % 3 == 0;

    private static bool Expires(int index) => index is >= 20 and < 30;

    private static QueueMessage MessageOf(string id, int index) => new(new MessageBody(new byte[20]))
    {
        MessageId = id,
        AcknowledgeTypes = Asks(index) ? AcknowledgeTypes.FullReachQueue | AcknowledgeTypes.FullReceive : AcknowledgeTypes.None,
        AdministrationQueue = Asks(index) ? "acks" : null,
        TimeToLive = Expires(index) ? TimeSpan.FromHours(1) : null,
    };

    private static async Task<FileQueue> OpenAsync(QueueFolder folder, string name) => new(
        await folder.OpenQueueAsync(name, default),
        folder.AddressOf(name),
        new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, DeadLetterQueue = "dead" },
        await folder.OpenQueueAsync("dead", default));
}
