using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter for any public class or struct in a wire format of the application, with a generated contract or one found by
/// reflection.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value.</typeparam>
/// <typeparam name="TFormat">The format.</typeparam>
/// <remarks>
/// <para>A type with a generated contract for <see cref="ContractFormats.MessagePack"/> is written and read by that, without reflection; any other by
/// a contract found by reflection. Both give the same bytes and the same errors, with the member path.</para>
/// <para>Members with numbers are an array, others a map of names. Dictionaries and sets are written in the order in which they enumerate. The rules
/// for members are those of <see cref="MessagePackFormatter{T}"/>: docs/wire/custom.md.</para>
/// </remarks>
/// <example><code>
/// var formatter = new CustomFormatter&lt;Order, Resp3&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class CustomFormatter<T, TFormat> : TraversedFormatter<T>
    where TFormat : struct, ICustomWireFormat
{
    /// <summary>
    /// Creates a formatter with the generated contract of the type, if it has one for MessagePack, otherwise with one found by reflection.
    /// </summary>
    /// <param name="options">The options; null means <see cref="CustomFormatOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">The type has no contract, or one that contradicts itself; the message names the member. Or the tags of the
    /// format are not valid: see <see cref="WireFormat.Custom{TFormat}"/>.</exception>
    /// <exception cref="PlatformNotSupportedException">The type has no generated contract, and the program is compiled ahead of time.</exception>
    /// <remarks>The contract under the default options is cached: a second formatter for the type costs little.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public CustomFormatter(CustomFormatOptions? options = null)
        : base(GetContract<CustomWireFormat<TFormat>>(options ?? CustomFormatOptions.Default, ContractFormats.MessagePack),
            (options ?? CustomFormatOptions.Default).Limits, WireFormat.Custom<TFormat>().ContentType, WireFormat.Custom<TFormat>().BodyType)
    {
    }

    /// <summary>Creates a formatter with a generated contract, without reflection.</summary>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <param name="options">The options; null means <see cref="CustomFormatOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    /// <exception cref="ArgumentException">The options require another contract, or the tags of the format are not valid.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include MessagePack.</exception>
    public CustomFormatter(MessageContract<T> contract, CustomFormatOptions? options = null)
        : base(GetContract<CustomWireFormat<TFormat>>(contract, options), (options ?? CustomFormatOptions.Default).Limits,
            WireFormat.Custom<TFormat>().ContentType, WireFormat.Custom<TFormat>().BodyType)
    {
    }
}

/// <summary>Creates formatters for types with a generated contract.</summary>
public static class CustomFormatter
{
    /// <summary>Creates a formatter with the contract that was generated into the type, without reflection over its members: safe for trimming and
    /// ahead-of-time compilation.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/> for <see cref="ContractFormats.MessagePack"/>.</typeparam>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="options">The options; null means <see cref="CustomFormatOptions.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentException">The options require another contract, or the tags of the format are not valid.</exception>
    /// <exception cref="InvalidOperationException">The type has no generated contract for MessagePack.</exception>
    public static CustomFormatter<T, TFormat> Create<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)]
    T, TFormat>(CustomFormatOptions? options = null)
        where TFormat : struct, ICustomWireFormat =>
        new(MessageContract<T>.OfType(ContractFormats.MessagePack), options);
}
