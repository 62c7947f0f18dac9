using System;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;
using Formatters.Hosting.Buses;
using Formatters.Queues;
using Formatters.Wolverine;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wolverine;
using Wolverine.RabbitMQ;
using Wolverine.Runtime.Serialization;
using Wolverine.Transports.Tcp;
using Xunit;

namespace Formatters.Buses.Tests.Wolverine;

/// <summary>Wolverine with formatters, over TCP and RabbitMQ. Its queues in memory hand over objects, without a body.</summary>
public class WolverineTests
{
    public static TheoryData<string> Formats => [.. WireFormat.All.Where(static format => format != WireFormat.LegacyBinary).Select(static format => format.Name)];

    [Theory]
    [MemberData(nameof(Formats))]
    public void Envelopes_HaveTheBodyOfTheFormatter(string formatName)
    {
        WireFormat format = WireFormat.Find(formatName)!;
        var options = new WolverineOptions();
        options.UseFormatters(format);
        var envelope = new Envelope(OrderPlaced.Sample(7));
        foreach (IEnvelopeRule rule in options.MetadataRules)
            rule.Modify(envelope);
        Assert.Equal(MessageFormatter.Create<OrderPlaced>(format).Write(OrderPlaced.Sample(7)), envelope.Data);
        Assert.Equal((format.ContentType, "order-placed"), (envelope.ContentType, envelope.Headers["message_contract"]));
        var received = new Envelope { Data = envelope.Data, ContentType = envelope.ContentType, Headers = { ["message_contract"] = "order-placed" } };
        object payload = options.DetermineSerializer(received).ReadFromData(typeof(OrderPlaced), received);
        Assert.Equal(OrderPlaced.Sample(7).ToString(), payload.ToString());
        // JSON of Wolverine itself is read as before.
        IMessageSerializer json = new WolverineOptions().DefaultSerializer;
        received = new Envelope { Data = json.WriteMessage(OrderPlaced.Sample(8)), ContentType = json.ContentType };
        Assert.Equal(OrderPlaced.Sample(8).ToString(), options.DetermineSerializer(received).ReadFromData(typeof(OrderPlaced), received).ToString());
    }

    [Fact]
    public void WhatCannotBeRead_FailsWithWolverinesException()
    {
        var options = new WolverineOptions();
        options.UseFormatters(WireFormat.MessagePack, static contracts => contracts.Add<Invoice>(new XmlFormatter<Invoice>(), "invoice"));
        byte[] good = MessageFormatter.Create<OrderPlaced>(WireFormat.MessagePack).Write(OrderPlaced.Sample(1));
        foreach ((string? contract, byte[] body, Type type, MessageFormatErrorCode code) in new (string?, byte[], Type, MessageFormatErrorCode)[]
        {
            ("order-placed", good[..^1], typeof(OrderPlaced), MessageFormatErrorCode.Truncated),
            ("unknown", good, typeof(OrderPlaced), MessageFormatErrorCode.UnknownFormat),
            ("order-placed", good, typeof(Invoice), MessageFormatErrorCode.TypeNotAllowed),
            ("invoice", good, typeof(Invoice), MessageFormatErrorCode.UnknownFormat),
            (null, good, typeof(Note), MessageFormatErrorCode.UnknownFormat),
        })
        {
            var envelope = new Envelope { Data = body, ContentType = "application/x-msgpack" };
            if (contract is not null)
                envelope.Headers["message_contract"] = contract;
            var error = Assert.Throws<WolverineSerializationException>(() => options.DetermineSerializer(envelope).ReadFromData(type, envelope));
            Assert.Equal(code, Assert.IsType<MessageFormatException>(error.InnerException).Code);
        }
    }

    [Fact]
    public void FormattersWithoutAContentType_AreRejected() => Assert.Throws<ArgumentException>(() => new WolverineOptions().UseFormatters(
        WireFormat.MessagePack, static contracts => contracts.Add<Invoice>(new XmlFormatter(typeof(Invoice)), "invoice")));

