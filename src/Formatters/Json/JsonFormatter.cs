// System.Text.Json is part of .NET; on netstandard2.0 it would be a dependency, and there DelegateFormatter takes its place.
#if NET
using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Threading;

namespace Formatters;

/// <summary>JSON bodies, UTF-8, as System.Text.Json writes and reads them.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>Not on netstandard2.0, where System.Text.Json is a package: there two delegates over it, or over another JSON library, make the formatter
/// (<see cref="DelegateFormatter"/>).</para>
/// <para>A body is one JSON value; anything but white space behind it is an error, and so is a byte order mark. Null is neither written nor read as
/// the payload itself. Colliding keys: a dictionary with other keys than strings is filled by System.Text.Json without a defence against keys that were chosen
/// to collide. <see cref="FormatterLimits.RefuseInvalidText"/> and <see cref="FormatterLimits.MaxElementCount"/> do not apply. Wire format: docs/wire/json.md. Depth counts objects and arrays; on writing, System.Text.Json counts the values of the innermost as a level of their own.</para>
/// </remarks>
public sealed class JsonFormatter<T> : MessageFormatter<T>
{
    private const int DefaultMaxDepth = 64;

    private readonly JsonTypeInfo<T> _typeInfo;
    private readonly JsonWriterOptions _writerOptions;
    private readonly bool _checkDepth;
    private readonly bool _isCanonical;
    private Spare? _spare;

    /// <summary>Makes a formatter from a contract, usually a source-generated one (<c>OrdersContext.Default.Order</c>): no reflection, ready for trimming and AOT.</summary>
    /// <param name="typeInfo">The contract; its options hold, duplicate properties included (<see cref="JsonSerializerOptions.AllowDuplicateProperties"/>).</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>. The smaller of <see cref="FormatterLimits.MaxDepth"/> and the options' own depth holds; <see cref="FormatterLimits.MaxElementCount"/> does not apply.</param>
    /// <param name="isCanonical">Whether bodies are written in the canonical form of RFC 8785, so that equal objects have equal bytes: names sorted, no white space, one form of each number. Such a write takes several times as long. Reading is the same.</param>
    /// <exception cref="ArgumentNullException"><paramref name="typeInfo"/> is null.</exception>
    public JsonFormatter(JsonTypeInfo<T> typeInfo, FormatterLimits? limits = null, bool isCanonical = false)
        : base(limits, ContentTypes.Json, BodyTypes.Json)
    {
        _typeInfo = typeInfo ?? throw new ArgumentNullException(nameof(typeInfo));
        _isCanonical = isCanonical;
        JsonSerializerOptions options = typeInfo.Options;
        int maxDepth = options.MaxDepth == 0 ? DefaultMaxDepth : options.MaxDepth;
        _checkDepth = maxDepth > Limits.MaxDepth;
        _writerOptions = new JsonWriterOptions
        {
            Encoder = options.Encoder,
            Indented = options.WriteIndented,
            IndentCharacter = options.IndentCharacter,
            IndentSize = options.IndentSize,
            NewLine = options.NewLine,
            MaxDepth = Math.Min(maxDepth, Limits.MaxDepth),
            SkipValidation = true,
        };
    }

    /// <summary>Makes a formatter from options.</summary>
    /// <param name="options">The options; they are read-only from here on.</param>
    /// <param name="limits">The limits, as for the other constructor.</param>
    /// <param name="isCanonical">As for the other constructor.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="NotSupportedException">System.Text.Json has no contract for <typeparamref name="T"/>.</exception>
    [RequiresUnreferencedCode(UnreferencedCode)]
    [RequiresDynamicCode(DynamicCode)]
    public JsonFormatter(JsonSerializerOptions options, FormatterLimits? limits = null, bool isCanonical = false)
        : this(GetTypeInfo(options ?? throw new ArgumentNullException(nameof(options))), limits, isCanonical)
    {
    }

    /// <summary>Makes a formatter with strict options: duplicate properties are refused, so is null in a member that is not declared nullable, and public fields count as members.</summary>
    /// <param name="limits">The limits, as for the other constructors.</param>
    /// <param name="isCanonical">As for the other constructors.</param>
    /// <exception cref="NotSupportedException">System.Text.Json has no contract for <typeparamref name="T"/>.</exception>
    [RequiresUnreferencedCode(UnreferencedCode)]
    [RequiresDynamicCode(DynamicCode)]
    public JsonFormatter(FormatterLimits? limits = null, bool isCanonical = false)
        : this(
            new JsonSerializerOptions
            {
                AllowDuplicateProperties = false,
                RespectNullableAnnotations = true,
                IncludeFields = true,
                MaxDepth = (limits ?? FormatterLimits.Default).MaxDepth,
            },
            limits,
            isCanonical)
    {
    }

