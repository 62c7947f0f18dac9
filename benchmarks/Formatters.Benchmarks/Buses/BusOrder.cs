namespace Formatters.Benchmarks.Buses;

/// <summary>An order with lines, as a message of a bus.</summary>
[MessageContract(Name = "bus-order", Formats = ContractFormats.MessagePack)]
public partial class BusOrder
{
    [MessageMember(1)] public int Id { get; set; }

    [MessageMember(2)] public string Customer { get; set; } = "";

    [MessageMember(3)] public List<BusOrderLine> Lines { get; set; } = [];

    internal static BusOrder Create(int lineCount) => new()
    {
        Id = 4711,
        Customer = "Ada Lovelace",
        Lines = [.. Enumerable.Range(1, lineCount)
            .Select(static i => new BusOrderLine { Article = $"article {i}", Quantity = i * 100, Price = i * 1.25 })],
    };
}

[MessageContract(Formats = ContractFormats.MessagePack)]
public partial class BusOrderLine
{
    [MessageMember(1)] public string Article { get; set; } = "";

    [MessageMember(2)] public int Quantity { get; set; }

    [MessageMember(3)] public double Price { get; set; }
}
