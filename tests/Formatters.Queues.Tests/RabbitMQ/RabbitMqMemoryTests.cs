using System;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What receiving takes in memory. Alone: it is measured for the whole process.</summary>
[Collection(LongHistories.Name)]
public sealed class RabbitMqMemoryTests : QueueTestBase
{
    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    [BrokerTheory]
    [InlineData(DeliveryMode.Recoverable)]
    [InlineData(DeliveryMode.Transactional)]
    public async Task Receive_AskedFor_CopiesTheBodyOnce(DeliveryMode mode)
    {
        const int ByteCount = 8 << 20;
        QueueClient sender = await OpenAsync(Recoverable);
        QueueClient queue = await OpenAsync(new QueueOptions { DeliveryMode = mode });
        await using QueueTransaction? transaction = mode == DeliveryMode.Transactional ? await queue.BeginTransactionAsync() : null;
        long least = long.MaxValue;
        // The runner and the broker's client allocate meanwhile.
        for (int i = 0; i < 8; i++)
        {
            await sender.SendAsync(new QueueMessage(new MessageBody(new byte[ByteCount])));
            long before = GC.GetTotalAllocatedBytes(precise: true);
            Assert.NotNull(await queue.ReceiveAsync(TimeSpan.Zero, transaction));
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        Assert.InRange(least, ByteCount, ByteCount * 3 / 2);
    }
}
