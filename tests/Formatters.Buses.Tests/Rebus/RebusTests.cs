using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Formatters.Hosting.Buses;
using Formatters.Queues;
using Formatters.Rebus;
using Rebus.Activation;
using Rebus.Bus;
using Rebus.Config;
using Rebus.Logging;
using Rebus.Messages;
using Rebus.Retry.Simple;
using Rebus.Serialization;
using Rebus.Transport;
using Rebus.Transport.InMem;
using Xunit;

namespace Formatters.Buses.Tests.Rebus;

/// <summary>Rebus with formatters, over its transport in memory and over RabbitMQ.</summary>
public class RebusTests
{
    public static TheoryData<string> Formats => [.. WireFormat.All.Where(static format => format != WireFormat.LegacyBinary).Select(static format => format.Name)];

    [Theory]
    [MemberData(nameof(Formats))]
    public async Task Bodies_AreThoseOfTheFormatter_AndAreReceived(string formatName)
    {
        WireFormat format = WireFormat.Find(formatName)!;
        var network = new InMemNetwork();
        using var bus = new TestBus(network, "orders", s => s.UseFormatters(format, static contracts => contracts.Add<OrderPlaced>()));
        OrderPlaced order = OrderPlaced.Sample(7);
        using (IBus sender = OneWay(network, s => s.UseFormatters(format)))
        {
            await sender.Advanced.Routing.Send("inspected", order);
            await sender.Advanced.Routing.Send("orders", order, new Dictionary<string, string> { ["tenant"] = "Ärzte" });
        }

        InMemTransportMessage sent = Assert.Single(network.GetMessages("inspected"));
        Assert.Equal(MessageFormatter.Create<OrderPlaced>(format).Write(order), sent.Body);
        Assert.Equal((format.ContentType, "order-placed"), (sent.Headers[Headers.ContentType], sent.Headers["message_contract"]));
        (object payload, Dictionary<string, string> headers) = await bus.Received.NextAsync();
        Assert.Equal(order.ToString(), payload.ToString());
        Assert.Equal("Ärzte", headers["tenant"]);
        Assert.Equal("Formatters.Buses.Tests.OrderPlaced, Formatters.Buses.Tests", headers[Headers.Type]);
    }

    /// <summary>A rolling change: readers first, then each sender. Whatever the order, everything is handled.</summary>
    [Fact]
    public async Task RollingChange_EveryCombinationIsHandled()
    {
        var network = new InMemNetwork();
        Action<StandardConfigurer<ISerializer>> before = static _ => { };
        Action<StandardConfigurer<ISerializer>> reading = static s => s.UseFormatters(WireFormat.Cbor, static contracts => contracts.Add<OrderPlaced>().ReadsOnly = true);
        Action<StandardConfigurer<ISerializer>> after = static s => s.UseFormatters(WireFormat.Cbor, static contracts => contracts.AddAll(typeof(OrderPlaced).Assembly));
        using var first = new TestBus(network, "reading", reading);
        using var second = new TestBus(network, "after", after);
        foreach (var sender in new[] { before, reading, after })
        {
            using IBus bus = OneWay(network, sender);
            await bus.Advanced.Routing.Send("reading", OrderPlaced.Sample(1));
            await bus.Advanced.Routing.Send("after", OrderPlaced.Sample(2));
            await bus.Advanced.Routing.Send("after", new Note { Text = "no contract" });
            Assert.Equal(OrderPlaced.Sample(1).ToString(), (await first.Received.NextAsync()).Payload.ToString());
            (object Payload, Dictionary<string, string> Headers)[] received = [await second.Received.NextAsync(), await second.Received.NextAsync()];
            Assert.Equal("no contract", Assert.Single(received.Select(static one => one.Payload).OfType<Note>()).Text);
            var order = Assert.Single(received, static one => one.Payload is OrderPlaced);
            Assert.Equal(OrderPlaced.Sample(2).ToString(), order.Payload.ToString());
            Assert.Equal(sender == after ? "application/cbor" : "application/json;charset=utf-8", order.Headers[Headers.ContentType]);
        }
    }

