using System;
using System.Collections.Generic;

namespace Formatters.Benchmarks.Rows;

/// <summary>The members of <see cref="Orders.OrderWithList"/>, for the generator.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf)]
[LegacyBinaryContract, LegacyBinaryName("Formatters.Orders.OrderWithList", AssemblyName = Sender.OrdersAssembly)]
internal sealed partial class GeneratedOrder
{
    [MessageMember(1)] public DateTime Date;
    [MessageMember(2)] public int CustomerID;
    [MessageMember(3)] public GeneratedAddress ShippingAddress = null!;
    [MessageMember(4)] public GeneratedAddress BillingAddress = null!;
    [MessageMember(5)] public double Total;
    [MessageMember(6)] public List<GeneratedLineItem> LineItems = null!;
}

/// <summary>The members of <see cref="Orders.Address"/>.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf)]
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
}

/// <summary>The members of <see cref="Orders.LineItem"/>.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf)]
[LegacyBinaryName("Formatters.Orders.LineItem", AssemblyName = Sender.OrdersAssembly)]
internal sealed partial class GeneratedLineItem
{
    [MessageMember(1)] public int ArticleID;
    [MessageMember(2)] public string Name = null!;
    [MessageMember(3)] public double Price;
    [MessageMember(4)] public double Quantity;
    [MessageMember(5)] public double LineTotal;
}

/// <summary>The order itself, whose members have no numbers: the map form of MessagePack, and XML.</summary>
[MessageContractFor(typeof(Orders.OrderWithList), Name = "Order", Formats = ContractFormats.MessagePack | ContractFormats.Xml)]
internal static partial class NamedOrderContract;

/// <summary>Under which names the types of a legacy body go: those of the model.</summary>
internal static class Sender
{
    internal const string OrdersAssembly = "Formatters.Orders, Version=0.1.0.0, Culture=neutral, PublicKeyToken=null";
}
