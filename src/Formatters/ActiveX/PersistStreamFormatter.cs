using System;
using System.Buffers;
using System.Threading;
using Formatters.ActiveX;
using Formatters.Binary;

namespace Formatters;

/// <summary>
/// A formatter for objects that persist themselves, as COM's <c>IPersistStream</c> does: the class id followed by the object's own bytes
/// (<c>VT_STREAMED_OBJECT</c>). Message Queuing's COM component sends objects in this form, and <c>ActiveXMessageFormatter</c> sends COM objects in
/// it.
/// </summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>The content is what the class writes, in a format of its own: the formatter of the content reads and writes it. For a COM class that is
/// often a <see cref="DelegateFormatter{T}"/> or an <see cref="IBinaryBody"/> with its members in the order of its <c>Save</c>.</para>
/// <para>No class is created from its id: a body of another class is rejected. If objects of several classes arrive, put one formatter for each into
/// a <see cref="FormatterRegistry"/>: it chooses by the id. Objects that persist themselves in a storage (<c>VT_STORED_OBJECT</c>) are not read. Wire
/// format: docs/wire/activex.md.</para>
/// </remarks>
/// <example><code>
/// var orders = new PersistStreamFormatter&lt;Order&gt;(new Guid("6c0a7f3e-5d0c-4b0f-9f57-1f0b8f8d2a11"), new HandCodedFormatter&lt;Order&gt;());
/// byte[] body = orders.Write(order);
/// Order same = orders.Read(body);
/// </code></example>
public sealed class PersistStreamFormatter<T> : MessageFormatter<T>
{
    private const int ClassIdByteCount = 16;

    private LimitedBufferWriter? _spare;

    /// <summary>Creates a formatter.</summary>
    /// <param name="classId">The id of the class (CLSID).</param>
    /// <param name="content">Writes and reads the content after the class id. Its limits apply.</param>
    /// <exception cref="ArgumentNullException"><paramref name="content"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="classId"/> is empty.</exception>
    public PersistStreamFormatter(Guid classId, MessageFormatter<T> content)
        : base((content ?? throw new ArgumentNullException(nameof(content))).Limits, ContentTypes.ActiveX, VarTypes.StreamedObject)
    {
        if (classId == Guid.Empty)
            throw new ArgumentException("The class id must not be empty.", nameof(classId));
        ClassId = classId;
        Content = content;
    }

    /// <summary>Gets the class id.</summary>
    public Guid ClassId { get; }

    /// <summary>Gets the formatter of the content after the class id.</summary>
    public MessageFormatter<T> Content { get; }

    private protected override string PayloadMark => ClassId.ToString("D");

    /// <inheritdoc/>
    public override int GetSizeHint(T value) => (int)Math.Min(int.MaxValue, (long)Content.GetSizeHint(value) + ClassIdByteCount);

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (!typeof(T).IsValueType && value is null)
            throw new ArgumentNullException(nameof(value));
        LimitedBufferWriter limited = Interlocked.Exchange(ref _spare, null) ?? new LimitedBufferWriter();
        try
        {
            limited.Start(destination, Limits.MaxBodyByteCount);
            WriteClassId(limited.GetSpan(ClassIdByteCount));
            limited.Advance(ClassIdByteCount);
            Content.Write(limited, value);
        }
        finally
        {
            limited.Forget();
        }

        NoteByteCount(limited.WrittenCount);
        _spare = limited;
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">The object is of another class (<see cref="MessageFormatErrorCode.UnknownFormat"/>, not poison), or
    /// the content is damaged.</exception>
    public override T Read(ReadOnlySpan<byte> body)
    {
        ReadOnlySpan<byte> content = OpenContent(body);
        try
        {
            return Content.Read(content);
        }
        catch (MessageFormatException e) when (e.ByteOffset >= 0)
        {
            throw e.FurtherOn(ClassIdByteCount);
        }
    }

    /// <inheritdoc/>
    /// <remarks>As the formatter of the content does.</remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value)
    {
        ReadOnlySpan<byte> content = OpenContent(body);
        try
        {
            Content.Read(content, ref value);
        }
        catch (MessageFormatException e) when (e.ByteOffset >= 0)
        {
            throw e.FurtherOn(ClassIdByteCount);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">The body type is different, the object is of another class, or the content is damaged.</exception>
    public override T Read(MessageBody body)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        if (body.BodyType != VarTypes.StreamedObject)
            VarTypes.ThrowUnknown(body.BodyType);
        return Read(body.Bytes);
    }

    /// <inheritdoc/>
    /// <remarks>By body type and class id, if the content type leaves it open.</remarks>
    public override bool CanRead(MessageBody body)
    {
        if (!ActiveXFormatter.HasFormat(body) || body.BodyType != VarTypes.StreamedObject || body.Bytes.Length < ClassIdByteCount)
            return false;
        Span<byte> first = stackalloc byte[ClassIdByteCount];
        body.Bytes.Slice(0, ClassIdByteCount).CopyTo(first);
        return IsOfClass(first);
    }

    private ReadOnlySpan<byte> OpenContent(ReadOnlySpan<byte> body)
    {
        CheckBodyByteCount(body.Length);
        if (body.Length < ClassIdByteCount)
            ThrowHelper.ThrowTruncated(body.Length, ClassIdByteCount - body.Length);
        if (!IsOfClass(body))
            throw new MessageFormatException(MessageFormatErrorCode.UnknownFormat, $"The object is not of the class {{{ClassId:D}}}.", 0);
        return body.Slice(ClassIdByteCount);
    }

    private bool IsOfClass(ReadOnlySpan<byte> body)
    {
        Span<byte> id = stackalloc byte[ClassIdByteCount];
        WriteClassId(id);
        return body.StartsWith(id);
    }

    private void WriteClassId(Span<byte> destination)
    {
#if NET
        ClassId.TryWriteBytes(destination);
#else
        ClassId.ToByteArray().CopyTo(destination);
#endif
    }
}
