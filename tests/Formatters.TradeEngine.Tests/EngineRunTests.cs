using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Store.Sqlite;
using Xunit;

namespace Formatters.TradeEngine.Tests;

public sealed class EngineRunTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("formatters-run");

    public void Dispose() => _folder.Delete(recursive: true);

    /// <summary>Their CLS and exceptions are checked, their number and times are not those of the run.</summary>
    [Fact]
    public async Task Trades_ToWarmUp_AreCheckedAndNotMeasured()
    {
        EngineRunResult result = await RunAsync(options => options with { WarmTrades = 150 });

        Assert.True(result.IsRight);
        Assert.Equal((200, 150), (result.Trades, result.WarmTrades));
        MessageSet set = MessageSet.Create(Set);
        Assert.Equal(set.GetMessages().Count(), result.Sent);
        Assert.Equal(set.CountClearings() + set.CountClearings(200, 150), result.ExpectedClearings);
        Assert.Equal(set.GetMessages(0, 350).Count(message => message.Defect != Defect.None), result.ExpectedExceptions);
        Assert.Equal(result.Sent, result.Analysis.Stations[0].Completions);
        Assert.True(result.Latency!.Count <= 200);
        Assert.Equal(5, result.Kills);
    }

    [Fact]
    public async Task Trades_AtARate_AreMeasuredWithoutThoseToWarmUp()
    {
        EngineRunResult result = await RunAsync(options => options with { WarmTrades = 100, Rate = 5_000 });

        Assert.True(result.IsRight);
        Assert.Equal(MessageSet.Create(Set).GetMessages().Count(), result.Sent);
        Assert.InRange(result.Latency!.Count, 1, 200);
    }

    /// <summary>The second queue manager of the study's figure 5.</summary>
    [Theory]
    [InlineData("memory:", "memory:own-", ForwardingGuarantee.ExactlyOnce)]
    [InlineData("memory:", "file:{0}/own/", ForwardingGuarantee.AtLeastOnce)]
    [InlineData("file:{0}/queues/", "file:{0}/own/", ForwardingGuarantee.AtLeastOnce)]
    [InlineData("file:{0}/queues/", "file:{0}/queues/own-", ForwardingGuarantee.ExactlyOnce)]
    public async Task Trades_ThatAreTransferred_HaveOneClearingEach(string queues, string transfer, ForwardingGuarantee guarantee)
    {
        EngineRunResult result = await RunAsync(options => options with
        {
            QueuePrefix = queues.Replace("{0}", _folder.FullName, StringComparison.Ordinal),
            Transfer = transfer.Replace("{0}", _folder.FullName, StringComparison.Ordinal),
            InboundQueueCount = 2,
            WarmTrades = 20,
        });

        Assert.True(result.IsRight);
        Assert.Equal(guarantee, result.Transfer);
        Assert.Equal(5, result.Kills);
        Assert.Equal(result.Sent, result.Analysis.Stations[0].Completions);
    }

    private static MessageSetOptions Set => new() { TradeCount = 200, BadShare = 0.05, DuplicateShare = 0.05, ChangeShare = 0.05 };

    private async Task<EngineRunResult> RunAsync(Func<EngineRunOptions, EngineRunOptions> change)
    {
        await using var files = new FileQueueProvider();
        await using SqliteTradeStore store = await SqliteTradeStore.OpenAsync(Path.Combine(_folder.FullName, "store"));
        var options = new EngineRunOptions { QueuePrefix = "memory:", Set = Set, Kills = 5, BatchSize = 32 };
        return await new EngineRun(new QueueConnector(new MemoryQueueProvider(), files), store, change(options)).RunAsync();
    }
}
