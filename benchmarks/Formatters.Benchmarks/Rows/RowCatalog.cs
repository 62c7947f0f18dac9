using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using Formatters.Bench.Rows;
using Formatters.Benchmarks.Peers;
#if MEMORYPACK || MESSAGEPACK || PROTOBUFNET
using Formatters.Benchmarks.Peers.Optional;
#endif
using Formatters.Orders;

namespace Formatters.Benchmarks.Rows;

/// <summary>A row by name.</summary>
/// <param name="Name">The name in tables and on the command line.</param>
/// <param name="WireFormat">The form of its bodies.</param>
/// <param name="Create">Makes the row; <see cref="Row.Prepare"/> follows.</param>
internal sealed record RowEntry(string Name, WireFormat WireFormat, Func<Row> Create)
{
    /// <summary>Whether the row is an envelope around the bodies of another one.</summary>
    public bool IsEnvelope => WireFormat is WireFormat.Envelope or WireFormat.RandomEnvelope;

    /// <summary>Makes the row over orders.</summary>
    public Row Prepare(IReadOnlyList<OrderWithList> orders)
    {
        Row row = Create();
        row.Prepare(orders);
        return row;
    }
}

/// <summary>Every row, in the order of the tables. A new formatter is one line here: benchmarks, ratios and tests take it from this list.</summary>
internal static class RowCatalog
{
    /// <summary>The name of the row that the others are divided by.</summary>
    public const string Baseline = "BinaryWriter";

