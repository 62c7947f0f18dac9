using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Formatters.Generated;
using Formatters.MessagePack;

namespace Formatters;

/// <summary>A formatter for any public class or struct: MessagePack, with a generated contract, one found by reflection, or your own codec.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value.</typeparam>
/// <remarks>
/// <para>A type with a generated contract is written and read by that, without reflection; any other by a contract found by reflection. Both give the
/// same bytes and the same errors. Errors carry the member path; to find it under a generated contract, a body (or an object) with an error is
/// processed a second time, so setters may run twice.</para>
/// <para>The bytes are those that MessagePack-CSharp writes for the same contract: members with numbers (<c>[MessageMember(1)]</c>, or the
/// <c>[Key(0)]</c> of MessagePack-CSharp) as an array, others as a map of names. Bodies with fewer or more members than the type has can be read:
/// docs/wire/messagepack.md.</para>
/// <para>Members are those of <see cref="BinaryBodyFormatter{T}"/>, without those with <c>[IgnoreMember]</c>. A member declared nullable may be nil;
/// a null in any other is an error that names it. A reference type declared without nullable annotations is not nullable.</para>
/// <para>A dictionary with keys that are not strings is made with a comparer that hashes under a random key, so that no sender can choose keys that
/// collide.</para>
/// </remarks>
/// <example><code>
/// var formatter = new MessagePackFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class MessagePackFormatter<T> : TraversedFormatter<T>
{
    /// <summary>
    /// Creates a formatter with the generated contract of the type, if it has one for MessagePack, otherwise with one found by reflection.
    /// </summary>
    /// <param name="options">The options; null means <see cref="MessagePackOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    /// <exception cref="PlatformNotSupportedException">The type has no generated contract, and the program is compiled ahead of time.</exception>
    /// <remarks>The contract under the default options is cached: a second formatter for the type costs little.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public MessagePackFormatter(MessagePackOptions? options = null)
        : base(GetContract(options ?? MessagePackOptions.Default), (options ?? MessagePackOptions.Default).Limits, ContentTypes.MessagePack,
            BodyTypes.MessagePack)
    {
    }

    /// <summary>Creates a formatter with a generated contract, without reflection.</summary>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="options">The options; null means <see cref="MessagePackOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include MessagePack.</exception>
    public MessagePackFormatter(MessageContract<T> contract, MessagePackOptions? options = null)
        : base(GetContract(contract, options), (options ?? MessagePackOptions.Default).Limits, ContentTypes.MessagePack, BodyTypes.MessagePack)
    {
    }

    /// <summary>Creates a formatter with your own codec, without reflection.</summary>
    /// <param name="codec">The codec.</param>
    /// <param name="options">The options; null means <see cref="MessagePackOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="codec"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require a contract, which a codec does not have.</exception>
    public MessagePackFormatter(MessagePackCodec<T> codec, MessagePackOptions? options = null)
        : base(Wrap(codec, options), (options ?? MessagePackOptions.Default).Limits, ContentTypes.MessagePack, BodyTypes.MessagePack)
    {
    }

    /// <inheritdoc/>
    /// <remarks>
    /// By content type if the body has one (also <c>application/msgpack</c> and <c>application/vnd.msgpack</c>), else by body type.
    /// </remarks>
    public override bool CanRead(MessageBody body) =>
        base.CanRead(body) || body.HasContentType("application/msgpack") || body.HasContentType("application/vnd.msgpack");

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    private static TraversedContract<T> GetContract(MessagePackOptions options)
    {
        if (typeof(T).IsValueType && options.FindCodec(typeof(T)) is MessagePackCodec<T> own)
            return Wrap(own, options.IsCanonical);
        return options.IsCanonical
            ? GetContract<MessagePackFormat<CanonicalOrder>>(options, ContractFormats.MessagePack)
            : GetContract<MessagePackFormat<AnyOrder>>(options, ContractFormats.MessagePack);
    }

    private static TraversedContract<T> GetContract(MessageContract<T> contract, MessagePackOptions? options) => options is { IsCanonical: true }
        ? GetContract<MessagePackFormat<CanonicalOrder>>(contract, options)
        : GetContract<MessagePackFormat<AnyOrder>>(contract, options);

    private static TraversedContract<T> Wrap(MessagePackCodec<T> codec, MessagePackOptions? options)
    {
        if (codec is null)
            throw new ArgumentNullException(nameof(codec));
        options?.RequireGenerated(typeof(T));
        return Wrap(codec, options is { IsCanonical: true });
    }

    // Separate, so that formatters of generated contracts do not load what codecs need.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static TraversedContract<T> Wrap(MessagePackCodec<T> codec, bool isCanonical) =>
        codec is MessagePackContract<T> contract
        ? contract.For(isCanonical)
        : isCanonical ? new PackedContract<CanonicalOrder, T>(codec) : new PackedContract<AnyOrder, T>(codec);
}

/// <summary>Creates formatters for types with a generated contract.</summary>
public static class MessagePackFormatter
{
    /// <summary>Creates a formatter with the contract that was generated into the type, without reflection over its members: safe for trimming and
    /// ahead-of-time compilation.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.MessagePack"/>.</typeparam>
    /// <param name="options">The options; null means <see cref="MessagePackOptions.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The type has no generated contract for MessagePack.</exception>
    public static MessagePackFormatter<T> Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)]
    T>(MessagePackOptions? options = null) =>
        new(MessageContract<T>.OfType(ContractFormats.MessagePack), options);
}
