using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>Reads the binary wire format: what <c>System.IO.BinaryWriter</c> or <see cref="BinaryBodyWriter"/> wrote. Strict, and bounded by the body.</summary>
/// <remarks>
/// <para>A <c>ref struct</c>: pass it by reference. Text that is not UTF-8, a bool that is neither 0 nor 1, a length that is padded or larger than
/// what remains: each gives a <see cref="MessageFormatException"/> with the byte offset, before anything is allocated for it.
/// <c>System.IO.BinaryReader</c> accepts the first three.</para>
/// <para>Call <see cref="EnsureEnd"/> behind the value; <see cref="HandCodedFormatter{T}"/> does.</para>
/// </remarks>
public ref partial struct BinaryBodyReader
{
    private readonly FormatterLimits _limits;
    private readonly int _bodyByteCount;
    private int _depth;
    private long _allocatedByteCount;
    private MemberPath? _path;
    private int _emptyElementCount;

#if NET
    private ref byte _position;
    private readonly ref byte _end;
#else
    private readonly ReadOnlySpan<byte> _body;
    private ReadOnlySpan<byte> _span;
#endif

    /// <summary>Makes a reader over a whole body.</summary>
    /// <param name="body">The body.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="MessageFormatException">The body is longer than <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public BinaryBodyReader(ReadOnlySpan<byte> body, FormatterLimits? limits = null)
    {
        _limits = limits ?? FormatterLimits.Default;
        _bodyByteCount = body.Length;
#if NET
        _position = ref MemoryMarshal.GetReference(body);
        _end = ref Unsafe.Add(ref _position, body.Length);
#else
        _body = _span = body;
#endif
        if (body.Length > _limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(body.Length, _limits.MaxBodyByteCount);
    }

    /// <summary>The number of bytes not yet read.</summary>
    public readonly int BytesRemaining
#if NET
        => (int)Unsafe.ByteOffset(ref _position, ref _end);
#else
        => _span.Length;
#endif

    /// <summary>Where the next byte lies, in bytes from the start of the body.</summary>
    public readonly int ByteOffset => _bodyByteCount - BytesRemaining;

    /// <summary>The member path of a generated contract: in the second run only, which an error starts.</summary>
    internal MemberPath? Path
    {
        readonly get => _path;
        init => _path = value;
    }

    /// <summary>The limits under which this reader works.</summary>
    public readonly FormatterLimits Limits => _limits ?? FormatterLimits.Default;

    private readonly ref byte Position
#if NET
        => ref _position;
#else
        => ref MemoryMarshal.GetReference(_span);
#endif

    /// <summary>Refuses bytes behind the value.</summary>
    /// <exception cref="MessageFormatException"><see cref="MessageFormatErrorCode.TrailingBytes"/>.</exception>
    public readonly void EnsureEnd()
    {
        if (BytesRemaining != 0)
            ThrowHelper.ThrowTrailingBytes(ByteOffset, BytesRemaining);
    }

    /// <summary>Counts one level of nesting; for records whose members are read by the caller. Pair it with <see cref="LeaveRecord"/>.</summary>
    /// <exception cref="MessageFormatException">Deeper than <see cref="FormatterLimits.MaxDepth"/>.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EnterRecord()
    {
        if (++_depth > _limits.MaxDepth || (_depth & 15) == 0)
            CheckDepth();
    }

    /// <summary>Ends what <see cref="EnterRecord"/> began.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void LeaveRecord() => _depth--;

    /// <summary>Reads a record: the members of an object that brings its own <c>Load</c>.</summary>
    /// <typeparam name="T">The type of the object.</typeparam>
    /// <param name="existing">An object to fill, or null for a new one. Give no object twice: it would be filled twice.</param>
    /// <returns>The filled object: <paramref name="existing"/> where it was given.</returns>
    /// <exception cref="MessageFormatException">The bytes are bad, or nested too deep; the member path gets the name of <typeparamref name="T"/>.</exception>
    public T ReadRecord<
#if NET
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)]
#endif
        T>(T? existing = default)
        where T : IBinaryBody, new()
    {
        T value = existing is null ? new T() : existing;
        EnterRecord();
        try
        {
            value.Load(ref this);
        }
        catch (MessageFormatException e) when (e.PrependPath(TypeNames.Of(typeof(T))))
        {
        }

        LeaveRecord();
        return value;
    }

    /// <summary>Reads a list of records: an Int32 count and the records.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    /// <param name="minElementByteCount">The fewest bytes that an element can take, at least 1: the count is checked against what remains.</param>
    /// <param name="existing">A list to fill, whose elements are reused, or null for a new one.</param>
    /// <returns>The filled list: <paramref name="existing"/> where it was given.</returns>
    /// <exception cref="MessageFormatException">The bytes are bad; the member path gets the name of <typeparamref name="T"/> and the index.</exception>
    public List<T> ReadList<
#if NET
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)]
#endif
        T>(int minElementByteCount, List<T>? existing = null)
        where T : class, IBinaryBody, new()
    {
        int count = ReadCount(minElementByteCount);
        List<T> list = existing ?? new List<T>(count);
        if (list.Count > count)
            list.RemoveRange(count, list.Count - count);
        int i = 0;
        EnterRecord();
        try
        {
            for (; i < list.Count; i++)
            {
                T element = list[i] ??= new T();
                element.Load(ref this);
            }

            for (; i < count; i++)
            {
                var element = new T();
                list.Add(element);
                element.Load(ref this);
            }
        }
        catch (MessageFormatException e) when (e.PrependPath(TypeNames.Of(typeof(T)) + "[" + i.ToString(CultureInfo.InvariantCulture) + "]"))
        {
        }

        LeaveRecord();
        return list;
    }

    /// <summary>Makes sure that so many bytes remain and returns the first of them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ref byte Require(int byteCount)
    {
#if NET
        ref byte p = ref _position;
        if (Unsafe.ByteOffset(ref p, ref _end) < byteCount)
            ThrowHelper.ThrowTruncated(_bodyByteCount, (long)byteCount - BytesRemaining);
        return ref p;
#else
        if (_span.Length < byteCount)
            ThrowHelper.ThrowTruncated(_bodyByteCount, (long)byteCount - BytesRemaining);
        return ref MemoryMarshal.GetReference(_span);
#endif
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Advance(int byteCount) => Advance(ref Position, byteCount);

    /// <summary>Moves behind bytes that lie at the place that <see cref="Require"/> returned.</summary>
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

    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void CheckDepth()
    {
        if (_depth > _limits.MaxDepth)
            ThrowHelper.ThrowDepthExceeded(ByteOffset, _limits.MaxDepth, writing: false);
        StackGuard.Check(ByteOffset);
    }
}
