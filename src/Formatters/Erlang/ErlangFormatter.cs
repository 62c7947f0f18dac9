using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter for any public class or struct: the external term format of Erlang, with a generated contract or one found by
/// reflection.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value.</typeparam>
/// <remarks>
/// <para>A type with a generated contract is written and read by that, without reflection; any other by a contract found by reflection. Both give the
/// same bytes and the same errors, with the member path.</para>
/// <para>Members with numbers are a tuple, others a map of names: docs/wire/erlang.md. The rules for members are those of <see
/// cref="MessagePackFormatter{T}"/>.</para>
/// </remarks>
/// <example><code>
/// var formatter = new ErlangFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class ErlangFormatter<T> : TraversedFormatter<T>
{
    /// <summary>
    /// Creates a formatter with the generated contract of the type, if it has one for Erlang, otherwise with one found by reflection.
    /// </summary>
    /// <param name="options">The options; null means <see cref="ErlangOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    /// <exception cref="PlatformNotSupportedException">The type has no generated contract, and the program is compiled ahead of time.</exception>
    /// <remarks>The contract under the default options is cached: a second formatter for the type costs little.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public ErlangFormatter(ErlangOptions? options = null)
        : base(GetContract<ErlangFormat>(options ?? ErlangOptions.Default, ContractFormats.Erlang), (options ?? ErlangOptions.Default).Limits,
            ContentTypes.Erlang, BodyTypes.Erlang)
    {
    }

    /// <summary>Creates a formatter with a generated contract, without reflection.</summary>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="options">The options; null means <see cref="ErlangOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include Erlang.</exception>
    public ErlangFormatter(MessageContract<T> contract, ErlangOptions? options = null)
        : base(GetContract<ErlangFormat>(contract, options), (options ?? ErlangOptions.Default).Limits, ContentTypes.Erlang, BodyTypes.Erlang)
    {
    }
}

/// <summary>Creates formatters for types with a generated contract.</summary>
public static class ErlangFormatter
{
    /// <summary>Creates a formatter with the contract that was generated into the type, without reflection over its members: safe for trimming and
    /// ahead-of-time compilation.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Erlang"/>.</typeparam>
    /// <param name="options">The options; null means <see cref="ErlangOptions.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The type has no generated contract for Erlang.</exception>
    public static ErlangFormatter<T> Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)]
    T>(ErlangOptions? options = null) =>
        new(MessageContract<T>.OfType(ContractFormats.Erlang), options);
}
