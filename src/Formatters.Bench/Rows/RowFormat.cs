namespace Formatters.Bench.Rows;

/// <summary>In what form a row's bodies are, so that each row can be checked by a reader that is not its own.</summary>
internal enum RowFormat
{
    /// <summary>The output of <c>System.IO.BinaryWriter</c> for the members in declaration order.</summary>
    Binary,

    /// <summary>The same with each record behind its length and its member table: docs/wire/versioned.md.</summary>
    VersionedBinary,

    /// <summary>XML text as XmlSerializer writes it.</summary>
    Xml,

    /// <summary>The binary encoding of XML infosets, as WCF sends it ([MC-NBFX]).</summary>
    BinaryXml,

    /// <summary>JSON text.</summary>
    Json,

    /// <summary>The protobuf wire format.</summary>
    Protobuf,

    /// <summary>MessagePack, array form: members by number.</summary>
    MessagePack,

    /// <summary>MessagePack, map form: members by name.</summary>
    MessagePackMap,

    /// <summary>CBOR in its deterministic encoding, array form: members by number.</summary>
    Cbor,

    /// <summary>The compact format, array form: members by number.</summary>
    Compact,

    /// <summary>Another format of the library, array form: members by number.</summary>
    Contract,

    /// <summary>MS-NRBF, as BinaryFormatter writes it.</summary>
    LegacyBinary,

    MemoryPack,

    /// <summary>The format of Microsoft.Orleans.Serialization.</summary>
    Orleans,

    /// <summary>The format of Hyperion.</summary>
    Hyperion,

    /// <summary>A body of the binary format in an envelope: docs/wire/envelopes.md.</summary>
    Envelope,

    /// <summary>The same with a nonce or a random number in it: no two bodies are alike.</summary>
    RandomEnvelope,
}
