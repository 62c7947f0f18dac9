using System;

namespace Formatters;

/// <summary>On a member that is a union: in protobuf its cases are fields of the containing message, a <c>oneof</c> among its other fields.</summary>
/// <remarks>
/// <para>Without it a union is a message of its own that consists of a <c>oneof</c>. Repeat the attribute for every case of the union. The numbers
/// apply to this member only: they must differ from those of the other members of the type, and from its retired ones. The tags of <see
/// cref="MessageUnionAttribute"/> are not used here, nor is the number of <see cref="MessageMemberAttribute"/>, which the member needs only for other
/// wire formats.</para>
/// <para>Like <see cref="MessageMemberAttribute"/>, it makes a field or property that is not public a member. It has no effect in other wire
/// formats.</para>
/// </remarks>
/// <example><code>
/// public class Order
/// {
///     [MessageMember(1)] public int Id { get; set; }
///     [MessageOneof(2, typeof(Card)), MessageOneof(3, typeof(Transfer))] public IPayment? Payment { get; set; }
///     [MessageMember(4)] public string Note { get; set; } = "";
/// }
///
/// [MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Transfer))]
/// public interface IPayment;
/// </code></example>
[AttributeUsage(AttributeTargets.Field | AttributeTargets.Property | AttributeTargets.Parameter, AllowMultiple = true)]
public sealed class MessageOneofAttribute : Attribute
{
    /// <summary>Assigns a case of the union to a field.</summary>
    /// <param name="number">The number of the field in the containing message: 1 to 536,870,911, except 19,000 to 19,999.</param>
    /// <param name="type">The case: a type that <see cref="MessageUnionAttribute"/> lists on the union.</param>
    public MessageOneofAttribute(int number, Type type)
    {
        Number = number;
        Type = type ?? throw new ArgumentNullException(nameof(type));
    }

    /// <summary>Gets the number of the field.</summary>
    public int Number { get; }

    /// <summary>Gets the case.</summary>
    public Type Type { get; }

    /// <summary>Gets or sets the name of the field in a <c>.proto</c> file; null, the default, for that of the type.</summary>
    public string? Name { get; set; }
}
