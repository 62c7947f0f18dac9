namespace Formatters;

/// <summary>Defines the form of an XML body's bytes. All styles contain the same document and are read alike.</summary>
public enum XmlBodyStyle
{
    /// <summary>
    /// As <c>XmlMessageFormatter</c> of .NET Framework writes: <c>&lt;?xml version="1.0"?&gt;</c> without encoding, UTF-8 without byte order
    /// mark, indented by two spaces, lines ended by CR LF on every system, <c>xmlns:xsd</c> before <c>xmlns:xsi</c> (the order of its
    /// 64-bit processes).
    /// </summary>
    /// <remarks>
    /// The digits of <see cref="double"/> and <see cref="float"/> are also those of .NET Framework (0.33333333333333331 where .NET has
    /// 0.3333333333333333): 15 digits (7 for a float) if they read as the same number, otherwise 17 (9).
    /// </remarks>
    Framework = 0,

    /// <summary>
    /// As <c>XmlSerializer.Serialize(Stream, object)</c> of .NET on Windows writes, and with it the <c>XmlMessageFormatter</c> of System.Messaging's
    /// ports to .NET: <c>&lt;?xml version="1.0" encoding="utf-8"?&gt;</c>, no byte order mark, indented by two spaces, lines ended by CR LF on every
    /// system, <c>xmlns:xsi</c> before <c>xmlns:xsd</c>.
    /// </summary>
    /// <remarks>
    /// Lossy, as there: every line end in the text of an element (CR, LF or CR LF) becomes CR LF; those in attributes stay. Control characters other
    /// than tab, CR and LF, and U+FFFE and U+FFFF, are rejected (<see cref="MessageFormatErrorCode.BadText"/>). On .NET Framework, <see
    /// cref="double"/> and <see cref="float"/> have its digits, and what XmlSerializer writes (not a generated contract) its order of
    /// <c>xmlns:xsd</c> and <c>xmlns:xsi</c>, that of a hash table.
    /// </remarks>
    Net = 1,

    /// <summary>
    /// Without indentation: about three quarters of the bytes of an order with 50 line items. Otherwise like <see cref="Net"/>, but nothing is lost:
    /// a CR in text is written as <c>&amp;#xD;</c>, so that it survives readers that normalize line ends, and control characters as <c>&amp;#x1;</c>.
    /// </summary>
    /// <remarks>
    /// The output of XmlSerializer with an XmlWriter without indentation, with <c>NewLineHandling.Entitize</c> and without <c>CheckCharacters</c>.
    /// </remarks>
    Compact = 2,
}
