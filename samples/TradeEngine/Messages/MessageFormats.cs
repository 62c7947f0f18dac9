using System.Buffers;

namespace Formatters.TradeEngine.Messages;

/// <summary>The formatters of all messages in one wire format.</summary>
internal sealed class MessageFormats
{
    private static readonly XmlOptions CompactXml = new() { Style = XmlBodyStyle.Compact };

    private static readonly XmlOptions CompactXmlSerializer = new() { Style = XmlBodyStyle.Compact, UseGeneratedContract = false };

    private static readonly Lazy<MessageFormats> LazyXmlSerializer = new(() => new(
        "xml-serializer", new XmlFormatter<NoticeOfExecution>(CompactXmlSerializer), new XmlFormatter<AllocationMessage>(CompactXmlSerializer),
        new XmlFormatter<NetProceedsMessage>(CompactXmlSerializer), new XmlFormatter<SettlementMessage>(CompactXmlSerializer),
        new XmlFormatter<ClearingMessage>(CompactXmlSerializer), new XmlFormatter<ReplyMessage>(CompactXmlSerializer)));

    private MessageFormats(
        string name,
        MessageFormatter<NoticeOfExecution> notices,
        MessageFormatter<AllocationMessage> allocations,
        MessageFormatter<NetProceedsMessage> proceeds,
        MessageFormatter<SettlementMessage> settlements,
        MessageFormatter<ClearingMessage> clearings,
        MessageFormatter<ReplyMessage> replies)
    {
        Name = name;
        Notices = notices;
        Allocations = allocations;
        Proceeds = proceeds;
        Settlements = settlements;
        Clearings = clearings;
        Replies = replies;
    }

    /// <summary>The name of the format on the command line.</summary>
    internal string Name { get; }

    internal MessageFormatter<NoticeOfExecution> Notices { get; }
    internal MessageFormatter<AllocationMessage> Allocations { get; }
    internal MessageFormatter<NetProceedsMessage> Proceeds { get; }
    internal MessageFormatter<SettlementMessage> Settlements { get; }
    internal MessageFormatter<ClearingMessage> Clearings { get; }
    internal MessageFormatter<ReplyMessage> Replies { get; }
    internal string ContentType => Notices.ContentType;
    internal int BodyType => Notices.BodyType;

    /// <summary>XML by generated code: what the study sent, and the default.</summary>
    internal static MessageFormats Xml { get; } = new(
        "xml", XmlFormatter.Create<NoticeOfExecution>(CompactXml), XmlFormatter.Create<AllocationMessage>(CompactXml),
        XmlFormatter.Create<NetProceedsMessage>(CompactXml), XmlFormatter.Create<SettlementMessage>(CompactXml),
        XmlFormatter.Create<ClearingMessage>(CompactXml), XmlFormatter.Create<ReplyMessage>(CompactXml));

    /// <summary>The same XML by XmlSerializer: made when it is first asked for, which takes a while. Only to be measured.</summary>
    internal static MessageFormats XmlSerializer => LazyXmlSerializer.Value;

    internal static MessageFormats Binary { get; } = new(
        "binary", BinaryBodyFormatter.Create<NoticeOfExecution>(), BinaryBodyFormatter.Create<AllocationMessage>(),
        BinaryBodyFormatter.Create<NetProceedsMessage>(),
        BinaryBodyFormatter.Create<SettlementMessage>(), BinaryBodyFormatter.Create<ClearingMessage>(), BinaryBodyFormatter.Create<ReplyMessage>());

    internal static MessageFormats Versioned { get; } = new(
        "versioned", VersionedFormatter.Create<NoticeOfExecution>(), VersionedFormatter.Create<AllocationMessage>(),
            VersionedFormatter.Create<NetProceedsMessage>(),
        VersionedFormatter.Create<SettlementMessage>(), VersionedFormatter.Create<ClearingMessage>(), VersionedFormatter.Create<ReplyMessage>());

    internal static MessageFormats MessagePack { get; } = new(
        "messagepack", MessagePackFormatter.Create<NoticeOfExecution>(), MessagePackFormatter.Create<AllocationMessage>(),
            MessagePackFormatter.Create<NetProceedsMessage>(),
        MessagePackFormatter.Create<SettlementMessage>(), MessagePackFormatter.Create<ClearingMessage>(),
            MessagePackFormatter.Create<ReplyMessage>());

