using System.Security.Cryptography;
using Formatters.Bench.Peers;
using Formatters.Bench.Rows;
using Formatters.Benchmarks.Peers;
using Formatters.Contracts;
using Formatters.Envelopes;

namespace Formatters.Benchmarks.Rows;

/// <param name="Name">The name in tables and on the command line.</param>
/// <param name="RowFormat">The form of its bodies.</param>
/// <param name="Create">Makes the row; <see cref="Row.Prepare"/> follows.</param>
internal sealed record RowEntry(string Name, RowFormat RowFormat, Func<Row> Create)
{
    /// <summary>Whether the row is an envelope around the bodies of another one.</summary>
    public bool IsEnvelope => RowFormat is RowFormat.Envelope or RowFormat.RandomEnvelope;

    /// <summary>Makes the row over orders.</summary>
    /// <param name="orders">The orders.</param>
    /// <param name="segmentByteCount">The length of the segments in which bodies are read; 0 for whole bodies.</param>
    public Row Prepare(IReadOnlyList<OrderWithList> orders, int segmentByteCount = 0)
    {
        Row row = Create();
        row.SegmentByteCount = segmentByteCount;
        row.Prepare(orders);
        return row;
    }
}

/// <summary>Every row, in the order of the tables. A new formatter is one line here, a new peer one line in <see cref="Peer.All"/>: benchmarks,
/// ratios and tests take them from this list.</summary>
internal static class RowCatalog
{
    /// <summary>The name of the row that the others are divided by.</summary>
    public const string Baseline = "BinaryWriter";

    /// <summary>The formats in which members have numbers and records no table of them.</summary>
    private static IEnumerable<WireFormat> Numbered =>
        WireFormat.All.Where(static format =>
            format.DefaultOptions is ContractOptions && format != WireFormat.Binary && format != WireFormat.Versioned);

    private static IEnumerable<WireFormat> Traversed => Numbered.Where(static format => format.DefaultOptions is TraversalOptions);

    public static IReadOnlyList<RowEntry> All { get; } =
    [
        new(Baseline, RowFormat.Binary, static () => new BinaryWriterRow()),
        new("hand-coded", RowFormat.Binary, static () => new FormatterRow(new HandCodedFormatter<OrderWithList>(), overwrites: true)),
        new("generated binary", RowFormat.Binary, static () => new GeneratedRow(BinaryBodyFormatter.Create<GeneratedOrder>())),
        new("generated versioned", RowFormat.VersionedBinary, static () => new GeneratedRow(VersionedFormatter.Create<GeneratedOrder>())),
        new("generated MessagePack", RowFormat.MessagePack, static () => new GeneratedRow(MessagePackFormatter.Create<GeneratedOrder>())),
        new("generated MessagePack map", RowFormat.MessagePackMap,
            static () => new FormatterRow(new MessagePackFormatter<OrderWithList>(NamedOrderContract.Order), overwrites: true)),
        .. Numbered.Where(static format => format != WireFormat.MessagePack).Select(static format => new RowEntry(
            "generated " + format.DisplayName, RowFormatOf(format),
            () => new GeneratedRow(MessageFormatter.Create(GeneratedOrder.MessageContract, format)))),
        new("reflection", RowFormat.Binary,
            static () =>
                new FormatterRow(new BinaryBodyFormatter<OrderWithList>(BinaryBodyOptions.Default with { UseOwnBodies = false }), overwrites: true)),
        .. Traversed.SelectMany(static format => ByReflection(format)),
        new("legacy binary", RowFormat.LegacyBinary, static () => new FormatterRow(new LegacyBinaryFormatter<OrderWithList>())),
        new("legacy binary generated", RowFormat.LegacyBinary, static () => new GeneratedRow(
            new LegacyBinaryFormatter<GeneratedOrder>(GeneratedOrder.LegacyBinaryContract), overwrites: false)),
        new("XML", RowFormat.Xml, static () => new FormatterRow(new XmlFormatter<OrderWithList>())),
        new("generated XML", RowFormat.Xml, static () => new FormatterRow(new XmlFormatter<OrderWithList>(NamedOrderContract.Order))),
        new("generated XML compact", RowFormat.Xml,
            static () =>
                new FormatterRow(new XmlFormatter<OrderWithList>(NamedOrderContract.Order, new XmlOptions { Style = XmlBodyStyle.Compact }))),
        new("JSON", RowFormat.Json, static () => new FormatterRow(new JsonFormatter<OrderWithList>(OrderJson.Default.OrderWithList))),
        new("signed HMAC", RowFormat.Envelope, static () => new FormatterRow(
            new SignedFormatter<OrderWithList>(HandCoded, SigningKey.HmacSha256("k", new byte[32])), overwrites: true)),
        new("signed ECDSA", RowFormat.RandomEnvelope,
            static () => new FormatterRow(new SignedFormatter<OrderWithList>(HandCoded, CreateEcdsaKey()), overwrites: true)),
        new("encrypted", RowFormat.RandomEnvelope, static () => new FormatterRow(
            new EncryptedFormatter<OrderWithList>(HandCoded, EncryptionKey.AesGcm("k", new byte[32])), overwrites: true)),
        new("compressed Brotli", RowFormat.Envelope,
            static () => new FormatterRow(new CompressedFormatter<OrderWithList>(HandCoded), overwrites: true)),
        new("compressed Deflate", RowFormat.Envelope, static () => new FormatterRow(
            new CompressedFormatter<OrderWithList>(HandCoded, new CompressionOptions { Algorithm = CompressionAlgorithm.Deflate }),
                overwrites: true)),
        .. Peer.All.Select(static peer => new RowEntry(peer.Name, peer.Format, () => CreatePeerRow(peer))),
        new("System.Formats.Cbor", RowFormat.Cbor, static () => new SystemFormatsCborRow()),
        new("Newtonsoft.Json", RowFormat.Json, static () => new NewtonsoftJsonRow()),
        new("DataContractSerializer binary XML", RowFormat.BinaryXml, static () => new DataContractBinaryXmlRow()),
        new("XmlSerializer", RowFormat.Xml, static () => new XmlSerializerRow()),
        new("BinaryFormatter", RowFormat.LegacyBinary, static () => new BinaryFormatterRow()),
    ];

