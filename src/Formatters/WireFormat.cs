using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>
/// A wire format with the tags that identify it. <see cref="MessageFormatter.Create{T}(WireFormat, FormatterLimits?)"/> creates its formatter, for
/// programs that choose the format at run time.
/// </summary>
public sealed class WireFormat
{
    private WireFormat(string name, string contentType, int bodyType, MessageInspector inspector,
        ContractFormats contractFormat = ContractFormats.None)
    {
        Name = name;
        ContentType = contentType;
        BodyType = bodyType;
        Inspector = inspector;
        ContractFormat = contractFormat;
    }

    /// <summary>Gets the binary format: docs/wire/binary.md.</summary>
    public static WireFormat Binary { get; } = new("binary", ContentTypes.Binary, BodyTypes.Binary, MessageInspector.Binary, ContractFormats.Binary);

    /// <summary>Gets the versioned format: docs/wire/versioned.md.</summary>
    public static WireFormat Versioned { get; } =
        new("versioned", ContentTypes.Versioned, BodyTypes.Versioned, MessageInspector.Versioned, ContractFormats.Versioned);

    /// <summary>MessagePack: docs/wire/messagepack.md.</summary>
    public static WireFormat MessagePack { get; } =
        new("messagepack", ContentTypes.MessagePack, BodyTypes.MessagePack, MessageInspector.MessagePack, ContractFormats.MessagePack);

    /// <summary>CBOR: docs/wire/cbor.md.</summary>
    public static WireFormat Cbor { get; } = new("cbor", ContentTypes.Cbor, BodyTypes.Cbor, MessageInspector.Cbor, ContractFormats.Cbor);

    /// <summary>Gets the compact format: docs/wire/compact.md.</summary>
    public static WireFormat Compact { get; } = new("compact", ContentTypes.Compact, BodyTypes.Compact, MessageInspector.Compact,
        ContractFormats.Compact);

    /// <summary>Protobuf: docs/wire/protobuf.md.</summary>
    public static WireFormat Protobuf { get; } =
        new("protobuf", ContentTypes.Protobuf, BodyTypes.Protobuf, MessageInspector.Protobuf, ContractFormats.Protobuf);

    /// <summary>XML: docs/wire/xml.md.</summary>
    public static WireFormat Xml { get; } = new("xml", ContentTypes.Xml, BodyTypes.Xml, MessageInspector.Xml, ContractFormats.Xml);
#if NET

    /// <summary>Gets the JSON format: docs/wire/json.md. Not supported on netstandard2.0.</summary>
    public static WireFormat Json { get; } = new("json", ContentTypes.Json, BodyTypes.Json, MessageInspector.Json);
#endif

    /// <summary>Gets the bodies of <c>BinaryMessageFormatter</c>: docs/wire/legacy-binary.md.</summary>
    public static WireFormat LegacyBinary { get; } =
        new("legacy-binary", ContentTypes.LegacyBinary, BodyTypes.LegacyBinary, MessageInspector.LegacyBinary);

    /// <summary>Gets all formats that one formatter writes and reads for any type.</summary>
    public static IReadOnlyList<WireFormat> All { get; } = Array.AsReadOnly<WireFormat>(
    [
        Binary, Versioned, MessagePack, Cbor, Compact, Protobuf, Xml,
#if NET
        Json,
#endif
        LegacyBinary,
    ]);

    /// <summary>Gets the name, in lower case, as the tools use it: <c>messagepack</c>.</summary>
    public string Name { get; }

    /// <summary>Gets the content type that the formatter sets on a body.</summary>
    public string ContentType { get; }

    /// <summary>Gets the body type that the formatter sets on a body.</summary>
    public int BodyType { get; }

    /// <summary>Gets the inspector that prints bodies of the format without their types.</summary>
    public MessageInspector Inspector { get; }

    /// <summary>
    /// Gets the format in <see cref="MessageContractAttribute.Formats"/>; <see cref="ContractFormats.None"/> if no contracts are generated for it.
    /// </summary>
    public ContractFormats ContractFormat { get; }

    /// <summary>Finds a format by its name or content type.</summary>
    /// <param name="nameOrContentType">For example <c>cbor</c> or <c>application/cbor</c>, in any case.</param>
    /// <returns>The format; null if there is none.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="nameOrContentType"/> is null.</exception>
    public static WireFormat? Find(string nameOrContentType)
    {
        if (nameOrContentType is null)
            throw new ArgumentNullException(nameof(nameOrContentType));
        foreach (WireFormat format in All)
        {
            if (string.Equals(format.Name, nameOrContentType, StringComparison.OrdinalIgnoreCase)
                || string.Equals(format.ContentType, nameOrContentType, StringComparison.OrdinalIgnoreCase))
                return format;
        }

        return null;
    }

    /// <summary>Returns the <see cref="Name"/>.</summary>
    /// <returns>The name.</returns>
    public override string ToString() => Name;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal MessageFormatter<T> CreateFormatter<T>(FormatterLimits limits) => BodyType switch
    {
        BodyTypes.Binary => new BinaryBodyFormatter<T>(new BinaryBodyOptions { Limits = limits }),
        BodyTypes.Versioned => new VersionedFormatter<T>(new VersionedOptions { Limits = limits }),
        BodyTypes.MessagePack => new MessagePackFormatter<T>(new MessagePackOptions { Limits = limits }),
        BodyTypes.Cbor => new CborFormatter<T>(new CborOptions { Limits = limits }),
        BodyTypes.Compact => new CompactFormatter<T>(new CompactOptions { Limits = limits }),
        BodyTypes.Protobuf => new ProtobufFormatter<T>(new ProtobufOptions { Limits = limits }),
        BodyTypes.Xml => new XmlFormatter<T>(new XmlOptions { Limits = limits }),
#if NET
        BodyTypes.Json => new JsonFormatter<T>(new JsonOptions { Limits = limits }),
#endif
        _ => new LegacyBinaryFormatter<T>(new LegacyBinaryOptions { Limits = limits }),
    };
}
