using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter over a generated contract in the versioned wire format: bodies that older and newer versions of their types can read.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>Members are numbered (<see cref="MessageMemberAttribute"/>, <c>[DataMember(Order = n)]</c>). A reader skips members that it does not know, or
/// keeps them (<see cref="UnknownMembers"/>); members that are missing get the value that a new object has. Wire format: docs/wire/versioned.md; which
/// changes are safe: docs/contracts.md.</para>
/// <para>The same bytes, and the same errors at the same offsets, as <see cref="ReflectionFormatter{T}"/> with <see cref="ReflectionOptions.Format"/>
/// <see cref="ContractFormats.Versioned"/>. Safe for trimming and ahead-of-time compilation.</para>
/// <para>Errors carry the member path. To find it, a body (or an object) with an error is processed a second time, so setters may run twice.</para>
/// </remarks>
/// <example><code>
/// var formatter = new VersionedFormatter&lt;Order&gt;(Order.VersionedContract);
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class VersionedFormatter<T> : BinaryContractFormatter<T>
{
    /// <summary>Creates a formatter.</summary>
    /// <param name="contract">The generated contract: <c>Order.VersionedContract</c>, or a property of a class with
    /// <see cref="MessageContractForAttribute"/>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="System.ArgumentNullException"><paramref name="contract"/> is null.</exception>
    public VersionedFormatter(VersionedContract<T> contract, FormatterLimits? limits = null)
        : base(contract, limits, ContentTypes.Versioned, BodyTypes.Versioned, notesByteCount: true)
    {
    }
}

#if NET
/// <summary>Makes formatters of types that bring their contract.</summary>
public static class VersionedFormatter
{
    /// <summary>Creates a formatter. Not on netstandard2.0; there, pass <c>T.VersionedContract</c> to the constructor.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Versioned"/>.</typeparam>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    public static VersionedFormatter<T> Create<T>(FormatterLimits? limits = null)
        where T : IVersionedContract<T> =>
        new(T.VersionedContract, limits);
}
#endif
