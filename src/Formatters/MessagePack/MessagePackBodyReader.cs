using System;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters.MessagePack;

/// <summary>Reads MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md): every valid form of a value, bounded by the body.</summary>
/// <remarks>
/// <para>A <c>ref struct</c>: pass it by reference. A value of another kind, a number out of range, text that is not UTF-8, a length that is larger
/// than the remaining bytes: each throws a <see cref="MessageFormatException"/> with the byte offset, before anything is allocated for it. A nil
/// where a value is expected results in <see cref="MessageFormatErrorCode.UnexpectedNull"/>.</para>
/// <para>Call <see cref="EnsureEnd"/> after the value; <see cref="MessagePackFormatter{T}"/> does.</para>
/// </remarks>
public ref partial struct MessagePackBodyReader
{
    private BodyInput _input;

    /// <summary>Creates a reader over a whole body.</summary>
    /// <param name="body">The body.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="MessageFormatException">The body is longer than <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public MessagePackBodyReader(ReadOnlySpan<byte> body, FormatterLimits? limits = null) => _input = new BodyInput(body, limits);

    /// <summary>Creates a reader at the position of a traversal reader; <see cref="Input"/> returns it.</summary>
    internal MessagePackBodyReader(BodyInput input) => _input = input;

    /// <summary>Gets the number of remaining bytes.</summary>
    public readonly int BytesRemaining => _input.BytesRemaining;

    /// <summary>Gets the offset of the next byte from the start of the body.</summary>
    public readonly int ByteOffset => _input.ByteOffset;

    /// <summary>Gets the limits.</summary>
    public readonly FormatterLimits Limits => _input.Limits;

    /// <summary>Gets the kind of the next value.</summary>
    /// <exception cref="MessageFormatException">The body ends here, or the next byte is <c>C1</c>.</exception>
    public readonly MessagePackType NextType => MessagePackInput.NextType(in _input);

    /// <summary>Throws if bytes remain after the value.</summary>
    /// <exception cref="MessageFormatException"><see cref="MessageFormatErrorCode.TrailingBytes"/>.</exception>
    public readonly void EnsureEnd() => _input.EnsureEnd();

    /// <summary>
    /// Increments the depth: call it for every array or map whose elements are read individually. Pair it with <see cref="Leave"/>.
    /// </summary>
    /// <exception cref="MessageFormatException">Deeper than <see cref="FormatterLimits.MaxDepth"/>.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter() => _input.Enter();

    /// <summary>Decrements the depth after <see cref="Enter"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => _input.Leave();

    /// <summary>Reads a nil if one is next.</summary>
    /// <returns>Whether it was.</returns>
    /// <exception cref="MessageFormatException">The body ends here.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadNil() => MessagePackInput.TryReadNil(ref _input);

    /// <summary>Reads the header of an array, and checks the number of elements against the remaining bytes: each takes at least one.</summary>
    /// <param name="elementAllocation">The approximate number of bytes to be allocated for an element, for <see
    /// cref="FormatterLimits.MaxAllocationFactor"/>; 0 for none.</param>
    /// <returns>The number of elements.</returns>
    /// <exception cref="MessageFormatException">Not an array; more elements than bytes remain, or than the limits allow.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadArrayHeader(int elementAllocation = 0) => MessagePackInput.ReadArrayHeader(ref _input, elementAllocation);

    /// <summary>Reads the header of a map, and checks the number of entries against the remaining bytes: each takes at least two.</summary>
    /// <param name="entryAllocation">The approximate number of bytes to be allocated for an entry; 0 for none.</param>
    /// <returns>The number of entries.</returns>
    /// <exception cref="MessageFormatException">Not a map; more entries than bytes remain, or than the limits allow.</exception>
    public int ReadMapHeader(int entryAllocation = 0) => MessagePackInput.ReadMapHeader(ref _input, entryAllocation);

    /// <summary>Reads the header of any value, as <see cref="MessagePackEncoding.TryReadHeader"/> does; its content is next.</summary>
    /// <returns>The header.</returns>
    /// <exception cref="MessageFormatException">The body ends within it; the byte <c>C1</c>; more content than bytes remain, or than the limits
    /// allow.</exception>
    public MessagePackHeader ReadHeader() => MessagePackInput.ReadHeader(ref _input);

    /// <summary>Reads an extension.</summary>
    /// <param name="extensionType">Its type number.</param>
    /// <returns>Its bytes: a view of the body, not a copy.</returns>
    /// <exception cref="MessageFormatException">Not an extension, or the body ends too early.</exception>
    public ReadOnlySpan<byte> ReadExtension(out sbyte extensionType)
    {
        MessagePackHeader header = MessagePackInput.PeekHeader(ref _input);
        if (header.Type != MessagePackType.Extension)
            MessagePackInput.ThrowMismatch(ref _input, "extension");
        extensionType = header.ExtensionType;
        return MessagePackInput.TakeContent(ref _input, header);
    }

    /// <summary>Skips one value of any kind, including its content.</summary>
    /// <exception cref="MessageFormatException">The body ends too early; the byte <c>C1</c>; deeper than the limits allow.</exception>
    public void Skip() => MessagePackInput.Skip(ref _input);

    /// <summary>Skips one value, and returns its bytes, to be read later or written elsewhere.</summary>
    /// <returns>The value: a view of the body, not a copy.</returns>
    /// <inheritdoc cref="Skip" path="/exception"/>
    public ReadOnlySpan<byte> ReadRaw()
    {
        ReadOnlySpan<byte> remaining = _input.Remaining;
        Skip();
        return remaining.Slice(0, remaining.Length - BytesRemaining);
    }

    /// <summary>Gets the input, for the traversal, which reads a part of the body.</summary>
    internal BodyInput Input
    {
        readonly get => _input;
        set => _input = value;
    }

    /// <summary>Throws if the next value is a nil.</summary>
    internal readonly void RefuseNil()
    {
        if (_input.Require(1) == MessagePackCode.Nil)
            ThrowHelper.ThrowUnexpectedNil(ByteOffset);
    }
}
