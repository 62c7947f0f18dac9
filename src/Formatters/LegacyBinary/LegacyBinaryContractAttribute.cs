using System;

namespace Formatters.LegacyBinary;

/// <summary>
/// Makes the generator create a contract of legacy binary bodies, for a <see cref="LegacyBinaryFormatter{T}"/> without reflection over members.
/// </summary>
/// <param name="types">The types, for a class that only holds the contract; none for the type with the attribute.</param>
/// <remarks>
/// <para>The class or struct must be <see langword="partial"/>, and gets a static property <c>LegacyBinaryContract</c>. The contract contains the
/// types given, those that their fields declare, of any visibility, and so on. Give also the types that a field of type <see cref="object"/>, of an
/// interface or of a base class may hold. The bytes are the same as by reflection.</para>
/// <para>The compiler does not see the private fields of a type in another assembly. If the type has this attribute there, its contract is used;
/// otherwise its fields are found at run time, and the types of private fields must be given here.</para>
/// </remarks>
/// <example><code>
/// [Serializable, LegacyBinaryContract]
/// public partial class Order { private int _id; public List&lt;LineItem&gt; LineItems { get; set; } }
///
/// [LegacyBinaryContract(typeof(Invoice), typeof(CreditNote))]
/// internal static partial class Bodies;
///
/// var orders = new LegacyBinaryFormatter&lt;Order&gt;(Order.LegacyBinaryContract);
/// var any = new LegacyBinaryFormatter&lt;object&gt;(Bodies.LegacyBinaryContract);
/// </code></example>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct, Inherited = false)]
public sealed class LegacyBinaryContractAttribute(params Type[] types) : Attribute
{
    /// <summary>Gets the types; empty for the type with the attribute.</summary>
    public Type[] Types { get; } = types ?? throw new ArgumentNullException(nameof(types));
}
