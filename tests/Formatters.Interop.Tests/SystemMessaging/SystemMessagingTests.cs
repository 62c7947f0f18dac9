using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;
using Formatters.Orders;
using Formatters.Queues;
using Formatters.Queues.RabbitMQ;
using RabbitMQ.Client;
using Xunit;

namespace Formatters.Interop.Tests.SystemMessaging;

/// <summary>One queue with two ends: System.Messaging's <c>MessageQueue</c>, and Formatters.Queues on .NET.</summary>
public sealed class SystemMessagingTests
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(30);

    private readonly string _name = "formatters-tests-" + Guid.NewGuid().ToString("N");
    private readonly QueueConnector _connector = new(new RabbitMqQueueProvider());

    private string Address => $"{SystemMessagingPeer.Address}/{_name}";

    /// <summary>Every format of ours inside System.Messaging, and System.Messaging's own.</summary>
    public static TheoryData<string> Formats => [.. OrderFormats.All.Keys, OrderFormats.GenuineBinary, OrderFormats.GenuineXml];

    /// <summary>Every format of ours on .NET.</summary>
    public static TheoryData<string> OwnFormats => [.. OrderFormats.All.Keys];

    [SystemMessagingTheory]
    [MemberData(nameof(Formats))]
    public async Task WhatMessageQueueSends_IsReadOnDotNet(string format)
    {
        await SystemMessagingPeer.RunAsync("send", _name, format);

        await using (QueueClient queue = await _connector.OpenAsync(Address, QueueOptions.Fastest))
        {
            for (int i = 0; i < OrderFormats.OrderCount; i++)
            {
                ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
                Assert.Equal(i.ToString(CultureInfo.InvariantCulture), message.Label);
                Assert.True(OrderFormats.Order(i).ContentEquals(OrderFormats.Registry.Read<Order>(message.Body)));
            }

            Assert.Equal(OrderFormats.OrderCount, OrderFormats.Registry.Read((await queue.ReceiveAsync(Soon))!.Body));
        }

        await _connector.DeleteAsync(Address);
    }

    [SystemMessagingTheory]
    [MemberData(nameof(OwnFormats))]
    public async Task WhatDotNetSends_IsReceivedFromMessageQueue(string format)
    {
        await DeclareAsMonoDoesAsync();
        await using (QueueClient queue = await _connector.OpenAsync(Address, QueueOptions.Fastest))
        {
            for (int i = 0; i < OrderFormats.OrderCount; i++)
                await SendAsync(queue, OrderFormats.Order(i), OrderFormats.All[format], i.ToString(CultureInfo.InvariantCulture));
            await SendAsync(queue, OrderFormats.OrderCount, new ActiveXFormatter(), "a number");
        }

        Assert.Equal($"{OrderFormats.OrderCount} orders received", await SystemMessagingPeer.RunAsync("receive", _name));
        await _connector.DeleteAsync(Address);
    }

    /// <summary>Mono's queues do not outlive the broker; ours would, and Mono refuses a queue that is not as it would have made it.</summary>
    private async Task DeclareAsMonoDoesAsync()
    {
        await using IConnection connection = await new ConnectionFactory { Uri = new Uri(SystemMessagingPeer.Address) }.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeclareAsync(_name, durable: false, exclusive: false, autoDelete: false);
    }

    private static ValueTask SendAsync(QueueClient queue, object value, IMessageFormatter formatter, string label)
    {
        var message = new QueueMessage { Label = label, MessageId = $"{Guid.NewGuid()}\\0" };
        foreach ((string name, object header) in RequiredHeaders)
            message.Headers.Add(name, header);
        formatter.Write(message.Body, value);
        return queue.SendAsync(message);
    }

    /// <summary>What Mono's RabbitMQ provider expects of every message: it casts these without looking.</summary>
    private static readonly Dictionary<string, object> RequiredHeaders = new()
    {
        ["SenderVersion"] = 0L,
        ["TimeToBeReceived"] = TimeSpan.MaxValue.Ticks,
        ["TimeToReachQueue"] = TimeSpan.MaxValue.Ticks,
        ["AcknowledgeType"] = 0,
        ["AppSpecific"] = 0,
        ["AuthenticationProviderType"] = 1,
        ["EncryptionAlgorithm"] = 26114,
        ["HashAlgorithm"] = 32772,
        ["UseAuthentication"] = false,
        ["UseDeadLetterQueue"] = false,
        ["UseEncryption"] = false,
        ["DestinationSymmetricKey"] = "",
        ["DigitalSignature"] = "",
        ["Extension"] = "",
        ["SenderCertificate"] = "",
        ["SourceMachine"] = "dotnet",
        ["ConnectorType"] = Guid.Empty.ToString(),
        ["AuthenticationProviderName"] = "",
    };
}
