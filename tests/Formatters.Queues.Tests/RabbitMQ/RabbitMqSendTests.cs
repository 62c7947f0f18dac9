using System;
using System.Buffers;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using RabbitMQ.Client;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Sends that wait: in line, for their confirms while the queue is closed, and beside one that the broker refuses.</summary>
public sealed class RabbitMqSendTests : QueueTestBase
{
    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    /// <summary>Sends one after the other take twice the time that the broker has for an answer, and the broker answers each soon.</summary>
    /// <remarks>A quarter of the operation timeout is the heartbeat, and the broker ends a connection that is silent for two of them: on a busy machine
    /// this process and its proxy may well be silent for two seconds.</remarks>
    [BrokerFact]
    public async Task Time_in_the_own_line_does_not_count()
    {
        using var proxy = new LoopbackProxy(Broker.Address);
        await OpenAsync(Recoverable);
        await using QueueClient slow = await Connector.OpenAsync(
            proxy.Address + AddressOf("a")[Broker.Address.Length..], Recoverable with { SendWindow = 1, OperationTimeout = TimeSpan.FromSeconds(8) });
        proxy.Delay = TimeSpan.FromMilliseconds(160);
        long start = Environment.TickCount64;

        Task[] sends = [.. Enumerable.Range(0, 100).Select(i => slow.SendAsync(Message(i)).AsTask())];
        await Task.WhenAll(sends);

        Assert.True(Environment.TickCount64 - start > 16_000);
        await using QueueClient receiver = await Connector.OpenAsync(AddressOf("a"), Recoverable);
        Assert.Equal(Enumerable.Range(0, 100).Select(i => $"{i}"), await ReceiveAllAsync(receiver, 100));
    }

