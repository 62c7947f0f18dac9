using System;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Drivers;
using Formatters.TradeEngine.Messages;
using Xunit;

namespace Formatters.TradeEngine.Tests;

/// <summary>The sink counts the clearings of each trade: one holds, two are an error, and one that was taken back does not count.</summary>
public sealed class ClearingSinkTests
{
    private const char New = '+';
    private const char Cancel = '-';

    /// <param name="clearings">What comes for one trade: a sign for new or taken back, and the number of the match.</param>
    [Theory]
    [InlineData("+1", 1, 0, 0, 0)]
    [InlineData("+1 +2", 0, 1, 0, 0)]
    [InlineData("+1 +1", 0, 1, 1, 0)]
    [InlineData("+1 -1", 0, 0, 0, 1)]
    [InlineData("+1 -1 +2", 1, 0, 0, 1)]
    [InlineData("+1 -1 -1", 0, 1, 1, 2)]
    [InlineData("+1 -1 +2 +3", 0, 1, 0, 1)]
    [InlineData("-1", 0, 1, 0, 1)]
    public async Task Clearings_of_a_trade_are_counted(string clearings, int cleared, int wrong, int repeated, int cancelled)
    {
        await using EngineQueues queues = await EngineQueues.OpenAsync(new QueueConnector(new MemoryQueueProvider()), "memory:", 1);
        var sink = new ClearingSink(queues, MessageFormats.Xml);
        // A second trade, which the first does not touch.
        await SendAsync(queues, "B", New, 1);
        foreach (string one in clearings.Split(' '))
            await SendAsync(queues, "A", one[0], one[1] - '0');
        while (await sink.RunOnceAsync(TimeSpan.Zero, default) > 0)
        {
        }

        Assert.Equal((cleared + 1, wrong, (long)repeated, (long)cancelled), (sink.ClearedCount, sink.Wrong.Count, sink.RepeatedCount, sink.CancelledCount));
    }

    private static async Task SendAsync(EngineQueues queues, string reference, char sign, int version)
    {
        var message = new ClearingMessage
        {
            Header = new MessageHeader
            {
                MessageId = $"{reference}{sign}{version}",
                Type = MessageType.Clearing,
                Variant = sign == Cancel ? MessageVariant.Cancel : MessageVariant.New,
                Version = version,
                Party = Party.None,
                Sender = "ENGINE",
                Receiver = "CLS",
            },
            Terms = new TradeTerms { TradeReference = reference, ExecutingBroker = "BROKER", InvestmentManager = "MANAGER", Security = "US0378331005", Side = TradeSide.Buy, TradeDate = 20261124 },
        };
        await using QueueTransaction transaction = await queues.Clearings.BeginTransactionAsync();
        await queues.Clearings.SendAsync(new QueueMessage(new MessageBody(MessageFormats.Xml.Clearings.Write(message))), transaction);
        await transaction.CommitAsync();
    }
}
