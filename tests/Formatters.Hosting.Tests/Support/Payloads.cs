namespace Formatters.Hosting.Tests;

/// <summary>A payload with a generated contract and a name of its own.</summary>
[MessageContract(Name = "order-placed", Formats = ContractFormats.Binary)]
public partial record OrderPlaced(int Id, string Customer);

/// <summary>A payload whose format the queue has to say.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Cbor)]
public partial record InTwoFormats(int Id);

/// <summary>A payload whose contract has an empty name.</summary>
[MessageContract(Name = " ", Formats = ContractFormats.Binary)]
public partial record NamedEmpty(int Id);

/// <summary>A payload without a contract: JSON.</summary>
public sealed record OrderCancelled(int Id);

/// <summary>A reply.</summary>
public sealed record OrderStatus(int Id, string Text);
