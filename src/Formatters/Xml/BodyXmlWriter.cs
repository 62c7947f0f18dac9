using System.IO;
using System.Xml;

namespace Formatters;

/// <summary>The XmlTextWriter under XmlSerializer, as in .NET Framework, with the layout of a style, and depth counted.</summary>
internal sealed class BodyXmlWriter : XmlTextWriter
{
    private readonly XmlBodyStyle _style;
    private readonly int _maxDepth;
    private int _depth;

    internal BodyXmlWriter(TextWriter destination, XmlBodyStyle style, int maxDepth)
        : base(destination)
    {
        _style = style;
        _maxDepth = maxDepth;
        if (style == XmlBodyStyle.Framework)
        {
            Formatting = Formatting.Indented;
            Indentation = 2;
        }

        // Not WriteStartDocument, which names the encoding of the text writer. XmlSerializer calls that only at the very start.
        WriteProcessingInstruction("xml", style == XmlBodyStyle.Framework ? "version=\"1.0\"" : "version=\"1.0\" encoding=\"utf-8\"");
    }

    public override void WriteStartElement(string? prefix, string localName, string? ns)
    {
        if (++_depth > _maxDepth)
            ThrowHelper.ThrowDepthExceeded(-1, _maxDepth, writing: true);
        if ((_depth & 15) == 0)
            StackGuard.Check(-1);
        base.WriteStartElement(prefix!, localName, ns!);
    }

    public override void WriteEndElement()
    {
        _depth--;
        base.WriteEndElement();
    }

    public override void WriteFullEndElement()
    {
        _depth--;
        base.WriteFullEndElement();
    }

    public override void WriteString(string? text)
    {
        if (_style == XmlBodyStyle.Framework || WriteState == WriteState.Attribute || text is null || text.IndexOf('\r') < 0)
        {
            base.WriteString(text!);
            return;
        }

        string[] parts = text.Split('\r');
        for (int i = 0; i < parts.Length; i++)
        {
            if (i > 0)
                WriteCharEntity('\r');
            base.WriteString(parts[i]);
        }
    }
}
