using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;
using Formatters.Generated;

namespace Formatters;

/// <summary>
/// A formatter for any class or struct with numbered members: the versioned format, whose bodies older and newer versions of the type can read.
/// </summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>Members are numbered (<see cref="MessageMemberAttribute"/>, <c>[DataMember(Order = n)]</c>). A reader skips members that it does not know,
/// or stores them (<see cref="UnknownMembers"/>); missing members get the value that a new object has. Wire format: docs/wire/versioned.md; safe
/// changes: docs/contracts.md.</para>
/// <para>A generated contract and one found by reflection have the same bytes, and the same errors at the same offsets.</para>
/// <para>Errors have the member path. To find it, a body (or an object) with an error is processed a second time, so setters may run twice.</para>
/// </remarks>
/// <example><code>
/// var formatter = new VersionedFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class VersionedFormatter<T> : BinaryContractFormatter<T>
{
    /// <summary>
    /// Creates a formatter with the generated contract of the type, if it has one for the versioned format, otherwise with one found by reflection.
    /// </summary>
    /// <param name="options">The options; null means <see cref="VersionedOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    /// <exception cref="PlatformNotSupportedException">The type has no generated contract, and the program is compiled ahead of time.</exception>
    /// <remarks>The contract under the default options is cached: a second formatter for the type costs little.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public VersionedFormatter(VersionedOptions? options = null)
        : base(GetContract(options ?? VersionedOptions.Default, ContractFormats.Versioned), (options ?? VersionedOptions.Default).Limits,
            options?.UseUtf16 ?? false, ContentTypes.Versioned, BodyTypes.Versioned)
    {
    }

    /// <summary>Creates a formatter with a generated contract, without reflection.</summary>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="options">The options; null means <see cref="VersionedOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include the versioned format.</exception>
    public VersionedFormatter(MessageContract<T> contract, VersionedOptions? options = null)
        : base(GetCodec(contract, options), (options ?? VersionedOptions.Default).Limits, options?.UseUtf16 ?? false,
            ContentTypes.Versioned, BodyTypes.Versioned)
    {
    }

    private static BinaryCodec<T> GetCodec(MessageContract<T> contract, VersionedOptions? options)
    {
        if (contract is null)
            throw new ArgumentNullException(nameof(contract));
        options?.RequireGenerated(typeof(T));
        return contract.Versioned;
    }
}

/// <summary>Creates formatters for types with a generated contract.</summary>
public static class VersionedFormatter
{
    /// <summary>Creates a formatter with the contract that was generated into the type, without reflection over its members: safe for trimming and
    /// ahead-of-time compilation.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Versioned"/>.</typeparam>
    /// <param name="options">The options; null means <see cref="VersionedOptions.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The type has no generated contract for the versioned format.</exception>
    public static VersionedFormatter<T> Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)]
    T>(VersionedOptions? options = null) =>
        new(MessageContract<T>.OfType(ContractFormats.Versioned), options);
}
