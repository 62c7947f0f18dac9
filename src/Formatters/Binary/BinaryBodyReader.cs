using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters.Binary;

/// <summary>
/// Reads the binary wire format, as written by <c>System.IO.BinaryWriter</c> or <see cref="BinaryBodyWriter"/>. Strict, and bounded by the body.
/// </summary>
/// <remarks>
/// <para>A <c>ref struct</c>: pass it by reference. Text that is not UTF-8, a bool that is neither 0 nor 1, a length that is padded or larger than
/// the remaining bytes: each throws a <see cref="MessageFormatException"/> with the byte offset, before anything is allocated for it.
/// <c>System.IO.BinaryReader</c> accepts the first three.</para>
/// <para>Call <see cref="EnsureEnd"/> after the value; <see cref="HandCodedFormatter{T}"/> does.</para>
/// </remarks>
public ref partial struct BinaryBodyReader
{
    private BodyInput _input;

    /// <summary>Creates a reader over a whole body.</summary>
    /// <param name="body">The body.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="MessageFormatException">The body is longer than <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public BinaryBodyReader(ReadOnlySpan<byte> body, FormatterLimits? limits = null) => _input = new BodyInput(body, limits);

    /// <summary>Gets the number of remaining bytes.</summary>
    public readonly int BytesRemaining => _input.BytesRemaining;

    /// <summary>Gets the offset of the next byte from the start of the body.</summary>
    public readonly int ByteOffset => _input.ByteOffset;

    /// <summary>Gets or sets the member path, which generated code tracks only when it is run again after an error.</summary>
    internal MemberPath? Path
    {
        readonly get => _input.Path;
        init => _input.Path = value;
    }

    /// <summary>Gets whether a string in UTF-16 is refused, as in formats that contain values of this one.</summary>
    internal bool RefusesUtf16 { readonly get; init; }

    /// <summary>Gets the limits.</summary>
    public readonly FormatterLimits Limits => _input.Limits ?? FormatterLimits.Default;

    /// <summary>Throws if bytes remain after the value.</summary>
    /// <exception cref="MessageFormatException"><see cref="MessageFormatErrorCode.TrailingBytes"/>.</exception>
    public readonly void EnsureEnd() => _input.EnsureEnd();

    /// <summary>Increments the depth; for records whose members are read by the caller. Pair it with <see cref="LeaveRecord"/>.</summary>
    /// <exception cref="MessageFormatException">Deeper than <see cref="FormatterLimits.MaxDepth"/>.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EnterRecord() => _input.Enter();

    /// <summary>Decrements the depth after <see cref="EnterRecord"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void LeaveRecord() => _input.Leave();

    /// <summary>Reads a record: the members of an object with its own <c>Load</c>.</summary>
    /// <typeparam name="T">The type of the object.</typeparam>
    /// <param name="existing">An object to fill, or null for a new one. Do not pass an object twice: it would be filled twice.</param>
    /// <returns>The filled object: <paramref name="existing"/> if it was given.</returns>
    /// <exception cref="MessageFormatException">The bytes are invalid, or nested too deeply; the member path gets the name of <typeparamref
    /// name="T"/>.</exception>
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
    /// <param name="minElementByteCount">The minimum size of an element in bytes, at least 1: the count is checked against the remaining
    /// bytes.</param>
    /// <param name="existing">A list to fill, whose elements are reused, or null for a new one.</param>
    /// <returns>The filled list: <paramref name="existing"/> if it was given.</returns>
    /// <exception cref="MessageFormatException">The bytes are invalid; the member path gets the name of <typeparamref name="T"/> and the
    /// index.</exception>
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
}
