using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What listeners hear of queues, and that nothing is spent where there are none.</summary>
[Collection("telemetry")]
public sealed class QueueTelemetryTests
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(20);

    private readonly QueueConnector _connector = new(new MemoryQueueProvider());

    [Fact]
    public async Task Spans_follow_a_message_from_its_sender_to_its_settling()
    {
        using var spans = new SpanListener("orders");
        await using QueueClient queue = await _connector.OpenAsync("memory:orders", new QueueOptions { ReceiveMode = ReceiveMode.PeekLock, DeadLetterQueue = "dead" });
        var message = new QueueMessage(new MessageBody(new byte[3])) { MessageId = "m", CorrelationId = "c", Headers = { ["own"] = 1 } };
        using (Activity request = new Activity("request").Start())
        {
            await queue.SendAsync(message);
            await queue.SendAsync(new QueueMessage());
            Assert.Equal(request.SpanId, spans.Named("send orders")[0].ParentSpanId);
        }

        // The sender's message is as it was.
        Assert.Equal(["own"], message.Headers.Keys);
        ReceivedMessage received = (await queue.ReceiveAsync(Soon))!;
        using (Activity? process = received.StartProcessActivity())
            await received.AcknowledgeAsync();
        await (await queue.ReceiveAsync(Soon))!.DeadLetterAsync("why");
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));

        Activity send = spans.Named("send orders")[0];
        Assert.Equal(ActivityKind.Producer, send.Kind);
        Assert.Equal("memory", send.GetTagItem("messaging.system"));
        Assert.Equal("orders", send.GetTagItem("messaging.destination.name"));
        Assert.Equal(("send", "send"), (send.GetTagItem("messaging.operation.name"), send.GetTagItem("messaging.operation.type")));
        Assert.Equal(("m", "c", 3L), (send.GetTagItem("messaging.message.id"), send.GetTagItem("messaging.message.conversation_id"), Convert.ToInt64(send.GetTagItem("messaging.message.body.size"), null)));
        Assert.Equal(send.Id, received.Headers["traceparent"]);

        List<Activity> receives = spans.Named("receive orders");
        Assert.Equal(2, receives.Count);
        Assert.Equal((ActivityKind.Client, send.Context.SpanId), (receives[0].Kind, receives[0].Links.Single().Context.SpanId));
        Activity processing = Assert.Single(spans.Named("process orders"));
        Assert.Equal((send.SpanId, send.TraceId), (processing.ParentSpanId, processing.TraceId));
        Activity ack = Assert.Single(spans.Named("ack orders"));
        Assert.Equal((processing.SpanId, ActivityKind.Client, "settle"), (ack.ParentSpanId, ack.Kind, ack.GetTagItem("messaging.operation.type")));
        Assert.Single(spans.Named("dead_letter orders"));
    }

    [Fact]
    public async Task Failed_send_is_an_error_of_its_span_and_of_the_metrics()
    {
        using var spans = new SpanListener("full");
        using var metrics = new MetricListener("full");
        await using QueueClient queue = await _connector.OpenAsync("memory:full", QueueOptions.Fastest with { MaxMessageCount = 1 });
        await queue.SendAsync(new QueueMessage());
        await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage()).AsTask());

        Activity failed = spans.Named("send full")[1];
        Assert.Equal((ActivityStatusCode.Error, typeof(QueueException).FullName), (failed.Status, failed.GetTagItem("error.type")));
        Assert.Equal([null, typeof(QueueException).FullName], metrics.Named("messaging.client.sent.messages").Select(measured => measured.Tags.GetValueOrDefault("error.type")));
    }

    [Fact]
    public async Task Metrics_count_and_time_every_operation()
    {
        using var metrics = new MetricListener("metered");
        await using QueueClient queue = await _connector.OpenAsync("memory:metered", new QueueOptions { ReceiveMode = ReceiveMode.PeekLock });
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(new QueueMessage());
        await (await queue.ReceiveAsync(Soon))!.AcknowledgeAsync();
        await (await queue.ReceiveAsync(Soon))!.ReturnAsync();

        Assert.Equal(3, metrics.Named("messaging.client.sent.messages").Sum(measured => measured.Value));
        Assert.Equal(2, metrics.Named("messaging.client.consumed.messages").Sum(measured => measured.Value));
        Assert.Equal(
            ["send", "send", "send", "receive", "ack", "receive", "nack"],
            metrics.Named("messaging.client.operation.duration").Select(measured => measured.Tags["messaging.operation.name"]));
        Assert.All(metrics.Named("messaging.client.operation.duration"), measured => Assert.InRange(measured.Value, 0, 60));
        Assert.All(metrics.Named("messaging.client.sent.messages"), measured => Assert.Equal("memory", measured.Tags["messaging.system"]));
    }

    [Fact]
    public async Task Batch_is_one_span_with_the_number_of_its_messages()
    {
        using var spans = new SpanListener("batched");
        using var metrics = new MetricListener("batched");
        await using QueueClient queue = await _connector.OpenAsync("memory:batched", new QueueOptions { MaxMessageCount = 3 });
        await queue.SendBatchAsync([new QueueMessage(), new QueueMessage(), new QueueMessage()]);
        await Assert.ThrowsAsync<QueueException>(() => queue.SendBatchAsync([new QueueMessage(), new QueueMessage()]).AsTask());
        IReadOnlyList<ReceivedMessage> batch = await queue.ReceiveBatchAsync(10, Soon);
        await queue.AcknowledgeBatchAsync(batch);

        Activity send = spans.Named("send batched")[0];
        Assert.Equal(3, send.GetTagItem("messaging.batch.message_count"));
        Assert.Equal(ActivityStatusCode.Error, spans.Named("send batched")[1].Status);
        Activity receive = Assert.Single(spans.Named("receive batched"));
        Assert.Equal(3, receive.GetTagItem("messaging.batch.message_count"));
        Assert.Equal([send.SpanId, send.SpanId, send.SpanId], receive.Links.Select(link => link.Context.SpanId));
        Assert.Equal(3, Assert.Single(spans.Named("ack batched")).GetTagItem("messaging.batch.message_count"));
        Assert.All(batch, message => Assert.Equal(send.Id, message.Headers["traceparent"]));
        Assert.Equal([(3, null), (2, typeof(QueueException).FullName)], metrics.Named("messaging.client.sent.messages").Select(measured => ((int)measured.Value, (string?)measured.Tags.GetValueOrDefault("error.type"))));
        Assert.Equal(3, metrics.Named("messaging.client.consumed.messages").Sum(measured => measured.Value));
        Assert.Equal(["send", "send", "receive", "ack"], metrics.Named("messaging.client.operation.duration").Select(measured => measured.Tags["messaging.operation.name"]));
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [Fact]
    public async Task Batch_of_a_queue_without_batches_is_one_span()
    {
        using var spans = new SpanListener("single");
        var connector = new QueueConnector(new PassingQueueProvider(QueueFeatures.PeekLock));
        await using QueueClient queue = await connector.OpenAsync("memory:single");
        await queue.SendBatchAsync([new QueueMessage(), new QueueMessage()]);
        await queue.AcknowledgeBatchAsync(await queue.ReceiveBatchAsync(2, Soon));

        Assert.Equal(2, Assert.Single(spans.Named("send single")).GetTagItem("messaging.batch.message_count"));
        Assert.Equal(2, Assert.Single(spans.Named("receive single")).GetTagItem("messaging.batch.message_count"));
        Assert.Equal(2, Assert.Single(spans.Named("ack single")).GetTagItem("messaging.batch.message_count"));
        Assert.Equal(0, await queue.GetLockedCountAsync());
    }

    [Fact]
    public async Task Decorator_of_an_opened_queue_leaves_the_traces_to_it()
    {
        using var spans = new SpanListener("inner");
        await using QueueClient queue = await _connector.OpenAsync("memory:inner");
        var decorator = new PassingQueue(queue, QueueFeatures.PeekLock);
        await decorator.SendBatchAsync([new QueueMessage(), new QueueMessage(), new QueueMessage()]);
        IReadOnlyList<ReceivedMessage> messages = await decorator.ReceiveBatchAsync(3, Soon);
        await decorator.AcknowledgeBatchAsync([messages[0], messages[1]]);
        await decorator.ReturnUnseenAsync([messages[2]]);

        Assert.Equal(3, spans.Named("send inner").Count);
        Assert.Equal(3, spans.Named("receive inner").Count);
        Assert.Equal(2, spans.Named("ack inner").Count);
        Assert.Single(spans.Named("nack inner"));
        Assert.Equal((1, 0), (await queue.GetMessageCountAsync(), await queue.GetLockedCountAsync()));
    }

    [Fact]
    public async Task Context_travels_over_topics()
    {
        using var spans = new SpanListener("news");
        await using MessageTopic topic = await _connector.OpenTopicAsync("memory:news");
        await using QueueClient subscription = await topic.SubscribeDurableAsync("s");
        await topic.SendAsync(new QueueMessage());
        ReceivedMessage received = (await subscription.ReceiveAsync(Soon))!;

        Assert.Equal(Assert.Single(spans.Named("send news")).Id, received.Headers["traceparent"]);
        Assert.Single(spans.Named("receive news.s"));
    }

    [Fact]
    public async Task Formatters_have_spans_of_their_own()
    {
        using var spans = new SpanListener(null);
        await using QueueClient queue = await _connector.OpenAsync("memory:formatted");
        var formatter = new JsonFormatter<string>();
        using Activity request = new Activity("request").Start();
        await queue.SendAsync("x", formatter);
        ReceivedMessage<string> received = (await queue.ReceiveAsync(formatter, Soon))!;

        Assert.Equal("x", received.Value);
        Assert.Contains(spans.Named("format application/json"), span => span.TraceId == request.TraceId);
        Assert.Contains(spans.Named("parse application/json"), span => span.TraceId == request.TraceId);
    }

    [Fact]
    public async Task Without_listeners_nothing_is_added_and_nothing_allocated()
    {
        await using QueueClient queue = await _connector.OpenAsync("memory:quiet");
        await using QueueClient bare = await new MemoryQueueProvider().OpenAsync(QueueAddress.Parse("memory:quiet"), QueueOptions.Fastest, default);
        using Activity request = new Activity("request").Start();
        var message = new QueueMessage { MessageId = "m" };
        long observed = await MeasureAsync(queue, message);
        long unobserved = await MeasureAsync(bare, message);

        Assert.Equal(unobserved, observed);
        Assert.False(message.HasHeaders);
        Assert.Null(new QueueMessageStub().StartProcessActivity());

        static ValueTask<long> MeasureAsync(QueueClient queue, QueueMessage message)
        {
            long before = 0;
            for (int i = 0; i < 200; i++)
            {
                if (i == 100)
                    before = GC.GetAllocatedBytesForCurrentThread();
                ValueTask send = queue.SendAsync(message);
                Assert.True(send.IsCompletedSuccessfully);
                ValueTask<ReceivedMessage?> receive = queue.ReceiveAsync(TimeSpan.Zero);
                Assert.True(receive.IsCompletedSuccessfully);
                if (receive.Result!.HasHeaders)
                    throw new InvalidOperationException();
            }

            return new ValueTask<long>(GC.GetAllocatedBytesForCurrentThread() - before);
        }
    }

    private sealed class QueueMessageStub() : ReceivedMessage(new MessageBody())
    {
        public override ValueTask AcknowledgeAsync(System.Threading.CancellationToken cancellationToken = default) => default;

        public override ValueTask ReturnAsync(System.Threading.CancellationToken cancellationToken = default) => default;
    }

    /// <summary>Collects the spans of one destination, since other tests may run meanwhile.</summary>
    private sealed class SpanListener : IDisposable
    {
        private readonly ConcurrentQueue<Activity> _stopped = new();
        private readonly ActivityListener _listener;

        internal SpanListener(string? destination)
        {
            _listener = new ActivityListener
            {
                ShouldListenTo = source => source.Name == QueueTelemetry.ActivitySourceName,
                Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
                ActivityStopped = activity =>
                {
                    if (destination is null || activity.GetTagItem("messaging.destination.name") is string name && name.StartsWith(destination, StringComparison.Ordinal))
                        _stopped.Enqueue(activity);
                },
            };
            ActivitySource.AddActivityListener(_listener);
        }

        internal List<Activity> Named(string name) => _stopped.Where(activity => activity.DisplayName == name).ToList();

        public void Dispose() => _listener.Dispose();
    }

    /// <summary>Collects the measurements of one destination.</summary>
    private sealed class MetricListener : IDisposable
    {
        private readonly ConcurrentQueue<(string Name, double Value, Dictionary<string, object?> Tags)> _measured = new();
        private readonly MeterListener _listener = new();

        internal MetricListener(string destination)
        {
            _listener.InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Meter.Name == QueueTelemetry.MeterName)
                    listener.EnableMeasurementEvents(instrument);
            };
            _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
            _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
            _listener.Start();

            void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
            {
                var table = new Dictionary<string, object?>(tags.ToArray());
                if (table["messaging.destination.name"] as string == destination)
                    _measured.Enqueue((instrument.Name, value, table));
            }
        }

        internal List<(string Name, double Value, Dictionary<string, object?> Tags)> Named(string name) => _measured.Where(measured => measured.Name == name).ToList();

        public void Dispose() => _listener.Dispose();
    }
}

/// <summary>Alone: other tests would hear the listeners, and have other allocations.</summary>
[CollectionDefinition("telemetry", DisableParallelization = true)]
public sealed class TelemetryCollection;
