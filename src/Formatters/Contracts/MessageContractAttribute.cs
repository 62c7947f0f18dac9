using System;

namespace Formatters;

/// <summary>Makes the generator create code that writes and reads a type: the <c>Save</c> and <c>Load</c> that you would write by hand.</summary>
/// <remarks>
/// <para>The type must be <see langword="partial"/>; it can be a class, a struct, a record or a record struct. It gets a static property
/// <c>MessageContract</c>, a <see cref="MessageContract{T}"/> with the code of every format in <see cref="Formats"/>. The formatters of these formats
/// use it by themselves. Members, their order and their bytes are the same as by reflection: docs/contracts.md.</para>
/// <para>For a type whose source you cannot change, or a closed generic type, see <see cref="MessageContractForAttribute"/>.</para>
/// </remarks>
/// <example><code>
/// [MessageContract]
/// public partial class Order { [MessageMember(1)] public int CustomerID; [MessageMember(2)] public string? Note { get; set; } }
///
/// VersionedFormatter&lt;Order&gt; formatter = VersionedFormatter.Create&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// </code></example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class MessageContractAttribute : Attribute
{
    /// <summary>Gets or sets the wire formats to generate code for.</summary>
    /// <value>Default <see cref="ContractFormats.Versioned"/>, whose members can be added, removed and renamed while messages wait.</value>
    public ContractFormats Formats { get; set; } = ContractFormats.Versioned;

    /// <summary>The name by which the headers of a message identify the contract, when several types share a queue (<c>Formatters.Hosting</c>). It is
    /// not in the body.</summary>
    /// <value>Default null: the name of the type without its namespace. Set it before renaming a type whose messages wait in queues.</value>
    public string? Name { get; set; }
}
