using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>Writes the binary wire format: for every <c>Write</c> of <c>System.IO.BinaryWriter</c> the same bytes, without a stream between.</summary>
/// <remarks>
/// <para>A <c>ref struct</c>: pass it by reference. It writes straight into the spans of an <see cref="IBufferWriter{T}"/> (or into one span of the
/// caller) and allocates nothing. Call <see cref="Flush"/> at the end; <see cref="HandCodedFormatter{T}"/> does.</para>
/// <para>Wire format: docs/wire/binary.md. Numbers are little endian; text is UTF-8 behind its byte count in 7-bit groups.</para>
/// </remarks>
public ref partial struct BinaryBodyWriter
{
    private readonly IBufferWriter<byte>? _output;
    private readonly FormatterLimits _limits;
    private long _committed;
    private int _depth;
    private MemberPath? _path;

    // Where the first byte count lies that is not yet known, in bytes from the start of the body; and how many there are.
    private long _firstOpenByteCount;
    private int _openCount;

    // Benchmark "hand-coded": with position and end as two references a member updates one field; slicing a Span updates two and compares twice.
#if NET
    private ref byte _start;
    private ref byte _position;
    private ref byte _end;
#else
    private int _spanByteCount;
    private Span<byte> _span;
#endif

    /// <summary>Makes a writer into a buffer writer.</summary>
    /// <param name="output">Receives the bytes, at the latest in <see cref="Flush"/>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="output"/> is null.</exception>
    public BinaryBodyWriter(IBufferWriter<byte> output, FormatterLimits? limits = null)
    {
        _output = output ?? throw new ArgumentNullException(nameof(output));
        _limits = limits ?? FormatterLimits.Default;
        SetSpan(output.GetSpan());
    }

    /// <summary>Makes a writer into one span of the caller, which does not grow.</summary>
    /// <param name="destination">Receives the bytes; the body is its first <see cref="BytesWritten"/> bytes.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <remarks>A value that does not fit gives an <see cref="ArgumentException"/>; nothing of that value is written then.</remarks>
    public BinaryBodyWriter(Span<byte> destination, FormatterLimits? limits = null)
    {
        _limits = limits ?? FormatterLimits.Default;
        SetSpan(destination);
    }

    /// <summary>The number of bytes written so far.</summary>
    public readonly long BytesWritten => _committed + SpanBytesWritten;

    /// <summary>The member path of a generated contract: in the second run only, which an error starts.</summary>
    internal MemberPath? Path
    {
        readonly get => _path;
        init => _path = value;
    }

    /// <summary>The limits under which this writer works.</summary>
    public readonly FormatterLimits Limits => _limits ?? FormatterLimits.Default;

#if NET
    private readonly int Room => (int)Unsafe.ByteOffset(ref _position, ref _end);

    private readonly int SpanBytesWritten => (int)Unsafe.ByteOffset(ref _start, ref _position);
#else
    private readonly int Room => _span.Length;

    private readonly int SpanBytesWritten => _spanByteCount - _span.Length;
#endif

    /// <summary>Hands everything written to the buffer writer. Without effect on a span.</summary>
    /// <exception cref="MessageFormatException">The body is larger than <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public void Flush()
    {
        long byteCount = BytesWritten;
        if (byteCount > _limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(byteCount, _limits.MaxBodyByteCount);
        // Behind an open byte count nothing can be handed over: the one who opened it will flush again.
        if (_output is null || _openCount > 0)
            return;
        Commit();
        SetSpan(default);
    }

    /// <summary>Counts one level of nesting; for records whose members are written by the caller. Pair it with <see cref="LeaveRecord"/>.</summary>
    /// <exception cref="MessageFormatException">Deeper than <see cref="FormatterLimits.MaxDepth"/>: in most cases a cycle in the object graph.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EnterRecord()
    {
        if (++_depth > _limits.MaxDepth || (_depth & 15) == 0)
            CheckDepth();
    }

    /// <summary>Ends what <see cref="EnterRecord"/> began.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void LeaveRecord() => _depth--;

    /// <summary>Writes a record: the members of an object that brings its own <c>Save</c>, with nothing before or behind them.</summary>
    /// <typeparam name="T">The type of the object.</typeparam>
    /// <param name="value">The object.</param>
    /// <exception cref="MessageFormatException"><paramref name="value"/> is null, nested too deep, or cannot be written; the member path gets the name of <typeparamref name="T"/>.</exception>
    public void WriteRecord<T>(T value)
        where T : IBinaryBody
    {
        if (value is null)
            ThrowHelper.ThrowUnexpectedNull(TypeNames.Of(typeof(T)));
        EnterRecord();
        try
        {
            value.Save(ref this);
        }
        catch (MessageFormatException e) when (e.PrependPath(TypeNames.Of(typeof(T))))
        {
        }

        LeaveRecord();
    }

    /// <summary>Makes sure of room for a number of bytes and returns the place of the first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref byte Reserve(int byteCount)
    {
        if (Room < byteCount)
            Grow(byteCount);
#if NET
        return ref _position;
#else
        return ref MemoryMarshal.GetReference(_span);
#endif
    }

    /// <summary>Moves behind bytes that were written at the place that <see cref="Reserve"/> returned.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Advance(ref byte start, int byteCount)
    {
#if NET
        // By way of a span, which the compiler lets escape: the place lies in the buffer, not on the stack.
        _position = ref Unsafe.Add(ref MemoryMarshal.GetReference(MemoryMarshal.CreateSpan(ref start, 0)), byteCount);
#else
        _span = _span.Slice(byteCount);
#endif
    }

    private void SetSpan(Span<byte> span)
    {
#if NET
        _start = ref MemoryMarshal.GetReference(span);
        _position = ref _start;
        _end = ref Unsafe.Add(ref _position, span.Length);
#else
        _spanByteCount = span.Length;
        _span = span;
#endif
    }

    private void Commit()
    {
        int byteCount = SpanBytesWritten;
        if (byteCount > 0)
            _output!.Advance(byteCount);
        _committed += byteCount;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int byteCount)
    {
        if (_output is null)
            ThrowHelper.ThrowDestinationTooSmall();
        if (BytesWritten + byteCount > _limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(BytesWritten + byteCount, _limits.MaxBodyByteCount);
        if (_openCount > 0)
        {
            GrowBehindOpenByteCount(byteCount);
            return;
        }

        Commit();
        SetSpan(default);
        Span<byte> span = _output.GetSpan(byteCount);
        if (span.Length < byteCount)
            ThrowHelper.ThrowShortSpan(); // what is written after this is not checked again
        SetSpan(span);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void CheckDepth()
    {
        if (_depth > _limits.MaxDepth)
            ThrowHelper.ThrowDepthExceeded(-1, _limits.MaxDepth, writing: true);
        StackGuard.Check(-1);
    }
}
