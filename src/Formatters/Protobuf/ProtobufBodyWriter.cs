// https://protobuf.dev/programming-guides/encoding/
using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters.Protobuf;

/// <summary>Writes protobuf (https://protobuf.dev/programming-guides/encoding/): fields of a message, each a tag and a value.</summary>
/// <remarks>
/// <para>A <c>ref struct</c>: pass it by reference. It writes directly into the spans of an <see cref="IBufferWriter{T}"/> (or into one span of the
/// caller) and allocates nothing. Call <see cref="Flush"/> at the end; <see cref="ProtobufFormatter{T}"/> does.</para>
/// <para>A nested message is written in one pass: between <see cref="BeginMessage()"/> and <see cref="EndMessage(long)"/> the bytes stay in one span,
/// and the length is filled in before them at the end. Types that protobuf does not have are written as specified in docs/wire/protobuf.md.</para>
/// </remarks>
/// <example><code>
/// writer.WriteTag(1, ProtobufWireType.Varint);
/// writer.WriteInt32(order.CustomerId);
/// writer.WriteTag(2, ProtobufWireType.LengthDelimited);
/// long start = writer.BeginMessage();
/// writer.WriteTag(1, ProtobufWireType.LengthDelimited);
/// writer.WriteString(order.Address.City);
/// writer.EndMessage(start);
/// </code></example>
public ref partial struct ProtobufBodyWriter
{
    private BodyOutput _output;

    /// <summary>Creates a writer into a buffer writer.</summary>
    /// <param name="output">Receives the bytes, at the latest in <see cref="Flush"/>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="isCanonical">See <see cref="IsCanonical"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="output"/> is null.</exception>
    public ProtobufBodyWriter(IBufferWriter<byte> output, FormatterLimits? limits = null, bool isCanonical = false)
        : this(output, limits, isCanonical, 0)
    {
    }

    /// <summary>Creates a writer into one span of the caller, which does not grow.</summary>
    /// <param name="destination">Receives the bytes; the body is its first <see cref="BytesWritten"/> bytes.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="isCanonical">See <see cref="IsCanonical"/>.</param>
    /// <remarks>A value that does not fit throws an <see cref="ArgumentException"/>, and nothing of it is written.</remarks>
    public ProtobufBodyWriter(Span<byte> destination, FormatterLimits? limits = null, bool isCanonical = false)
    {
        _output = new BodyOutput(destination, limits);
        IsCanonical = isCanonical;
        _output.Enter();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ProtobufBodyWriter(IBufferWriter<byte> output, FormatterLimits? limits, bool isCanonical, int sizeHint)
    {
        _output = new BodyOutput(output, limits, sizeHint);
        IsCanonical = isCanonical;
        _output.Enter();
    }

    /// <summary>Gets the number of bytes written so far.</summary>
    public readonly long BytesWritten => _output.BytesWritten;

    /// <summary>Gets the limits.</summary>
    public readonly FormatterLimits Limits => _output.Limits;

    /// <summary>
    /// Gets whether equal values are written as equal bytes: every NaN is written as the same one, and maps and sets in the order of their bytes.
    /// </summary>
    /// <value>The writer itself normalizes NaN. The caller decides the order of maps and sets, as <see cref="ProtobufFormatter{T}"/> does.</value>
    public readonly bool IsCanonical { get; }

    /// <summary>Passes everything written to the buffer writer. Has no effect on a span.</summary>
    /// <exception cref="MessageFormatException">The body is larger than <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public void Flush() => _output.Flush();

    /// <summary>Writes the tag of a field; write its value after it.</summary>
    /// <param name="number">The number, 1 to 536,870,911.</param>
    /// <param name="wireType">The wire type of the value.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number is not valid.</exception>
    public void WriteTag(int number, ProtobufWireType wireType)
    {
        if (number is < 1 or > ProtobufBytes.MaxNumber)
            throw new ArgumentOutOfRangeException(nameof(number), number, "Field numbers are 1 to 536870911.");
        WriteTag(ProtobufBytes.Tag(number, wireType));
    }

    /// <summary>Begins a nested message, or another length-delimited value, after its tag. Increments the depth.</summary>
    /// <returns>Its start, for <see cref="EndMessage(long)"/>.</returns>
    /// <exception cref="MessageFormatException">Deeper than <see cref="FormatterLimits.MaxDepth"/>: in most cases a cycle in the object
    /// graph.</exception>
    public long BeginMessage() => BeginMessage(1);

    /// <summary>Ends a nested message, and writes its length.</summary>
    /// <param name="start">The result of <see cref="BeginMessage()"/>.</param>
    public void EndMessage(long start)
    {
        EndMessage(start, 1);
    }

    /// <summary>Writes bytes without conversion: whole fields that were written elsewhere.</summary>
    /// <param name="fields">The fields. They are not checked.</param>
    public void WriteRaw(scoped ReadOnlySpan<byte> fields)
    {
        ref byte p = ref _output.Reserve(fields.Length);
        Copy(fields, ref p);
        _output.Advance(ref p, fields.Length);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteTag(uint tag)
    {
        ref byte p = ref _output.Reserve(_output.Room >= ProtobufBytes.MaxVarint32ByteCount ? 0 : ProtobufBytes.GetByteCount(tag));
        _output.Advance(ref p, ProtobufBytes.Write(ref p, tag));
    }

    /// <summary>Begins a nested message as <see cref="BeginMessage()"/> does, with a guess of the size of its length.</summary>
    internal long BeginMessage(int lengthByteCount)
    {
        _output.Enter();
        return BeginLength(lengthByteCount);
    }

    /// <summary>Ends a nested message begun with <see cref="BeginMessage(int)"/> and the same guess.</summary>
    /// <returns>How many bytes the length has.</returns>
    internal int EndMessage(long start, int lengthByteCount)
    {
        _output.Leave();
        return EndLength(start, lengthByteCount);
    }

    /// <summary>Begins a nested message at a position of generated code, with one byte for its length. Rows "vectors" and "tree" in models.</summary>
    /// <returns>The offset of the position.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal long EnterShortMessage(ref byte position)
    {
        _output.Enter();
        long offset = _output.OffsetAt(ref position);
        _output.BeginOpen(offset);
        return offset;
    }

    /// <summary>Ends a nested message begun with <see cref="EnterShortMessage"/>.</summary>
    /// <param name="position">The position of generated code.</param>
    /// <param name="offset">The offset of the length.</param>
    /// <param name="lengthByteCount">Receives the size of the length if it is not one byte.</param>
    /// <returns>The position after the message.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte LeaveShortMessage(ref byte position, long offset, ref int lengthByteCount)
    {
        int byteCount = (int)(_output.OffsetAt(ref position) - offset) - 1;
        if (byteCount >= 0x80)
        {
            _output.MoveTo(ref position);
            lengthByteCount = EndMessage(offset + 1, 1);
            return ref _output.Position;
        }

        Unsafe.Subtract(ref position, byteCount + 1) = (byte)byteCount;
        _output.EndOpen();
        _output.Leave();
        return ref position;
    }

    /// <summary>Reserves space for a length.</summary>
    internal long BeginLength(int lengthByteCount)
    {
        _output.BeginOpen();
        ref byte p = ref _output.ReserveBound(lengthByteCount);
        _output.Advance(ref p, lengthByteCount);
        return BytesWritten;
    }

    /// <summary>Writes a length; moves the content after it if the reserved space differs from its size.</summary>
    internal int EndLength(long start, int lengthByteCount)
    {
        int byteCount = (int)(BytesWritten - start);
        int needed = ProtobufBytes.GetByteCount((uint)byteCount);
        if (needed != lengthByteCount)
            MoveBehindLength(byteCount, lengthByteCount, needed);
        ProtobufBytes.Write(ref Unsafe.Subtract(ref _output.Position, byteCount + needed), (uint)byteCount);
        _output.EndOpen();
        return needed;
    }

    /// <summary>Gets or sets the member path, which generated code tracks in traced mode.</summary>
    internal MemberPath? Path
    {
        readonly get => _output.Path;
        init => _output.Path = value;
    }

    /// <summary>Checks the depth for a message that contains no further ones.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void CheckLeafDepth() => _output.CheckLeafDepth();

    /// <summary>Returns the position to generated code.</summary>
    internal ref byte Begin() => ref _output.Position;

    /// <summary>Sets the position from generated code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void End(ref byte position) => _output.MoveTo(ref position);

    /// <summary>Returns the number of bytes that can be written at a position of generated code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int RoomAt(ref byte position) => _output.RoomAt(ref position);

    /// <summary>Reserves space after a position; returns the position in the possibly new span.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal ref byte GrowAt(ref byte position, int byteCount)
    {
        End(ref position);
        return ref _output.ReserveBound(byteCount);
    }

    /// <summary>Continues at the depth of another writer, for content that is first written to a temporary buffer.</summary>
    internal void SetDepthOf(in ProtobufBodyWriter other) => _output.SetDepthOf(other._output);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MoveBehindLength(int byteCount, int from, int to)
    {
        ref byte end = ref _output.Reserve(Math.Max(to - from, 0));
        Utf8Text.Move(ref Unsafe.Subtract(ref end, byteCount + from), from, to, byteCount);
        if (to > from)
            _output.Advance(ref end, to - from);
        else
            _output.Rewind(from - to);
    }

    private static void Copy(scoped ReadOnlySpan<byte> source, ref byte destination)
    {
        if (!source.IsEmpty)
            Unsafe.CopyBlockUnaligned(ref destination, ref MemoryMarshal.GetReference(source), (uint)source.Length);
    }
}
