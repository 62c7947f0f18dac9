using System;

namespace Formatters.Contracts;

/// <summary>Makes the generator list the contracts of an assembly by name, in a partial class.</summary>
/// <remarks>
/// The class gets a static property <c>All</c>, an <c>IReadOnlyList&lt;NamedContract&gt;</c>, in ordinal order of the names: of every type of the
/// assembly with <see cref="MessageContractAttribute"/>, except generic types and those that other classes of the assembly cannot see. The list is
/// made without reflection: it is safe for trimming and ahead-of-time compilation.
/// </remarks>
/// <example><code>
/// [MessageContractMap]
/// internal static partial class Contracts;
///
/// var registry = new ContractRegistry(WireFormat.MessagePack).AddAll(Contracts.All);      // Formatters.Hosting.Buses
/// </code></example>
[AttributeUsage(AttributeTargets.Class, Inherited = false)]
public sealed class MessageContractMapAttribute : Attribute;
