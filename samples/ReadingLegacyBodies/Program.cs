// A body of BinaryMessageFormatter (body type 768), read into types that have moved since and written back, without BinaryFormatter.
// Claim: it reads into types of ours and no others, writes the bytes that the old receiver knows, and is refused by who does not expect it.
using System;
using System.Collections;
using System.IO;
using System.Linq;
using Formatters;
using Formatters.LegacyBinary;
using Sales;

byte[] body = args.Length > 0 ? File.ReadAllBytes(args[0]) : File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, "bin-order-1.bin"));

// Who sent it had these types in the assembly Golden, in its namespace, and called the customer's number CustomerID.
const string Sender = "Golden, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null";
var formatter = new LegacyBinaryFormatter<Order>(LegacyBinaryOptions.Default
    .WithType(typeof(Order), "Golden.Order", Sender).WithMember(typeof(Order), nameof(Order.CustomerNumber), "CustomerID")
    .WithType(typeof(Address), "Golden.Address", Sender)
    .WithType(typeof(LineItem), "Golden.LineItem", Sender)); // stands in an ArrayList: no member declares it

Order order = formatter.Read(body);
LineItem item = order.LineItems.Cast<LineItem>().Single();
bool isRead = order.CustomerNumber == 4711 && order.ShippingAddress is { City: "Wien", Lastname: "Müller" } && item is { Name: "Article 1", Quantity: 2 };
bool isWritten = formatter.Write(order).AsSpan().SequenceEqual(body);

// Nothing in a body makes a type: what was not declared is an error that says where, and not an object.
bool isRefused = false;
try
{
    new LegacyBinaryFormatter<Order>().Read(body);
}
catch (MessageFormatException e) when (e.Code == MessageFormatErrorCode.TypeNotAllowed)
{
    isRefused = true;
    Console.WriteLine($"Without the names: {e.Message}");
}

Console.WriteLine($"{body.Length} bytes: order of customer {order.CustomerNumber} in {order.ShippingAddress.City}, {item.Quantity} x {item.Name}.");
Console.WriteLine(isRead && isWritten && isRefused ? "Read, written byte for byte, refused where not declared." : $"NOT so: {isRead} {isWritten} {isRefused}");
return isRead && isWritten && isRefused ? 0 : 1;

namespace Sales
{
#pragma warning disable CS0649 // The formatter sets them.
    [Serializable]
    internal sealed class Order { public DateTime Date; public int CustomerNumber; public Address ShippingAddress = null!, BillingAddress = null!; public double Total; public ArrayList LineItems = []; }

    [Serializable]
    internal sealed class Address { public string? Firstname, Lastname, Company, City, Street, ZIPCode, Country, State; }

    [Serializable]
    internal sealed class LineItem { public int ArticleID; public string? Name; public double Price, Quantity, LineTotal; }
}
