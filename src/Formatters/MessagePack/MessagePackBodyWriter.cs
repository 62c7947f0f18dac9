using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters.MessagePack;

/// <summary>Writes MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md), every value in its shortest form.</summary>
/// <remarks>
/// <para>A <c>ref struct</c>: pass it by reference. It writes directly into the spans of an <see cref="IBufferWriter{T}"/> (or into one span of the
/// caller) and allocates nothing. Call <see cref="Flush"/> at the end; <see cref="MessagePackFormatter{T}"/> does.</para>
/// <para>Types for which the specification has no form (<see cref="decimal"/>, <see cref="Guid"/> and others) are written as MessagePack-CSharp's
/// standard resolver writes them: docs/wire/messagepack.md.</para>
/// </remarks>
public ref partial struct MessagePackBodyWriter
{
    private BodyOutput _output;

    /// <summary>Creates a writer into a buffer writer.</summary>
    /// <param name="output">Receives the bytes, at the latest in <see cref="Flush"/>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="isCanonical">See <see cref="IsCanonical"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="output"/> is null.</exception>
    public MessagePackBodyWriter(IBufferWriter<byte> output, FormatterLimits? limits = null, bool isCanonical = false)
    {
        _output = new BodyOutput(output, limits);
        IsCanonical = isCanonical;
    }

    /// <summary>Creates a writer into one span of the caller, which does not grow.</summary>
    /// <param name="destination">Receives the bytes; the body is its first <see cref="BytesWritten"/> bytes.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="isCanonical">See <see cref="IsCanonical"/>.</param>
    /// <remarks>
    /// A value that does not fit throws an <see cref="ArgumentException"/>, and nothing of it is written. A value that is written in parts (a <see
    /// cref="DateTimeOffset"/>) may leave its first part in the span. A generated contract reserves the most bytes that its next values may take:
    /// pass a span that is longer than the body, or a buffer writer.
    /// </remarks>
    public MessagePackBodyWriter(Span<byte> destination, FormatterLimits? limits = null, bool isCanonical = false)
    {
        _output = new BodyOutput(destination, limits);
        IsCanonical = isCanonical;
    }

    /// <summary>Creates a writer at the position of a traversal writer; <see cref="Output"/> returns it.</summary>
    internal MessagePackBodyWriter(BodyOutput output, bool isCanonical)
    {
        _output = output;
        IsCanonical = isCanonical;
    }

    /// <summary>Gets the number of bytes written so far.</summary>
    public readonly long BytesWritten => _output.BytesWritten;

    /// <summary>Gets the limits.</summary>
    public readonly FormatterLimits Limits => _output.Limits;

    /// <summary>
    /// Gets whether equal values are written as equal bytes: every NaN is written as the same one, and maps and sets in the order of their bytes.
    /// </summary>
    /// <value>
    /// The writer itself normalizes NaN. The caller decides the order of maps and sets, as <see cref="MessagePackFormatter{T}"/> does.
    /// </value>
    public readonly bool IsCanonical { get; }

    /// <summary>Passes everything written to the buffer writer. Has no effect on a span.</summary>
    /// <exception cref="MessageFormatException">The body is larger than <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public void Flush() => _output.Flush();

    /// <summary>
    /// Increments the depth: call it for every array or map whose elements are written individually. Pair it with <see cref="Leave"/>.
    /// </summary>
    /// <exception cref="MessageFormatException">Deeper than <see cref="FormatterLimits.MaxDepth"/>: in most cases a cycle in the object
    /// graph.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter() => _output.Enter();

    /// <summary>Decrements the depth after <see cref="Enter"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => _output.Leave();

    /// <summary>Writes the header of an array; write that many values after it.</summary>
    /// <param name="elementCount">The number of elements.</param>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    /// <exception cref="MessageFormatException">Above <see cref="FormatterLimits.MaxElementCount"/>.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteArrayHeader(int elementCount)
    {
        if ((uint)elementCount > (uint)Limits.MaxElementCount)
            ThrowHelper.ThrowBadElementCount(elementCount, Limits.MaxElementCount);
        ref byte p = ref _output.Reserve(MessagePackBytes.GetCountByteCount(elementCount));
        _output.Advance(ref p, MessagePackBytes.WriteArrayHeader(ref p, elementCount));
    }

    /// <summary>Writes the header of a map; write the keys and values of that many entries after it.</summary>
    /// <param name="entryCount">The number of entries.</param>
    /// <inheritdoc cref="WriteArrayHeader" path="/exception"/>
    public void WriteMapHeader(int entryCount)
    {
        if ((uint)entryCount > (uint)Limits.MaxElementCount)
            ThrowHelper.ThrowBadElementCount(entryCount, Limits.MaxElementCount);
        ref byte p = ref _output.Reserve(MessagePackBytes.GetCountByteCount(entryCount));
        _output.Advance(ref p, MessagePackBytes.WriteMapHeader(ref p, entryCount));
    }

    /// <summary>Writes an extension: bytes with a type number.</summary>
    /// <param name="extensionType">The type number: from 0 to 127 the application's own; below 0 the specification's.</param>
    /// <param name="content">The bytes.</param>
    public void WriteExtension(sbyte extensionType, scoped ReadOnlySpan<byte> content)
    {
        int header = MessagePackBytes.GetExtensionHeaderByteCount(content.Length);
        ref byte p = ref _output.Reserve(checked(header + content.Length));
        MessagePackBytes.WriteExtensionHeader(ref p, extensionType, content.Length);
        Copy(content, ref Unsafe.Add(ref p, header));
        _output.Advance(ref p, header + content.Length);
    }

    /// <summary>Writes bytes as a binary value.</summary>
    /// <param name="value">The bytes.</param>
    public void WriteBytes(scoped ReadOnlySpan<byte> value)
    {
        int header = MessagePackBytes.GetBinaryHeaderByteCount(value.Length);
        ref byte p = ref _output.Reserve(checked(header + value.Length));
        MessagePackBytes.WriteBinaryHeader(ref p, value.Length);
        Copy(value, ref Unsafe.Add(ref p, header));
        _output.Advance(ref p, header + value.Length);
    }

    /// <summary>Writes a string that is already UTF-8.</summary>
    /// <param name="value">The string. It is not checked: a reader rejects what is not UTF-8.</param>
    public void WriteUtf8(scoped ReadOnlySpan<byte> value)
    {
        int header = MessagePackBytes.GetStringHeaderByteCount(value.Length);
        ref byte p = ref _output.Reserve(checked(header + value.Length));
        MessagePackBytes.WriteStringHeader(ref p, value.Length);
        Copy(value, ref Unsafe.Add(ref p, header));
        _output.Advance(ref p, header + value.Length);
    }

    /// <summary>Writes bytes without conversion: values that were written elsewhere.</summary>
    /// <param name="value">One or more whole values. They are not checked.</param>
    public void WriteRaw(scoped ReadOnlySpan<byte> value)
    {
        ref byte p = ref _output.Reserve(value.Length);
        Copy(value, ref p);
        _output.Advance(ref p, value.Length);
    }

    /// <summary>Gets the output, for the traversal, which writes a part of the body.</summary>
    internal BodyOutput Output
    {
        readonly get => _output;
        set => _output = value;
    }

    private static void Copy(scoped ReadOnlySpan<byte> source, ref byte destination)
    {
        if (!source.IsEmpty)
            Unsafe.CopyBlockUnaligned(ref destination, ref MemoryMarshal.GetReference(source), (uint)source.Length);
    }
}
