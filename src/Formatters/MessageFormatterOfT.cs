using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO;
#if !NET
using System.Linq;
#endif
using System.Reflection;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Buffers;

namespace Formatters;

/// <summary>
/// Writes objects of one type into message bodies and reads them back, without boxing and, in the steady state, without allocating memory to write.
/// The base class of all typed formatters: a derived class writes and reads spans, and this class provides the rest.
/// </summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// Immutable and thread-safe, as are all formatters of this library that derive from it. As an untyped
/// <see cref="IMessageFormatter"/> it reads and writes only payloads of <typeparamref name="T"/>.
/// </remarks>
public abstract partial class MessageFormatter<T> : IMessageFormatter, IFormatterTags
{
    private int _lastByteCount = 256;

    /// <summary>Initializes the formatter with the tags of its bodies.</summary>
    /// <param name="contentType">The MIME name: <c>type/subtype</c>, without parameters.</param>
    /// <param name="bodyType">The body type number, 0 or above.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contentType"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="contentType"/> is not a MIME name.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bodyType"/> is negative.</exception>
    protected MessageFormatter(string contentType, int bodyType, FormatterLimits? limits)
        : this(limits, contentType ?? throw new ArgumentNullException(nameof(contentType)), bodyType)
    {
        if (!ContentTypes.IsValid(contentType))
            throw new ArgumentException("A content type is a type and a subtype, separated by a slash, without parameters.", nameof(contentType));
        if (bodyType < 0)
            throw new ArgumentOutOfRangeException(nameof(bodyType), bodyType, "A body type must be 0 or greater.");
    }

    /// <summary>
    /// Initializes the formatter as <see cref="MessageFormatter{T}(string, int, FormatterLimits?)"/> does, with a content type and a body type of
    /// this library, which need no check.
    /// </summary>
    private protected MessageFormatter(FormatterLimits? limits, string contentType, int bodyType)
    {
        ContentType = contentType;
        BodyType = bodyType;
        Limits = limits ?? FormatterLimits.Default;
    }

    /// <summary>Gets the MIME name of the format, for the content type of the transport.</summary>
    public string ContentType { get; }

    /// <summary>Gets the number of the format, for the body type of the transport; see <see cref="BodyTypes"/>.</summary>
    public int BodyType { get; }

    /// <summary>Gets the limits for reading and writing.</summary>
    public FormatterLimits Limits { get; }

    string? IFormatterTags.ContentType => ContentType;

    int? IFormatterTags.BodyType => BodyType;

    Type? IFormatterTags.PayloadType => typeof(T);

    string? IFormatterTags.PayloadMark => PayloadMark;

    IFormatterTags? IFormatterTags.Inner => null;

    bool IFormatterTags.ShowsInner => false;

    /// <inheritdoc cref="IFormatterTags.PayloadMark"/>
    private protected virtual string? PayloadMark => null;

    /// <summary>Estimates the length of the body of a value, so that a transport can rent one buffer for it.</summary>
    /// <param name="value">The payload.</param>
    /// <returns>A number of bytes, at least 1: a good first buffer size, neither an upper nor a lower bound.</returns>
    /// <remarks>Unless overridden: the length of the longest of this formatter's recent bodies.</remarks>
    public virtual int GetSizeHint(T value) => Volatile.Read(ref _lastByteCount);

    /// <summary>Writes the body of a value.</summary>
    /// <param name="destination">Receives the bytes. On an exception it may hold a part of them.</param>
    /// <param name="value">The payload.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The value cannot be written: a null where none is declared, a cycle, or a value beyond a
    /// limit.</exception>
    public abstract void Write(IBufferWriter<byte> destination, T value);

    /// <summary>Reads a value from a whole body.</summary>
    /// <param name="body">The body, all of it: bytes after the value are an error.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit.</exception>
    public abstract T Read(ReadOnlySpan<byte> body);

