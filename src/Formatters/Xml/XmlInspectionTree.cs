using System;
using System.Collections.Generic;
using System.Text;
using System.Xml;
using Formatters.Inspection;

namespace Formatters;

/// <summary>The elements of an XML body, up to the first error.</summary>
/// <param name="body">The bytes, for offsets; null for no offsets.</param>
internal sealed class XmlInspectionTree(byte[]? body)
{
    private readonly Element _document = new("", 0);
    private int _line = 1;
    private int _column = 1;
    private int _byteOffset = body is not null && XmlBodyScanner.HasByteOrderMark(body) ? 3 : 0;

    internal void Read(XmlTextReader reader)
    {
        var open = new Stack<Element>();
        open.Push(_document);
        while (reader.Read())
        {
            switch (reader.NodeType)
            {
                case XmlNodeType.Element:
                    var element = new Element(reader.Name, ByteOffset(reader.LineNumber, reader.LinePosition - 1));
                    (open.Peek().Children ??= []).Add(element);
                    if (!reader.IsEmptyElement)
                        open.Push(element);
                    while (reader.MoveToNextAttribute())
                        (element.Attributes ??= []).Add((reader.Name, reader.Value));
                    break;
                case XmlNodeType.EndElement:
                    open.Pop();
                    break;
                case XmlNodeType.Text or XmlNodeType.CDATA or XmlNodeType.SignificantWhitespace or XmlNodeType.Whitespace:
                    open.Peek().Append(reader.Value);
                    break;
            }
        }
    }

    internal void Print(InspectionWriter writer) => Print(_document, writer);

    private static void Print(Element element, InspectionWriter writer)
    {
        StackGuard.Check(-1);
        writer.At(element.ByteOffset);
        if (element.Attributes is null && element.Children is null && element.Name.Length > 0)
        {
            writer.Write(element.Text);
            return;
        }

        writer.BeginObject();
        foreach ((string name, string value) in element.Attributes ?? [])
        {
            writer.At(element.ByteOffset);
            writer.WriteName("@" + name);
            writer.Write(value);
        }

        // White space between elements is layout.
        if (element.Children is null ? element.Text.Length > 0 : element.Text.Trim().Length > 0)
        {
            writer.WriteName("$text");
            writer.Write(element.Text);
        }

        foreach (List<Element> elements in element.GroupByName())
            PrintChildren(elements, writer);
        writer.EndObject();
    }

    private static void PrintChildren(List<Element> elements, InspectionWriter writer)
    {
        writer.At(elements[0].ByteOffset);
        writer.WriteName(elements[0].Name);
        if (elements.Count == 1)
        {
            Print(elements[0], writer);
            return;
        }

        writer.BeginArray();
        foreach (Element element in elements)
            Print(element, writer);
        writer.EndArray();
    }

    /// <summary>Converts a line and column of the reader, both from 1, to an offset; positions must ascend.</summary>
    private int ByteOffset(int line, int column)
    {
        if (body is null)
            return -1;
        for (; _line < line; _line++)
        {
            int end = body.AsSpan(_byteOffset).IndexOfAny((byte)'\r', (byte)'\n');
            if (end < 0)
                return -1;
            _byteOffset += end + 1;
            if (body[_byteOffset - 1] == '\r' && _byteOffset < body.Length && body[_byteOffset] == '\n')
                _byteOffset++;
            _column = 1;
        }

        for (; _column < column && _byteOffset < body.Length; _byteOffset++)
        {
            if ((body[_byteOffset] & 0xC0) != 0x80)
                _column += body[_byteOffset] >= 0xF0 ? 2 : 1;
        }

        while (_byteOffset < body.Length && (body[_byteOffset] & 0xC0) == 0x80)
            _byteOffset++;
        return _byteOffset;
    }

    private sealed class Element(string name, int byteOffset)
    {
        private StringBuilder? _text;

        internal string Name { get; } = name;

        internal int ByteOffset { get; } = byteOffset;

        internal string Text => _text?.ToString() ?? "";

        internal List<(string Name, string Value)>? Attributes { get; set; }

        internal List<Element>? Children { get; set; }

        internal void Append(string text) => (_text ??= new StringBuilder()).Append(text);

        /// <summary>Groups the child elements by name, in the order in which the names first occur.</summary>
        internal List<List<Element>> GroupByName()
        {
            var groups = new List<List<Element>>();
            var byName = new Dictionary<string, List<Element>>(StringComparer.Ordinal);
            foreach (Element child in Children ?? [])
            {
                if (!byName.TryGetValue(child.Name, out List<Element>? elements))
                {
                    byName.Add(child.Name, elements = []);
                    groups.Add(elements);
                }

                elements.Add(child);
            }

            return groups;
        }
    }
}