    internal static MessageFormats Cbor { get; } = new(
        "cbor", CborFormatter.Create<NoticeOfExecution>(), CborFormatter.Create<AllocationMessage>(), CborFormatter.Create<NetProceedsMessage>(),
        CborFormatter.Create<SettlementMessage>(), CborFormatter.Create<ClearingMessage>(), CborFormatter.Create<ReplyMessage>());

    internal static MessageFormats Compact { get; } = new(
        "compact", CompactFormatter.Create<NoticeOfExecution>(), CompactFormatter.Create<AllocationMessage>(),
        CompactFormatter.Create<NetProceedsMessage>(),
        CompactFormatter.Create<SettlementMessage>(), CompactFormatter.Create<ClearingMessage>(), CompactFormatter.Create<ReplyMessage>());

    internal static MessageFormats Protobuf { get; } = new(
        "protobuf", ProtobufFormatter.Create<NoticeOfExecution>(), ProtobufFormatter.Create<AllocationMessage>(),
            ProtobufFormatter.Create<NetProceedsMessage>(),
        ProtobufFormatter.Create<SettlementMessage>(), ProtobufFormatter.Create<ClearingMessage>(), ProtobufFormatter.Create<ReplyMessage>());

    internal static MessageFormats Json { get; } = new(
        "json", new JsonFormatter<NoticeOfExecution>(MessageJson.Default.NoticeOfExecution),
            new JsonFormatter<AllocationMessage>(MessageJson.Default.AllocationMessage),
        new JsonFormatter<NetProceedsMessage>(MessageJson.Default.NetProceedsMessage),
            new JsonFormatter<SettlementMessage>(MessageJson.Default.SettlementMessage),
        new JsonFormatter<ClearingMessage>(MessageJson.Default.ClearingMessage), new JsonFormatter<ReplyMessage>(MessageJson.Default.ReplyMessage));

    /// <summary>All formats, the default first.</summary>
    internal static IReadOnlyList<MessageFormats> All { get; } = [Xml, Binary, Versioned, MessagePack, Cbor, Compact, Protobuf, Json];

    internal static MessageFormats? Find(string name) => All.FirstOrDefault(format => format.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>Writes the body of a message.</summary>
    internal void Write(IBufferWriter<byte> destination, TradeMessage message)
    {
        switch (message)
        {
            case NoticeOfExecution notice:
                Notices.Write(destination, notice);
                break;
            case AllocationMessage allocation:
                Allocations.Write(destination, allocation);
                break;
            case NetProceedsMessage proceeds:
                Proceeds.Write(destination, proceeds);
                break;
            case SettlementMessage settlement:
                Settlements.Write(destination, settlement);
                break;
            default:
                throw new ArgumentException($"{message.GetType().Name} is not a message that the engine takes in.", nameof(message));
        }
    }

    /// <summary>Makes what a component reads bodies with. Not for several threads: it fills the objects of the message before.</summary>
    internal IMessageReading CreateReading(MessageType type) => type switch
    {
        MessageType.NoticeOfExecution => new MessageReading<NoticeOfExecution>(Notices),
        MessageType.Allocation => new MessageReading<AllocationMessage>(Allocations),
        MessageType.NetProceeds => new MessageReading<NetProceedsMessage>(Proceeds),
        MessageType.Settlement => new MessageReading<SettlementMessage>(Settlements),
        _ => throw new ArgumentOutOfRangeException(nameof(type), type, "Not a type that the engine takes in."),
    };
}

/// <summary>Reads the bodies of one type.</summary>
internal interface IMessageReading
{
    /// <returns>The message; it is filled again by the next call.</returns>
    /// <exception cref="MessageFormatException">The body is bad.</exception>
    TradeMessage Read(ReadOnlySpan<byte> body);
}

/// <summary>Reads each body into the objects of the one before.</summary>
internal sealed class MessageReading<T>(MessageFormatter<T> formatter) : IMessageReading
    where T : TradeMessage
{
    private T? _message;

    public TradeMessage Read(ReadOnlySpan<byte> body)
    {
        formatter.ReadOrClear(body, ref _message);
        return _message;
    }
}
