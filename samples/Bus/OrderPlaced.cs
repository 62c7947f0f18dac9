using Formatters;

// MassTransit requires a namespace for its message types.
namespace Shop;

[MessageContract(Name = "order-placed", Formats = ContractFormats.MessagePack)]
public partial record OrderPlaced([property: MessageMember(1)] int Id, [property: MessageMember(2)] string Customer);
