namespace Formatters;

/// <summary>The MIME names under which the formatters of this library write.</summary>
public static class ContentTypes
{
    /// <summary>The binary wire format: what <c>System.IO.BinaryWriter</c> writes for the members in declaration order.</summary>
    public const string Binary = "application/vnd.formatters.binary";

    /// <summary>A body of System.Messaging's <c>BinaryMessageFormatter</c>: MS-NRBF.</summary>
    public const string LegacyBinary = "application/vnd.formatters.legacy-binary";

    /// <summary>XML as <c>XmlSerializer</c> writes it, UTF-8.</summary>
    public const string Xml = "text/xml";

    /// <summary>JSON as System.Text.Json writes it, UTF-8.</summary>
    public const string Json = "application/json";

    /// <summary>A body of <c>ActiveXMessageFormatter</c>; the body type number says which.</summary>
    public const string ActiveX = "application/vnd.formatters.activex";

    /// <summary>Bytes without a declared format.</summary>
    public const string OctetStream = "application/octet-stream";
}
