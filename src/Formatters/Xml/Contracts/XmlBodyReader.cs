// Extensible Markup Language (XML) 1.0: https://www.w3.org/TR/xml/; Namespaces in XML: https://www.w3.org/TR/xml-names/
using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text;

namespace Formatters.Generated;

/// <summary>Reads the elements of an XML body; for generated code.</summary>
/// <remarks>
/// <para>It supports the XML that formatters write: one namespace, the prefixes xsi and xsd, no comments, no CDATA. At anything else that may be
/// well-formed it fails: it then finds nothing more, and the body is read again via <see cref="CanonicalXml"/>, which converts it to the XML that
/// this reader supports. Malformed bodies are rejected there, by XmlReader.</para>
/// <para>In canonical XML the reader trusts the syntax. Unknown elements are skipped there; in an original body they make it fail, because their
/// syntax has not been checked.</para>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref partial struct XmlBodyReader
{
    private readonly ReadOnlySpan<byte> _body;
    private readonly ReadOnlySpan<byte> _source;
    private readonly CanonicalXml? _canonical;
    private readonly int _maxDepth;
    private ReadOnlySpan<byte> _namespace;
    private ReadOnlySpan<byte> _text;
    private ReadOnlySpan<byte> _typeName;
    private ReadOnlySpan<byte> _nil;
    private int _position;
    private int _attributes;
    private int _attributesEnd;
    private int _depth;
    private StackWindow _stack;
    private int _elementStart;
    private bool _hasNil;
    private bool _hasAttributes;
    private bool _hasNamespace;
    private bool _hasInstanceNamespace;
    private bool _hasSchemaNamespace;

    internal XmlBodyReader(ReadOnlySpan<byte> body, FormatterLimits limits)
    {
        _body = body;
        _maxDepth = limits.MaxDepth;
        _stack = StackWindow.Begin();
    }

    /// <summary>Reads the canonical XML of a body.</summary>
    /// <param name="canonical">The canonical XML.</param>
    /// <param name="source">The body, for the offsets of errors; empty if they are unknown.</param>
    /// <param name="limits">The limits.</param>
    internal XmlBodyReader(CanonicalXml canonical, ReadOnlySpan<byte> source, FormatterLimits limits)
    {
        _source = source;
        _body = canonical.Bytes;
        _canonical = canonical;
        _maxDepth = limits.MaxDepth;
        _stack = StackWindow.Begin();
    }

    /// <summary>Gets the member path, which generated code tracks only when it is run again after an error.</summary>
    internal MemberPath? Path { readonly get; init; }

    /// <summary>Gets whether it met something unsupported: what was read is void.</summary>
    internal bool HasFailed { get; private set; }

    /// <summary>Gets the offset in the body of the current element, for errors; -1 if unknown.</summary>
    internal readonly long ByteOffset => OffsetOf(_elementStart);

    private readonly bool IsCanonical => _canonical is not null;

    // Without white space before it; the name is then compared, for any kind of tag.
    private readonly bool IsAtTag => (uint)_position < (uint)_body.Length && _body[_position] == '<';

    /// <summary>Advances past the name of the root element.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="space">The namespace of all elements; empty for none.</param>
    /// <returns><see langword="false"/> if the body begins differently.</returns>
    public bool OpenRoot(ReadOnlySpan<byte> name, ReadOnlySpan<byte> space)
    {
        if (!IsCanonical)
        {
            if (XmlBodyScanner.HasByteOrderMark(_body))
                _position = 3;
            SkipDeclaration();
        }

        SkipWhiteSpace();
        _namespace = space;
        if (!TryOpen(name))
            return Fail();
        ReadStartTag();
        return !HasFailed && (IsCanonical || _hasNamespace != space.IsEmpty || Fail());
    }

    /// <summary>Ends the body.</summary>
    public void CloseRoot()
    {
        SkipWhiteSpace();
        if (_position != _body.Length)
            Fail();
    }

    /// <summary>Advances to the next child element.</summary>
    /// <returns><see langword="false"/> at the end tag, or if the reader has failed.</returns>
    public bool MoveToElement()
    {
        while (true)
        {
            SkipWhiteSpace();
            if ((uint)(_position + 1) >= (uint)_body.Length)
                return Fail();
            if (_body[_position] == '<')
            {
                byte next = _body[_position + 1];
                if (next == '/')
                    return false;
                if (next == '!')
                    return Fail();
                if (!IsCanonical || next != '?')
                    return true;
                _position += CanonicalXml.Marker.Length;
            }
            else
            {
                if (!IsCanonical)
                    return Fail();
                int length = _body.Slice(_position).IndexOf((byte)'<');
                _position = length < 0 ? _body.Length : _position + length;
            }
        }
    }

    /// <summary>Advances to the next child element, after skipping the previous one if it has not been read.</summary>
    /// <param name="start">The start of the previous one; -1 before the first.</param>
    /// <returns><see langword="false"/> at the end tag, or if the reader has failed.</returns>
    public bool MoveToElement(ref int start)
    {
        if (_position == start)
            Skip();
        if (!MoveToElement())
            return false;
        start = _position;
        return true;
    }

    /// <summary>Advances past the name of the next child element, if it matches; first to the element, if the last one has been read.</summary>
    /// <param name="name">The name.</param>
    /// <returns><see langword="false"/> if the name differs, or at the end tag.</returns>
    /// <exception cref="MessageFormatException">Deeper than the limits allow.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryNext(ReadOnlySpan<byte> name) => (IsAtTag || MoveToElement()) && TryOpen(name);

    /// <summary>Reads the next child element, which contains only text, if it has this name. The value can then be retrieved.</summary>
    /// <param name="name">The name.</param>
    /// <param name="isRead">Set if it has.</param>
    /// <returns><see langword="false"/> if the name differs, or at the end tag.</returns>
    /// <exception cref="MessageFormatException">Deeper than the limits allow.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead(ReadOnlySpan<byte> name, ref bool isRead)
    {
        if (!TryNext(name))
            return false;
        isRead = true;
        ReadContent(name);
        return true;
    }

    /// <summary>Advances past the name of an element of a collection, if it matches.</summary>
    /// <param name="name">The name.</param>
    /// <param name="index">The index of the element.</param>
    /// <returns><see langword="false"/> if the name differs.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryOpen(ReadOnlySpan<byte> name, int index)
    {
        if (!TryOpen(name))
            return false;
        Path?.Set(_depth, null, index);
        return true;
    }

    /// <summary>Sets the member of the element for errors, if its name differs.</summary>
    /// <param name="member">The name of the member.</param>
    /// <param name="index">The index of the element, for a collection without an element of its own; -1 for none.</param>
    public readonly void At(string member, int index = -1) => Path?.Set(_depth, member, index);

    /// <summary>Does what <see cref="At"/> does, for an attribute or the text of the element.</summary>
    /// <param name="member">The name of the member.</param>
    public readonly void AtText(string member) => Path?.Set(_depth + 1, member);

    /// <summary>Advances past the start tag, if it is that of an element with content.</summary>
    /// <returns><see langword="false"/> if the element is empty; it has been read then.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Enter()
    {
        ReadStartTag();
        if (_hasAttributes)
            Fail(); // none has been read, and one may occur twice
        if (HasFailed)
            return false;
        if (_body[_position] == '/')
        {
            _position += 2;
            return false;
        }

        _position++;
        _depth++;
        if (!_stack.ContainsCaller)
            _stack.MoveToCaller(OffsetOf(_elementStart));
        return true;
    }

    /// <summary>Reads the content of an element that is a list of strings, unless it represents null.</summary>
    /// <param name="name">The name of the list.</param>
    /// <param name="itemName">The name of each string.</param>
    /// <param name="items">Receives the strings; null if there is no list to receive them.</param>
    public void ReadTexts(ReadOnlySpan<byte> name, ReadOnlySpan<byte> itemName, List<string?>? items)
    {
        if (ReadNull(name) || !Enter())
            return;
        while (MoveToElement())
        {
            if (items is null || !TryOpen(itemName, items.Count))
            {
                Skip();
            }
            else if (ReadNull(itemName))
            {
                items.Add(null);
            }
            else
            {
                ReadContent(itemName);
                items.Add(ToText());
            }
        }

        Leave(name);
    }

    /// <summary>Advances past the end tag.</summary>
    /// <param name="name">The name of the element.</param>
    public void Leave(ReadOnlySpan<byte> name)
    {
        _depth--;
        if (!TryEndTag(_position, name))
            Fail();
    }

    /// <summary>Skips an unknown element.</summary>
    public void Skip()
    {
        if (!IsCanonical)
        {
            Fail();
            return;
        }

        int open = 0;
        do
        {
            int end = _position + _body.Slice(_position).IndexOf((byte)'>') + 1;
            if (_body[_position + 1] == '/')
                open--;
            else if (_body[end - 2] is not ((byte)'/' or (byte)'?' or (byte)'!'))
                open++;
            _position = end;
            if (open > 0)
                _position += _body.Slice(_position).IndexOf((byte)'<');
        }
        while (open > 0);
    }

    /// <summary>Determines whether the element represents null; it has then been read.</summary>
    /// <param name="name">The name of the element.</param>
    /// <returns><see langword="false"/> if it does not: its content follows.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadNull(ReadOnlySpan<byte> name)
    {
        ReadStartTag();
        return _hasNil && ReadNullSlow(name);
    }

    /// <summary>Determines whether the element declares a type other than the expected one.</summary>
    /// <param name="name">The name of the expected type.</param>
    /// <returns><see langword="true"/> if another is declared: use <see cref="IsTypeName"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool HasOtherType(ReadOnlySpan<byte> name)
    {
        ReadStartTag();
        return !_typeName.IsEmpty && !_typeName.SequenceEqual(name);
    }

    /// <summary>Determines whether the element declares a given type.</summary>
    /// <param name="name">The name of the type.</param>
    /// <returns><see langword="true"/> if that is its type.</returns>
    public readonly bool IsTypeName(ReadOnlySpan<byte> name) => _typeName.SequenceEqual(name);

    /// <summary>Throws the error for an element of a type that its member does not allow.</summary>
    [DoesNotReturn]
    public readonly void ThrowUnknownType() =>
        throw new MessageFormatException(
            MessageFormatErrorCode.TypeNotAllowed,
                "An element names a type (xsi:type) that its member does not allow, or does not name one where it must.", ByteOffset, isPoison: true);

    /// <summary>Sets the path, which begins with the type of the payload, not with the name of the root element.</summary>
    private readonly void SetPath(ReadOnlySpan<byte> name)
    {
        if (_depth > 0)
            Path!.Set(_depth, Encoding.UTF8.GetString(name.ToArray()));
    }

    private bool ReadNullSlow(ReadOnlySpan<byte> name)
    {
        if (!ToBoolean(_nil))
            return false;
        if (Enter())
        {
            while (MoveToElement())
                Skip();
            Leave(name);
        }

        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryOpen(ReadOnlySpan<byte> name)
    {
        int end = _position + 1 + name.Length;
        if ((uint)end >= (uint)_body.Length || _body[_position] != '<' || !_body.Slice(_position + 1, name.Length).SequenceEqual(name)
            || _body[end] is not ((byte)'>' or (byte)' ' or (byte)'/' or (byte)'\r' or (byte)'\n' or (byte)'\t'))
            return false;
        if (_depth >= _maxDepth)
            ThrowHelper.ThrowElementDepthExceeded(OffsetOf(_position), _maxDepth);
        _elementStart = _position;
        _position = end;
        if (Path is not null)
            SetPath(name);
        return true;
    }

    /// <summary>Moves to the end, where nothing is found.</summary>
    /// <returns>Always <see langword="false"/>.</returns>
    private bool Fail()
    {
        if (IsCanonical)
            ThrowHelper.ThrowMalformed(ByteOffset, "An element that should contain only a value contains something else.");
        HasFailed = true;
        _text = default;
        _position = _body.Length;
        return false;
    }

    private readonly long OffsetOf(int position)
    {
        if (_canonical is null)
            return position;
        (int line, int column) = _canonical.SourceOf(position);
        return XmlBodyText.ByteOffset(_source, line, column);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryEndTag(int position, ReadOnlySpan<byte> name)
    {
        int end = position + 2 + name.Length;
        if ((uint)end >= (uint)_body.Length || _body[position] != '<' || _body[position + 1] != '/' || _body[end] != '>'
            || !_body.Slice(position + 2, name.Length).SequenceEqual(name))
            return false;
        _position = end + 1;
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void SkipWhiteSpace()
    {
        ReadOnlySpan<byte> body = _body;
        int i = _position;
        while ((uint)i < (uint)body.Length && body[i] is (byte)' ' or (byte)'\r' or (byte)'\n' or (byte)'\t')
            i++;
        _position = i;
    }

    private void SkipDeclaration()
    {
        ReadOnlySpan<byte> rest = _body.Slice(_position);
        if (rest.StartsWith("<?xml version=\"1.0\"?>"u8))
            _position += 21;
        else if (rest.StartsWith("<?xml version=\"1.0\" encoding=\"utf-8\"?>"u8))
            _position += 38;
    }
}
