// https://protobuf.dev/programming-guides/encoding/
using System;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters.Protobuf;

/// <summary>Reads protobuf (https://protobuf.dev/programming-guides/encoding/): fields of a message in any order, bounded by the message.</summary>
/// <remarks>
/// <para>A <c>ref struct</c>: pass it by reference. An invalid tag or varint, a length that is larger than the rest of the message, text that is not
/// UTF-8, groups that are nested too deeply: each throws a <see cref="MessageFormatException"/> with the byte offset, before anything is allocated
/// for it.</para>
/// <para>The reader does not check that a value has the wire type of the tag before it: compare the tag first, and skip other fields with <see
/// cref="Skip"/>.</para>
/// </remarks>
/// <example><code>
/// while (reader.TryReadTag(out int number, out ProtobufWireType wireType))
/// {
///     if (number == 1 &amp;&amp; wireType == ProtobufWireType.Varint)
///         order.CustomerId = reader.ReadInt32();
///     else
///         reader.Skip(number, wireType);
/// }
/// </code></example>
public ref partial struct ProtobufBodyReader
{
    private BodyInput _input;
    private MessageParts? _parts;

    /// <summary>Creates a reader over a whole body, which is one message.</summary>
    /// <param name="body">The body.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="MessageFormatException">The body is longer than <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public ProtobufBodyReader(ReadOnlySpan<byte> body, FormatterLimits? limits = null)
    {
        _input = new BodyInput(body, limits);
        _input.Enter();
    }

    /// <summary>Gets the number of remaining bytes of the message.</summary>
    public readonly int BytesRemaining => _input.BytesRemaining;

    /// <summary>Gets the offset of the next byte from the start of the body.</summary>
    public readonly int ByteOffset => _input.ByteOffset;

    /// <summary>Gets the limits.</summary>
    public readonly FormatterLimits Limits => _input.Limits;

    /// <summary>Reads the tag of the next field, if there is one in this message.</summary>
    /// <param name="number">The number of the field, 1 to 536,870,911; 0 at the end.</param>
    /// <param name="wireType">The wire type of its value.</param>
    /// <returns><see langword="false"/> at the end of the message.</returns>
    /// <exception cref="MessageFormatException">The bytes are not a valid tag, or end within it.</exception>
    public bool TryReadTag(out int number, out ProtobufWireType wireType)
    {
        uint tag = ReadTag();
        number = (int)(tag >> 3);
        wireType = (ProtobufWireType)(tag & 7);
        return tag != 0;
    }

    /// <summary>Skips the value of a field whose tag has been read; a group is skipped with its content.</summary>
    /// <param name="number">The number of the field.</param>
    /// <param name="wireType">Its wire type.</param>
    /// <exception cref="MessageFormatException">The message ends too early; a group has no end, or that of another group; or it is nested more deeply
    /// than the limits allow.</exception>
    public void Skip(int number, ProtobufWireType wireType)
    {
        switch (wireType)
        {
            case ProtobufWireType.Varint:
                ReadUInt64();
                break;
            case ProtobufWireType.Fixed64:
                _input.Advance(ref _input.Require(sizeof(long)), sizeof(long));
                break;
            case ProtobufWireType.LengthDelimited:
                _input.Advance(ReadLength());
                break;
            case ProtobufWireType.StartGroup:
                SkipGroup(number);
                break;
            case ProtobufWireType.Fixed32:
                _input.Advance(ref _input.Require(sizeof(int)), sizeof(int));
                break;
            default:
                ThrowHelper.ThrowMalformed(ByteOffset, "An end-group tag has no matching start.");
                break;
        }
    }

    /// <summary>Begins a nested message: reads its length, and makes the reader end there. Increments the depth.</summary>
    /// <returns>The number of bytes of the outer message after it, for <see cref="EndMessage"/>.</returns>
    /// <exception cref="MessageFormatException">More bytes than remain; deeper than <see cref="FormatterLimits.MaxDepth"/>.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int BeginMessage()
    {
        int byteCount = ReadLength();
        _input.Enter();
        return _input.Narrow(byteCount);
    }

    /// <summary>Ends a nested message.</summary>
    /// <param name="bytesBehind">The result of <see cref="BeginMessage"/>.</param>
    /// <exception cref="MessageFormatException">Bytes of the message have not been read.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndMessage(int bytesBehind)
    {
        _input.EnsureEnd();
        _input.Leave();
        _input.Widen(bytesBehind);
    }

    /// <summary>Throws if bytes remain after the value.</summary>
    /// <exception cref="MessageFormatException"><see cref="MessageFormatErrorCode.TrailingBytes"/>.</exception>
    public readonly void EnsureEnd() => _input.EnsureEnd();

    /// <summary>Gets whether the limits allow no further level of nesting.</summary>
    internal readonly bool IsAtMaxDepth => _input.RemainingDepth <= 0;

    /// <summary>Reads a tag; 0 at the end of the message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint ReadTag()
    {
        if (_input.BytesRemaining == 0)
            return _parts is null ? 0 : ReadTagAtEnd();
        ref byte p = ref _input.Position;
        uint tag = p;
        if (tag - 8 >= 0x78 || (tag & 7) > (uint)ProtobufWireType.Fixed32)
            return ReadLongTag();
        _input.Advance(ref p, 1);
        return tag;
    }

    /// <summary>Reads the length of a length-delimited value, and checks that as many bytes remain.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int ReadLength()
    {
        ref byte p = ref _input.Require(1);
        int byteCount = p;
        if (byteCount >= 0x80)
            return ReadLongLength();
        _input.Advance(ref p, 1);
        if (byteCount > _input.BytesRemaining)
            _input.ThrowTruncated(byteCount);
        return byteCount;
    }

    /// <summary>Begins a message that is missing in the body, as one without fields.</summary>
    internal int BeginEmptyMessage()
    {
        _input.Enter();
        return _input.Narrow(0);
    }

    /// <summary>Gets or sets the member path, which generated code tracks in traced mode.</summary>
    internal MemberPath? Path
    {
        readonly get => _input.Path;
        init => _input.Path = value;
    }

    /// <summary>Returns the position to generated code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly ref byte Begin() => ref _input.Position;

    /// <summary>Sets the position from generated code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void End(ref byte position) => _input.MoveTo(ref position);

    /// <summary>Returns the number of bytes from a position of generated code to the end of the message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int RemainingAt(ref byte position) => _input.RemainingAt(ref position);

    /// <summary>Begins a nested message whose length has been read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int EnterMessage(ref byte position, int byteCount)
    {
        _input.Enter();
        return _input.NarrowAt(ref position, byteCount);
    }

    /// <summary>Ends a message that has been read to its end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void LeaveMessage(int bytesBehind)
    {
        _input.Leave();
        _input.Widen(bytesBehind);
    }

    /// <summary>Throws the error for a value that needs more bytes than remain.</summary>
    [System.Diagnostics.CodeAnalysis.DoesNotReturn]
    internal readonly void ThrowTruncated(int byteCount)
    {
        _input.ThrowTruncated(byteCount);
        throw new InvalidOperationException();
    }

    /// <summary>Checks the memory for elements that are about to be created.</summary>
    internal void Charge(int byteOffset, int elementCount, int elementAllocation) =>
        _input.CheckCount(byteOffset, elementCount, 0, elementAllocation);

    /// <summary>Checks the memory for one more element, in a list whose count has been checked.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ChargeElement(int elementAllocation) => _input.Charge(elementAllocation);

    /// <inheritdoc cref="BodyInput.TryCharge"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryCharge(int allocation) => _input.TryCharge(allocation);

    /// <summary>Returns bytes that have been read.</summary>
    internal readonly ReadOnlySpan<byte> ReadAgain(int byteOffset) => _input.ReadAgain(byteOffset);

    /// <summary>Begins a length-delimited value without nesting: packed elements, or a time.</summary>
    internal int BeginLength() => _input.Narrow(ReadLength());

    /// <summary>Ends a value begun with <see cref="BeginLength"/>, which has been read completely.</summary>
    internal void EndLength(int bytesBehind) => _input.Widen(bytesBehind);

    /// <summary>Returns the number of complete varints that remain: the bytes without the top bit.</summary>
    internal readonly int CountVarints()
    {
#if NET
        return PackedNumbers.CountVarints(_input.Remaining);
#else
        int count = 0;
        foreach (byte b in _input.Remaining)
            count += 1 - (b >> 7);
        return count;
#endif
    }

#if NET
    /// <summary>Reads packed numbers; see <see cref="PackedNumbers"/>.</summary>
    /// <returns>How many were read.</returns>
    internal int ReadPacked<T>(Span<T> values, PackedForm form)
    {
        int count = PackedNumbers.Read(_input.Remaining, values, form, out int byteCount);
        _input.Advance(byteCount);
        return count;
    }
#endif

    /// <summary>Reads a tag if it is next, in its shortest form.</summary>
    internal bool TryReadTag(uint tag)
    {
        int byteCount = ProtobufBytes.GetByteCount(tag);
        if (BytesRemaining < byteCount)
            return false;
        ref byte p = ref _input.Position;
        for (int i = 1; i < byteCount; i++, tag >>= 7)
        {
            if (Unsafe.Add(ref p, i - 1) != (byte)(tag | 0x80))
                return false;
        }

        if (Unsafe.Add(ref p, byteCount - 1) != tag)
            return false;
        _input.Advance(byteCount);
        return true;
    }

    private void SkipGroup(int number)
    {
        _input.Enter();
        int byteOffset;
        int inner;
        ProtobufWireType wireType;
        while (true)
        {
            byteOffset = ByteOffset;
            if (!TryReadTag(out inner, out wireType))
                _input.ThrowTruncated(1);
            if (wireType == ProtobufWireType.EndGroup)
                break;
            Skip(inner, wireType);
        }

        if (inner != number)
            ThrowHelper.ThrowMalformed(byteOffset, "The end of a group has a different number from its start.");
        _input.Leave();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private uint ReadLongTag()
    {
        if (!ProtobufEncoding.TryReadTag(_input.Remaining, out int number, out ProtobufWireType wireType, out int bytesRead))
        {
            if (bytesRead > BytesRemaining && bytesRead <= ProtobufBytes.MaxVarint32ByteCount)
                _input.ThrowTruncated(bytesRead);
            ThrowHelper.ThrowMalformed(ByteOffset, "The bytes are not a valid tag of a field.");
        }

        _input.Advance(bytesRead);
        return ProtobufBytes.Tag(number, wireType);
    }

    /// <summary>Reads a length of any form.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal int ReadLongLength()
    {
        int byteOffset = ByteOffset;
        ulong byteCount = ReadUInt64();
        if (byteCount > int.MaxValue)
            ThrowHelper.ThrowBadLength(byteOffset, "The length does not fit into 31 bits.");
        if (byteCount > (ulong)BytesRemaining)
            _input.ThrowTruncated((long)byteCount);
        return (int)byteCount;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ulong ReadLongVarint()
    {
        int bytesRead = ProtobufBytes.Read(ref _input.Require(1), BytesRemaining, out ulong value);
        if (bytesRead == 0)
        {
            if (BytesRemaining < ProtobufBytes.MaxVarintByteCount)
                _input.ThrowTruncated(BytesRemaining + 1);
            ThrowHelper.ThrowMalformed(ByteOffset, "A varint has more than 10 bytes.");
        }

        _input.Advance(bytesRead);
        return value;
    }
}
