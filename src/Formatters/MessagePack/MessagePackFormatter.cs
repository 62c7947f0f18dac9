using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter for any public class or struct: MessagePack, with a generated contract, one found by reflection, or your own codec.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value.</typeparam>
/// <remarks>
/// <para>A type with a generated contract is written and read by that, without reflection; any other by a contract found by reflection. Both give the same
/// bytes and the same errors. Errors carry the member path; to find it under a generated contract, a body (or an object) with an error is gone through
/// a second time, so that setters may run twice.</para>
/// <para>The bytes are those that MessagePack-CSharp writes for the same contract: members with numbers (<c>[MessageMember(1)]</c>, or the <c>[Key(0)]</c>
/// of MessagePack-CSharp) as an array, others as a map of names. Bodies with fewer members or more than the type has are read: docs/wire/messagepack.md.</para>
/// <para>Members are those of <see cref="ReflectionFormatter{T}"/>, without those with <c>[IgnoreMember]</c>. A member declared nullable may be nil; a null
/// in any other is an error that names it. Code without nullable annotations declares no null.</para>
/// <para>A dictionary with keys that are not strings is made with a comparer that hashes under a random key, so that no sender can choose keys
/// that collide.</para>
/// </remarks>
/// <example><code>
/// var formatter = new MessagePackFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class MessagePackFormatter<T> : ContractBasedFormatter<T>
{
    private readonly MessagePackCodec<T> _codec;
    private readonly MessagePackContract<T>? _contract;
    private readonly bool _isCanonical;

    /// <summary>Creates a formatter: with the generated contract of the type, if it has one (<c>[MessageContract(Formats = …MessagePack…)]</c>), else by
    /// reflection.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="options">The options; null means <see cref="MessagePackOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    /// <remarks>
    /// The contract under the default options is kept: a second formatter for the type costs little. A generated one is not used where
    /// <see cref="MessagePackOptions.Form"/> asks for another form, or the options have codecs of their own.
    /// </remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public MessagePackFormatter(FormatterLimits? limits = null, MessagePackOptions? options = null)
        : base(limits, ContentTypes.MessagePack, BodyTypes.MessagePack)
    {
        options ??= MessagePackOptions.Default;
        _isCanonical = options.IsCanonical;
        _codec = options.IsDefaultButOrder
            ? options.IsCanonical ? DefaultCodec<MessagePackCodec<T>>.Canonical ??= Make(options) : DefaultCodec<MessagePackCodec<T>>.Plain ??= Make(options)
            : ReflectedCodec.Build<T>(options);
        _contract = _codec as MessagePackContract<T>;
    }

    /// <summary>Creates a formatter over a generated contract, or your own codec, without reflection.</summary>
    /// <param name="codec">The contract, <c>Order.MessagePackContract</c>, or the codec.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="isCanonical">See <see cref="MessagePackBodyWriter.IsCanonical"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="codec"/> is null.</exception>
    public MessagePackFormatter(MessagePackCodec<T> codec, FormatterLimits? limits = null, bool isCanonical = false)
        : base(limits, ContentTypes.MessagePack, BodyTypes.MessagePack)
    {
        _codec = codec ?? throw new ArgumentNullException(nameof(codec));
        _contract = codec as MessagePackContract<T>;
        _isCanonical = isCanonical;
    }

    private protected override bool IsGenerated => _contract is not null;

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        NoteByteCount(_contract is not null ? WriteByContract(destination, value) : WriteByCodec(destination, value));
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Reuses objects of classes made by a constructor without parameters, lists, arrays of equal length, dictionaries (with new keys and values) and
    /// equal strings, each where it is of exactly the declared type. A member that the body does not have gets the value that a new object has. Structs, and
    /// objects whose constructor takes members, are new. An object that the graph holds twice would be filled twice: pass what a formatter has read.
    /// If it fails, the object may be filled in part: <see cref="MessageFormatter{T}.ReadOrClear"/> clears the variable then.
    /// </remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value) => value = Read(body, value);

    /// <inheritdoc/>
    /// <remarks>By content type if the body has one (also <c>application/msgpack</c> and <c>application/vnd.msgpack</c>), else by body type.</remarks>
    public override bool CanRead(MessageBody body) =>
        base.CanRead(body) || body.HasContentType("application/msgpack") || body.HasContentType("application/vnd.msgpack");

    private int WriteByContract(IBufferWriter<byte> destination, T value)
    {
        var writer = new WireWriter(destination, Limits);
        MessageFormatException? error = null;
        try
        {
            _contract!.Write(ref writer, value, _isCanonical);
        }
        catch (MessageFormatException e) when (IsUnexplained(e))
        {
            error = e;
        }

        if (error is not null)
            throw Explain(error, value);
        return writer.Output.Complete();
    }

    private int WriteByCodec(IBufferWriter<byte> destination, T value)
    {
        var writer = new MessagePackBodyWriter(destination, Limits, _isCanonical);
        MessageFormatException? error = null;
        try
        {
            _codec.Write(ref writer, value);
        }
        catch (MessageFormatException e) when (IsUnexplained(e))
        {
            error = e;
        }

        if (error is not null)
            throw Explain(error, value);
        writer.Flush();
        return (int)writer.BytesWritten;
    }

    private protected override T Read(ReadOnlySpan<byte> body, T? existing)
    {
        if (_contract is null)
            return ReadByCodec(body, existing);
        var reader = new WireReader(body, Limits);
        T value = default!;
        Exception? error = null;
        try
        {
            value = _contract.Read(ref reader, existing);
        }
        catch (Exception e) when (IsUnexplained(e))
        {
            error = e;
        }

        if (error is not null || reader.ByteOffset != body.Length)
            Refuse(error, body, reader.ByteOffset);
        return value;
    }

    private T ReadByCodec(ReadOnlySpan<byte> body, T? existing)
    {
        var reader = new MessagePackBodyReader(body, Limits);
        T value = default!;
        Exception? error = null;
        try
        {
            value = _codec.Read(ref reader, existing);
        }
        catch (Exception e) when (IsUnexplained(e))
        {
            error = e;
        }

        if (error is not null || reader.ByteOffset != body.Length)
            Refuse(error, body, reader.ByteOffset);
        return value;
    }

    private protected override void WriteTraced(IBufferWriter<byte> destination, MemberPath path, T value)
    {
        var writer = new WireWriter(destination, Limits) { Path = path };
        _contract!.WriteTraced(ref writer, value, _isCanonical);
    }

    private protected override void ReadTraced(ReadOnlySpan<byte> body, MemberPath path, ref int byteOffset)
    {
        var reader = new WireReader(body, Limits) { Path = path };
        try
        {
            _contract!.ReadTraced(ref reader);
        }
        finally
        {
            byteOffset = reader.ByteOffset;
        }
    }

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    private static MessagePackCodec<T> Make(MessagePackOptions options) => FindContract<MessagePackContract<T>>("MessagePackContract") ?? ReflectedCodec.Build<T>(options);
}

#if NET
/// <summary>Makes formatters of types that bring their contract.</summary>
public static class MessagePackFormatter
{
    /// <summary>Creates a formatter, without reflection. Not on netstandard2.0: there give <c>T.MessagePackContract</c> to the constructor.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.MessagePack"/>.</typeparam>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="isCanonical">See <see cref="MessagePackBodyWriter.IsCanonical"/>.</param>
    /// <returns>The formatter.</returns>
    public static MessagePackFormatter<T> Create<T>(FormatterLimits? limits = null, bool isCanonical = false)
        where T : IMessagePackContract<T> =>
        new(T.MessagePackContract, limits, isCanonical);
}
#endif