    /// <summary>The rows of the formatters themselves, without envelopes around them.</summary>
    public static IReadOnlyList<RowEntry> Formatters { get; } = [.. All.Where(static row => !row.IsEnvelope)];

    /// <summary>The rows of envelopes around the bodies of <c>hand-coded</c>.</summary>
    public static IReadOnlyList<RowEntry> Envelopes { get; } = [.. All.Where(static row => row.IsEnvelope)];

    /// <summary>The names of all rows, for messages.</summary>
    public static string Names => string.Join(", ", All.Select(static row => row.Name));

    public static RowEntry? Find(string name) => All.FirstOrDefault(row => row.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>Chooses rows by their names, in any case.</summary>
    /// <param name="names">The names; none means all.</param>
    /// <returns>The rows in the order of the tables, each once.</returns>
    public static IReadOnlyList<RowEntry> Select(IReadOnlyCollection<string> names) =>
        names.Count == 0 ? All : All.Where(row => names.Contains(row.Name, StringComparer.OrdinalIgnoreCase)).ToArray();

    // The order is declared with nullable annotations.
    private static IEnumerable<RowEntry> ByReflection(WireFormat format)
    {
        yield return new RowEntry("reflection " + format.DisplayName, RowFormatOf(format), () => new GeneratedRow(
            MessageFormatter.Create<GeneratedOrder>(format, (ContractOptions)format.DefaultOptions with { UseGeneratedContract = false })));
        if (format == WireFormat.MessagePack)
            yield return new RowEntry("reflection MessagePack map", RowFormat.MessagePackMap,
                static () => new FormatterRow(new MessagePackFormatter<OrderWithList>(), overwrites: true));
    }

    private static RowFormat RowFormatOf(WireFormat format) =>
        Enum.TryParse(format.ContractFormat.ToString(), out RowFormat known) ? known : RowFormat.Contract;

    private static Row CreatePeerRow(Peer peer)
    {
        OrderFormatterRow row = peer.CreateRow();
        return (Row)Activator.CreateInstance(typeof(PeerRow<>).MakeGenericType(row.GetType().GetGenericArguments()), peer, row)!;
    }

    private static HandCodedFormatter<OrderWithList> HandCoded => new();

    private static SigningKey CreateEcdsaKey()
    {
        using ECDsa pair = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return SigningKey.EcdsaP256("k", pair.ExportParameters(includePrivateParameters: true));
    }
}
