using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;

namespace Formatters;

/// <summary>
/// A formatter for any public class or struct: the fewest bytes of all formats, with a generated contract or one found by reflection.
/// </summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value.</typeparam>
/// <remarks>
/// <para>A type with a generated contract is written and read by that, without reflection; any other by a contract found by reflection. Both give the
/// same bytes and the same errors, with the member path.</para>
/// <para>Integers, lengths, dates and doubles take as few bytes as their value needs, and each value has one form: any other is rejected on reading.
/// A body says where its values end, and not what they are: docs/wire/compact.md. Members with numbers are an array, others a map of names. The rules
/// for members are those of <see cref="MessagePackFormatter{T}"/>.</para>
/// </remarks>
/// <example><code>
/// var formatter = new CompactFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class CompactFormatter<T> : TraversedFormatter<T>
{
    /// <summary>
    /// Creates a formatter with the generated contract of the type, if it has one for the compact format, otherwise with one found by reflection.
    /// </summary>
    /// <param name="options">The options; null means <see cref="CompactOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    /// <exception cref="PlatformNotSupportedException">The type has no generated contract, and the program is compiled ahead of time.</exception>
    /// <remarks>The contract under the default options is cached: a second formatter for the type costs little.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public CompactFormatter(CompactOptions? options = null)
        : base(GetContract<CompactFormat>(options ?? CompactOptions.Default, ContractFormats.Compact), (options ?? CompactOptions.Default).Limits,
            ContentTypes.Compact, BodyTypes.Compact)
    {
    }

    /// <summary>Creates a formatter with a generated contract, without reflection.</summary>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="options">The options; null means <see cref="CompactOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include the compact format.</exception>
    public CompactFormatter(MessageContract<T> contract, CompactOptions? options = null)
        : base(GetContract<CompactFormat>(contract, options), (options ?? CompactOptions.Default).Limits, ContentTypes.Compact, BodyTypes.Compact)
    {
    }
}

/// <summary>Creates formatters for types with a generated contract.</summary>
public static class CompactFormatter
{
    /// <summary>Creates a formatter with the contract that was generated into the type, without reflection over its members: safe for trimming and
    /// ahead-of-time compilation.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Compact"/>.</typeparam>
    /// <param name="options">The options; null means <see cref="CompactOptions.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentException">The options require another contract.</exception>
    /// <exception cref="InvalidOperationException">The type has no generated contract for the compact format.</exception>
    public static CompactFormatter<T> Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)]
    T>(CompactOptions? options = null) =>
        new(MessageContract<T>.OfType(ContractFormats.Compact), options);
}
