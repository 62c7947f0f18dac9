// System.Text.Json is part of .NET; on netstandard2.0 it would be a dependency, and DelegateFormatter replaces this.
#if NET
using Formatters.Buffers;

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
/// <para>Not supported on netstandard2.0, where System.Text.Json is a package: create a formatter from two delegates over it, or over another JSON
/// library (<see cref="DelegateFormatter"/>).</para>
/// <para>A body is one JSON value; anything but white space after it is an error, and so is a byte order mark. The payload itself cannot be null.
/// Colliding keys: in bodies of 16 KiB and more, keys other than strings are hashed with a random key, in dictionaries and sets of the base library;
/// not in collections of the application's own, nor where code cannot be generated at run time (Native AOT). <see
/// cref="FormatterLimits.RefuseInvalidText"/> and <see cref="FormatterLimits.MaxElementCount"/> do not apply. Wire format: docs/wire/json.md. Depth
/// counts objects and arrays; on writing, System.Text.Json counts the values of the innermost as one more level.</para>
/// </remarks>
public sealed class JsonFormatter<T> : MessageFormatter<T>
{
    private const int DefaultMaxDepth = 64;

    /// <summary>
    /// The stack size of one level of nesting in System.Text.Json: up to 2,440 bytes were measured, on reading constructors and structures, and up
    /// to four copies of a large structure.
    /// </summary>
    private const int LevelByteCount = 3 * 1024;
    private const int StructCopyCount = 8;

    /// <summary>The body size from which on colliding keys could take noticeable time.</summary>
    private const int ManyKeysByteCount = 16 * 1024;

    private readonly JsonTypeInfo<T> _typeInfo;
    private readonly JsonWriterOptions _writerOptions;
    private readonly int _levelByteCount;
    private readonly bool _checkDepth;
    private readonly bool _isCanonical;
    private readonly bool _checksDerived;
    private readonly bool _hasUnions;
    private JsonTypeInfo<T>? _keyedTypeInfo;
    private Spare? _spare;

    /// <summary>
    /// Creates a formatter from a contract, usually a source-generated one (<c>OrdersContext.Default.Order</c>): no reflection, ready for trimming
    /// and AOT.
    /// </summary>
    /// <param name="typeInfo">The contract; its options apply, including duplicate properties
    /// (<see cref="JsonSerializerOptions.AllowDuplicateProperties"/>).</param>
    /// <param name="options">The options; null means <see cref="JsonOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="typeInfo"/> is null.</exception>
    /// <exception cref="ArgumentException"><see cref="JsonOptions.SerializerOptions"/> is set: the contract has its own.</exception>
    /// <exception cref="NotSupportedException">System.Text.Json would write the payload, but not read all of it back: docs/wire/json.md has the
    /// rules. To allow it, name the type in <see cref="JsonOptions.AllowedLosses"/>.</exception>
    public JsonFormatter(JsonTypeInfo<T> typeInfo, JsonOptions? options = null)
        : this(typeInfo, options ?? JsonOptions.Default, isOwn: false)
    {
        if (options?.SerializerOptions is not null)
            throw new ArgumentException("The contract has options of System.Text.Json of its own.", nameof(options));
    }