    public static IReadOnlyList<RowEntry> All { get; } =
    [
        new(Baseline, WireFormat.Binary, static () => new BinaryWriterRow()),
        new("hand-coded", WireFormat.Binary, static () => new FormatterRow(new HandCodedFormatter<OrderWithList>(), overwrites: true)),
        new("generated binary", WireFormat.Binary, static () => new GeneratedRow(ContractFormatter.Create<GeneratedOrder>())),
        new("generated versioned", WireFormat.VersionedBinary, static () => new GeneratedRow(VersionedFormatter.Create<GeneratedOrder>())),
        new("generated MessagePack", WireFormat.MessagePack, static () => new GeneratedRow(MessagePackFormatter.Create<GeneratedOrder>())),
        new("generated MessagePack map", WireFormat.MessagePackMap, static () => new FormatterRow(new MessagePackFormatter<OrderWithList>(NamedOrderContract.MessagePackOrder), overwrites: true)),
        new("generated CBOR", WireFormat.Cbor, static () => new GeneratedRow(CborFormatter.Create<GeneratedOrder>())),
        new("generated compact", WireFormat.Compact, static () => new GeneratedRow(CompactFormatter.Create<GeneratedOrder>())),
        new("generated protobuf", WireFormat.Protobuf, static () => new GeneratedRow(ProtobufFormatter.Create<GeneratedOrder>())),
        new("reflection", WireFormat.Binary, static () => new FormatterRow(new ReflectionFormatter<OrderWithList>(options: ReflectionOptions.Default with { UseOwnBodies = false }), overwrites: true)),
        // Under these options no generated contract is used; the order is declared in code with nullable annotations, so that they change nothing else.
        new("reflection MessagePack", WireFormat.MessagePack, static () => new GeneratedRow(new MessagePackFormatter<GeneratedOrder>(options: MessagePackOptions.Default with { UnannotatedAllowsNull = true }))),
        new("reflection MessagePack map", WireFormat.MessagePackMap, static () => new FormatterRow(new MessagePackFormatter<OrderWithList>(), overwrites: true)),
        new("reflection CBOR", WireFormat.Cbor, static () => new GeneratedRow(new CborFormatter<GeneratedOrder>(options: CborOptions.Default with { UnannotatedAllowsNull = true }))),
        new("reflection compact", WireFormat.Compact, static () => new GeneratedRow(new CompactFormatter<GeneratedOrder>(options: CompactOptions.Default with { UnannotatedAllowsNull = true }))),
        new("legacy binary", WireFormat.LegacyBinary, static () => new FormatterRow(new LegacyBinaryFormatter<OrderWithList>())),
        new("legacy binary generated", WireFormat.LegacyBinary, static () => new GeneratedRow(
            new LegacyBinaryFormatter<GeneratedOrder>(GeneratedOrder.LegacyBinaryContract), overwrites: false)),
        new("XML", WireFormat.Xml, static () => new FormatterRow(new XmlFormatter<OrderWithList>())),
        new("generated XML", WireFormat.Xml, static () => new FormatterRow(new XmlFormatter<OrderWithList>(NamedOrderContract.XmlOrder))),
        new("generated XML compact", WireFormat.Xml, static () => new FormatterRow(new XmlFormatter<OrderWithList>(NamedOrderContract.XmlOrder, XmlBodyStyle.Compact))),
        new("JSON", WireFormat.Json, static () => new FormatterRow(new JsonFormatter<OrderWithList>(OrderJsonContext.Default.OrderWithList))),
        new("signed HMAC", WireFormat.Envelope, static () => new FormatterRow(
            new SignedFormatter<OrderWithList>(HandCoded, SigningKey.HmacSha256("k", new byte[32])), overwrites: true)),
        new("signed ECDSA", WireFormat.RandomEnvelope, static () => new FormatterRow(new SignedFormatter<OrderWithList>(HandCoded, CreateEcdsaKey()), overwrites: true)),
        new("encrypted", WireFormat.RandomEnvelope, static () => new FormatterRow(
            new EncryptedFormatter<OrderWithList>(HandCoded, EncryptionKey.AesGcm("k", new byte[32])), overwrites: true)),
        new("compressed Brotli", WireFormat.Envelope, static () => new FormatterRow(new CompressedFormatter<OrderWithList>(HandCoded), overwrites: true)),
        new("compressed Deflate", WireFormat.Envelope, static () => new FormatterRow(
            new CompressedFormatter<OrderWithList>(HandCoded, new CompressionOptions { Algorithm = CompressionAlgorithm.Deflate }), overwrites: true)),
        new("Google.Protobuf", WireFormat.Protobuf, static () => new GoogleProtobufRow()),
#if MEMORYPACK
        new("MemoryPack UTF-8", WireFormat.MemoryPack, static () => new MemoryPackRow(global::MemoryPack.MemoryPackSerializerOptions.Utf8)),
        new("MemoryPack UTF-16", WireFormat.MemoryPack, static () => new MemoryPackRow(global::MemoryPack.MemoryPackSerializerOptions.Utf16)),
#endif
#if MESSAGEPACK
        new("MessagePack-CSharp", WireFormat.MessagePack, static () => new MessagePackRow()),
#endif
#if PROTOBUFNET
        new("protobuf-net", WireFormat.Protobuf, static () => new ProtobufNetRow()),
#endif
        new("System.Text.Json source-generated", WireFormat.Json, static () => new SystemTextJsonRow()),
        new("Newtonsoft.Json", WireFormat.Json, static () => new NewtonsoftJsonRow()),
        new("DataContractSerializer binary XML", WireFormat.BinaryXml, static () => new DataContractBinaryXmlRow()),
        new("XmlSerializer", WireFormat.Xml, static () => new XmlSerializerRow()),
        new("BinaryFormatter", WireFormat.LegacyBinary, static () => new BinaryFormatterRow()),
    ];

    /// <summary>The rows of the formatters themselves, without envelopes around them.</summary>
    public static IReadOnlyList<RowEntry> Formatters { get; } = [.. All.Where(static row => !row.IsEnvelope)];

    /// <summary>The rows of envelopes around the bodies of <c>hand-coded</c>.</summary>
    public static IReadOnlyList<RowEntry> Envelopes { get; } = [.. All.Where(static row => row.IsEnvelope)];

    /// <summary>The names of all rows, for messages.</summary>
    public static string Names => string.Join(", ", All.Select(static row => row.Name));

    /// <summary>Finds a row by its name, in any case.</summary>
    /// <returns>Null if there is none.</returns>
    public static RowEntry? Find(string name) => All.FirstOrDefault(row => row.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>Chooses rows by their names, in any case.</summary>
    /// <param name="names">The names; none means all.</param>
    /// <returns>The rows in the order of the tables, each once.</returns>
    public static IReadOnlyList<RowEntry> Select(IReadOnlyCollection<string> names) =>
        names.Count == 0 ? All : All.Where(row => names.Contains(row.Name, StringComparer.OrdinalIgnoreCase)).ToArray();

    private static HandCodedFormatter<OrderWithList> HandCoded => new();

    private static SigningKey CreateEcdsaKey()
    {
        using ECDsa pair = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return SigningKey.EcdsaP256("k", pair.ExportParameters(includePrivateParameters: true));
    }
}
