using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>
/// A formatter for any public class or struct: protobuf by the rules of proto3, with a generated contract, one found by reflection, or your own
/// codec.
/// </summary>
/// <typeparam name="T">The type of the payload: a record whose members have numbers; another type is a message whose field 1 holds it.</typeparam>
/// <remarks>
/// <para>A type with a generated contract is written and read by that, without reflection; any other by a contract found by reflection. Both give the
/// same bytes and the same errors. Errors carry the member path; to find it, a body (or an object) with an error is processed a second time, so
/// setters may run twice.</para>
/// <para>Members have numbers: <c>[MessageMember(1)]</c>, <c>[DataMember(Order = 1)]</c>, or the <c>[ProtoMember(1)]</c> of protobuf-net. The schema
/// is what <see cref="ProtobufSchema"/> prints; any program with it can be the other end. Wire format and rules: docs/wire/protobuf.md.</para>
/// <para>A member that is not declared nullable and has the default value (0, "", no elements) has no bytes, and one that has no bytes is read as
/// that value, as in proto3: an initializer in the source does not count. One declared nullable is an <c>optional</c> field: null has no bytes, 0
/// has.</para>
/// <para>A dictionary with keys that are not strings is made with a comparer that hashes under a random key, so that no sender can choose keys that
/// collide.</para>
/// </remarks>
/// <example><code>
/// var formatter = new ProtobufFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class ProtobufFormatter<T> : ContractBasedFormatter<T>
{
    private readonly ProtobufCodec<T> _codec;
    private readonly bool _isOwnCodec;
    private readonly bool _isCanonical;

    /// <summary>
    /// Creates a formatter with the generated contract of the type, if it has one for protobuf, otherwise with one found by reflection.
    /// </summary>
    /// <param name="options">The options; null means <see cref="ProtobufOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    /// <exception cref="PlatformNotSupportedException">The type has no generated contract, and the program is compiled ahead of time.</exception>
    /// <remarks>The contract under the default options is cached: a second formatter for the type costs little.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public ProtobufFormatter(ProtobufOptions? options = null)
        : this(GetCodec(options ?? ProtobufOptions.Default), options ?? ProtobufOptions.Default, isChecked: true)
    {
    }

    /// <summary>Creates a formatter with a generated contract, without reflection.</summary>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="options">The options; null means <see cref="ProtobufOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include protobuf.</exception>
    public ProtobufFormatter(MessageContract<T> contract, ProtobufOptions? options = null)
        : this((contract ?? throw new ArgumentNullException(nameof(contract))).Protobuf, options)
    {
    }

    /// <summary>Creates a formatter with your own codec, without reflection.</summary>
    /// <param name="codec">The codec.</param>
    /// <param name="options">The options; null means <see cref="ProtobufOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="codec"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require a contract, which a codec does not have.</exception>
    public ProtobufFormatter(ProtobufCodec<T> codec, ProtobufOptions? options = null)
        : this(codec ?? throw new ArgumentNullException(nameof(codec)), options ?? ProtobufOptions.Default, isChecked: false)
    {
    }

    private ProtobufFormatter(ProtobufCodec<T> codec, ProtobufOptions options, bool isChecked)
        : base(options.Limits, ContentTypes.Protobuf, BodyTypes.Protobuf)
    {
        if (!isChecked)
            options.RequireGenerated(typeof(T));
        _codec = codec;
        _isOwnCodec = !isChecked && codec is not ProtobufContract<T>;
        _isCanonical = options.IsCanonical;
    }

    private protected override bool RunsAgain => !_isOwnCodec;

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        var writer = new ProtobufBodyWriter(destination, Limits, _isCanonical, GetSizeHint(value));
        MessageFormatException? error = null;
        try
        {
            _codec.Write(ref writer, value);
        }
        catch (MessageFormatException e) when (IsCaughtElseCompleted(e))
        {
            error = e;
        }

        if (error is not null)
            throw Explain(error, value);
        writer.Flush();
        NoteByteCount((int)writer.BytesWritten);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Reuses objects of classes with a parameterless constructor, lists, arrays of equal length, dictionaries (with new keys and values) and equal
    /// strings, if they have exactly the declared type. The result is the same as reading into a new object: nothing is merged with previous content.
    /// An object that is reachable twice would be filled twice: pass only objects that a formatter has read. If it fails, the object may be partly
    /// filled: <see cref="MessageFormatter{T}.ReadOrClear"/> then clears the variable.
    /// </remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value) => value = Read(body, value);

    /// <inheritdoc/>
    /// <remarks>
    /// By content type if the body has one (also <c>application/protobuf</c> and <c>application/vnd.google.protobuf</c>), else by body type.
    /// </remarks>
    public override bool CanRead(MessageBody body) =>
        base.CanRead(body) || body.HasContentType("application/protobuf") || body.HasContentType("application/vnd.google.protobuf");

    private protected override T Read(ReadOnlySpan<byte> body, T? existing)
    {
        var reader = new ProtobufBodyReader(body, Limits);
        T value = default!;
        Exception? error = null;
        try
        {
            value = _codec.Read(ref reader, existing);
        }
        catch (Exception e) when (IsCaughtElseCompleted(e))
        {
            error = e;
        }

        if (error is not null || reader.ByteOffset != body.Length)
            Refuse(error, body, reader.ByteOffset);
        return value;
    }

    private protected override void WriteTraced(IBufferWriter<byte> destination, MemberPath path, T value)
    {
        var writer = new ProtobufBodyWriter(destination, Limits, _isCanonical) { Path = path };
        _codec.WriteTraced(ref writer, value);
    }

    private protected override void ReadTraced(ReadOnlySpan<byte> body, MemberPath path, ref int byteOffset)
    {
        var reader = new ProtobufBodyReader(body, Limits) { Path = path };
        try
        {
            _codec.ReadTraced(ref reader);
        }
        finally
        {
            byteOffset = reader.ByteOffset;
        }
    }

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    private static ProtobufCodec<T> GetCodec(ProtobufOptions options)
    {
        if (options.ChangesContract)
            return ProtobufCodecBuilder.Build<T>(options);
        return (options.UseGeneratedContract ? MessageContract<T>.OfType()?.Find(ContractFormats.Protobuf) as ProtobufContract<T> : null)
            ?? (DefaultCodec<ProtobufCodec<T>>.Plain ??= ProtobufCodecBuilder.Build<T>(options));
    }
}

/// <summary>Creates formatters for types with a generated contract.</summary>
public static class ProtobufFormatter
{
    /// <summary>Creates a formatter with the contract that was generated into the type, without reflection over its members: safe for trimming and
    /// ahead-of-time compilation.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Protobuf"/>.</typeparam>
    /// <param name="options">The options; null means <see cref="ProtobufOptions.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The type has no generated contract for protobuf.</exception>
    public static ProtobufFormatter<T> Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)]
    T>(ProtobufOptions? options = null) =>
        new(MessageContract<T>.OfType(ContractFormats.Protobuf), options);
}
