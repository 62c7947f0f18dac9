using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter for any public class or struct: CBOR (RFC 8949) in its core deterministic encoding, with a generated contract or one found by
/// reflection.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value.</typeparam>
/// <remarks>
/// <para>A type with a generated contract is written and read by that, without reflection; any other by a contract found by reflection. Both give the
/// same bytes and the same errors, with the member path.</para>
/// <para>Equal objects give equal bytes: integers and floats are in the fewest bytes, maps and sets in the order of the bytes of their keys and
/// elements. Members with numbers are an array, others a map of names: docs/wire/cbor.md. The rules for members are those of <see
/// cref="MessagePackFormatter{T}"/>.</para>
/// </remarks>
/// <example><code>
/// var formatter = new CborFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class CborFormatter<T> : TraversedFormatter<T>
{
    /// <summary>
    /// Creates a formatter with the generated contract of the type, if it has one for CBOR, otherwise with one found by reflection.
    /// </summary>
    /// <param name="options">The options; null means <see cref="CborOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    /// <exception cref="PlatformNotSupportedException">The type has no generated contract, and the program is compiled ahead of time.</exception>
    /// <remarks>The contract under the default options is cached: a second formatter for the type costs little.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public CborFormatter(CborOptions? options = null)
        : base(GetContract<CborFormat>(options ?? CborOptions.Default, ContractFormats.Cbor), (options ?? CborOptions.Default).Limits,
            ContentTypes.Cbor, BodyTypes.Cbor)
    {
    }

    /// <summary>Creates a formatter with a generated contract, without reflection.</summary>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="options">The options; null means <see cref="CborOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include CBOR.</exception>
    public CborFormatter(MessageContract<T> contract, CborOptions? options = null)
        : base(GetContract<CborFormat>(contract, options), (options ?? CborOptions.Default).Limits, ContentTypes.Cbor, BodyTypes.Cbor)
    {
    }

    /// <summary>Skips tag 55799, which marks a body as CBOR.</summary>
    private protected override void ReadPrefix(ref WireReader reader)
    {
        CborHead head = CborHead.Peek(ref reader);
        if (head is { Major: CborHead.Tag, Argument: CborHead.SelfDescribed })
            reader.Input.Advance(head.ByteCount);
    }
}

/// <summary>Creates formatters for types with a generated contract.</summary>
public static class CborFormatter
{
    /// <summary>Creates a formatter with the contract that was generated into the type, without reflection over its members: safe for trimming and
    /// ahead-of-time compilation.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Cbor"/>.</typeparam>
    /// <param name="options">The options; null means <see cref="CborOptions.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The type has no generated contract for CBOR.</exception>
    public static CborFormatter<T> Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)]
    T>(CborOptions? options = null) =>
        new(MessageContract<T>.OfType(ContractFormats.Cbor), options);
}
