using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Formatters.Orders;

namespace Formatters.Contracts.Tests;

/// <summary>The generated twin of <see cref="OrderWithList"/>: the same members, no <c>Save</c> and <c>Load</c>.</summary>
[MessageContract]
public sealed partial class GeneratedOrder
{
    public DateTime Date;
    public int CustomerID;
    public GeneratedAddress ShippingAddress = null!;
    public GeneratedAddress BillingAddress = null!;
    public double Total;
    public List<GeneratedLineItem> LineItems = null!;

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
[MessageContract]
public sealed partial class GeneratedClassicOrder
{
    public DateTime Date;
    public int CustomerID;
    public GeneratedAddress ShippingAddress = null!;
    public GeneratedAddress BillingAddress = null!;
    public double Total;
    [ElementType(typeof(GeneratedLineItem))]
    public ArrayList LineItems = null!;
}

[MessageContract]
public sealed partial class GeneratedAddress
{
    public string Firstname = null!;
    public string Lastname = null!;
    public string Company = null!;
    public string City = null!;
    public string Street = null!;
    public string ZIPCode = null!;
    public string Country = null!;
    public string State = null!;

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

[MessageContract]
public sealed partial class GeneratedLineItem
{
    public int ArticleID;
    public string Name = null!;
    public double Price;
    public double Quantity;
    public double LineTotal;

    public static GeneratedLineItem From(LineItem item) => new()
    {
        ArticleID = item.ArticleID,
        Name = item.Name,
        Price = item.Price,
        Quantity = item.Quantity,
        LineTotal = item.LineTotal,
    };
}
