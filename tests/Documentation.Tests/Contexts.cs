using System.Collections.Generic;
using Microsoft.CodeAnalysis;

namespace Documentation.Tests;

/// <summary>What the code of pages takes for granted: variables as fields, types, methods.</summary>
internal static class Contexts
{
    private static readonly Snippet None = new("");

    /// <summary>For the pages about queues.</summary>
    private const string Queues = """
        using Formatters.Orders; using Formatters.Queues; using Formatters.Queues.PostgreSql; using Formatters.Queues.RabbitMQ; using Npgsql; using System.Transactions;
        private FileQueueProvider folders = null!;
        private QueueConnector connector = null!;
        private QueueClient queue = null!;
        private QueueMessage[] messages = [];
        private MessageBody body = new();
        private System.Threading.CancellationToken stop;
        """;

    private static readonly Dictionary<string, Snippet> All = new()
    {
        ["docs/getting-started.md"] = Context("""
            [MessageContract] public partial class Trade
            {
                [MessageMember(1)] public int Number { get; set; }
                [MessageMember(2)] public string Symbol { get; set; } = "";
                [MessageMember(3)] public System.Collections.Generic.List<decimal> Prices { get; set; } = [];
            }
            """),
        ["docs/contracts.md"] = Context("""
            private Order order = new();
            [MessageContract(Formats = ContractFormats.Binary)] public partial class Order;
            public class Address;
            private byte[][] bodies = [];
            private MessageFormatter<Order> formatter = null!;
            private static void Handle(Order order) { }
            public class Box<T> { [MessageMember(1)] public T Value = default!; }
            """),
        ["docs/diagnostics/FMT002.md"] = Context("public class Box<T> { [MessageMember(1)] public T Value = default!; }"),
        ["docs/diagnostics/FMT003.md"] = Context("public class Address;"),
        ["docs/diagnostics/FMT004.md"] = Context("public class Shop { public class Address; } public class Crm { public class Address; }"),
        ["docs/diagnostics/FMT105.md"] = Context("public class LineItem;"),
        ["docs/diagnostics/FMT106.md"] = Context("public class Article;"),
        ["docs/diagnostics/FMT114.md"] = Context("[MessageContract] public partial class Address { [MessageMember(1)] public string City = \"\"; }"),
        ["docs/diagnostics/FMT120.md"] = Context("public class Dog : Animal; public class OtherAnimal : Animal; public abstract class Animal; [MessageContract(Formats = ContractFormats.Binary)] public partial class Zoo { public Animal? Star; }"),
        ["docs/diagnostics/FMT121.md"] = Context("[MessageContract(Formats = ContractFormats.Binary)] public partial class Drawing { public Shape? Shape; }"),
        ["docs/diagnostics/FMT122.md"] = Context("public class Circle : Shape; public class Square : Shape; [MessageContract(Formats = ContractFormats.Binary)] public partial class Drawing { public Shape? Shape; }"),
        ["docs/diagnostics/FMT123.md"] = Context("public abstract class Shape; public class Circle : Shape; [MessageContract(Formats = ContractFormats.Binary)] public partial class Drawing { public Shape? Shape; }"),
        ["docs/diagnostics/FMT124.md"] = Context("public partial class Base { }"),
        ["docs/diagnostics/FMT006.md"] = Context("using Formatters.Contracts;"),
        ["docs/diagnostics/FMT125.md"] = Context("using System.Runtime.Serialization;"),
        ["docs/diagnostics/FMT126.md"] = Context("using Formatters.Binary; public sealed class CentsCodec : BinaryCodec<decimal> { public override int MinByteCount => 8; public override void Write(ref BinaryBodyWriter writer, decimal value) { } public override decimal Read(ref BinaryBodyReader reader, decimal existing) => 0; }"),
        ["docs/diagnostics/FMT127.md"] = Context("using System.Runtime.Serialization;"),
        ["docs/diagnostics/FMT130.md"] = Context("using Formatters.LegacyBinary; public class Box<T> { [MessageMember(1)] public T Value = default!; }"),
        ["docs/diagnostics/FMT131.md"] = Context("using Formatters.LegacyBinary; public class Line;"),
        ["docs/diagnostics/FMT132.md"] = Context("using MessagePack; using ProtoBuf;"),
        ["docs/diagnostics/FMT133.md"] = Context("using MessagePack; using ProtoBuf;"),
        ["docs/diagnostics/FMT140.md"] = Context("using System.Xml.Serialization;"),
        ["docs/diagnostics/FMT141.md"] = Context("using System.Xml.Serialization;"),
        ["docs/diagnostics/FMT142.md"] = Context("using System.Collections.Immutable;"),
        ["docs/diagnostics/FMT301.md"] = Context("""
            using System.Runtime.Serialization.Formatters.Binary;
            using System.Messaging;
            [Serializable, MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public int CustomerID; }
            private Order order = null!;
            private Stream stream = null!;
            private MessageQueue queue = null!;
            private System.Buffers.IBufferWriter<byte> buffer = null!;
            """),
        ["docs/diagnostics/FMT302.md"] = Context("using System.Runtime.Serialization;"),
        ["docs/diagnostics/FMT303.md"] = Context("using System.Runtime.Serialization; using MessagePack;"),
        ["docs/diagnostics/FMT304.md"] = Context("using System.Runtime.Serialization; using ProtoBuf;"),
        ["docs/diagnostics/FMT305.md"] = Context("using System.Runtime.Serialization; using MemoryPack;"),
        ["docs/inspector.md"] = Context("using Formatters.Envelopes; using Formatters.Inspection; private KeyRing<SigningKey> signingKeys = null!; private KeyRing<EncryptionKey> encryptionKeys = null!; private Formatters.Queues.QueueMessage message = null!; private byte[] bytes = [];"),
        ["docs/streams.md"] = Context("""
            using System.IO.Pipelines;
            using Formatters.Orders;
            private Stream stream = null!;
            private Pipe pipe = null!;
            private Order order = null!;
            private Order[] orders = [];
            private System.Threading.CancellationToken cancellation;
            private static void Handle(Order order) { }
            """),
        ["docs/migration.md"] = Context("""
            using System.Messaging;
            using Formatters.Msmq;
            using QueueClient = Formatters.Queues.QueueClient;
            using QueueMessage = Formatters.Queues.QueueMessage;
            public class Order { private int m_number; public int Number { get; set; } }
            public class LineItem;
            public class Batch<T>;
            private Formatters.IMessageFormatter legacy = null!, contract = null!;
            private FormatterRegistry step1 = null!;
            private MessageQueue queue = null!, msmq = null!;
            private MessageQueueTransaction transaction = null!;
            private QueueClient rabbit = null!;
            private TimeSpan timeout;
            private static byte[] ReadAll(Stream stream) => [];
            """),
        ["docs/msmq-to-net10.md"] = Context("using System.Messaging; using MessageQueueTransaction = System.Messaging.MessageQueueTransaction; private static void Process(object body) { }"),
        ["docs/observability.md"] = Context("""
            using Formatters.Queues;
            private QueueConnector connector = null!;
            private Services services = null!;
            public class Services { public Services AddOpenTelemetry() => this; public Services WithTracing(Action<Source> build) => this; public Services WithMetrics(Action<Source> build) => this; }
            public class Source { public Source AddSource(string name) => this; public Source AddMeter(string name) => this; }
            """),
        ["docs/hosting.md"] = Context("""
            using System.Diagnostics; using System.Threading; using Formatters.Hosting; using Formatters.Hosting.Buses; using Formatters.Hosting.Testing; using Formatters.Queues.PostgreSql;
            using Formatters.Queues.RabbitMQ; using Microsoft.Extensions.DependencyInjection; using Microsoft.Extensions.Hosting; using Polly;
            private string[] args = [];
            private QueuesBuilder queues = null!;
            private IServiceCollection services = null!;
            private HostApplicationBuilder builder = null!;
            private Warehouse warehouse = null!;
            private ISender<OrderPlaced> requests = null!;
            private ResiliencePipeline pipeline = null!;
            private TimeProvider time = null!;
            public class Warehouse { public Task ShipAsync(int id, CancellationToken cancellationToken) => Task.CompletedTask; }
            public record OrderPlaced(int Id, string Customer);
            public record OrderCancelled(int Id);
            public record OrderStatus(int Id, string Text);
            public class OrderHandler : IMessageHandler<OrderPlaced> { public Task HandleAsync(OrderPlaced m, MessageContext c, CancellationToken t) => Task.CompletedTask; }
            public class CancellationHandler : IMessageHandler<OrderCancelled> { public Task HandleAsync(OrderCancelled m, MessageContext c, CancellationToken t) => Task.CompletedTask; }
            public class AuditMiddleware : IMessageMiddleware { public Task InvokeAsync(MessageContext context, MessageDelegate next) => next(context); }
            """),
        ["docs/queues.md"] = Context(Queues),
        ["docs/sending.md"] = Context(Queues),
        ["docs/folder.md"] = Context(Queues),
        ["docs/folder-and-postgresql.md"] = Context(Queues),
        ["docs/forwarder.md"] = Context(Queues),
        ["docs/selectors.md"] = Context("""
            using Formatters.Queues;
            private QueueConnector connector = null!;
            private QueueOptions options = null!;
            private QueueMessage message = null!;
            """),
        ["docs/wire/binary.md"] = Context("public abstract class Shape; public class Square : Shape;"),
        ["docs/wire/custom.md"] = Context("using System; using Formatters.Custom; using System.Buffers.Text; using OwnFormat; public class Order; private Order order = null!;"),
        ["docs/wire/envelopes.md"] = Context("using Formatters.Envelopes; using System.Collections.Generic; using System.Security.Cryptography; using Formatters.Orders; private Order order = null!; private byte[] secret = new byte[32]; private SigningKey first = null!, second = null!;"),
        ["docs/wire/json.md"] = Context("""
            using System.Text.Json;
            using System.Text.Json.Serialization.Metadata;
            public class Order;
            public class OrdersContext { public static OrdersContext Default = null!; public JsonTypeInfo<Order> Order = null!; }
            """),
        ["docs/wire/xml.md"] = Context("using System.Xml.Serialization; public class Line { public int Number; }"),
        ["src/Formatters.Msmq.Experimental/README.md"] = Context("""
            using Formatters.Orders;
            private Formatters.IMessageFormatter contract = null!;
            private LegacyBinaryFormatter<Order> legacy = null!;
            private MessageQueue queue = null!;
            private MessageQueueTransaction transaction = null!;
            """),
        ["src/Formatters.MessagePackCSharp/README.md"] = Context("""
            using MessagePack;
            using MessagePack.Resolvers;
            [MessagePackObject] public class Order;
            public class Invoice;
            private Order order = null!;
            """),
        ["src/Formatters.MemoryPack/README.md"] = Context("using MemoryPack; [MemoryPackable] public partial class Order; private Order order = null!;"),
        ["src/Formatters.ProtobufNet/README.md"] = Context("""
            using ProtoBuf;
            using ProtoBuf.Meta;
            [ProtoContract] public class Order;
            private Order order = null!;
            private byte[] patch = [];
            """),
        ["src/Formatters.Orders/README.md"] = Context("using Formatters.Orders;"),
        ["src/Formatters.Queues/README.md"] = Context("using Formatters.Orders; using Formatters.Queues; private Order order = null!; private static void Process(Order order) { }"),
        ["src/Formatters.Queues.PostgreSql/README.md"] = Context("""
            using Formatters.Orders;
            using Formatters.Queues;
            using Formatters.Queues.PostgreSql;
            using Npgsql;
            private NpgsqlConnection connection = null!;
            private Order order = null!;
            private HandCodedFormatter<Order> formatter = null!;
            private static Task InsertSaleAsync(NpgsqlTransaction transaction) => Task.CompletedTask;
            """),
        ["src/Formatters.Rebus/README.md"] = Context("""
            using Formatters.Hosting; using Formatters.Hosting.Buses; using Rebus.Activation; using Rebus.Bus; using Rebus.Config; using Rebus.Transport.InMem;
            private Warehouse warehouse = null!;
            public class Warehouse { public Task ShipAsync(int id) => Task.CompletedTask; }
            """),
        ["src/Formatters.MassTransit/README.md"] = Context("""
            using MassTransit; using Microsoft.Extensions.DependencyInjection; using Microsoft.Extensions.Hosting;
            private string[] args = [];
            public class Warehouse { public Task ShipAsync(int id) => Task.CompletedTask; }
            """),
        ["src/Formatters.Wolverine/README.md"] = Context("""
            using Microsoft.Extensions.Hosting; using Wolverine; using Wolverine.Transports.Tcp;
            private string[] args = [];
            public class Warehouse { public Task ShipAsync(int id) => Task.CompletedTask; }
            """),
        ["docs/buses.md"] = Context("""
            using System.Threading; using Formatters.Hosting; using Formatters.Hosting.Buses; using Formatters.MassTransit; using Formatters.Queues; using Formatters.Rebus; using Formatters.Wolverine;
            using MassTransit; using Microsoft.Extensions.DependencyInjection; using Microsoft.Extensions.Hosting; using Rebus.Activation; using Rebus.Bus; using Rebus.Config;
            using Rebus.Transport.InMem; using Wolverine; using Wolverine.RabbitMQ; using Wolverine.Transports.Tcp;
            private string[] args = [];
            private Warehouse warehouse = null!;
            private HostApplicationBuilder builder = null!;
            private QueueClient queue = null!;
            private TimeSpan timeout;
            public class Warehouse { public Task ShipAsync(int id) => Task.CompletedTask; }
            public class Invoice { public int Number { get; set; } }
            [MessageContract(Formats = ContractFormats.MessagePack)] public partial record OrderPlaced([property: MessageMember(1)] int Id, [property: MessageMember(2)] string Customer);
            """),
        ["src/Formatters.AspNetCore/README.md"] = Context("""
            using Microsoft.AspNetCore.Builder; using Microsoft.AspNetCore.Mvc; using Microsoft.Extensions.DependencyInjection;
            private string[] args = [];
            """),
        ["src/Formatters.SignalR/README.md"] = Context("""
            using Microsoft.AspNetCore.Builder; using Microsoft.AspNetCore.SignalR; using Microsoft.AspNetCore.SignalR.Client; using Microsoft.Extensions.DependencyInjection;
            private string[] args = [];
            [MessageContract(Formats = ContractFormats.MessagePack)] public partial record OrderPlaced(int Id, string Customer);
            """),
        ["src/Formatters.CloudEvents/README.md"] = Context("""
            using CloudNative.CloudEvents; using CloudNative.CloudEvents.SystemTextJson; using Formatters.CloudEvents; using Formatters.Hosting; using Formatters.Hosting.Buses; using Formatters.Queues;
            private QueueClient queue = null!;
            private TimeSpan timeout;
            [MessageContract(Formats = ContractFormats.MessagePack)] public partial record OrderPlaced([property: MessageMember(1)] int Id, [property: MessageMember(2)] string Customer);
            """),
        ["docs/integrations.md"] = Context("""
            using System.Buffers; using System.Diagnostics.CodeAnalysis; using CloudNative.CloudEvents; using CloudNative.CloudEvents.SystemTextJson; using Formatters.CloudEvents;
            using Formatters.Hosting; using Formatters.Hosting.Buses; using Formatters.Queues; using Microsoft.AspNetCore.Builder; using Microsoft.Extensions.Caching.Hybrid;
            using Microsoft.Extensions.DependencyInjection; using NATS.Client.Core; using StackExchange.Redis;
            private string[] args = [];
            private IServiceCollection services = null!;
            private IDatabase database = null!;
            private OrderPlaced order = null!;
            private MessageFormatter<OrderPlaced> formatter = null!;
            private QueueClient queue = null!;
            [MessageContract(Formats = ContractFormats.MessagePack)] public partial record OrderPlaced([property: MessageMember(1)] int Id, [property: MessageMember(2)] string Customer);
            public sealed class FormatterCacheSerializerFactory(WireFormat format) : IHybridCacheSerializerFactory
            {
                public bool TryCreateSerializer<T>([NotNullWhen(true)] out IHybridCacheSerializer<T>? serializer) { serializer = null; return format is null; }
            }
            public sealed class FormatterNatsRegistry(WireFormat format) : INatsSerializerRegistry
            {
                public INatsSerialize<T> GetSerializer<T>() => throw new Exception(format.Name);
                public INatsDeserialize<T> GetDeserializer<T>() => throw new Exception(format.Name);
            }
            """),
        ["docs/outbox.md"] = Context("""
            using System.Data.Common; using System.Threading; using Formatters.Hosting; using Formatters.Hosting.Buses; using Microsoft.EntityFrameworkCore;
            using Microsoft.Extensions.Configuration; using Microsoft.Extensions.DependencyInjection; using Microsoft.Extensions.Hosting; using Npgsql;
            private QueuesBuilder queues = null!;
            private HostApplicationBuilder builder = null!;
            private IOutbox outbox = null!;
            private NpgsqlDataSource dataSource = null!;
            private ShopContext context = null!;
            public record OrderPlaced(int Id);
            public record OrderShipped(int Id);
            public class Shipment { public int Id { get; set; } public int OrderId { get; set; } }
            public class ShippingHandler : IMessageHandler<OrderPlaced> { public Task HandleAsync(OrderPlaced m, MessageContext c, CancellationToken t) => Task.CompletedTask; }
            public class ShopContext(DbContextOptions<ShopContext> options) : DbContext(options) { public DbSet<Shipment> Shipments => Set<Shipment>(); }
            """),
        ["src/Formatters.Hosting.EntityFrameworkCore/README.md"] = Context("""
            using Formatters.Hosting; using Formatters.Hosting.Buses; using Microsoft.EntityFrameworkCore; using Microsoft.Extensions.DependencyInjection; using Microsoft.Extensions.Hosting;
            private HostApplicationBuilder builder = null!;
            private string connectionString = "";
            private ShopContext context = null!;
            private Order order = null!;
            public record OrderPlaced(int Id, string Customer);
            public class Order { public int Id { get; set; } public string Customer { get; set; } = ""; }
            public class ShopContext(DbContextOptions<ShopContext> options) : DbContext(options) { public DbSet<Order> Orders => Set<Order>(); }
            """),
        ["src/Formatters.Hosting/README.md"] = Context("""
            using System.Threading; using Formatters.Hosting; using Formatters.Hosting.Buses; using Microsoft.Extensions.DependencyInjection; using Microsoft.Extensions.Hosting;
            private string[] args = [];
            public class Warehouse { public Task ShipAsync(int id, CancellationToken cancellationToken) => Task.CompletedTask; }
            """),
        ["src/Formatters.Queues.RabbitMQ/README.md"] = Context("""
            using System.Net;
            using System.Security.Cryptography.X509Certificates;
            using Formatters.Orders;
            using Formatters.Queues;
            using Formatters.Queues.RabbitMQ;
            private Order order = null!;
            private HandCodedFormatter<Order> formatter = null!;
            """),
        ["src/Formatters.Msmq/README.md"] = Context("""
            using System.Messaging;
            using Formatters.Orders;
            private Order order = null!;
            private Formatters.IMessageFormatter legacy = null!, contract = null!;
            private MessageQueue queue = null!, errors = null!;
            private MessageQueueTransaction transaction = null!;
            """),
    };

    /// <summary>The contracts of before, for FMT201, which compares.</summary>
    private const string Schema = """
        { "version": 1, "records": [ { "name": "Order", "format": "versioned", "members": [ { "name": "CustomerID", "number": 1, "type": "int32" } ] } ] }
        """;

    /// <summary>The pages that take something for granted.</summary>
    internal static IEnumerable<string> Pages => All.Keys;

    internal static Snippet Of(string page) => All.TryGetValue(page, out Snippet? context) ? context : None;

    internal static string? SchemaOf(string page) => page == "docs/diagnostics/FMT201.md" ? Schema : null;

    private static Snippet Context(string code) => new(code, SourceCodeKind.Script);
}
