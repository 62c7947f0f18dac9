using System;

namespace Formatters;

/// <summary>Generates the code that writes and reads a type, at compile time: the <c>Save</c> and <c>Load</c> that you would write by hand.</summary>
/// <remarks>
/// <para>The type must be <see langword="partial"/>; it can be a class, a struct, a record or a record struct. It gets a static property
/// <c>MessageContract</c> for a <see cref="ContractFormatter{T}"/>, and one for every other format in <see cref="Formats"/>. Members, their order and their
/// bytes are those of <see cref="ReflectionFormatter{T}"/>: docs/wire/binary.md, "Contracts".</para>
/// <para>For a type whose source you cannot change, or a closed generic type, see <see cref="MessageContractForAttribute"/>.</para>
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
