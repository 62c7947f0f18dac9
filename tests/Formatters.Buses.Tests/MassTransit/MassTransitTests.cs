using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Formatters.Hosting.Buses;
using Formatters.MassTransit;
using Formatters.Queues;
using MassTransit;
using MassTransit.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Formatters.Buses.Tests.MassTransit;

/// <summary>MassTransit with formatters, over its transport in memory and over RabbitMQ.</summary>
public class MassTransitTests
{
    public static TheoryData<string> Formats => [.. WireFormat.All.Where(static format => format != WireFormat.LegacyBinary).Select(static format => format.Name)];

    [Theory]
    [MemberData(nameof(Formats))]
    public async Task Messages_AreConsumed_InEveryFormat(string formatName)
    {
        WireFormat format = WireFormat.Find(formatName)!;
        await using TestBus bus = await TestBus.InMemoryAsync(cfg => cfg.UseFormatters(format));
        Guid correlation = Guid.NewGuid(), request = Guid.NewGuid();
        await bus.SendAsync("orders", OrderPlaced.Sample(7), context =>
        {
            context.CorrelationId = correlation;
            context.RequestId = request;
            context.Headers.Set("tenant", "Ärzte");
        });
        ConsumeContext<OrderPlaced> received = await bus.Orders.NextAsync();
        Assert.Equal(OrderPlaced.Sample(7).ToString(), received.Message.ToString());
        Assert.Equal(format.ContentType, received.ReceiveContext.ContentType.MediaType);
        Assert.Equal(MessageFormatter.Create<OrderPlaced>(format).Write(OrderPlaced.Sample(7)), received.ReceiveContext.Body.GetBytes());
        Assert.Equal("order-placed", received.ReceiveContext.TransportHeaders.Get<string>("message_contract"));
        Assert.Equal((correlation, request, "Ärzte"), (received.CorrelationId, received.RequestId, received.Headers.Get<string>("tenant")));
        Assert.NotNull(received.ConversationId);
        Assert.Equal(Environment.MachineName, received.Host.MachineName);
        Assert.Equal(bus.Bus.Address, received.SourceAddress);
    }

    /// <summary>A rolling change: readers first, then each sender. Whatever the order, everything is consumed.</summary>
    [Fact]
    public async Task RollingChange_EveryCombinationIsConsumed()
    {
        Action<IBusFactoryConfigurator>[] stages =
        [
            static _ => { },
            static cfg => cfg.UseFormatters(WireFormat.Cbor, static contracts => contracts.ReadsOnly = true),
            static cfg => cfg.UseFormatters(WireFormat.Cbor),
        ];
        // One bus over the transport in memory; the endpoint's own configuration is the receiver's.
        foreach (Action<IBusFactoryConfigurator> sender in stages)
        {
            await using TestBus bus = await TestBus.InMemoryAsync(sender, static endpoint => endpoint.UseFormatters(WireFormat.Cbor));
            await bus.SendAsync("orders", OrderPlaced.Sample(1));
            await bus.SendAsync("orders", new Note { Text = "no contract" }, static context => context.Headers.Set("message_contract", "order-placed"));
            ConsumeContext<OrderPlaced> order = await bus.Orders.NextAsync();
            Assert.Equal(OrderPlaced.Sample(1).ToString(), order.Message.ToString());
            Assert.Equal(sender == stages[2] ? "application/cbor" : MassTransitEnvelope.ContentType, order.ReceiveContext.ContentType.MediaType);
            Assert.Equal("no contract", (await bus.Notes.NextAsync()).Message.Text);
        }
    }

