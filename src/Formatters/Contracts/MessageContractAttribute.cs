using System;

namespace Formatters;

/// <summary>Has the code that writes and reads a type generated at compile time: the <c>Save</c> and <c>Load</c> that one would write by hand.</summary>
/// <remarks>
/// <para>The type is <see langword="partial"/>, a class, a struct, a record or a record struct. It gets a static property <c>MessageContract</c>, to be
/// given to a <see cref="ContractFormatter{T}"/>, and one for every other format in <see cref="Formats"/>. Members, their order and their bytes are those of <see cref="ReflectionFormatter{T}"/>:
/// docs/wire/binary.md, "Contracts".</para>
/// <para>For a type of which the source is not at hand, or a closed generic type, see <see cref="MessageContractForAttribute"/>.</para>
/// </remarks>
/// <example><code>
/// [MessageContract]
/// public partial class Order { public int CustomerID; public string? Note { get; set; } }
///
/// var formatter = new ContractFormatter&lt;Order&gt;(Order.MessageContract);
/// byte[] body = formatter.Write(order);
/// </code></example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class MessageContractAttribute : Attribute
{
    /// <summary>The wire formats to generate code for.</summary>
    /// <value>Default <see cref="ContractFormats.Binary"/>.</value>
    public ContractFormats Formats { get; set; } = ContractFormats.Binary;
}
