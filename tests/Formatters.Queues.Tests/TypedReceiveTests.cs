using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading.Tasks;
using Formatters.ActiveX;
using Formatters.Envelopes;
using Formatters.Orders;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Receives that read the body: what a formatter throws, and what says that it is in another format, comes with its message.</summary>
public sealed class TypedReceiveTests
{
    private static readonly SigningKey Key = SigningKey.HmacSha256("k", new byte[32]);

    private readonly QueueConnector _connector = new(new MemoryQueueProvider());

    public static TheoryData<Type> Failures => [typeof(InvalidOperationException), typeof(NullReferenceException), typeof(ArgumentException), typeof(InsufficientExecutionStackException)];

    [Fact]
    public async Task A_payload_is_sent_with_the_properties_of_a_message()
    {
        await using QueueClient queue = await OpenAsync();
        var formatter = new JsonFormatter<int>();
        var properties = new QueueMessage
        {
            MessageId = "id", CorrelationId = "other", Label = "label", Priority = 7, TimeToLive = TimeSpan.FromHours(1), ResponseQueue = "replies", Headers = { ["a"] = 1 },
        };
        await queue.SendAsync(4711, formatter, properties);
        await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(1, formatter, new QueueMessage(new MessageBody(new byte[1]))).AsTask());

