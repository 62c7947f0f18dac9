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
    private readonly ICustomFormatters? _custom;

    private WireFormat(string name, string contentType, int bodyType, MessageInspector inspector,
        ContractFormats contractFormat = ContractFormats.None, ICustomFormatters? custom = null)
    {
        _custom = custom;
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
    /// Gets the format in <see cref="MessageContractAttribute.Formats"/>; <see cref="ContractFormats.None"/> if no contracts are generated for it. A
    /// format of the application uses the contract for MessagePack.
    /// </summary>
    public ContractFormats ContractFormat { get; }

    /// <summary>Returns a wire format of the application: docs/wire/custom.md.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <returns>Its description, always the same instance. <see cref="All"/> and <see cref="Find"/> do not include it.</returns>
    /// <exception cref="ArgumentException">The name is empty, the content type is not a MIME name, or the body type is negative.</exception>
    public static WireFormat Custom<TFormat>()
        where TFormat : struct, ICustomWireFormat => CustomFormatters<TFormat>.Instance ??= CreateCustom<TFormat>();

    /// <summary>Finds a format of the library by its name or content type.</summary>
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
    internal MessageFormatter<T> CreateFormatter<T>(FormatterLimits limits) => _custom is not null ? _custom.Create<T>(limits) : BodyType switch
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

    /// <summary>Creates a formatter with a generated contract.</summary>
    internal MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterLimits limits) =>
        _custom is not null ? _custom.Create(contract, limits) : BodyType switch
    {
        BodyTypes.Binary => new BinaryBodyFormatter<T>(contract, new BinaryBodyOptions { Limits = limits }),
        BodyTypes.Versioned => new VersionedFormatter<T>(contract, new VersionedOptions { Limits = limits }),
        BodyTypes.MessagePack => new MessagePackFormatter<T>(contract, new MessagePackOptions { Limits = limits }),
        BodyTypes.Cbor => new CborFormatter<T>(contract, new CborOptions { Limits = limits }),
        BodyTypes.Compact => new CompactFormatter<T>(contract, new CompactOptions { Limits = limits }),
        BodyTypes.Protobuf => new ProtobufFormatter<T>(contract, new ProtobufOptions { Limits = limits }),
        BodyTypes.Xml => new XmlFormatter<T>(contract, new XmlOptions { Limits = limits }),
        _ => throw new ArgumentException($"No contracts are generated for the format {Name}."),
    };

    private static WireFormat CreateCustom<TFormat>()
        where TFormat : struct, ICustomWireFormat
    {
        TFormat format = default;
        if (string.IsNullOrWhiteSpace(format.Name))
            throw new ArgumentException($"The name of the wire format {typeof(TFormat)} is empty.");
        if (format.ContentType is null || !ContentTypes.IsValid(format.ContentType))
            throw new ArgumentException($"The content type of the wire format {format.Name} must be a type and a subtype, without parameters.");
        if (format.BodyType < 0)
            throw new ArgumentException($"The body type of the wire format {format.Name} must be 0 or greater.");
        return new WireFormat(format.Name, format.ContentType, format.BodyType, new CustomInspector<TFormat>(), ContractFormats.MessagePack,
            new CustomFormatters<TFormat>());
    }

    /// <summary>Creates the formatters of a format of the application.</summary>
    private interface ICustomFormatters
    {
        [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
        [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
        MessageFormatter<T> Create<T>(FormatterLimits limits);

        MessageFormatter<T> Create<T>(MessageContract<T> contract, FormatterLimits limits);
    }

    private sealed class CustomFormatters<TFormat> : ICustomFormatters
        where TFormat : struct, ICustomWireFormat
    {
        // Threads may race; the instances are alike.
        private static volatile WireFormat? s_instance;

        internal static WireFormat? Instance
        {
            get => s_instance;
            set => s_instance = value;
        }

        [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
        [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
        public MessageFormatter<T> Create<T>(FormatterLimits limits) =>
            new CustomFormatter<T, TFormat>(new CustomFormatOptions { Limits = limits });

        public MessageFormatter<T> Create<T>(MessageContract<T> contract, FormatterLimits limits) =>
            new CustomFormatter<T, TFormat>(contract, new CustomFormatOptions { Limits = limits });
    }
}
