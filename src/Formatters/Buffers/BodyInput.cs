using System;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>The bytes that a body reader has left, and how much depth and memory the limits still allow.</summary>
[DebuggerDisplay("offset {ByteOffset}, {BytesRemaining} bytes and {RemainingDepth} levels remain")]
internal ref struct BodyInput
{
    /// <summary>The number of bytes that a body of any length may allocate.</summary>
    private const int FreeAllocation = 64 * 1024;

    private readonly long _maxAllocatedByteCount;
    private int _endOffset;
    private int _remainingDepth;
    private long _allocatedByteCount;
    private int _emptyElementCount;
    private StackWindow _stack;
#if NET
    private ref byte _position;
    private ref byte _end;
#else
    private readonly ReadOnlySpan<byte> _body;
    private ReadOnlySpan<byte> _span;
#endif

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal BodyInput(ReadOnlySpan<byte> body, FormatterLimits? limits)
    {
        Limits = limits ?? FormatterLimits.Default;
        _remainingDepth = Limits.Depth;
        _stack = StackWindow.Begin();
        _endOffset = body.Length;
        _maxAllocatedByteCount = FreeAllocation + ((long)body.Length * Limits.AllocationFactor);
#if NET
        _position = ref MemoryMarshal.GetReference(body);
        _end = ref Unsafe.Add(ref _position, body.Length);
#else
        _body = body;
        _span = body;
#endif
        if (body.Length > Limits.BodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(body.Length, Limits.MaxBodyByteCount);
    }

    /// <summary>The limits.</summary>
    /// <remarks>A field, as in <see cref="BodyOutput"/>.</remarks>
    internal readonly FormatterLimits Limits;

    /// <summary>Gets or sets the member path, which generated code tracks only when it is run again after an error.</summary>
    /// <remarks>
    /// In this struct rather than in the reader: a reader whose only field is this struct has one address for both (rows "generated binary" and
    /// "generated versioned", overwrite: a tenth faster).
    /// </remarks>
    internal MemberPath? Path { readonly get; set; }

    internal readonly int BytesRemaining
#if NET
        => (int)Unsafe.ByteOffset(ref _position, ref _end);
#else
        => _span.Length;
#endif

    internal readonly int ByteOffset => _endOffset - BytesRemaining;

    internal readonly ref byte Position
#if NET
        => ref _position;
#else
        => ref MemoryMarshal.GetReference(_span);
#endif

    internal readonly ReadOnlySpan<byte> Remaining
#if NET
        => MemoryMarshal.CreateReadOnlySpan(ref _position, BytesRemaining);
#else
        => _span;
#endif

    /// <summary>Gets the number of levels of nesting that the limits still allow.</summary>
    internal readonly int RemainingDepth => _remainingDepth;

    internal readonly void EnsureEnd()
    {
        if (BytesRemaining != 0)
            ThrowHelper.ThrowTrailingBytes(ByteOffset, BytesRemaining);
    }

    /// <summary>Enters a nested value, and checks the depth and the stack.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Enter()
    {
        int levelsLeft = _remainingDepth - 1;
        _remainingDepth = levelsLeft;
        if (levelsLeft < 0 || !_stack.ContainsCaller)
            CheckDepth();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Leave() => _remainingDepth++;

    /// <summary>Ensures that a number of bytes remain, and returns the first of them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly ref byte Require(int byteCount)
    {
#if NET
        ref byte p = ref _position;
        if (Unsafe.ByteOffset(ref p, ref _end) < byteCount)
            ThrowTruncated(byteCount);
        return ref p;
#else
        if (_span.Length < byteCount)
            ThrowTruncated(byteCount);
        return ref MemoryMarshal.GetReference(_span);
#endif
    }

    /// <summary>Advances past bytes at the position that <see cref="Require"/> returned.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Advance(ref byte start, int byteCount)
    {
#if NET
        // Via a span, which the compiler allows to escape: the position is in the buffer, not on the stack.
        _position = ref Unsafe.Add(ref MemoryMarshal.GetReference(MemoryMarshal.CreateSpan(ref start, 0)), byteCount);
#else
        _span = _span.Slice(byteCount);
#endif
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Advance(int byteCount) => Advance(ref Position, byteCount);

    /// <summary>Returns the number of bytes from a position of generated code to the end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int RemainingAt(ref byte position)
    {
#if NET
        return (int)Unsafe.ByteOffset(ref position, ref _end);
#else
        return _span.Length - (int)Unsafe.ByteOffset(ref MemoryMarshal.GetReference(_span), ref position);
#endif
    }

#if NET
    /// <summary>Does what <see cref="RemainingAt"/> does, with a native integer: row "generated binary", overwrite.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly nint NativeRemainingAt(ref byte position) => Unsafe.ByteOffset(ref position, ref _end);
#endif

    /// <summary>Sets the position from generated code, which got it from <see cref="Position"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void MoveTo(ref byte position)
    {
#if NET
        Advance(ref position, 0);
#else
        _span = _span.Slice((int)Unsafe.ByteOffset(ref MemoryMarshal.GetReference(_span), ref position));
#endif
    }

    /// <summary>Checks the depth for a value without nested values, which needs no <see cref="Leave"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void CheckLeafDepth()
    {
        if (_remainingDepth <= 0)
            Enter();
    }

    /// <summary>Returns a view of the next bytes, and advances past them.</summary>
    internal ReadOnlySpan<byte> Take(int byteCount)
    {
        Require(byteCount);
        ReadOnlySpan<byte> taken = Remaining.Slice(0, byteCount);
        Advance(byteCount);
        return taken;
    }

    /// <summary>Returns bytes that have been read, starting at an offset.</summary>
    internal readonly ReadOnlySpan<byte> ReadAgain(int byteOffset) => ReadAgain(byteOffset, ByteOffset - byteOffset);

    /// <summary>Returns bytes that have been read, or are known to remain.</summary>
    internal readonly ReadOnlySpan<byte> ReadAgain(int byteOffset, int byteCount) =>
#if NET
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref _position, byteOffset - ByteOffset), byteCount);
#else
        _body.Slice(byteOffset, byteCount);
#endif

    /// <summary>Limits the input to a number of bytes, which are known to remain: for a value after its length.</summary>
    /// <returns>The number of bytes after the limited input, for <see cref="Widen"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int Narrow(int byteCount) => NarrowAt(ref Position, byteCount);

    /// <summary>Does what <see cref="Narrow"/> does, at the current position of generated code.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int NarrowAt(ref byte position, int byteCount)
    {
        int bytesAfter = RemainingAt(ref position) - byteCount;
        _endOffset -= bytesAfter;
#if NET
        _end = ref Unsafe.Subtract(ref _end, bytesAfter);
#else
        _span = _span.Slice(0, byteCount);
#endif
        return bytesAfter;
    }

    /// <summary>Restores the end of the input after <see cref="Narrow"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Widen(int bytesAfter)
    {
#if NET
        _end = ref Unsafe.Add(ref _end, bytesAfter);
#else
        int byteOffset = ByteOffset;
        _span = _body.Slice(byteOffset, BytesRemaining + bytesAfter);
#endif
        _endOffset += bytesAfter;
    }

    /// <summary>Moves to a range of the body, and limits the input to it.</summary>
    internal void MoveTo(int byteOffset, int byteCount)
    {
#if NET
        _position = ref Unsafe.Add(ref _position, byteOffset - ByteOffset);
        _end = ref Unsafe.Add(ref _position, byteCount);
#else
        _span = _body.Slice(byteOffset, byteCount);
#endif
        _endOffset = byteOffset + byteCount;
    }

    /// <summary>Checks a number of elements before anything is allocated for them.</summary>
    internal void CheckCount(int byteOffset, long elementCount, int minElementByteCount, int elementAllocation)
    {
        long missing = (elementCount * minElementByteCount) - BytesRemaining;
        if (missing > 0)
            ThrowHelper.ThrowTruncated(_endOffset, missing);
        if (elementCount > Limits.MaxElementCount)
            ThrowHelper.ThrowTooManyElements(byteOffset, elementCount, Limits.MaxElementCount);
        Charge(byteOffset, elementCount * elementAllocation);
    }

    /// <summary>Charges memory that is about to be allocated.</summary>
    internal void Charge(int byteOffset, long allocation)
    {
        _allocatedByteCount += allocation;
        if (_allocatedByteCount > _maxAllocatedByteCount)
            ThrowHelper.ThrowAllocationExceeded(byteOffset, _allocatedByteCount, Limits.AllocationFactor);
    }

    /// <summary>
    /// Counts elements of zero bytes across lists. They cost the sender nothing, so many lists within the limit could otherwise fill the memory.
    /// </summary>
    internal void ChargeEmptyElements(int byteOffset, int elementCount)
    {
        if (elementCount > Limits.MaxElementCount - _emptyElementCount)
            ThrowHelper.ThrowTooManyElements(byteOffset, (long)_emptyElementCount + elementCount, Limits.MaxElementCount);
        _emptyElementCount += elementCount;
    }

    /// <summary>
    /// Charges the memory of one element, where the number of elements is not known before: <see cref="CheckCount"/> charges all together. Inlined
    /// for row "generated protobuf", read.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Charge(int allocation)
    {
        _allocatedByteCount += allocation;
        if (_allocatedByteCount > _maxAllocatedByteCount)
            ThrowHelper.ThrowAllocationExceeded(ByteOffset, _allocatedByteCount, Limits.AllocationFactor);
    }

    /// <summary>Charges the memory of one element, unless it is too much.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryCharge(int allocation)
    {
        long allocated = _allocatedByteCount + allocation;
        if (allocated > _maxAllocatedByteCount)
            return false;
        _allocatedByteCount = allocated;
        return true;
    }

    /// <summary>Throws the error for a value that needs more bytes than remain.</summary>
    /// <remarks>Never returns, which the JIT sees: nothing is kept in registers across the call (row "reflection", read).</remarks>
    [DoesNotReturn]
    internal readonly void ThrowTruncated(long byteCount) => throw ThrowHelper.Truncated(_endOffset, byteCount - BytesRemaining);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void CheckDepth()
    {
        if (_remainingDepth < 0)
            ThrowHelper.ThrowDepthExceeded(ByteOffset, Limits.MaxDepth, writing: false);
        _stack.MoveToCaller(ByteOffset);
    }
}
