using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>Where a writer puts its bytes: spans of an <see cref="IBufferWriter{T}"/>, or one span of the caller; and how deep it is.</summary>
/// <remarks>Benchmark "hand-coded": with position and end as two references a value updates one field; slicing a Span updates two and compares twice.</remarks>
internal ref struct BodyOutput
{
    /// <summary>By how much the greatest size of a run of members may exceed the limit before it is rejected without being written.</summary>
    private const int BoundSlack = 64 * 1024;

    private readonly IBufferWriter<byte>? _output;
    private long _committed;
    private int _levelsLeft;
    private int _openCount;
    private long _firstOpenOffset;
#if NET
    /// <summary>Where the next byte goes.</summary>
    internal ref byte Position;
    private ref byte _start;
    private ref byte _end;
#else
    private Span<byte> _whole;
    private Span<byte> _span;
#endif

    /// <param name="output">Receives the bytes.</param>
    /// <param name="limits">The limits; null means the default.</param>
    /// <param name="sizeHint">How many bytes to ask the output for at first; 0 for any.</param>
    internal BodyOutput(IBufferWriter<byte> output, FormatterLimits? limits, int sizeHint = 0)
    {
        _output = output ?? throw new ArgumentNullException(nameof(output));
        Limits = limits ?? FormatterLimits.Default;
        _levelsLeft = Limits.Depth;
        SetSpan(output.GetSpan(sizeHint));
    }

    internal BodyOutput(Span<byte> destination, FormatterLimits? limits)
    {
        Limits = limits ?? FormatterLimits.Default;
        _levelsLeft = Limits.Depth;
        SetSpan(destination);
    }

    /// <summary>The limits.</summary>
    /// <remarks>A field, as <c>Position</c> is: what is called for every message is compiled for the first one (row "generated binary", first write in a
    /// process).</remarks>
    internal readonly FormatterLimits Limits;

    /// <summary>The member path of a generated contract: in the second run only, which an error starts.</summary>
    /// <remarks>Here, not beside: a writer of which this struct is all has it at offset 0, and needs no second register for its address (rows "generated
    /// versioned").</remarks>
    internal MemberPath? Path { readonly get; set; }

    internal readonly long BytesWritten => _committed + SpanBytesWritten;

#if NET
    internal readonly int Room => (int)Unsafe.ByteOffset(ref Position, ref _end);

    private readonly int SpanBytesWritten => (int)Unsafe.ByteOffset(ref _start, ref Position);
#else
    internal readonly int Room => _span.Length;

    internal readonly ref byte Position => ref MemoryMarshal.GetReference(_span);

    private readonly int SpanBytesWritten => _whole.Length - _span.Length;
#endif

    internal void Flush()
    {
        long byteCount = BytesWritten;
        if (byteCount > Limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(byteCount, Limits.MaxBodyByteCount);
        // Behind what is open nothing can be handed over: the one who opened it will flush again.
        if (_output is null || _openCount > 0)
            return;
        Commit();
        SetSpan(default);
    }

    /// <summary>As <see cref="Flush"/>, at the end: nothing is open, and nothing is written or flushed any more. Row "generated binary", first write in a
    /// process and write of order-0.</summary>
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
        if (--_levelsLeft < 0 || (_levelsLeft & 15) == 0)
            CheckDepth();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Leave() => _levelsLeft++;

    /// <summary>Counts a level of nesting in which there is no further one: it need not be left.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Touch()
    {
        if (_levelsLeft <= 0)
            Enter();
    }

    /// <summary>Goes on at the depth of another output: for what is written aside first.</summary>
    internal void SetDepthOf(in BodyOutput other) => _levelsLeft = other._levelsLeft;

    /// <summary>Makes sure of room for a number of bytes and returns the place of the first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Reserve(int byteCount)
    {
        if (Room < byteCount)
            Grow(byteCount);
        return ref Position;
    }

    /// <summary>Makes sure of room for the most bytes that may follow. Fewer may be written: a body within the limit is not refused for the others, and a
    /// larger one is at its end.</summary>
    internal ref byte ReserveBound(int byteCount)
    {
        if (Room < byteCount)
            Grow(byteCount, BoundSlack);
        return ref Position;
    }

    /// <summary>Moves past bytes that were written at the place that <see cref="Reserve"/> returned.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Advance(ref byte start, int byteCount)
    {
#if NET
        // By way of a span, which the compiler lets escape: the place lies in the buffer, not on the stack.
        Position = ref Unsafe.Add(ref MemoryMarshal.GetReference(MemoryMarshal.CreateSpan(ref start, 0)), byteCount);
#else
        _span = _span.Slice(byteCount);
#endif
    }

    /// <summary>Moves back over bytes that were written last, and since the last call that may have taken another span.</summary>
    internal void Rewind(int byteCount)
    {
#if NET
        Position = ref Unsafe.Subtract(ref Position, byteCount);
#else
        _span = _whole.Slice(SpanBytesWritten - byteCount);
#endif
    }

    /// <summary>Begins what must stay in one piece, since its length is written before it, and later. Pair it with <see cref="EndOpen"/>; pairs may be
    /// nested.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void BeginOpen() => BeginOpen(OffsetAt(ref Position));

    /// <summary>As <see cref="BeginOpen()"/>, from an offset of generated code on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void BeginOpen(long offset)
    {
        if (_openCount++ == 0)
            _firstOpenOffset = offset;
    }

    /// <summary>Ends what <see cref="BeginOpen()"/> began.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void EndOpen() => _openCount--;

    /// <summary>The number of bytes that can be written at a position of generated code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int RoomAt(ref byte position)
    {
#if NET
        return (int)Unsafe.ByteOffset(ref position, ref _end);
#else
        return _span.Length - (int)Unsafe.ByteOffset(ref MemoryMarshal.GetReference(_span), ref position);
#endif
    }

    /// <summary>Where a position of generated code is, in bytes from the start of the body.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
#if NET
    internal readonly long OffsetAt(ref byte position) => _committed + Unsafe.ByteOffset(ref _start, ref position);
#else
    internal readonly long OffsetAt(ref byte position) => _committed + (_whole.Length - RoomAt(ref position));
#endif

    /// <summary>Takes the position back from generated code, which got it from <see cref="Reserve"/>.</summary>
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
            GrowBehindOpen(byteCount);
            return;
        }

        Commit();
        SetSpan(default);
        Span<byte> span = _output.GetSpan(byteCount);
        if (span.Length < byteCount)
            ThrowHelper.ThrowShortSpan(); // what is written after this is not checked again
        SetSpan(span);
    }

    /// <summary>Takes a larger span, and what is open along: by way of a rented array, since the buffer writer may use the old span again.</summary>
    private void GrowBehindOpen(int byteCount)
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
        // Twice as much as there is, so that with small spans not every one of them has it copied.
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
    private readonly void CheckDepth()
    {
        if (_levelsLeft < 0)
            ThrowHelper.ThrowDepthExceeded(-1, Limits.MaxDepth, writing: true);
        StackGuard.Check(-1);
    }
}
