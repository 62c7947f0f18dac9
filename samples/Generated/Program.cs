// A generated contract: no Save, no Load, one attribute.
// Claim: the body equals, byte for byte, what the classic Save over System.IO.BinaryWriter gives; reading an equal trade into an existing one allocates nothing.
using System;
using System.IO;
using Formatters;

var trade = new Trade { Id = 42, Symbol = "CONTOSO", Price = 17.25, Note = null, When = new DateTime(2026, 11, 20, 9, 30, 0, DateTimeKind.Utc), Legs = [new() { Quantity = 1, Side = "buy" }, new() { Quantity = 2, Side = "sell" }] };
var formatter = new BinaryBodyFormatter<Trade>(Trade.MessageContract);
byte[] body = formatter.Write(trade);

using var stream = new MemoryStream();
using var classic = new BinaryWriter(stream);
classic.Write(trade.Id);
classic.Write(trade.Symbol);
classic.Write(trade.Price);
classic.Write(trade.Note is not null); // a nullable member: a presence byte, then the value if there is one
classic.Write(trade.When.ToBinary());
classic.Write(trade.Legs.Length);
foreach (Leg leg in trade.Legs)
{
    classic.Write(leg.Quantity);
    classic.Write(leg.Side);
}

classic.Flush();
bool isEqual = body.AsSpan().SequenceEqual(stream.ToArray());

Trade existing = formatter.Read(body);
formatter.Read(body, ref existing);
long before = GC.GetAllocatedBytesForCurrentThread();
formatter.Read(body, ref existing);
long allocated = GC.GetAllocatedBytesForCurrentThread() - before;

Console.WriteLine($"{body.Length} bytes: {Convert.ToHexString(body)}");
Console.WriteLine(isEqual ? "Same bytes as System.IO.BinaryWriter." : "DIFFERENT from System.IO.BinaryWriter.");
Console.WriteLine($"{allocated} bytes allocated to read an equal trade again.");
return isEqual && allocated == 0 && existing.Legs[1].Side == "sell" ? 0 : 1;

[MessageContract(Formats = ContractFormats.Binary)]
internal sealed partial class Trade
{
    public long Id { get; set; }
    public string Symbol { get; set; } = "";
    public double Price { get; set; }
    public string? Note { get; set; }
    public DateTime When { get; set; }
    public Leg[] Legs { get; set; } = [];
}

// Not annotated: part of the contract of Trade.
internal sealed class Leg
{
    public int Quantity { get; set; }
    public string Side { get; set; } = "";
}