    [Fact]
    public async Task TypesHaveFormattersOfTheirOwn_AndFormerNamesAreRead()
    {
        var network = new InMemNetwork();
        var readers = new FormatterRegistry(new XmlFormatter<Invoice>(), new CborFormatter<Invoice>());
        using var bus = new TestBus(network, "invoices", s => s.UseFormatters(WireFormat.MessagePack, contracts => contracts.Add<Invoice>(readers, "invoice", "Bill")));
        using (IBus before = OneWay(network, static s => s.UseFormatters(WireFormat.Cbor, static contracts => contracts.Add<Invoice>(name: "Bill"))))
            await before.Advanced.Routing.Send("invoices", new Invoice { Number = 1 });
        Assert.Equal(1, Assert.IsType<Invoice>((await bus.Received.NextAsync()).Payload).Number);
        await bus.Bus.Advanced.Routing.Send("invoices", new Invoice { Number = 2 });
        (object payload, Dictionary<string, string> headers) = await bus.Received.NextAsync();
        Assert.Equal(2, Assert.IsType<Invoice>(payload).Number);
        Assert.Equal(("text/xml", "invoice"), (headers[Headers.ContentType], headers["message_contract"]));
    }

    /// <summary>A body that cannot be read goes to the error queue at once and unchanged; after the cause is removed it can be returned.</summary>
    [Fact]
    public async Task MessagesThatCannotBeRead_AreInTheErrorQueue()
    {
        var network = new InMemNetwork();
        using var bus = new TestBus(network, "orders", static s => s.UseFormatters(WireFormat.MessagePack, static contracts => contracts.Add<OrderPlaced>()));
        byte[] good = MessageFormatter.Create<OrderPlaced>(WireFormat.MessagePack).Write(OrderPlaced.Sample(3));
        (string Contract, string ContentType, byte[] Body)[] bad =
        [
            ("order-placed", "application/x-msgpack", good[..^1]),
            ("order-placed", "application/x-msgpack", [0xC0]),
            ("order-placed", "application/x-msgpack", []),
            ("unknown", "application/x-msgpack", good),
            ("System.Diagnostics.Process, System.Diagnostics.Process", "application/x-msgpack", good),
            ("order-placed", "application/cbor", good),
        ];
        foreach (var (contract, contentType, body) in bad)
        {
            var headers = new Dictionary<string, string>
            {
                [Headers.MessageId] = Guid.NewGuid().ToString(), [Headers.ContentType] = contentType, ["message_contract"] = contract,
            };
            network.Deliver("orders", new InMemTransportMessage(new TransportMessage(headers, body)));
            InMemTransportMessage? error;
            while ((error = network.GetNextOrNull("error")) is null)
                await Task.Delay(10);
            Assert.Equal(body, error.Body);
            Assert.Equal(headers[Headers.MessageId], error.Headers[Headers.MessageId]);
            string details = error.Headers[Headers.ErrorDetails];
            Assert.Contains(nameof(MessageFormatException), details, StringComparison.Ordinal);
            // A body that can never be read is tried once.
            Assert.Equal(contract == "order-placed" && contentType == "application/x-msgpack", details.Contains("FailFastException", StringComparison.Ordinal));
        }

        Assert.True(bus.Received.IsEmpty);
        await bus.Bus.Advanced.Routing.Send("orders", OrderPlaced.Sample(4));
        Assert.Equal(OrderPlaced.Sample(4).ToString(), (await bus.Received.NextAsync()).Payload.ToString());
    }

    [Fact]
    public async Task PayloadsThatCannotBeWritten_FailTheSend()
    {
        var network = new InMemNetwork();
        using IBus sender = OneWay(network, static s => s.UseFormatters(WireFormat.Binary));
        await Assert.ThrowsAsync<MessageFormatException>(() => sender.Advanced.Routing.Send("orders", new OrderPlaced { Customer = null! }));
        Assert.Empty(network.GetMessages("orders"));
    }

    /// <summary>A header that was copied from another message does not make JSON a body of a formatter.</summary>
    [Fact]
    public async Task ACopiedContractName_IsRemovedFromOtherMessages()
    {
        var network = new InMemNetwork();
        using IBus sender = OneWay(network, static s => s.UseFormatters(WireFormat.Binary));
        await sender.Advanced.Routing.Send("notes", new Note { Text = "x" }, new Dictionary<string, string> { ["message_contract"] = "order-placed" });
        Assert.False(Assert.Single(network.GetMessages("notes")).Headers.ContainsKey("message_contract"));
    }

