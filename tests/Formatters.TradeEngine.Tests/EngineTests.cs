using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Envelopes;
using Formatters.Queues;
using Formatters.TestSupport;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Drivers;
using Formatters.TradeEngine.Messages;
using Formatters.TradeEngine.StaticData;
using Formatters.TradeEngine.Store;
using Xunit;

namespace Formatters.TradeEngine.Tests;

public sealed class EngineTests
{
    /// <summary>How many components are killed: FORMATTERS_ENGINE_KILLS.</summary>
    private static int Kills => TestScale.Count("FORMATTERS_ENGINE_KILLS", full: 3, quick: 3, night: 200);

    public static TheoryData<string> FormatNames => MessageTests.FormatNames;

    [Theory]
    [MemberData(nameof(FormatNames))]
    public async Task Trades_InEveryFormat_EndInOneClearingEach(string format)
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { TradeCount = 150 });
        await using TestEngine engine = await TestEngine.CreateAsync(set, change: options => options with { Formats = MessageFormats.Find(format)! });

        await engine.RunAsync();

        engine.AssertCleared();
        Assert.Equal(150, engine.Sink.ReceivedCount);
        Assert.Empty(await engine.TakeExceptionsAsync());
        Assert.Equal(new StoreCounts(150, 150, 0), await engine.Store.CountAsync());
    }

    [Fact]
    public async Task Signatures_OfEcdsa_AreVerifiedOnEntry()
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { TradeCount = 50, BadShare = 0.2 });
        using var pair = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        await using TestEngine engine = await TestEngine.CreateAsync(set, key: SigningKey.EcdsaP256("driver-1", pair.ExportParameters(true)));

        await engine.RunAsync();

        engine.AssertCleared();
        Assert.Equal(
            set.GetMessages().Where(message => message.Defect == Defect.Signature).Select(message => message.MessageId).Order(),
            (await engine.TakeExceptionsAsync()).Where(exception => exception.Reason == "SignatureInvalid").Select(exception => exception.MessageId!).Order());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Duplicates_Changes_AndGaps_GiveWhatTheyAddUpTo(bool isEmbedded)
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 3, TradeCount = 600, DuplicateShare = 0.2, ChangeShare = 0.3,
            IncompleteShare = 0.05 });
        await using TestEngine engine = await TestEngine.CreateAsync(set, isEmbedded, options => options with { InboundQueueCount = 3, InstanceCount = 3 });

        await engine.RunAsync();

        engine.AssertCleared();
        Assert.InRange(engine.Sink.ClearedCount, 450, 590);
        Assert.Empty(await engine.TakeExceptionsAsync());
        Assert.Equal(engine.Sink.ClearedCount, (await engine.Store.CountAsync()).Matched);
    }

    [Fact]
    public async Task Changes_AfterTheMatch_TakeTheClearingBack()
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 4, TradeCount = 200, ChangeShare = 0.5 });
        await using TestEngine engine = await TestEngine.CreateAsync(set);
        engine.Host.Start();
        foreach (IGrouping<int, SetMessage> version in set.GetMessages().GroupBy(message => message.Message.Header.Version).OrderBy(group => group.Key))
        {
            await engine.Driver.SendAsync(version);
            await engine.DrainAsync();
        }

        engine.AssertCleared();
        // All but those that did not match before their second version.
        Assert.Equal(
            Enumerable.Range(0, 200).Count(trade =>
                set.PlanOf(trade) is TradePlan.Cancelled or TradePlan.CancelledAndReplaced or TradePlan.RejectedAndAffirmed),
            engine.Sink.CancelledCount);
        Assert.Equal(engine.Sink.ClearedCount + (2 * engine.Sink.CancelledCount), engine.Sink.ReceivedCount);
    }

    [Fact]
    public async Task Participants_HearWhatBecameOfTheirMessagesAndTrades()
    {
        const string Address = "memory:participants";
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 8, TradeCount = 200, ChangeShare = 0.2, IncompleteShare = 0.05, BadShare = 0.05 });
        await using TestEngine engine = await TestEngine.CreateAsync(set, responses: Address);
        var stub = new ParticipantStub(engine.Queues, MessageFormats.Xml, Address);

        await engine.RunAsync();
        await stub.DrainAsync();

        engine.AssertCleared();
        ILookup<bool, SetMessage> messages = set.GetMessages().ToLookup(message => message.Defect == Defect.None);
        Assert.Equal(messages[true].Select(message => message.MessageId).Order(), stub.Acknowledged.Keys.Order());
        // What the router refuses it cannot answer to: nobody knows yet who has sent it.
        foreach (SetMessage bad in messages[false].Where(message =>
            message.Defect is not (Defect.Signature or Defect.Label or Defect.Truncated or Defect.Misrouted)))
            Assert.Contains(stub.Rejected[bad.MessageId], DefectReasons.Of(bad.Defect).Select(reason => reason.ToString()));
        // Both parties of each.
        Assert.Equal(2 * set.CountClearings(), stub.Confirmed.Count);
        Assert.Equal(set.CountClearings(), stub.Confirmed.Select(trade => trade.Trade).Distinct().Count());
    }

    [Fact]
    public async Task Trades_ThatAreNotMatchedInTime_AreInTheExceptionQueue()
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 2, TradeCount = 100, IncompleteShare = 0.1 });
        await using TestEngine engine = await TestEngine.CreateAsync(set);
        int[] incomplete = [.. Enumerable.Range(0, 100).Where(trade => set.PlanOf(trade) == TradePlan.Incomplete)];

        await engine.RunAsync();
        int expired = await engine.Host.ExpireAsync(DateTimeOffset.UtcNow.AddHours(1));

        Assert.InRange(incomplete.Length, 1, 30);
        Assert.Equal(incomplete.Length, expired);
        var exceptions = await engine.TakeExceptionsAsync();
        Assert.Equal(incomplete.Select(TradeBuilder.ReferenceOf), exceptions.Select(exception => exception.MessageId!).Order());
        Assert.All(exceptions, exception => Assert.Equal("TradeNotMatched", exception.Reason));
        Assert.All(exceptions, exception => Assert.EndsWith(" missing", exception.Text, StringComparison.Ordinal));
        Assert.Equal(0, await engine.Host.ExpireAsync(DateTimeOffset.UtcNow.AddHours(1)));
    }

    [Fact]
    public async Task Growth_OfTheStore_WhileTheNetworkRuns_ChangesNoTrade()
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 12, TradeCount = 300, ChangeShare = 0.05 });
        await using TestEngine engine = await TestEngine.CreateAsync(set);
        engine.Host.Start();
        Task driving = engine.Driver.SendAsync(set.GetMessages());
        foreach (int databases in (int[])[2, 4])
        {
            while (engine.Host.Meters.Skip(1).Sum(meter => meter.Completions) < 300 * databases && !driving.IsCompleted)
                await Task.Delay(5);
            await engine.Store.GrowAsync(databases);
        }

        await driving;
        await engine.DrainAsync();

        engine.AssertCleared();
        Assert.Equal(4, engine.Store.DatabaseCount);
        Assert.Equal(engine.Sink.ClearedCount, (await engine.Store.CountAsync()).Matched);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Messages_InAnyOrder_GiveTheSameTrades(int seed)
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 11, TradeCount = 200, ChangeShare = 0.5, IncompleteShare = 0.05 });
        SetMessage[] messages = [.. set.GetMessages()];
        var random = new SeededRandom((ulong)seed);
        for (int i = messages.Length - 1; i > 0; i--)
        {
            int other = random.Below(i + 1);
            (messages[i], messages[other]) = (messages[other], messages[i]);
        }

        await using TestEngine engine = await TestEngine.CreateAsync(set);

        await engine.RunAsync(messages);

        engine.AssertCleared();
        Assert.Empty(await engine.TakeExceptionsAsync());
    }

    [Theory]
    [InlineData("xml", false)]
    [InlineData("xml", false, 1)]
    [InlineData("xml", true)]
    [InlineData("binary", false)]
    [InlineData("binary", false, 1)]
    public async Task BadMessages_AreAllInTheExceptionQueue_WithTheRightReason(string format, bool isEmbedded, int bundleSize = 64)
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 5, TradeCount = 500, BadShare = 0.05 });
        await using TestEngine engine = await TestEngine.CreateAsync(set, isEmbedded, options => options with { Formats = MessageFormats.Find(format)!, BundleSize = bundleSize });
        Dictionary<string, Defect> bad = set.GetMessages().Where(message => message.Defect != Defect.None).ToDictionary(message => message.MessageId,
            message => message.Defect);

        await engine.RunAsync();

        engine.AssertCleared();
        Assert.Equal(500, engine.Sink.ReceivedCount);
        var exceptions = await engine.TakeExceptionsAsync();
        Assert.Equal(bad.Keys.Order(), exceptions.Select(exception => exception.MessageId!).Order());
        Assert.All(exceptions, exception => Assert.Contains(exception.Reason, DefectReasons.Of(bad[exception.MessageId!]).Select(reason => reason.ToString())));
        Assert.All(exceptions, exception => Assert.NotEqual("", exception.Text));
        Assert.Equal(Enum.GetValues<Defect>().Length - 1, bad.Values.Distinct().Count());
    }

    /// <summary>Whether a message came in a bundle or by itself nobody can tell from what becomes of it.</summary>
    [Fact]
    public async Task Exceptions_OfBundles_AreThoseOfMessagesByThemselves()
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 13, TradeCount = 300, BadShare = 0.1, DuplicateShare = 0.1 });

        Assert.Equal(await RunAsync(1), await RunAsync(64));

        async Task<IReadOnlyList<(string? MessageId, string Reason, string Text)>> RunAsync(int bundleSize)
        {
            await using TestEngine engine = await TestEngine.CreateAsync(set, change: options => options with { BundleSize = bundleSize });
            await engine.RunAsync();
            engine.AssertCleared();
            return [.. (await engine.TakeExceptionsAsync()).Order()];
        }
    }

    /// <summary>What nobody can take apart goes to the exception queue as it is; what is in other bundles is not touched by it.</summary>
    [Fact]
    public async Task Bundles_ThatAreDamaged_AreInTheExceptionQueueWhole()
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 14, TradeCount = 100 });
        await using TestEngine engine = await TestEngine.CreateAsync(set);
        QueueClient notices = engine.Queues.ByType[MessageType.NoticeOfExecution];
        QueueMessage bundle = MessageBundles.Pack([.. Enumerable.Range(0, 3).Select(_ => new QueueMessage(new MessageBody(new byte[100])))], 64).Single();
        byte[] bytes = bundle.Body.ToArray();
        await using (WorkBatch batch = await WorkBatch.BeginAsync(notices, isTransactional: true))
        {
            batch.Send(notices, MessageBundlesTests.EmptyBundle());
            batch.Send(notices, new QueueMessage(new MessageBody(bytes.AsMemory(0, bytes.Length - 1), bundle.Body.BodyType, bundle.Body.ContentType)));
            await batch.CompleteAsync();
        }

        await engine.RunAsync();

        engine.AssertCleared();
        var exceptions = await engine.TakeExceptionsAsync();
        Assert.Equal([null, null], exceptions.Select(exception => exception.MessageId));
        Assert.All(exceptions, exception => Assert.Equal("Unreadable", exception.Reason));
        Assert.Contains(exceptions, exception => exception.Text.Contains("no message", StringComparison.Ordinal));
    }

    /// <summary>The component dies after the store has the bundle's messages, and gets it again: no CLS is sent twice, and none is lost.</summary>
    [Theory]
    [InlineData("received")]
    [InlineData("validated")]
    [InlineData("applied")]
    [InlineData("processed")]
    public async Task Bundle_ThatComesAgain_LeadsToTheSame(string point)
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 15, TradeCount = 40, BadShare = 0.1 });
        int kills = 0;
        await using TestEngine engine = await TestEngine.CreateAsync(
            set,
            change: options => options with
            {
                BatchSize = 512,
                Components = ["router", "noe", "alc", "npr"],
                AtPoint = at =>
                {
                    if (at == point && Interlocked.Increment(ref kills) <= 3)
                        throw new ComponentKilledException(at);
                },
            });

        // The last type last: its bundles are the ones that make trades matched.
        engine.Host.Start();
        await engine.Driver.SendAsync(set.GetMessages());
        while (engine.Host.Meters.First().Completions < engine.Driver.SentCount)
            await Task.Delay(5);
        await using var last = new TradeEngineHost(
            engine.Queues, new EngineOptions { QueuePrefix = "memory:", Components = ["set"], ReceiveTimeout = TimeSpan.FromMilliseconds(50), AtPoint = KillAgain() },
            set.Data, engine.Store, engine.Key);
        last.Start();
        await engine.DrainAsync();

        Assert.Equal((3, 3), (engine.Host.RestartCount, last.RestartCount));
        engine.AssertCleared();
        Assert.Equal(40, engine.Sink.ReceivedCount);
        Assert.Equal(
            set.GetMessages().Where(message => message.Defect != Defect.None).Select(message => message.MessageId).Order(),
            (await engine.TakeExceptionsAsync()).Select(exception => exception.MessageId!).Order());

        Action<string> KillAgain()
        {
            int left = 3;
            return at =>
            {
                if (at == point && Interlocked.Decrement(ref left) >= 0)
                    throw new ComponentKilledException(at);
            };
        }
    }

    /// <summary>A server that does not answer in time, or is started again, is no reason to end: the batch comes again.</summary>
    [Fact]
    public async Task Failures_ForAMoment_AreBegunAgain_AndLoseNothingAndDoubleNothing()
    {
        const int Failures = 20;
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 10, TradeCount = 500, DuplicateShare = 0.05, ChangeShare = 0.05 });
        int left = Failures;
        int points = 0;
        await using TestEngine engine = await TestEngine.CreateAsync(
            set,
            change: options => options with
            {
                BatchSize = 32,
                AtPoint = point =>
                {
                    if (Interlocked.Increment(ref points) % 13 == 0 && Interlocked.Decrement(ref left) is >= 0 and var number)
                        throw number % 2 == 0 ? new QueueException($"No answer, {point}.") { OutcomeUnknown = true } : new TimeoutException(point);
                },
            });
        engine.Host.Retries.FirstPause = TimeSpan.FromMilliseconds(1);

        await engine.RunAsync();

        Assert.Equal((Failures, 0), (engine.Host.Retries.Count, engine.Host.RestartCount));
        Assert.NotEmpty(engine.Host.Retries.Reasons);
        engine.AssertCleared();
    }

    [Fact]
    public async Task Failures_ThatDoNotEnd_EndTheRun()
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 11, TradeCount = 20 });
        await using TestEngine engine = await TestEngine.CreateAsync(
            set, change: options => options with { AtPoint = point => throw new QueueException("The disk is full.") });
        engine.Host.Retries.FirstPause = TimeSpan.Zero;
        await engine.Driver.SendAsync(set.GetMessages());

        engine.Host.Start();

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => engine.Host.Failure);
        Assert.Equal("The disk is full.", e.Message);
        Assert.True(engine.Host.Retries.Count >= 8, $"{engine.Host.Retries.Count} times");
    }

    [Fact]
    public async Task Retries_GiveUpOnWhatIsNoFailureForAMoment()
    {
        var retries = new Retries { FirstPause = TimeSpan.Zero };
        int calls = 0;

        Assert.Equal(3, await retries.DoAsync(() => ++calls < 3 ? throw new QueueException("later") : new ValueTask<int>(calls), default));
        await Assert.ThrowsAsync<InvalidOperationException>(() => retries.DoAsync<int>(() => throw new InvalidOperationException(), default));

        Assert.Equal(2, retries.Count);
        Assert.Equal(["later"], retries.Reasons);
    }

    [Theory]
    [InlineData(false, 1, 64)]
    [InlineData(false, 1, 1)]
    [InlineData(true, 4, 64)]
    [InlineData(true, 4, 1)]
    public async Task Kills_OfComponentsAtAnyPoint_LoseNothingAndDoubleNothing(bool isEmbedded, int databaseCount, int bundleSize)
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { Seed = 9, TradeCount = 1_000, DuplicateShare = 0.05, ChangeShare = 0.05, BadShare = 0.01 });
        int kills = Kills;
        int points = 0;
        await using TestEngine engine = await TestEngine.CreateAsync(
            set,
            isEmbedded,
            options => options with
            {
                BundleSize = bundleSize,
                AtPoint = point =>
                {
                    // Every 13th point: each of the five in its turn.
                    if (Interlocked.Increment(ref points) % 13 == 0 && Interlocked.Decrement(ref kills) >= 0)
                        throw new ComponentKilledException(point);
                },
            },
            databaseCount);

        await engine.RunAsync();

        Assert.Equal(Kills, engine.Host.RestartCount);
        engine.AssertCleared();
        var exceptions = await engine.TakeExceptionsAsync();
        Assert.Equal(
            set.GetMessages().Where(message => message.Defect != Defect.None).Select(message => message.MessageId).Order(),
            exceptions.Select(exception => exception.MessageId!).Order());
    }
}
