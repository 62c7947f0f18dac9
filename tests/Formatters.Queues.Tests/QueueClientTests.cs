using System;
using System.Buffers;
using System.Threading.Tasks;
using Formatters.Orders;
using Xunit;

namespace Formatters.Queues.Tests;

public sealed class QueueClientTests
{
    private static readonly HandCodedFormatter<Order> Formatter = new();

    private readonly QueueConnector _connector = new(new MemoryQueueProvider());

    [Fact]
    public async Task Payload_RoundTrips()
    {
        await using QueueClient queue = await _connector.OpenAsync("memory:a");
        Order order = SampleOrders.Create(3);

        await queue.SendAsync(order, Formatter, "label");

        ReceivedMessage<Order> received = (await queue.ReceiveAsync(Formatter, TimeSpan.Zero))!;
        Assert.True(order.ContentEquals(received.Value));
        Assert.Null(received.Error);
        Assert.Equal("label", received.Message.Label);
        Assert.Equal(BodyTypes.Binary, received.Message.Body.BodyType);
        Assert.Equal(ContentTypes.Binary, received.Message.Body.ContentType);
        Assert.Null(await queue.ReceiveAsync(Formatter, TimeSpan.Zero));
    }

    [Fact]
    public async Task Payload_ByUntypedFormatter_RoundTrips()
    {
        await using QueueClient queue = await _connector.OpenAsync("memory:a");
        IMessageFormatter untyped = Formatter;
        Order order = SampleOrders.Create(4);

        await queue.SendAsync((object)order, untyped, "label");

        ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.Zero))!;
        Assert.Equal(Formatter.Write(order), message.Body.ToArray());
        Assert.True(order.ContentEquals((Order?)message.Read(untyped)));
        Assert.True(order.ContentEquals(message.Read(Formatter)));
    }

    [Fact]
    public async Task Transactional_SendAndReceive_TakePartInTheTransaction()
    {
        await using QueueClient queue = await _connector.OpenAsync("memory:a", new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        await queue.SendAsync(SampleOrders.Create(), Formatter, transaction: transaction);
        Assert.Null(await queue.ReceiveAsync(Formatter, TimeSpan.Zero, transaction));
        await transaction.CommitAsync();

        await using QueueTransaction receiving = await queue.BeginTransactionAsync();
        Assert.NotNull(await queue.ReceiveAsync(Formatter, TimeSpan.Zero, receiving));
    }

    [Fact]
    public async Task Multicast_WritesTheBodyOnce()
    {
        await using QueueClient both = await _connector.OpenAsync("memory:a,b");
        await using QueueClient b = await _connector.OpenAsync("memory:b");
        var counting = new CountingFormatter();

        await both.SendAsync(42, counting);

        Assert.Equal(1, counting.WriteCount);
        Assert.Equal(2, await both.GetMessageCountAsync());
        Assert.Equal(42, (await b.ReceiveAsync(counting, TimeSpan.Zero))!.Value);
    }

    [Fact]
    public async Task UnreadableBody_UnderPeekLock_StaysInTheReceiversHand()
    {
        await using QueueClient queue = await _connector.OpenAsync("memory:a", new QueueOptions { ReceiveMode = ReceiveMode.PeekLock });
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1, 2, 3 })));

        ReceivedMessage<Order> received = (await queue.ReceiveAsync(Formatter, TimeSpan.Zero))!;
        Assert.True(received.Error!.IsPoison);
        Assert.Same(received.Error, Assert.Throws<MessageFormatException>(() => received.Value));
        Assert.Equal([1, 2, 3], received.Message.Body.ToArray());
        Assert.Equal(0, await queue.GetMessageCountAsync());

        await received.ReturnAsync();
        Assert.Equal(1, await queue.GetMessageCountAsync());
        received = (await queue.ReceiveAsync(Formatter, TimeSpan.Zero))!;
        await received.AcknowledgeAsync();
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    [Fact]
    public async Task UnwritablePayload_SendsNothing()
    {
        await using QueueClient queue = await _connector.OpenAsync("memory:a");

        await Assert.ThrowsAsync<ArgumentNullException>(() => queue.SendAsync(null!, Formatter).AsTask());
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [Theory]
    [InlineData("memory:a")]
    [InlineData("memory:a,b")]
    public async Task Null_IsRejectedBeforeAnythingStarts(string address)
    {
        await using QueueClient queue = await _connector.OpenAsync(address);

        Assert.Throws<ArgumentNullException>("message", () => { _ = queue.SendAsync(null!).AsTask(); });
        Assert.Throws<ArgumentException>("messages", () => { _ = queue.SendBatchAsync([null!]).AsTask(); });
        Assert.Throws<ArgumentException>("messages", () => { _ = queue.AcknowledgeBatchAsync(new ReceivedMessage[1]).AsTask(); });
        Assert.Throws<ArgumentException>("messages", () => { _ = queue.ReturnUnseenAsync(new ReceivedMessage[1]).AsTask(); });
        await queue.ReturnUnseenAsync([]);
    }

    [Fact]
    public async Task Multicast_OfQueuesWithSessions_HasNoSessionsToAccept()
    {
        var connector = new QueueConnector(new PassingQueueProvider(QueueFeatures.Sessions));
        await using QueueClient both = await connector.OpenAsync("memory:a,b");

        Assert.True(both.Capabilities.Supports(QueueFeatures.Sessions));
        NotSupportedException error = Assert.Throws<NotSupportedException>(() => { _ = both.AcceptSessionAsync(TimeSpan.Zero).AsTask(); });
        Assert.Contains("can only be sent to", error.Message, StringComparison.Ordinal);
    }

    private sealed class CountingFormatter() : MessageFormatter<int>("application/x-test", 0x4700, null)
    {
        internal int WriteCount { get; private set; }

        public override void Write(IBufferWriter<byte> destination, int value)
        {
            WriteCount++;
            BitConverter.TryWriteBytes(destination.GetSpan(4), value);
            destination.Advance(4);
        }

        public override int Read(ReadOnlySpan<byte> body) => BitConverter.ToInt32(body);
    }
}