    /// <summary>Requests, faults and what MassTransit sends by itself.</summary>
    [Fact]
    public async Task RequestsAndFaults_Work()
    {
        await using TestBus bus = await TestBus.InMemoryAsync(static cfg => cfg.UseFormatters(
            WireFormat.MessagePack, static contracts => contracts.Add<Invoice>(new XmlFormatter<Invoice>(), "invoice")));
        IRequestClient<OrderPlaced> client = bus.Bus.CreateRequestClient<OrderPlaced>(new Uri("queue:orders"), RequestTimeout.After(m: 2));
        Response<Invoice> response = await client.GetResponse<Invoice>(OrderPlaced.Sample(12));
        Assert.Equal(12, response.Message.Number);
        Assert.Equal("invoice", response.Headers.Get<string>("message_contract"));
        RequestFaultException fault = await Assert.ThrowsAsync<RequestFaultException>(() => client.GetResponse<Invoice>(OrderPlaced.Sample(-1)));
        Assert.Contains("negative", fault.Message, StringComparison.Ordinal);
    }

    /// <summary>A body that cannot be read is in the error queue, unchanged; the next message is consumed.</summary>
    [BrokerFact]
    public async Task MessagesThatCannotBeRead_AreInTheErrorQueue_OverRabbitMq()
    {
        await using TestBus bus = await TestBus.RabbitMqAsync(static cfg => cfg.UseFormatters(WireFormat.MessagePack));
        await using QueueClient orders = await Broker.OpenAsync(bus.Queue);
        byte[] good = MessageFormatter.Create<OrderPlaced>(WireFormat.MessagePack).Write(OrderPlaced.Sample(3));
        foreach ((string queue, string contract, string contentType, byte[] body) in new[]
        {
            ("_error", "order-placed", "application/x-msgpack", good[..^1]),
            ("_error", "order-placed", "application/x-msgpack", []),
            ("_error", "order-placed", "application/cbor", good),
            ("_skipped", "unknown", "application/x-msgpack", good),
            ("_skipped", "System.Diagnostics.Process, System.Diagnostics.Process", "application/x-msgpack", good),
        })
        {
            var message = new QueueMessage(new MessageBody(body, contentType: contentType)) { MessageId = Guid.NewGuid().ToString(), Headers = { ["message_contract"] = contract } };
            await orders.SendAsync(message);
            await using QueueClient errors = await bus.OpenAsync(queue);
            ReceivedMessage error = (await errors.ReceiveAsync(TimeSpan.FromMinutes(2)))!;
            Assert.Equal(body, error.Body.ToArray());
            Assert.Equal(message.MessageId, error.MessageId);
            Assert.Equal(contract, error.Headers["message_contract"]);
            if (queue == "_error")
                Assert.Equal("Formatters.MessageFormatException", error.Headers["MT-Fault-ExceptionType"]);
            await error.AcknowledgeAsync();
        }

        await bus.SendAsync(bus.Queue, OrderPlaced.Sample(4));
        Assert.Equal(OrderPlaced.Sample(4).ToString(), (await bus.Orders.NextAsync()).Message.ToString());
    }

