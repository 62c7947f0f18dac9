using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using RabbitMQ.Client;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Queues that exist with other settings than those asked for: both are said, and dead letters by the receiver do without.</summary>
public sealed class RabbitMqSettingsTests : QueueTestBase
{
    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };

    protected override QueueProvider Provider { get; } = new RabbitMqQueueProvider();

    protected override string Place => Broker.Address + "/";

    [BrokerFact]
    public async Task Sender_first_the_receivers_error_says_both()
    {
        QueueClient sender = await OpenAsync(PeekLock);
        string name = sender.Address.QueueName;

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(PeekLock with { DeadLetterQueue = "it's" }));

        Assert.Contains($"the queue '{name}' exists with other settings", e.Message, StringComparison.Ordinal);
        Assert.Contains("The queue has: durable, no arguments. Asked for: durable, x-dead-letter-exchange = '', x-dead-letter-routing-key = 'it's'.", e.Message, StringComparison.Ordinal);
        Assert.Contains("RabbitMqOptions.DeadLetters = ByReceiver", e.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(QueueOptions.DeadLetterQueue), e.Message, StringComparison.Ordinal);
        await Connector.DeleteAsync(Place + "it%27s");
    }

    [BrokerFact]
    public async Task Other_settings_are_all_said()
    {
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(Broker.Address) }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        string name = AddressOf("a")[Place.Length..];
        var arguments = new Dictionary<string, object?>
        {
            ["x-dead-letter-exchange"] = "",
            ["x-dead-letter-routing-key"] = "x' of type 'y",
            ["x-max-length"] = 5,
            ["x-message-ttl"] = 60_000,
            ["x-single-active-consumer"] = true,
            ["x-queue-mode"] = "lazy",
        };
        await channel.QueueDeclareAsync(name, durable: false, exclusive: false, autoDelete: true, arguments);

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(PeekLock with { DeadLetterQueue = $"{name}-dead", MaxMessageCount = 6 }));

        Assert.Contains(
            "The queue has: not durable, auto-delete, x-dead-letter-exchange = '', x-dead-letter-routing-key = 'x' of type 'y', x-max-length = 5, x-message-ttl = 60000, x-queue-mode = 'lazy', "
            + "x-single-active-consumer = True. "
            + $"Asked for: durable, x-dead-letter-exchange = '', x-dead-letter-routing-key = '{name}-dead', x-max-length = 6, x-overflow = 'reject-publish'.",
            e.Message,
            StringComparison.Ordinal);
        await channel.QueueDeleteAsync(name);
        await channel.QueueDeleteAsync($"{name}-dead");
    }

    /// <summary>The dead-letter queue itself is opened, too, and its name is the one to be said.</summary>
    [BrokerFact]
    public async Task Dead_letter_queue_with_other_settings_is_named()
    {
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(Broker.Address) }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        string name = AddressOf("dead")[Place.Length..];
        await channel.QueueDeclareAsync(name, durable: false, exclusive: false, autoDelete: false);
        try
        {
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(PeekLock with { DeadLetterQueue = name }));
            Assert.Contains($"the queue '{name}' exists with other settings", e.Message, StringComparison.Ordinal);
            Assert.Contains("The queue has: not durable, no arguments. Asked for: durable, no arguments.", e.Message, StringComparison.Ordinal);
        }
        finally
        {
            await channel.QueueDeleteAsync(name);
        }
    }

    [BrokerTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ByReceiver_any_queue_has_dead_letters_whoever_was_first(bool isReceiverFirst)
    {
        var byReceiver = new QueueConnector(new RabbitMqQueueProvider(new RabbitMqOptions { DeadLetters = RabbitMqDeadLetters.ByReceiver }));
        string dead = AddressOf("dead")[Place.Length..];
        await using QueueClient? before = isReceiverFirst ? null : await Connector.OpenAsync(AddressOf("a"), PeekLock);
        await using QueueClient receiver = await byReceiver.OpenAsync(AddressOf("a"), PeekLock with { DeadLetterQueue = dead });
        QueueClient sender = await OpenAsync(PeekLock);
        await using QueueClient other = await byReceiver.OpenAsync(AddressOf("a"), PeekLock with { DeadLetterQueue = dead + "-other" });
        QueueClient letters = await OpenAsync(PeekLock, "dead");

        await sender.SendAsync(Message("x"));
        await (await receiver.ReceiveAsync(Soon))!.DeadLetterAsync("why");

        ReceivedMessage letter = (await letters.ReceiveAsync(Soon))!;
        Assert.Equal(("x", "why", sender.Address.QueueName), (Text(letter), letter.DeadLetterReason, letter.DeadLetterSource));
        await Connector.DeleteAsync(AddressOf("dead") + "-other");
    }

    /// <summary>Which moves those that expire, as the other handles expect of it.</summary>
    [BrokerFact]
    public async Task ByReceiver_takes_a_queue_with_dead_letters_of_its_own()
    {
        var byReceiver = new QueueConnector(new RabbitMqQueueProvider(new RabbitMqOptions { DeadLetters = RabbitMqDeadLetters.ByReceiver }));
        string dead = AddressOf("dead")[Place.Length..];
        QueueClient letters = await OpenAsync(PeekLock, "dead");
        QueueClient byQueue = await OpenAsync(PeekLock with { DeadLetterQueue = dead });
        await using QueueClient receiver = await byReceiver.OpenAsync(AddressOf("a"), PeekLock with { DeadLetterQueue = dead });

        await byQueue.SendAsync(new QueueMessage { TimeToLive = TimeSpan.FromMilliseconds(1) });

        Assert.Equal(DeadLetterReasons.Expired, (await letters.ReceiveAsync(Soon))!.DeadLetterReason);
        NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(
            () => new QueueConnector(new RabbitMqQueueProvider(new RabbitMqOptions { DeadLetters = RabbitMqDeadLetters.ByReceiver, QueueType = RabbitMqQueueType.Quorum }))
                .OpenAsync(AddressOf("quorum"), PeekLock with { DeadLetterQueue = dead, MaxDeliveryCount = 3 }).AsTask());
        Assert.Contains(nameof(QueueOptions.MaxDeliveryCount), e.Message, StringComparison.Ordinal);
    }
}
