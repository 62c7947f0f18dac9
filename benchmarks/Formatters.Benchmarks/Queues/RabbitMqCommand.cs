using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.RabbitMQ;
using RabbitMQ.Client;

namespace Formatters.Benchmarks;

/// <summary>The verb <c>rabbitmq</c>: queues of this library beside bare loops over RabbitMQ.Client, interleaved, on one broker.</summary>
internal static class RabbitMqCommand
{
    private const int Window = 1000;
    private const int PrefetchCount = 200;

    private static readonly byte[] Body = new byte[1024];

    internal static async Task<int> RunAsync(string[] args, TextWriter output, TextWriter errors)
    {
        string? address = Environment.GetEnvironmentVariable(QueueCase.BrokerVariable);
        if (string.IsNullOrEmpty(address))
        {
            errors.WriteLine($"{QueueCase.BrokerVariable} names no broker: eval \"$(eng/rabbitmq start)\".");
            return 2;
        }

        int count = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 20_000;
        int rounds = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 7;
        (string Name, Func<string, int, Task<TimeSpan>> Bare, Func<string, int, Task<TimeSpan>> Own)[] cases =
        [
            ("send express", (queue, n) => BareSendAsync(address, queue, n, isRecoverable: false), (queue, n) => OwnSendAsync(address, queue, n, DeliveryMode.Express, window: 1)),
            ("send recoverable, window of 1,000", (queue, n) => BareSendAsync(address, queue, n, isRecoverable: true), (queue, n) => OwnSendAsync(address, queue, n, DeliveryMode.Recoverable, Window)),
            ("send recoverable, each awaited", (queue, n) => BareSendEachAsync(address, queue, n / 20), (queue, n) => OwnSendAsync(address, queue, n / 20, DeliveryMode.Recoverable, window: 1)),
            ("receive, acknowledged each, prefetch 200", (queue, n) => BareReceiveAsync(address, queue, n), (queue, n) => OwnReceiveAsync(address, queue, n)),
        ];

        output.WriteLine($"{count:N0} messages of {Body.Length:N0} bytes, {rounds} rounds in turn, milliseconds of the fastest and the median round; {RuntimeVersion()}");
        output.WriteLine("| case | bare client, best / median | this library, best / median | speed: best / median |");
        output.WriteLine("|---|---|---|---|");
        foreach ((string name, Func<string, int, Task<TimeSpan>> bare, Func<string, int, Task<TimeSpan>> own) in cases)
        {
            var bareTimes = new List<double>();
            var ownTimes = new List<double>();
            for (int round = 0; round <= rounds; round++)
            {
                double bareTime = (await RunAsync(address, bare, count).ConfigureAwait(false)).TotalMilliseconds;
                double ownTime = (await RunAsync(address, own, count).ConfigureAwait(false)).TotalMilliseconds;
                // The first round warms up.
                if (round > 0)
                {
                    bareTimes.Add(bareTime);
                    ownTimes.Add(ownTime);
                }
            }

            (double bareBest, double bareMedian) = (bareTimes.Min(), Median(bareTimes));
            (double ownBest, double ownMedian) = (ownTimes.Min(), Median(ownTimes));
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"| {name} | {bareBest:0} / {bareMedian:0} | {ownBest:0} / {ownMedian:0} | {bareBest / ownBest:0.00}x / {bareMedian / ownMedian:0.00}x |"));
        }

        return 0;
    }

    private static async Task<TimeSpan> RunAsync(string address, Func<string, int, Task<TimeSpan>> operation, int count)
    {
        string queue = "formatters-benchmark-" + Guid.NewGuid().ToString("N");
        try
        {
            return await operation(queue, count).ConfigureAwait(false);
        }
        finally
        {
            await new RabbitMqQueueProvider().DeleteAsync(QueueAddress.Parse($"{address}/{queue}")).ConfigureAwait(false);
        }
    }

    private static async Task<TimeSpan> OwnSendAsync(string address, string name, int count, DeliveryMode mode, int window)
    {
        await using IMessageQueue queue = await OpenAsync(address, name, new QueueOptions { DeliveryMode = mode, SendWindow = Window }).ConfigureAwait(false);
        var message = new QueueMessage(new MessageBody(Body));
        long start = Stopwatch.GetTimestamp();
        var pending = new Queue<ValueTask>();
        for (int i = 0; i < count; i++)
        {
            pending.Enqueue(queue.SendAsync(message));
            if (pending.Count >= window)
                await pending.Dequeue().ConfigureAwait(false);
        }

        while (pending.TryDequeue(out ValueTask send))
            await send.ConfigureAwait(false);
        // Until all are in the queue.
        while (await queue.GetMessageCountAsync().ConfigureAwait(false) < count)
            await Task.Delay(1).ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(start);
    }

    private static async Task<TimeSpan> OwnReceiveAsync(string address, string name, int count)
    {
        await using IMessageQueue queue = await OpenAsync(address, name, new QueueOptions { PrefetchCount = PrefetchCount, ReceiveMode = ReceiveMode.PeekLock }).ConfigureAwait(false);
        await BareSendAsync(address, name, count, isRecoverable: false).ConfigureAwait(false);
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < count; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.FromSeconds(30)).ConfigureAwait(false))!;
            await message.AcknowledgeAsync().ConfigureAwait(false);
        }

        return Stopwatch.GetElapsedTime(start);
    }

    private static async Task<TimeSpan> BareSendAsync(string address, string name, int count, bool isRecoverable)
    {
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(address) }.CreateConnectionAsync().ConfigureAwait(false);
        await using IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(isRecoverable, publisherConfirmationTrackingEnabled: false, null)).ConfigureAwait(false);
        await channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false).ConfigureAwait(false);
        using var window = new SemaphoreSlim(Window, Window);
        ulong confirmed = 0;
        channel.BasicAcksAsync += (_, e) =>
        {
            ulong tag = e.DeliveryTag;
            int released = e.Multiple ? (int)(tag - confirmed) : 1;
            confirmed += (ulong)released;
            window.Release(released);
            return Task.CompletedTask;
        };
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < count; i++)
        {
            if (isRecoverable)
                await window.WaitAsync().ConfigureAwait(false);
            var properties = new BasicProperties { DeliveryMode = isRecoverable ? DeliveryModes.Persistent : DeliveryModes.Transient };
            await channel.BasicPublishAsync("", name, mandatory: true, properties, Body).ConfigureAwait(false);
        }

        while (await channel.MessageCountAsync(name).ConfigureAwait(false) < count)
            await Task.Delay(1).ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(start);
    }

    private static async Task<TimeSpan> BareSendEachAsync(string address, string name, int count)
    {
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(address) }.CreateConnectionAsync().ConfigureAwait(false);
        await using IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, publisherConfirmationTrackingEnabled: true, null)).ConfigureAwait(false);
        await channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false).ConfigureAwait(false);
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < count; i++)
            await channel.BasicPublishAsync("", name, mandatory: true, new BasicProperties { DeliveryMode = DeliveryModes.Persistent }, Body).ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(start);
    }

    private static async Task<TimeSpan> BareReceiveAsync(string address, string name, int count)
    {
        await BareSendAsync(address, name, count, isRecoverable: false).ConfigureAwait(false);
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(address) }.CreateConnectionAsync().ConfigureAwait(false);
        await using IChannel channel = await connection.CreateChannelAsync().ConfigureAwait(false);
        await channel.BasicQosAsync(0, PrefetchCount, global: false).ConfigureAwait(false);
        var done = new TaskCompletionSource();
        int received = 0;
        var consumer = new global::RabbitMQ.Client.Events.AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += async (_, e) =>
        {
            GC.KeepAlive(e.Body.ToArray());
            await channel.BasicAckAsync(e.DeliveryTag, multiple: false).ConfigureAwait(false);
            if (++received == count)
                done.SetResult();
        };
        long start = Stopwatch.GetTimestamp();
        await channel.BasicConsumeAsync(name, autoAck: false, consumer).ConfigureAwait(false);
        await done.Task.ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(start);
    }

    private static async Task<IMessageQueue> OpenAsync(string address, string name, QueueOptions options) =>
        await new RabbitMqQueueProvider().OpenAsync(QueueAddress.Parse($"{address}/{name}"), options, CancellationToken.None).ConfigureAwait(false);

    private static string RuntimeVersion() => System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription;

    private static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);
}