    /// <summary>A program with plain queues sends to a bus and receives from it: in the JSON envelope, and after the bus uses formatters.</summary>
    [BrokerFact]
    public async Task PlainQueues_JoinTheBusOverRabbitMq()
    {
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<OrderPlaced>();
        foreach (bool usesFormatters in new[] { false, true })
        {
            await using TestBus bus = await TestBus.RabbitMqAsync(cfg =>
            {
                if (usesFormatters)
                    cfg.UseFormatters(WireFormat.MessagePack);
            });
            await using QueueClient orders = await Broker.OpenAsync(bus.Queue);
            QueueMessage message = usesFormatters ? MassTransitEnvelope.Create(contracts, OrderPlaced.Sample(5)) : MassTransitEnvelope.CreateJson(contracts, OrderPlaced.Sample(5));
            message.Headers["tenant"] = "Ärzte";
            await orders.SendAsync(message);
            ConsumeContext<OrderPlaced> consumed = await bus.Orders.NextAsync();
            Assert.Equal(OrderPlaced.Sample(5).ToString(), consumed.Message.ToString());
            Assert.Equal(message.MessageId, consumed.MessageId.ToString());
            Assert.Equal("Ärzte", consumed.ReceiveContext.TransportHeaders.Get<string>("tenant"));

            await bus.SendAsync(bus.Queue + "_plain", OrderPlaced.Sample(6), static context =>
            {
                context.CorrelationId = new Guid("6a1b6c0e-0000-4000-8000-000000000001");
                context.ResponseAddress = new Uri("rabbitmq://localhost/replies");
                context.Headers.Set("tenant", "Ärzte");
            });
            await using QueueClient plain = await bus.OpenAsync("_plain");
            ReceivedMessage received = (await plain.ReceiveAsync(TimeSpan.FromMinutes(2)))!;
            Assert.Equal(OrderPlaced.Sample(6).ToString(), MassTransitEnvelope.Read(contracts, received).ToString());
            QueueMessage unwrapped = MassTransitEnvelope.Unwrap(received);
            Assert.Equal(("Ärzte", "rabbitmq://localhost/replies", "6a1b6c0e-0000-4000-8000-000000000001", "urn:message:Formatters.Buses.Tests:OrderPlaced"), (unwrapped.Headers["tenant"],
                unwrapped.Headers["MT-Response-Address"], unwrapped.CorrelationId, unwrapped.Headers["MT-MessageType"]));
            if (!usesFormatters)
            {
                // Wrapped again, and sent on to the bus, it is the same message.
                Assert.StartsWith("{", Encoding.UTF8.GetString(unwrapped.Body.ToArray()), StringComparison.Ordinal);
                await orders.SendAsync(MassTransitEnvelope.Wrap(unwrapped));
                consumed = await bus.Orders.NextAsync();
                Assert.Equal(OrderPlaced.Sample(6).ToString(), consumed.Message.ToString());
                Assert.Equal(("Ärzte", received.MessageId), (consumed.Headers.Get<string>("tenant"), consumed.MessageId.ToString()));
                Assert.Equal((new Uri("rabbitmq://localhost/replies"), unwrapped.CorrelationId), (consumed.ResponseAddress, consumed.CorrelationId.ToString()));
            }

            await received.AcknowledgeAsync();
        }
    }

