// Extensible Markup Language (XML) 1.0: https://www.w3.org/TR/xml/
using System;
using System.Buffers;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

/// <summary>Writes the elements of an XML body, byte for byte as XmlSerializer does over the writer of the style; for generated code.</summary>
/// <remarks>
/// Names are UTF-8 that needs no escaping. A start tag stays open after <see cref="Start"/>, for attributes; the next content closes it.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref partial struct XmlBodyWriter
{
    private readonly IBufferWriter<byte> _output;
    private readonly FormatterLimits _limits;
    private readonly XmlBodyStyle _style;
    private Span<byte> _span;
    private ReadOnlySpan<byte> _namespace;
    private long _committed;
    private int _position;
    private int _depth;
    private StackWindow _stack;
    private bool _isTagOpen;
    private bool _isInAttribute;
    private bool _isPlaced;

    internal XmlBodyWriter(IBufferWriter<byte> output, XmlBodyStyle style, FormatterLimits limits)
    {
        _output = output;
        _limits = limits;
        _style = style;
        _span = output.GetSpan();
        _stack = StackWindow.Begin();
    }

    /// <summary>Gets the member path, which generated code tracks only when it is run again after an error.</summary>
    internal MemberPath? Path { readonly get; init; }

    private readonly bool IsFramework => _style == XmlBodyStyle.Framework;

    internal readonly long BytesWritten => _committed + _position;

    /// <summary>Begins the body, before the root element.</summary>
    /// <param name="space">The namespace of all elements; empty for none.</param>
    public void Begin(ReadOnlySpan<byte> space)
    {
        Ensure(64);
        Put(IsFramework ? "<?xml version=\"1.0\"?>"u8 : "<?xml version=\"1.0\" encoding=\"utf-8\"?>"u8);
        _namespace = space;
    }

    /// <summary>Sets the member of the next element for errors, if its name differs.</summary>
    /// <param name="member">The name of the member; null in an element of its collection.</param>
    /// <param name="index">The index of an element of a collection; -1 for none.</param>
    public void At(string? member, int index = -1)
    {
        Path?.Set(_depth, member, index);
        _isPlaced = true;
    }

    /// <summary>Does what <see cref="At"/> does, for an attribute or the text of the open element.</summary>
    /// <param name="member">The name of the member.</param>
    public readonly void AtText(string member) => Path?.Set(_depth, member);

    /// <summary>Begins an element, up to its attributes.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="MessageFormatException">Deeper than <see cref="FormatterLimits.MaxDepth"/>: in most cases a cycle in the object
    /// graph.</exception>
    public void Start(ReadOnlySpan<byte> name)
    {
        BeginLine(name.Length + 1);
        _span[_position++] = (byte)'<';
        Put(name);
        if (Path is not null)
            SetPath(name);
        if (_depth == 0)
            PutRootNamespaces();
        if (++_depth > _limits.MaxDepth)
            ThrowHelper.ThrowDepthExceeded(-1, _limits.MaxDepth, writing: true);
        if (!_stack.ContainsCaller)
            _stack.MoveToCaller(-1);
        _isTagOpen = true;
    }

    /// <summary>Ends an element whose content, if any, is elements.</summary>
    /// <param name="name">The name.</param>
    public void End(ReadOnlySpan<byte> name)
    {
        _depth--;
        if (_isTagOpen)
        {
            EndEmpty();
            return;
        }

        BeginLine(name.Length + 3);
        PutEndTag(name);
    }

    /// <summary>Ends an element whose content, if any, is text.</summary>
    /// <param name="name">The name.</param>
    public void EndText(ReadOnlySpan<byte> name)
    {
        _depth--;
        if (_isTagOpen)
        {
            EndEmpty();
            return;
        }

        Ensure(name.Length + 3);
        PutEndTag(name);
    }

    /// <summary>Writes an element that represents null.</summary>
    /// <param name="name">The name.</param>
    public void Nil(ReadOnlySpan<byte> name)
    {
        BeginLeaf(name, 24);
        Put(" xsi:nil=\"true\" />"u8);
    }

    /// <summary>Writes the name of a type, as an attribute.</summary>
    /// <param name="name">The name.</param>
    public void TypeName(ReadOnlySpan<byte> name)
    {
        Ensure(name.Length + 16);
        Put(" xsi:type=\""u8);
        Put(name);
        _span[_position++] = (byte)'"';
    }

    /// <summary>Writes an element with a value.</summary>
    /// <typeparam name="T">One of the value types that <c>Value</c> takes.</typeparam>
    /// <param name="name">The name.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="InvalidCastException">Another type.</exception>
    public void Element<T>(ReadOnlySpan<byte> name, T value)
        where T : struct
    {
        Open(name);
        Value(value);
        Close(name);
    }

    /// <summary>Writes a value as an attribute.</summary>
    /// <typeparam name="T">A number, a boolean, a date, a duration or a GUID.</typeparam>
    /// <param name="name">The name.</param>
    /// <param name="value">The value.</param>
    public void Attribute<T>(ReadOnlySpan<byte> name, T value)
        where T : struct
    {
        OpenAttribute(name);
        Value(value);
        CloseAttribute();
    }

    /// <summary>Writes bytes as an attribute, or nothing for null.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The bytes.</param>
    public void Attribute(ReadOnlySpan<byte> name, byte[]? value)
    {
        if (value is null)
            return;
        OpenAttribute(name);
        Value(value);
        CloseAttribute();
    }

    /// <summary>Writes a value as the content of an element that <see cref="EndText"/> ends.</summary>
    /// <typeparam name="T">A number, a boolean, a date, a duration or a GUID.</typeparam>
    /// <param name="value">The value.</param>
    public void Content<T>(T value)
        where T : struct
    {
        OpenText();
        Value(value);
    }

    /// <summary>Writes bytes as the content of an element that <see cref="EndText"/> ends, or nothing for null.</summary>
    /// <param name="value">The bytes.</param>
    public void Content(byte[]? value)
    {
        if (value is null)
            return;
        OpenText();
        Value(value);
    }

    /// <summary>Writes a string as an element, or nothing for null.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The string.</param>
    public void Text(ReadOnlySpan<byte> name, string? value)
    {
        if (value is null)
        {
            _isPlaced = false;
            return;
        }

        if (value.Length == 0)
        {
            BeginLeaf(name, 3);
            Put(" />"u8);
            return;
        }

        BeginLeaf(name, 1);
        _span[_position++] = (byte)'>';
        Value(value);
        Close(name);
    }

    /// <summary>Writes a list of strings as an element, or nothing for null.</summary>
    /// <param name="name">The name of the list.</param>
    /// <param name="itemName">The name of each string.</param>
    /// <param name="items">The strings.</param>
    public void Texts(ReadOnlySpan<byte> name, ReadOnlySpan<byte> itemName, List<string?>? items)
    {
        if (items is null)
        {
            _isPlaced = false;
            return;
        }

        Start(name);
        for (int i = 0; i < items.Count; i++)
        {
            string? item = items[i];
            At(null, i);
            if (item is null)
                Nil(itemName);
            else
                Text(itemName, item);
        }

        End(name);
    }

    /// <summary>Writes bytes as an element.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The bytes.</param>
    public void Bytes(ReadOnlySpan<byte> name, byte[] value)
    {
        if (value.Length == 0)
        {
            Text(name, "");
            return;
        }

        Open(name);
        Value(value);
        Close(name);
    }

    /// <summary>Writes a string as an attribute, or nothing for null.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The string.</param>
    public void Attribute(ReadOnlySpan<byte> name, string? value)
    {
        if (value is null)
            return;
        OpenAttribute(name);
        Value(value);
        CloseAttribute();
    }

    /// <summary>Writes a string as the content of an element, or nothing for null.</summary>
    /// <param name="value">The string.</param>
    public void Content(string? value)
    {
        // XmlTextWriter ignores an empty string, the writers of .NET close the start tag for it.
        if (value is null || (value.Length == 0 && IsFramework))
            return;
        OpenText();
        Value(value);
    }

    /// <summary>Throws the error for an object whose type the contract does not list.</summary>
    /// <param name="name">The name of its element.</param>
    [System.Diagnostics.CodeAnalysis.DoesNotReturn]
    public void ThrowUnknownType(ReadOnlySpan<byte> name)
    {
        if (Path is not null)
            SetPath(name);
        throw new MessageFormatException(
            MessageFormatErrorCode.TypeNotAllowed, "A member holds an object of a type that its contract does not name (XmlInclude).");
    }

    /// <summary>Throws the error for an enum value without a name.</summary>
    /// <returns>Never.</returns>
    [System.Diagnostics.CodeAnalysis.DoesNotReturn]
    public static string ThrowUnknownEnum() => throw new MessageFormatException(
        MessageFormatErrorCode.BadValue, "An enum has a value without a name.");

    /// <summary>Formats an enum with <c>[Flags]</c>.</summary>
    /// <param name="value">The value.</param>
    /// <param name="names">The names of the enum.</param>
    /// <param name="values">Their values.</param>
    /// <returns>The first name of the value; without one, the names whose values it contains, separated by spaces.</returns>
    /// <exception cref="MessageFormatException">It has a bit without a name.</exception>
    public static string FlagNames(long value, string[] names, long[] values)
    {
        int exact = Array.IndexOf(values, value);
        if (exact >= 0)
            return names[exact];
        string text = "";
        long rest = value;
        for (int i = 0; i < values.Length; i++)
        {
            if (values[i] != 0 && rest != 0 && (values[i] & value) == values[i])
            {
                text = text.Length == 0 ? names[i] : text + " " + names[i];
                rest &= ~values[i];
            }
        }

        if (rest != 0)
            ThrowUnknownEnum();
        return text;
    }

    internal void Flush()
    {
        if (BytesWritten > _limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(BytesWritten, _limits.MaxBodyByteCount);
        Commit();
        _span = default;
    }

    private void PutRootNamespaces()
    {
        ReadOnlySpan<byte> attributes = IsFramework
            ? " xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""u8
            : " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\""u8;
        Ensure(attributes.Length);
        Put(attributes);
    }

    /// <summary>Begins a line for a tag, and ensures space for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void BeginLine(int byteCount)
    {
        Ensure(byteCount + 16 + (2 * _depth) + _namespace.Length);
        if (_isTagOpen)
            CloseTag();
        if (_style == XmlBodyStyle.Compact)
            return;
        Span<byte> to = _span.Slice(_position, 2 + (2 * _depth));
        to[0] = (byte)'\r';
        to[1] = (byte)'\n';
        to.Slice(2).Fill((byte)' ');
        _position += to.Length;
    }

    private void Open(ReadOnlySpan<byte> name)
    {
        BeginLeaf(name, 1);
        _span[_position++] = (byte)'>';
    }

    private void Close(ReadOnlySpan<byte> name)
    {
        Ensure(name.Length + 3);
        PutEndTag(name);
    }

    /// <summary>Begins an element without nested elements, up to its name, and ensures space for more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void BeginLeaf(ReadOnlySpan<byte> name, int byteCount)
    {
        if (_depth >= _limits.MaxDepth)
            ThrowHelper.ThrowDepthExceeded(-1, _limits.MaxDepth, writing: true);
        BeginLine(1 + name.Length + byteCount);
        _span[_position++] = (byte)'<';
        Put(name);
        if (Path is not null)
            SetPath(name);
    }

    /// <summary>Sets the path, which begins with the type of the payload, not with the name of the root element.</summary>
    private void SetPath(ReadOnlySpan<byte> name)
    {
        if (_depth > 0 && !_isPlaced)
            Path!.Set(_depth, System.Text.Encoding.UTF8.GetString(name.ToArray()));
        _isPlaced = false;
    }

    private void EndEmpty()
    {
        Ensure(16 + _namespace.Length);
        PutNamespace();
        Put(" />"u8);
        _isTagOpen = false;
    }

    private void CloseTag()
    {
        PutNamespace();
        _span[_position++] = (byte)'>';
        _isTagOpen = false;
    }

    // The writers of the runtime declare the namespace of the root after its attributes.
    private void PutNamespace()
    {
        if (_namespace.IsEmpty)
            return;
        Put(" xmlns=\""u8);
        Put(_namespace);
        _span[_position++] = (byte)'"';
        _namespace = default;
    }

    private void PutEndTag(ReadOnlySpan<byte> name)
    {
        _span[_position++] = (byte)'<';
        _span[_position++] = (byte)'/';
        Put(name);
        _span[_position++] = (byte)'>';
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Put(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_span.Slice(_position));
        _position += bytes.Length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Ensure(int byteCount)
    {
        if (_span.Length - _position < byteCount)
            Grow(byteCount);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int byteCount)
    {
        if (BytesWritten > _limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(BytesWritten, _limits.MaxBodyByteCount);
        Commit();
        _span = default;
        Span<byte> span = _output.GetSpan(byteCount);
        if (span.Length < byteCount)
            ThrowHelper.ThrowShortSpan();
        _span = span;
    }

    private void Commit()
    {
        if (_position > 0)
            _output.Advance(_position);
        _committed += _position;
        _position = 0;
    }

    private void OpenAttribute(ReadOnlySpan<byte> name)
    {
        Ensure(name.Length + 3);
        _span[_position++] = (byte)' ';
        Put(name);
        _span[_position++] = (byte)'=';
        _span[_position++] = (byte)'"';
        _isInAttribute = true;
    }

    private void CloseAttribute()
    {
        Ensure(1);
        _span[_position++] = (byte)'"';
        _isInAttribute = false;
    }

    /// <summary>Ends the start tag, before the content of an element.</summary>
    private void OpenText()
    {
        Ensure(16 + _namespace.Length);
        CloseTag();
    }
}
