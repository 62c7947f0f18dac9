using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics.Metrics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The gauges of queues, and the time that processing takes.</summary>
[Collection("telemetry")]
public sealed class QueueMonitorTests
{
    [Fact]
    public async Task Gauges_tell_depth_locks_age_and_that_nothing_has_stopped()
    {
        var connector = new QueueConnector(new MemoryQueueProvider());
        await using QueueClient orders = await connector.OpenAsync("memory:orders");
        await using QueueClient empty = await connector.OpenAsync("memory:empty");
        for (int i = 0; i < 3; i++)
            await orders.SendAsync(new QueueMessage());
        Assert.NotNull(await orders.ReceiveAsync(TimeSpan.Zero));
        QueueMonitor monitor = connector.StartMonitor("memory:", TimeSpan.FromHours(1));
        await using (monitor)
        {
            await EventuallyAsync(() => monitor.Queues.Count == 2);
            Dictionary<string, double> figures = Collect("memory:orders");

            Assert.Equal((2d, 1d, 0d), (figures["messaging.queue.depth"], figures["messaging.queue.locked"], figures["messaging.queue.stopped"]));
            Assert.InRange(figures["messaging.queue.oldest_message.age"], 0, 60);
            Assert.Equal(0, Collect("memory:empty")["messaging.queue.oldest_message.age"]);
            Assert.Null(monitor.LastError);
        }

        Assert.Empty(Collect("memory:orders"));
    }

    [Fact]
    public async Task A_log_that_has_stopped_is_a_gauge_of_1_and_a_reason()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-monitor-").FullName;
        try
        {
            await using var provider = new FileQueueProvider();
            var connector = new QueueConnector(provider);
            await using QueueClient queue = await connector.OpenAsync($"file:{folder}/orders");
            await queue.SendAsync(new QueueMessage());
            await using QueueMonitor monitor = connector.StartMonitor($"file:{folder}/", TimeSpan.FromSeconds(1));
            await EventuallyAsync(() => monitor.Queues.Count == 1);
            Assert.Equal(0, Collect(queue.Address.ToString())["messaging.queue.stopped"]);
            Assert.Null(monitor.Queues[0].StoppedReason);

            // The folder is no longer the provider's: the next block is not written.
            File.Delete(Path.Combine(folder, "lock"));
            await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(new QueueMessage()).AsTask());
            await EventuallyAsync(() => monitor.Queues[0].StoppedReason is not null);

            Assert.Equal(1, Collect(queue.Address.ToString())["messaging.queue.stopped"]);
            Assert.Contains("lock", monitor.Queues[0].StoppedReason, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task A_place_that_cannot_be_looked_at_has_stopped_and_the_others_have_not()
    {
        var connector = new QueueConnector(new MemoryQueueProvider(), new FileQueueProvider());
        await using QueueClient queue = await connector.OpenAsync("memory:here");
        string nowhere = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName()) + "/";
        await using QueueMonitor monitor = connector.StartMonitor($"file:{nowhere},memory:here", TimeSpan.FromHours(1));
        await EventuallyAsync(() => monitor.LastError is not null && monitor.Queues.Count == 1);

        Assert.Equal(["messaging.queue.stopped"], Collect(QueueAddress.Parse($"file:{nowhere}").ToString()).Keys);
        Assert.Equal(0, Collect("memory:here")["messaging.queue.stopped"]);
        Assert.Contains("is not a folder of queues", monitor.LastError!.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentOutOfRangeException>(() => connector.StartMonitor("memory:", TimeSpan.Zero));
        Assert.Throws<NotSupportedException>(() => connector.StartMonitor("amqp://localhost/", TimeSpan.FromSeconds(1)));
    }

    [Fact]
    public async Task Processing_is_timed_and_its_failure_named()
    {
        var measured = new ConcurrentQueue<(double Seconds, Dictionary<string, object?> Tags)>();
        var connector = new QueueConnector(new MemoryQueueProvider());
        await using QueueClient queue = await connector.OpenAsync("memory:processed");
        await queue.SendAsync(new QueueMessage());
        Assert.Null((await queue.ReceiveAsync(TimeSpan.Zero))!.StartProcessing());
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter.Name == QueueTelemetry.MeterName && instrument.Name == "messaging.process.duration")
                self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<double>((_, value, tags, _) => measured.Enqueue((value, new Dictionary<string, object?>(tags.ToArray()))));
        listener.Start();
        for (int i = 0; i < 2; i++)
        {
            await queue.SendAsync(new QueueMessage());
            ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.Zero))!;
            using MessageProcessing processing = message.StartProcessing()!;
            Assert.Null(processing.Activity);
            await Task.Delay(20);
            if (i == 1)
                processing.Fail(new InvalidOperationException());
            processing.Dispose();
        }

        Assert.Equal(2, measured.Count);
        Assert.All(measured, one => Assert.InRange(one.Seconds, 0.015, 60));
        Assert.All(measured, one => Assert.Equal(("process", "processed", "memory"), (one.Tags["messaging.operation.name"], one.Tags["messaging.destination.name"], one.Tags["messaging.system"])));
        Assert.Equal([null, typeof(InvalidOperationException).FullName], measured.Select(one => one.Tags.GetValueOrDefault("error.type")));
    }

    /// <summary>What the gauges say of an address.</summary>
    private static Dictionary<string, double> Collect(string address)
    {
        var figures = new Dictionary<string, double>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter.Name == QueueTelemetry.MeterName && instrument.IsObservable)
                self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.Start();
        listener.RecordObservableInstruments();
        return figures;

        void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            if (new Dictionary<string, object?>(tags.ToArray())["formatters.queue.address"] as string == address)
                figures.Add(instrument.Name, value);
        }
    }

    private static async Task EventuallyAsync(Func<bool> condition)
    {
        for (int i = 0; i < 2000 && !condition(); i++)
            await Task.Delay(10);
        Assert.True(condition());
    }
}
