// Extensible Markup Language (XML) 1.0: https://www.w3.org/TR/xml/; Namespaces in XML: https://www.w3.org/TR/xml-names/
using System;
using System.Runtime.CompilerServices;
using System.Xml;

namespace Formatters.Generated;

// A start tag is scanned once for xsi:nil and xsi:type, which decide what is read; a type with attributes scans it again for these.
public ref partial struct XmlBodyReader
{
    /// <summary>Goes back to the first attribute of the element.</summary>
    public void RewindAttributes()
    {
        ReadStartTag();
        if (HasFailed)
            return;
        _position = _attributes;
        _hasAttributes = false;
    }

    /// <summary>Advances to the value of the next attribute.</summary>
    /// <param name="name">Its name.</param>
    /// <returns><see langword="false"/> at the end of the start tag.</returns>
    public bool MoveToAttribute(out ReadOnlySpan<byte> name)
    {
        name = default;
        while (!HasFailed)
        {
            SkipWhiteSpace();
            if (_position >= _body.Length)
                return Fail();
            if (_body[_position] is (byte)'>' or (byte)'/')
                return false;
            int length = _body.Slice(_position).IndexOf((byte)'=');
            name = _body.Slice(_position, length);
            _position += length + 1;
            if (name.IndexOf((byte)':') < 0 && !name.SequenceEqual("xmlns"u8))
                return true;
            SkipAttributeValue();
        }

        return false;
    }

    /// <summary>Skips the value of an unknown attribute.</summary>
    public void SkipAttribute()
    {
        if (!IsCanonical)
            Fail(); // it may occur twice
        else
            SkipAttributeValue();
    }

    /// <summary>Reads the value of an attribute, which can then be retrieved.</summary>
    public void ReadAttributeValue()
    {
        if (HasFailed)
            return;
        int length = _body.Slice(_position + 1).IndexOf(_body[_position]);
        _text = Unescape(_body.Slice(_position + 1, length));
        _position += length + 2;
    }

    private void SkipAttributeValue()
    {
        byte quote = _body[_position];
        _position += _body.Slice(_position + 1).IndexOf(quote) + 2;
    }

    /// <summary>Advances to the '&gt;' or '/&gt;' of a start tag, if necessary.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void ReadStartTag()
    {
        if (_position == _attributesEnd)
            return;
        _hasNil = false;
        _hasAttributes = false;
        _typeName = default;
        _attributes = _position;
        _attributesEnd = _position;
        if ((uint)_position >= (uint)_body.Length || _body[_position] != '>')
            ReadAttributes();
    }

    private void ReadAttributes()
    {
        while (!HasFailed)
        {
            int before = _position;
            SkipWhiteSpace();
            if (_position + 1 >= _body.Length)
            {
                Fail();
                return;
            }

            if (_body[_position] == '>' || (_body[_position] == '/' && _body[_position + 1] == '>'))
                break;
            if (before == _position || !ReadAttribute())
                Fail();
        }

        _attributesEnd = _position;
    }

    private bool ReadAttribute()
    {
        ReadOnlySpan<byte> rest = _body.Slice(_position);
        int nameLength = rest.IndexOf((byte)'=');
        if (nameLength <= 0 || nameLength + 1 >= rest.Length)
            return false;
        ReadOnlySpan<byte> name = rest.Slice(0, nameLength);
        byte quote = rest[nameLength + 1];
        int valueLength = quote is (byte)'"' or (byte)'\'' ? rest.Slice(nameLength + 2).IndexOf(quote) : -1;
        if (valueLength < 0)
            return false;
        ReadOnlySpan<byte> value = rest.Slice(nameLength + 2, valueLength);
        _position += nameLength + valueLength + 3;
        if (name.SequenceEqual("xsi:nil"u8))
        {
            // Another value is an error where null is allowed, and is otherwise ignored.
            if (!IsCanonical && (!_hasInstanceNamespace || _hasNil || !(value.SequenceEqual("true"u8) || value.SequenceEqual("false"u8))))
                return false;
            _hasNil = true;
            _nil = value;
            return true;
        }

        if (name.SequenceEqual("xsi:type"u8))
        {
            // A prefix would have to be resolved.
            if (!IsCanonical && (!_hasInstanceNamespace || !_typeName.IsEmpty || !IsPlainName(value)))
                return false;
            _typeName = value;
            return true;
        }

        if (IsCanonical)
            return true;
        if (name.StartsWith("xmlns"u8))
            return _depth == 0 && ReadNamespace(name.Slice(5), value);
        _hasAttributes = true;
        return IsPlainName(name) && IsPlainValue(value);
    }

    private bool ReadNamespace(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> space)
    {
        if (prefix.IsEmpty)
            return !_hasNamespace && !space.IsEmpty && space.SequenceEqual(_namespace) && (_hasNamespace = true);
        if (prefix.SequenceEqual(":xsi"u8))
            return !_hasInstanceNamespace && space.SequenceEqual("http://www.w3.org/2001/XMLSchema-instance"u8) && (_hasInstanceNamespace = true);
        return !_hasSchemaNamespace && prefix.SequenceEqual(":xsd"u8) && space.SequenceEqual("http://www.w3.org/2001/XMLSchema"u8)
            && (_hasSchemaNamespace = true);
    }

    private static bool IsPlainName(ReadOnlySpan<byte> name)
    {
        if (name.IsEmpty || !IsNameStart(name[0]))
            return false;
        foreach (byte b in name)
        {
            if (!IsNameStart(b) && b is not (>= (byte)'0' and <= (byte)'9' or (byte)'-' or (byte)'.'))
                return false;
        }

        return true;
    }

    private static bool IsNameStart(byte b) => b is >= (byte)'A' and <= (byte)'Z' or >= (byte)'a' and <= (byte)'z' or (byte)'_';

    private static bool IsPlainValue(ReadOnlySpan<byte> value)
    {
        foreach (byte b in value)
        {
            if (b is < 0x20 or (byte)'<')
                return false;
        }

        return true;
    }

    private readonly bool ToBoolean(ReadOnlySpan<byte> value)
    {
        if (value.SequenceEqual("true"u8))
            return true;
        try
        {
            return XmlConvert.ToBoolean(System.Text.Encoding.UTF8.GetString(value.ToArray()));
        }
        catch (FormatException)
        {
            ThrowHelper.ThrowBadValue(ByteOffset, "bool");
            return false;
        }
    }
}