    /// <inheritdoc cref="Read(ReadOnlySpan{byte})"/>
    /// <remarks>A body in several segments is copied once into a rented array.</remarks>
    public virtual T Read(in ReadOnlySequence<byte> body)
    {
        if (body.IsSingleSegment)
#if NET
            return Read(body.FirstSpan);
#else
            return Read(body.First.Span);
#endif
        CheckBodyByteCount(body.Length);
        int byteCount = (int)body.Length;
        byte[] rented = ArrayPool<byte>.Shared.Rent(byteCount);
        try
        {
            body.CopyTo(rented);
            return Read(rented.AsSpan(0, byteCount));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    /// <summary>
    /// Reads a value from a whole body into an existing object, reusing its objects, lists and equal strings if the format supports it.
    /// </summary>
    /// <remarks>
    /// No object may be reachable twice from the existing object: it would be filled twice, and both references would see the second content. (One
    /// <c>Address</c> object for shipping and billing is such a case.) Objects that this method has filled are safe, unless a body without a member
    /// has left a shared default in place, such as <c>= Address.None</c>: give such a member an object of its own, or null.
    /// </remarks>
    /// <param name="body">The body, all of it: bytes after the value are an error.</param>
    /// <param name="value">The object to fill; null for a new one. After an exception, it is unchanged in XML, JSON, ActiveX, legacy binary and with
    /// delegates, which read a new object. In binary, versioned, MessagePack, CBOR, compact and protobuf it may have some members of the invalid body
    /// and some of the previous one, or part of a list: do not use it, or read with <see cref="ReadOrClear"/>, which then clears the
    /// variable.</param>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit.</exception>
    public virtual void Read(ReadOnlySpan<byte> body, ref T value) => value = Read(body);

    /// <summary>
    /// Reads a value from a whole body into an existing object, as <see cref="Read(ReadOnlySpan{byte}, ref T)"/> does, and clears the variable if
    /// that fails.
    /// </summary>
    /// <remarks>
    /// Use this for objects that are reused, such as those of a pool. After a failed read, some members of the object may have values of the invalid
    /// body and others those of the previous one, and members that are set once (<c>init</c>, constructors) cannot be cleared. Therefore the variable
    /// is cleared; an object that is also referenced elsewhere keeps its values.
    /// </remarks>
    /// <param name="body">The body, all of it: bytes after the value are an error.</param>
    /// <param name="value">The object to fill; null for a new one. After an exception it is null, or the default of a struct, never a partly filled
    /// object.</param>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit.</exception>
    public void ReadOrClear(ReadOnlySpan<byte> body, [NotNull] ref T? value)
    {
        T taken = value!;
        value = default;
        Read(body, ref taken);
        value = taken!;
    }

    /// <summary>
    /// Reads a value from the body of a message, regardless of its content type. Call <see cref="CanRead"/> first if you do not know the format.
    /// </summary>
    /// <param name="body">The body; it is not changed.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    /// <exception cref="MessageFormatException">The body is damaged or beyond a limit.</exception>
    public virtual T Read(MessageBody body) => Read((body ?? throw new ArgumentNullException(nameof(body))).Bytes);

    /// <inheritdoc cref="Read(ReadOnlySpan{byte})"/>
    /// <param name="body">The body, all of it.</param>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    public T Read(byte[] body) => Read(new ReadOnlySpan<byte>(body ?? throw new ArgumentNullException(nameof(body))));

    /// <summary>Reads a value from a stream, from its position to its end.</summary>
    /// <param name="body">The stream; it is left open, at its end.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    /// <exception cref="MessageFormatException">The body is damaged, or longer than <see cref="FormatterLimits.MaxBodyByteCount"/>: at most one byte
    /// more than that is read.</exception>
    public T Read(Stream body)
    {
        using var buffer = new PooledBufferWriter();
        BodyStreams.ReadToEnd(body ?? throw new ArgumentNullException(nameof(body)), buffer, Limits.MaxBodyByteCount);
        return Read(buffer.WrittenSpan);
    }

    /// <summary>Reads a value from a stream, from its position to its end.</summary>
    /// <param name="body">The stream; it is left open, at its end.</param>
    /// <param name="cancellationToken">Cancels the reading of the stream.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled. A part of the stream may have been read.</exception>
    /// <exception cref="MessageFormatException">The body is damaged, or longer than <see cref="FormatterLimits.MaxBodyByteCount"/>: at most one byte
    /// more than that is read.</exception>
    public Task<T> ReadAsync(Stream body, CancellationToken cancellationToken = default)
    {
        return body is null ? throw new ArgumentNullException(nameof(body)) : ReadCoreAsync();

        async Task<T> ReadCoreAsync()
        {
            using var buffer = new PooledBufferWriter();
            await BodyStreams.ReadToEndAsync(body, buffer, Limits.MaxBodyByteCount, cancellationToken).ConfigureAwait(false);
            return Read(buffer.WrittenSpan);
        }
    }

    /// <summary>Writes a value into a new array.</summary>
    /// <param name="value">The payload.</param>
    /// <returns>The body.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="value"/> is null and the format has no null.</exception>
    /// <exception cref="MessageFormatException">The value cannot be written.</exception>
    public byte[] Write(T value)
    {
        using var buffer = new PooledBufferWriter(GetSizeHint(value));
        Write(buffer, value);
        NoteByteCount(buffer.WrittenCount);
        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>Writes a value to a stream, in one call.</summary>
    /// <param name="destination">The stream; it is left open, after the body. Nothing is written if the value cannot be written.</param>
    /// <param name="value">The payload.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The value cannot be written.</exception>
    public void Write(Stream destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        using PooledBufferWriter buffer = WriteBuffer(value, isDelimited: false, out ArraySegment<byte> written);
        destination.Write(written.Array!, written.Offset, written.Count);
    }

    /// <summary>Writes a value to a stream, in one call.</summary>
    /// <param name="destination">The stream; it is left open, after the body. Nothing is written if the value cannot be written.</param>
    /// <param name="value">The payload. It is written to memory before this method returns, and may change after that.</param>
    /// <param name="cancellationToken">Cancels the writing to the stream.</param>
    /// <returns>A task that completes when the stream has taken all bytes.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled. A part of the body may have been written.</exception>
    /// <exception cref="MessageFormatException">The value cannot be written.</exception>
    public Task WriteAsync(Stream destination, T value, CancellationToken cancellationToken = default) =>
        destination is null ? throw new ArgumentNullException(nameof(destination)) : CopyAsync(destination, value, isDelimited: false,
            cancellationToken);

    /// <inheritdoc/>
    /// <remarks>By content type if the body has one, else by body type.</remarks>
    public virtual bool CanRead(MessageBody body)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        return body.ContentType is null || body.HasContentType(ContentTypes.OctetStream)
            ? body.BodyType == BodyType
            : body.HasContentType(ContentType);
    }

    /// <inheritdoc/>
    object? IMessageFormatter.Read(MessageBody body) => Read(body);

    /// <inheritdoc/>
    void IMessageFormatter.Write(MessageBody body, object? value)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        T payload = value switch
        {
            T typed => typed,
            null when default(T) is null => default!,
            null => throw new ArgumentNullException(nameof(value)),
            _ => throw new ArgumentException($"This formatter writes {typeof(T)}, not {value.GetType()}.", nameof(value)),
        };
        body.Bytes = new ReadOnlySequence<byte>(Write(payload));
        body.BodyType = BodyType;
        body.ContentType = ContentType;
    }

    /// <summary>Returns this instance. It is immutable, so the clone that queues request for each received message costs nothing.</summary>
    /// <returns>This instance.</returns>
    public object Clone() => this;

    /// <summary>Throws if a body is too long.</summary>
    /// <param name="byteCount">The length of the body in bytes.</param>
    /// <exception cref="MessageFormatException"><see cref="MessageFormatErrorCode.LimitExceeded"/>.</exception>
    protected void CheckBodyByteCount(long byteCount)
    {
        if (byteCount > Limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(byteCount, Limits.MaxBodyByteCount);
    }

    /// <summary>Records the length of a body that was written, for <see cref="GetSizeHint"/>.</summary>
    /// <param name="byteCount">The length in bytes.</param>
    protected void NoteByteCount(int byteCount)
    {
        int last = _lastByteCount;
        // Rises immediately, falls slowly: a hint that is too small costs a copy, one that is too large only a larger rented buffer.
        int next = byteCount >= last ? byteCount : last - ((last - byteCount) >> 3);
        if (next != last)
            Volatile.Write(ref _lastByteCount, Math.Max(next, 1));
    }
}
