using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Envelopes;
using Formatters.Queues;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Drivers;
using Formatters.TradeEngine.Messages;
using Formatters.TradeEngine.Store;
using Formatters.TradeEngine.Store.Sqlite;
using Xunit;

namespace Formatters.TradeEngine.Tests;

/// <summary>An engine over a folder of its own, with driver and sink.</summary>
internal sealed class TestEngine : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    private readonly DirectoryInfo? _folder;
    private readonly FileQueueProvider _files = new();

    private TestEngine(DirectoryInfo? folder, MessageSet set)
    {
        _folder = folder;
        Set = set;
    }

    internal MessageSet Set { get; }

    internal EngineQueues Queues { get; private set; } = null!;

    internal ITradeStore Store { get; private set; } = null!;

    internal TradeEngineHost Host { get; private set; } = null!;

    internal ClearingSink Sink { get; private set; } = null!;

    internal MessageDriver Driver { get; private set; } = null!;

    internal SigningKey Key { get; private set; } = SigningKey.HmacSha256("driver-1", new byte[32]);

    /// <param name="set">What is sent.</param>
    /// <param name="isEmbedded">Whether the queues are in a folder, or in memory. The store is always in a folder.</param>
    /// <param name="change">Changes the options.</param>
    /// <param name="databaseCount">How many databases.</param>
    /// <param name="clock">The store's clock.</param>
    /// <param name="key">The driver's key; HMAC unless given.</param>
    internal static async Task<TestEngine> CreateAsync(
        MessageSet set, bool isEmbedded = false, Func<EngineOptions, EngineOptions>? change = null, int databaseCount = 1, TimeProvider? clock = null,
            SigningKey? key = null, string? responses = null)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("formatters-engine");
        var engine = new TestEngine(folder, set);
        engine.Key = key ?? engine.Key;
        var options = new EngineOptions
        {
            QueuePrefix = isEmbedded ? $"file:{folder.FullName}/queues/" : "memory:",
            BatchSize = 32,
            ReceiveTimeout = TimeSpan.FromMilliseconds(50),
        };
        options = change?.Invoke(options) ?? options;
        engine.Queues = await EngineQueues.OpenAsync(new QueueConnector(new MemoryQueueProvider(), engine._files), options.QueuePrefix,
            options.InboundQueueCount, bundleSize: options.BundleSize);
        engine.Store = await SqliteTradeStore.OpenAsync(Path.Combine(folder.FullName, "store"), databaseCount, clock);
        engine.Host = new TradeEngineHost(engine.Queues, options, set.Data, engine.Store, engine.Key);
        engine.Sink = new ClearingSink(engine.Queues, options.Formats)
        {
            Participants = responses is null
                ? new Dictionary<string, string>()
                : set.Data.Participants.ToDictionary(participant => participant.Code, _ => responses),
        };
        engine.Driver = new MessageDriver(engine.Queues, options.Formats, engine.Key) { BatchSize = 50, ResponseQueue = responses };
        return engine;
    }

    /// <summary>Sends the set, and waits until the network is empty and all CLS are taken.</summary>
    internal async Task RunAsync(IEnumerable<SetMessage>? messages = null)
    {
        Host.Start();
        await Driver.SendAsync(messages ?? Set.GetMessages());
        await DrainAsync();
    }

    /// <summary>Waits until the network is empty, and takes the CLS.</summary>
    internal async Task DrainAsync()
    {
        using var deadline = new CancellationTokenSource(Patience);
        while (true)
        {
            if (Host.Failure.IsCompleted)
                await Host.Failure;
            while (await Sink.RunOnceAsync(TimeSpan.Zero, deadline.Token) > 0)
            {
            }

            if (await CountAsync() == 0 && await CountAsync() == 0)
                return;
            await Task.Delay(10, deadline.Token);
        }
    }

    /// <summary>Takes all messages out of the exception queue.</summary>
    internal async Task<List<(string? MessageId, string Reason, string Text)>> TakeExceptionsAsync()
    {
        var taken = new List<(string?, string, string)>();
        while (true)
        {
            await using WorkBatch batch = await WorkBatch.ReceiveAsync(Queues.Exceptions, Queues.IsTransactional, 100, TimeSpan.Zero);
            if (batch.Messages.Count == 0)
                return taken;
            taken.AddRange(batch.Messages.Select(message =>
                (message.CorrelationId, (string)message.Headers[ExceptionHeaders.Reason], (string)message.Headers[ExceptionHeaders.Text])));
            await batch.CompleteAsync();
        }
    }

    /// <summary>Asserts that exactly the trades have a CLS that should.</summary>
    internal void AssertCleared()
    {
        Assert.Empty(Sink.Wrong);
        Assert.Equal(0, Sink.RepeatedCount);
        Assert.Equal(Set.CountClearings(), Sink.ClearedCount);
    }

    public async ValueTask DisposeAsync()
    {
        await Host.DisposeAsync();
        await Queues.DisposeAsync();
        await Store.DisposeAsync();
        await _files.DisposeAsync();
        _folder?.Delete(recursive: true);
    }

    /// <summary>What is on the way in the network, locked or not.</summary>
    private async Task<long> CountAsync()
    {
        long count = 0;
        foreach ((string name, QueueClient queue) in Queues.All)
        {
            if (name != "exceptions")
                count += await queue.GetMessageCountAsync() + (await queue.GetLockedCountAsync() ?? 0);
        }

        return count;
    }
}