    /// <summary>A rolling change over TCP, without a server: readers first, then each sender.</summary>
    [Fact]
    public async Task RollingChange_EveryCombinationIsHandled()
    {
        int port = FreePort();
        using IHost receiver = await StartAsync(opts =>
        {
            opts.ListenAtPort(port);
            opts.UseFormatters(WireFormat.Cbor, static contracts => contracts.ReadsOnly = true);
        });
        Action<WolverineOptions>[] stages =
        [
            static _ => { },
            static opts => opts.UseFormatters(WireFormat.Cbor, static contracts => contracts.ReadsOnly = true),
            static opts => opts.UseFormatters(WireFormat.Cbor),
        ];
        Received<(object Message, Envelope Envelope)> received = receiver.Services.GetRequiredService<Collector>().Received;
        foreach (Action<WolverineOptions> stage in stages)
        {
            using IHost sender = await StartAsync(stage);
            IDestinationEndpoint endpoint = sender.MessageBus().EndpointFor(new Uri($"tcp://localhost:{port}"));
            await endpoint.SendAsync(OrderPlaced.Sample(1), new DeliveryOptions().WithHeader("tenant", "Ärzte"));
            (object message, Envelope envelope) = await received.NextAsync();
            Assert.Equal(OrderPlaced.Sample(1).ToString(), message.ToString());
            Assert.Equal("Ärzte", envelope.Headers["tenant"]);
            Assert.Equal(stage == stages[2] ? "application/cbor" : "application/json", envelope.ContentType);
            await endpoint.SendAsync(new Note { Text = "no contract" }, new DeliveryOptions().WithHeader("message_contract", "order-placed"));
            Assert.Equal("no contract", Assert.IsType<Note>((await received.NextAsync()).Message).Text);
        }
    }

    /// <summary>A program with plain queues sends to a bus and receives from it; a body that cannot be read is a dead letter, unchanged.</summary>
    [BrokerFact]
    public async Task PlainQueues_JoinTheBusOverRabbitMq()
    {
        string queue = "fmt-wolverine-" + Guid.NewGuid().ToString("N")[..8];
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<OrderPlaced>();
        try
        {
            foreach (bool usesFormatters in new[] { false, true })
            {
                using IHost host = await StartAsync(opts =>
                {
                    opts.UseRabbitMq(Broker.Address).AutoProvision().CustomizeDeadLetterQueueing(new DeadLetterQueue(queue + "-dead"));
                    opts.ListenToRabbitQueue(queue);
                    opts.PublishMessage<OrderPlaced>().ToRabbitQueue(queue + "-plain");
                    if (usesFormatters)
                        opts.UseFormatters(WireFormat.MessagePack, static contracts => contracts.Add<OrderPlaced>());
                });
                Received<(object Message, Envelope Envelope)> handled = host.Services.GetRequiredService<Collector>().Received;
                await using QueueClient orders = await Broker.OpenAsync(queue), plain = await Broker.OpenAsync(queue + "-plain"), dead = await Broker.OpenAsync(queue + "-dead");
                QueueMessage message = usesFormatters ? WolverineEnvelope.Create(contracts, OrderPlaced.Sample(5)) : WolverineEnvelope.CreateJson(contracts, OrderPlaced.Sample(5));
                message.Headers["tenant"] = "Ärzte";
                await orders.SendAsync(message);
                (object payload, Envelope envelope) = await handled.NextAsync();
                Assert.Equal(OrderPlaced.Sample(5).ToString(), payload.ToString());
                Assert.Equal((message.MessageId, "Ärzte"), (envelope.Id.ToString(), envelope.Headers["tenant"]));

                await host.MessageBus().EndpointFor(new Uri($"rabbitmq://queue/{queue}-plain")).SendAsync(OrderPlaced.Sample(6), new DeliveryOptions().WithHeader("tenant", "Ärzte"));
                ReceivedMessage received = (await plain.ReceiveAsync(TimeSpan.FromMinutes(2)))!;
                Assert.Equal(OrderPlaced.Sample(6).ToString(), WolverineEnvelope.Read(contracts, received).ToString());
                Assert.Equal(("Ärzte", "Formatters.Buses.Tests.OrderPlaced"), (received.Headers["tenant"], received.Headers[WolverineEnvelope.TypeHeader]));
                Assert.Equal(usesFormatters, received.Headers.ContainsKey("message_contract"));
                await received.AcknowledgeAsync();
                if (!usesFormatters)
                    continue;

                // A sender of Formatters.Hosting sets the contract name, and nothing of Wolverine.
                byte[] good = MessageFormatter.Create<OrderPlaced>(WireFormat.MessagePack).Write(OrderPlaced.Sample(9));
                foreach ((string contract, byte[] body) in new[] { ("order-placed", good), ("order-placed", good[..^1]), ("unknown", good) })
                {
                    await orders.SendAsync(new QueueMessage(new MessageBody(body, contentType: "application/x-msgpack")) { Headers = { ["message_contract"] = contract } });
                    if (contract == "order-placed" && body == good)
                    {
                        Assert.Equal(OrderPlaced.Sample(9).ToString(), (await handled.NextAsync()).Message.ToString());
                        continue;
                    }

                    ReceivedMessage letter = (await dead.ReceiveAsync(TimeSpan.FromMinutes(2)))!;
                    Assert.Equal(body, letter.Body.ToArray());
                    Assert.Equal(contract, letter.Headers["message_contract"]);
                    await letter.AcknowledgeAsync();
                }
            }
        }
        finally
        {
            foreach (string suffix in new[] { "", "-plain", "-dead" })
                await Broker.DeleteAsync(queue + suffix);
        }
    }

