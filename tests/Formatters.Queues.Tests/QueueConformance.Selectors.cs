using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// Receiving what a selector selects.
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task Selector_ReceivesWhatItSelects_TheRestStays()
    {
        QueueClient all = await OpenAsync(ReceiveAndDelete);
        await NeedsAsync(QueueFeatures.Selectors, all, () => OpenAsync(ReceiveAndDelete with { Selector = "n > 1" }));
        QueueClient red = await OpenAsync(ReceiveAndDelete with { Selector = "colour = 'red' AND n >= 2" });
        for (int i = 0; i < 10; i++)
            await all.SendAsync(Coloured(i));

        Assert.Equal(["2", "4", "6", "8"], await ReceiveAllAsync(red, 4));
        Assert.Null(await red.ReceiveAsync(TimeSpan.Zero));
        Assert.Equal(6, await red.GetMessageCountAsync());
        Assert.Equal(["0", "1", "3", "5", "7", "9"], await ReceiveAllAsync(all, 6));
        Assert.Throws<InvalidSelectorException>(() => ReceiveAndDelete with { Selector = "colour = " });
    }

    [QueueFact]
    public async Task Selector_Waiting_IsWokenByWhatItSelectsOnly()
    {
        QueueClient all = await OpenAsync(ReceiveAndDelete);
        Needs(all.Capabilities.Supports(QueueFeatures.Selectors));
        QueueClient blue = await OpenAsync(ReceiveAndDelete with { Selector = "colour = 'blue'" });
        Task<ReceivedMessage?> waiting = blue.ReceiveAsync(Soon).AsTask();
        await all.SendAsync(Coloured(0));
        Assert.Null(await blue.ReceiveAsync(TimeSpan.FromMilliseconds(20)));
        await all.SendAsync(Coloured(1));

        Assert.Equal("1", Text(await waiting));
        Assert.Equal("0", Text(await all.ReceiveAsync(Soon)));
    }

    [QueueFact]
    public async Task Selector_ReturnedMessage_GoesToWhoeverWantsIt()
    {
        QueueClient red = await OpenAsync(PeekLock);
        Needs(red.Capabilities.Supports(QueueFeatures.Selectors));
        red = await OpenAsync(PeekLock with { Selector = "colour = 'red'" });
        QueueClient blue = await OpenAsync(PeekLock with { Selector = "colour <> 'red'" });
        await red.SendAsync(Coloured(0));
        ReceivedMessage message = (await red.ReceiveAsync(Soon))!;
        Task<ReceivedMessage?> waiting = blue.ReceiveAsync(TimeSpan.FromMilliseconds(50)).AsTask();
        await message.ReturnAsync();

        Assert.Null(await waiting);
        ReceivedMessage again = (await red.ReceiveAsync(Soon))!;
        Assert.Equal(("0", true), (Text(again), again.IsRedelivered));
        await again.AcknowledgeAsync();
    }

    [QueueFact]
    public async Task Selector_EveryCase_SelectsAsThePredicate()
    {
        QueueClient all = await OpenAsync(ReceiveAndDelete);
        Needs(all.Capabilities.Supports(QueueFeatures.Selectors));
        await all.SendAsync(SelectorTruths.Sample);
        var wrong = new List<string>();
        foreach ((string selector, bool isTrue) in SelectorTruths.Cases)
        {
            await using QueueClient queue = await Connector.OpenAsync(AddressOf("a"), PeekLock with { Selector = selector });
            ReceivedMessage? message = await queue.ReceiveAsync(TimeSpan.Zero);
            if (message is not null != isTrue)
                wrong.Add(selector);
            if (message is not null)
                await message.ReturnAsync();
        }

        Assert.Empty(wrong);
        Assert.Equal(1, await all.GetMessageCountAsync());
    }

    private static QueueMessage Coloured(int number) =>
        new(Message(number).Body) { Headers = { ["n"] = number, ["colour"] = number % 2 == 0 ? "red" : "blue" } };
}
