using System;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>Reads MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md): every legal form of a value, bounded by the body.</summary>
/// <remarks>
/// <para>A <c>ref struct</c>: pass it by reference. A value of another kind, a number out of range, text that is not UTF-8, a length that is larger than
/// what remains: each gives a <see cref="MessageFormatException"/> with the byte offset, before anything is allocated for it. A nil where a
/// value is asked for gives <see cref="MessageFormatErrorCode.UnexpectedNull"/>.</para>
/// <para>Call <see cref="EnsureEnd"/> behind the value; <see cref="MessagePackFormatter{T}"/> does.</para>
/// </remarks>
public ref partial struct MessagePackBodyReader
{
    private BodyInput _input;

    /// <summary>Makes a reader over a whole body.</summary>
    /// <param name="body">The body.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="MessageFormatException">The body is longer than <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public MessagePackBodyReader(ReadOnlySpan<byte> body, FormatterLimits? limits = null) => _input = new BodyInput(body, limits);

    /// <summary>The number of bytes not yet read.</summary>
    public readonly int BytesRemaining => _input.BytesRemaining;

    /// <summary>Where the next byte lies, in bytes from the start of the body.</summary>
    public readonly int ByteOffset => _input.ByteOffset;

    /// <summary>The limits under which this reader works.</summary>
    public readonly FormatterLimits Limits => _input.Limits;

    /// <summary>The kind of the next value.</summary>
    /// <exception cref="MessageFormatException">The body ends here, or the next byte is <c>C1</c>.</exception>
    public readonly MessagePackType NextType
    {
        get
        {
            MessagePackType type = MessagePackEncoding.GetType(_input.Require(1));
            if (type == MessagePackType.None)
                ThrowNeverUsed();
            return type;
        }
    }

    /// <summary>Refuses bytes behind the value.</summary>
    /// <exception cref="MessageFormatException"><see cref="MessageFormatErrorCode.TrailingBytes"/>.</exception>
    public readonly void EnsureEnd() => _input.EnsureEnd();

    /// <summary>Counts one level of nesting: call it with every array or map whose elements are read one by one. Pair it with <see cref="Leave"/>.</summary>
    /// <exception cref="MessageFormatException">Deeper than <see cref="FormatterLimits.MaxDepth"/>.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter() => _input.Enter();

    /// <summary>Ends what <see cref="Enter"/> began.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => _input.Leave();

    /// <summary>Reads a nil if one is next.</summary>
    /// <returns>Whether it was.</returns>
    /// <exception cref="MessageFormatException">The body ends here.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadNil()
    {
        ref byte p = ref _input.Require(1);
        if (p != MessagePackCode.Nil)
            return false;
        _input.Advance(ref p, 1);
        return true;
    }

    /// <summary>Reads the header of an array, and checks the number of elements against the bytes that remain: each takes one at least.</summary>
    /// <param name="elementAllocation">About how many bytes of memory will be allocated for an element, for <see cref="FormatterLimits.MaxAllocationFactor"/>; 0 for none.</param>
    /// <returns>The number of elements.</returns>
    /// <exception cref="MessageFormatException">No array; more elements than bytes remain, or than the limits allow.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadArrayHeader(int elementAllocation = 0)
    {
        ref byte p = ref _input.Position;
        int remaining = _input.RemainingAt(ref p);
        if (remaining > 0 && elementAllocation == 0)
        {
            int elementCount = p - MessagePackCode.FixArray;
            if ((uint)elementCount <= MessagePackCode.MaxFixCount && elementCount < remaining && elementCount <= _input.Limits.MaxElementCount)
            {
                _input.Advance(ref p, 1);
                return elementCount;
            }
        }

        return ReadCount(MessagePackType.Array, 1, elementAllocation);
    }

    /// <summary>Reads the header of a map, and checks the number of entries against the bytes that remain: each takes two at least.</summary>
    /// <param name="entryAllocation">About how many bytes of memory will be allocated for an entry; 0 for none.</param>
    /// <returns>The number of entries.</returns>
    /// <exception cref="MessageFormatException">No map; more entries than bytes remain, or than the limits allow.</exception>
    public int ReadMapHeader(int entryAllocation = 0) => ReadCount(MessagePackType.Map, 2, entryAllocation);

    /// <summary>Reads the header of any value, as <see cref="MessagePackEncoding.TryReadHeader"/> does; its content is next.</summary>
    /// <returns>The header.</returns>
    /// <exception cref="MessageFormatException">The body ends within it; the byte <c>C1</c>; more content than bytes remain, or than the limits allow.</exception>
    public MessagePackHeader ReadHeader()
    {
        int byteOffset = ByteOffset;
        MessagePackHeader header = PeekHeader();
        _input.Advance(header.HeaderByteCount);
        if (header.Type is MessagePackType.Array or MessagePackType.Map)
            _input.CheckCount(byteOffset, header.Count, header.Type == MessagePackType.Map ? 2 : 1, 0);
        else if (header.Count > (uint)BytesRemaining)
            _input.ThrowTruncated(header.Count);
        return header;
    }

    /// <summary>Reads an extension.</summary>
    /// <param name="extensionType">Its type number.</param>
    /// <returns>Its bytes: a view of the body, not a copy.</returns>
    /// <exception cref="MessageFormatException">No extension, or the body ends before.</exception>
    public ReadOnlySpan<byte> ReadExtension(out sbyte extensionType)
    {
        MessagePackHeader header = PeekHeader();
        if (header.Type != MessagePackType.Extension)
            ThrowMismatch("extension");
        extensionType = header.ExtensionType;
        return TakeContent(header);
    }

    /// <summary>Passes over one value of any kind, with all that lies in it.</summary>
    /// <exception cref="MessageFormatException">The body ends before; the byte <c>C1</c>; deeper than the limits allow.</exception>
    public void Skip()
    {
        MessagePackHeader header = ReadHeader();
        if (header.Type is not (MessagePackType.Array or MessagePackType.Map))
        {
            _input.Advance((int)header.Count);
            return;
        }

        Enter();
        for (long i = header.Type == MessagePackType.Map ? 2L * header.Count : header.Count; i > 0; i--)
            Skip();
        Leave();
    }

    /// <summary>Passes over one value, and gives its bytes, to be read later or written elsewhere.</summary>
    /// <returns>The value: a view of the body, not a copy.</returns>
    /// <inheritdoc cref="Skip" path="/exception"/>
    public ReadOnlySpan<byte> ReadRaw()
    {
        ReadOnlySpan<byte> remaining = _input.Remaining;
        Skip();
        return remaining.Slice(0, remaining.Length - BytesRemaining);
    }

    /// <summary>Where in the object graph the reader is, while generated code keeps account of it.</summary>
    internal MemberPath? Path
    {
        readonly get => _input.Path;
        init => _input.Path = value;
    }

    /// <summary>Passes over a value that is the next in the body, if it is.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryTake(ReadOnlySpan<byte> encoded)
    {
        if (!_input.Remaining.StartsWith(encoded))
            return false;
        _input.Advance(encoded.Length);
        return true;
    }

    /// <summary>Counts a level of nesting in which there is no further one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Touch() => _input.Touch();

    /// <summary>Gives generated code the position.</summary>
    internal readonly ref byte Begin() => ref _input.Position;

    /// <summary>Takes the position back.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void End(ref byte position) => _input.MoveTo(ref position);

    /// <summary>The number of bytes from a position of generated code to the end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int RemainingAt(ref byte position) => _input.RemainingAt(ref position);

    /// <summary>How far the reader has got behind a position of generated code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int BytesReadSince(ref byte position) => (int)Unsafe.ByteOffset(ref position, ref _input.Position);

    /// <summary>The bytes not yet read.</summary>
    internal readonly ReadOnlySpan<byte> Remaining => _input.Remaining;

    /// <summary>Refuses a nil as the next value.</summary>
    internal readonly void RefuseNil()
    {
        if (_input.Require(1) == MessagePackCode.Nil)
            ThrowHelper.ThrowUnexpectedNil(ByteOffset);
    }

    /// <summary>Counts memory that is allocated for what has been read.</summary>
    internal void ChargeAllocation(int byteOffset, int byteCount) => _input.CheckCount(byteOffset, 1, 0, byteCount);

    private readonly MessagePackHeader PeekHeader()
    {
        if (!MessagePackEncoding.TryReadHeader(_input.Remaining, out MessagePackHeader header, out int bytesRead))
            ThrowUnread(bytesRead, "value");
        return header;
    }

    private ReadOnlySpan<byte> TakeContent(MessagePackHeader header)
    {
        if (header.HeaderByteCount + (long)header.Count > BytesRemaining)
            _input.ThrowTruncated(header.HeaderByteCount + (long)header.Count);
        _input.Advance(header.HeaderByteCount);
        return _input.Take((int)header.Count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ReadCount(MessagePackType type, int minElementByteCount, int elementAllocation)
    {
        int byteOffset = ByteOffset;
        if (NextType != type)
            ThrowMismatch(type == MessagePackType.Array ? "array" : "map");
        MessagePackHeader header = PeekHeader();
        _input.Advance(header.HeaderByteCount);
        _input.CheckCount(byteOffset, header.Count, minElementByteCount, elementAllocation);
        return (int)header.Count;
    }

    /// <summary>The error of a method of <see cref="MessagePackEncoding"/> that returned false.</summary>
    private readonly void ThrowUnread(int bytesRead, string what)
    {
        if (bytesRead > BytesRemaining)
            _input.ThrowTruncated(bytesRead);
        ThrowMismatch(what);
    }

    /// <summary>The next value is not what it should be.</summary>
    private readonly void ThrowMismatch(string what)
    {
        byte code = _input.Require(1);
        if (code == MessagePackCode.Nil)
            ThrowHelper.ThrowUnexpectedNil(ByteOffset);
        if (code == MessagePackCode.NeverUsed)
            ThrowNeverUsed();
        ThrowHelper.ThrowBadValue(ByteOffset, what);
    }

    private readonly void ThrowNeverUsed() => ThrowHelper.ThrowMalformed(ByteOffset, "The byte C1 begins no value of MessagePack.");
}
