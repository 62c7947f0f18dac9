using System;

namespace Formatters;

/// <summary>The content types (MIME names) of the formatters of this library.</summary>
public static class ContentTypes
{
    /// <summary>The binary wire format: what <c>System.IO.BinaryWriter</c> writes for the members in declaration order.</summary>
    public const string Binary = "application/vnd.formatters.binary";

    /// <summary>The versioned wire format: binary records whose members are numbered, so that other versions of their types can read them.</summary>
    public const string Versioned = "application/vnd.formatters.versioned";

    /// <summary>A body of System.Messaging's <c>BinaryMessageFormatter</c>: MS-NRBF.</summary>
    public const string LegacyBinary = "application/vnd.formatters.legacy-binary";

    /// <summary>XML as <c>XmlSerializer</c> writes it, UTF-8.</summary>
    public const string Xml = "text/xml";

    /// <summary>JSON as System.Text.Json writes it, UTF-8.</summary>
    public const string Json = "application/json";

    /// <summary>A body of <c>ActiveXMessageFormatter</c>; the body type identifies the type of the value.</summary>
    public const string ActiveX = "application/vnd.formatters.activex";

    /// <summary>MessagePack. Also read as <c>application/msgpack</c> and <c>application/vnd.msgpack</c>.</summary>
    public const string MessagePack = "application/x-msgpack";

    /// <summary>Protobuf. Also read as <c>application/protobuf</c> and <c>application/vnd.google.protobuf</c>.</summary>
    public const string Protobuf = "application/x-protobuf";

    /// <summary>CBOR: docs/wire/cbor.md.</summary>
    public const string Cbor = "application/cbor";

    /// <summary>The compact wire format, with the fewest bytes: docs/wire/compact.md.</summary>
    public const string Compact = "application/vnd.formatters.compact";

    /// <summary>A body of any format with a signature around it: <see cref="SignedFormatter{T}"/>.</summary>
    public const string Signed = "application/vnd.formatters.signed";

    /// <summary>A body of any format, encrypted: <c>EncryptedFormatter</c>.</summary>
    public const string Encrypted = "application/vnd.formatters.encrypted";

    /// <summary>A body of any format, compressed: <see cref="CompressedFormatter{T}"/>.</summary>
    public const string Compressed = "application/vnd.formatters.compressed";

    /// <summary>Several bodies of one format: <see cref="BatchFormatter{T}"/>.</summary>
    public const string Batch = "application/vnd.formatters.batch";

    /// <summary>Bytes without a declared format.</summary>
    public const string OctetStream = "application/octet-stream";

    /// <summary>Determines whether a name is a media type, <c>type/subtype</c>, each a token of RFC 9110, 5.6.2.</summary>
    internal static bool IsValid(string name)
    {
        int slash = name.IndexOf('/');
        return slash > 0 && slash < name.Length - 1 && IsToken(name.AsSpan(0, slash)) && IsToken(name.AsSpan(slash + 1));
    }

    private static bool IsToken(ReadOnlySpan<char> text)
    {
        foreach (char c in text)
        {
            if (c is not (>= 'a' and <= 'z' or >= 'A' and <= 'Z' or >= '0' and <= '9') && "!#$%&'*+-.^_`|~".IndexOf(c) < 0)
                return false;
        }

        return true;
    }
}
