using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter for any public class or struct: CBOR (RFC 8949) in its core deterministic encoding, with a generated contract or one found by
/// reflection.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value.</typeparam>
/// <remarks>
/// <para>A type with a generated contract is written and read by that, without reflection; any other by a contract found by reflection. Both give the same
/// bytes and the same errors, with the member path.</para>
/// <para>Equal objects give equal bytes: integers and floats are in the fewest bytes, maps and sets in the order of the bytes of their keys and elements.
/// Members with numbers are an array, others a map of names: docs/wire/cbor.md. The rules for members are those of
/// <see cref="MessagePackFormatter{T}"/>.</para>
/// </remarks>
/// <example><code>
/// var formatter = new CborFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class CborFormatter<T> : TraversedFormatter<T>
{
    /// <summary>Creates a formatter: with the generated contract of the type, if it has one (<c>[MessageContract(Formats = …Cbor…)]</c>), else by
    /// reflection.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="options">The options; null means <see cref="CborOptions.Default"/>.</param>
    /// <exception cref="System.ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public CborFormatter(FormatterLimits? limits = null, CborOptions? options = null)
        : base(GetContract<CborFormat>("CborContract", (options ?? CborOptions.Default).Rules), limits, ContentTypes.Cbor, BodyTypes.Cbor)
    {
    }

    /// <summary>Creates a formatter over a generated contract, without reflection.</summary>
    /// <param name="contract">The contract, <c>Order.CborContract</c>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="System.ArgumentNullException"><paramref name="contract"/> is null.</exception>
    public CborFormatter(CborContract<T> contract, FormatterLimits? limits = null)
        : base(contract, limits, ContentTypes.Cbor, BodyTypes.Cbor)
    {
    }
}

#if NET
/// <summary>Creates formatters of types that have a generated contract.</summary>
public static class CborFormatter
{
    /// <summary>Creates a formatter, without reflection. Not on netstandard2.0; there, pass <c>T.CborContract</c> to the constructor.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Cbor"/>.</typeparam>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    public static CborFormatter<T> Create<T>(FormatterLimits? limits = null)
        where T : ICborContract<T> =>
        new(T.CborContract, limits);
}
#endif
