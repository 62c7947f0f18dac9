namespace Formatters;

/// <summary>How the bytes of an XML body look. All styles carry the same document and are read alike.</summary>
public enum XmlBodyStyle
{
    /// <summary>
    /// As <c>XmlMessageFormatter</c> of .NET Framework writes: <c>&lt;?xml version="1.0"?&gt;</c> without encoding, UTF-8 without byte order
    /// mark, indented by two spaces, lines ended by CR LF on every system, <c>xmlns:xsd</c> before <c>xmlns:xsi</c> (the order of its
    /// 64-bit processes).
    /// </summary>
    /// <remarks>
    /// The digits of <see cref="double"/> and <see cref="float"/> are those of .NET Framework, too (0.33333333333333331 where .NET has
    /// 0.3333333333333333): 15 digits (7 of a float) if they read as the same number, else 17 (9).
    /// </remarks>
    Framework = 0,

    /// <summary>
    /// Without indentation: about three quarters of the bytes of an order with 50 line items. Starts with <c>&lt;?xml version="1.0" encoding="utf-8"?&gt;</c>,
    /// and writes a CR in text as <c>&amp;#xD;</c>, so that it survives readers that normalise line ends.
    /// </summary>
    Compact = 1,
}
