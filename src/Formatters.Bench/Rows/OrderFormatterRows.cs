#if NET
using Formatters.Bench.Peers;
#endif
using Formatters.Contracts;
using Formatters.Orders;

namespace Formatters.Bench.Rows;

/// <summary>The formatters under comparison, in the order of the tables: the one catalogue of all verbs, and of the benchmarks over queues. A new
/// formatter is one line here, a new peer one line in Peer.All.</summary>
internal static class OrderFormatterRows
{
    internal const string HandCoded = "hand-coded";
    internal const string ClassicBinaryWriter = "BinaryWriter";
    internal const string Bridge = "bridge";
    internal const string PersistStream = "persist stream";
    internal const string Reflection = "reflection";
    internal const string Xml = "XML";
    internal const string Generated = "generated";
    internal const string Versioned = "versioned";
    internal const string MessagePack = "MessagePack";
    internal const string MessagePackMap = "MessagePack map";
    internal const string Protobuf = "protobuf";
    internal const string GeneratedXml = "generated XML";
    internal const string Json = "JSON";
    internal const string LegacyBinary = "legacy binary";
    internal const string Legacy = "BinaryFormatter";

    /// <summary>All rows. The formatters are made anew by each call.</summary>
    /// <param name="libraries">Rows of the user's formatters, which come last.</param>
    internal static IReadOnlyList<OrderFormatterRow> Create(IReadOnlyList<OrderFormatterRow>? libraries = null) =>
    [
        new(HandCoded, "Save and Load over this library's binary writer and reader", new HandCodedFormatter<Order>()),
        new(
            ClassicBinaryWriter,
            "the study's Save and Load over System.IO.BinaryWriter and BinaryReader",
            new ClassicBinaryFormatter<Order>(static (order, writer) => order.Save(writer), static reader =>
            {
                var order = new Order();
                order.Load(reader);
                return order;
            })),
        new(
            Bridge,
            "the same Save and Load, unchanged, through this library's BinaryWriterFormatter",
            BinaryWriterFormatter.Create<Order>(static (order, writer) => order.Save(writer), static (order, reader) => order.Load(reader))),
        new(
            PersistStream,
            "an object that persists itself, as COM's IPersistStream: the id of its class, and what Save and Load write",
            new PersistStreamFormatter<Order>(new Guid("9d6a1c54-6c0e-4f7b-8a43-51d1f7a2c0de"), new HandCodedFormatter<Order>())),
        new(
            Reflection,
            "a contract found by reflection and compiled once, without the types' Save and Load; the same bytes",
            new BinaryBodyFormatter<Order>(BinaryBodyOptions.Default with { UseOwnBodies = false })),
#if NET
        OfGenerated(
            Generated, "the binary format by code of the generator: no Save and Load in the type", BinaryBodyFormatter.Create<GeneratedOrder>()),
        OfGenerated(Versioned, "the versioned binary format, generated", VersionedFormatter.Create<GeneratedOrder>()),
        OfGenerated(MessagePack, "MessagePack by numbers, generated", MessagePackFormatter.Create<GeneratedOrder>()),
        OfList(MessagePackMap, "MessagePack by names, generated", new MessagePackFormatter<OrderWithList>(NamedOrderContract.Order)),
        .. WireFormat.All.Where(static format => format.DefaultOptions is TraversalOptions && format != WireFormat.MessagePack)
            .Select(static format => OfGenerated(
                format.DisplayName, $"{(format == WireFormat.Compact ? "the compact format" : format.DisplayName)} by numbers, generated",
                MessageFormatter.Create(GeneratedOrder.MessageContract, format))),
        OfGenerated(Protobuf, "protobuf, generated", ProtobufFormatter.Create<GeneratedOrder>()),
        OfList(GeneratedXml, "the same XML by code of the generator", new XmlFormatter<OrderWithList>(NamedOrderContract.Order)),
#endif
        new(Xml, "XmlSerializer, as System.Messaging's XmlMessageFormatter", new XmlFormatter<Order>()),
#if NET
        OfList(Json, "System.Text.Json, source-generated", new JsonFormatter<OrderWithList>(OrderJson.Default.OrderWithList)),
#endif
        OfList(
            LegacyBinary, "this library's LegacyBinaryFormatter: the bytes of BinaryFormatter without it",
            new LegacyBinaryFormatter<OrderWithList>()),
        new(Legacy, "System.Runtime.Serialization.Formatters.Binary, the study's .NET Binary", new SystemBinaryFormatter<Order>(OrderTypes)),
#if NET
        .. Peer.All.Select(static peer => peer.CreateRow()),
#endif
        .. libraries ?? [],
    ];

    /// <summary>The types a body of an order may name, for the legacy row.</summary>
    internal static IReadOnlyList<Type> OrderTypes { get; } =
        [typeof(Order), typeof(Address), typeof(LineItem), typeof(System.Collections.ArrayList)];

    private static ConvertedOrderRow<OrderWithList> OfList(string name, string description, MessageFormatter<OrderWithList> formatter) =>
        new(name, description, formatter, OrderWithList.From, static order => order.ToOrder(), static order => order.Date.Ticks);

#if NET
    private static ConvertedOrderRow<GeneratedOrder> OfGenerated(string name, string description, MessageFormatter<GeneratedOrder> formatter) =>
        new(name, description, formatter, static order => GeneratedOrder.From(OrderWithList.From(order)), static order => order.ToOrder().ToOrder(),
            static order => order.Date.Ticks);
#endif

    /// <summary>Chooses rows by name.</summary>
    /// <param name="names">The names, in any case; none means all.</param>
    /// <returns>The rows in the order of the tables, each once.</returns>
    /// <exception cref="UsageException">A name is no row's.</exception>
    internal static IReadOnlyList<OrderFormatterRow> Select(IReadOnlyCollection<string> names, IReadOnlyList<OrderFormatterRow>? libraries = null)
    {
        IReadOnlyList<OrderFormatterRow> all = Create(libraries);
        foreach (string name in names)
        {
            if (!all.Any(row => row.Name.Equals(name, StringComparison.OrdinalIgnoreCase)))
                throw new UsageException($"There is no formatter '{name}'. The formatters are: {string.Join(", ", all.Select(row => row.Name))}.");
        }

        return names.Count == 0 ? all : [.. all.Where(row => names.Contains(row.Name, StringComparer.OrdinalIgnoreCase))];
    }
}
