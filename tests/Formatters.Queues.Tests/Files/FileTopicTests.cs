using System;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

public sealed class FileExpressTopicTests : FileTopicConformance
{
    protected override DeliveryMode Mode => DeliveryMode.Express;
}

public sealed class FileRecoverableTopicTests : FileTopicConformance
{
    protected override DeliveryMode Mode => DeliveryMode.Recoverable;
}

public abstract class FileTopicConformance : TopicConformance, IAsyncLifetime
{
    private readonly TestFolder _folder = new();

    protected override QueueProvider Provider { get; } = new FileQueueProvider(FileTests.SmallSegments);

    protected override string Place => $"file://{_folder.Path}/";

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await ((FileQueueProvider)Provider).DisposeAsync();
        _folder.Delete();
    }
}

/// <summary>What the topics of a folder are worth after an opening, and in transactions.</summary>
public sealed class FileTopicTests : IDisposable
{
    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Delete();

    [Fact]
    public async Task Durable_subscriptions_and_their_selectors_are_kept_over_openings_and_segments()
    {
        for (int round = 0; round < 3; round++)
        {
            await using var provider = new FileQueueProvider(FileTests.SmallSegments);
            await using MessageTopic topic = await OpenAsync(provider, Recoverable);
            if (round == 0)
            {
                await (await topic.SubscribeDurableAsync("all")).DisposeAsync();
                await (await topic.SubscribeDurableAsync("some", "n = 1")).DisposeAsync();
                await using QueueClient ending = await topic.SubscribeAsync();
            }

            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 1 } });
            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 2 } });
            await using QueueClient all = await topic.SubscribeDurableAsync("all");
            await using QueueClient some = await topic.SubscribeDurableAsync("some", "n = 1");
            Assert.Equal((2, 1), (await all.GetMessageCountAsync(), await some.GetMessageCountAsync()));
            Assert.Equal(3, await all.PurgeAsync() + await some.PurgeAsync());
            // The segments in which the subscriptions were made go.
            for (int i = 0; i < 20; i++)
            {
                await topic.SendAsync(new QueueMessage(new MessageBody(new byte[20_000])));
                Assert.NotNull(await all.ReceiveAsync(TimeSpan.Zero));
            }
        }

        await using (var provider = new FileQueueProvider(FileTests.SmallSegments))
        {
            await using MessageTopic topic = await OpenAsync(provider, Recoverable);
            Assert.True(await topic.UnsubscribeAsync("all"));
        }

        await using (var provider = new FileQueueProvider(FileTests.SmallSegments))
        {
            await using MessageTopic topic = await OpenAsync(provider, Recoverable);
            Assert.False(await topic.UnsubscribeAsync("all"));
            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 1 } });
            await using QueueClient some = await topic.SubscribeDurableAsync("some", "n = 1");
            Assert.Equal(1, await some.GetMessageCountAsync());
            await using QueueClient others = await topic.SubscribeDurableAsync("some", "n = 2");
            Assert.Equal(0, await others.GetMessageCountAsync());
        }

        await using (var provider = new FileQueueProvider(FileTests.SmallSegments))
        {
            await using MessageTopic topic = await OpenAsync(provider, Recoverable);
            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 2 } });
            await using QueueClient some = await topic.SubscribeDurableAsync("some", "n = 2");
            Assert.Equal(1, await some.GetMessageCountAsync());
        }
    }

    [Fact]
    public async Task Transaction_sends_to_all_subscriptions_or_none()
    {
        var transactional = new QueueOptions { DeliveryMode = DeliveryMode.Transactional };
        await using var provider = new FileQueueProvider(FileTests.SmallSegments);
        await using MessageTopic topic = await OpenAsync(provider, transactional);
        await using QueueClient durable = await topic.SubscribeDurableAsync("d");
        await using QueueClient ending = await topic.SubscribeAsync("n = 1");
        await Assert.ThrowsAsync<InvalidOperationException>(() => topic.SendAsync(new QueueMessage()).AsTask());
        await using (QueueTransaction undone = await topic.BeginTransactionAsync())
            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 1 } }, undone);
        await using (QueueTransaction transaction = await topic.BeginTransactionAsync())
        {
            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 1 } }, transaction);
            await topic.SendAsync(new QueueMessage { Headers = { ["n"] = 2 } }, transaction);
            Assert.Equal((0, 0), (await durable.GetMessageCountAsync(), await ending.GetMessageCountAsync()));
            await transaction.CommitAsync();
        }

        Assert.Equal((2, 1), (await durable.GetMessageCountAsync(), await ending.GetMessageCountAsync()));
        await using (QueueTransaction receiving = await ending.BeginTransactionAsync())
        {
            Assert.NotNull(await ending.ReceiveAsync(TimeSpan.Zero, receiving));
            Assert.NotNull(await durable.ReceiveAsync(TimeSpan.Zero, receiving));
            await receiving.CommitAsync();
        }

        Assert.Equal((1, 0), (await durable.GetMessageCountAsync(), await ending.GetMessageCountAsync()));
        Assert.Equal((0L, 0L), (await durable.GetLockedCountAsync(), await ending.GetLockedCountAsync()));
    }

    [Fact]
    public async Task Subscription_that_is_deleted_as_a_queue_is_none_any_more()
    {
        await using var provider = new FileQueueProvider(FileTests.SmallSegments);
        var connector = new QueueConnector(provider);
        await using MessageTopic topic = await OpenAsync(provider, Recoverable);
        await (await topic.SubscribeDurableAsync("d")).DisposeAsync();
        Assert.Equal(1, await connector.DeleteAsync($"file://{_folder.Path}/news.d"));
        await topic.SendAsync(new QueueMessage());
        Assert.False(await topic.UnsubscribeAsync("d"));
        await using QueueClient again = await topic.SubscribeDurableAsync("d");
        await topic.SendAsync(new QueueMessage());
        Assert.Equal(1, await again.GetMessageCountAsync());
    }

    private async Task<MessageTopic> OpenAsync(FileQueueProvider provider, QueueOptions options) =>
        await provider.OpenTopicAsync(QueueAddress.Parse($"file://{_folder.Path}/news"), options, default);
}
