using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter for any public class or struct: MessagePack, with a generated contract, one found by reflection, or your own codec.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value.</typeparam>
/// <remarks>
/// <para>A type with a generated contract is written and read by that, without reflection; any other by a contract found by reflection. Both give the same
/// bytes and the same errors. Errors carry the member path; to find it under a generated contract, a body (or an object) with an error is processed a second
/// time, so setters may run twice.</para>
/// <para>The bytes are those that MessagePack-CSharp writes for the same contract: members with numbers (<c>[MessageMember(1)]</c>, or the <c>[Key(0)]</c>
/// of MessagePack-CSharp) as an array, others as a map of names. Bodies with fewer or more members than the type has can be read:
/// docs/wire/messagepack.md.</para>
/// <para>Members are those of <see cref="ReflectionFormatter{T}"/>, without those with <c>[IgnoreMember]</c>. A member declared nullable may be nil; a null
/// in any other is an error that names it. A reference type declared without nullable annotations is not nullable.</para>
/// <para>A dictionary with keys that are not strings is made with a comparer that hashes under a random key, so that no sender can choose keys
/// that collide.</para>
/// </remarks>
/// <example><code>
/// var formatter = new MessagePackFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class MessagePackFormatter<T> : TraversedFormatter<T>
{
    /// <summary>Creates a formatter: with the generated contract of the type, if it has one (<c>[MessageContract(Formats = …MessagePack…)]</c>), else by
    /// reflection.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="options">The options; null means <see cref="MessagePackOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    /// <exception cref="PlatformNotSupportedException">The type has no generated contract, and the program is compiled ahead of time.</exception>
    /// <remarks>
    /// The contract under the default options is kept: a second formatter for the type costs little. A generated one is not used where
    /// <see cref="MessagePackOptions.Form"/> asks for another form, or the options have codecs of their own.
    /// </remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public MessagePackFormatter(FormatterLimits? limits = null, MessagePackOptions? options = null)
        : base(GetContract(options ?? MessagePackOptions.Default), limits, ContentTypes.MessagePack, BodyTypes.MessagePack)
    {
    }

    /// <summary>Creates a formatter over a generated contract, or your own codec, without reflection.</summary>
    /// <param name="codec">The contract, <c>Order.MessagePackContract</c>, or the codec.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="isCanonical">See <see cref="MessagePackBodyWriter.IsCanonical"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="codec"/> is null.</exception>
    public MessagePackFormatter(MessagePackCodec<T> codec, FormatterLimits? limits = null, bool isCanonical = false)
        : base(codec is MessagePackContract<T> contract ? contract.In(isCanonical) : Wrap(codec, isCanonical), limits, ContentTypes.MessagePack, BodyTypes.MessagePack)
    {
    }

    /// <inheritdoc/>
    /// <remarks>By content type if the body has one (also <c>application/msgpack</c> and <c>application/vnd.msgpack</c>), else by body type.</remarks>
    public override bool CanRead(MessageBody body) =>
        base.CanRead(body) || body.HasContentType("application/msgpack") || body.HasContentType("application/vnd.msgpack");

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    private static TraversedContract<T> GetContract(MessagePackOptions options)
    {
        if (typeof(T).IsValueType && options.FindCodec(typeof(T)) is MessagePackCodec<T> own)
            return Wrap(own, options.IsCanonical);
        return options.IsCanonical
            ? GetContract<MessagePackFormat<CanonicalOrder>>("MessagePackContract", options)
            : GetContract<MessagePackFormat<AnyOrder>>("MessagePackContract", options);
    }

    // Apart, so that formatters of generated contracts, which the constructor looks for first, do not load what is for codecs.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static TraversedContract<T> Wrap(MessagePackCodec<T> codec, bool isCanonical) =>
        codec is null ? throw new ArgumentNullException(nameof(codec))
        : codec is MessagePackContract<T> contract ? contract.In(isCanonical)
        : isCanonical ? new PackedContract<CanonicalOrder, T>(codec) : new PackedContract<AnyOrder, T>(codec);
}

#if NET
/// <summary>Makes formatters of types that bring their contract.</summary>
public static class MessagePackFormatter
{
    /// <summary>Creates a formatter, without reflection. Not on netstandard2.0; there, pass <c>T.MessagePackContract</c> to the constructor.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.MessagePack"/>.</typeparam>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="isCanonical">See <see cref="MessagePackBodyWriter.IsCanonical"/>.</param>
    /// <returns>The formatter.</returns>
    public static MessagePackFormatter<T> Create<T>(FormatterLimits? limits = null, bool isCanonical = false)
        where T : IMessagePackContract<T> =>
        new(T.MessagePackContract, limits, isCanonical);
}
#endif
