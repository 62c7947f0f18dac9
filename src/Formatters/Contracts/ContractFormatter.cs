using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter over a generated contract: the binary wire format at the speed of the best hand-written code, without reflection.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>The same bytes, and the same errors at the same offsets, as <see cref="ReflectionFormatter{T}"/> and a hand-written <c>Save</c> and
/// <c>Load</c>: docs/wire/binary.md. Safe for trimming and ahead-of-time compilation.</para>
/// <para>Errors carry the member path. To find it, a body (or an object) with an error is processed a second time, so setters may run twice.</para>
/// </remarks>
/// <example><code>
/// var formatter = new ContractFormatter&lt;Order&gt;(Order.MessageContract);
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class ContractFormatter<T> : BinaryContractFormatter<T>
{
    /// <summary>Creates a formatter.</summary>
    /// <param name="contract">The generated contract: <c>Order.MessageContract</c>, or a property of a class with
    /// <see cref="MessageContractForAttribute"/>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="System.ArgumentNullException"><paramref name="contract"/> is null.</exception>
    public ContractFormatter(MessageContract<T> contract, FormatterLimits? limits = null)
        : base(contract, limits, ContentTypes.Binary, BodyTypes.Binary, notesByteCount: false)
    {
    }
}

#if NET
/// <summary>Makes formatters of types that bring their contract.</summary>
public static class ContractFormatter
{
    /// <summary>Creates a formatter. Not on netstandard2.0; there, pass <c>T.MessageContract</c> to the constructor.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/>.</typeparam>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    public static ContractFormatter<T> Create<T>(FormatterLimits? limits = null)
        where T : IMessageContract<T> =>
        new(T.MessageContract, limits);
}
#endif
