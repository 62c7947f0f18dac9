using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Buses.Tests;

/// <summary>A payload with a contract in all generated formats.</summary>
[MessageContract(Name = "order-placed", Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor
    | ContractFormats.Compact | ContractFormats.Protobuf | ContractFormats.Xml)]
public partial class OrderPlaced
{
    [MessageMember(1)] public int Id { get; set; }

    [MessageMember(2)] public string Customer { get; set; } = "";

    [MessageMember(3)] public List<OrderLine> Lines { get; set; } = [];

    public static OrderPlaced Sample(int id) => new()
    {
        Id = id,
        Customer = "Ådá Löveläce",
        Lines = [.. Enumerable.Range(1, 5).Select(static i => new OrderLine { Article = "article " + i, Quantity = i * 100, Price = i * 1.25m })],
    };

    /// <summary>Returns the values, for comparisons.</summary>
    public override string ToString() => FormattableString.Invariant($"{Id} {Customer} ") + string.Join(" ", Lines.Select(static line => FormattableString.Invariant($"{line.Article}:{line.Quantity}:{line.Price}")));
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor
    | ContractFormats.Compact | ContractFormats.Protobuf | ContractFormats.Xml)]
public partial class OrderLine
{
    [MessageMember(1)] public string Article { get; set; } = "";

    [MessageMember(2)] public int Quantity { get; set; }

    [MessageMember(3)] public decimal Price { get; set; }
}

/// <summary>A payload that no registry knows.</summary>
public class Note
{
    public string Text { get; set; } = "";
}

/// <summary>A payload without attribute, to be added.</summary>
public class Invoice
{
    public int Number { get; set; }
}
