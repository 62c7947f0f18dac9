using System;
using System.IO;
using System.Xml;

namespace Formatters;

/// <summary>The XmlTextReader under XmlSerializer, with the settings of <c>XmlMessageFormatter</c> and a look at the stack.</summary>
/// <remarks>
/// As there, document types are rejected, line ends are not normalised and character entities not checked (<c>&amp;#x1;</c>): what was written comes
/// back. Unlike there, white space is kept where it is all that an element has.
/// </remarks>
internal sealed class BodyXmlReader : XmlTextReader
{
    internal BodyXmlReader(Stream body)
        : base(body) => Guard();

    internal BodyXmlReader(TextReader body)
        : base(body) => Guard();

    // XmlSerializer recurses once per level, and each time reads: MaxDepth has been checked, but it may have been raised beyond what the stack holds.
    public override bool Read()
    {
        if ((Depth & 15) == 15)
            StackGuard.Check(-1);
        try
        {
            return base.Read();
        }
        catch (ArgumentException e)
        {
            // XmlTextReader's own, of a short body whose declaration is no UTF-8: it counts less than nothing when it decodes the rest again.
            throw new XmlException("The declaration is not in the encoding of the body.", e, LineNumber, LinePosition);
        }
    }

    private void Guard()
    {
        DtdProcessing = DtdProcessing.Prohibit;
        XmlResolver = null;
        WhitespaceHandling = WhitespaceHandling.All;
        Normalization = false;
    }
}
