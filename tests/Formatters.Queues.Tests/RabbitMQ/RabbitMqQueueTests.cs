using System;
using System.Collections.Generic;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What RabbitMQ queues promise beyond what every queue does, and how opening one fails.</summary>
public sealed class RabbitMqQueueTests : QueueTestBase
{
    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    [Theory]
    [InlineData("amqp://localhost")]
    [InlineData("amqp://localhost/")]
    [InlineData("amqp://localhost//orders")]
    [InlineData("amqp://localhost/a/b/c")]
    [InlineData("amqp://localhost/a?heartbeat=5")]
    [InlineData("amqp:orders")]
    public async Task Open_OtherForm_IsRefused(string address)
    {
        var connector = new QueueConnector(new RabbitMqQueueProvider());

        FormatException e = await Assert.ThrowsAsync<FormatException>(() => connector.OpenAsync(address).AsTask());
        Assert.Contains("amqp://[user:password@]host[:port]/[virtual-host/]queue", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Open_NothingListens_SaysSoWithoutThePassword()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        var connector = new QueueConnector(new RabbitMqQueueProvider());

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => connector.OpenAsync($"amqp://me:secret@127.0.0.1:{port}/orders").AsTask());

        Assert.Contains($"amqp://me:***@127.0.0.1:{port}/orders", e.Message, StringComparison.Ordinal);
        Assert.Contains("no broker listens", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", e.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Open_ListenerThatNeverAnswers_EndsWithTheOperationTimeout()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        var connector = new QueueConnector(new RabbitMqQueueProvider());

        QueueException e = await Assert.ThrowsAsync<QueueException>(
            () => connector.OpenAsync($"amqp://127.0.0.1:{port}/orders", QueueOptions.Fastest with { OperationTimeout = TimeSpan.FromSeconds(0.5) }).AsTask());

        Assert.Contains("0.5 s", e.Message, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task Open_WrongPassword_SaysSo()
    {
        var uri = new Uri(Broker.Address);

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => Connector.OpenAsync($"amqp://guest:wrong@{uri.Authority}/orders").AsTask());

        Assert.Contains("refused user 'guest' or its password", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("wrong", e.Message, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task Open_NoSuchVirtualHost_SaysSo()
    {
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => Connector.OpenAsync($"{Broker.Address}/nowhere/orders").AsTask());

        Assert.Contains("no virtual host 'nowhere'", e.Message, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task Open_Cancelled_IsCancelled()
    {
        using var stop = new CancellationTokenSource();
        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Connector.OpenAsync(AddressOf("a"), null, stop.Token).AsTask());
    }

    [BrokerFact]
    public async Task Open_ExistingQueueThatIsNotDurable_ServesExpressOnly()
    {
        QueueClient cleanUp = await OpenAsync(QueueOptions.Fastest);
        await Connector.DeleteAsync(AddressOf("a"));
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(Broker.Address) }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeclareAsync(cleanUp.Address.QueueName, durable: false, exclusive: false, autoDelete: false);

        foreach (DeliveryMode mode in new[] { DeliveryMode.Recoverable, DeliveryMode.Transactional })
        {
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(new QueueOptions { DeliveryMode = mode, ReceiveMode = ReceiveMode.ReceiveAndDelete }));
            Assert.Contains("'durable'", e.Message, StringComparison.Ordinal);
        }

        QueueClient express = await OpenAsync(QueueOptions.Fastest);
        await express.SendAsync(Message("x"));
        Assert.Equal("x", Text(await express.ReceiveAsync(Soon)));
    }

    [BrokerFact]
    public async Task One_queue_serves_all_modes()
    {
        QueueClient express = await OpenAsync(QueueOptions.Fastest);
        QueueClient recoverable = await OpenAsync(Recoverable);
        QueueClient transactional = await OpenAsync(new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
        await recoverable.SendAsync(Message("recoverable"));
        await using (QueueTransaction transaction = await transactional.BeginTransactionAsync())
        {
            await transactional.SendAsync(Message("transactional"), transaction);
            await transaction.CommitAsync();
        }

        await express.SendAsync(Message("express"));

        Assert.Equal(["recoverable", "transactional", "express"], await ReceiveAllAsync(express, 3));
    }

    [BrokerFact]
    public async Task Capabilities_AreTheBrokers()
    {
        QueueCapabilities express = (await OpenAsync(QueueOptions.Fastest)).Capabilities;
        QueueCapabilities recoverable = (await OpenAsync(Recoverable)).Capabilities;
        QueueCapabilities transactional = (await OpenAsync(new QueueOptions { DeliveryMode = DeliveryMode.Transactional })).Capabilities;

        Assert.Matches(@"^RabbitMQ \d+\.\d+\.\d+", express.Product);
        Assert.False(express.IsRecoverable || express.Supports(QueueFeatures.Transactions) || express.IsInProcess);
        Assert.True(recoverable.IsRecoverable);
        Assert.Contains("confirmed", recoverable.Durability, StringComparison.Ordinal);
        Assert.True(transactional.IsRecoverable && transactional.Supports(QueueFeatures.Transactions));
        Assert.False(transactional.IsAtomic);
        Assert.Contains("batch (tx.select), not atomic", transactional.Durability, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task Messages_HaveTheHeadersOfMonosProvider()
    {
        QueueClient queue = await OpenAsync(Recoverable);
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1 }, 768, "application/x-test")) { Label = "étiquette", MessageId = "m", CorrelationId = "c" });
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(Broker.Address) }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();

        BasicGetResult result = (await channel.BasicGetAsync(queue.Address.QueueName, autoAck: true))!;

        Assert.Equal(768, Assert.IsType<int>(result.BasicProperties.Headers!["BodyType"]));
        Assert.Equal("étiquette"u8.ToArray(), result.BasicProperties.Headers["Label"]);
        Assert.Equal(DeliveryModes.Persistent, result.BasicProperties.DeliveryMode);
        Assert.Equal("application/x-test", result.BasicProperties.ContentType);
        Assert.Equal("m", result.BasicProperties.MessageId);
        Assert.Equal("c", result.BasicProperties.CorrelationId);
        Assert.Equal(2, result.BasicProperties.Headers.Count);
    }

    [BrokerFact]
    public async Task Messages_OfOtherSenders_AreRead()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(Broker.Address) }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.BasicPublishAsync("", queue.Address.QueueName, mandatory: false, new BasicProperties(), new byte[] { 1 });
        var headers = new Dictionary<string, object?> { ["BodyType"] = "text", ["Label"] = 5, ["Other"] = null };
        await channel.BasicPublishAsync("", queue.Address.QueueName, mandatory: false, new BasicProperties { Headers = headers }, new byte[] { 2 });

