using System;
using System.IO;
using System.Text;
using System.Xml;
using Formatters.Inspection;

namespace Formatters;

/// <summary>Prints XML as JSON: docs/inspector.md.</summary>
internal sealed class XmlInspector() : MessageInspector("xml", ContentTypes.Xml)
{
    internal override string[] OtherContentTypes => ["application/xml"];

    internal override bool Recognizes(ReadOnlySpan<byte> body) => XmlBodyScanner.IsUtf16(body, out _) || XmlBodyScanner.StartsWithMarkup(body);

    protected override void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits)
    {
        if (body.Length > limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(body.Length, limits.MaxBodyByteCount);
        if (body.IsEmpty)
            ThrowHelper.ThrowTruncated(0, 1);
        bool isUtf16 = XmlBodyScanner.IsUtf16(body, out bool bigEndian);
        byte[] bytes = isUtf16 ? Encoding.UTF8.GetBytes(XmlBodyText.Decode(body, bigEndian)) : body.ToArray();
        XmlBodyScanner.Check(bytes, limits.MaxDepth, isDecoded: isUtf16, rootOnly: false);

        // As a tree first: whether a name occurs once or several times is known only at the end of the parent element.
        var tree = new XmlInspectionTree(isUtf16 ? null : bytes);
        try
        {
            using BodyXmlReader reader = isUtf16
                ? new BodyXmlReader(new StringReader(Encoding.UTF8.GetString(bytes)))
                : new BodyXmlReader(new MemoryStream(bytes, writable: false));
            tree.Read(reader);
        }
        catch (XmlException e)
        {
            tree.Print(writer);
            throw XmlBodyText.Malformed(e, isUtf16 ? default : body);
        }

        tree.Print(writer);
    }
}
