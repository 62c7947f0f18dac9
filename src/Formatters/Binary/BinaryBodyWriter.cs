using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters.Binary;

/// <summary>
/// Writes the binary wire format: the same bytes as every <c>Write</c> of <c>System.IO.BinaryWriter</c>, without a stream in between.
/// </summary>
/// <remarks>
/// <para>A <c>ref struct</c>: pass it by reference. It writes directly into the spans of an <see cref="IBufferWriter{T}"/> (or into one span of the
/// caller) and allocates nothing. Call <see cref="Flush"/> at the end; <see cref="HandCodedFormatter{T}"/> does.</para>
/// <para>Wire format: docs/wire/binary.md. Numbers are little endian; text is UTF-8 after its byte count in 7-bit groups.</para>
/// </remarks>
public ref partial struct BinaryBodyWriter
{
    /// <summary>The output, for generated code.</summary>
    internal BodyOutput Output;

    /// <summary>Creates a writer into a buffer writer.</summary>
    /// <param name="output">Receives the bytes, at the latest in <see cref="Flush"/>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="output"/> is null.</exception>
    public BinaryBodyWriter(IBufferWriter<byte> output, FormatterLimits? limits = null) => Output = new BodyOutput(output, limits);

    /// <summary>Creates a writer into one span of the caller, which does not grow.</summary>
    /// <param name="destination">Receives the bytes; the body is its first <see cref="BytesWritten"/> bytes.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <remarks>
    /// A value that does not fit throws an <see cref="ArgumentException"/>, and nothing of it is written. A value that is written in parts (a string
    /// that may be null, bytes with their count, a record) may leave its first parts in the span. A generated contract reserves the most bytes that
    /// its next values may take: pass a span that is longer than the body, or a buffer writer.
    /// </remarks>
    public BinaryBodyWriter(Span<byte> destination, FormatterLimits? limits = null) => Output = new BodyOutput(destination, limits);

    /// <summary>Gets the number of bytes written so far.</summary>
    public readonly long BytesWritten => Output.BytesWritten;

    /// <summary>Gets or sets the member path, which generated code tracks only when it is run again after an error.</summary>
    internal MemberPath? Path
    {
        readonly get => Output.Path;
        init => Output.Path = value;
    }

    /// <summary>Whether strings that are not ASCII are written in UTF-16.</summary>
    internal readonly bool UseUtf16;

    /// <summary>Gets the limits.</summary>
    public readonly FormatterLimits Limits => Output.Limits ?? FormatterLimits.Default;

    /// <summary>Passes everything written to the buffer writer. Has no effect on a span.</summary>
    /// <exception cref="MessageFormatException">The body is larger than <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public void Flush() => Output.Flush();

    /// <summary>Increments the depth; for records whose members are written by the caller. Pair it with <see cref="LeaveRecord"/>.</summary>
    /// <exception cref="MessageFormatException">Deeper than <see cref="FormatterLimits.MaxDepth"/>: in most cases a cycle in the object
    /// graph.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EnterRecord() => Output.Enter();

    /// <summary>Decrements the depth after <see cref="EnterRecord"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void LeaveRecord() => Output.Leave();

    /// <summary>Writes a record: the members of an object with its own <c>Save</c>, without framing.</summary>
    /// <typeparam name="T">The type of the object.</typeparam>
    /// <param name="value">The object.</param>
    /// <exception cref="MessageFormatException"><paramref name="value"/> is null, nested too deeply, or cannot be written; the member path gets the
    /// name of <typeparamref name="T"/>.</exception>
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
}
