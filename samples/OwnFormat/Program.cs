// A wire format outside the library: RESP3, the protocol of Redis (Resp3.cs), with the public API only.
// Claim: a contract reads and writes in it, with the limits, member paths and offsets of the library's own formats.
using System;
using System.Collections.Generic;
using System.Text;
using Formatters;
using OwnFormat;

var order = new Order { Id = 7, Customer = "Contoso", Placed = new DateTime(2026, 11, 27, 9, 30, 0, DateTimeKind.Utc), Lines = [new("hat", 2, 9.50m), new("pen", 1, 1m)] };
CustomFormatter<Order, Resp3> formatter = CustomFormatter.Create<Order, Resp3>();
byte[] body = formatter.Write(order);
Console.Write(Encoding.UTF8.GetString(body));

// Without its generated contract, by reflection: the same bytes.
var reflected = new CustomFormatter<Order, Resp3>(new CustomFormatOptions { UseGeneratedContract = false });
bool isEqual = body.AsSpan().SequenceEqual(reflected.Write(order));

Order back = reflected.Read(body);
bool isBack = back.Customer == "Contoso" && back.Placed == order.Placed && back.Lines is [{ Quantity: 2, Price: 9.50m }, { Name: "pen" }];

// A damaged body: the quantity of the second line becomes a string.
byte[] damaged = Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(body).Replace(":1\r\n", "$1\r\nx\r\n", StringComparison.Ordinal));
MessageFormatException? error = null;
try
{
    formatter.Read(damaged);
}
catch (MessageFormatException e)
{
    error = e;
}

bool isExplained = error is { MemberPath: "Order.Lines[1].Quantity", ByteOffset: 151 };

Console.WriteLine(WireFormat.Custom<Resp3>().Inspector.Inspect(body));
Console.WriteLine($"Damaged: {error?.Message}");
Console.WriteLine(isEqual && isBack ? "The generated and the reflected contract agree." : "The contracts do NOT agree.");
return isEqual && isBack && isExplained ? 0 : 1;

[MessageContract(Formats = ContractFormats.MessagePack)]
internal sealed partial class Order
{
    [MessageMember(1)] public int Id { get; set; }
    [MessageMember(2)] public string Customer { get; set; } = "";
    [MessageMember(3)] public DateTime Placed { get; set; }
    [MessageMember(4)] public List<Line> Lines { get; set; } = [];
}

// By name: a map.
internal sealed record Line(string Name, int Quantity, decimal Price);