    [BrokerTheory]
    [InlineData(1000)]
    [InlineData(10)]
    public async Task Closing_waits_for_the_sends_under_way(int window)
    {
        using var proxy = new LoopbackProxy(Broker.Address);
        QueueClient queue = await OpenAsync(Recoverable);
        QueueClient slow = await Connector.OpenAsync(proxy.Address + AddressOf("a")[Broker.Address.Length..], Recoverable with { SendWindow = window });
        proxy.Delay = TimeSpan.FromMilliseconds(200);

        Task[] sends = [.. Enumerable.Range(0, 80).Select(i => slow.SendAsync(Message(i)).AsTask())];
        await slow.DisposeAsync();

        Assert.All(sends, send => Assert.True(send.IsCompleted));
        await Task.WhenAll(sends);
        Assert.Equal(80, await queue.GetMessageCountAsync());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => slow.SendAsync(Message(80)).AsTask());
    }

    [BrokerFact]
    public async Task Closing_does_not_wait_longer_than_the_operation_timeout()
    {
        using var proxy = new LoopbackProxy(Broker.Address);
        await OpenAsync(Recoverable);
        QueueClient slow = await Connector.OpenAsync(
            proxy.Address + AddressOf("a")[Broker.Address.Length..], Recoverable with { SendWindow = 1, OperationTimeout = TimeSpan.FromSeconds(2) });
        proxy.Delay = TimeSpan.FromSeconds(600);

        Task[] sends = [.. Enumerable.Range(0, 3).Select(i => slow.SendAsync(Message(i)).AsTask())];
        await slow.DisposeAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(60));

        Assert.True((await Assert.ThrowsAsync<QueueException>(() => sends[0].WaitAsync(Soon))).OutcomeUnknown);
        foreach (Task send in sends[1..])
        {
            // Never published: not in the queue.
            Exception e = await Assert.ThrowsAnyAsync<Exception>(() => send.WaitAsync(Soon));
            Assert.True(e is ObjectDisposedException or QueueException { OutcomeUnknown: false }, e.ToString());
        }
    }

    [BrokerFact]
    public async Task Send_CancelledInLine_IsNotSent_AndTheOthersAre()
    {
        using var proxy = new LoopbackProxy(Broker.Address);
        QueueClient queue = await OpenAsync(Recoverable);
        await using QueueClient slow = await Connector.OpenAsync(proxy.Address + AddressOf("a")[Broker.Address.Length..], Recoverable with { SendWindow = 1 });
        proxy.Delay = TimeSpan.FromMilliseconds(50);
        using var stop = new CancellationTokenSource();
        Task first = slow.SendAsync(Message("first")).AsTask();
        Task cancelled = slow.SendAsync(Message("cancelled"), cancellationToken: stop.Token).AsTask();
        Task inLine = slow.SendAsync(Message("in line"), cancellationToken: stop.Token).AsTask();
        Task last = slow.SendAsync(Message("last")).AsTask();
        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => inLine);
        await Task.WhenAll(first, last);
        Assert.Equal(["first", "last"], await ReceiveAllAsync(queue, 2));
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    /// <summary>The client copies each body into a buffer: what is sent at once does not lie in memory twice.</summary>
    [BrokerFact]
    public async Task Large_bodies_wait_for_the_confirms_of_those_before()
    {
        const int Count = 16;
        using var proxy = new LoopbackProxy(Broker.Address);
        QueueClient queue = await OpenAsync(Recoverable);
        await using QueueClient slow = await Connector.OpenAsync(proxy.Address + AddressOf("a")[Broker.Address.Length..], Recoverable);
        proxy.Delay = TimeSpan.FromMilliseconds(1000);
        long before = proxy.ClientByteCount;

        Task[] sends = [.. Enumerable.Range(0, Count).Select(_ => slow.SendAsync(new QueueMessage(new MessageBody(new byte[4 << 20]))).AsTask())];
        await Task.WhenAny(sends);
        Assert.InRange(proxy.ClientByteCount - before, 4 << 20, 8 * (4 << 20));
        proxy.Delay = TimeSpan.Zero;
        await Task.WhenAll(sends);
        Assert.Equal(Count, await queue.GetMessageCountAsync());
    }

    /// <summary>More than RabbitMQ.Client takes by default: it would end the connection over it again and again.</summary>
    [BrokerTheory]
    [InlineData(0)]
    [InlineData(60)]
    public async Task Body_of_65_MiB_is_received(int seconds)
    {
        QueueClient queue = await OpenAsync(Recoverable);
        byte[] body = new byte[65 << 20];
        new Random(1).NextBytes(body);
        await queue.SendAsync(new QueueMessage(new MessageBody(body)));

        ReceivedMessage received = (await queue.ReceiveAsync(TimeSpan.FromSeconds(seconds)).AsTask().WaitAsync(TimeSpan.FromMinutes(1)))!;

        Assert.True(received.Body.Bytes.FirstSpan.SequenceEqual(body));
    }

    [BrokerFact]
    public async Task Body_beyond_the_brokers_limit_is_refused_and_the_others_are_sent()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync(("RABBITMQ_MAX_MESSAGE_SIZE", "1000"));
        await using QueueClient queue = await Connector.OpenAsync(broker.Address + "/limited", Recoverable);
        await using QueueClient receiver = await Connector.OpenAsync(broker.Address + "/limited", Recoverable);

        // The first time the limit is not known: what went before may be there or not.
        for (int round = 0; round < 20; round++)
        {
            Task[] before = [.. Enumerable.Range(0, 50).Select(i => queue.SendAsync(Message(i)).AsTask())];
            Task large = queue.SendAsync(new QueueMessage(new MessageBody(new byte[1001]))).AsTask();
            Task[] after = [.. Enumerable.Range(50, 50).Select(i => queue.SendAsync(Message(i)).AsTask())];

            await AssertRefusedAsync(large);
            await Task.WhenAll(after);
            var sent = new List<string>();
            var unknown = new List<string>();
            for (int i = 0; i < 100; i++)
            {
                try
                {
                    await (i < 50 ? before[i] : after[i - 50]);
                    sent.Add($"{i}");
                }
                catch (QueueException e) when (e.OutcomeUnknown && round == 0)
                {
                    unknown.Add($"{i}");
                }
            }

            await queue.SendAsync(new QueueMessage(new MessageBody(new byte[1000])) { MessageId = "end" });
            var received = new List<string>();
            while (await receiver.ReceiveAsync(Timeout.InfiniteTimeSpan) is { } message && message.MessageId != "end")
                received.Add(Text(message)!);
            Assert.Equal(sent, received.Except(unknown));
            Assert.Equal(received.OrderBy(int.Parse), received);
            Assert.Equal(received.Distinct(), received);
        }

        await CloseWhileSkippedMessagesArePublishedAgainAsync(broker, receiver);
        await CancelWhileSkippedMessagesArePublishedAgainAsync(broker, receiver);

        // Express: a later send tells, and a body that has been waited for its own.
        await using QueueClient express = await Connector.OpenAsync(broker.Address + "/limited", new QueueOptions { DeliveryMode = DeliveryMode.Express });
        await express.SendAsync(new QueueMessage(new MessageBody(new byte[1001])));
        QueueException? late = null;
        for (; late is null; await Task.Delay(1))
            late = await Record.ExceptionAsync(() => express.SendAsync(Message("x")).AsTask()) as QueueException;
        Assert.Contains("An earlier express message", late!.Message, StringComparison.Ordinal);
        Assert.Contains("max size", late.Message, StringComparison.Ordinal);
        await AssertRefusedAsync(express.SendAsync(new QueueMessage(new MessageBody(new byte[17 << 20]))).AsTask());
        await receiver.PurgeAsync();
        await express.SendAsync(Message("y"));
        Assert.Equal("y", Text(await receiver.ReceiveAsync(Timeout.InfiniteTimeSpan)));

        // In a transaction: it is rolled back as a whole.
        await using QueueClient transactional = await Connector.OpenAsync(broker.Address + "/limited", new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
        await using (QueueTransaction transaction = await transactional.BeginTransactionAsync())
        {
            await transactional.SendAsync(Message("a"), transaction);
            await transactional.SendAsync(new QueueMessage(new MessageBody(new byte[1001])), transaction);
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask());
            Assert.False(e.OutcomeUnknown);
            Assert.Contains("rolled back", e.Message, StringComparison.Ordinal);
            Assert.Contains("max size", e.Message, StringComparison.Ordinal);
        }

        await using (QueueTransaction transaction = await transactional.BeginTransactionAsync())
        {
            await transactional.SendAsync(Message("b"), transaction);
            await transaction.CommitAsync();
        }

        Assert.Equal("b", Text(await receiver.ReceiveAsync(Timeout.InfiniteTimeSpan)));
        Assert.Null(await receiver.ReceiveAsync(TimeSpan.Zero));

    }

    /// <summary>The handle is closed before the broker refuses: what it skips then is published again first.</summary>
    private async Task CloseWhileSkippedMessagesArePublishedAgainAsync(PrivateBroker broker, QueueClient receiver)
    {
        using var proxy = new LoopbackProxy(broker.Address);
        QueueClient queue = await Connector.OpenAsync(proxy.Address + "/limited", Recoverable);
        await queue.SendAsync(Message("before"));
        proxy.Delay = TimeSpan.FromMilliseconds(100);
        Task refused = queue.SendAsync(new QueueMessage(new MessageBody(new byte[1001]))).AsTask();
        Task[] skipped = [.. Enumerable.Range(0, 10).Select(i => queue.SendAsync(Message(i)).AsTask())];
        await queue.DisposeAsync();

        await AssertRefusedAsync(refused);
        await Task.WhenAll(skipped);
        Assert.Equal(["before", .. Enumerable.Range(0, 10).Select(i => $"{i}")], await ReceiveAllAsync(receiver, 11));
    }

    /// <summary>The connection is held up in the middle of what is published again; the callers cancel, and use their buffers for something else.</summary>
    private async Task CancelWhileSkippedMessagesArePublishedAgainAsync(PrivateBroker broker, QueueClient receiver)
    {
        const int Count = 15_000;
        using var proxy = new LoopbackProxy(broker.Address);
        await using QueueClient queue = await Connector.OpenAsync(proxy.Address + "/limited", Recoverable with { SendWindow = Count + 1 });
        await queue.SendAsync(Message("before"));
        Assert.Equal("before", Text(await receiver.ReceiveAsync(Timeout.InfiniteTimeSpan)));
        byte[][] bodies = [.. Enumerable.Range(0, Count).Select(static i => Enumerable.Repeat((byte)(i % 200), 1000).ToArray())];
        long start = proxy.ClientByteCount;
        await queue.SendAsync(NewMessage(0));
        Assert.Equal(bodies[0], (await receiver.ReceiveAsync(Timeout.InfiniteTimeSpan))!.Body.ToArray());
        using var stop = new CancellationTokenSource();
        long before = proxy.ClientByteCount;
        proxy.Delay = TimeSpan.FromSeconds(1);
        Task refused = queue.SendAsync(new QueueMessage(new MessageBody(new byte[1001]))).AsTask();
        Task[] sends = [.. bodies.Select((_, i) => queue.SendAsync(NewMessage(i), cancellationToken: stop.Token).AsTask())];
        // All are as long as the first.
        while (proxy.ClientByteCount - before < 1001 + (Count * (before - start)))
            await Task.Delay(1);
        Task held = proxy.HoldAfterAsync(1 << 16);
        proxy.Delay = TimeSpan.Zero;
        await AssertRefusedAsync(refused);
        await held;

        await stop.CancelAsync();
        foreach (Task send in sends)
            await send.ContinueWith(static _ => { }, TaskScheduler.Default);
        foreach (byte[] body in bodies)
            Array.Fill(body, (byte)255);
        proxy.Release();

        await queue.SendAsync(new QueueMessage { Label = "end" });
        int count = 0;
        for (; await receiver.ReceiveAsync(Timeout.InfiniteTimeSpan) is { } message && message.Label != "end"; count++)
            Assert.Equal(Enumerable.Repeat((byte)(int.Parse(message.MessageId!, CultureInfo.InvariantCulture) % 200), 1000), message.Body.ToArray());
        Assert.True(sends.Count(static send => send.IsCanceled) > Count / 2);
        Assert.InRange(count, Count / 2, Count);

        QueueMessage NewMessage(int number) => new(new MessageBody(bodies[number])) { MessageId = $"{number:D5}" };
    }

    private static async Task AssertRefusedAsync(Task send)
    {
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => send);
        Assert.False(e.OutcomeUnknown, e.Message);
        Assert.Equal(QueueErrorCode.TooLarge, e.Code);
        Assert.Contains("max_message_size", e.Message, StringComparison.Ordinal);
        Assert.Contains("not in the queue", e.Message, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task Send_TopicDeletedMeanwhile_IsADefiniteRefusal()
    {
        await using MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"), Recoverable);
        await topic.SendAsync(Message("nobody"));
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(Broker.Address) }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.ExchangeDeleteAsync(topic.Address.QueueName);

        for (int i = 0; i < 3; i++)
        {
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => topic.SendAsync(Message("x")).AsTask());
            Assert.False(e.OutcomeUnknown);
            Assert.Contains("no exchange", e.Message, StringComparison.Ordinal);
        }

        await channel.ExchangeDeclareAsync(topic.Address.QueueName, ExchangeType.Fanout, durable: true);
        await topic.SendAsync(Message("again"));
        await channel.ExchangeDeleteAsync(topic.Address.QueueName);
    }
}
