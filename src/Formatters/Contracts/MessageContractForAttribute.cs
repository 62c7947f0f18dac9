using System;

namespace Formatters;

/// <summary>Makes the generator create code for a type that cannot have <see cref="MessageContractAttribute"/> itself, in a partial class.</summary>
/// <param name="type">A class or struct of another assembly, a closed generic type, or a collection.</param>
/// <remarks>
/// The class gets a static property for every such attribute: a <see cref="MessageContract{T}"/>, named after the type (<c>Box&lt;string&gt;</c>
/// becomes <c>BoxOfString</c>) or by <see cref="Name"/>.
/// </remarks>
/// <example><code>
/// [MessageContractFor(typeof(Address)), MessageContractFor(typeof(List&lt;Address&gt;), Name = "Addresses")]
/// internal static partial class Contracts;
///
/// var formatter = new VersionedFormatter&lt;List&lt;Address&gt;&gt;(Contracts.Addresses);
/// </code></example>
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true, Inherited = false)]
public sealed class MessageContractForAttribute(Type type) : Attribute
{
    /// <summary>Gets the type to write and read.</summary>
    public Type Type { get; } = type ?? throw new ArgumentNullException(nameof(type));

    /// <summary>Gets or sets the name of the property.</summary>
    /// <value>Null, the default, for the name of the type.</value>
    public string? Name { get; set; }

    /// <summary>Gets or sets the wire formats to generate code for.</summary>
    /// <value>Default <see cref="ContractFormats.Versioned"/>, whose members can be added, removed and renamed while messages wait.</value>
    public ContractFormats Formats { get; set; } = ContractFormats.Versioned;
}
