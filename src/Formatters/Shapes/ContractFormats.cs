using System;

#if GENERATOR
namespace Formatters.Generator;
#else
namespace Formatters;
#endif

/// <summary>The wire formats for which a contract is generated.</summary>
[Flags]
#if GENERATOR
internal enum ContractFormats
#else
public enum ContractFormats
#endif
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>The binary format: docs/wire/binary.md. See <see cref="BinaryBodyFormatter{T}"/>.</summary>
    Binary = 1,

    /// <summary>The versioned format: docs/wire/versioned.md. See <see cref="VersionedFormatter{T}"/>.</summary>
    Versioned = 2,

    /// <summary>MessagePack: docs/wire/messagepack.md. See <see cref="MessagePackFormatter{T}"/>.</summary>
    MessagePack = 4,

    /// <summary>protobuf: docs/wire/protobuf.md. See <see cref="ProtobufFormatter{T}"/>.</summary>
    Protobuf = 8,

    /// <summary>XML as XmlSerializer writes it: docs/wire/xml.md. See <see cref="XmlFormatter{T}"/>.</summary>
    Xml = 16,

    /// <summary>CBOR: docs/wire/cbor.md. See <see cref="CborFormatter{T}"/>.</summary>
    Cbor = 32,

    /// <summary>The compact format: docs/wire/compact.md. See <see cref="CompactFormatter{T}"/>.</summary>
    Compact = 64,
}