    [Fact]
    public void Envelopes_RejectWhatTheyCannotCarryOrRead()
    {
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<OrderPlaced>();
        Assert.Throws<ArgumentException>(() => MassTransitEnvelope.Create(contracts, new Note()));
        Assert.Throws<ArgumentException>(() => MassTransitEnvelope.Wrap(MassTransitEnvelope.Create(contracts, OrderPlaced.Sample(1))));
        Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => MassTransitEnvelope.Read(contracts, new QueueMessage())).Code);
        foreach (string json in new[] { "", "null", "{}", "[", """{"message":null}""", """{"message":{},"messageType":["urn:message:System.Diagnostics:Process"]}""",
            """{"message":null,"messageType":["urn:message:Formatters.Buses.Tests:OrderPlaced"]}""", """{"message":{"id":"x"},"messageType":["urn:message:Formatters.Buses.Tests:OrderPlaced"]}""" })
        {
            var message = new QueueMessage(new MessageBody(Encoding.UTF8.GetBytes(json), contentType: MassTransitEnvelope.ContentType));
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => MassTransitEnvelope.Read(contracts, message));
            Assert.Equal(json.Contains("\"x\"", StringComparison.Ordinal) ? "OrderPlaced.Id" : null, error.MemberPath);
        }
    }

    /// <summary>What an outbox keeps of a message: a string, the content type and the headers.</summary>
    [Theory]
    [InlineData("messagepack")]
    [InlineData("json")]
    public void Bodies_AreRestoredFromTheStringsOfAnOutbox(string format)
    {
        var contracts = new ContractRegistry(WireFormat.Find(format)!).Add<OrderPlaced>();
        var factory = new FormatterSerializerFactory(WireFormat.Find(format)!.ContentType, contracts);
        var context = new global::MassTransit.Context.MessageSendContext<OrderPlaced>(OrderPlaced.Sample(8)) { Serializer = factory.CreateSerializer() };
        string text = context.Body.GetString();
        SerializerContext restored = factory.CreateDeserializer().Deserialize(factory.CreateDeserializer().GetMessageBody(text), context.Headers);
        Assert.True(restored.TryGetMessage(out OrderPlaced? order));
        Assert.Equal(OrderPlaced.Sample(8).ToString(), order!.ToString());
        Assert.False(restored.TryGetMessage(out Note? _));
        var again = new global::MassTransit.Context.MessageSendContext<OrderPlaced>(order) { Serializer = restored.GetMessageSerializer() };
        Assert.Equal(context.Body.GetBytes(), again.Body.GetBytes());
        Assert.Equal((context.ContentType, "order-placed"), (again.ContentType, again.Headers.Get<string>("message_contract")));
    }

    /// <summary>A bus with one endpoint that collects its messages.</summary>
    private sealed class TestBus : IAsyncDisposable
    {
        private readonly List<string> _queues = [];
        private ServiceProvider _services = null!;

        internal IBusControl Bus { get; private set; } = null!;

        internal string Queue { get; private set; } = "orders";

        internal Received<ConsumeContext<OrderPlaced>> Orders { get; } = new();

        internal Received<ConsumeContext<Note>> Notes { get; } = new();

        internal static async Task<TestBus> InMemoryAsync(Action<IBusFactoryConfigurator> configure, Action<IReceiveEndpointConfigurator>? configureEndpoint = null)
        {
            var test = new TestBus();
            await test.StartAsync(x => x.UsingInMemory((_, cfg) =>
            {
                configure(cfg);
                cfg.ReceiveEndpoint("orders", endpoint =>
                {
                    configureEndpoint?.Invoke(endpoint);
                    test.Collect(endpoint);
                });
            }));
            return test;
        }

        internal static async Task<TestBus> RabbitMqAsync(Action<IBusFactoryConfigurator> configure)
        {
            var test = new TestBus { Queue = "fmt-mt-" + Guid.NewGuid().ToString("N")[..8] };
            foreach (string suffix in new[] { "", "_error", "_skipped", "_plain" })
                test._queues.Add(test.Queue + suffix);
            await test.StartAsync(x => x.UsingRabbitMq((_, cfg) =>
            {
                Uri address = Broker.Address;
                string[] user = address.UserInfo.Split(':');
                cfg.Host(address.Host, (ushort)(address.IsDefaultPort ? 5672 : address.Port), "/", h =>
                {
                    h.Username(user[0]);
                    h.Password(user[1]);
                });
                configure(cfg);
                cfg.ReceiveEndpoint(test.Queue, test.Collect);
            }));
            return test;
        }

        internal async Task SendAsync<T>(string queue, T message, Action<SendContext<T>>? configure = null)
            where T : class =>
            await (await Bus.GetSendEndpoint(new Uri("queue:" + queue))).Send(message, Pipe.Execute<SendContext<T>>(context => configure?.Invoke(context)));

        internal ValueTask<QueueClient> OpenAsync(string suffix) => Broker.OpenAsync(Queue + suffix);

        public async ValueTask DisposeAsync()
        {
            await Bus.StopAsync();
            await _services.DisposeAsync();
            foreach (string queue in _queues)
                await Broker.DeleteAsync(queue);
        }

        private void Collect(IReceiveEndpointConfigurator endpoint)
        {
            endpoint.Handler<OrderPlaced>(async context =>
            {
                if (context.Message.Id < 0)
                    throw new InvalidOperationException("The id is negative.");
                Orders.Add(context);
                if (context.RequestId is not null && context.ResponseAddress is not null)
                    await context.RespondAsync(new Invoice { Number = context.Message.Id });
            });
            endpoint.Handler<Note>(context =>
            {
                Notes.Add(context);
                return Task.CompletedTask;
            });
        }

        private async Task StartAsync(Action<IBusRegistrationConfigurator> configure)
        {
            _services = new ServiceCollection().AddLogging(static logging => logging.ClearProviders()).AddMassTransit(x =>
            {
                x.DisableUsageTelemetry();
                configure(x);
            }).BuildServiceProvider();
            Bus = _services.GetRequiredService<IBusControl>();
            await Bus.StartAsync(TimeSpan.FromMinutes(2));
        }
    }
}