    /// <summary>A program with plain queues sends to a bus and receives from it, over RabbitMQ: before and after the bus uses formatters.</summary>
    [BrokerFact]
    public async Task PlainQueues_JoinTheBusOverRabbitMq()
    {
        string prefix = "fmt-rebus-" + Guid.NewGuid().ToString("N")[..8] + "-";
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<OrderPlaced>();
        await using var transport = new QueueTransport(prefix + "orders");
        await using QueueClient orders = await Broker.OpenAsync(prefix + "orders"), replies = await Broker.OpenAsync(prefix + "plain");
        try
        {
            foreach (bool usesFormatters in new[] { false, true })
            {
                using var bus = new TestBus(transport, s =>
                {
                    if (usesFormatters)
                        s.UseFormatters(new ContractRegistry(WireFormat.MessagePack).Add<OrderPlaced>());
                });
                QueueMessage message = usesFormatters ? RebusEnvelope.Create(contracts, OrderPlaced.Sample(5)) : RebusEnvelope.CreateJson(contracts, OrderPlaced.Sample(5));
                message.ResponseQueue = prefix + "plain";
                message.Headers["attempt"] = 3;
                await orders.SendAsync(message);
                (object payload, Dictionary<string, string> headers) = await bus.Received.NextAsync();
                Assert.Equal(OrderPlaced.Sample(5).ToString(), payload.ToString());
                Assert.Equal((message.MessageId, prefix + "plain", "3"), (headers[Headers.MessageId], headers[Headers.ReturnAddress], headers["attempt"]));

                await bus.Bus.Advanced.Routing.Send(prefix + "plain", OrderPlaced.Sample(6), new Dictionary<string, string> { ["tenant"] = "Ärzte" });
                ReceivedMessage? received = await replies.ReceiveAsync(TimeSpan.FromMinutes(2));
                Assert.Equal(OrderPlaced.Sample(6).ToString(), RebusEnvelope.Read(contracts, received!).ToString());
                Assert.Equal("Ärzte", received!.Headers["tenant"]);
                Assert.Equal(received.MessageId, received.Headers[Headers.MessageId]);
                Assert.Equal(usesFormatters, received.Headers.ContainsKey("message_contract"));
                await received.AcknowledgeAsync();
            }
        }
        finally
        {
            await Broker.DeleteAsync(prefix + "plain");
        }
    }

    [Fact]
    public void Envelopes_RejectWhatTheyCannotCarryOrRead()
    {
        var contracts = new ContractRegistry(WireFormat.MessagePack).Add<OrderPlaced>();
        Assert.Throws<ArgumentException>(() => RebusEnvelope.Create(contracts, new Note()));
        var binary = new QueueMessage { Headers = { ["key"] = new byte[] { 1 } } };
        Assert.Contains("key", Assert.Throws<ArgumentException>(() => binary.ToTransportMessage()).Message, StringComparison.Ordinal);
        AssertUnknown(new QueueMessage());
        AssertUnknown(new QueueMessage { Headers = { [Headers.Type] = "System.Diagnostics.Process, System.Diagnostics.Process" } });
        QueueMessage message = RebusEnvelope.CreateJson(contracts, OrderPlaced.Sample(1));
        message.Headers[Headers.ContentType] = "application/json;charset=utf-16";
        AssertUnknown(message);
        message.Headers[Headers.ContentType] = "application/json;charset=utf-8";
        message.Body.Bytes = new(Encoding.UTF8.GetBytes("""{"Id":"x"}"""));
        Assert.Equal("OrderPlaced.Id", Assert.Throws<MessageFormatException>(() => RebusEnvelope.Read(contracts, message)).MemberPath);

        void AssertUnknown(QueueMessage message) =>
            Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => RebusEnvelope.Read(contracts, message)).Code);
    }

    private static IBus OneWay(InMemNetwork network, Action<StandardConfigurer<ISerializer>> serialization) => Configure.With(new BuiltinHandlerActivator())
        .Logging(static l => l.None())
        .Transport(t => t.UseInMemoryTransportAsOneWayClient(network))
        .Serialization(serialization)
        .Start();

    /// <summary>An endpoint that collects its messages.</summary>
    private sealed class TestBus : IDisposable
    {
        private readonly BuiltinHandlerActivator _activator = new();

        internal TestBus(InMemNetwork network, string queue, Action<StandardConfigurer<ISerializer>> serialization)
            : this(t => t.UseInMemoryTransport(network, queue), serialization)
        {
        }

        internal TestBus(ITransport transport, Action<StandardConfigurer<ISerializer>> serialization)
            : this(t => t.Register(_ => transport), serialization)
        {
        }

        private TestBus(Action<StandardConfigurer<ITransport>> transport, Action<StandardConfigurer<ISerializer>> serialization)
        {
            _activator.Handle<object>((_, context, message) =>
            {
                Received.Add((message, context.Headers));
                return Task.CompletedTask;
            });
            Bus = Configure.With(_activator)
                .Logging(static l => l.None())
                .Transport(transport)
                .Serialization(serialization)
                .Options(static o => o.RetryStrategy(maxDeliveryAttempts: 2))
                .Start();
        }

        internal IBus Bus { get; }

        internal Received<(object Payload, Dictionary<string, string> Headers)> Received { get; } = new();

        public void Dispose() => _activator.Dispose();
    }
}
