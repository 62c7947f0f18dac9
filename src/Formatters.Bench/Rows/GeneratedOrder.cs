using Formatters.LegacyBinary;
using Formatters.Orders;

namespace Formatters.Bench.Rows;

/// <summary>The members of <see cref="OrderWithList"/>, for the generator.</summary>
[MessageContract(Formats = Sender.Formats)]
[LegacyBinaryContract, LegacyBinaryName("Formatters.Orders.OrderWithList", AssemblyName = Sender.OrdersAssembly)]
internal sealed partial class GeneratedOrder
{
    [MessageMember(1)] public DateTime Date;
    [MessageMember(2)] public int CustomerID;
    [MessageMember(3)] public GeneratedAddress ShippingAddress = null!;
    [MessageMember(4)] public GeneratedAddress BillingAddress = null!;
    [MessageMember(5)] public double Total;
    [MessageMember(6)] public List<GeneratedLineItem> LineItems = null!;

    /// <summary>Makes the order of the generator from one of the model.</summary>
    internal static GeneratedOrder From(OrderWithList order) => new()
    {
        Date = order.Date,
        CustomerID = order.CustomerID,
        ShippingAddress = GeneratedAddress.From(order.ShippingAddress),
        BillingAddress = GeneratedAddress.From(order.BillingAddress),
        Total = order.Total,
        LineItems = order.LineItems.Select(GeneratedLineItem.From).ToList(),
    };

    /// <summary>Makes an order of the model.</summary>
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

/// <summary>The members of <see cref="Address"/>.</summary>
[MessageContract(Formats = Sender.Formats)]
[LegacyBinaryName("Formatters.Orders.Address", AssemblyName = Sender.OrdersAssembly)]
internal sealed partial class GeneratedAddress
{
    [MessageMember(1)] public string Firstname = null!;
    [MessageMember(2)] public string Lastname = null!;
    [MessageMember(3)] public string Company = null!;
    [MessageMember(4)] public string City = null!;
    [MessageMember(5)] public string Street = null!;
    [MessageMember(6)] public string ZIPCode = null!;
    [MessageMember(7)] public string Country = null!;
    [MessageMember(8)] public string State = null!;

    internal static GeneratedAddress From(Address address) => new()
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
[MessageContract(Formats = Sender.Formats)]
[LegacyBinaryName("Formatters.Orders.LineItem", AssemblyName = Sender.OrdersAssembly)]
internal sealed partial class GeneratedLineItem
{
    [MessageMember(1)] public int ArticleID;
    [MessageMember(2)] public string Name = null!;
    [MessageMember(3)] public double Price;
    [MessageMember(4)] public double Quantity;
    [MessageMember(5)] public double LineTotal;

    internal static GeneratedLineItem From(LineItem item) => new()
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

/// <summary>The order itself, whose members have no numbers: the map form of MessagePack, and XML.</summary>
[MessageContractFor(typeof(OrderWithList), Name = "Order", Formats = ContractFormats.MessagePack | ContractFormats.Xml)]
internal static partial class NamedOrderContract;

/// <summary>Under which names the types of a legacy body go: those of the model.</summary>
internal static class Sender
{
    internal const ContractFormats Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack
        | ContractFormats.Protobuf | ContractFormats.Cbor | ContractFormats.Compact;

    internal const string OrdersAssembly = "Formatters.Orders, Version=0.1.0.0, Culture=neutral, PublicKeyToken=9ba1a11c2bd839a9";
}