        ReceivedMessage bare = (await queue.ReceiveAsync(Soon))!;
        Assert.Null(bare.MessageId);
        Assert.Equal(0, bare.Body.BodyType);
        ReceivedMessage odd = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal(0, odd.Body.BodyType);
        Assert.Null(odd.Label);
        Assert.Equal([2], odd.Body.ToArray());
    }

    [BrokerTheory]
    [InlineData(10, 9)]
    [InlineData(255, 9)]
    [InlineData(9, 9)]
    public async Task Priority_OfOtherSenders_IsNineAtMost(byte sent, int received)
    {
        QueueClient queue = await OpenAsync(QueueOptions.Default);
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(Broker.Address) }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        var properties = new BasicProperties { Priority = sent };

        // One that is pushed, and one that is asked for.
        foreach (TimeSpan timeout in new[] { Soon, TimeSpan.Zero })
        {
            await channel.BasicPublishAsync("", queue.Address.QueueName, mandatory: true, properties, new byte[] { 1 });
            // Its answer comes behind the message.
            await channel.QueueDeclarePassiveAsync(queue.Address.QueueName);
            Assert.Equal(received, (await queue.ReceiveAsync(timeout))!.Priority);
        }
    }

    [BrokerTheory]
    [InlineData(DeliveryMode.Recoverable)]
    [InlineData(DeliveryMode.Transactional)]
    public async Task Priority_AllTen_AreReceivedAsSent(DeliveryMode mode)
    {
        var connector = new QueueConnector(new RabbitMqQueueProvider(new RabbitMqOptions { HasPriorities = true }));
        await using QueueClient sender = await connector.OpenAsync(AddressOf("a"), Recoverable);
        QueueClient queue = mode == DeliveryMode.Recoverable ? sender : await connector.OpenAsync(AddressOf("a"), new QueueOptions { DeliveryMode = mode });
        for (int priority = 0; priority <= 9; priority++)
            await sender.SendAsync(new QueueMessage { Priority = priority });

        await using QueueTransaction? transaction = mode == DeliveryMode.Transactional ? await queue.BeginTransactionAsync() : null;
        for (int priority = 9; priority >= 0; priority--)
            Assert.Equal(priority, (await queue.ReceiveAsync(priority % 2 == 0 ? TimeSpan.Zero : Soon, transaction))!.Priority);
        if (transaction is not null)
            await transaction.CommitAsync();
        await queue.DisposeAsync();
        await Connector.DeleteAsync(AddressOf("a"));
    }

    /// <summary>0 would be "drop it unless somebody is waiting for it".</summary>
    [BrokerTheory]
    [InlineData(1, "1")]
    [InlineData(4_000, "1")]
    [InlineData(10_000, "1")]
    [InlineData(10_001, "2")]
    [InlineData(15_000, "2")]
    public async Task TimeToLive_IsRoundedUp(long ticks, string expiration)
    {
        QueueClient queue = await OpenAsync(Recoverable);
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(Broker.Address) }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        var consumer = new AsyncEventingBasicConsumer(channel);
        var delivered = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        consumer.ReceivedAsync += (_, e) =>
        {
            delivered.TrySetResult(e.BasicProperties.Expiration);
            return Task.CompletedTask;
        };
        await channel.BasicConsumeAsync(queue.Address.QueueName, autoAck: true, consumer);

        await queue.SendAsync(new QueueMessage { TimeToLive = TimeSpan.FromTicks(ticks) });

        Assert.Equal(expiration, await delivered.Task.WaitAsync(Soon));
    }

    [BrokerFact]
    public async Task Send_TextBeyondAmqpsLimit_IsTheCallersError()
    {
        QueueClient queue = await OpenAsync(Recoverable);

        ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(
            () => queue.SendAsync(new QueueMessage { CorrelationId = new string('é', 128) }).AsTask());
        Assert.Contains("CorrelationId", e.Message, StringComparison.Ordinal);
        await queue.SendAsync(new QueueMessage { CorrelationId = new string('x', 255) });
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    [BrokerFact]
    public async Task Send_QueueDeletedMeanwhile_Fails()
    {
        QueueClient recoverable = await OpenAsync(Recoverable);
        QueueClient express = await OpenAsync(QueueOptions.Fastest);
        QueueClient transactional = await OpenAsync(new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
        await Connector.DeleteAsync(AddressOf("a"));

        // The id is the same for all: each send is told its own return.
        Task[] sends = new Task[20];
        for (int i = 0; i < sends.Length; i++)
            sends[i] = recoverable.SendAsync(new QueueMessage { MessageId = "same" }).AsTask();
        foreach (Task send in sends)
        {
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => send);
            Assert.Contains("no queue", e.Message, StringComparison.Ordinal);
            Assert.False(e.OutcomeUnknown);
        }

        await using QueueTransaction transaction = await transactional.BeginTransactionAsync();
        await transactional.SendAsync(Message("x"), transaction);
        QueueException committed = await Assert.ThrowsAsync<QueueException>(() => transaction.CommitAsync().AsTask());
        Assert.Contains("no queue", committed.Message, StringComparison.Ordinal);

        // Express: a later send tells.
        QueueException? late = null;
        for (long start = Environment.TickCount64; late is null && Environment.TickCount64 - start < Soon.TotalMilliseconds;)
        {
            try
            {
                await express.SendAsync(Message("x"));
                await Task.Delay(1);
            }
            catch (QueueException e)
            {
                late = e;
            }
        }

        Assert.Contains("no queue", late!.Message, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task Send_MoreThanTheWindowAtOnce_AllAreConfirmed()
    {
        QueueClient queue = await OpenAsync(Recoverable with { SendWindow = 100 });
        var sends = new List<Task>();
        for (int i = 0; i < 3000; i++)
            sends.Add(queue.SendAsync(Message(i)).AsTask());
        await Task.WhenAll(sends);

        Assert.Equal(3000, await queue.GetMessageCountAsync());
    }

    [BrokerFact]
    public async Task Send_CancelledWhileUnconfirmed_DoesNotBlockTheWindow()
    {
        QueueClient queue = await OpenAsync(Recoverable with { SendWindow = 1 });
        int cancelled = 0;
        for (int i = 0; i < 200; i++)
        {
            using var stop = new CancellationTokenSource();
            Task send = queue.SendAsync(Message(i), cancellationToken: stop.Token).AsTask();
            await stop.CancelAsync();
            try
            {
                await send;
            }
            catch (OperationCanceledException)
            {
                cancelled++;
            }
        }

        await queue.SendAsync(Message("last"));
        await using QueueClient receiver = await OpenAsync(QueueOptions.Fastest);
        string? last = null;
        while (await receiver.ReceiveAsync(TimeSpan.Zero) is { } message)
            last = Text(message);
        Assert.Equal("last", last);
        Assert.True(cancelled > 0);
    }

    [BrokerFact]
    public async Task Receive_ZeroTimeoutBesideAWaitingReceiver_LeavesItsTurn()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        for (int i = 0; i < 20; i++)
        {
            Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Soon).AsTask();
            await queue.ReceiveAsync(TimeSpan.Zero);
            await queue.GetMessageCountAsync();
            await queue.SendAsync(Message(i));
            Assert.Equal(i.ToString(CultureInfo.InvariantCulture), Text(await waiting));
        }
    }

    [BrokerFact]
    public async Task Receive_TimeoutsBesideTraffic_LoseNothing()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest with { PrefetchCount = 3 });
        const int Count = 500;
        Task sending = Task.Run(async () =>
        {
            for (int i = 0; i < Count; i++)
                await queue.SendAsync(Message(i));
        });
        var received = new List<string?>();
        for (int i = 0; received.Count < Count && i < 100_000; i++)
        {
            if (await queue.ReceiveAsync(TimeSpan.FromMilliseconds(i % 2)) is { } message)
                received.Add(Text(message));
        }

        await sending;
        for (int i = 0; i < Count; i++)
            Assert.Equal(i.ToString(CultureInfo.InvariantCulture), received[i]);
    }

    [BrokerFact]
    public async Task Headers_OtherValuesOfAmqp_GoBackAsTheyCame()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        await queue.SendAsync(new QueueMessage { Headers = { ["list"] = new List<object> { 1, "two" }, ["amount"] = 1.5m, ["time"] = new AmqpTimestamp(7) } });

        ReceivedMessage received = (await queue.ReceiveAsync(Soon))!;
        var copy = new QueueMessage();
        foreach ((string name, object value) in received.Headers)
            copy.Headers.Add(name, value);
        await queue.SendAsync(copy);

        ReceivedMessage again = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal([1.5m, new AmqpTimestamp(7)], new[] { again.Headers["amount"], again.Headers["time"] });
        Assert.Equal(2, Assert.IsAssignableFrom<IList<object?>>(again.Headers["list"]).Count);
    }

    [BrokerFact]
    public async Task Headers_ThatAmqpCannotCarry_AreTheCallersMistake()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        QueueMessage[] wrong =
        [
            new() { Headers = { ["date"] = DateTime.UnixEpoch } },
            new() { Headers = { ["BodyType"] = 7 } },
            new() { Headers = { ["Label"] = "a label is a property" } },
            new() { Headers = { [new string('x', 256)] = 1 } },
        ];
        foreach (QueueMessage message in wrong)
            await Assert.ThrowsAsync<ArgumentException>(async () => await queue.SendAsync(message));
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    /// <summary>A connection has 2,047 channels: none may be left behind by who gave up while one was opened.</summary>
    [BrokerFact]
    public async Task Receives_given_up_while_the_channel_is_opened_leave_none_behind()
    {
        QueueClient queue = await OpenAsync(new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete });
        for (int i = 0; i < 2100; i++)
            await GiveUpAsync(stop => queue.ReceiveAsync(Timeout.InfiniteTimeSpan, cancellationToken: stop).AsTask());

        await queue.SendAsync(Message("a"));
        Assert.Equal("a", Text(await queue.ReceiveAsync(Soon)));
    }

    [BrokerFact]
    public async Task Questions_given_up_while_the_channel_is_opened_leave_none_behind()
    {
        QueueClient queue = await OpenAsync(new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete });
        for (int i = 0; i < 2100; i++)
        {
            await GiveUpAsync(stop => queue.GetMessageCountAsync(stop).AsTask());
            // Answered behind those before.
            if (i % 100 == 99)
                Assert.Equal(0, await queue.GetMessageCountAsync());
        }
    }

    private static async Task GiveUpAsync(Func<CancellationToken, Task> operation)
    {
        using var stop = new CancellationTokenSource();
        Task task = operation(stop.Token);
        await stop.CancelAsync();
        try
        {
            await task;
        }
        catch (OperationCanceledException)
        {
            // Most are given up; some are answered before.
        }
    }
}
