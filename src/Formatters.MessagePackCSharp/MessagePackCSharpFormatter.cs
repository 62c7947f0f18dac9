using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using MessagePack;

namespace Formatters;

/// <summary>MessagePack bodies by MessagePack-CSharp, for types that carry its attributes: its resolvers, options and generated formatters.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>The bytes are those of <c>MessagePackSerializer.Serialize</c>. <see cref="MessagePackFormatter{T}"/>, in the package Formatters, writes the
/// same bytes for the same contract without the library.</para>
/// <para>Limits: body size in both directions; depth on reading, as the library counts it (objects, collections and unions). It does not count on
/// writing: a cycle ends when the stack does, with <see cref="MessageFormatErrorCode.DepthExceeded"/>; with compression switched on it ends the
/// process.
/// <see cref="FormatterLimits.MaxElementCount"/>, <see cref="FormatterLimits.MaxAllocationFactor"/> and
/// <see cref="FormatterLimits.RefuseInvalidText"/> do not apply. Null is neither written nor read as the payload itself.</para>
/// </remarks>
/// <example><code>
/// var formatter = new MessagePackCSharpFormatter&lt;Order&gt;();       // [MessagePackObject] class Order
/// var options = MessagePackSerializerOptions.Standard.WithResolver(ContractlessStandardResolver.Instance);
/// var named = new MessagePackCSharpFormatter&lt;Invoice&gt;(options);
/// </code></example>
public sealed class MessagePackCSharpFormatter<T> : MessageFormatter<T>
{
    private const string StandardResolver =
        "The standard resolver of MessagePack-CSharp emits code at run time: pass options with a generated resolver.";

    private readonly MessagePackSerializerOptions _options;

    /// <summary>Creates a formatter with <see cref="MessagePackSerializerOptions.Standard"/>, whose resolver emits code at run time.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentException">The resolver has no formatter for <typeparamref name="T"/>.</exception>
    [RequiresDynamicCode(StandardResolver)]
    [RequiresUnreferencedCode(StandardResolver)]
    public MessagePackCSharpFormatter(FormatterLimits? limits = null)
        : this(MessagePackSerializerOptions.Standard, limits)
    {
    }

    /// <summary>Creates a formatter. Under Native AOT, the resolver of the options must be a generated one.</summary>
    /// <param name="options">
    /// The library's options, with the resolver and the compression. They are used with three changes:
    /// <see cref="MessagePackSecurity.TrustedData"/>, which the library has as its default, becomes <see cref="MessagePackSecurity.UntrustedData"/>;
    /// the depth becomes that of the limits, where that is smaller; and no type is loaded because a body names it, unless the options are of a class
    /// of your own, whose <c>LoadType</c> then decides.
    /// </param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentException">The resolver has no formatter for <typeparamref name="T"/>.</exception>
    public MessagePackCSharpFormatter(MessagePackSerializerOptions options, FormatterLimits? limits = null)
        : base(ContentTypes.MessagePack, BodyTypes.MessagePack, limits)
    {
        ArgumentNullException.ThrowIfNull(options);
        MessagePackSecurity security =
            ReferenceEquals(options.Security, MessagePackSecurity.TrustedData) ? MessagePackSecurity.UntrustedData : options.Security;
        if (security.MaximumObjectGraphDepth > Limits.MaxDepth)
            security = security.WithMaximumObjectGraphDepth(Limits.MaxDepth);
        if (security.MaximumDecompressedSize > Limits.MaxBodyByteCount)
            security = security.WithMaximumDecompressedSize(Limits.MaxBodyByteCount);
        options = options.WithSecurity(security);
        _options = options.GetType() == typeof(MessagePackSerializerOptions) ? new ClosedOptions(options) : options;
        CheckResolver(_options.Resolver);
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">
    /// Beyond a limit; a cycle; or what the library throws, as <see cref="MessageFormatErrorCode.BadValue"/> with the cause inside.
    /// </exception>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(value);
        var guarded = new GuardedBufferWriter(destination, Limits.MaxBodyByteCount);
        try
        {
            MessagePackSerializer.Serialize(guarded, value, _options);
        }
        catch (Exception e) when (LibraryFault.Is(e))
        {
            throw LibraryFault.Writing(e, typeof(T));
        }

        NoteByteCount((int)guarded.WrittenCount);
    }

    /// <inheritdoc/>
    /// <remarks>The library reads from memory, not from spans: the body is copied once into a rented array.
    /// <see cref="Read(in ReadOnlySequence{byte})"/> copies nothing.</remarks>
    public override T Read(ReadOnlySpan<byte> body)
    {
        CheckBodyByteCount(body.Length);
        byte[] rented = ArrayPool<byte>.Shared.Rent(body.Length);
        try
        {
            body.CopyTo(rented);
            return Read(new ReadOnlySequence<byte>(rented, 0, body.Length));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    /// <inheritdoc/>
    /// <remarks>Nothing is copied.</remarks>
    public override T Read(in ReadOnlySequence<byte> body)
    {
        CheckBodyByteCount(body.Length);
        var reader = new MessagePackReader(body);
        T value;
        try
        {
            value = MessagePackSerializer.Deserialize<T>(ref reader, _options);
        }
        catch (Exception e) when (LibraryFault.Is(e))
        {
            throw LibraryFault.Reading(e, typeof(T), reader.Consumed, body.Length);
        }

        if (!reader.End)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.TrailingBytes, $"{body.Length - reader.Consumed} bytes remain after the value.", reader.Consumed,
                    isPoison: true);
        }

        return value is null
            ? throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "The body is nil.", 0, typeof(T).Name, isPoison: true)
            : value;
    }

    /// <inheritdoc/>
    /// <remarks>By content type if the body has one (also <c>application/msgpack</c> and <c>application/vnd.msgpack</c>), else by body
    /// type.</remarks>
    public override bool CanRead(MessageBody body) =>
        base.CanRead(body) || body.HasContentType("application/msgpack") || body.HasContentType("application/vnd.msgpack");

    private static void CheckResolver(IFormatterResolver resolver)
    {
        Exception? cause = null;
        try
        {
            if (resolver.GetFormatter<T>() is not null)
                return;
        }
        catch (Exception e) when (e is TypeInitializationException or MessagePackSerializationException)
        {
            cause = e;
        }

        throw new ArgumentException($"The resolver of MessagePack-CSharp has no formatter for {typeof(T)}.", cause);
    }

    /// <summary>Options under which a body cannot choose a type, whatever the resolver.</summary>
    private sealed class ClosedOptions(MessagePackSerializerOptions copyFrom) : MessagePackSerializerOptions(copyFrom)
    {
        public override Type? LoadType(string typeName) => throw new MessageFormatException(
            MessageFormatErrorCode.TypeNotAllowed, "The body names a type to load. No type is loaded because a body names it.");

        protected override MessagePackSerializerOptions Clone() => new ClosedOptions(this);
    }
}
