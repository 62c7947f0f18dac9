using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Formatters.Orders;

namespace Formatters.Contracts.Tests;

/// <summary>The generated twin of <see cref="OrderWithList"/>: the same members, no <c>Save</c> and <c>Load</c>.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class GeneratedOrder
{
    [MessageMember(1)] public DateTime Date;
    [MessageMember(2)] public int CustomerID;
    [MessageMember(3)] public GeneratedAddress ShippingAddress = null!;
    [MessageMember(4)] public GeneratedAddress BillingAddress = null!;
    [MessageMember(5)] public double Total;
    [MessageMember(6)] public List<GeneratedLineItem> LineItems = null!;

    public static GeneratedOrder From(Order order) => new()
    {
        Date = order.Date,
        CustomerID = order.CustomerID,
        ShippingAddress = GeneratedAddress.From(order.ShippingAddress),
        BillingAddress = GeneratedAddress.From(order.BillingAddress),
        Total = order.Total,
        LineItems = [.. order.LineItems.Cast<LineItem>().Select(GeneratedLineItem.From)],
    };
}

/// <summary>The generated twin of <see cref="Order"/>, with an <see cref="ArrayList"/>.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed)]
public sealed partial class GeneratedClassicOrder
{
    [MessageMember(1)] public DateTime Date;
    [MessageMember(2)] public int CustomerID;
    [MessageMember(3)] public GeneratedAddress ShippingAddress = null!;
    [MessageMember(4)] public GeneratedAddress BillingAddress = null!;
    [MessageMember(5)] public double Total;
    [ElementType(typeof(GeneratedLineItem))]
    [MessageMember(6)] public ArrayList LineItems = null!;
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class GeneratedAddress
{
    [MessageMember(1)] public string Firstname = null!;
    [MessageMember(2)] public string Lastname = null!;
    [MessageMember(3)] public string Company = null!;
    [MessageMember(4)] public string City = null!;
    [MessageMember(5)] public string Street = null!;
    [MessageMember(6)] public string ZIPCode = null!;
    [MessageMember(7)] public string Country = null!;
    [MessageMember(8)] public string State = null!;

    public static GeneratedAddress From(Address a) => new()
    {
        Firstname = a.Firstname,
        Lastname = a.Lastname,
        Company = a.Company,
        City = a.City,
        Street = a.Street,
        ZIPCode = a.ZIPCode,
        Country = a.Country,
        State = a.State,
    };
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class GeneratedLineItem
{
    [MessageMember(1)] public int ArticleID;
    [MessageMember(2)] public string Name = null!;
    [MessageMember(3)] public double Price;
    [MessageMember(4)] public double Quantity;
    [MessageMember(5)] public double LineTotal;

    public static GeneratedLineItem From(LineItem item) => new()
    {
        ArticleID = item.ArticleID,
        Name = item.Name,
        Price = item.Price,
        Quantity = item.Quantity,
        LineTotal = item.LineTotal,
    };
}
