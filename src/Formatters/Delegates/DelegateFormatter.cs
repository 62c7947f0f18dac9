using System;
using System.Buffers;
using System.IO;
using Formatters.Custom;

namespace Formatters;

/// <summary>Creates formatters from two delegates, to use any serializer with one line.</summary>
/// <example><code>
/// var newtonsoft = DelegateFormatter.FromArrays&lt;Order&gt;(
///     ContentTypes.Json, BodyTypes.Json,
///     order =&gt; Encoding.UTF8.GetBytes(JsonConvert.SerializeObject(order)),
///     body =&gt; JsonConvert.DeserializeObject&lt;Order&gt;(Encoding.UTF8.GetString(body))!);
/// </code></example>
/// <remarks>
/// The size limit applies to the body, in both directions; depth and counts are up to the delegate. An exception of the reading delegate becomes a
/// <see cref="MessageFormatException"/> with the code <see cref="MessageFormatErrorCode.Malformed"/> and the cause inside. An exception of the
/// writing delegate passes unchanged. Null is neither written nor read.
/// </remarks>
public static class DelegateFormatter
{
    /// <summary>Creates a formatter from delegates over buffers: nothing is copied, and only the delegates allocate.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="contentType">The MIME name of the format: <c>type/subtype</c>, without parameters.</param>
    /// <param name="bodyType">The number of the format. Use 0x8000 or above for your own formats; see <see cref="BodyTypes"/> for the numbers that
    /// are taken.</param>
    /// <param name="write">Writes a payload; the buffer writer is valid during the call only.</param>
    /// <param name="read">Reads a payload from a whole body.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentNullException">An argument other than <paramref name="limits"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="contentType"/> is not a MIME name, or <paramref name="bodyType"/> negative.</exception>
    public static DelegateFormatter<T> FromBuffers<T>(
        string contentType, int bodyType, Action<IBufferWriter<byte>, T> write, BodyReader<T> read, FormatterLimits? limits = null) =>
        new(contentType, bodyType, write, read, limits);

    /// <summary>Creates a formatter from delegates over arrays; each body is copied once.</summary>
    /// <inheritdoc cref="FromBuffers"/>
    public static DelegateFormatter<T> FromArrays<T>(
        string contentType, int bodyType, Func<T, byte[]> write, Func<byte[], T> read, FormatterLimits? limits = null)
    {
        if (write is null)
            throw new ArgumentNullException(nameof(write));
        if (read is null)
            throw new ArgumentNullException(nameof(read));
        return new DelegateFormatter<T>(
            contentType,
            bodyType,
            (destination, value) => destination.Write(
                write(value) ?? throw new InvalidOperationException("The writing delegate returned null.")),
            body => read(body.ToArray()),
            limits);
    }

    /// <summary>Creates a formatter from delegates over streams; each body is copied once on reading.</summary>
    /// <inheritdoc cref="FromBuffers"/>
    /// <remarks>
    /// If the reading delegate does not read its stream to the end, <see cref="MessageFormatErrorCode.TrailingBytes"/> is thrown. Both streams are
    /// valid during the call only; a delegate may close them.
    /// </remarks>
    public static DelegateFormatter<T> FromStreams<T>(
        string contentType, int bodyType, Action<Stream, T> write, Func<Stream, T> read, FormatterLimits? limits = null)
    {
        if (write is null)
            throw new ArgumentNullException(nameof(write));
        if (read is null)
            throw new ArgumentNullException(nameof(read));
        int maxByteCount = (limits ?? FormatterLimits.Default).MaxBodyByteCount;
        return new DelegateFormatter<T>(
            contentType,
            bodyType,
            (destination, value) =>
            {
                using var stream = new BufferWriterStream(destination, maxByteCount);
                write(stream, value);
            },
            body =>
            {
                using var stream = new MemoryStream(body.ToArray(), writable: false);
                T value = read(stream);
                if (stream.CanRead && stream.Position != stream.Length)
                    ThrowHelper.ThrowTrailingBytes(stream.Position, stream.Length - stream.Position);
                return value;
            },
            limits);
    }
}
