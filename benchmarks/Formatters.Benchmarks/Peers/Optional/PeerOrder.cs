using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Orders;
#if MEMORYPACK
using MemoryPack;
#endif
#if MESSAGEPACK
using MessagePack;
#endif

namespace Formatters.Benchmarks.Peers.Optional;

/// <summary>The order with the attributes that MessagePack-CSharp and MemoryPack read: the same members, as properties.</summary>
#if MEMORYPACK
[MemoryPackable]
#endif
#if MESSAGEPACK
[MessagePackObject]
#endif
public sealed partial class PeerOrder
{
#if MESSAGEPACK
    [Key(0)]
#endif
    public DateTime Date { get; set; }

#if MESSAGEPACK
    [Key(1)]
#endif
    public int CustomerID { get; set; }

#if MESSAGEPACK
    [Key(2)]
#endif
    public PeerAddress ShippingAddress { get; set; } = null!;

#if MESSAGEPACK
    [Key(3)]
#endif
    public PeerAddress BillingAddress { get; set; } = null!;

#if MESSAGEPACK
    [Key(4)]
#endif
    public double Total { get; set; }

#if MESSAGEPACK
    [Key(5)]
#endif
    public List<PeerLineItem> LineItems { get; set; } = null!;

    internal static PeerOrder From(OrderWithList order) => new()
    {
        Date = order.Date,
        CustomerID = order.CustomerID,
        ShippingAddress = PeerAddress.From(order.ShippingAddress),
        BillingAddress = PeerAddress.From(order.BillingAddress),
        Total = order.Total,
        LineItems = order.LineItems.Select(PeerLineItem.From).ToList(),
    };

    internal OrderWithList ToOrder() => new()
    {
        Date = Date,
        CustomerID = CustomerID,
        ShippingAddress = ShippingAddress.ToAddress(),
        BillingAddress = BillingAddress.ToAddress(),
        Total = Total,
        LineItems = LineItems.Select(static item => item.ToLineItem()).ToList(),
    };
}

/// <inheritdoc cref="PeerOrder"/>
#if MEMORYPACK
[MemoryPackable]
#endif
#if MESSAGEPACK
[MessagePackObject]
#endif
public sealed partial class PeerAddress
{
#if MESSAGEPACK
    [Key(0)]
#endif
    public string Firstname { get; set; } = null!;

#if MESSAGEPACK
    [Key(1)]
#endif
    public string Lastname { get; set; } = null!;

#if MESSAGEPACK
    [Key(2)]
#endif
    public string Company { get; set; } = null!;

#if MESSAGEPACK
    [Key(3)]
#endif
    public string City { get; set; } = null!;

#if MESSAGEPACK
    [Key(4)]
#endif
    public string Street { get; set; } = null!;

#if MESSAGEPACK
    [Key(5)]
#endif
    public string ZIPCode { get; set; } = null!;

#if MESSAGEPACK
    [Key(6)]
#endif
    public string Country { get; set; } = null!;

#if MESSAGEPACK
    [Key(7)]
#endif
    public string State { get; set; } = null!;

    internal static PeerAddress From(Address address) => new()
    {
        Firstname = address.Firstname,
        Lastname = address.Lastname,
        Company = address.Company,
        City = address.City,
        Street = address.Street,
        ZIPCode = address.ZIPCode,
        Country = address.Country,
        State = address.State,
    };

    internal Address ToAddress() => new()
    {
        Firstname = Firstname,
        Lastname = Lastname,
        Company = Company,
        City = City,
        Street = Street,
        ZIPCode = ZIPCode,
        Country = Country,
        State = State,
    };
}

/// <inheritdoc cref="PeerOrder"/>
#if MEMORYPACK
[MemoryPackable]
#endif
#if MESSAGEPACK
[MessagePackObject]
#endif
public sealed partial class PeerLineItem
{
#if MESSAGEPACK
    [Key(0)]
#endif
    public int ArticleID { get; set; }

#if MESSAGEPACK
    [Key(1)]
#endif
    public string Name { get; set; } = null!;

#if MESSAGEPACK
    [Key(2)]
#endif
    public double Price { get; set; }

#if MESSAGEPACK
    [Key(3)]
#endif
    public double Quantity { get; set; }

#if MESSAGEPACK
    [Key(4)]
#endif
    public double LineTotal { get; set; }

    internal static PeerLineItem From(LineItem item) => new()
    {
        ArticleID = item.ArticleID,
        Name = item.Name,
        Price = item.Price,
        Quantity = item.Quantity,
        LineTotal = item.LineTotal,
    };

    internal LineItem ToLineItem() => new()
    {
        ArticleID = ArticleID,
        Name = Name,
        Price = Price,
        Quantity = Quantity,
        LineTotal = LineTotal,
    };
}
