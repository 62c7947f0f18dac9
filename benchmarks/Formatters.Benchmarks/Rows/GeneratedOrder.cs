using System;
using System.Collections.Generic;

namespace Formatters.Benchmarks.Rows;

/// <summary>The members of <see cref="Orders.OrderWithList"/>, for the generator.</summary>
[MessageContract]
internal sealed partial class GeneratedOrder
{
    public DateTime Date;
    public int CustomerID;
    public GeneratedAddress ShippingAddress = null!;
    public GeneratedAddress BillingAddress = null!;
    public double Total;
    public List<GeneratedLineItem> LineItems = null!;
}

/// <summary>The members of <see cref="Orders.Address"/>.</summary>
[MessageContract]
internal sealed partial class GeneratedAddress
{
    public string Firstname = null!;
    public string Lastname = null!;
    public string Company = null!;
    public string City = null!;
    public string Street = null!;
    public string ZIPCode = null!;
    public string Country = null!;
    public string State = null!;
}

/// <summary>The members of <see cref="Orders.LineItem"/>.</summary>
[MessageContract]
internal sealed partial class GeneratedLineItem
{
    public int ArticleID;
    public string Name = null!;
    public double Price;
    public double Quantity;
    public double LineTotal;
}
