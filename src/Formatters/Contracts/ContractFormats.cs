using System;

namespace Formatters;

/// <summary>The wire formats that a contract is generated for.</summary>
[Flags]
public enum ContractFormats
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>The binary wire format: docs/wire/binary.md. The property <c>MessageContract</c>, for <see cref="ContractFormatter{T}"/>.</summary>
    Binary = 1,

    /// <summary>The versioned wire format: docs/wire/versioned.md. The property <c>VersionedContract</c>, for <see cref="VersionedFormatter{T}"/>.</summary>
    Versioned = 2,

    /// <summary>MessagePack: docs/wire/messagepack.md. The property <c>MessagePackContract</c>, for <see cref="MessagePackFormatter{T}"/>.</summary>
    MessagePack = 4,

    /// <summary>protobuf: docs/wire/protobuf.md. The property <c>ProtobufContract</c>, for <see cref="ProtobufFormatter{T}"/>.</summary>
    Protobuf = 8,

    /// <summary>XML as XmlSerializer writes it: docs/wire/xml.md. The property <c>XmlContract</c>, for <see cref="XmlFormatter{T}"/>.</summary>
    Xml = 16,

    /// <summary>CBOR: docs/wire/cbor.md. The property <c>CborContract</c>, for <see cref="CborFormatter{T}"/>.</summary>
    Cbor = 32,

    /// <summary>The compact wire format: docs/wire/compact.md. The property <c>CompactContract</c>, for <see cref="CompactFormatter{T}"/>.</summary>
    Compact = 64,
}