    private JsonFormatter(JsonTypeInfo<T> typeInfo, JsonOptions own, bool isOwn)
        : base(own.Limits, ContentTypes.Json, BodyTypes.Json)
    {
        _typeInfo = typeInfo ?? throw new ArgumentNullException(nameof(typeInfo));
        _hasUnions = JsonContracts.Check(typeInfo, own.AllowedLosses, out int structByteCount);
        _levelByteCount = LevelByteCount + (StructCopyCount * structByteCount);
        _isCanonical = own.IsCanonical;
        _checksDerived = JsonDerivedObject.IsChecked(typeInfo);
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

    /// <summary>Creates a formatter with a contract found by reflection.</summary>
    /// <param name="options">The options; null means <see cref="JsonOptions.Default"/>.</param>
    /// <exception cref="NotSupportedException">System.Text.Json has no contract for <typeparamref name="T"/>, or would not read it back.</exception>
    /// <exception cref="PlatformNotSupportedException">The program is compiled ahead of time: members may be missing. Use a
    /// <c>JsonTypeInfo</c>.</exception>
    [RequiresUnreferencedCode(UnreferencedCode)]
    [RequiresDynamicCode(DynamicCode)]
    public JsonFormatter(JsonOptions? options = null)
        : this(GetTypeInfo((options ?? JsonOptions.Default).SerializerOptions ?? GetStrict((options ?? JsonOptions.Default).Limits)),
            options ?? JsonOptions.Default, isOwn: true)
    {
    }

    private const string UnreferencedCode =
        "Without a JsonTypeInfo, System.Text.Json reflects over the members of the type, which trimming may remove.";
    private const string DynamicCode = "Without a JsonTypeInfo, System.Text.Json may generate code at run time.";

    /// <inheritdoc/>
    /// <remarks>Allocates nothing in the steady state if System.Text.Json allocates nothing for the contract.</remarks>
    /// <exception cref="MessageFormatException">A cycle, depth beyond the limit, a null where none is declared, a payload of a derived
    /// class.</exception>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        if (_checksDerived && value.GetType() != typeof(T))
            throw DerivedObjects.Refused(value.GetType(), typeof(T), TypeNames.Of(typeof(T)));

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
        // One writer is cached between writes. It is taken while in use: another thread, or a recursive write, creates its own.
        int maxDepth = _writerOptions.MaxDepth;
        int possibleDepth = (int)(StackGuard.RoomUpTo((long)maxDepth * _levelByteCount) / _levelByteCount);
        if (possibleDepth == 0)
            ThrowHelper.ThrowStackExhausted(-1);
        Spare spare = possibleDepth < maxDepth
            ? new Spare(_writerOptions with { MaxDepth = possibleDepth })
            : Interlocked.Exchange(ref _spare, null) ?? new Spare(_writerOptions);
        spare.Destination.Start(destination, Limits.MaxBodyByteCount);
        spare.Writer.Reset(spare.Destination);
        try
        {
            JsonSerializer.Serialize(spare.Writer, value, _typeInfo);
            spare.Writer.Flush();
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException && spare.Writer.CurrentDepth >= possibleDepth)
        {
            if (possibleDepth < maxDepth)
                ThrowHelper.ThrowStackExhausted(-1);
            throw new MessageFormatException(
                MessageFormatErrorCode.DepthExceeded,
                $"The object graph is deeper than {_writerOptions.MaxDepth} levels (FormatterLimits.MaxDepth), or has a cycle.",
                memberPath: JsonMemberPath.Of((e as JsonException)?.Path, _typeInfo));
        }
        catch (JsonDerivedObject e)
        {
            throw new MessageFormatException(MessageFormatErrorCode.TypeNotAllowed, e.Message, memberPath: JsonMemberPath.Of(e.Path, _typeInfo));
        }
        catch (JsonException e)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.BadValue,
                "System.Text.Json cannot write the object.",
                memberPath: JsonMemberPath.Of(e.Path, _typeInfo),
                innerException: BodyFault.OwnCause(e));
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            // NaN and infinity, which JSON cannot represent, or a member of a type that System.Text.Json does not write.
            throw new MessageFormatException(
                MessageFormatErrorCode.BadValue,
                "System.Text.Json cannot write the object: " + (e is ArgumentException
                    ? "NaN and infinity are not numbers in JSON."
                    : "a member holds an object of a type that it does not write."),
                memberPath: TypeNames.Of(typeof(T)),
                innerException: BodyFault.OwnCause(e));
        }
        catch (InvalidOperationException e) when (e.Source is "System.Text.Json" or "System.Collections.Immutable")
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.BadValue,
                "System.Text.Json cannot write the object: a member is the default of a struct that has no value, such as ImmutableArray<T> or "
                + "JsonElement.",
                memberPath: TypeNames.Of(typeof(T)));
        }

        int byteCount = spare.Destination.WrittenCount;
        spare.Destination.Forget();
        if (possibleDepth == maxDepth)
            _spare = spare;
        return byteCount;
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        CheckBodyByteCount(body.Length);
        int maxDepth = _writerOptions.MaxDepth;
        if (_checkDepth || maxDepth > DefaultMaxDepth || StackGuard.RoomUpTo((long)maxDepth * _levelByteCount) < (long)maxDepth * _levelByteCount)
            JsonErrors.CheckDepth(body, maxDepth, _levelByteCount);
        T? value;
        try
        {
            value = JsonSerializer.Deserialize(body, body.Length < ManyKeysByteCount ? _typeInfo : _keyedTypeInfo ??= JsonKeys.Protect(_typeInfo));
        }
        catch (JsonException e)
        {
            throw JsonErrors.ReadError(e, body, _writerOptions.MaxDepth, _typeInfo);
        }
        catch (NotSupportedException e) when (!_hasUnions && (e.Source is null or "System.Text.Json"))
        {
            // The contract, not the body: an abstract type, or a type without a usable constructor.
            throw new MessageFormatException(
                MessageFormatErrorCode.BadValue,
                $"System.Text.Json cannot make an object of a type in {TypeNames.Of(typeof(T))}: it is abstract, or has no constructor that can be "
                + "used. The body may be good.",
                memberPath: TypeNames.Of(typeof(T)));
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            // A constructor or a property of the payload that rejects its value, or a member of an abstract type.
            throw BodyFault.MalformedForLibrary(e, typeof(T));
        }

        JsonErrors.CheckText(body, _typeInfo);
        return value is null
            ? throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "The body is the JSON null.", 0, isPoison: true)
            : value;
    }

    [RequiresUnreferencedCode(UnreferencedCode)]
    [RequiresDynamicCode(DynamicCode)]
    private static JsonSerializerOptions GetStrict(FormatterLimits limits) => new()
    {
        AllowDuplicateProperties = false,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
        IncludeFields = true,
        TypeInfoResolver = JsonDerivedObjects.Resolver,
        Converters = { JsonStacks.Instance },
        MaxDepth = limits.MaxDepth,
    };

    [RequiresUnreferencedCode(UnreferencedCode)]
    [RequiresDynamicCode(DynamicCode)]
    private static JsonTypeInfo<T> GetTypeInfo(JsonSerializerOptions options)
    {
        if (options.TypeInfoResolver is null or DefaultJsonTypeInfoResolver)
            ReflectionMessages.RequireDynamicCode();
        options.MakeReadOnly(populateMissingResolver: true);
        try
        {
            return (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
        }
        catch (InvalidOperationException e)
        {
            throw new NotSupportedException($"System.Text.Json has no contract for {TypeNames.Of(typeof(T))}: {e.Message}", e);
        }
    }

    private sealed class Spare
    {
        internal Spare(JsonWriterOptions options) => Writer = new Utf8JsonWriter(Destination, options);

        internal LimitedBufferWriter Destination { get; } = new();

        internal Utf8JsonWriter Writer { get; }
    }
}
#endif
