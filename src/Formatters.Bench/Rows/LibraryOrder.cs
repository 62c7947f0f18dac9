using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Serialization;
using Formatters.Orders;

namespace Formatters.Bench.Rows;

/// <summary>The order for formatters of other libraries: public, its members numbered by the attributes of the base library, which MessagePack-CSharp and protobuf-net both read.</summary>
[DataContract]
public sealed class LibraryOrder
{
    /// <inheritdoc cref="OrderWithList.Date"/>
    [DataMember(Order = 1)]
    public DateTime Date { get; set; }

    /// <inheritdoc cref="OrderWithList.CustomerID"/>
    [DataMember(Order = 2)]
    public int CustomerID { get; set; }

    /// <inheritdoc cref="OrderWithList.ShippingAddress"/>
    [DataMember(Order = 3)]
    public LibraryAddress ShippingAddress { get; set; } = null!;

    /// <inheritdoc cref="OrderWithList.BillingAddress"/>
    [DataMember(Order = 4)]
    public LibraryAddress BillingAddress { get; set; } = null!;

    /// <inheritdoc cref="OrderWithList.Total"/>
    [DataMember(Order = 5)]
    public double Total { get; set; }

    /// <inheritdoc cref="OrderWithList.LineItems"/>
    [DataMember(Order = 6)]
    public List<LibraryLineItem> LineItems { get; set; } = null!;

    internal static LibraryOrder From(Order order) => new()
    {
        Date = order.Date,
        CustomerID = order.CustomerID,
        ShippingAddress = LibraryAddress.From(order.ShippingAddress),
        BillingAddress = LibraryAddress.From(order.BillingAddress),
        Total = order.Total,
        LineItems = [.. order.LineItems.Cast<LineItem>().Select(LibraryLineItem.From)],
    };

    /// <summary>Makes the study's order. Its date is of UTC, which protobuf-net's dates do not say.</summary>
    internal Order ToOrder() => new()
    {
        Date = DateTime.SpecifyKind(Date, DateTimeKind.Utc),
        CustomerID = CustomerID,
        ShippingAddress = ShippingAddress.ToAddress(),
        BillingAddress = BillingAddress.ToAddress(),
        Total = Total,
        LineItems = [.. LineItems.Select(static item => item.ToLineItem())],
    };
}

/// <summary>The members of <see cref="Address"/>.</summary>
[DataContract]
public sealed class LibraryAddress
{
    /// <inheritdoc cref="Address.Firstname"/>
    [DataMember(Order = 1)]
    public string Firstname { get; set; } = null!;

    /// <inheritdoc cref="Address.Lastname"/>
    [DataMember(Order = 2)]
    public string Lastname { get; set; } = null!;

    /// <inheritdoc cref="Address.Company"/>
    [DataMember(Order = 3)]
    public string Company { get; set; } = null!;

    /// <inheritdoc cref="Address.City"/>
    [DataMember(Order = 4)]
    public string City { get; set; } = null!;

    /// <inheritdoc cref="Address.Street"/>
    [DataMember(Order = 5)]
    public string Street { get; set; } = null!;

    /// <inheritdoc cref="Address.ZIPCode"/>
    [DataMember(Order = 6)]
    public string ZIPCode { get; set; } = null!;

    /// <inheritdoc cref="Address.Country"/>
    [DataMember(Order = 7)]
    public string Country { get; set; } = null!;

    /// <inheritdoc cref="Address.State"/>
    [DataMember(Order = 8)]
    public string State { get; set; } = null!;

    internal static LibraryAddress From(Address address) => new()
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

/// <summary>The members of <see cref="LineItem"/>.</summary>
[DataContract]
public sealed class LibraryLineItem
{
    /// <inheritdoc cref="LineItem.ArticleID"/>
    [DataMember(Order = 1)]
    public int ArticleID { get; set; }

    /// <inheritdoc cref="LineItem.Name"/>
    [DataMember(Order = 2)]
    public string Name { get; set; } = null!;

    /// <inheritdoc cref="LineItem.Price"/>
    [DataMember(Order = 3)]
    public double Price { get; set; }

    /// <inheritdoc cref="LineItem.Quantity"/>
    [DataMember(Order = 4)]
    public double Quantity { get; set; }

    /// <inheritdoc cref="LineItem.LineTotal"/>
    [DataMember(Order = 5)]
    public double LineTotal { get; set; }

    internal static LibraryLineItem From(LineItem item) => new()
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
