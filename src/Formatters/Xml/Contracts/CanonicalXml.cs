// Extensible Markup Language (XML) 1.0: https://www.w3.org/TR/xml/; Namespaces in XML: https://www.w3.org/TR/xml-names/
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Xml;
using System.Xml.Schema;
using Formatters.Buffers;

namespace Formatters.Generated;

/// <summary>A well-formed body, converted by an XmlReader to the subset of XML that <see cref="XmlBodyReader"/> supports.</summary>
/// <remarks>
/// UTF-8 without declaration. Elements of the contract's namespace have no prefix, others <c>_:</c>, which no contract uses; xsi:nil and xsi:type, in
/// the namespaces that XmlSerializer knows, have the prefix xsi, and other attributes with a prefix are omitted. Comments and instructions become a
/// marker, because XmlSerializer starts a new text after one in the text of a mixed element. So do references to entities, which no value may
/// contain. A CDATA section begins with another marker, a reference to nothing.
/// </remarks>
internal sealed class CanonicalXml : IDisposable
{
    private const string Foreign = "_:";
    private const string InstanceNamespace2000 = "http://www.w3.org/2000/10/XMLSchema-instance";
    private const string InstanceNamespace1999 = "http://www.w3.org/1999/XMLSchema-instance";

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
    private static readonly char[] Special = ['&', '<', '>', '"'];

    private readonly PooledBufferWriter _output = new(1024);
    private readonly List<(int Offset, int Line, int Position)> _elements = [];
    private readonly string _namespace;
    private int _depth;

    /// <param name="reader">The reader, positioned at the root element; it is read to the end.</param>
    /// <param name="space">The namespace of the contract.</param>
    /// <exception cref="XmlException">The body is not well-formed.</exception>
    /// <exception cref="EncoderFallbackException">A string has a surrogate without its partner, by a character reference.</exception>
    internal CanonicalXml(XmlReader reader, string space)
    {
        _namespace = space;
        do
        {
            Write(reader);
        }
        while (reader.Read());
    }

    /// <summary>Gets the marker of a comment or an instruction.</summary>
    internal static ReadOnlySpan<byte> Marker => "<?>"u8;

    /// <summary>Gets the marker of a CDATA section, which is text even if it is empty or white space.</summary>
    internal static ReadOnlySpan<byte> Section => "&;"u8;

    internal ReadOnlySpan<byte> Bytes => _output.WrittenSpan;

    public void Dispose() => _output.Dispose();

    /// <summary>Returns the position in the original body of the element that starts, or is open, at an offset of these bytes.</summary>
    internal (int Line, int Position) SourceOf(int offset)
    {
        int low = 0;
        int high = _elements.Count - 1;
        while (low < high)
        {
            int middle = (low + high + 1) / 2;
            if (_elements[middle].Offset <= offset)
                low = middle;
            else
                high = middle - 1;
        }

        return (_elements[low].Line, _elements[low].Position);
    }

    /// <summary>Decodes base64 as XmlReader does for XmlSerializer: ignoring white space.</summary>
    internal static byte[] DecodeBase64(string text)
    {
        using var reader = new XmlTextReader(new StringReader("<_>" + Escape(text) + "</_>"));
        reader.MoveToContent();
        using var bytes = new MemoryStream();
        byte[] buffer = new byte[1024];
        for (int count; (count = reader.ReadElementContentAsBase64(buffer, 0, buffer.Length)) > 0;)
            bytes.Write(buffer, 0, count);
        return bytes.ToArray();
    }

    private static string Escape(string text) =>
        text.IndexOfAny(Special) < 0 ? text : text.Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;").Replace("\"", "&quot;");

    private void Write(XmlReader reader)
    {
        switch (reader.NodeType)
        {
            case XmlNodeType.Element:
                WriteElement(reader);
                break;
            case XmlNodeType.EndElement:
                _depth--;
                Put("</" + NameOf(reader) + ">");
                break;
            case XmlNodeType.CDATA:
                Put("&;" + Escape(reader.Value));
                break;
            case XmlNodeType.Text or XmlNodeType.Whitespace or XmlNodeType.SignificantWhitespace when _depth > 0:
                Put(Escape(reader.Value));
                break;
            case XmlNodeType.Comment or XmlNodeType.ProcessingInstruction when _depth > 0:
                Put("<?>");
                break;
            case XmlNodeType.EntityReference: // without declarations it is an error where its text is used
                Put("<!>");
                break;
        }
    }

    private void WriteElement(XmlReader reader)
    {
        var lines = (IXmlLineInfo)reader;
        _elements.Add((_output.WrittenCount, lines.LineNumber, lines.LinePosition - 1));
        bool isEmpty = reader.IsEmptyElement;
        Put("<" + NameOf(reader));
        WriteInstanceAttribute(
            "nil",
            reader.GetAttribute("nil", XmlSchema.InstanceNamespace) ?? reader.GetAttribute("null", XmlSchema.InstanceNamespace)
            ?? reader.GetAttribute("null", InstanceNamespace2000) ?? reader.GetAttribute("null", InstanceNamespace1999));
        string? type = reader.GetAttribute("type", XmlSchema.InstanceNamespace) ?? reader.GetAttribute("type", InstanceNamespace2000)
            ?? reader.GetAttribute("type", InstanceNamespace1999);
        WriteInstanceAttribute("type", type is null ? null : Resolve(reader, type));
        while (reader.MoveToNextAttribute())
        {
            if (reader.NamespaceURI.Length == 0)
                Put(" " + reader.LocalName + "=\"" + Escape(reader.Value) + "\"");
        }

        reader.MoveToElement();
        Put(isEmpty ? "/>" : ">");
        if (!isEmpty)
            _depth++;
    }

    private void WriteInstanceAttribute(string name, string? value)
    {
        if (value is not null)
            Put(" xsi:" + name + "=\"" + Escape(value) + "\"");
    }

    /// <summary>Returns the name of a type, with a prefix if it has another namespace.</summary>
    private string Resolve(XmlReader reader, string name)
    {
        int colon = name.LastIndexOf(':');
        string? space = reader.LookupNamespace(name.Substring(0, Math.Max(colon, 0)));
        string localName = name.Substring(colon + 1);
        return (space ?? (colon < 0 ? "" : null)) == _namespace ? localName : Foreign + localName;
    }

    private string NameOf(XmlReader reader) => reader.NamespaceURI == _namespace ? reader.LocalName : Foreign + reader.LocalName;

    private void Put(string text)
    {
        byte[] bytes = Utf8.GetBytes(text);
        bytes.CopyTo(_output.GetSpan(bytes.Length));
        _output.Advance(bytes.Length);
    }
}
