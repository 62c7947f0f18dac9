using System.Collections.Generic;
using System.IO;
using System.Xml;
using System.Xml.Schema;

namespace Formatters;

/// <summary>The XmlTextWriter under XmlSerializer, as in .NET Framework, with the layout of a style, and depth counted.</summary>
internal sealed class BodyXmlWriter : XmlTextWriter
{
    private readonly XmlBodyStyle _style;
    private readonly int _maxDepth;
    private readonly XmlNumberMaps? _numbers;
    private readonly Stack<XmlNumberMap>? _elements;
    private XmlNumberKind _number;
    private bool _isTypeName;
    private int _depth;

    /// <param name="destination">Receives the body.</param>
    /// <param name="style">How it looks.</param>
    /// <param name="maxDepth">The most elements inside each other.</param>
    /// <param name="numbers">Where numbers get the digits of .NET Framework; null for nowhere.</param>
    internal BodyXmlWriter(TextWriter destination, XmlBodyStyle style, int maxDepth, XmlNumberMaps? numbers)
        : base(destination)
    {
        _numbers = numbers;
        _elements = numbers is null ? null : new Stack<XmlNumberMap>();
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
        if (_elements is not null)
        {
            XmlNumberMap? map = _elements.Count == 0 ? _numbers!.Root : null;
            if (map is null && !_elements.Peek().Elements.TryGetValue(new XmlQualifiedName(localName, ns), out map))
                map = XmlNumberMap.Empty;
            Enter(map);
        }

        base.WriteStartElement(prefix!, localName, ns!);
    }

    public override void WriteEndElement()
    {
        Leave();
        base.WriteEndElement();
    }

    public override void WriteFullEndElement()
    {
        Leave();
        base.WriteFullEndElement();
    }

    public override void WriteStartAttribute(string? prefix, string localName, string? ns)
    {
        if (_elements is not null)
        {
            _isTypeName = localName == "type" && ns == XmlSchema.InstanceNamespace;
            _number = _elements.Peek().Attributes.TryGetValue(new XmlQualifiedName(localName, ns), out XmlNumberKind kind) ? kind : XmlNumberKind.None;
        }

        base.WriteStartAttribute(prefix!, localName, ns!);
    }

    public override void WriteEndAttribute()
    {
        base.WriteEndAttribute();
        if (_elements is null)
            return;
        _isTypeName = false;
        _number = _elements.Peek().Text;
    }

    public override void WriteRaw(string data) => base.WriteRaw(XmlNumberMaps.ToFramework(data, _number));

    public override void WriteRaw(char[] buffer, int index, int count)
    {
        if (_number == XmlNumberKind.None)
            base.WriteRaw(buffer, index, count);
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
