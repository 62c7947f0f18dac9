using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// What an acknowledgement is of, and when the queue hears of it.
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task Cumulative_acknowledges_all_that_the_handle_received_before()
    {
        QueueClient queue = await OpenInModeAsync(AcknowledgeMode.Cumulative);
        List<ReceivedMessage> messages = await ExchangeAsync(queue, 6);
        await messages[1].ReturnAsync();
        await messages[3].AcknowledgeAsync();
        // Done already: no second time, no way back.
        await messages[0].AcknowledgeAsync();
        await messages[2].ReturnAsync();
        await messages[2].AcknowledgeAsync();
        Assert.Equal("1", Text(await queue.ReceiveAsync(Soon)));
        await queue.DisposeAsync();

        QueueClient again = await OpenAsync(PeekLock);
        Assert.Equal(["1", "4", "5"], (await ReceiveAllAsync(again, 3)).Order());
        Assert.Null(await again.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Cumulative_is_not_of_what_was_returned_and_came_again()
    {
        QueueClient queue = await OpenInModeAsync(AcknowledgeMode.Cumulative);
        List<ReceivedMessage> messages = await ExchangeAsync(queue, 4);
        await messages[1].ReturnAsync();
        ReceivedMessage again = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal("1", Text(again));
        await messages[3].AcknowledgeAsync();
        await again.ReturnAsync();
        await queue.DisposeAsync();

        QueueClient rest = await OpenAsync(PeekLock);
        Assert.Equal("1", Text(await rest.ReceiveAsync(Soon)));
        Assert.Null(await rest.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Cumulative_is_of_its_own_handle_and_of_what_was_handed_out()
    {
        QueueClient queue = await OpenInModeAsync(AcknowledgeMode.Cumulative);
        QueueClient other = await OpenAsync(PeekLock with { PrefetchCount = 1 });
        for (int i = 0; i < 6; i++)
            await queue.SendAsync(Message(i));
        ReceivedMessage first = (await other.ReceiveAsync(Soon))!;
        Assert.Equal("0", Text(first));
        Assert.Equal("1", Text(await queue.ReceiveAsync(Soon)));
        ReceivedMessage second = (await queue.ReceiveAsync(Soon))!;
        await second.AcknowledgeAsync();
        await queue.DisposeAsync();
        await first.ReturnAsync();
        await other.DisposeAsync();

        // Neither what another handle has, nor what this one had fetched ahead.
        QueueClient again = await OpenAsync(PeekLock);
        List<string?> rest = await ReceiveAllAsync(again, 4);
        Assert.Equal(["0", "3", "4", "5"], rest.Order());
        Assert.Null(await again.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Lazy_acknowledgements_arrive_by_themselves_and_with_the_end_of_the_handle()
    {
        QueueClient queue = await OpenInModeAsync(AcknowledgeMode.Lazy);
        List<ReceivedMessage> messages = await ExchangeAsync(queue, 10);
        for (int i = 0; i < 5; i++)
            await messages[i].AcknowledgeAsync();
        // As another handle sees it, which asks this one for nothing.
        QueueClient observer = await OpenAsync(PeekLock);
        if (await observer.GetLockedCountAsync() is not null)
            await EventuallyAsync(async () => await observer.GetLockedCountAsync() == 5);
        await messages[6].AcknowledgeAsync();
        await messages[8].ReturnAsync();
        await queue.DisposeAsync();

        QueueClient again = await OpenAsync(PeekLock);
        Assert.Equal(["5", "7", "8", "9"], (await ReceiveAllAsync(again, 4)).Order());
        Assert.Null(await again.ReceiveAsync(TimeSpan.Zero));
    }

    [QueueFact]
    public async Task Lazy_everything_acknowledged_is_gone_also_out_of_order()
    {
        QueueClient queue = await OpenInModeAsync(AcknowledgeMode.Lazy, 4);
        for (int i = 0; i < 100; i++)
            await queue.SendAsync(Message(i));
        var held = new List<ReceivedMessage>();
        var random = new Random(4);
        for (int i = 0; i < 100; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal($"{i}", Text(message));
            held.Add(message);
            while (held.Count > 0 && (held.Count >= 4 || random.Next(3) == 0))
            {
                int index = random.Next(held.Count);
                await held[index].AcknowledgeAsync();
                held.RemoveAt(index);
            }
        }

        List<string?> left = held.ConvertAll(Text);
        await queue.DisposeAsync();
        QueueClient again = await OpenAsync(PeekLock);
        Assert.Equal(left, await ReceiveAllAsync(again, left.Count));
        Assert.Null(await again.ReceiveAsync(TimeSpan.Zero));
    }

    /// <summary>Opens a queue with a mode of acknowledgements. One that has none must refuse it by name; then the test is skipped.</summary>
    private async Task<QueueClient> OpenInModeAsync(AcknowledgeMode mode, int prefetchCount = 200)
    {
        QueueOptions options = PeekLock with { AcknowledgeMode = mode, PrefetchCount = prefetchCount };
        QueueClient plain = await OpenAsync(PeekLock);
        await NeedsAsync(QueueFeatures.AcknowledgeModes, plain, () => OpenAsync(options));
        await plain.DisposeAsync();
        return await OpenAsync(options);
    }

    private static async Task<List<ReceivedMessage>> ExchangeAsync(QueueClient queue, int count)
    {
        for (int i = 0; i < count; i++)
            await queue.SendAsync(Message(i));
        var messages = new List<ReceivedMessage>();
        while (messages.Count < count)
            messages.Add((await queue.ReceiveAsync(Soon))!);
        return messages;
    }
}