    [Fact]
    public void Envelopes_RejectWhatTheyCannotRead()
    {
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<OrderPlaced>();
        Assert.Throws<ArgumentException>(() => WolverineEnvelope.Create(contracts, new Note()));
        QueueMessage message = WolverineEnvelope.CreateJson(contracts, OrderPlaced.Sample(1));
        Assert.Equal(OrderPlaced.Sample(1).ToString(), WolverineEnvelope.Read(contracts, message).ToString());
        message.Body.Bytes = new(Encoding.UTF8.GetBytes("""{"id":"x"}"""));
        Assert.Equal("OrderPlaced.Id", Assert.Throws<MessageFormatException>(() => WolverineEnvelope.Read(contracts, message)).MemberPath);
        foreach (QueueMessage unknown in new[] { new QueueMessage(), new QueueMessage { Headers = { ["message-type"] = "System.Diagnostics.Process" } } })
            Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => WolverineEnvelope.Read(contracts, unknown)).Code);
    }

    private static async Task<IHost> StartAsync(Action<WolverineOptions> configure)
    {
        IHost host = new HostBuilder()
            .ConfigureServices(static services => services.AddLogging(static logging => logging.ClearProviders()).AddSingleton<Collector>())
            .UseWolverine(opts =>
            {
                opts.Durability.Mode = DurabilityMode.Solo;
                opts.Discovery.DisableConventionalDiscovery().IncludeType<CollectingHandler>();
                configure(opts);
            })
            .Build();
        await host.StartAsync();
        return host;
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}

/// <summary>Collects the messages of a host.</summary>
public sealed class Collector
{
    internal Received<(object Message, Envelope Envelope)> Received { get; } = new();
}

/// <summary>Handles the messages of the tests.</summary>
public sealed class CollectingHandler
{
#pragma warning disable CA1822 // Wolverine creates handlers.
    public void Handle(OrderPlaced message, Envelope envelope, Collector collector) => Add(message, envelope, collector);

    public void Handle(Note message, Envelope envelope, Collector collector) => Add(message, envelope, collector);
#pragma warning restore CA1822

    private static void Add(object message, Envelope envelope, Collector collector)
    {
        ArgumentNullException.ThrowIfNull(envelope);
        ArgumentNullException.ThrowIfNull(collector);
        // Wolverine may use the envelope again.
        var copy = new Envelope { Id = envelope.Id, ContentType = envelope.ContentType, MessageType = envelope.MessageType };
        foreach ((string name, string? value) in envelope.Headers)
            copy.Headers[name] = value;
        collector.Received.Add((message, copy));
    }
}
