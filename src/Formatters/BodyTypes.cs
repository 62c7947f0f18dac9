namespace Formatters;

/// <summary>The body type numbers, as in <c>System.Messaging.Message.BodyType</c>.</summary>
/// <remarks>
/// MSMQ uses 0 for XML, 768 for <c>BinaryMessageFormatter</c> and VARTYPE values (0 to 72, with 0x1000 or 0x2000 added for vectors and arrays) for
/// <c>ActiveXMessageFormatter</c>. Numbers of this library start at 0x4600, clear of all of those.
/// </remarks>
public static class BodyTypes
{
    /// <summary>XML, and every body without a body type.</summary>
    public const int Xml = 0;

    /// <summary>A body of System.Messaging's <c>BinaryMessageFormatter</c> (MS-NRBF).</summary>
    public const int LegacyBinary = 768;

    /// <summary>The binary wire format (<see cref="ContentTypes.Binary"/>).</summary>
    public const int Binary = 0x4601;

    /// <summary>The versioned wire format (<see cref="ContentTypes.Versioned"/>).</summary>
    public const int Versioned = 0x4602;

    /// <summary>MessagePack (<see cref="ContentTypes.MessagePack"/>).</summary>
    public const int MessagePack = 0x4603;

    /// <summary>Protobuf (<see cref="ContentTypes.Protobuf"/>).</summary>
    public const int Protobuf = 0x4604;

    /// <summary>JSON (<see cref="ContentTypes.Json"/>).</summary>
    public const int Json = 0x4605;

    /// <summary>CBOR (<see cref="ContentTypes.Cbor"/>).</summary>
    public const int Cbor = 0x4606;

    /// <summary>The compact wire format (<see cref="ContentTypes.Compact"/>).</summary>
    public const int Compact = 0x4607;

    /// <summary>A signed body (<see cref="ContentTypes.Signed"/>).</summary>
    public const int Signed = 0x4611;

    /// <summary>An encrypted body (<see cref="ContentTypes.Encrypted"/>).</summary>
    public const int Encrypted = 0x4612;

    /// <summary>A compressed body (<see cref="ContentTypes.Compressed"/>).</summary>
    public const int Compressed = 0x4613;

    /// <summary>A batch of bodies (<see cref="ContentTypes.Batch"/>).</summary>
    public const int Batch = 0x4614;
}