        ReceivedMessage<int> received = (await queue.ReceiveAsync(formatter, TimeSpan.Zero))!;
        ReceivedMessage message = received.Message;
        Assert.Equal((4711, "id", "other", "label", 7, "replies"), (received.Value, message.MessageId, message.CorrelationId, message.Label, message.Priority, message.ResponseQueue));
        Assert.Equal((properties.TimeToLive, 1, 0), (message.TimeToLive, message.Headers["a"], properties.Body.ByteCount));
        await received.RenewLeaseAsync();
        await received.AcknowledgeAsync();
    }

    [Theory]
    [MemberData(nameof(Failures))]
    public async Task Whatever_a_formatter_throws_comes_with_the_message(Type failure)
    {
        foreach (bool isRegistry in new[] { false, true })
        {
            await using QueueClient queue = await OpenAsync();
            await queue.SendAsync(new QueueMessage { Label = "x" });
            var formatter = new ThrowingFormatter((Exception)Activator.CreateInstance(failure)!);
            ReceivedMessage<Order> received = isRegistry
                ? (await queue.ReceiveAsync<Order>(new FormatterRegistry(formatter).WithUntaggedReader(formatter), TimeSpan.Zero))!
                : (await queue.ReceiveAsync(formatter, TimeSpan.Zero))!;
            Assert.Equal(("x", false), (received.Message.Label, received.Error!.IsPoison));
            Assert.IsType(failure, received.Error.InnerException);
            Assert.Same(received.Error, Assert.Throws<MessageFormatException>(() => received.Value));
            await received.AcknowledgeAsync();
            Assert.Equal(0, await queue.GetLockedCountAsync());
        }
    }

    /// <summary>What is not an error of the body is thrown, and the message is the queue's again.</summary>
    [Theory]
    [InlineData(typeof(OperationCanceledException))]
    [InlineData(typeof(TaskCanceledException))]
    [InlineData(typeof(OutOfMemoryException))]
    public async Task Message_goes_back_if_the_receive_throws(Type failure)
    {
        await using QueueClient queue = await OpenAsync();
        await queue.SendAsync(new QueueMessage { Label = "x" });
        var formatter = new ThrowingFormatter((Exception)Activator.CreateInstance(failure)!);
        await Assert.ThrowsAsync(failure, () => queue.ReceiveAsync(formatter, TimeSpan.Zero).AsTask());
        Assert.Equal((1L, (long?)0), (await queue.GetMessageCountAsync(), await queue.GetLockedCountAsync()));
        Assert.Equal("x", (await queue.ReceiveAsync(TimeSpan.Zero))!.Label);
    }

    [Fact]
    public async Task Batches_of_payloads_are_sent_received_and_acknowledged()
    {
        await using QueueClient queue = await OpenAsync();
        var formatter = new JsonFormatter<int>();
        await queue.SendBatchAsync([1, 2], formatter);
        await queue.SendAsync(new QueueMessage(new MessageBody("x"u8.ToArray(), formatter.BodyType, formatter.ContentType)));
        await queue.SendBatchAsync([4], formatter);
        IReadOnlyList<ReceivedMessage<int>> batch = await queue.ReceiveBatchAsync(formatter, 10, TimeSpan.Zero);
        Assert.Equal([1, 2, 4], batch.Where(static message => message.Error is null).Select(static message => message.Value));
        Assert.True(batch[2].Error!.IsPoison);
        await queue.AcknowledgeBatchAsync(batch);
        Assert.Equal((0L, (long?)0), (await queue.GetMessageCountAsync(), await queue.GetLockedCountAsync()));
        Assert.Empty(await queue.ReceiveBatchAsync(formatter, 10, TimeSpan.Zero));

        await queue.SendBatchAsync([5, 6], formatter);
        int sum = 0;
        await foreach (ReceivedMessage<int> message in queue.ReceiveAllAsync(formatter, 1))
        {
            await message.AcknowledgeAsync();
            if ((sum += message.Value) == 11)
                break;
        }

        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [Fact]
    public async Task Batch_goes_back_if_the_formatter_is_canceled()
    {
        await using QueueClient queue = await OpenAsync();
        await queue.SendBatchAsync([new QueueMessage { Label = "0" }, new QueueMessage { Label = "1" }]);
        var formatter = new ThrowingFormatter(new OperationCanceledException());
        await Assert.ThrowsAsync<OperationCanceledException>(() => queue.ReceiveBatchAsync(formatter, 10, TimeSpan.Zero).AsTask());
        Assert.Equal((2L, (long?)0), (await queue.GetMessageCountAsync(), await queue.GetLockedCountAsync()));
        Assert.Equal("0", (await queue.ReceiveAsync(TimeSpan.Zero))!.Label);
    }

    [Fact]
    public async Task Traced_and_topic_receives_do_the_same()
    {
        using var listener = new ActivityListener { ShouldListenTo = static _ => true, Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData };
        ActivitySource.AddActivityListener(listener);
        await using MessageTopic topic = await _connector.OpenTopicAsync($"memory:{Guid.NewGuid():N}");
        await using QueueClient subscription = await topic.SubscribeAsync();
        await topic.SendAsync(new QueueMessage { Label = "x" });
        ReceivedMessage<Order> received = (await subscription.ReceiveAsync(new ThrowingFormatter(new InvalidOperationException()), TimeSpan.FromSeconds(20)))!;
        Assert.IsType<InvalidOperationException>(received.Error!.InnerException);
    }

    public static TheoryData<MessageFormatter<Order>, string?, int> Foreign => new()
    {
        { new HandCodedFormatter<Order>(), ContentTypes.Protobuf, BodyTypes.Protobuf },
        { new HandCodedFormatter<Order>(), ContentTypes.Protobuf, 0 },
        { new HandCodedFormatter<Order>(), "text/plain; charset=utf-8", 0 },
        { new HandCodedFormatter<Order>(), null, BodyTypes.Protobuf },
        { new HandCodedFormatter<Order>(), ContentTypes.OctetStream, BodyTypes.Protobuf },
        { new HandCodedFormatter<Order>(), ContentTypes.Binary, BodyTypes.Versioned },
        { new SignedFormatter<Order>(new HandCodedFormatter<Order>(), Key), ContentTypes.Binary, BodyTypes.Binary },
        { new OwnFormatter(), ContentTypes.Json, 0 },
    };

    [Theory]
    [MemberData(nameof(Foreign))]
    public async Task Message_in_another_format_is_not_read(MessageFormatter<Order> formatter, string? contentType, int bodyType)
    {
        await using QueueClient queue = await OpenAsync();
        await queue.SendAsync(new QueueMessage(new MessageBody(new HandCodedFormatter<Order>().Write(SampleOrders.Create()), bodyType, contentType)));
        ReceivedMessage<Order> received = (await queue.ReceiveAsync(formatter, TimeSpan.Zero))!;
        Assert.Equal((MessageFormatErrorCode.UnknownFormat, false), (received.Error!.Code, received.Error.IsPoison));
        Assert.Contains(formatter.ContentType, received.Error.Message, StringComparison.Ordinal);
        if (contentType is not null)
            Assert.Contains(contentType, received.Error.Message, StringComparison.Ordinal);
        Assert.Throws<MessageFormatException>(() => received.Message.Read(formatter));
        await received.ReturnAsync();
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    public static TheoryData<string?, int> Own => new()
    {
        { ContentTypes.Binary, BodyTypes.Binary },
        { "APPLICATION/vnd.formatters.binary; a=b", 0 },
        { null, 0 },
        { "", 0 },
        { " ", BodyTypes.Binary },
        { ContentTypes.OctetStream, 0 },
        { ContentTypes.OctetStream, BodyTypes.Binary },
        { null, BodyTypes.Binary },
    };

    [Theory]
    [MemberData(nameof(Own))]
    public async Task Message_of_the_format_or_without_one_is_read(string? contentType, int bodyType)
    {
        var formatter = new HandCodedFormatter<Order>();
        Order order = SampleOrders.Create(3);
        await using QueueClient queue = await OpenAsync();
        await queue.SendAsync(new QueueMessage(new MessageBody(formatter.Write(order), bodyType, contentType)));
        ReceivedMessage<Order> received = (await queue.ReceiveAsync(formatter, TimeSpan.Zero))!;
        Assert.True(order.ContentEquals(received.Value));
        Assert.True(order.ContentEquals(received.Message.Read(formatter)));
    }

    /// <summary>Other names of a format, and a format that only its bytes tell.</summary>
    [Fact]
    public void Other_names_of_a_format_are_read()
    {
        var json = new JsonFormatter<int[]>(new JsonOptions { SerializerOptions = System.Text.Json.JsonSerializerOptions.Default });
        foreach (string name in new[] { "application/json", "application/vnd.shop.numbers+json", "application/problem+JSON; a=b" })
            Assert.Equal([1, 2], Message("[1,2]"u8, name).Read(json));
        Assert.Throws<MessageFormatException>(() => Message("[1,2]"u8, "application/vnd.shop.numbers+xml").Read(json));
        var activeX = new ActiveXFormatter<int>();
        Assert.Equal(7, new QueueMessage(new MessageBody(new byte[] { 7, 0, 0, 0 }, VarTypes.Int32)).Read(activeX));
        Assert.Throws<MessageFormatException>(() => new QueueMessage(new MessageBody(new byte[] { 7, 0, 0, 0 }, BodyTypes.Binary)).Read(activeX));

        static QueueMessage Message(ReadOnlySpan<byte> bytes, string contentType) => new(new MessageBody(bytes.ToArray(), 0, contentType));
    }

    [Fact]
    public async Task Registry_reads_the_formats_of_its_formatters()
    {
        var binary = new HandCodedFormatter<Order>();
        var signed = new SignedFormatter<Order>(binary, Key);
        var registry = new FormatterRegistry(signed, binary);
        Order order = SampleOrders.Create(2);
        await using QueueClient queue = await OpenAsync();
        await queue.SendAsync(order, registry);
        await queue.SendAsync(order, binary);
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1 }, 0, ContentTypes.Json)));
        for (int i = 0; i < 2; i++)
        {
            ReceivedMessage<Order> received = (await queue.ReceiveAsync<Order>(registry, TimeSpan.Zero))!;
            Assert.True(order.ContentEquals(received.Value));
            Assert.True(order.ContentEquals(received.Message.Read<Order>(registry)));
        }

        Assert.Equal(MessageFormatErrorCode.UnknownFormat, (await queue.ReceiveAsync<Order>(registry, TimeSpan.Zero))!.Error!.Code);
        Assert.Null(await queue.ReceiveAsync<Order>(registry, TimeSpan.Zero));
    }

    private async Task<QueueClient> OpenAsync() => await _connector.OpenAsync($"memory:{Guid.NewGuid():N}");

    private sealed class ThrowingFormatter(Exception exception) : MessageFormatter<Order>("application/x-throwing", 0x8001, null)
    {
        public override void Write(IBufferWriter<byte> destination, Order value) => throw exception;

        public override Order Read(ReadOnlySpan<byte> body) => throw exception;

        public override void Read(ReadOnlySpan<byte> body, ref Order value) => throw exception;
    }

    /// <summary>A formatter that is not one of the library's.</summary>
    private sealed class OwnFormatter() : MessageFormatter<Order>("application/x-own", 0, null)
    {
        public override void Write(IBufferWriter<byte> destination, Order value) => throw new NotSupportedException();

        public override Order Read(ReadOnlySpan<byte> body) => throw new NotSupportedException();
    }
}
