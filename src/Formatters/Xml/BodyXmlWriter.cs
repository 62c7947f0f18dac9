using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Xml;
using System.Xml.Schema;

namespace Formatters;

/// <summary>
/// The writer under XmlSerializer: the runtime's writer with the layout of a style, with a depth limit and numbers in the digits of .NET Framework.
/// </summary>
internal sealed class BodyXmlWriter : XmlWriter
{
    private static readonly XmlWriterSettings Net = new() { Encoding = XmlBody.Utf8, Indent = true, NewLineChars = "\r\n" };
    private static readonly XmlWriterSettings Compact =
        new() { Encoding = XmlBody.Utf8, NewLineHandling = NewLineHandling.Entitize, CheckCharacters = false };

    private readonly XmlWriter _writer;
    private readonly int _maxDepth;
    private readonly XmlNumberMaps? _numbers;
    private readonly Stack<XmlNumberMap>? _elements;
    private XmlNumberKind _number;
    private bool _isTypeName;
    private int _depth;
    private StackWindow _stack = StackWindow.Begin();

    /// <param name="destination">Receives the body.</param>
    /// <param name="style">How it looks.</param>
    /// <param name="maxDepth">The maximum number of nested elements.</param>
    /// <param name="numbers">The locations of numbers that get the digits of .NET Framework; null for none.</param>
    internal BodyXmlWriter(Stream destination, XmlBodyStyle style, int maxDepth, XmlNumberMaps? numbers)
    {
        _numbers = numbers;
        _elements = numbers is null ? null : new Stack<XmlNumberMap>();
        _maxDepth = maxDepth;
        _writer = style switch
        {
            XmlBodyStyle.Framework => CreateFramework(destination),
            XmlBodyStyle.Net => Create(destination, Net),
            _ => Create(destination, Compact),
        };
    }

    public override WriteState WriteState => _writer.WriteState;

    public override XmlWriterSettings? Settings => _writer.Settings;

    public override XmlSpace XmlSpace => _writer.XmlSpace;

    public override string? XmlLang => _writer.XmlLang;

    public override void WriteStartElement(string? prefix, string localName, string? ns)
    {
        if (++_depth > _maxDepth)
            ThrowHelper.ThrowDepthExceeded(-1, _maxDepth, writing: true);
        if (!_stack.ContainsCaller)
            _stack.MoveToCaller(-1);
        if (_elements is not null)
        {
            XmlNumberMap? map = _elements.Count == 0 ? _numbers!.Root : null;
            if (map is null && !_elements.Peek().Elements.TryGetValue(new XmlQualifiedName(localName, ns), out map))
                map = XmlNumberMap.Empty;
            Enter(map);
        }

        _writer.WriteStartElement(prefix!, localName, ns!);
    }

    public override void WriteEndElement()
    {
        Leave();
        _writer.WriteEndElement();
    }

    public override void WriteFullEndElement()
    {
        Leave();
        _writer.WriteFullEndElement();
    }

    public override void WriteStartAttribute(string? prefix, string localName, string? ns)
    {
        if (_elements is not null)
        {
            _isTypeName = localName == "type" && ns == XmlSchema.InstanceNamespace;
            _number = _elements.Peek().Attributes.TryGetValue(new XmlQualifiedName(localName, ns), out XmlNumberKind kind)
                ? kind
                : XmlNumberKind.None;
        }

        _writer.WriteStartAttribute(prefix!, localName, ns!);
    }

    public override void WriteEndAttribute()
    {
        _writer.WriteEndAttribute();
        if (_elements is null)
            return;
        _isTypeName = false;
        _number = _elements.Peek().Text;
    }

    public override void WriteRaw(string data) => _writer.WriteRaw(XmlNumberMaps.ToFramework(data, _number));

    public override void WriteRaw(char[] buffer, int index, int count)
    {
        if (_number == XmlNumberKind.None)
            _writer.WriteRaw(buffer, index, count);
        else
            WriteRaw(new string(buffer, index, count));
    }

    public override void WriteString(string? text)
    {
        if (text is not null)
            text = XmlNumberMaps.ToFramework(text, _number);
        if (_isTypeName && text is not null)
        {
            _elements!.Pop();
            _elements.Push(_numbers!.Named(text, LookupPrefix));
        }

        _writer.WriteString(text);
    }

    public override void WriteChars(char[] buffer, int index, int count) => WriteString(new string(buffer, index, count));

    public override void WriteStartDocument() => _writer.WriteStartDocument();

    public override void WriteStartDocument(bool standalone) => _writer.WriteStartDocument(standalone);

    public override void WriteEndDocument() => _writer.WriteEndDocument();

    public override void WriteDocType(string name, string? pubid, string? sysid, string? subset) => _writer.WriteDocType(name, pubid, sysid, subset);

    public override void WriteCData(string? text) => _writer.WriteCData(text);

    public override void WriteComment(string? text) => _writer.WriteComment(text);

    public override void WriteProcessingInstruction(string name, string? text) => _writer.WriteProcessingInstruction(name, text);

    public override void WriteEntityRef(string name) => _writer.WriteEntityRef(name);

    public override void WriteCharEntity(char ch) => _writer.WriteCharEntity(ch);

    public override void WriteSurrogateCharEntity(char lowChar, char highChar) => _writer.WriteSurrogateCharEntity(lowChar, highChar);

    public override void WriteWhitespace(string? ws) => _writer.WriteWhitespace(ws);

    public override void WriteBase64(byte[] buffer, int index, int count) => _writer.WriteBase64(buffer, index, count);

    public override string? LookupPrefix(string ns) => _writer.LookupPrefix(ns);

    public override void Flush() => _writer.Flush();

    private static XmlTextWriter CreateFramework(Stream destination)
    {
        var text = new StreamWriter(destination, XmlBody.Utf8, 1024, leaveOpen: true) { NewLine = "\r\n" };
        var writer = new XmlTextWriter(text) { Formatting = Formatting.Indented, Indentation = 2 };
        // Not WriteStartDocument, which names the encoding of the text writer. XmlSerializer calls that only at the start.
        writer.WriteProcessingInstruction("xml", "version=\"1.0\"");
        return writer;
    }

    private void Enter(XmlNumberMap map)
    {
        _elements!.Push(map);
        _number = map.Text;
    }

    private void Leave()
    {
        _depth--;
        if (_elements is null)
            return;
        _elements.Pop();
        _number = XmlNumberKind.None; // white space follows, or a tag
    }
}
