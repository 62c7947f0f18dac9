using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What a queue does for those who ask for nothing.</summary>
public abstract partial class QueueConformance
{
    /// <summary>The most that queues of this kind promise without transactions.</summary>
    protected virtual DeliveryMode MostReliable => DeliveryMode.Recoverable;

    [QueueFact]
    public async Task By_default_a_send_is_as_reliable_as_the_queue_can_make_it()
    {
        QueueClient byDefault = await OpenAsync(QueueOptions.Default);
        QueueClient asked = await OpenAsync(new QueueOptions { DeliveryMode = MostReliable, ReceiveMode = ReceiveMode.PeekLock });

        Assert.Equal(MostReliable, byDefault.Options.DeliveryMode);
        Assert.Equal(asked.Options, byDefault.Options);
        Assert.Equal(asked.Capabilities, byDefault.Capabilities);
    }

    [QueueFact]
    public async Task By_default_what_is_received_and_not_acknowledged_comes_again()
    {
        QueueClient sender = await OpenAsync(QueueOptions.Default);
        for (int i = 0; i < 50; i++)
            await sender.SendAsync(Message(i));
        await using (QueueClient ended = await Connector.OpenAsync(AddressOf("a")))
            Assert.Equal("0", Text(await ended.ReceiveAsync(Soon)));

        QueueClient queue = await OpenAsync(QueueOptions.Default);
        await AssertCountAsync(50, queue);
        for (int i = 0; i < 50; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal(i.ToString(System.Globalization.CultureInfo.InvariantCulture), Text(message));
            // Quorum queues of RabbitMQ say so of those that were only fetched ahead, too.
            Assert.True(i > 0 || message.IsRedelivered);
            await message.AcknowledgeAsync();
        }

        await AssertCountAsync(0, queue);
    }

    [QueueFact]
    public async Task The_fastest_is_asked_for_by_name()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        Assert.Equal((DeliveryMode.Express, ReceiveMode.ReceiveAndDelete), (queue.Options.DeliveryMode, queue.Options.ReceiveMode));
        await queue.SendAsync(Message("gone"));
        Assert.Equal("gone", Text(await queue.ReceiveAsync(Soon)));
        await queue.DisposeAsync();

        Assert.Equal(0, await (await OpenAsync(QueueOptions.Fastest)).GetMessageCountAsync());
    }
}
