using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Bench.Perftest;
using Formatters.Bench.Tests.Support;
using Formatters.Binary;
using Formatters.Queues;
using Xunit;

namespace Formatters.Bench.Tests.Perftest;

/// <summary>The protocol, with a client written out by hand.</summary>
public sealed class PerftestServerTests : IDisposable
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(30);

    private readonly Tool _tool = new();
    private readonly StringWriter _output = new();

    [Fact]
    public async Task ABatch_IsAnsweredOnce_AndTheEndEndsAServerThatServesOnce()
    {
        (QueueClient queue, QueueClient answers, Task serving) = await StartAsync(once: true);
        Payload payload = Payloads.Classic(1).Single(one => one.Name == Payloads.StringName(500)).Create();

        await ControlMessages.SendAsync(queue, ControlMessages.StartLabel, Start(1, payload.Name, 20), CancellationToken.None);
        await MessageBatch.SendAsync(queue, payload, 20, CancellationToken.None);
        BatchAnswer answer = await AnswerAsync(answers);
        await ControlMessages.SendEndAsync(queue, CancellationToken.None);
        await serving;

        Assert.Equal((1, ""), (answer.Number, answer.Error));
        Assert.Equal(0, await answers.GetMessageCountAsync());
        Assert.Contains("1 batch, 20 messages", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task WhatIsInTheQueuesBeforehand_IsPurgedIfThatIsAskedFor()
    {
        await using (QueueClient before = await _tool.Connector.OpenAsync("memory:server", QueueOptions.Fastest))
            await MessageBatch.SendAsync(before, new EmptyPayload(), 5, CancellationToken.None);

        (QueueClient queue, QueueClient answers, _) = await StartAsync(once: true, purge: true);

        Assert.Equal(0, await queue.GetMessageCountAsync());
        Assert.Contains("purged: 'memory:server' holds 5 messages", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal("", (await AskAsync(queue, answers, Start(1, "empty", 0))).Error);
    }

    [Theory]
    [InlineData("no such payload", 1, 0)]
    [InlineData("empty", -1, 0)]
    [InlineData("empty", 1, -1)]
    [InlineData("empty", 1, int.MaxValue)]
    public async Task ABatchThatDoesNotExist_IsRefusedInTheAnswer(string payload, int count, int lineItems)
    {
        (QueueClient queue, QueueClient answers, _) = await StartAsync(once: true);

        BatchAnswer answer = await AskAsync(
            queue, answers, new BatchStart { Run = Guid.NewGuid(), Number = 1, Payload = payload, Count = count, LineItems = lineItems });

        Assert.NotEqual("", answer.Error);
    }

    [Fact]
    public async Task AnotherObjectThanAnnounced_IsSaidInTheAnswer()
    {
        (QueueClient queue, QueueClient answers, _) = await StartAsync(once: true);

        await ControlMessages.SendAsync(queue, ControlMessages.StartLabel, Start(1, "Int32 binary", 1), CancellationToken.None);
        await MessageBatch.SendAsync(queue, Payloads.Classic(1).Single(one => one.Name == Payloads.StringName(500)).Create(), 1, CancellationToken.None);

        Assert.NotEqual("", (await AnswerAsync(answers)).Error);
    }

    [Fact]
    public async Task AClientThatBreaksOff_DoesNotSpoilTheNext()
    {
        (QueueClient queue, QueueClient answers, _) = await StartAsync(once: false);
        var empty = new EmptyPayload();

        await ControlMessages.SendAsync(queue, ControlMessages.StartLabel, Start(1, "empty", 10), CancellationToken.None);
        await MessageBatch.SendAsync(queue, empty, 4, CancellationToken.None);
        await ControlMessages.SendEndAsync(queue, CancellationToken.None);
        await ControlMessages.SendAsync(queue, ControlMessages.StartLabel, Start(2, "empty", 3), CancellationToken.None);
        await MessageBatch.SendAsync(queue, empty, 3, CancellationToken.None);

        BatchAnswer first = await AnswerAsync(answers);
        BatchAnswer second = await AnswerAsync(answers);
        Assert.Equal(1, first.Number);
        Assert.NotEqual("", first.Error);
        Assert.Equal((2, ""), (second.Number, second.Error));
    }

    [Fact]
    public async Task AClientWithoutAServer_SaysHowToStartOne()
    {
        PerftestOptions options = Options() with { Operation = PerftestOperation.Client, Timeout = TimeSpan.FromMilliseconds(50) };

        TimeoutException error = await Assert.ThrowsAsync<TimeoutException>(
            () => ClientOperation.OpenAsync(_tool.Connector, options, DeliveryMode.Express, TimeProvider.System, CancellationToken.None));

        Assert.Contains("formatters-bench perftest NOTX SERVER memory:server memory:client", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, await _tool.CountAsync("memory:server"));
    }

    [Fact]
    public void ControlMessages_RoundTrip()
    {
        var start = new BatchStart { Run = Guid.NewGuid(), Number = 7, Payload = "order XML", LineItems = 50, Count = 1_000, WholeContent = true };
        var answer = new BatchAnswer { Run = start.Run, Number = 7, Error = "lost" };

        BatchStart startBack = RoundTrip(start);
        BatchAnswer answerBack = RoundTrip(answer);

        Assert.Equal(
            (start.Run, start.Number, start.Payload, start.LineItems, start.Count, start.WholeContent),
            (startBack.Run, startBack.Number, startBack.Payload, startBack.LineItems, startBack.Count, startBack.WholeContent));
        Assert.Equal((answer.Run, answer.Number, answer.Error), (answerBack.Run, answerBack.Number, answerBack.Error));

        static T RoundTrip<T>(T value)
            where T : IBinaryBody, new()
        {
            var formatter = new HandCodedFormatter<T>();
            return formatter.Read(formatter.Write(value));
        }
    }

    public void Dispose() => _output.Dispose();

    private static BatchStart Start(int number, string payload, int count) =>
        new() { Run = Guid.NewGuid(), Number = number, Payload = payload, LineItems = 2, Count = count, WholeContent = true };

    private static PerftestOptions Options() => new()
    {
        TransactionMode = TransactionMode.NoTx,
        Operation = PerftestOperation.Server,
        Queue = "memory:server",
        ResponseQueue = "memory:client",
    };

    private static async Task<BatchAnswer> AskAsync(QueueClient queue, QueueClient answers, BatchStart start)
    {
        await ControlMessages.SendAsync(queue, ControlMessages.StartLabel, start, CancellationToken.None);
        return await AnswerAsync(answers);
    }

    private static async Task<BatchAnswer> AnswerAsync(QueueClient answers)
    {
        ReceivedMessage? message = await answers.ReceiveAsync(Soon);
        Assert.NotNull(message);
        Assert.Equal(ControlMessages.AnswerLabel, message.Label);
        return ControlMessages.Read<BatchAnswer>(message);
    }

    private async Task<(QueueClient Queue, QueueClient Answers, Task Serving)> StartAsync(bool once, bool purge = false)
    {
        var server = new PerftestServer(_tool.Connector, Options() with { Once = once, Purge = purge }, TextWriter.Synchronized(_output));
        Task serving = Task.Run(() => server.RunAsync(CancellationToken.None));
        await server.Ready;
        return (await _tool.Connector.OpenAsync("memory:server", QueueOptions.Fastest), await _tool.Connector.OpenAsync("memory:client", QueueOptions.Fastest), serving);
    }
}
