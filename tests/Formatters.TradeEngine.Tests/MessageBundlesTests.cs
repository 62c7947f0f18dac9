using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Messages;
using Xunit;

namespace Formatters.TradeEngine.Tests;

public sealed class MessageBundlesTests
{
    private const int Size = 64;

    [Theory]
    [InlineData(1, 10, 1)]
    [InlineData(64, 100, 1)]
    [InlineData(65, 100, 2)]
    [InlineData(20, 30_000, 10)]
    public async Task Messages_ComeOutAsTheyWentIn(int count, int byteCount, int bundles)
    {
        QueueMessage[] messages = [.. Enumerable.Range(0, count).Select(i => Message(i, byteCount))];

        QueueMessage[] packed = [.. MessageBundles.Pack(messages, Size)];
        List<Incoming> unpacked = [];
        foreach (ReceivedMessage received in await PassAsync(packed))
        {
            Assert.True(MessageBundles.IsBundle(received));
            unpacked.AddRange(MessageBundles.Unpack(received, MessageFormats.Xml));
        }

        Assert.Equal(bundles, packed.Length);
        Assert.Equal(messages.Select(message => message.CorrelationId), unpacked.Select(item => item.Message.CorrelationId));
        Assert.All(unpacked, item =>
        {
            Assert.Equal(("NOE", "answers", byteCount), (item.Message.Label, item.Message.ResponseQueue, (int)item.Message.Body.ByteCount));
            Assert.Equal(int.Parse(item.Message.CorrelationId!, CultureInfo.InvariantCulture) % 256, item.Message.Body.ToArray()[0]);
            Assert.Equal((MessageFormats.Xml.BodyType, MessageFormats.Xml.ContentType), (item.Message.Body.BodyType, item.Message.Body.ContentType));
            Assert.Null(item.Error);
        });
        Assert.Equal(count, unpacked.Select(item => item.DeliveryId).Distinct().Count());
    }

    [Fact]
    public async Task Message_ThatIsLarge_GoesAloneAndInItsPlace()
    {
        QueueMessage[] messages = [Message(0, 10), Message(1, MessageBundles.MaxBodyByteCount + 1), Message(2, 10)];

        ReceivedMessage[] packed = [.. await PassAsync([.. MessageBundles.Pack(messages, Size)])];

        Assert.Equal([true, false, true], packed.Select(MessageBundles.IsBundle));
        Assert.Equal("1", packed[1].CorrelationId);
    }

    [Fact]
    public async Task Bundle_ThatComesAgain_HasTheSameIds()
    {
        await using QueueClient queue = await OpenAsync();
        await queue.SendBatchAsync([.. MessageBundles.Pack([Message(0, 10), Message(1, 10)], Size)]);

        var ids = new List<string?[]>();
        for (int i = 0; i < 2; i++)
        {
            ReceivedMessage bundle = Assert.Single(await queue.ReceiveBatchAsync(10, TimeSpan.FromSeconds(1)));
            ids.Add([.. MessageBundles.Unpack(bundle, MessageFormats.Xml).Select(item => item.DeliveryId)]);
            await bundle.ReturnAsync();
        }

        Assert.Equal(2, ids[0].Distinct().Count());
        Assert.Equal(ids[0], ids[1]);
    }

    [Fact]
    public async Task Bundle_CutAnywhere_IsABadBody()
    {
        byte[] body = MessageBundles.Pack([Message(0, 10), Message(1, 10)], Size).Single().Body.ToArray();
        for (int length = 0; length < body.Length; length++)
        {
            ReceivedMessage cut = (await PassAsync([new QueueMessage(new MessageBody(body.AsMemory(0, length), BodyTypes.Batch, ContentTypes.Batch))])).Single();
            Assert.Throws<MessageFormatException>(() => MessageBundles.Unpack(cut, MessageFormats.Xml).ToArray());
        }
    }

    [Fact]
    public async Task Bundle_OfNoMessage_IsABadBody()
    {
        ReceivedMessage bundle = (await PassAsync([EmptyBundle()])).Single();

        Assert.True(MessageBundles.IsBundle(bundle));
        Assert.Throws<MessageFormatException>(() => MessageBundles.Unpack(bundle, MessageFormats.Xml));
    }

    internal static QueueMessage EmptyBundle()
    {
        var formatter = new BatchFormatter<ForwardedMessage>(BinaryBodyFormatter.Create<ForwardedMessage>());
        return new QueueMessage(new MessageBody(formatter.Write([]), formatter.BodyType, formatter.ContentType));
    }

    private static QueueMessage Message(int number, int byteCount)
    {
        byte[] body = new byte[byteCount];
        body[0] = (byte)number;
        return new QueueMessage(new MessageBody(body, MessageFormats.Xml.BodyType, MessageFormats.Xml.ContentType))
        {
            Label = "NOE", CorrelationId = number.ToString(CultureInfo.InvariantCulture), ResponseQueue = "answers",
        };
    }

    private static async Task<IReadOnlyList<ReceivedMessage>> PassAsync(IReadOnlyList<QueueMessage> messages)
    {
        await using QueueClient queue = await OpenAsync();
        await queue.SendBatchAsync(messages);
        return await queue.ReceiveBatchAsync(1_000, TimeSpan.FromSeconds(1));
    }

    private static ValueTask<QueueClient> OpenAsync() => new QueueConnector(new MemoryQueueProvider()).OpenAsync("memory:bundles");
}
