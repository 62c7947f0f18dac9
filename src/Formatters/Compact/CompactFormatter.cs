using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter for any public class or struct: the fewest bytes of all formats, with a generated contract or one found by reflection.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value.</typeparam>
/// <remarks>
/// <para>A type with a generated contract is written and read by that, without reflection; any other by a contract found by reflection. Both give the same
/// bytes and the same errors, with the member path.</para>
/// <para>Integers, lengths, dates and doubles take as few bytes as their value needs, and each value has one form: any other is rejected on reading. A body
/// says where its values end, and not what they are: docs/wire/compact.md. Members with numbers are an array, others a map of names. The rules for members
/// are those of <see cref="MessagePackFormatter{T}"/>.</para>
/// </remarks>
/// <example><code>
/// var formatter = new CompactFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class CompactFormatter<T> : TraversedFormatter<T>
{
    /// <summary>Creates a formatter: with the generated contract of the type, if it has one (<c>[MessageContract(Formats = …Compact…)]</c>), else by
    /// reflection.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="options">The options; null means <see cref="CompactOptions.Default"/>.</param>
    /// <exception cref="System.ArgumentException">The type has no contract, or one that contradicts itself. The message names the member.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public CompactFormatter(FormatterLimits? limits = null, CompactOptions? options = null)
        : base(GetContract<CompactFormat>("CompactContract", (options ?? CompactOptions.Default).Rules), limits, ContentTypes.Compact, BodyTypes.Compact)
    {
    }

    /// <summary>Creates a formatter over a generated contract, without reflection.</summary>
    /// <param name="contract">The contract, <c>Order.CompactContract</c>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="System.ArgumentNullException"><paramref name="contract"/> is null.</exception>
    public CompactFormatter(CompactContract<T> contract, FormatterLimits? limits = null)
        : base(contract, limits, ContentTypes.Compact, BodyTypes.Compact)
    {
    }
}

#if NET
/// <summary>Makes formatters of types that bring their contract.</summary>
public static class CompactFormatter
{
    /// <summary>Creates a formatter, without reflection. Not on netstandard2.0; there, pass <c>T.CompactContract</c> to the constructor.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.Compact"/>.</typeparam>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    public static CompactFormatter<T> Create<T>(FormatterLimits? limits = null)
        where T : ICompactContract<T> =>
        new(T.CompactContract, limits);
}
#endif