    private const string UnreferencedCode = "Without a JsonTypeInfo, System.Text.Json reflects over the members of the type, which trimming may remove.";
    private const string DynamicCode = "Without a JsonTypeInfo, System.Text.Json may generate code at run time.";

    /// <inheritdoc/>
    /// <remarks>Allocates nothing in the steady state with a contract for which System.Text.Json does not.</remarks>
    /// <exception cref="MessageFormatException">A cycle, depth beyond the limit, a null where none is declared.</exception>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));

        if (_isCanonical)
            NoteByteCount(WriteCanonical(destination, value));
        else
            NoteByteCount(WritePlain(destination, value));
    }

    private int WriteCanonical(IBufferWriter<byte> destination, T value)
    {
        using var plain = new PooledBufferWriter();
        WritePlain(plain, value);
        using JsonDocument document = JsonDocument.Parse(plain.WrittenSegment, new JsonDocumentOptions { MaxDepth = int.MaxValue });
        LimitedBufferWriter limited = new LimitedBufferWriter().Start(destination, Limits.MaxBodyByteCount);
        new JsonCanonicalForm(limited).Write(document.RootElement);
        return limited.WrittenCount;
    }

    private int WritePlain(IBufferWriter<byte> destination, T value)
    {
        // One writer is kept between writes. It is taken out while in use: another thread, or a payload that comes back here, makes its own.
        Spare spare = Interlocked.Exchange(ref _spare, null) ?? new Spare(_writerOptions);
        spare.Destination.Start(destination, Limits.MaxBodyByteCount);
        spare.Writer.Reset(spare.Destination);
        try
        {
            JsonSerializer.Serialize(spare.Writer, value, _typeInfo);
            spare.Writer.Flush();
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException && spare.Writer.CurrentDepth >= _writerOptions.MaxDepth)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.DepthExceeded,
                $"The object graph is deeper than {_writerOptions.MaxDepth} levels (FormatterLimits.MaxDepth), or has a cycle.",
                memberPath: JsonMemberPath.Of((e as JsonException)?.Path, _typeInfo),
                innerException: e);
        }
        catch (JsonException e)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.BadValue,
                "System.Text.Json refuses the object: see the inner exception.",
                memberPath: JsonMemberPath.Of(e.Path, _typeInfo),
                innerException: e);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            // NaN and infinity, which JSON lacks; a member of a type that System.Text.Json does not write.
            throw new MessageFormatException(
                MessageFormatErrorCode.BadValue, "System.Text.Json cannot write the object: see the inner exception.", memberPath: TypeNames.Of(typeof(T)), innerException: e);
        }

        int byteCount = spare.Destination.WrittenCount;
        spare.Destination.Forget();
        _spare = spare;
        return byteCount;
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        CheckBodyByteCount(body.Length);
        if (_checkDepth)
            JsonErrors.CheckDepth(body, _writerOptions.MaxDepth);
        T? value;
        try
        {
            value = JsonSerializer.Deserialize(body, _typeInfo);
        }
        catch (JsonException e)
        {
            throw JsonErrors.ReadError(e, body, _writerOptions.MaxDepth, _typeInfo);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            // A constructor or a property of the payload that refuses its value, a member of an abstract type.
            throw BodyFault.Malformed(e, typeof(T));
        }

        return value is null
            ? throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "The body is the JSON null.", 0, isPoison: true)
            : value;
    }

    [RequiresUnreferencedCode(UnreferencedCode)]
    [RequiresDynamicCode(DynamicCode)]
    private static JsonTypeInfo<T> GetTypeInfo(JsonSerializerOptions options)
    {
        options.MakeReadOnly(populateMissingResolver: true);
        return (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
    }

    private sealed class Spare
    {
        internal Spare(JsonWriterOptions options) => Writer = new Utf8JsonWriter(Destination, options);

        internal LimitedBufferWriter Destination { get; } = new();

        internal Utf8JsonWriter Writer { get; }
    }
}
#endif
