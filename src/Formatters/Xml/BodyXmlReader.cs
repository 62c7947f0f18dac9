using System;
using System.IO;
using System.Xml;

namespace Formatters;

/// <summary>The XmlTextReader under XmlSerializer, with the settings of <c>XmlMessageFormatter</c> and a check of the stack.</summary>
/// <remarks>
/// As in XmlMessageFormatter, document types are rejected, line ends are not normalized and character entities not checked (<c>&amp;#x1;</c>): text
/// is read as it was written. Unlike there, white space is kept if it is the only content of an element.
/// </remarks>
internal sealed class BodyXmlReader : XmlTextReader
{
    private StackWindow _stack = StackWindow.Begin();

    internal BodyXmlReader(Stream body)
        : base(body) => Guard();

    internal BodyXmlReader(TextReader body)
        : base(body) => Guard();

    // XmlSerializer recurses once per level, with a read each: MaxDepth has been checked, but may have been raised beyond what the stack allows.
    public override bool Read()
    {
        if (!_stack.ContainsCaller)
            _stack.MoveToCaller(-1);
        try
        {
            return base.Read();
        }
        catch (ArgumentException e)
        {
            // XmlTextReader's own error for a short body whose declaration is not UTF-8: it computes a negative count when it decodes the rest again.
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
