using System;
using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>The output of a writer: spans of an <see cref="IBufferWriter{T}"/>, or one span of the caller; and the depth.</summary>
/// <remarks>
/// Benchmark "hand-coded": with position and end as two references a value updates one field; slicing a Span updates two and compares twice.
/// </remarks>
[DebuggerDisplay("{BytesWritten} bytes written")]
internal ref struct BodyOutput
{
    /// <summary>By how much the maximum size of a run of members may exceed the limit before it is rejected without being written.</summary>
    private const int BoundSlack = 64 * 1024;

    private readonly IBufferWriter<byte>? _output;
    private long _committed;
    private int _remainingDepth;
    private int _openCount;
    private StackWindow _stack;
    private long _firstOpenOffset;
#if NET
    /// <summary>The position of the next byte.</summary>
    internal ref byte Position;
    private ref byte _start;
    private ref byte _end;
#else
    private Span<byte> _whole;
    private Span<byte> _span;
#endif

    /// <param name="output">Receives the bytes.</param>
    /// <param name="limits">The limits; null means the default.</param>
    /// <param name="sizeHint">The number of bytes to request from the output initially; 0 for any.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal BodyOutput(IBufferWriter<byte> output, FormatterLimits? limits, int sizeHint = 0)
    {
        _output = output ?? throw new ArgumentNullException(nameof(output));
        Limits = limits ?? FormatterLimits.Default;
        _remainingDepth = Limits.Depth;
        _stack = StackWindow.Begin();
        SetSpan(output.GetSpan(sizeHint));
    }

    internal BodyOutput(Span<byte> destination, FormatterLimits? limits)
    {
        Limits = limits ?? FormatterLimits.Default;
        _remainingDepth = Limits.Depth;
        _stack = StackWindow.Begin();
        SetSpan(destination);
    }

    /// <summary>The limits.</summary>
    /// <remarks>
    /// A field, as <c>Position</c> is: property getters used for every message would be compiled for the first one (row "generated binary", first
    /// write in a process).
    /// </remarks>
    internal readonly FormatterLimits Limits;

    /// <summary>Gets or sets the member path, which generated code tracks only when it is run again after an error.</summary>
    /// <remarks>
    /// Here, not beside: a writer of which this struct is all has it at offset 0, and needs no second register for its address (rows "generated
    /// versioned").
    /// </remarks>
    internal MemberPath? Path { readonly get; set; }

    internal readonly long BytesWritten => _committed + SpanBytesWritten;

#if NET
    internal readonly int Room => (int)Unsafe.ByteOffset(ref Position, ref _end);

    /// <summary>Gets the bytes that can be written before the next one is reserved.</summary>
    internal readonly Span<byte> Free => MemoryMarshal.CreateSpan(ref Position, Room);

    private readonly int SpanBytesWritten => (int)Unsafe.ByteOffset(ref _start, ref Position);
#else
    internal readonly int Room => _span.Length;

    internal readonly Span<byte> Free => _span;

    internal readonly ref byte Position => ref MemoryMarshal.GetReference(_span);

    private readonly int SpanBytesWritten => _whole.Length - _span.Length;
#endif

    internal void Flush()
    {
        long byteCount = BytesWritten;
        if (byteCount > Limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(byteCount, Limits.MaxBodyByteCount);
        // Nothing after an open position can be committed; the caller that opened it flushes later.
        if (_output is null || _openCount > 0)
            return;
        Commit();
        SetSpan(default);
    }

    /// <summary>
    /// Does what <see cref="Flush"/> does, at the end: nothing is open, and nothing is written or flushed afterwards. Row "generated binary", first
    /// write in a process and write of order-0.
    /// </summary>
    /// <returns>The bytes of the body.</returns>
    internal readonly int Complete()
    {
        long bodyByteCount = OffsetAt(ref Position);
        int byteCount = (int)(bodyByteCount - _committed);
        if (bodyByteCount > Limits.BodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(bodyByteCount, Limits.BodyByteCount);
        if (byteCount > 0)
            _output?.Advance(byteCount);
        return (int)bodyByteCount;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Enter()
    {
        if (--_remainingDepth < 0 || !_stack.ContainsCaller)
            CheckDepth();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Leave() => _remainingDepth++;

    /// <summary>Checks the depth for a value that contains no further ones, and need not be left.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void CheckLeafDepth()
    {
        if (_remainingDepth <= 0)
            Enter();
    }

    /// <summary>Continues at the depth of another output, for content that is first written to a temporary buffer.</summary>
    internal void SetDepthOf(in BodyOutput other) => _remainingDepth = other._remainingDepth;

    /// <summary>Ensures space for a number of bytes, and returns the position of the first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Reserve(int byteCount)
    {
        if (Room < byteCount)
            Grow(byteCount);
        return ref Position;
    }

    /// <summary>
    /// Ensures space for the maximum size of what follows. Fewer bytes may be written: a body within the limit is not rejected because of the rest,
    /// and a larger one ends here.
    /// </summary>
    internal ref byte ReserveBound(int byteCount)
    {
        if (Room < byteCount)
            Grow(byteCount, BoundSlack);
        return ref Position;
    }

    /// <summary>Advances past bytes that were written at the position that <see cref="Reserve"/> returned.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Advance(ref byte start, int byteCount)
    {
#if NET
        // Via a span, which the compiler allows to escape: the position is in the buffer, not on the stack.
        Position = ref Unsafe.Add(ref MemoryMarshal.GetReference(MemoryMarshal.CreateSpan(ref start, 0)), byteCount);
#else
        _span = _span.Slice(byteCount);
#endif
    }

    /// <summary>Moves back over bytes that were written last, since the last call that may have replaced the span.</summary>
    internal void Rewind(int byteCount)
    {
#if NET
        Position = ref Unsafe.Subtract(ref Position, byteCount);
#else
        _span = _whole.Slice(SpanBytesWritten - byteCount);
#endif
    }

    /// <summary>
    /// Starts content that must stay in one span, because its length is filled in before it later. Pair it with <see cref="EndOpen"/>; pairs may be
    /// nested.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void BeginOpen() => BeginOpen(OffsetAt(ref Position));

    /// <summary>Does what <see cref="BeginOpen()"/> does, at an offset of generated code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void BeginOpen(long offset)
    {
        if (_openCount++ == 0)
            _firstOpenOffset = offset;
    }

    /// <summary>Ends the content started with <see cref="BeginOpen()"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void EndOpen() => _openCount--;

    /// <summary>Returns the number of bytes that can be written at a position of generated code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int RoomAt(ref byte position)
    {
#if NET
        return (int)Unsafe.ByteOffset(ref position, ref _end);
#else
        return _span.Length - (int)Unsafe.ByteOffset(ref MemoryMarshal.GetReference(_span), ref position);
#endif
    }

    /// <summary>Returns the offset of a position of generated code from the start of the body.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
#if NET
    internal readonly long OffsetAt(ref byte position) => _committed + Unsafe.ByteOffset(ref _start, ref position);
#else
    internal readonly long OffsetAt(ref byte position) => _committed + (_whole.Length - RoomAt(ref position));
#endif

    /// <summary>Sets the position from generated code, which got it from <see cref="Reserve"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void MoveTo(ref byte position)
    {
#if NET
        // As in Advance.
        Position = ref MemoryMarshal.GetReference(MemoryMarshal.CreateSpan(ref position, 0));
#else
        _span = _span.Slice((int)Unsafe.ByteOffset(ref MemoryMarshal.GetReference(_span), ref position));
#endif
    }

    /// <summary>Returns the bytes written since an offset that <see cref="BeginOpen(long)"/> has kept in one span, for changes in place.</summary>
#if NET
    internal readonly Span<byte> WrittenSince(long offset) =>
        MemoryMarshal.CreateSpan(ref Unsafe.Add(ref _start, (nint)(offset - _committed)), (int)(BytesWritten - offset));
#else
    internal readonly Span<byte> WrittenSince(long offset) => _whole.Slice((int)(offset - _committed), (int)(BytesWritten - offset));
#endif

    private void SetSpan(Span<byte> span)
    {
#if NET
        _start = ref MemoryMarshal.GetReference(span);
        Position = ref _start;
        _end = ref Unsafe.Add(ref Position, span.Length);
#else
        _whole = span;
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
    private void Grow(int byteCount, int slack = 0)
    {
        if (_output is null)
            ThrowHelper.ThrowDestinationTooSmall();
        if (BytesWritten + byteCount - slack > Limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(BytesWritten + byteCount, Limits.MaxBodyByteCount);
        if (_openCount > 0)
        {
            GrowKeepingOpen(byteCount);
            return;
        }

        Commit();
        SetSpan(default);
        Span<byte> span = _output.GetSpan(byteCount);
        if (span.Length < byteCount)
            ThrowHelper.ThrowShortSpan(); // what is written after this is not checked again
        SetSpan(span);
    }

    /// <summary>Gets a larger span, and copies open content to it: via a rented array, because the buffer writer may reuse the old span.</summary>
    private void GrowKeepingOpen(int byteCount)
    {
        int closedByteCount = (int)(_firstOpenOffset - _committed);
        int keptByteCount = (int)(BytesWritten - _firstOpenOffset);
        byte[] kept = ArrayPool<byte>.Shared.Rent(keptByteCount);
        if (keptByteCount > 0)
            Unsafe.CopyBlockUnaligned(ref kept[0], ref Unsafe.Subtract(ref Position, keptByteCount), (uint)keptByteCount);
        if (closedByteCount > 0)
            _output!.Advance(closedByteCount);
        _committed = _firstOpenOffset;
        SetSpan(default);
        // Doubled, so that with small spans not every one of them causes a copy.
        int neededByteCount = keptByteCount + byteCount;
        Span<byte> span = _output!.GetSpan(Math.Max(neededByteCount, (int)Math.Min(2L * keptByteCount, Limits.MaxBodyByteCount)));
        if (span.Length < neededByteCount)
            ThrowHelper.ThrowShortSpan();
        kept.AsSpan(0, keptByteCount).CopyTo(span);
        ArrayPool<byte>.Shared.Return(kept);
        SetSpan(span);
        Advance(ref Position, keptByteCount);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void CheckDepth()
    {
        if (_remainingDepth < 0)
            ThrowHelper.ThrowDepthExceeded(-1, Limits.MaxDepth, writing: true);
        _stack.MoveToCaller(-1);
    }
}
